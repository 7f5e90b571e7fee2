//! Measures how long answers take; `cargo xtask bench recall` runs it beside
//! others. Its argument is JSON: `facts`, `queries` and `out` are paths,
//! `budgetMs` is how long to go on asking, `now` the time.

#![allow(clippy::disallowed_methods, reason = "measures time")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use memory_core::Fact;
use memory_recall::{Index, RecallOptions};
use serde_json::{Value, json};

const WARM_UP: usize = 50;
/// Queries that are measured even when they take longer than the budget.
const FEWEST: usize = 200;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let settings = std::env::args().nth(1).ok_or("the settings are missing")?;
    let settings: Value = serde_json::from_str(&settings)?;
    let path = |name: &str| settings[name].as_str().ok_or(format!("no {name}"));
    let facts = std::fs::read_to_string(path("facts")?)?;
    let facts: Vec<Fact> = facts.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let queries = std::fs::read_to_string(path("queries")?)?;
    let queries: Vec<String> =
        queries.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let now = settings["now"].as_u64().unwrap_or(0);
    let options = RecallOptions { now, ..RecallOptions::default() };

    let before = resident();
    let start = Instant::now();
    let mut index = Index::new();
    for fact in &facts {
        index.upsert(fact);
    }
    let build = start.elapsed();
    let bytes = before.zip(resident()).map(|(before, after)| after.saturating_sub(before));

    let budget = Duration::from_millis(settings["budgetMs"].as_u64().unwrap_or(1000));
    for query in queries.iter().take(WARM_UP) {
        black_box(index.recall(Some(query), &options));
    }
    let mut samples = Vec::new();
    let start = Instant::now();
    for query in queries.iter().cycle() {
        if samples.len() >= FEWEST && start.elapsed() >= budget {
            break;
        }
        let asked = Instant::now();
        black_box(index.recall(Some(black_box(query)), &options));
        samples.push(asked.elapsed().as_secs_f64() * 1e6);
    }
    let build_ms = build.as_secs_f64() * 1e3;
    let outcome = json!({ "buildMs": build_ms, "bytes": bytes, "samples": samples });
    std::fs::write(path("out")?, outcome.to_string())?;
    Ok(())
}

/// Memory that the process holds, in bytes, where the system tells: there is no
/// way to count allocations without unsafe code.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
}
