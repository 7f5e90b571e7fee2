//! `cargo xtask bench`: how fast the answers are.

mod corpus;
mod recall;
mod report;

use anyhow::Result;
use clap::Subcommand;

use crate::setup::wasm::Route;
use crate::workspace::Workspace;

/// What is measured.
#[derive(Subcommand)]
pub(crate) enum Subject {
    /// Recall, natively and in WebAssembly, beside other ways to search.
    Recall {
        /// Where the WebAssembly target comes from [default: what works, rustup first].
        #[arg(long, value_name = "ROUTE")]
        wasm: Option<Route>,
        /// How many facts; may be given more than once.
        #[arg(long, value_name = "N", default_values_t = [300, 10_000, 100_000])]
        facts: Vec<usize>,
        /// Print the numbers as JSON as well, on the last line.
        #[arg(long)]
        json: bool,
    },
}

/// Measures and prints.
pub(crate) fn run(workspace: &Workspace, subject: Subject) -> Result<()> {
    let Subject::Recall { wasm, facts, json } = subject;
    let report = recall::measure(workspace, wasm, &facts)?;
    print!("{report}");
    if json {
        println!("{}", serde_json::to_string(&report)?);
    }
    Ok(())
}
