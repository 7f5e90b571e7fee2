//! Facts that say the same, and facts that cannot both hold.
//!
//! Two facts are near-duplicates when they share enough of their words, and a
//! contradiction when the words agree but a number, a version or a negation
//! does not: those are never offered for merging.

mod features;
mod join;
mod merge;
mod polarity;
#[cfg(test)]
mod tests;

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};

use memory_core::Fact;

use self::features::Features;
pub use self::features::{Difference, DifferenceKind, differences};
use self::join::{Sets, join};
pub use self::merge::{clip, merge};

/// Least share of common words of a near-duplicate, in percent.
const NEAR_PERCENT: usize = 55;
/// Least share of common content of a contradiction, in percent. The content
/// is shorter than the text, so that less of it may differ.
const SAME_PERCENT: usize = 70;
/// Most pairs of either sort in an answer.
const MOST_PAIRS: usize = 5;

/// How much of their words two facts share: common over all.
#[derive(Clone, Copy, Debug)]
pub struct Similarity {
    shared: usize,
    all: usize,
}

impl Similarity {
    /// The share in percent, rounded half up.
    pub fn percent(self) -> usize {
        (200 * self.shared + self.all) / (2 * self.all).max(1)
    }

    /// The number of words in both, and of words in either.
    pub fn counts(self) -> (usize, usize) {
        (self.shared, self.all)
    }

    fn of(shared: usize, a: usize, b: usize) -> Self {
        Self { shared, all: a + b - shared }
    }

    fn reaches(self, percent: usize) -> bool {
        self.all > 0 && self.shared * 100 >= percent * self.all
    }
}

impl Ord for Similarity {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.shared * other.all).cmp(&(other.shared * self.all))
    }
}

impl PartialOrd for Similarity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Similarity {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Similarity {}

/// Two facts that belong together; the id of `a` comes first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair<'a> {
    /// The fact with the lower id.
    pub a: &'a Fact,
    /// The other fact.
    pub b: &'a Fact,
    /// For near-duplicates over all words; for contradictions over what is
    /// left without stop words, negations and the digits of numbers.
    pub similarity: Similarity,
}

impl<'a> Pair<'a> {
    /// Both facts, last changed first, then by id.
    pub fn newer_first(&self) -> (&'a Fact, &'a Fact) {
        if self.b.updated_at > self.a.updated_at { (self.b, self.a) } else { (self.a, self.b) }
    }

    /// One text that says what both say; see [`merge`]. Nothing in it is masked.
    pub fn merged(&self) -> String {
        let (newer, older) = self.newer_first();
        merge(&newer.text, &older.text)
    }

    /// In what the two contradict each other; nothing for near-duplicates.
    pub fn differences(&self) -> Vec<Difference> {
        differences(&self.a.text, &self.b.text)
    }
}

/// What [`consolidate`] found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Consolidation<'a> {
    /// Near-duplicates, most similar first, then by ids; at most 5.
    pub duplicates: Vec<Pair<'a>>,
    /// Pairs of the same words that contradict each other, in the same order;
    /// at most 5.
    pub contradictions: Vec<Pair<'a>>,
}

/// Finds near-duplicates and contradictions among the active ones of these
/// facts. The order in which they come does not matter.
///
/// The cost grows with the number of facts, not with its square: a fact is
/// compared with those that share its rarest words, and with no more than a
/// bounded number of them. In a workspace where hundreds of facts share even
/// those, less similar pairs may stay unseen; equal texts never do.
///
/// ```
/// use memory_core::{Citation, Fact, FactKind, WorkspacePath};
/// use memory_recall::consolidate;
///
/// let fact = |id: &str, text: &str| {
///     let workspace = WorkspacePath::from_raw("/work/app").unwrap();
///     let citation = Citation { session_id: "s-1".into(), seq: 4 };
///     Fact::new(id.into(), &workspace, FactKind::Fact, text.into(), vec![], citation, 1_700_000_000_000)
/// };
/// let facts = [
///     fact("a", "the release verification runs from the web session"),
///     fact("b", "release verification runs in the web session"),
///     fact("c", "Redis listens on port 6380"),
///     fact("d", "Redis listens on port 6379"),
/// ];
/// let found = consolidate(&facts);
/// assert_eq!(found.duplicates.len(), 1);
/// assert_eq!(found.duplicates[0].similarity.percent(), 75);
/// assert_eq!((&*found.contradictions[0].a.id, &*found.contradictions[0].b.id), ("c", "d"));
/// ```
pub fn consolidate<'a>(facts: impl IntoIterator<Item = &'a Fact>) -> Consolidation<'a> {
    counted(facts).0
}

