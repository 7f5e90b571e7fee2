//! The only input that can be rendered.

use std::borrow::Borrow;

use memory_core::{Citation, Fact, FactKind, UnixMillis};

/// What the mirror of a workspace shows, with secrets masked.
///
/// [`render`](crate::render) and [`write`](crate::write()) take nothing else,
/// and there is no way to make one without a masker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Masked {
    pub(crate) profile: Vec<String>,
    /// In the order in which they are shown.
    pub(crate) facts: Vec<Shown>,
}

/// A fact as it is shown. The order of the fields is the order of the facts:
/// by kind, oldest first, so that a new or edited fact moves no other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Shown {
    pub(crate) kind: FactKind,
    pub(crate) created_at: UnixMillis,
    pub(crate) id: String,
    pub(crate) updated_at: UnixMillis,
    pub(crate) citation: Citation,
    pub(crate) text: String,
    pub(crate) tags: Vec<String>,
}

impl Masked {
    /// Masks the profile entries and the active facts of one workspace.
    ///
    /// `mask` sees a text together with its tags, so that a secret that is
    /// split between them is seen too; `memory_guard::mask_across` is made for
    /// it. Blank entries, empty tags and archived facts are left out. Ids and
    /// citations are the host's own words and stay as they are.
    pub fn new<F: Borrow<Fact>>(
        mask: impl Fn(&str, &[String]) -> (String, Vec<String>),
        profile: &[String],
        facts: impl IntoIterator<Item = F>,
    ) -> Self {
        let profile = profile
            .iter()
            .map(|entry| mask(entry, &[]).0)
            .filter(|entry| !entry.trim().is_empty())
            .collect();
        let mut facts: Vec<Shown> = facts
            .into_iter()
            .filter(|fact| Borrow::<Fact>::borrow(fact).is_active())
            .map(|fact| {
                let fact = fact.borrow();
                let (text, mut tags) = mask(&fact.text, &fact.tags);
                tags.retain(|tag| !tag.is_empty());
                Shown {
                    kind: fact.kind,
                    created_at: fact.created_at,
                    id: fact.id.clone(),
                    updated_at: fact.updated_at,
                    citation: fact.citation(),
                    text,
                    tags,
                }
            })
            .collect();
        facts.sort_unstable();
        Self { profile, facts }
    }

    /// How many facts are shown.
    pub fn fact_count(&self) -> usize {
        self.facts.len()
    }

    /// How many profile entries are shown.
    pub fn profile_count(&self) -> usize {
        self.profile.len()
    }
}
