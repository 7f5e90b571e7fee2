//! The Markdown mirror of a workspace's memory.
//!
//! What is remembered of a project should be as open as its code is: in
//! one file that can be read without any tool, searched, and compared with
//! yesterday's in `git diff`. This crate makes that file:
//!
//! - [`Masked`] is what can be shown, and can only be made with a masker;
//! - [`render`] turns it into Markdown. It is deterministic, and a fact that is
//!   added, edited or recalled moves no other line. No text, tag or citation
//!   can forge a heading, an item or a citation: a CommonMark parser reads back
//!   exactly what was put in;
//! - [`verify`] tells a mirror as it was written from one that was changed;
//! - [`write()`] puts it at `.dsh-memory/memory.md` through the [`MirrorFiles`]
//!   port, safely and only when something changed; the feature `fs` brings an
//!   implementation for this machine.
//!
//! The mirror is never read back: it is no backup and no way to edit a memory.
//! Who should not use it: a program that wants to restore or exchange memories
//! (take the storage unit), or to render Markdown that people wrote (here it is
//! shown as plain text).
//!
//! **Should `.dsh-memory/` be in `.gitignore`?** That is for the people of the
//! project to say, so nothing here touches that file. Committed, the mirror
//! shows everybody what is remembered and how it came to be, with session ids;
//! secrets that the masker knows are gone, but a note can be private without
//! holding a secret. Ignored, it stays with whoever exported it.
//!
//! ```
//! use memory_core::{Citation, Fact, FactKind, WorkspacePath};
//! use memory_export::{Masked, Verdict, render, verify};
//!
//! let fact = Fact::new(
//!     "5f1c0d3e-8a52-4b1f-9d59-0c6f6f3f7a10".into(),
//!     &WorkspacePath::from_raw("/work/app").unwrap(),
//!     FactKind::Convention,
//!     "Builds use pnpm\n## never npm".into(),
//!     vec!["build".into()],
//!     Citation { session_id: "s-1".into(), seq: 4 },
//!     1_786_786_200_000,
//! );
//! // A real caller passes `memory_guard::mask_across`.
//! let mask = |text: &str, tags: &[String]| (text.to_owned(), tags.to_vec());
//! let mirror = render(&Masked::new(mask, &[], [&fact]));
//!
//! assert!(mirror.contains(
//!     "\
//! ### convention
//! - [convention] Builds use pnpm\\
//!   \\## never npm\\
//!   `5f1c0d3e` — session s-1#4 — created 2026-08-15T09:30:00.000Z \
//!      — updated 2026-08-15T09:30:00.000Z — tags: `build`
//! "
//! ));
//! assert_eq!(verify(&mirror), Verdict::Unchanged);
//! assert_eq!(verify(&mirror.replace("pnpm", "npm")), Verdict::Changed);
//! ```

mod digest;
mod escape;
#[cfg(feature = "fs")]
mod fs;
mod masked;
mod port;
mod render;
mod write;

pub use digest::{Verdict, verify};
#[cfg(feature = "fs")]
pub use fs::{WorkspaceFiles, write_to};
pub use masked::Masked;
pub use port::{Entry, FILE, FOLDER, Fault, FaultKind, MirrorFiles, Place};
pub use render::{TITLE, render};
pub use write::{Written, write};
