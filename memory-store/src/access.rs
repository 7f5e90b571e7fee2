//! Access counters between two writes of their facts.
//!
//! A host may rewrite its whole unit for every put, so writing the counters of
//! twenty recalled facts would cost twenty rewrites. Instead those that are
//! ahead of their rows stand together in the unit's global slot:
//!
//! ```json
//! { "initialized": true, "accesses": { "<fact id>": [count, lastAccessedAt] } }
//! ```
//!
//! A fact's counters are the larger of its row's and these; every write of the
//! row carries them along. Older plugins ignore the field and never write the
//! slot, so it survives them.

use std::collections::BTreeMap;

use memory_core::{Fact, UnixMillis};
use serde_json::{Map, Value, json};

const FIELD: &str = "accesses";

/// Count and time of the last access.
pub(crate) type Access = (u64, UnixMillis);

/// The global slot: counters that are ahead of their rows, and whatever else
/// stands there.
#[derive(Debug, Default)]
pub(crate) struct AccessLog {
    others: Map<String, Value>,
    ahead: BTreeMap<String, Access>,
}

impl AccessLog {
    /// Reads the slot; `None` when it holds something that is not ours to replace.
    pub(crate) fn parse(global: &Value) -> Option<Self> {
        let mut others = match global {
            Value::Null => Map::new(),
            Value::Object(map) => map.clone(),
            _ => return None,
        };
        let ahead = others
            .remove(FIELD)
            .and_then(|accesses| serde_json::from_value(accesses).ok())
            .unwrap_or_default();
        Some(Self { others, ahead })
    }

    /// Brings a fact that was just read up to its counters.
    pub(crate) fn apply(&self, fact: &mut Fact) {
        if let Some(&(count, at)) = self.ahead.get(&fact.id)
            && count > fact.access_count.unwrap_or(0)
        {
            fact.access_count = Some(count);
            fact.last_accessed_at = Some(at.max(fact.last_accessed_at.unwrap_or(0)));
        }
    }

    /// The slot with these counters beside those that were ahead already.
    pub(crate) fn with(&self, touched: &BTreeMap<String, Access>) -> Value {
        let mut slot = self.others.clone();
        slot.entry("initialized").or_insert(json!(true));
        let mut ahead = self.ahead.clone();
        ahead.extend(touched.iter().map(|(id, access)| (id.clone(), *access)));
        slot.insert(FIELD.to_owned(), json!(ahead));
        Value::Object(slot)
    }

    /// Something else that stands in the slot.
    pub(crate) fn note(&self, name: &str) -> Option<&Value> {
        self.others.get(name)
    }

    /// The slot with a note of this name, or without one.
    pub(crate) fn with_note(&self, name: &str, note: Option<&Value>) -> Value {
        let mut slot = self.with(&BTreeMap::new());
        if let Some(slot) = slot.as_object_mut() {
            match note {
                Some(note) => slot.insert(name.to_owned(), note.clone()),
                None => slot.remove(name),
            };
        }
        slot
    }

    /// Takes in that [`AccessLog::with_note`] is durable now.
    pub(crate) fn note_written(&mut self, name: &str, note: Option<Value>) {
        match note {
            Some(note) => self.others.insert(name.to_owned(), note),
            None => self.others.remove(name),
        };
    }

    /// Takes in that [`AccessLog::with`] is durable now.
    pub(crate) fn written(&mut self, touched: BTreeMap<String, Access>) {
        self.ahead.extend(touched);
    }

    /// Takes in that a row was written with this count.
    pub(crate) fn row_written(&mut self, id: &str, count: u64) {
        if self.ahead.get(id).is_some_and(|&(ahead, _)| ahead <= count) {
            self.ahead.remove(id);
        }
    }
}