/// The answer, and how many comparisons it took.
fn counted<'a>(facts: impl IntoIterator<Item = &'a Fact>) -> (Consolidation<'a>, usize) {
    // Facts with the same features relate to every other fact in the same way.
    let mut groups: BTreeMap<Features, Vec<&Fact>> = BTreeMap::new();
    for fact in facts.into_iter().filter(|fact| fact.is_active()) {
        let features = Features::of(&fact.text);
        if !features.words.is_empty() {
            groups.entry(features).or_default().push(fact);
        }
    }
    for members in groups.values_mut() {
        members.sort_by(|a, b| (&a.id, &a.text).cmp(&(&b.id, &b.text)));
        // No later member can be in one of the first pairs.
        members.truncate(MOST_PAIRS + 1);
    }
    let groups: Vec<_> = groups.into_iter().collect();

    let (mut near, mut opposed) = (Best::default(), Best::default());
    for (group, (features, members)) in groups.iter().enumerate() {
        if let [first, second, ..] = &members[..] {
            let size = features.words.len();
            near.offer(Similarity { shared: size, all: size }, (first, second), (group, group));
        }
    }
    let content_of = |x: usize, y: usize| {
        let (x, y) = (&groups[x].0.content, &groups[y].0.content);
        Similarity::of(x.intersection(y).count(), x.len(), y.len())
    };
    let words = Sets::new(groups.iter().map(|(features, _)| &features.words));
    let mut work = join(&words, NEAR_PERCENT, |x, y, similarity| {
        let firsts = (groups[x].1[0], groups[y].1[0]);
        if groups[x].0.contradicts(&groups[y].0) {
            opposed.offer(content_of(x, y), firsts, (x, y));
        } else {
            near.offer(similarity, firsts, (x, y));
        }
    });
    let content = Sets::new(groups.iter().map(|(features, _)| &features.content));
    work += join(&content, SAME_PERCENT, |x, y, similarity| {
        if groups[x].0.contradicts(&groups[y].0) {
            opposed.offer(similarity, (groups[x].1[0], groups[y].1[0]), (x, y));
        }
    });
    let found =
        Consolidation { duplicates: near.pairs(&groups), contradictions: opposed.pairs(&groups) };
    (found, work)
}

/// Where a pair of groups stands: by likeness, then by the ids of its first
/// pair of facts.
type Place<'a> = (Reverse<Similarity>, &'a str, &'a str, usize, usize);

/// The first pairs of groups among all that are offered.
#[derive(Default)]
struct Best<'a>(BTreeSet<Place<'a>>);

impl<'a> Best<'a> {
    fn offer(
        &mut self,
        similarity: Similarity,
        firsts: (&'a Fact, &'a Fact),
        groups: (usize, usize),
    ) {
        let (a, b) = (&*firsts.0.id, &*firsts.1.id);
        let (x, y) = (groups.0.min(groups.1), groups.0.max(groups.1));
        self.0.insert((Reverse(similarity), a.min(b), a.max(b), x, y));
        if self.0.len() > MOST_PAIRS {
            self.0.pop_last();
        }
    }

    /// The first pairs of facts. They lie in the first pairs of groups, since
    /// each of those has a pair that comes before any of a later one.
    fn pairs(self, groups: &[(Features, Vec<&'a Fact>)]) -> Vec<Pair<'a>> {
        let mut pairs = Vec::new();
        for (Reverse(similarity), _, _, x, y) in self.0 {
            for (i, &a) in groups[x].1.iter().enumerate() {
                let start = if x == y { i + 1 } else { 0 };
                for &b in &groups[y].1[start..] {
                    let (a, b) = if a.id <= b.id { (a, b) } else { (b, a) };
                    pairs.push(Pair { a, b, similarity });
                }
            }
        }
        pairs.sort_by(|p, q| {
            let ids = |pair: &Pair<'a>| (&pair.a.id, &pair.b.id);
            q.similarity.cmp(&p.similarity).then_with(|| ids(p).cmp(&ids(q)))
        });
        pairs.truncate(MOST_PAIRS);
        pairs
    }
}
