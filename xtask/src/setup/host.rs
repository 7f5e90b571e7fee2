//! The real host, `@deepseek-ai/dsh`, from the npm registry.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

use anyhow::Result;
use anyhow::ensure;
use serde_json::Value;
use serde_json::json;

use super::pnpm;
use crate::command;
use crate::command::Stopwatch;
use crate::workspace::Workspace;

/// The version that the tests are written against.
pub(crate) const PINNED: &str = "0.1.0-rc.8";

/// The host's caret ranges admit newer Cordis packages with which it does not
/// boot; these are the ones that [`PINNED`] was released with.
const OVERRIDES: &[(&str, &str)] = &[
    ("@deepseek-ai/cordis", "4.0.1"),
    ("@deepseek-ai/cordis-plugin-group", "1.0.1"),
    ("@deepseek-ai/cordis-plugin-hmr", "1.0.16"),
    ("@deepseek-ai/cordis-plugin-include", "1.0.6"),
    ("@deepseek-ai/cordis-plugin-loader", "1.0.2"),
    ("@deepseek-ai/cordis-plugin-timer", "1.1.3"),
    ("@deepseek-ai/schemastery", "3.18.1"),
];

/// Packages of the host that compile or fetch something when installed.
const BUILT: &[&str] = &["@deepseek-ai/dsh-subprocess-local", "node-pty", "koffi"];

/// Folder whose `node_modules` holds the host.
pub(crate) fn ensure(
    workspace: &Workspace,
    node: &Path,
    pnpm: &Path,
    version: &str,
) -> Result<PathBuf> {
    let folder = workspace.target.join("host").join(version);
    let stamp = folder.join("installed");
    let manifest = serde_json::to_string_pretty(&manifest(version))?;
    let place = workspace.show(&folder);
    if fs::read_to_string(&stamp).is_ok_and(|text| text == manifest) {
        println!("setup: host @deepseek-ai/dsh {version} in {place}");
        return Ok(folder);
    }
    println!("setup: host @deepseek-ai/dsh {version} is missing, installing it (about 280 MB)");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("package.json"), &manifest)?;
    let watch = Stopwatch::start();
    command::run_quietly(
        pnpm::command(workspace, node, pnpm)?
            .current_dir(&folder)
            // Not a member of any workspace further up.
            .args(["install", "--ignore-workspace", "--reporter=append-only"]),
        "setup: host",
        &workspace.tools().join("logs/host.log"),
        None,
    )?;
    let start = folder.join("node_modules/@deepseek-ai/dsh/lib/bin.js");
    ensure!(start.exists(), "pnpm reported success but {} is missing", start.display());
    fs::write(stamp, manifest)?;
    println!(
        "setup: host @deepseek-ai/dsh {version} installed under {place} ({})",
        watch.seconds()
    );
    Ok(folder)
}

fn manifest(version: &str) -> Value {
    let overrides: serde_json::Map<_, _> = if version == PINNED {
        OVERRIDES.iter().map(|&(name, version)| (name.to_owned(), version.into())).collect()
    } else {
        serde_json::Map::new()
    };
    json!({
        "name": "dsh-host",
        "private": true,
        "dependencies": { "@deepseek-ai/dsh": version },
        "pnpm": { "overrides": overrides, "onlyBuiltDependencies": BUILT },
    })
}
