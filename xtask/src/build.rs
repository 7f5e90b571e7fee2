//! The adapter as WebAssembly, with its JavaScript glue.

use std::env;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

use anyhow::Context as _;
use anyhow::Result;
use wasm_bindgen_cli_support::Bindgen;

use crate::command;
use crate::command::Stopwatch;
use crate::setup::wasm::Route;
use crate::setup::wasm::TARGET;
use crate::workspace::Workspace;

/// Base name of the generated files.
const OUT_NAME: &str = "engine";

/// Which of the two builds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Variant {
    /// What people install.
    Release,
    /// The same, with a panic that a test can provoke.
    Probe,
}

impl Variant {
    /// Name in folder names.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Probe => "probe",
        }
    }
}

/// Compiles the adapter and generates `engine.js`, `engine_bg.wasm` and their
/// declarations. Returns the folder that holds them.
pub(crate) fn engine(workspace: &Workspace, route: Route, variant: Variant) -> Result<PathBuf> {
    let watch = Stopwatch::start();
    // A folder for each compiler, or they would throw away each other's work.
    let target_dir = workspace.target.join("wasm").join(route.name());
    let mut cargo = workspace.cargo();
    // As a cdylib alone: together with an rlib there is no link-time optimization.
    cargo.args(["rustc", "--package", "dsh-adapter", "--lib", "--crate-type", "cdylib"]);
    cargo.args(["--release", "--locked", "--target", TARGET, "--target-dir"]).arg(&target_dir);
    if variant == Variant::Probe {
        cargo.args(["--features", "panic-probe"]);
    }
    route.apply(&mut cargo);
    // The encoded form wins over any RUSTFLAGS of the user and admits spaces.
    cargo.env("CARGO_ENCODED_RUSTFLAGS", rustflags(workspace, route).join("\u{1f}"));
    println!("build: dsh-adapter for {TARGET} ({} compiler, {})", route.name(), variant.name());
    command::run(&mut cargo)?;

    let out = workspace.target.join("engine").join(variant.name());
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    Bindgen::new()
        .input_path(target_dir.join(TARGET).join("release/dsh_adapter.wasm"))
        .out_name(OUT_NAME)
        .web(true)?
        .reset_state_function(true)
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(&out)
        .context("wasm-bindgen could not generate the glue")?;
    println!("build: engine in {} ({})", workspace.show(&out), watch.seconds());
    Ok(out)
}

/// Every Node that the host accepts knows 128-bit SIMD. Paths of this machine
/// stay out of the panic messages, and so out of the product.
fn rustflags(workspace: &Workspace, route: Route) -> Vec<String> {
    let mut flags = vec!["-C".to_owned(), "target-feature=+simd128".to_owned()];
    let mut hide = |path: &Path, name: &str| {
        flags.push(format!("--remap-path-prefix={}={name}", path.display()));
    };
    // rustc takes the last prefix that fits, so the most special comes last.
    if let Some(sysroot) = route.sysroot() {
        hide(Path::new(&sysroot), "/rust");
    }
    if let Some(home) = cargo_home() {
        hide(&home, "/cargo");
        // One folder for each registry, with the registry's name in it.
        for folder in fs::read_dir(home.join("registry/src")).into_iter().flatten().flatten() {
            hide(&folder.path(), "/crates");
        }
    }
    hide(&workspace.root, "/workspace");
    flags
}

fn cargo_home() -> Option<PathBuf> {
    env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")))
}
