//! Packages from the npm registry, installed under the target directory.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;
use anyhow::ensure;

use crate::command;
use crate::command::Stopwatch;
use crate::workspace::Workspace;

/// Installs `package` at `version` into a folder of its own, once. Returns the
/// folder's `node_modules`.
pub(crate) fn install(workspace: &Workspace, package: &str, version: &str) -> Result<PathBuf> {
    let tools = workspace.tools();
    let plain = package.replace(['@', '/'], "_");
    let folder = tools.join(plain.trim_start_matches('_')).join(version);
    let modules = folder.join("node_modules");
    let stamp = folder.join("installed");
    if stamp.exists() {
        return Ok(modules);
    }
    ensure!(
        command::output_of(npm().arg("--version")).is_some(),
        "npm is not on PATH. It is needed once, to install {package}: install Node.js with npm \
         (Debian: apt-get install npm) and run this again."
    );
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    // A manifest keeps npm from looking for one further up.
    fs::write(folder.join("package.json"), "{ \"private\": true }\n")?;
    let watch = Stopwatch::start();
    let what = format!("setup: {package}");
    println!("{what} {version} is missing, installing it from the npm registry");
    command::run_quietly(
        npm()
            .current_dir(&folder)
            .args(["install", "--no-audit", "--no-fund", "--no-update-notifier", "--cache"])
            .arg(tools.join("npm-cache"))
            .arg(format!("{package}@{version}")),
        &what,
        &tools.join("logs").join(format!("{plain}.log")),
        None,
    )?;
    fs::write(stamp, "")?;
    println!("{what} {version} installed under {} ({})", workspace.show(&folder), watch.seconds());
    Ok(modules)
}

fn npm() -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    // A prefix from an outer npm would send the packages elsewhere.
    for (name, _) in env::vars_os() {
        if name.to_string_lossy().eq_ignore_ascii_case("npm_config_prefix") {
            command.env_remove(name);
        }
    }
    command
}
