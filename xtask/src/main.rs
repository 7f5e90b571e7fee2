//! The repository's own commands: `cargo xtask setup | build | bundle |
//! demo | test | eval | bench | probe`.
//!
//! Everything that is installed or built goes under the workspace's target
//! directory; nothing is written into the user's own `~/.dsh`.

mod bench;
mod build;
mod bundle;
mod cli;
mod command;
mod copy;
mod demo;
mod eval;
mod page;
mod probe;
mod setup;
mod test;
#[cfg(test)]
mod tidy;
mod workspace;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match cli::Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
