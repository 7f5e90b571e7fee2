//! The only writer of a memory domain.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use memory_core::{
    Caps, Citation, Clock, ErrorCode, Fact, FactKind, FactState, IdSource, MemoryError, Profile,
    WorkspacePath, fold_spaces,
};
use serde::Serialize;
use serde_json::Value;

use crate::access::Access;
use crate::domain::{
    DomainError, DomainErrorKind, LexicalPaths, PathResolver, StorageDomain, Table,
};
use crate::plan::{Change, FactEdit, NewFact, Plan, ProfileEdit, check_tags, tidy_tags};
use crate::rows::{Rows, SetAside, StoredFact, Workspace, stored_paths};
use crate::screen::{AcceptAll, Screen};

/// Watches facts, e.g. to keep a search index equal to the rows. Called in the
/// order of the changes and while the repository is locked: it must not call
/// back into it.
pub trait Observer: Send + Sync {
    /// A fact was loaded, added, changed, forgotten or made active again.
    fn fact_changed(&self, workspace: &WorkspacePath, fact: &Fact);

    /// Only the access counters of a fact changed.
    fn fact_touched(&self, workspace: &WorkspacePath, fact: &Fact);
}

/// What a repository needs beside its domain.
#[derive(Clone)]
pub struct Settings {
    caps: Caps,
    clock: Arc<dyn Clock + Send + Sync>,
    ids: Arc<dyn IdSource + Send + Sync>,
    screen: Arc<dyn Screen>,
    observer: Option<Arc<dyn Observer>>,
}

impl Settings {
    /// Settings that screen nothing and are watched by nobody.
    pub fn new(
        caps: Caps,
        clock: Arc<dyn Clock + Send + Sync>,
        ids: Arc<dyn IdSource + Send + Sync>,
    ) -> Self {
        Self { caps, clock, ids, screen: Arc::new(AcceptAll), observer: None }
    }

    /// Screens every write.
    #[must_use]
    pub fn screen(mut self, screen: Arc<dyn Screen>) -> Self {
        self.screen = screen;
        self
    }

    /// Lets somebody watch.
    #[must_use]
    pub fn observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observer = Some(observer);
        self
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("caps", &self.caps).finish_non_exhaustive()
    }
}

/// What a committed plan left behind.
#[derive(Clone, Debug, PartialEq)]
pub enum Committed {
    /// The fact as it is now stored.
    Fact(Arc<Fact>),
    /// The profile's entries as they are now stored.
    Profile(Vec<String>),
}

/// The facts, profiles, proposals and alarms of a domain, by workspace.
///
/// Reads are answered from memory and never wait. Writes go through a
/// [`Plan`]; writes of one workspace are done one after the other. Memory
/// changes only after the domain has confirmed a write.
///
/// A commit must be run to its end: one that is dropped half-way may have
/// written a row that reads show only after the next open.
pub struct Repository<D> {
    domain: D,
    settings: Settings,
    rows: Mutex<Rows>,
    locks: Mutex<BTreeMap<WorkspacePath, Arc<tokio::sync::Mutex<()>>>>,
    flushing: tokio::sync::Mutex<()>,
    closed: AtomicBool,
}

