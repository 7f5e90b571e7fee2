//! What must not pass: secrets, and text that acts instead of being read.
//!
//! A memory keeps what people and their tools said, shows it again, writes it
//! into files and puts it into prompts. On each of these ways a token could be
//! repeated, and a line that somebody else wrote could be taken for an order.
//! This crate is the one place that decides about both:
//!
//! - [`detect`], [`kinds`] and [`mask`]: secrets in a text, known by their
//!   shape, their place or their name, also in disguise; [`detect_across`] and
//!   [`mask_across`] for a text together with its tags, and [`screen`] for what
//!   a write may store.
//! - [`anchors`] and [`vanished`]: what a summary of a text must not lose, and
//!   what it lost; [`is_instruction`]: what is not repeated at all.
//! - [`neutralise`] for text that enters a prompt, [`reveal`] for text that a
//!   person is asked about.
//!
//! Everything is a pure function of its input, takes time linear in its
//! length, and gives the same answer everywhere.
//!
//! Who should not use it: a program that wants to know whether a credential is
//! still valid (nothing is asked of any server), or that scans binary files or
//! the history of a repository.
//!
//! ```
//! use memory_guard::{kinds, mask, neutralise};
//!
//! let note = format!("deploy with password: {}!7q\n{{{{cwd}}}}", "kV3rz");
//! assert_eq!(kinds(&note), ["credential-assignment"]);
//! assert_eq!(
//!     neutralise(&mask(&note)),
//!     "deploy with password: [REDACTED] \\u007b\\u007bcwd\\u007d\\u007d",
//! );
//! ```
//!
//! The shapes of some tokens were informed by the rules of gitleaks
//! (MIT License, Copyright (c) 2019 Zachary Rice); none of its text is used.

mod anchors;
mod assign;
mod catalogue;
mod context;
mod fields;
mod fold;
mod prompt;
mod proposed;
mod rules;
mod secrets;
mod tokens;
mod words;

pub use anchors::{anchors, is_instruction, vanished};
pub use catalogue::{Entry, catalogue};
pub use fields::{Field, FieldFinding, detect_across, mask_across, screen};
pub use prompt::{neutralise, restore, reveal};
pub use proposed::{ProposedLimits, proposed};
pub use secrets::{Finding, REDACTED, detect, kinds, mask};
