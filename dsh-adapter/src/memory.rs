//! The open memory of a host: opened on demand, tried again after a failure.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use memory_core::{Config, Fact, MemoryError, WorkspacePath};
use memory_recall::{Index, Recall, RecallOptions};
use memory_store::{
    DomainError, DomainErrorKind, Observer, PathResolver, Repository, Settings, Snapshot,
    StorageDomain, Table,
};
use serde::Deserialize;
use serde_json::Value;

use crate::effect::{Effect, Effects, Fault, lock};
use crate::secrets::SecretScreen;

/// The host's storage domain, over effects.
#[derive(Clone, Debug)]
pub(crate) struct HostDomain(Effects);

/// What the effect `open` returns.
#[derive(Debug, Deserialize)]
struct Opened {
    rows: Vec<(String, String, Value)>,
    #[serde(default)]
    global: Value,
}

impl StorageDomain for HostDomain {
    async fn load(&self) -> Result<Snapshot, DomainError> {
        let opened = self.0.perform(Effect::Open).await.map_err(domain_error)?;
        let Opened { rows, global } = serde_json::from_value(opened).map_err(|_| {
            DomainError::new(DomainErrorKind::Malformed, "the host returned no list of rows")
        })?;
        let known = |(table, key, row): (String, _, _)| Some((Table::from_name(&table)?, key, row));
        Ok(Snapshot { rows: rows.into_iter().filter_map(known).collect(), global })
    }

    async fn put(&self, table: Table, key: &str, value: Value) -> Result<(), DomainError> {
        let effect = Effect::Put { table: table.name(), key: key.to_owned(), value };
        self.0.perform(effect).await.map(drop).map_err(domain_error)
    }

    async fn put_global(&self, value: Value) -> Result<(), DomainError> {
        self.0.perform(Effect::PutGlobal { value }).await.map(drop).map_err(domain_error)
    }

    async fn close(&self) -> Result<(), DomainError> {
        self.0.perform(Effect::Close).await.map(drop).map_err(domain_error)
    }
}

impl PathResolver for Effects {
    async fn resolve(&self, paths: Vec<String>) -> Vec<Option<String>> {
        let count = paths.len();
        if count == 0 {
            return Vec::new();
        }
        let answer = self.perform(Effect::RealPaths { paths }).await;
        answer
            .ok()
            .and_then(|paths| serde_json::from_value(paths).ok())
            .filter(|paths: &Vec<_>| paths.len() == count)
            .unwrap_or_else(|| vec![None; count])
    }
}

/// Codes of the host's `StorageError` and `DomainError`.
fn domain_error(Fault { code, message }: Fault) -> DomainError {
    let kind = match code.as_str() {
        "no-storage" => DomainErrorKind::Absent,
        "version-mismatch" => DomainErrorKind::VersionMismatch,
        "malformed-medium" | "invalid-record" => DomainErrorKind::Malformed,
        "already-open" => DomainErrorKind::AlreadyOpen,
        "closed" => DomainErrorKind::Closed,
        _ => DomainErrorKind::Failed,
    };
    let message = memory_guard::mask(&message).into_owned();
    let message = if code.is_empty() { message } else { format!("{code}: {message}") };
    DomainError::new(kind, message)
}

/// One search index for each workspace, kept equal to the rows.
#[derive(Debug, Default)]
pub(crate) struct Indexes(Mutex<BTreeMap<WorkspacePath, Index>>);

impl Indexes {
    pub(crate) fn recall(
        &self,
        workspace: &WorkspacePath,
        query: Option<&str>,
        options: &RecallOptions,
    ) -> Recall {
        match lock(&self.0).get(workspace) {
            Some(index) => index.recall(query, options),
            None => Index::new().recall(query, options),
        }
    }
}

impl Observer for Indexes {
    fn fact_changed(&self, workspace: &WorkspacePath, fact: &Fact) {
        let mut indexes = lock(&self.0);
        let index = indexes.entry(workspace.clone()).or_default();
        if fact.is_active() {
            index.upsert(fact);
        } else {
            index.remove(&fact.id);
        }
    }

    fn fact_touched(&self, workspace: &WorkspacePath, fact: &Fact) {
        if let Some(index) = lock(&self.0).get_mut(workspace) {
            index.touch(&fact.id, fact.access_count.unwrap_or(0));
        }
    }
}

/// An open repository and what hangs on it.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub(crate) repository: Arc<Repository<HostDomain>>,
    pub(crate) indexes: Arc<Indexes>,
}

/// Opens the memory when it is needed and keeps it.
#[derive(Debug)]
pub(crate) struct MemorySlot {
    effects: Effects,
    settings: Settings,
    /// One attempt at a time; others wait for it and use what came of it.
    opening: tokio::sync::Mutex<()>,
    open: Mutex<Option<Memory>>,
}

impl MemorySlot {
    pub(crate) fn new(effects: Effects, config: &Config) -> Self {
        let ports = Arc::new(effects.clone());
        let settings = Settings::new(config.caps(), ports.clone(), ports)
            .screen(Arc::new(SecretScreen(config.secret_policy)));
        Self { effects, settings, opening: tokio::sync::Mutex::default(), open: Mutex::default() }
    }

    /// The memory if it is open; never waits.
    pub(crate) fn current(&self) -> Option<Memory> {
        lock(&self.open).clone()
    }

    /// The memory, opened now if need be. A failure is not remembered: the
    /// next call tries again.
    pub(crate) async fn get(&self) -> Result<Memory, MemoryError> {
        if let Some(memory) = self.current() {
            return Ok(memory);
        }
        let _turn = self.opening.lock().await;
        if let Some(memory) = self.current() {
            return Ok(memory);
        }
        let indexes = Arc::new(Indexes::default());
        let domain = HostDomain(self.effects.clone());
        let settings = self.settings.clone().observer(indexes.clone());
        let repository = Repository::open_with(domain, settings, &self.effects).await?;
        for row in repository.set_aside() {
            self.effects.warn(format!(
                "a row of table {} cannot be read and was set aside ({}); it stays in the unit under the key {}",
                row.table,
                row.problem,
                memory_guard::reveal(&memory_guard::mask(&row.key)),
            ));
        }
        let memory = Memory { repository: Arc::new(repository), indexes };
        *lock(&self.open) = Some(memory.clone());
        Ok(memory)
    }

    /// Writes what is pending and closes the storage domain.
    pub(crate) async fn close(&self) -> Result<(), MemoryError> {
        // An attempt to open that is under way must not outlive the closing.
        let _turn = self.opening.lock().await;
        let memory = lock(&self.open).take();
        match memory {
            Some(memory) => memory.repository.close().await,
            None => Ok(()),
        }
    }

    /// Writes the counters that recalls have collected. To be spawned, not
    /// awaited by a call.
    pub(crate) async fn flush_counters(&self) {
        if let Some(memory) = self.current()
            && let Err(error) = memory.repository.flush_counters().await
        {
            self.effects.warn(format!("access counters are not written yet: {error}"));
        }
    }
}
