//! Every check and test, one named step after the other.

use std::fs;
use std::time::Duration;

use anyhow::Context as _;
use anyhow::Result;
use clap::ValueEnum;
use end_to_end::Browser;

use crate::build::Variant;
use crate::bundle;
use crate::command;
use crate::command::Stopwatch;
use crate::demo;
use crate::setup;
use crate::setup::wasm::Route;
use crate::setup::wasm::TARGET;
use crate::workspace::Workspace;

/// One step of `cargo xtask test`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Step {
    /// Rust is formatted.
    Fmt,
    /// No lint of the workspace speaks up, natively and for WebAssembly.
    Clippy,
    /// The documentation builds without a warning.
    Doc,
    /// Licences and advisories of the dependencies, where cargo-deny is installed.
    Deny,
    /// The JavaScript is formatted, lints cleanly, and the page's types agree.
    Js,
    /// Unit, property and integration tests of every crate.
    Unit,
    /// The examples in the documentation.
    Doctest,
    /// The plugin in the real host.
    E2e,
}

/// Whether a step did its work.
enum Outcome {
    Done,
    Skipped(&'static str),
}

/// Runs the steps; all of them when `only` is empty.
pub(crate) fn run(
    workspace: &Workspace,
    route: Option<Route>,
    host: &str,
    only: &[Step],
) -> Result<()> {
    let whole = Stopwatch::start();
    let mut summary = Vec::new();
    for &step in Step::value_variants() {
        if !only.is_empty() && !only.contains(&step) {
            continue;
        }
        let name =
            step.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        println!("test: {name} …");
        let watch = Stopwatch::start();
        let outcome = step
            .run(workspace, route, host)
            .with_context(|| format!("step `{name}` failed after {}", watch.seconds()))?;
        summary.push(match outcome {
            Outcome::Done => format!("{name} {}", seconds(watch.elapsed())),
            Outcome::Skipped(why) => {
                println!("skipped: {why}");
                format!("{name} skipped")
            }
        });
    }
    println!("test: passed in {} ({})", seconds(whole.elapsed()), summary.join(", "));
    Ok(())
}

fn seconds(time: Duration) -> String {
    format!("{:.0} s", time.as_secs_f64())
}

/// What the tests of the settings page need; without it they are skipped.
fn browser(workspace: &Workspace) -> Result<Option<Browser>> {
    let Some(chromium) = setup::playwright::browser() else {
        println!(
            "skipped: the settings page in a browser; no Chromium is on PATH (Debian: apt-get \
             install chromium; or set DSH_E2E_CHROMIUM)"
        );
        return Ok(None);
    };
    let screenshots = workspace.target.join("screenshots");
    fs::create_dir_all(&screenshots)?;
    let playwright = setup::playwright::ensure(workspace)?;
    Ok(Some(Browser { chromium, playwright, screenshots }))
}

impl Step {
    fn run(self, workspace: &Workspace, route: Option<Route>, host: &str) -> Result<Outcome> {
        let cargo = |arguments: &[&str]| {
            let mut cargo = workspace.cargo();
            cargo.args(arguments);
            cargo
        };
        match self {
            Self::Fmt => command::run(&mut cargo(&["fmt", "--all", "--check"]))?,
            Self::Clippy => {
                let deny = ["--", "-D", "warnings"];
                command::run(
                    cargo(&["clippy", "--workspace", "--all-targets", "--all-features"]).args(deny),
                )?;
                // What only WebAssembly compiles is otherwise seen by no lint.
                // Debian's compiler has no clippy.
                if setup::wasm::ensure(workspace, route)? == Route::Rustup {
                    let mut clippy = cargo(&["clippy", "--package", "dsh-adapter", "--lib"]);
                    clippy.args(["--target", TARGET, "--target-dir"]);
                    clippy.arg(workspace.target.join("wasm/clippy")).args(deny);
                    command::run(&mut clippy)?;
                }
            }
            Self::Doc => {
                let mut doc =
                    cargo(&["doc", "--workspace", "--all-features", "--no-deps", "--quiet"]);
                command::run(doc.env("RUSTDOCFLAGS", "-D warnings"))?;
            }
            Self::Deny => {
                if command::output_of(&mut cargo(&["deny", "--version"])).is_none() {
                    return Ok(Outcome::Skipped("cargo-deny is not installed"));
                }
                command::run(&mut cargo(&["deny", "check"]))?;
            }
            Self::Js => {
                let mut check = setup::biome::command(workspace, "ci")?;
                command::run(check.arg("--error-on-warnings"))
                    .context("cargo xtask fmt may repair it")?;
                command::run(&mut setup::typescript::command(workspace)?)?;
            }
            Self::Unit => {
                // xtask and the harness have tests as well; those of the plugin
                // in the host come last, with the host.
                let tests = ["--lib", "--bins", "--tests", "--examples"];
                command::run(
                    cargo(&["test", "--workspace", "--all-features", "--exclude", "end-to-end"])
                        .args(tests),
                )?;
            }
            Self::Doctest => {
                command::run(&mut cargo(&["test", "--workspace", "--all-features", "--doc"]))?;
            }
            Self::E2e => {
                let toolchain = setup::all(workspace, route, host)?;
                let release = bundle::lay(workspace, toolchain.route, Variant::Release)?;
                // The engine that a panic is provoked in comes from the other
                // compiler, so that both run in the host.
                let other = setup::wasm::other_way(workspace, toolchain.route);
                let route = other.unwrap_or(toolchain.route);
                let probe = bundle::lay(workspace, route, Variant::Probe)?;
                let mut env = demo::environment(workspace, toolchain, release, Some(probe));
                env.browser = browser(workspace)?;
                if env.work.exists() {
                    // Homes of tests that failed last time.
                    fs::remove_dir_all(&env.work)?;
                }
                let mut test = cargo(&["test", "--package", "end-to-end", "--lib", "--tests"]);
                command::run(test.envs(env.variables()))?;
            }
        }
        Ok(Outcome::Done)
    }
}
