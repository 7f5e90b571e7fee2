//! esbuild: makes one script of the settings page's small files.

use std::process::Command;

use anyhow::Result;

use super::node;
use super::npm;
use crate::workspace::Workspace;

const VERSION: &str = "0.28.2";

/// An esbuild command in the workspace.
pub(crate) fn command(workspace: &Workspace) -> Result<Command> {
    let node = node::ensure(workspace)?;
    let modules = npm::install(workspace, "esbuild", VERSION)?;
    // Whether its install script ran or not, this file is a native binary or a
    // script that finds one.
    let binary = modules.join("esbuild/bin/esbuild");
    let mut command = if is_script(&binary) {
        let mut command = Command::new(node);
        command.arg(binary);
        command
    } else {
        Command::new(binary)
    };
    command.current_dir(&workspace.root);
    Ok(command)
}

fn is_script(path: &std::path::Path) -> bool {
    std::fs::read(path).is_ok_and(|bytes| bytes.starts_with(b"#!"))
}
