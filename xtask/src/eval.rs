//! `cargo xtask eval`: how good the answers are, on data with known answers.

mod bm25;
mod metrics;
mod recall;

use std::path::PathBuf;

use anyhow::Result;
use clap::Subcommand;

use crate::workspace::Workspace;

/// What is measured.
#[derive(Subcommand)]
pub(crate) enum Subject {
    /// Recall and ranking, beside BM25.
    Recall {
        /// Folder with `facts.jsonl` and `queries.jsonl` [default: memory-recall/data/eval].
        #[arg(long, value_name = "DIR")]
        data: Option<PathBuf>,
        /// Print JSON instead of tables.
        #[arg(long)]
        json: bool,
    },
}

/// Measures and prints.
pub(crate) fn run(workspace: &Workspace, subject: Subject) -> Result<()> {
    let Subject::Recall { data, json } = subject;
    let folder = data.unwrap_or_else(|| workspace.root.join(recall::OWN_DATA));
    let report = recall::measure(&folder, &workspace.root)?;
    if json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        println!("data: {}", workspace.show(&folder));
        print!("{report}");
    }
    Ok(())
}
