//! Recall on a folder with `facts.jsonl` and `queries.jsonl`.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::Context as _;
use anyhow::Result;
use anyhow::bail;
use anyhow::ensure;
use memory_core::Citation;
use memory_core::Fact;
use memory_core::FactKind;
use memory_core::UnixMillis;
use memory_core::WorkspacePath;
use memory_recall::Index;
use memory_recall::RecallOptions;
use serde::Deserialize;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::bm25::Bm25;
use super::bm25::Tokenizer;
use super::metrics::DEPTH;
use super::metrics::Ranked;
use super::metrics::Scores;
use super::metrics::Sums;

/// The set that lies in the repository.
pub(super) const OWN_DATA: &str = "memory-recall/data/eval";

/// What BM25 folds traditional script with, if it is there.
const SCRIPT_TABLE: &str = "memory-recall/data/traditional_to_simplified.txt";

const DAY: UnixMillis = 86_400_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FactRow {
    ws: String,
    id: String,
    text: String,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    updated_at: UnixMillis,
}

#[derive(Deserialize)]
struct QueryRow {
    ws: String,
    query: String,
    rel: BTreeSet<String>,
    cat: String,
}

/// Both systems over the facts of one workspace.
#[derive(Default)]
struct Shelf {
    index: Index,
    bm25: Bm25,
    newest: UnixMillis,
}

/// What one system reached.
#[derive(Serialize)]
pub(super) struct System {
    name: &'static str,
    tokens: String,
    categories: BTreeMap<String, Scores>,
    workspaces: BTreeMap<String, Scores>,
    mean: Scores,
}

/// What was measured; prints as tables.
#[derive(Serialize)]
pub(super) struct Report {
    systems: Vec<System>,
}

/// Asks every query of the folder. `root` is the workspace, whose script table
/// BM25 uses.
pub(super) fn measure(folder: &Path, root: &Path) -> Result<Report> {
    let table = fs::read_to_string(root.join(SCRIPT_TABLE)).ok();
    let tokenizer = Tokenizer::new(table.as_deref().unwrap_or_default());
    let mut shelves: BTreeMap<String, Shelf> = BTreeMap::new();
    for row in rows::<FactRow>(&folder.join("facts.jsonl"))? {
        let workspace = WorkspacePath::from_raw(&row.ws)
            .with_context(|| format!("fact {} names no workspace", row.id))?;
        let shelf = shelves.entry(row.ws).or_default();
        shelf.newest = shelf.newest.max(row.updated_at);
        shelf.bm25.add(&tokenizer, &row.id, row.updated_at, &row.text, &row.tags);
        let citation = Citation { session_id: "eval".to_owned(), seq: 0 };
        let kind = FactKind::default();
        shelf.index.upsert(&Fact::new(
            row.id,
            &workspace,
            kind,
            row.text,
            row.tags,
            citation,
            row.updated_at,
        ));
    }

    let (mut ours, mut bm25) = (Sums::default(), Sums::default());
    for row in rows::<QueryRow>(&folder.join("queries.jsonl"))? {
        let Some(shelf) = shelves.get(&row.ws) else {
            bail!("the query \"{}\" is about {}, which has no facts", row.query, row.ws);
        };
        ensure!(!row.rel.is_empty(), "the query \"{}\" has no relevant fact", row.query);
        let ranked = shelf.ranked(&row.query);
        ours.add(&row.cat, &row.ws, &ranked, &row.rel);
        let ranked = shelf.bm25.recall(&tokenizer, &row.query);
        bm25.add(&row.cat, &row.ws, &ranked, &row.rel);
    }
    let script = if table.is_some() { "script folded" } else { "script not folded: no table" };
    Ok(Report {
        systems: vec![
            System::new("memory-recall", "its own".to_owned(), ours),
            System::new("bm25", format!("made again by the same recipe ({script})"), bm25),
        ],
    })
}

impl Shelf {
    fn ranked(&self, query: &str) -> Ranked {
        // The clock of the set: a day after its newest fact.
        let now = self.newest + DAY;
        let options = RecallOptions { limit: DEPTH, now, ..RecallOptions::default() };
        let hits = self.index.recall(Some(query), &options).hits;
        let tied = matches!(&hits[..], [a, b, ..] if (a.tier, a.score) == (b.tier, b.score));
        Ranked { ids: hits.into_iter().map(|hit| hit.id).collect(), tied }
    }
}

fn rows<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(n, line)| {
            serde_json::from_str(line).with_context(|| format!("{}:{}", path.display(), n + 1))
        })
        .collect()
}

impl System {
    fn new(name: &'static str, tokens: String, sums: Sums) -> Self {
        let (Sums { categories, workspaces }, mean) = sums.finish();
        Self { name, tokens, categories, workspaces, mean }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for System { name, tokens, categories, workspaces, mean } in &self.systems {
            writeln!(f, "\n{name}, tokens: {tokens}")?;
            writeln!(
                f,
                "{:10} {:>4}  {:>5} {:>5} {:>5} {:>5} {:>7}  {:>4} {:>5}",
                "", "n", "@1", "@5", "@10", "MRR", "nDCG@10", "tied", "empty"
            )?;
            for (name, scores) in categories.iter().chain(workspaces) {
                line(f, name, scores)?;
            }
            line(f, "mean", mean)?;
        }
        if let [ours, bm25] = &self.systems[..] {
            let lead = ours.mean.ndcg_at_10 - bm25.mean.ndcg_at_10;
            writeln!(f, "\nmean nDCG@10 against {}: {lead:+.3}", bm25.name)?;
        }
        Ok(())
    }
}

fn line(f: &mut fmt::Formatter<'_>, name: &str, scores: &Scores) -> fmt::Result {
    writeln!(
        f,
        "{name:10} {:4}  {:.3} {:.3} {:.3} {:.3} {:7.3}  {:4} {:5}",
        scores.queries,
        scores.recall_at_1,
        scores.recall_at_5,
        scores.recall_at_10,
        scores.mrr,
        scores.ndcg_at_10,
        scores.tied,
        scores.empty
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A little below what is reached: a change that costs ranking is noticed,
    /// one that moves a single query is not.
    const FLOOR: f64 = 0.83;

    #[test]
    fn the_ranking_is_no_worse_than_it_was() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let report = measure(&root.join(OWN_DATA), root).unwrap();
        let reached = report.systems[0].mean.ndcg_at_10;
        assert!(reached >= FLOOR, "{reached:.3}\n{report}");
        assert!(report.systems[1].mean.ndcg_at_10 > 0.7, "BM25 is no fair rival\n{report}");
    }

    #[test]
    fn bad_data_is_named_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let fails = || format!("{:#}", measure(folder.path(), folder.path()).err().unwrap());
        assert!(fails().contains("facts.jsonl"));
        let facts = folder.path().join("facts.jsonl");
        fs::write(&facts, "{\"ws\":\"w\",\"id\":\"a\",\"text\":\"x\"}\n{\n").unwrap();
        assert!(fails().contains("facts.jsonl:2"), "{}", fails());
        fs::write(&facts, "{\"ws\":\"w\",\"id\":\"a\",\"text\":\"x\"}\n").unwrap();
        let queries = folder.path().join("queries.jsonl");
        fs::write(&queries, r#"{"ws":"v","query":"x","rel":["a"],"cat":"kw"}"#).unwrap();
        assert!(fails().contains("has no facts"), "{}", fails());
        fs::write(&queries, r#"{"ws":"w","query":"x","rel":[],"cat":"kw"}"#).unwrap();
        assert!(fails().contains("no relevant fact"), "{}", fails());
    }
}
