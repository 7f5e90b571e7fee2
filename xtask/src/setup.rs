//! Finds or installs what building and testing need.

pub(crate) mod biome;
pub(crate) mod esbuild;
pub(crate) mod host;
pub(crate) mod node;
pub(crate) mod npm;
pub(crate) mod playwright;
pub(crate) mod pnpm;
pub(crate) mod typescript;
pub(crate) mod wasm;

use std::path::PathBuf;

use anyhow::Result;

use crate::command::Stopwatch;
use crate::workspace::Workspace;

/// What `setup` found or installed.
pub(crate) struct Toolchain {
    /// How WebAssembly is built here.
    pub(crate) route: wasm::Route,
    /// The Node binary that the host runs on.
    pub(crate) node: PathBuf,
    /// Folder with the `pnpm` command.
    pub(crate) pnpm: PathBuf,
    /// Folder whose `node_modules` holds the host.
    pub(crate) host: PathBuf,
}

/// Every part of the setup, in order.
pub(crate) fn all(
    workspace: &Workspace,
    route: Option<wasm::Route>,
    host_version: &str,
) -> Result<Toolchain> {
    let watch = Stopwatch::start();
    let route = wasm::ensure(workspace, route)?;
    let node = node::ensure(workspace)?;
    let pnpm = pnpm::ensure(workspace)?;
    let host = host::ensure(workspace, &node, &pnpm, host_version)?;
    println!("setup: done in {}", watch.seconds());
    Ok(Toolchain { route, node, pnpm, host })
}
