//! Recall beside other ways to search, each in a process of its own.

use std::env;
use std::fs;
use std::io::BufWriter;
use std::io::Write as _;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::Context as _;
use anyhow::Result;
use anyhow::ensure;
use serde::Deserialize;
use serde_json::json;

use super::corpus;
use super::corpus::Corpus;
use super::report::Contestant;
use super::report::Report;
use super::report::Round;
use crate::build::Variant;
use crate::bundle;
use crate::command;
use crate::setup;
use crate::setup::npm;
use crate::setup::wasm::Route;
use crate::workspace::Workspace;

/// What runs natively.
const NATIVE: &str = "latency";
/// What runs on Node, in the order of the table: names that `xtask/js/recall.mjs` knows.
const ON_NODE: &[&str] =
    &["wasm", "wasm, 1 hit", "flexsearch", "minisearch", "fts5 trigram", "plain scan"];

const FLEXSEARCH: &str = "0.8.212";
const MINISEARCH: &str = "7.2.0";

/// After warming up, a contestant is asked for so long.
const BUDGET: Duration = Duration::from_secs(2);
/// One that takes longer, building included, is stopped.
const LIMIT: Duration = Duration::from_secs(240);

/// What a contestant writes.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Outcome {
    /// Why it did not run.
    skipped: Option<String>,
    #[serde(default)]
    build_ms: f64,
    /// What the index takes, where it is known.
    bytes: Option<f64>,
    /// How long each query took, in microseconds.
    #[serde(default)]
    samples: Vec<f64>,
}

/// Where everything lies that a contestant needs.
struct Ring<'a> {
    workspace: &'a Workspace,
    node: PathBuf,
    native: PathBuf,
    bundle: PathBuf,
    flexsearch: PathBuf,
    minisearch: PathBuf,
}

/// Builds, installs, and lets each contestant answer the same queries.
pub(super) fn measure(
    workspace: &Workspace,
    route: Option<Route>,
    sizes: &[usize],
) -> Result<Report> {
    ensure!(!sizes.contains(&0), "there must be a fact to find");
    let route = setup::wasm::ensure(workspace, route)?;
    let mut build = workspace.cargo();
    build.args(["build", "--release", "--package", "memory-recall", "--example", NATIVE]);
    command::run(&mut build)?;
    let ring = Ring {
        workspace,
        node: setup::node::ensure(workspace)?,
        native: workspace
            .target
            .join("release/examples")
            .join(format!("{NATIVE}{}", env::consts::EXE_SUFFIX)),
        bundle: bundle::lay(workspace, route, Variant::Release)?.folder,
        flexsearch: npm::install(workspace, "flexsearch", FLEXSEARCH)?,
        minisearch: npm::install(workspace, "minisearch", MINISEARCH)?,
    };
    let rounds = sizes.iter().map(|&facts| ring.round(facts)).collect::<Result<_>>()?;
    Ok(Report { rounds })
}

impl Ring<'_> {
    fn round(&self, facts: usize) -> Result<Round> {
        let corpus = Corpus::generate(facts).context("the folder of the facts is no path")?;
        let folder = self.workspace.target.join("bench/recall").join(facts.to_string());
        fs::create_dir_all(&folder)?;
        write_lines(&folder.join("facts.jsonl"), &corpus.facts)?;
        write_lines(&folder.join("queries.jsonl"), &corpus.queries)?;

        let mut contestants = Vec::new();
        for name in std::iter::once("native").chain(ON_NODE.iter().copied()) {
            println!("bench: {facts} facts, {name}");
            let out = folder.join("out.json");
            let settings = json!({
                "facts": folder.join("facts.jsonl"),
                "queries": folder.join("queries.jsonl"),
                "out": out,
                "budgetMs": BUDGET.as_millis(),
                "now": corpus::NOW,
                "contestant": name,
                "folder": corpus::FOLDER,
                "bundle": self.bundle,
                "flexsearch": self.flexsearch,
                "minisearch": self.minisearch,
            });
            let mut command = if name == "native" {
                Command::new(&self.native)
            } else {
                let mut node = Command::new(&self.node);
                // Collecting garbage on demand tells what an index keeps.
                node.arg("--expose-gc").arg(self.workspace.root.join("xtask/js/recall.mjs"));
                node
            };
            command.arg(settings.to_string());
            let log = self.workspace.tools().join("logs/bench.log");
            let outcome = command::run_quietly(&mut command, name, &log, Some(LIMIT))
                .and_then(|()| Ok(serde_json::from_str::<Outcome>(&fs::read_to_string(&out)?)?));
            contestants.push(match outcome {
                Ok(Outcome { skipped: Some(why), .. }) => Contestant::skipped(name, why),
                Ok(outcome) => {
                    Contestant::new(name, outcome.build_ms, outcome.bytes, outcome.samples)
                }
                Err(error) => Contestant::skipped(name, format!("{error:#}")),
            });
        }
        Ok(Round { facts, text_bytes: corpus.bytes(), contestants })
    }
}

fn write_lines<T: serde::Serialize>(path: &Path, values: &[T]) -> Result<()> {
    let mut file = BufWriter::new(fs::File::create(path)?);
    for value in values {
        serde_json::to_writer(&mut file, value)?;
        file.write_all(b"\n")?;
    }
    file.flush().with_context(|| format!("cannot write {}", path.display()))
}
