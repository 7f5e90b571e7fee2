//! Biome: formats and lints the JavaScript that we ship or test and measure with.

use std::io::IsTerminal;
use std::process::Command;

use anyhow::Result;

use super::node;
use super::npm;
use crate::workspace::Workspace;

const VERSION: &str = "2.6.8";

/// Where our JavaScript lies; elsewhere it need not look.
const FOLDERS: &[&str] = &["dsh-adapter/bundle", "dsh-adapter/page", "tests", "xtask/js"];

/// A biome command in the workspace; `subcommand` is its first argument.
pub(crate) fn command(workspace: &Workspace, subcommand: &str) -> Result<Command> {
    let node = node::ensure(workspace)?;
    let modules = npm::install(workspace, "@biomejs/biome", VERSION)?;
    let mut command = Command::new(node);
    command.current_dir(&workspace.root).arg(modules.join("@biomejs/biome/bin/biome"));
    command.arg(subcommand).args(FOLDERS);
    if !std::io::stdout().is_terminal() {
        command.arg("--colors=off");
    }
    Ok(command)
}
