//! The command line.

use std::io;

use anyhow::Result;
use clap::Args;
use clap::Parser;
use clap::Subcommand;

use crate::bench;
use crate::build;
use crate::build::Variant;
use crate::bundle;
use crate::command;
use crate::demo;
use crate::eval;
use crate::probe;
use crate::setup;
use crate::setup::host;
use crate::setup::wasm::Route;
use crate::test;
use crate::test::Step;
use crate::workspace::Workspace;

/// Sets up, builds, packs, shows and tests dsh-native-memory.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Find or install what the other commands need, under the target directory.
    Setup {
        #[command(flatten)]
        wasm: WasmArgs,
        #[command(flatten)]
        host: HostArgs,
    },
    /// Compile the adapter to WebAssembly and generate its JavaScript glue.
    Build {
        #[command(flatten)]
        wasm: WasmArgs,
        /// Build the variant in which a test can provoke a panic.
        #[arg(long)]
        probe: bool,
    },
    /// Lay out the installable npm package: a folder and a tarball.
    Bundle {
        #[command(flatten)]
        wasm: WasmArgs,
        /// Also lay out the variant in which a test can provoke a panic.
        #[arg(long)]
        probe: bool,
    },
    /// Show the main job in the real host: remember with approval, recall in a later session.
    Demo {
        #[command(flatten)]
        wasm: WasmArgs,
        #[command(flatten)]
        host: HostArgs,
    },
    /// Measure how good the answers are, on data with known answers.
    Eval {
        #[command(subcommand)]
        subject: eval::Subject,
    },
    /// Measure how fast the answers are.
    Bench {
        #[command(subcommand)]
        subject: bench::Subject,
    },
    /// Answer JSON lines on standard input, straight from the pure crates; see docs/probe.md.
    Probe,
    /// Format the Rust and the JavaScript.
    Fmt,
    /// Run every check and test, the end-to-end tests in the real host among them.
    Test {
        #[command(flatten)]
        wasm: WasmArgs,
        #[command(flatten)]
        host: HostArgs,
        /// Run only this step; may be given more than once.
        #[arg(long, value_name = "STEP")]
        only: Vec<Step>,
    },
}

#[derive(Args)]
struct WasmArgs {
    /// Where the WebAssembly target comes from [default: what works, rustup first].
    #[arg(long, value_name = "ROUTE")]
    wasm: Option<Route>,
}

#[derive(Args)]
struct HostArgs {
    /// Version of `@deepseek-ai/dsh` to use.
    #[arg(long, value_name = "VERSION", default_value = host::PINNED)]
    host: String,
}

impl Cli {
    /// Runs the command.
    pub(crate) fn run(self) -> Result<()> {
        let workspace = Workspace::find()?;
        match self.command {
            Command::Setup { wasm, host } => {
                setup::all(&workspace, wasm.wasm, &host.host)?;
                Ok(())
            }
            Command::Build { wasm, probe } => {
                let route = setup::wasm::ensure(&workspace, wasm.wasm)?;
                let variant = if probe { Variant::Probe } else { Variant::Release };
                build::engine(&workspace, route, variant)?;
                Ok(())
            }
            Command::Bundle { wasm, probe } => {
                let route = setup::wasm::ensure(&workspace, wasm.wasm)?;
                bundle::lay(&workspace, route, Variant::Release)?;
                if probe {
                    bundle::lay(&workspace, route, Variant::Probe)?;
                }
                Ok(())
            }
            Command::Eval { subject } => eval::run(&workspace, subject),
            Command::Bench { subject } => bench::run(&workspace, subject),
            Command::Probe => probe::run(io::stdin().lock(), io::stdout().lock()),
            Command::Fmt => {
                command::run(workspace.cargo().args(["fmt", "--all"]))?;
                command::run(setup::biome::command(&workspace, "check")?.arg("--write"))
            }
            Command::Demo { wasm, host } => demo::run(&workspace, wasm.wasm, &host.host),
            Command::Test { wasm, host, only } => {
                test::run(&workspace, wasm.wasm, &host.host, &only)
            }
        }
    }
}
