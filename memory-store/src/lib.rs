//! Keeping: the repository of a workspace-bound, approved memory.
//!
//! A [`Repository`] is the only writer of a storage domain. It hands out
//! [`Plan`]s: a write that has passed every check and shows exactly what would
//! change. A person looks at the plan; [`Repository::commit`] then repeats the
//! checks under the workspace's lock and performs one put, or fails and
//! changes nothing. What was approved is what is written.
//!
//! Where the rows lie is the [`StorageDomain`]'s business. Two come with the
//! crate: [`MemoryDomain`] for tests, and with the feature `json-file` the
//! `JsonFileDomain`, which reads and writes the unit format of the DeepSeek
//! Harness, so that both can share one file (one after the other: the host
//! keeps its unit in memory while it runs).
//!
//! Who should not use it: a program that needs many rows written per second.
//! Each write is durable on its own.
//!
//! ```
//! use std::sync::Arc;
//! use memory_core::{Caps, Citation, FixedClock, SequentialIds, WorkspacePath};
//! use memory_store::{MemoryDomain, NewFact, Repository, Settings};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), memory_core::MemoryError> {
//! let settings = Settings::new(
//!     Caps::default(),
//!     Arc::new(FixedClock::at(1_700_000_000_000)),
//!     Arc::new(SequentialIds::default()),
//! );
//! let repository = Repository::open(MemoryDomain::default(), settings).await?;
//! let workspace = WorkspacePath::from_raw("/work/app").unwrap();
//!
//! let plan = repository.plan_remember(&workspace, NewFact {
//!     text: "Builds use pnpm".into(),
//!     citation: Citation { session_id: "s-1".into(), seq: 4 },
//!     ..NewFact::default()
//! })?;
//! // … show `plan.change()` to a person, and only if they allow it:
//! repository.commit(plan).await?;
//! assert_eq!(repository.active_facts(&workspace).len(), 1);
//! # Ok(())
//! # }
//! ```

mod access;
mod alarms;
mod domain;
#[cfg(feature = "json-file")]
mod json_file;
mod memory_domain;
mod notes;
mod plan;
mod proposals;
mod repository;
mod rows;
mod screen;

pub use alarms::AlarmLimits;
pub use domain::{
    DomainError, DomainErrorKind, LexicalPaths, PathResolver, Snapshot, StorageDomain, Table,
    UNIT_NAME, UNIT_VERSION,
};
#[cfg(feature = "json-file")]
pub use json_file::JsonFileDomain;
pub use memory_domain::MemoryDomain;
pub use plan::{Change, FactEdit, MAX_TAG_CHARS, MAX_TAGS, NewFact, Plan, ProfileEdit};
pub use proposals::{ProposalLimits, Verdict};
pub use repository::{Committed, Observer, Repository, Settings};
pub use rows::SetAside;
pub use screen::{AcceptAll, Screen, Screened};
