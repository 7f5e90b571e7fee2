//! Numbers about ranked answers.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use serde::Serialize;

/// So many answers of each query are looked at.
pub(super) const DEPTH: usize = 10;

/// A ranked answer: ids, best first.
pub(super) struct Ranked {
    pub(super) ids: Vec<String>,
    /// Whether the first two are told apart only by age or id.
    pub(super) tied: bool,
}

/// What was measured over some queries.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Scores {
    pub(super) queries: usize,
    /// Of the relevant facts that can be among the first k, how many are.
    pub(super) recall_at_1: f64,
    pub(super) recall_at_5: f64,
    pub(super) recall_at_10: f64,
    /// One through the place of the first relevant fact.
    pub(super) mrr: f64,
    pub(super) ndcg_at_10: f64,
    /// Queries with a tie at the top.
    pub(super) tied: usize,
    /// Queries without an answer.
    pub(super) empty: usize,
}

/// Adds up queries by category and by workspace.
#[derive(Default)]
pub(super) struct Sums {
    pub(super) categories: BTreeMap<String, Scores>,
    pub(super) workspaces: BTreeMap<String, Scores>,
}

impl Sums {
    pub(super) fn add(
        &mut self,
        category: &str,
        workspace: &str,
        ranked: &Ranked,
        relevant: &BTreeSet<String>,
    ) {
        let scores = Scores::of(ranked, relevant);
        self.categories.entry(category.to_owned()).or_default().add(&scores);
        self.workspaces.entry(workspace.to_owned()).or_default().add(&scores);
    }

    /// Averages, and the mean over the workspaces: each counts the same,
    /// however many queries it has.
    pub(super) fn finish(mut self) -> (Self, Scores) {
        let mut mean = Scores::default();
        for scores in self.categories.values_mut() {
            scores.divide(count(scores.queries));
        }
        for scores in self.workspaces.values_mut() {
            scores.divide(count(scores.queries));
            mean.add(scores);
        }
        mean.divide(count(self.workspaces.len()));
        (self, mean)
    }
}

impl Scores {
    /// Those of one query; `relevant` is not empty.
    fn of(ranked: &Ranked, relevant: &BTreeSet<String>) -> Self {
        let hits: Vec<bool> = ranked.ids.iter().map(|id| relevant.contains(id)).collect();
        let found = |k: usize| {
            let hits = hits.iter().take(k).filter(|&&hit| hit).count();
            count(hits) / count(relevant.len().min(k))
        };
        let gain = |at: usize| 1.0 / count(at + 2).log2();
        let gained: f64 = (0..hits.len().min(DEPTH)).filter(|&at| hits[at]).map(gain).sum();
        let ideal: f64 = (0..relevant.len().min(DEPTH)).map(gain).sum();
        let first = hits.iter().position(|&hit| hit);
        Self {
            queries: 1,
            recall_at_1: found(1),
            recall_at_5: found(5),
            recall_at_10: found(DEPTH),
            mrr: first.map_or(0.0, |at| 1.0 / count(at + 1)),
            ndcg_at_10: gained / ideal,
            tied: usize::from(ranked.tied),
            empty: usize::from(ranked.ids.is_empty()),
        }
    }

    fn add(&mut self, other: &Self) {
        self.queries += other.queries;
        self.recall_at_1 += other.recall_at_1;
        self.recall_at_5 += other.recall_at_5;
        self.recall_at_10 += other.recall_at_10;
        self.mrr += other.mrr;
        self.ndcg_at_10 += other.ndcg_at_10;
        self.tied += other.tied;
        self.empty += other.empty;
    }

    fn divide(&mut self, by: f64) {
        for value in [
            &mut self.recall_at_1,
            &mut self.recall_at_5,
            &mut self.recall_at_10,
            &mut self.mrr,
            &mut self.ndcg_at_10,
        ] {
            *value /= by;
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts of queries and places are small")]
fn count(n: usize) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(ids: &[&str], relevant: &[&str]) -> Scores {
        let ids = ids.iter().map(|&id| id.to_owned()).collect();
        let relevant = relevant.iter().map(|&id| id.to_owned()).collect();
        Scores::of(&Ranked { ids, tied: false }, &relevant)
    }

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }

    #[test]
    fn the_numbers_are_those_of_the_books() {
        let second = scores(&["x", "a"], &["a"]);
        close(second.recall_at_1, 0.0);
        close(second.recall_at_5, 1.0);
        close(second.mrr, 0.5);
        close(second.ndcg_at_10, 1.0 / 3f64.log2());
        let both = scores(&["a", "b"], &["a", "b"]);
        close(both.recall_at_1, 1.0);
        close(both.ndcg_at_10, 1.0);
        let one_of_two = scores(&["a", "x"], &["a", "b"]);
        close(one_of_two.recall_at_10, 0.5);
        close(one_of_two.ndcg_at_10, 1.0 / (1.0 + 1.0 / 3f64.log2()));
        let none = scores(&[], &["a"]);
        assert_eq!(none.empty, 1);
        close(none.ndcg_at_10 + none.mrr, 0.0);
    }

    #[test]
    fn each_workspace_counts_the_same() {
        let mut sums = Sums::default();
        let relevant = BTreeSet::from(["a".to_owned()]);
        let right = Ranked { ids: vec!["a".to_owned()], tied: false };
        let wrong = Ranked { ids: Vec::new(), tied: false };
        for _ in 0..3 {
            sums.add("kw", "large", &right, &relevant);
        }
        sums.add("kw", "small", &wrong, &relevant);
        let (sums, mean) = sums.finish();
        close(mean.ndcg_at_10, 0.5);
        close(sums.categories["kw"].ndcg_at_10, 0.75);
        assert_eq!((mean.queries, mean.empty), (4, 1));
    }
}
