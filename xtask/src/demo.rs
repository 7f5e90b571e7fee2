//! The demo: the end-to-end harness, told on the terminal.

use anyhow::Result;
use end_to_end::Env;

use crate::build::Variant;
use crate::bundle;
use crate::bundle::Bundle;
use crate::setup;
use crate::setup::Toolchain;
use crate::setup::wasm::Route;
use crate::workspace::Workspace;

/// Sets up, bundles and runs the demo.
pub(crate) fn run(workspace: &Workspace, route: Option<Route>, host: &str) -> Result<()> {
    let toolchain = setup::all(workspace, route, host)?;
    let bundle = bundle::lay(workspace, toolchain.route, Variant::Release)?;
    let env = environment(workspace, toolchain, bundle, None);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(end_to_end::demo::run(&env))
}

/// What the harness needs to know.
pub(crate) fn environment(
    workspace: &Workspace,
    toolchain: Toolchain,
    bundle: Bundle,
    probe: Option<Bundle>,
) -> Env {
    Env {
        node: toolchain.node,
        host: toolchain.host,
        pnpm: toolchain.pnpm,
        bundle: bundle.folder,
        tarball: bundle.tarball,
        probe_tarball: probe.map(|probe| probe.tarball),
        work: workspace.target.join("e2e"),
        browser: None,
    }
}
