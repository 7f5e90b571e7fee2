//! Playwright's driver and a Chromium, for the tests of the settings page.

use std::env;
use std::path::PathBuf;

use anyhow::Result;

use super::npm;
use crate::workspace::Workspace;

const VERSION: &str = "1.65.2";

/// Names of the browser on a search path.
const NAMES: &[&str] =
    &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome.exe"];

/// Installs the driver, which brings no browser. Returns its module.
pub(crate) fn ensure(workspace: &Workspace) -> Result<PathBuf> {
    Ok(npm::install(workspace, "playwright-core", VERSION)?.join("playwright-core/index.mjs"))
}

/// The browser: `DSH_E2E_CHROMIUM`, or one on the search path.
pub(crate) fn browser() -> Option<PathBuf> {
    if let Some(path) = env::var_os("DSH_E2E_CHROMIUM") {
        return Some(path.into());
    }
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .flat_map(|folder| NAMES.iter().map(move |name| folder.join(name)))
        .find(|candidate| candidate.is_file())
}
