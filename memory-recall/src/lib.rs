//! Finding: lexical recall over the facts of one workspace.
//!
//! An [`Index`] answers a query with facts in one strict order: tier, score
//! within the tier, freshness and access, last changed first, id.
//!
//! | tier | a fact is there when |
//! |---|---|
//! | [`Tier::Tag`] | its tags are, or cover, every content word of the query |
//! | [`Tier::Text`] | its text holds a word of the query, or one of its tags is one |
//! | [`Tier::Fuzzy`] | one of its tags resembles a word of the query |
//!
//! A lower tier never outranks a higher one. Within a tier, a word counts by
//! how rare it is in the workspace; the whole query as a phrase counts more; a
//! word inside another counts less; a word that matches nothing at all may be
//! one letter wrong.
//!
//! Words are folded before they are compared (case, full-width letters,
//! accents in either form, traditional and simplified script). CJK text is
//! found by bigrams, identifiers, paths and versions by the whole and by their
//! parts.
//!
//! The crate is pure: no clock, no file, no randomness, and no floating-point
//! number, so the same facts and the same query give the same answer
//! everywhere.
//!
//! Who should not use it: who needs answers by meaning. A question in one
//! language does not find a fact in another.
//!
//! ```
//! use memory_core::{Citation, Fact, FactKind, WorkspacePath};
//! use memory_recall::{Index, RecallOptions, Tier};
//!
//! let workspace = WorkspacePath::from_raw("/work/app").unwrap();
//! let citation = Citation { session_id: "s-1".into(), seq: 4 };
//! let mut index = Index::new();
//! index.upsert(&Fact::new(
//!     "f-1".into(), &workspace, FactKind::Convention,
//!     "parseHttpHeaders lives in src/net/header_parser.rs".into(),
//!     vec!["http".into()], citation, 1_700_000_000_000,
//! ));
//!
//! let options = RecallOptions { now: 1_700_000_000_000, ..RecallOptions::default() };
//! let recall = index.recall(Some("where is the header parser?"), &options);
//! assert_eq!(recall.hits[0].id, "f-1");
//! assert_eq!(recall.hits[0].tier, Some(Tier::Text));
//! ```

mod duplicates;
mod fold;
mod index;
mod query;
mod rank;
mod sentences;
mod tokens;

pub use duplicates::{
    Consolidation, Difference, DifferenceKind, Pair, Similarity, clip, consolidate, differences,
    merge,
};
pub use index::{Index, scan};
pub use rank::{Hit, Recall, RecallOptions, Tier};
pub use sentences::sentences;
pub use tokens::is_stop_word;
