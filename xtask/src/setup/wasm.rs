//! The WebAssembly target: from rustup, or from Debian's packages where rustup
//! cannot download it.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::Context as _;
use anyhow::Result;
use anyhow::bail;
use anyhow::ensure;
use clap::ValueEnum;

use crate::command;
use crate::command::Stopwatch;
use crate::workspace::Workspace;

/// The target's name.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// rustup waits long for a server that it cannot reach.
const RUSTUP_LIMIT: Duration = Duration::from_secs(120);

/// A compiler that knows the target, the sources of its standard library and a
/// linker.
const DEBIAN_PACKAGES: &[&str] = &["rustc-web", "rust-web-src", "lld-19"];
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_LINKER: &str = "wasm-ld-19";

/// Where the target comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Route {
    /// The standard library that rustup downloads.
    Rustup,
    /// Debian's `rustc-web`, which compiles the standard library from source.
    Debian,
}

impl Route {
    /// The route's name on the command line and in folder names.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Rustup => "rustup",
            Self::Debian => "debian",
        }
    }

    /// Points a cargo build of [`TARGET`] at the route's compiler.
    pub(crate) fn apply(self, cargo: &mut Command) {
        if self == Self::Debian {
            cargo
                .env("RUSTC", DEBIAN_RUSTC)
                // `-Z build-std` is not stable.
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", DEBIAN_LINKER)
                .args(["-Z", "build-std=std,panic_abort"]);
        }
    }

    /// Path of the compiler's own files, to be left out of the product.
    pub(crate) fn sysroot(self) -> Option<String> {
        let rustc = match self {
            Self::Rustup => "rustc",
            Self::Debian => DEBIAN_RUSTC,
        };
        command::output_of(Command::new(rustc).args(["--print", "sysroot"]))
    }
}

/// Finds or installs the target; `wanted` forces one route.
pub(crate) fn ensure(workspace: &Workspace, wanted: Option<Route>) -> Result<Route> {
    let stamp = workspace.tools().join("wasm-route");
    let route = match wanted {
        Some(Route::Rustup) => rustup(workspace).map(|()| Route::Rustup)?,
        Some(Route::Debian) => debian(workspace).map(|()| Route::Debian)?,
        // What worked last time is not worth another time limit.
        None if fs::read_to_string(&stamp).is_ok_and(|name| name == "debian")
            && !rustup_has_it(workspace)
            && debian_has_it() =>
        {
            report(Route::Debian);
            Route::Debian
        }
        None => match rustup(workspace) {
            Ok(()) => Route::Rustup,
            Err(error) => {
                println!("setup: {TARGET} not from rustup: {error:#}");
                debian(workspace)
                    .context("neither rustup nor Debian's packages gave the target")?;
                Route::Debian
            }
        },
    };
    if wanted.is_none() {
        fs::create_dir_all(workspace.tools())?;
        fs::write(stamp, route.name())?;
    }
    Ok(route)
}

/// The way that was not taken, so that tests go both ways; `None`, with a line
/// that says why, where it is not open. Packages are installed for that in
/// continuous integration only: elsewhere the machine is somebody's own.
pub(crate) fn other_way(workspace: &Workspace, taken: Route) -> Option<Route> {
    let other = match taken {
        Route::Rustup => Route::Debian,
        Route::Debian => Route::Rustup,
    };
    if other == Route::Debian && !debian_has_it() && env::var_os("CI").is_none() {
        println!("skipped: {TARGET} from Debian's packages, they are not installed");
        return None;
    }
    match ensure(workspace, Some(other)) {
        Ok(route) => Some(route),
        Err(error) => {
            println!("skipped: {TARGET} by way of {}: {error:#}", other.name());
            None
        }
    }
}

fn report(route: Route) {
    match route {
        Route::Rustup => println!("setup: {TARGET} found in the Rust toolchain"),
        Route::Debian => println!("setup: {TARGET} found in Debian's packages"),
    }
}

fn rustup(workspace: &Workspace) -> Result<()> {
    if rustup_has_it(workspace) {
        report(Route::Rustup);
        return Ok(());
    }
    println!("setup: {TARGET} is missing, asking rustup (at most {} s)", RUSTUP_LIMIT.as_secs());
    let watch = Stopwatch::start();
    command::run_quietly(
        Command::new("rustup").current_dir(&workspace.root).args(["target", "add", TARGET]),
        "setup: rustup",
        &workspace.tools().join("logs/rustup.log"),
        Some(RUSTUP_LIMIT),
    )?;
    ensure!(rustup_has_it(workspace), "rustup reported success, but rustc does not find {TARGET}");
    println!("setup: {TARGET} installed by rustup ({})", watch.seconds());
    Ok(())
}

/// Whether the toolchain's rustc has a standard library for the target.
fn rustup_has_it(workspace: &Workspace) -> bool {
    let mut rustc = Command::new("rustc");
    rustc.current_dir(&workspace.root).args(["--print", "target-libdir", "--target", TARGET]);
    command::output_of(&mut rustc)
        .and_then(|folder| fs::read_dir(folder).ok())
        .is_some_and(|mut entries| entries.next().is_some())
}

fn debian(workspace: &Workspace) -> Result<()> {
    if debian_has_it() {
        report(Route::Debian);
        return Ok(());
    }
    if command::output_of(Command::new("apt-get").arg("--version")).is_none() {
        bail!("this is no Debian system (apt-get is missing)");
    }
    println!("setup: installing {} with apt-get", DEBIAN_PACKAGES.join(", "));
    let watch = Stopwatch::start();
    let is_root = command::output_of(Command::new("id").arg("-u")).is_some_and(|id| id == "0");
    let apt = |arguments: &[&str], log: &str| {
        let mut command = Command::new(if is_root { "apt-get" } else { "sudo" });
        if !is_root {
            // Never wait for a password.
            command.args(["-n", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        }
        command.env("DEBIAN_FRONTEND", "noninteractive").args(arguments);
        let log = workspace.tools().join("logs").join(log);
        command::run_quietly(&mut command, "setup: apt-get", &log, None)
    };
    let mut install = vec!["install", "--yes", "--no-install-recommends"];
    install.extend(DEBIAN_PACKAGES);
    apt(&["update"], "apt-update.log")
        .and_then(|()| apt(&install, "apt-install.log"))
        .with_context(|| {
            format!("install {} as root, then run this again", DEBIAN_PACKAGES.join(", "))
        })?;
    ensure!(debian_has_it(), "apt-get reported success, but the compiler does not know {TARGET}");
    println!("setup: {TARGET} installed from Debian's packages ({})", watch.seconds());
    Ok(())
}

fn debian_has_it() -> bool {
    let sources = Route::Debian
        .sysroot()
        .is_some_and(|root| Path::new(&root).join("lib/rustlib/src/rust/library/std").exists());
    let linker = env::var_os("PATH").is_some_and(|path| {
        env::split_paths(&path).any(|folder| folder.join(DEBIAN_LINKER).exists())
    });
    let knows = command::output_of(Command::new(DEBIAN_RUSTC).args(["--print", "target-list"]))
        .is_some_and(|list| list.lines().any(|line| line == TARGET));
    sources && linker && knows
}
