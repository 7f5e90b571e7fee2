//! Where the host and the plugin are.

use std::env;
use std::path::PathBuf;

/// Paths that `cargo xtask` hands to the tests in environment variables.
#[derive(Clone, Debug)]
pub struct Env {
    /// The Node binary, `DSH_E2E_NODE`.
    pub node: PathBuf,
    /// Folder whose `node_modules` holds the host, `DSH_E2E_HOST`.
    pub host: PathBuf,
    /// Folder with the `pnpm` command, `DSH_E2E_PNPM_DIR`.
    pub pnpm: PathBuf,
    /// The plugin as a package folder, `DSH_E2E_BUNDLE`.
    pub bundle: PathBuf,
    /// The plugin as a tarball, `DSH_E2E_TARBALL`.
    pub tarball: PathBuf,
    /// The plugin with a panic that a test can provoke, `DSH_E2E_PROBE_TARBALL`.
    pub probe_tarball: Option<PathBuf>,
    /// Where homes of the host are made, `DSH_E2E_WORK`.
    pub work: PathBuf,
    /// What shows pages, where the machine has it.
    pub browser: Option<Browser>,
}

/// A real browser and what drives it.
#[derive(Clone, Debug)]
pub struct Browser {
    /// Chromium, `DSH_E2E_CHROMIUM`.
    pub chromium: PathBuf,
    /// The module of Playwright, `DSH_E2E_PLAYWRIGHT`.
    pub playwright: PathBuf,
    /// Where pictures of the page go, `DSH_E2E_SCREENSHOTS`.
    pub screenshots: PathBuf,
}

impl Env {
    /// Reads the environment; `None`, with a line that says so, outside
    /// `cargo xtask test`.
    pub fn find() -> Option<Self> {
        let read = |name: &str| {
            let value = env::var_os(name).map(PathBuf::from);
            if value.is_none() {
                println!("skipped: {name} is not set; cargo xtask test sets it");
            }
            value
        };
        Some(Self {
            node: read("DSH_E2E_NODE")?,
            host: read("DSH_E2E_HOST")?,
            pnpm: read("DSH_E2E_PNPM_DIR")?,
            bundle: read("DSH_E2E_BUNDLE")?,
            tarball: read("DSH_E2E_TARBALL")?,
            probe_tarball: env::var_os("DSH_E2E_PROBE_TARBALL").map(PathBuf::from),
            work: read("DSH_E2E_WORK")?,
            browser: Browser::find(),
        })
    }

    /// The variables that [`Env::find`] reads back.
    pub fn variables(&self) -> Vec<(&'static str, PathBuf)> {
        let mut variables = vec![
            ("DSH_E2E_NODE", self.node.clone()),
            ("DSH_E2E_HOST", self.host.clone()),
            ("DSH_E2E_PNPM_DIR", self.pnpm.clone()),
            ("DSH_E2E_BUNDLE", self.bundle.clone()),
            ("DSH_E2E_TARBALL", self.tarball.clone()),
            ("DSH_E2E_WORK", self.work.clone()),
        ];
        variables.extend(self.probe_tarball.clone().map(|path| ("DSH_E2E_PROBE_TARBALL", path)));
        if let Some(browser) = &self.browser {
            variables.push(("DSH_E2E_CHROMIUM", browser.chromium.clone()));
            variables.push(("DSH_E2E_PLAYWRIGHT", browser.playwright.clone()));
            variables.push(("DSH_E2E_SCREENSHOTS", browser.screenshots.clone()));
        }
        variables
    }
}

impl Browser {
    fn find() -> Option<Self> {
        let read = |name: &str| env::var_os(name).map(PathBuf::from);
        Some(Self {
            chromium: read("DSH_E2E_CHROMIUM")?,
            playwright: read("DSH_E2E_PLAYWRIGHT")?,
            screenshots: read("DSH_E2E_SCREENSHOTS")?,
        })
    }
}
