//! Measures recall on a folder with `facts.jsonl` and `queries.jsonl`:
//! `cargo run --release -p memory-recall --example evaluate [FOLDER]`.

#![allow(clippy::cast_precision_loss, reason = "counts of a few hundred")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use memory_core::{Citation, Fact, FactKind, WorkspacePath};
use memory_recall::{Index, RecallOptions};
use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

#[derive(Default)]
struct Sums {
    queries: usize,
    empty: usize,
    at_1: f64,
    at_5: f64,
    at_10: f64,
    reciprocal: f64,
    ndcg: f64,
}

impl Sums {
    fn add(&mut self, ranked: &[String], relevant: &BTreeSet<String>) {
        self.queries += 1;
        self.empty += usize::from(ranked.is_empty());
        let found = |k: usize| {
            let hits = ranked.iter().take(k).filter(|id| relevant.contains(*id)).count();
            hits as f64 / relevant.len().min(k) as f64
        };
        self.at_1 += found(1);
        self.at_5 += found(5);
        self.at_10 += found(10);
        let first = ranked.iter().position(|id| relevant.contains(id));
        self.reciprocal += first.map_or(0.0, |at| 1.0 / (at + 1) as f64);
        let gain = |at: usize| 1.0 / ((at + 2) as f64).log2();
        let gained: f64 =
            (0..ranked.len().min(10)).filter(|&i| relevant.contains(&ranked[i])).map(gain).sum();
        self.ndcg += gained / (0..relevant.len().min(10)).map(gain).sum::<f64>();
    }

    fn line(&self, name: &str) -> String {
        let n = self.queries.max(1) as f64;
        format!(
            "{name:8} {:4}  {:.3}  {:.3}  {:.3}  {:.3}  {:.3}  {:3}",
            self.queries,
            self.at_1 / n,
            self.at_5 / n,
            self.at_10 / n,
            self.reciprocal / n,
            self.ndcg / n,
            self.empty
        )
    }
}

fn main() -> Result<(), Failure> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/eval");
    let folder = std::env::args_os().nth(1).map_or(own, PathBuf::from);
    let rows = |name: &str| -> Result<Vec<Value>, Failure> {
        let text = std::fs::read_to_string(folder.join(name))?;
        Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
    };
    let text = |row: &Value, field: &str| row[field].as_str().unwrap_or_default().to_owned();
    let list = |row: &Value, field: &str| -> Vec<String> {
        let items = row[field].as_array().into_iter().flatten();
        items.filter_map(|item| item.as_str().map(str::to_owned)).collect()
    };
    let mut indexes: BTreeMap<String, Index> = BTreeMap::new();
    let mut newest: BTreeMap<String, u64> = BTreeMap::new();
    for row in rows("facts.jsonl")? {
        let (workspace, updated_at) = (text(&row, "ws"), row["updatedAt"].as_u64().unwrap_or(0));
        let path = WorkspacePath::from_raw(&workspace).ok_or("a fact without workspace")?;
        let citation = Citation { session_id: "eval".to_owned(), seq: 0 };
        let (id, body, tags) = (text(&row, "id"), text(&row, "text"), list(&row, "tags"));
        let fact = Fact::new(id, &path, FactKind::Fact, body, tags, citation, updated_at);
        let latest = newest.entry(workspace.clone()).or_default();
        *latest = updated_at.max(*latest);
        indexes.entry(workspace).or_default().upsert(&fact);
    }
    let mut categories: BTreeMap<String, Sums> = BTreeMap::new();
    let mut workspaces: BTreeMap<String, Sums> = BTreeMap::new();
    for row in rows("queries.jsonl")? {
        let workspace = text(&row, "ws");
        let Some(index) = indexes.get(&workspace) else { continue };
        let now = newest[&workspace] + 86_400_000;
        let options = RecallOptions { limit: 10, now, ..RecallOptions::default() };
        let query = text(&row, "query");
        let ranked: Vec<String> =
            index.recall(Some(&query), &options).hits.into_iter().map(|hit| hit.id).collect();
        let relevant: BTreeSet<String> = list(&row, "rel").into_iter().collect();
        let category = text(&row, "cat");
        if std::env::var_os("MISSES").is_some()
            && !ranked.first().is_some_and(|id| relevant.contains(id))
        {
            println!("{category} {workspace} {query:?} wants {relevant:?} got {ranked:?}");
        }
        categories.entry(category).or_default().add(&ranked, &relevant);
        workspaces.entry(workspace).or_default().add(&ranked, &relevant);
    }
    println!("             n  @1     @5     @10    MRR    nDCG10 empty");
    for (name, sums) in categories.iter().chain(&workspaces) {
        println!("{}", sums.line(name));
    }
    let mean = workspaces.values().map(|s| s.ndcg / s.queries as f64).sum::<f64>()
        / workspaces.len() as f64;
    println!("mean nDCG@10 of the workspaces: {mean:.3}");
    Ok(())
}
