//! The settings page as the one classic script that the host's page loads.

use std::path::Path;

use anyhow::Result;

use crate::command;
use crate::setup::esbuild;
use crate::workspace::Workspace;

/// The host hands a module table to a factory that each client half registers.
const HEAD: &str = "window.__ModuleLoader__.load({ id: 'dsh-native-memory', factory: (require) => { \
                    const module = { exports: {} };";
const FOOT: &str = "return module.exports; } });";

/// What the host's page gives; our script holds no copy of it.
const GIVEN: &[&str] = &["react", "react/jsx-runtime", "@deepseek-ai/dsh-client-ui-primitives"];

/// Writes the script. It stays readable: whoever installs it may want to look.
pub(crate) fn build(workspace: &Workspace, out: &Path) -> Result<()> {
    let mut esbuild = esbuild::command(workspace)?;
    esbuild.arg("dsh-adapter/page/index.js");
    esbuild.args(["--bundle", "--format=cjs", "--platform=browser", "--target=es2022"]);
    esbuild.args([
        "--jsx=automatic",
        "--loader:.css=text",
        "--charset=utf8",
        "--log-level=warning",
    ]);
    esbuild.args(GIVEN.iter().map(|name| format!("--external:{name}")));
    esbuild.arg(format!("--banner:js={HEAD}")).arg(format!("--footer:js={FOOT}"));
    esbuild.arg(format!("--outfile={}", out.display()));
    command::run(&mut esbuild)
}
