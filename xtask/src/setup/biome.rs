//! Biome: formats and lints the JavaScript that we ship.

use std::path::PathBuf;

use anyhow::Result;

use super::npm;
use crate::workspace::Workspace;

const VERSION: &str = "2.6.8";

/// Path of its launcher script; a Node runs it.
pub(crate) fn ensure(workspace: &Workspace) -> Result<PathBuf> {
    Ok(npm::install(workspace, "@biomejs/biome", VERSION)?.join("@biomejs/biome/bin/biome"))
}
