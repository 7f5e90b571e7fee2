//! The domain of a memory that people who code with an agent can trust.
//!
//! What a memory *is* stands here, and nothing else: the [`Fact`], [`Profile`],
//! [`Proposal`] and [`Alarm`] records as they lie on disk, the [`Config`] with
//! its caps, the [`WorkspacePath`] that every record is bound to, the fixed set
//! of [`ErrorCode`]s, and the [`Clock`] and [`IdSource`] ports. There is no
//! I/O, no async and no word of any host in this crate.
//!
//! Who should not use it: a program that wants vectors, sharing between users
//! or memory that writes itself. Every record here is bound to one exact
//! folder and cites the session that justified it.
//!
//! ```
//! use memory_core::{Caps, Citation, Fact, FactKind, WorkspacePath};
//!
//! let workspace = WorkspacePath::from_raw("/work/app/").unwrap();
//! let fact = Fact::new(
//!     "5f1c".into(),
//!     &workspace,
//!     FactKind::Convention,
//!     "Builds use pnpm".into(),
//!     vec!["build".into()],
//!     Citation { session_id: "s-1".into(), seq: 4 },
//!     1_700_000_000_000,
//! );
//! assert!(fact.validate().is_ok());
//! assert!(Caps::default().check_fact_text(&fact.text).is_ok());
//! assert_eq!(fact.workspace_path, "/work/app");
//! ```

mod config;
mod error;
mod ports;
mod record;
mod text;
mod workspace;

pub use config::{Caps, Config, ConfigError, LoadedConfig, SecretPolicy};
pub use error::{ErrorCode, MemoryError};
pub use ports::{Clock, FixedClock, IdSource, SequentialIds, UnixMillis};
pub use record::{
    Alarm, AlarmState, Citation, Fact, FactKind, FactState, Profile, Proposal, ProposalState,
    RecordError, SeqRange,
};
pub use text::{ELLIPSIS, code_points, fold_spaces, rfc3339, truncate};
pub use workspace::WorkspacePath;
