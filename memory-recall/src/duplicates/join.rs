//! Pairs of similar sets without looking at every pair.
//!
//! Two sets that are alike share one of their rarest members: it is enough to
//! look at the sets that stand under the first few members of each, rarest
//! first (prefix filter), with a size that can still be alike (length filter)
//! and enough members left behind the common one (positional filter).

use std::collections::{BTreeMap, BTreeSet};

use super::Similarity;

/// Most places looked at for one set.
const MOST_LOOKS: usize = 256;
/// Most sets that one set is compared with in full.
const MOST_COMPARISONS: usize = 64;

/// Sets of words as sorted numbers, the rarest word first.
pub(super) struct Sets {
    /// In the order of size, then content; each with its place in the input.
    sets: Vec<(Vec<usize>, usize)>,
    words: usize,
}

impl Sets {
    pub(super) fn new<'a>(sets: impl Iterator<Item = &'a BTreeSet<String>> + Clone) -> Self {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for word in sets.clone().flatten() {
            *counts.entry(word).or_default() += 1;
        }
        let mut by_rarity: Vec<_> = counts.into_iter().map(|(word, count)| (count, word)).collect();
        by_rarity.sort_unstable();
        let numbers: BTreeMap<&str, usize> =
            by_rarity.iter().enumerate().map(|(number, &(_, word))| (word, number)).collect();
        let mut sets: Vec<(Vec<usize>, usize)> = sets
            .enumerate()
            .map(|(place, set)| {
                let mut set: Vec<_> =
                    set.iter().filter_map(|word| numbers.get(&**word).copied()).collect();
                set.sort_unstable();
                (set, place)
            })
            .collect();
        sets.sort_unstable_by(|(a, at), (b, bt)| (a.len(), a, at).cmp(&(b.len(), b, bt)));
        Self { sets, words: numbers.len() }
    }
}

/// Visits pairs of sets, by their places in the input, that share at least so
/// many percent; all of them while no set has more than 64 candidates. Returns
/// how much was looked at.
pub(super) fn join(
    sets: &Sets,
    percent: usize,
    mut visit: impl FnMut(usize, usize, Similarity),
) -> usize {
    let least = |size: usize| (percent * size).div_ceil(100);
    // For each word the sets that have it in their prefix, and where.
    let mut prefixes: Vec<Vec<(usize, usize)>> = vec![Vec::new(); sets.words];
    // The last set that was compared with each.
    let mut compared_with = vec![usize::MAX; sets.sets.len()];
    let mut work = 0;
    for (x, (set, place)) in sets.sets.iter().enumerate() {
        let prefix = (set.len() + 1).saturating_sub(least(set.len())).min(set.len());
        let (mut looks, mut comparisons) = (0, 0);
        'words: for (at, &word) in set[..prefix].iter().enumerate() {
            // The nearest in size and content first.
            for &(y, other_at) in prefixes[word].iter().rev() {
                if looks == MOST_LOOKS || comparisons == MOST_COMPARISONS {
                    break 'words;
                }
                let other = &sets.sets[y].0;
                if other.len() < least(set.len()) {
                    break;
                }
                looks += 1;
                // shared / (a + b - shared) ≥ p / 100
                let needed = (percent * (set.len() + other.len())).div_ceil(100 + percent);
                // The first common word that is met is the first there is.
                let possible = (set.len() - at).min(other.len() - other_at);
                if possible < needed || compared_with[y] == x {
                    continue;
                }
                compared_with[y] = x;
                comparisons += 1;
                let (shared, steps) = shared(set, other, needed);
                work += steps;
                let similarity = Similarity::of(shared, set.len(), other.len());
                if similarity.reaches(percent) {
                    visit(*place, sets.sets[y].1, similarity);
                }
            }
        }
        work += looks;
        for (at, &word) in set[..prefix].iter().enumerate() {
            prefixes[word].push((x, at));
        }
    }
    work
}

/// How many members two sorted sets share, and the steps it took; 0 as soon as
/// it cannot be `needed`.
fn shared(a: &[usize], b: &[usize], needed: usize) -> (usize, usize) {
    let (mut i, mut j, mut shared, mut steps) = (0, 0, 0, 0);
    while i < a.len() && j < b.len() {
        if shared + (a.len() - i).min(b.len() - j) < needed {
            return (0, steps);
        }
        steps += 1;
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                shared += 1;
                i += 1;
                j += 1;
            }
        }
    }
    (shared, steps)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_join_finds_what_comparing_all_finds(
            sets in prop::collection::vec(prop::collection::btree_set("[a-h]{1,1}", 0..8), 0..40),
            percent in 1_usize..=100,
        ) {
            let mut found = BTreeSet::new();
            join(&Sets::new(sets.iter()), percent, |x, y, similarity| {
                assert!(found.insert((x.min(y), x.max(y), similarity.counts())), "twice");
            });
            let mut expected = BTreeSet::new();
            for (y, b) in sets.iter().enumerate() {
                for (x, a) in sets[..y].iter().enumerate() {
                    let similarity = Similarity::of(a.intersection(b).count(), a.len(), b.len());
                    if similarity.reaches(percent) {
                        expected.insert((x, y, similarity.counts()));
                    }
                }
            }
            prop_assert_eq!(found, expected);
        }
    }
}
