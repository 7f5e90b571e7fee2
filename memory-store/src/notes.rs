//! Notes: small values of the host's own, beside the rows in the unit's
//! global slot. They are nobody's memory and belong to no workspace.

use memory_core::MemoryError;
use serde_json::Value;

use crate::domain::StorageDomain;
use crate::repository::Repository;

impl<D: StorageDomain> Repository<D> {
    /// The note of this name.
    pub fn note(&self, name: &str) -> Option<Value> {
        self.rows().access.as_ref()?.note(name).cloned()
    }

    /// Changes the note of this name, one change after the other; `None` is no
    /// note. Nothing is written when it stays as it is, or when the slot holds
    /// something that is not this crate's to replace. The names `initialized`
    /// and `accesses` are taken.
    ///
    /// # Errors
    /// `MEMORY_UNAVAILABLE` when storage fails.
    pub async fn change_note(
        &self,
        name: &str,
        change: impl FnOnce(Option<Value>) -> Option<Value>,
    ) -> Result<(), MemoryError> {
        let _turn = self.slot_turn().await;
        self.ensure_open()?;
        let (note, slot) = {
            let rows = self.rows();
            let Some(access) = &rows.access else { return Ok(()) };
            let old = access.note(name).cloned();
            let note = change(old.clone());
            if note == old {
                return Ok(());
            }
            let slot = access.with_note(name, note.as_ref());
            (note, slot)
        };
        self.put_global(slot).await?;
        if let Some(access) = &mut self.rows().access {
            access.note_written(name, note);
        }
        Ok(())
    }
}
