//! pnpm: the host's packages need its resolver, and `dsh plugin` calls it.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Context as _;
use anyhow::Result;

use super::npm;
use crate::workspace::Workspace;

const VERSION: &str = "10.34.9";

/// Folder with the `pnpm` command.
pub(crate) fn ensure(workspace: &Workspace) -> Result<PathBuf> {
    let bin = npm::install(workspace, "pnpm", VERSION)?.join(".bin");
    println!("setup: pnpm {VERSION} in {}", workspace.show(&bin));
    Ok(bin)
}

/// A pnpm command that keeps its store and cache under the target directory.
pub(crate) fn command(workspace: &Workspace, node: &Path, bin: &Path) -> Result<Command> {
    let home = workspace.tools().join("pnpm-home");
    let script = bin.parent().context("no folder above .bin")?.join("pnpm/bin/pnpm.cjs");
    let mut command = Command::new(node);
    command
        .arg(script)
        .env("PATH", path_with(&[node.parent().unwrap_or(node), bin])?)
        .env("PNPM_HOME", &home)
        .env("npm_config_store_dir", home.join("store"))
        .env("npm_config_cache_dir", home.join("cache"))
        .env("npm_config_state_dir", home.join("state"))
        .env("npm_config_update_notifier", "false");
    Ok(command)
}

/// PATH with these folders in front.
fn path_with(folders: &[&Path]) -> Result<OsString> {
    let old = env::var_os("PATH").unwrap_or_default();
    let all = folders.iter().map(|&folder| folder.to_owned()).chain(env::split_paths(&old));
    Ok(env::join_paths(all)?)
}