impl<D> fmt::Debug for Repository<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Repository").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl<D: StorageDomain> Repository<D> {
    /// Opens a repository; paths are compared by their spelling.
    ///
    /// # Errors
    /// When the domain cannot be loaded.
    pub async fn open(domain: D, settings: Settings) -> Result<Self, MemoryError> {
        Self::open_with(domain, settings, &LexicalPaths).await
    }

    /// Opens a repository and asks the host what stored paths really name, so
    /// that facts stored under a symlink are found under the folder.
    ///
    /// Rows that do not satisfy their schema are set aside, see
    /// [`Repository::set_aside`].
    ///
    /// # Errors
    /// When the domain cannot be loaded.
    pub async fn open_with(
        domain: D,
        settings: Settings,
        paths: &impl PathResolver,
    ) -> Result<Self, MemoryError> {
        let snapshot = domain.load().await?;
        let stored = stored_paths(&snapshot);
        let real = paths.resolve(stored.clone()).await;
        let real =
            stored.into_iter().zip(real).filter_map(|(path, real)| Some((path, real?))).collect();
        let rows = Rows::from_snapshot(snapshot, &real);
        if let Some(observer) = &settings.observer {
            for (path, workspace) in &rows.workspaces {
                for stored in workspace.facts.values() {
                    observer.fact_changed(path, &stored.fact);
                }
            }
        }
        Ok(Self {
            domain,
            settings,
            rows: Mutex::new(rows),
            locks: Mutex::default(),
            flushing: tokio::sync::Mutex::default(),
            closed: AtomicBool::new(false),
        })
    }

    // ---- reads ----------------------------------------------------------

    /// The active facts of a workspace, last changed first, then by id.
    pub fn active_facts(&self, workspace: &WorkspacePath) -> Vec<Arc<Fact>> {
        let rows = self.rows();
        let mut facts: Vec<_> = rows
            .workspaces
            .get(workspace)
            .into_iter()
            .flat_map(|w| w.facts.values())
            .filter(|stored| stored.fact.is_active())
            .map(|stored| Arc::clone(&stored.fact))
            .collect();
        facts.sort_by(|a, b| b.updated_at.cmp(&a.updated_at).then_with(|| a.id.cmp(&b.id)));
        facts
    }

    /// Every workspace that holds a row, by its spelling.
    pub fn workspaces(&self) -> Vec<WorkspacePath> {
        self.rows().workspaces.keys().cloned().collect()
    }

    /// How many active facts a workspace has.
    pub fn active_count(&self, workspace: &WorkspacePath) -> usize {
        self.rows().workspaces.get(workspace).map_or(0, Workspace::active_count)
    }

    /// A fact of this workspace, active or forgotten.
    pub fn fact(&self, workspace: &WorkspacePath, id: &str) -> Option<Arc<Fact>> {
        let rows = self.rows();
        rows.workspaces.get(workspace)?.facts.get(id).map(|stored| Arc::clone(&stored.fact))
    }

    /// The active fact that says this already, case and blanks aside.
    pub fn known(&self, workspace: &WorkspacePath, text: &str) -> Option<Arc<Fact>> {
        self.twin(workspace, None, text)
    }

    /// The profile entries of a workspace, in order.
    pub fn profile(&self, workspace: &WorkspacePath) -> Vec<String> {
        self.rows().workspaces.get(workspace).map(Workspace::profile_entries).unwrap_or_default()
    }

    /// The rows that could not be read when the domain was opened.
    pub fn set_aside(&self) -> Vec<SetAside> {
        self.rows().set_aside.clone()
    }

    // ---- plans ----------------------------------------------------------

    /// Plans to add a fact, or to replace the one of the given id.
    ///
    /// Checked in this order: the fact exists, the text is not blank, the
    /// screen passes it, text and tags and count are within their caps, and no
    /// other active fact says the same.
    ///
    /// # Errors
    /// `MEMORY_NOT_FOUND`, `MEMORY_INVALID_ARGS`, `MEMORY_SECRET_REJECTED` or
    /// `MEMORY_CAP_EXCEEDED`; see [`Screen`] and [`Caps`].
    pub fn plan_remember(
        &self,
        workspace: &WorkspacePath,
        new: NewFact,
    ) -> Result<Plan, MemoryError> {
        self.ensure_open()?;
        let current = match &new.id {
            Some(id) => Some(self.stored(workspace, id).ok_or_else(|| not_found(id))?),
            None => None,
        };
        let (before, revision) = match current {
            Some(stored) => (Some(stored.fact), stored.revision),
            None => (None, 0),
        };
        let tags = match (&new.tags, &before) {
            (Some(tags), _) => tidy_tags(tags),
            (None, Some(fact)) => fact.tags.clone(),
            (None, None) => Vec::new(),
        };
        let (text, tags) = self.screened_text(&new.text, &tags)?;
        self.settings.caps.check_fact_text(&text)?;
        if new.tags.is_some() {
            check_tags(&tags)?;
        }
        if !before.as_ref().is_some_and(|fact| fact.is_active()) {
            self.settings.caps.check_room_for_fact(self.active_count(workspace))?;
        }
        self.ensure_new(workspace, new.id.as_deref(), &text)?;
        let change = match before {
            Some(before) => {
                let after = revised(&before, new.kind, text, tags, new.citation);
                Change::Update { before, after: Box::new(after) }
            }
            None => Change::Add {
                fact: Box::new(Fact::new(
                    self.settings.ids.new_id(),
                    workspace,
                    new.kind.unwrap_or_default(),
                    text,
                    tags,
                    new.citation,
                    self.settings.clock.now(),
                )),
            },
        };
        Ok(Plan { workspace: workspace.clone(), change, revision })
    }

    /// Plans to change an active fact.
    ///
    /// # Errors
    /// As [`Repository::plan_remember`]; a forgotten fact is `MEMORY_NOT_FOUND`.
    pub fn plan_edit(
        &self,
        workspace: &WorkspacePath,
        edit: FactEdit,
    ) -> Result<Plan, MemoryError> {
        self.ensure_open()?;
        let stored = self.active(workspace, &edit.id)?;
        let before = stored.fact;
        let tags = edit.tags.as_deref().map_or_else(|| before.tags.clone(), tidy_tags);
        let (text, tags) = self.screened_text(edit.text.as_ref().unwrap_or(&before.text), &tags)?;
        // What an older, larger cap let in may stay while the rest changes.
        if edit.text.is_some() {
            self.settings.caps.check_fact_text(&text)?;
            self.ensure_new(workspace, Some(&edit.id), &text)?;
        }
        if edit.tags.is_some() {
            check_tags(&tags)?;
        }
        let after = revised(&before, edit.kind, text, tags, edit.citation);
        let change = Change::Update { before, after: Box::new(after) };
        Ok(Plan { workspace: workspace.clone(), change, revision: stored.revision })
    }

    /// Plans to forget an active fact. Its row is kept.
    ///
    /// # Errors
    /// `MEMORY_NOT_FOUND` when there is no such active fact here.
    pub fn plan_forget(&self, workspace: &WorkspacePath, id: &str) -> Result<Plan, MemoryError> {
        self.ensure_open()?;
        let stored = self.active(workspace, id)?;
        let change = Change::Archive { fact: stored.fact };
        Ok(Plan { workspace: workspace.clone(), change, revision: stored.revision })
    }

    /// Plans to append, replace or (with a blank text) drop a profile entry.
    /// Without an index, or with that of the end, the text is appended.
    ///
    /// # Errors
    /// `MEMORY_INVALID_ARGS` for an index past the end or a blank text that
    /// names no entry; `MEMORY_SECRET_REJECTED`; `MEMORY_CAP_EXCEEDED`. A
    /// profile above a lowered cap may still lose and replace entries.
    pub fn plan_profile(
        &self,
        workspace: &WorkspacePath,
        index: Option<usize>,
        text: &str,
    ) -> Result<Plan, MemoryError> {
        self.ensure_open()?;
        let entries = self.profile(workspace);
        let index = index.unwrap_or(entries.len());
        let old = entries.get(index).cloned();
        if old.is_none() && index > entries.len() {
            return Err(MemoryError::new(
                ErrorCode::InvalidArgs,
                format!(
                    "`profile_index` {index} is past the end, the profile has {} entries",
                    entries.len()
                ),
            )
            .advise("call memory_profile for the indices; leave it out to append"));
        }
        let edit = if text.trim().is_empty() {
            match old {
                Some(old) => ProfileEdit::Drop { index, old },
                None => {
                    return Err(MemoryError::new(
                        ErrorCode::InvalidArgs,
                        "`text` is blank and `profile_index` names no entry",
                    )
                    .advise("give a text to append, or the index of an entry to drop"));
                }
            }
        } else {
            let (text, _) = self.screened(text, &[])?;
            self.settings.caps.check_profile_entry(&text)?;
            if let Some(old) = old {
                ProfileEdit::Replace { index, old, text }
            } else {
                self.settings.caps.check_profile_growth(entries.len() + 1)?;
                ProfileEdit::Append { text }
            }
        };
        Ok(Plan { workspace: workspace.clone(), change: Change::Profile(edit), revision: 0 })
    }

    // ---- writes ---------------------------------------------------------

    /// Performs a plan that was approved: the same checks once more under the
    /// workspace's lock, then one put.
    ///
    /// # Errors
    /// What the checks say; `MEMORY_UNAVAILABLE` when what the plan was made
    /// from has changed, or storage fails. Nothing is changed then.
    pub async fn commit(&self, plan: Plan) -> Result<Committed, MemoryError> {
        let lock = self.lock_of(&plan.workspace);
        let _turn = lock.lock().await;
        self.ensure_open()?;
        let Plan { workspace, change, revision } = plan;
        match change {
            Change::Add { mut fact } => {
                self.screen_again(&fact.text, &fact.tags)?;
                self.settings.caps.check_fact_text(&fact.text)?;
                self.settings.caps.check_room_for_fact(self.active_count(&workspace))?;
                self.ensure_new(&workspace, None, &fact.text)?;
                if self.stored(&workspace, &fact.id).is_some() {
                    return Err(changed(&fact.id));
                }
                let now = self.settings.clock.now();
                (fact.created_at, fact.updated_at) = (now, now);
                self.write_fact(&workspace, *fact, 1).await
            }
            Change::Update { before, mut after } => {
                self.screen_again(&after.text, &after.tags)?;
                if after.text != before.text || !before.is_active() {
                    self.settings.caps.check_fact_text(&after.text)?;
                    self.ensure_new(&workspace, Some(&after.id), &after.text)?;
                }
                let current = self.unchanged(&workspace, &after.id, revision)?;
                if !current.fact.is_active() {
                    self.settings.caps.check_room_for_fact(self.active_count(&workspace))?;
                }
                after.updated_at = self.settings.clock.now();
                self.write_fact(&workspace, *after, revision + 1).await
            }
            Change::Archive { fact } => {
                let current = self.unchanged(&workspace, &fact.id, revision)?;
                let mut archived = Fact::clone(&current.fact);
                archived.state = FactState::Archived;
                archived.updated_at = self.settings.clock.now();
                self.write_fact(&workspace, archived, revision + 1).await
            }
            Change::Profile(edit) => self.write_profile(&workspace, edit).await,
        }
    }

    /// Counts an access for each active fact of these ids. Immediate and in
    /// memory; [`Repository::flush_counters`] makes it durable.
    pub fn touch<'a>(&self, workspace: &WorkspacePath, ids: impl IntoIterator<Item = &'a str>) {
        let now = self.settings.clock.now();
        let mut rows = self.rows();
        let Some(found) = rows.workspaces.get_mut(workspace) else { return };
        for id in ids {
            let Some(stored) = found.facts.get_mut(id).filter(|s| s.fact.is_active()) else {
                continue;
            };
            let fact = Arc::make_mut(&mut stored.fact);
            fact.access_count = Some(fact.access_count.unwrap_or(0).saturating_add(1));
            // A clock that was set back does not turn an access into an older one.
            fact.last_accessed_at = Some(now.max(fact.last_accessed_at.unwrap_or(0)));
            found.touched.insert(id.to_owned());
            if let Some(observer) = &self.settings.observer {
                observer.fact_touched(workspace, fact);
            }
        }
    }

    /// How many facts have counters that are not durable yet.
    pub fn pending_counters(&self) -> usize {
        self.rows().workspaces.values().map(|w| w.touched.len()).sum()
    }

    /// Writes the counters that recall has collected: those of a few facts
    /// each with its row, as it is then, so that this never undoes another
    /// write; those of many in one put of the unit's global slot.
    ///
    /// Returns how many puts that took.
    ///
    /// # Errors
    /// `MEMORY_UNAVAILABLE` when storage fails; what is left stays pending.
    pub async fn flush_counters(&self) -> Result<usize, MemoryError> {
        self.flush(Self::ROWS_AT_ONCE).await
    }

    /// Most facts whose counters are written with their rows.
    const ROWS_AT_ONCE: usize = 4;

    async fn flush(&self, rows_at_once: usize) -> Result<usize, MemoryError> {
        // One flush at a time: the slot is written whole.
        let _turn = self.flushing.lock().await;
        let touched: Vec<(WorkspacePath, String)> = {
            let rows = self.rows();
            let workspaces = rows.workspaces.iter();
            workspaces
                .flat_map(|(path, w)| w.touched.iter().map(|id| (path.clone(), id.clone())))
                .collect()
        };
        if touched.is_empty() {
            return Ok(0);
        }
        if touched.len() > rows_at_once && self.rows().access.is_some() {
            return self.write_slot().await;
        }
        for (workspace, id) in &touched {
            self.write_row_counters(workspace, id).await?;
        }
        Ok(touched.len())
    }

    async fn write_slot(&self) -> Result<usize, MemoryError> {
        let (touched, slot) = {
            let rows = self.rows();
            let touched: BTreeMap<String, Access> = rows
                .workspaces
                .values()
                .flat_map(|w| w.touched.iter().filter_map(|id| w.facts.get(id)))
                .map(|stored| (stored.fact.id.clone(), access_of(&stored.fact)))
                .collect();
            let Some(access) = &rows.access else { return Ok(0) };
            let slot = access.with(&touched);
            (touched, slot)
        };
        self.domain.put_global(slot).await?;
        let mut rows = self.rows();
        for workspace in rows.workspaces.values_mut() {
            // What was recalled meanwhile stays pending.
            let Workspace { touched: pending, facts, .. } = workspace;
            pending.retain(|id| {
                let now = facts.get(id).map(|stored| access_of(&stored.fact));
                now.is_some() && now.as_ref() != touched.get(id)
            });
        }
        if let Some(access) = &mut rows.access {
            access.written(touched);
        }
        Ok(1)
    }

    async fn write_row_counters(
        &self,
        workspace: &WorkspacePath,
        id: &str,
    ) -> Result<(), MemoryError> {
        let lock = self.lock_of(workspace);
        let _turn = lock.lock().await;
        let fact = {
            let mut rows = self.rows();
            let Some(found) = rows.workspaces.get_mut(workspace) else { return Ok(()) };
            if !found.touched.remove(id) {
                return Ok(());
            }
            let Some(stored) = found.facts.get(id) else { return Ok(()) };
            Arc::clone(&stored.fact)
        };
        let outcome = self.put(Table::Facts, id, &*fact).await;
        let mut rows = self.rows();
        match &outcome {
            Ok(()) => rows.row_written(&fact),
            Err(_) => {
                if let Some(found) = rows.workspaces.get_mut(workspace) {
                    found.touched.insert(id.to_owned());
                }
            }
        }
        outcome
    }

    /// Flushes the counters and releases the domain. Writes that wait fail
    /// with `MEMORY_UNAVAILABLE`; reads still answer.
    ///
    /// # Errors
    /// When counters could not be flushed or the domain not be released; it is
    /// closed all the same.
    pub async fn close(&self) -> Result<(), MemoryError> {
        // In one put: a host that stops may take no second.
        let flushed = self.flush(1).await;
        self.closed.store(true, Ordering::SeqCst);
        let closed = self.domain.close().await.map_err(MemoryError::from);
        flushed.map(drop).and(closed)
    }

    // ---- inside ---------------------------------------------------------

    pub(crate) fn rows(&self) -> MutexGuard<'_, Rows> {
        // Held for short, non-panicking sections and never across an await.
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn lock_of(&self, workspace: &WorkspacePath) -> Arc<tokio::sync::Mutex<()>> {
        let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(locks.entry(workspace.clone()).or_default())
    }

    pub(crate) fn ensure_open(&self) -> Result<(), MemoryError> {
        if self.closed.load(Ordering::SeqCst) {
            return Err(DomainError::new(DomainErrorKind::Closed, "closed").into());
        }
        Ok(())
    }

    /// The turn to write the global slot, which is written whole.
    pub(crate) async fn slot_turn(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.flushing.lock().await
    }

    pub(crate) async fn put_global(&self, slot: Value) -> Result<(), MemoryError> {
        Ok(self.domain.put_global(slot).await?)
    }

    pub(crate) fn now(&self) -> memory_core::UnixMillis {
        self.settings.clock.now()
    }

    pub(crate) fn new_id(&self) -> String {
        self.settings.ids.new_id()
    }

    fn stored(&self, workspace: &WorkspacePath, id: &str) -> Option<StoredFact> {
        self.rows().workspaces.get(workspace)?.facts.get(id).cloned()
    }

    fn active(&self, workspace: &WorkspacePath, id: &str) -> Result<StoredFact, MemoryError> {
        self.stored(workspace, id).filter(|s| s.fact.is_active()).ok_or_else(|| not_found(id))
    }

    fn unchanged(
        &self,
        workspace: &WorkspacePath,
        id: &str,
        revision: u64,
    ) -> Result<StoredFact, MemoryError> {
        let stored = self.stored(workspace, id).ok_or_else(|| not_found(id))?;
        if stored.revision == revision { Ok(stored) } else { Err(changed(id)) }
    }

    /// Refuses a text that another active fact of the workspace already says,
    /// but for case and white space: storing it twice helps nobody, and it
    /// would cost a person an answer.
    fn twin(&self, workspace: &WorkspacePath, id: Option<&str>, text: &str) -> Option<Arc<Fact>> {
        let folded = fold_spaces(text).to_lowercase();
        self.active_facts(workspace)
            .into_iter()
            .find(|fact| Some(&*fact.id) != id && fold_spaces(&fact.text).to_lowercase() == folded)
    }

    fn ensure_new(
        &self,
        workspace: &WorkspacePath,
        id: Option<&str>,
        text: &str,
    ) -> Result<(), MemoryError> {
        let twin = self.twin(workspace, id, text);
        match twin {
            Some(twin) => Err(MemoryError::new(
                ErrorCode::InvalidArgs,
                format!("this workspace already holds that as fact `{}`", twin.id),
            )
            .advise("change that one with memory_edit if something about it is new")),
            None => Ok(()),
        }
    }

    fn screened(&self, text: &str, tags: &[String]) -> Result<(String, Vec<String>), MemoryError> {
        let passed = self.settings.screen.screen(text, tags)?;
        Ok((passed.text, passed.tags))
    }

    fn screened_text(
        &self,
        text: &str,
        tags: &[String],
    ) -> Result<(String, Vec<String>), MemoryError> {
        if text.trim().is_empty() {
            return Err(MemoryError::new(ErrorCode::InvalidArgs, "`text` is blank")
                .advise("state the fact in a sentence"));
        }
        self.screened(text, tags)
    }

    fn screen_again(&self, text: &str, tags: &[String]) -> Result<(), MemoryError> {
        let (again, tags_again) = self.screened(text, tags)?;
        if again == text && tags_again == tags {
            return Ok(());
        }
        Err(MemoryError::new(
            ErrorCode::SecretRejected,
            "the content no longer passes the secret policy it was approved under",
        )
        .advise("call again"))
    }

    pub(crate) async fn put(
        &self,
        table: Table,
        key: &str,
        row: &impl Serialize,
    ) -> Result<(), MemoryError> {
        let value: Value = serde_json::to_value(row).map_err(|error| {
            MemoryError::new(ErrorCode::Unavailable, format!("the row cannot be written ({error})"))
        })?;
        Ok(self.domain.put(table, key, value).await?)
    }

    /// Puts a fact whose content changed. Counters are those of the moment; if
    /// recall moves them on while the put is under way, they stay pending.
    async fn write_fact(
        &self,
        workspace: &WorkspacePath,
        mut fact: Fact,
        revision: u64,
    ) -> Result<Committed, MemoryError> {
        if let Some(current) = self.stored(workspace, &fact.id) {
            fact.access_count = current.fact.access_count;
            fact.last_accessed_at = current.fact.last_accessed_at;
        }
        fact.validate()?;
        self.put(Table::Facts, &fact.id, &fact).await?;

        let mut rows = self.rows();
        rows.row_written(&fact);
        let found = rows.workspaces.entry(workspace.clone()).or_default();
        let written = (fact.access_count, fact.last_accessed_at);
        if let Some(current) = found.facts.get(&fact.id) {
            fact.access_count = current.fact.access_count;
            fact.last_accessed_at = current.fact.last_accessed_at;
        }
        if written == (fact.access_count, fact.last_accessed_at) {
            found.touched.remove(&fact.id);
        }
        if let Some(observer) = &self.settings.observer {
            observer.fact_changed(workspace, &fact);
        }
        let fact = Arc::new(fact);
        let stored = StoredFact { fact: Arc::clone(&fact), revision };
        found.facts.insert(fact.id.clone(), stored);
        Ok(Committed::Fact(fact))
    }

    async fn write_profile(
        &self,
        workspace: &WorkspacePath,
        edit: ProfileEdit,
    ) -> Result<Committed, MemoryError> {
        let mut entries = self.profile(workspace);
        let place = |index: usize, old: &str| {
            if entries.get(index).is_some_and(|entry| entry == old) {
                return Ok(index);
            }
            Err(MemoryError::new(
                ErrorCode::Unavailable,
                format!(
                    "profile entry {index} changed while the approval was open; nothing was written"
                ),
            )
            .advise("call memory_profile and ask again for what holds now"))
        };
        match edit {
            ProfileEdit::Append { text } => {
                self.screen_again(&text, &[])?;
                self.settings.caps.check_profile_entry(&text)?;
                self.settings.caps.check_profile_growth(entries.len() + 1)?;
                entries.push(text);
            }
            ProfileEdit::Replace { index, old, text } => {
                self.screen_again(&text, &[])?;
                self.settings.caps.check_profile_entry(&text)?;
                let index = place(index, &old)?;
                entries[index] = text;
            }
            ProfileEdit::Drop { index, old } => {
                let index = place(index, &old)?;
                entries.remove(index);
            }
        }
        let now = self.settings.clock.now();
        let mut profiles = match self.rows().workspaces.get(workspace) {
            Some(found) if !found.profiles.is_empty() => found.profiles.clone(),
            _ => vec![Profile::empty(workspace)],
        };
        // The entries of all spellings move to the first row; only when they
        // are safe there are the others emptied. Memory follows put by put.
        for place in 0..profiles.len() {
            let wanted = if place == 0 { entries.clone() } else { Vec::new() };
            if place > 0 && profiles[place].entries.is_empty() {
                continue;
            }
            let row = Profile { entries: wanted, updated_at: now, ..profiles[place].clone() };
            row.validate()?;
            self.put(Table::Profiles, &row.workspace_path, &row).await?;
            profiles[place] = row;
            let mut rows = self.rows();
            rows.workspaces.entry(workspace.clone()).or_default().profiles.clone_from(&profiles);
        }
        Ok(Committed::Profile(entries))
    }
}

/// An active fact with new content; identity, times and counters stay.
fn revised(
    before: &Fact,
    kind: Option<FactKind>,
    text: String,
    tags: Vec<String>,
    citation: Citation,
) -> Fact {
    let Citation { session_id, seq } = citation;
    let kind = kind.unwrap_or(before.kind);
    Fact { kind, text, tags, session_id, seq, state: FactState::Active, ..before.clone() }
}

fn access_of(fact: &Fact) -> Access {
    (fact.access_count.unwrap_or(0), fact.last_accessed_at.unwrap_or(0))
}

fn not_found(id: &str) -> MemoryError {
    MemoryError::new(ErrorCode::NotFound, format!("no active fact `{id}` in this workspace"))
        .advise("call memory_recall for the ids of this workspace")
}

fn changed(id: &str) -> MemoryError {
    MemoryError::new(
        ErrorCode::Unavailable,
        format!("fact `{id}` changed while the approval was open; nothing was written"),
    )
    .advise("recall it and ask again for what holds now")
}
