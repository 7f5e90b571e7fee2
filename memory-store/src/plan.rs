//! A write that has passed its checks and waits for a person.

use std::collections::BTreeSet;
use std::sync::Arc;

use memory_core::{Citation, ErrorCode, Fact, FactKind, MemoryError, WorkspacePath, code_points};

/// Most tags that a write may give one fact. Tags are words to find a fact by;
/// without a bound they would be a way around the cap on its text.
pub const MAX_TAGS: usize = 32;

/// Longest tag that a write may give, in code points.
pub const MAX_TAG_CHARS: usize = 100;

/// What a new fact, or the replacement of one, should say.
#[derive(Clone, Debug)]
pub struct NewFact {
    /// The fact to replace; `None` adds one. A forgotten one becomes active again.
    pub id: Option<String>,
    /// Kind; `None` keeps the replaced fact's, or is `fact`.
    pub kind: Option<FactKind>,
    /// The statement; must not be blank.
    pub text: String,
    /// Tags; `None` keeps the replaced fact's.
    pub tags: Option<Vec<String>>,
    /// The message that led to it.
    pub citation: Citation,
}

impl Default for NewFact {
    fn default() -> Self {
        Self {
            id: None,
            kind: None,
            text: String::new(),
            tags: None,
            citation: Citation { session_id: String::new(), seq: 0 },
        }
    }
}

/// What to change in an active fact; what is `None` stays.
#[derive(Clone, Debug)]
pub struct FactEdit {
    /// The fact.
    pub id: String,
    /// New kind.
    pub kind: Option<FactKind>,
    /// New statement; must not be blank.
    pub text: Option<String>,
    /// New tags, replacing all.
    pub tags: Option<Vec<String>>,
    /// The message that led to the change.
    pub citation: Citation,
}

/// What to do with the profile. Indices count from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProfileEdit {
    /// Adds an entry at the end.
    Append {
        /// The new entry.
        text: String,
    },
    /// Puts a new entry in an old one's place.
    Replace {
        /// Its position.
        index: usize,
        /// The entry that is lost.
        old: String,
        /// The new entry.
        text: String,
    },
    /// Removes an entry.
    Drop {
        /// Its position.
        index: usize,
        /// The entry that is lost.
        old: String,
    },
}

/// What a write would change, for a person to look at.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A fact that is not there yet.
    Add {
        /// As it would be stored, but for its times.
        fact: Box<Fact>,
    },
    /// A fact whose content changes or that becomes active again.
    Update {
        /// As it is.
        before: Arc<Fact>,
        /// As it would be stored, but for its times and counters.
        after: Box<Fact>,
    },
    /// A fact that is forgotten: kept, never recalled.
    Archive {
        /// As it is.
        fact: Arc<Fact>,
    },
    /// A change of the profile.
    Profile(ProfileEdit),
}

/// A checked write. It is bound to the state that it was made from: if that
/// changes before it is committed, it fails and changes nothing.
#[derive(Clone, Debug)]
#[must_use = "a plan does nothing until it is committed"]
pub struct Plan {
    pub(crate) workspace: WorkspacePath,
    pub(crate) change: Change,
    /// Revision of the fact that the plan was made from.
    pub(crate) revision: u64,
}

impl Plan {
    /// What would change.
    pub fn change(&self) -> &Change {
        &self.change
    }

    /// Where.
    pub fn workspace(&self) -> &WorkspacePath {
        &self.workspace
    }
}

/// Trims tags and drops empty and repeated ones.
pub(crate) fn tidy_tags(tags: &[String]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let tags = tags.iter().map(|tag| tag.trim()).filter(|tag| !tag.is_empty());
    tags.filter(|tag| seen.insert(*tag)).map(str::to_owned).collect()
}

/// Checks the bounds of tags that a write gives.
pub(crate) fn check_tags(tags: &[String]) -> Result<(), MemoryError> {
    for tag in tags {
        let length = code_points(tag);
        if length > MAX_TAG_CHARS {
            return Err(MemoryError::new(
                ErrorCode::CapExceeded,
                format!("a tag has {length} characters, the cap is {MAX_TAG_CHARS}"),
            )
            .advise("use a few short words as tags"));
        }
    }
    if tags.len() > MAX_TAGS {
        return Err(MemoryError::new(
            ErrorCode::CapExceeded,
            format!("the fact has {} tags, the cap is {MAX_TAGS}", tags.len()),
        )
        .advise("keep the tags that someone would search for"));
    }
    Ok(())
}
