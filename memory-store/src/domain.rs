//! The port to where rows lie.

use std::fmt;
use std::future::Future;

use memory_core::{ErrorCode, MemoryError};
use serde_json::Value;

/// Name of the unit, the contract with every host and older plugin.
pub const UNIT_NAME: &str = "dsh_memory";

/// Version of the unit's format. A unit of another version is never written.
pub const UNIT_VERSION: u64 = 1;

/// The tables of the unit, in the order of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Table {
    /// Approved facts, keyed by id.
    Facts,
    /// Profiles, keyed by workspace path.
    Profiles,
    /// Candidates that wait for a person, keyed by id.
    Proposals,
    /// Anchors that summaries dropped, keyed by id.
    Alarms,
}

impl Table {
    /// Every table, in the order of the contract.
    pub const ALL: [Self; 4] = [Self::Facts, Self::Profiles, Self::Proposals, Self::Alarms];

    /// The name on disk.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Facts => "facts",
            Self::Profiles => "profiles",
            Self::Proposals => "proposals",
            Self::Alarms => "alarms",
        }
    }

    /// The table of a name on disk.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|table| table.name() == name)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Everything that lies in the domain, unvalidated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Every row: table, key, value.
    pub rows: Vec<(Table, String, Value)>,
    /// The unit's global slot; null when it was never written.
    pub global: Value,
}

/// Why a domain could not be opened or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DomainErrorKind {
    /// The host offers no storage at all.
    Absent,
    /// The unit has another version than [`UNIT_VERSION`].
    VersionMismatch,
    /// The unit is not what it claims to be, e.g. no JSON.
    Malformed,
    /// Another owner has the unit open.
    AlreadyOpen,
    /// The domain was closed.
    Closed,
    /// Anything else: the medium refused, e.g. because the disk is full.
    Failed,
}

/// A domain that could not be opened or written. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct DomainError {
    kind: DomainErrorKind,
    message: String,
}

impl DomainError {
    /// An error with what the medium said; must not hold row content.
    pub fn new(kind: DomainErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// Why.
    pub fn kind(&self) -> DomainErrorKind {
        self.kind
    }
}

impl From<DomainError> for MemoryError {
    fn from(error: DomainError) -> Self {
        let DomainError { kind, message } = error;
        match kind {
            DomainErrorKind::Absent => Self::new(
                ErrorCode::Disabled,
                "this host offers no storage domain, so there is no memory",
            )
            .advise("add the storage rows to the profile (the web profile has them)"),
            DomainErrorKind::VersionMismatch => Self::new(
                ErrorCode::Unavailable,
                format!("the memory unit has another format version ({message})"),
            )
            .advise(
                "use the plugin version that wrote it, or move storages/dsh_memory.json away; \
                 it was not changed",
            ),
            DomainErrorKind::Malformed => Self::new(
                ErrorCode::Unavailable,
                format!("the memory unit cannot be read ({message})"),
            )
            .advise("repair or restore storages/dsh_memory.json; it was not changed"),
            DomainErrorKind::AlreadyOpen => Self::new(
                ErrorCode::Unavailable,
                format!("another plugin has the unit `{UNIT_NAME}` open ({message})"),
            )
            .advise("remove the other memory plugin from this profile"),
            DomainErrorKind::Closed => {
                Self::new(ErrorCode::Unavailable, "the memory is being closed")
                    .advise("try again after the reload")
            }
            DomainErrorKind::Failed => Self::new(
                ErrorCode::Unavailable,
                format!("storage failed and nothing was changed ({message})"),
            )
            .advise("fix the cause and call again"),
        }
    }
}

/// Where rows lie: a unit of tables of JSON rows, each write durable on its
/// own when its future is done.
///
/// A put that fails leaves the row as it was. Puts may be called at the same
/// time; the domain orders them.
pub trait StorageDomain: Send + Sync {
    /// Everything in the unit. A unit that does not exist yet is empty.
    fn load(&self) -> impl Future<Output = Result<Snapshot, DomainError>> + Send;

    /// Inserts or replaces one row, durably.
    fn put(
        &self,
        table: Table,
        key: &str,
        value: Value,
    ) -> impl Future<Output = Result<(), DomainError>> + Send;

    /// Replaces the unit's global slot, durably. Never with null.
    fn put_global(&self, value: Value) -> impl Future<Output = Result<(), DomainError>> + Send;

    /// Releases the unit after all puts are done.
    fn close(&self) -> impl Future<Output = Result<(), DomainError>> + Send;
}

impl<D: StorageDomain> StorageDomain for std::sync::Arc<D> {
    fn load(&self) -> impl Future<Output = Result<Snapshot, DomainError>> + Send {
        (**self).load()
    }

    fn put(
        &self,
        table: Table,
        key: &str,
        value: Value,
    ) -> impl Future<Output = Result<(), DomainError>> + Send {
        (**self).put(table, key, value)
    }

    fn put_global(&self, value: Value) -> impl Future<Output = Result<(), DomainError>> + Send {
        (**self).put_global(value)
    }

    fn close(&self) -> impl Future<Output = Result<(), DomainError>> + Send {
        (**self).close()
    }
}

/// What a path really names, asked of the host: symlinks and, on systems that
/// fold it, case. Rows of older plugins carry the path as it was typed.
pub trait PathResolver: Send + Sync {
    /// For each path the real one, or `None` where it does not exist (any more).
    fn resolve(&self, paths: Vec<String>) -> impl Future<Output = Vec<Option<String>>> + Send;
}

/// Resolves nothing: paths are compared by their spelling alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct LexicalPaths;

impl PathResolver for LexicalPaths {
    async fn resolve(&self, paths: Vec<String>) -> Vec<Option<String>> {
        vec![None; paths.len()]
    }
}
