//! Node: the system's when it is new enough, else one from the npm registry.

use std::env::consts;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;
use anyhow::bail;
use anyhow::ensure;

use super::npm;
use crate::command;
use crate::workspace::Workspace;

/// What is installed where the system's Node is too old.
const VERSION: &str = "24.22.3";

/// Path of a Node that the host accepts.
pub(crate) fn ensure(workspace: &Workspace) -> Result<PathBuf> {
    let found = version_of(Path::new("node"));
    if let Some(version) = &found
        && is_accepted(version)
        && let Some(path) =
            command::output_of(Command::new("node").args(["-p", "process.execPath"]))
    {
        println!("setup: node {version} found at {path}");
        return Ok(path.into());
    }
    let platform = match consts::OS {
        "macos" => "darwin",
        "windows" => "win",
        other => other,
    };
    let arch = match consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => bail!("no Node package is known for {other}: install Node ^22.19 or >=24"),
    };
    let package = format!("node-{platform}-{arch}");
    let bin = npm::install(workspace, &package, VERSION)?.join(&package).join("bin");
    let node = bin.join(if cfg!(windows) { "node.exe" } else { "node" });
    let version = version_of(&node);
    ensure!(version.is_some(), "{} does not run", node.display());
    match found {
        Some(old) => println!(
            "setup: node {VERSION} in {} (the system's {old} is not ^22.19 || >=24)",
            workspace.show(&bin)
        ),
        None => println!("setup: node {VERSION} in {}", workspace.show(&bin)),
    }
    Ok(node)
}

fn version_of(node: &Path) -> Option<String> {
    let version = command::output_of(Command::new(node).arg("--version"))?;
    Some(version.trim_start_matches('v').to_owned())
}

/// The host's own bound: `^22.19 || >=24`.
fn is_accepted(version: &str) -> bool {
    let mut parts = version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    match (parts.next(), parts.next()) {
        (Some(22), Some(minor)) => minor >= 19,
        (Some(major), _) => major >= 24,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_bound_on_node() {
        for accepted in ["22.19.0", "22.23.5", "24.0.0", "26.12.1"] {
            assert!(is_accepted(accepted), "{accepted}");
        }
        for refused in ["20.20.2", "22.18.9", "23.11.0", "", "nightly"] {
            assert!(!is_accepted(refused), "{refused}");
        }
    }
}
