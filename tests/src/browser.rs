//! A person at a real browser, played by a script in `tests/browser`.

use std::path::Path;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use anyhow::Context as _;
use anyhow::Result;
use anyhow::ensure;
use tokio::process::Command;
use tokio::time::timeout;

use crate::env::Env;

/// How long a scene may take.
const LIMIT: Duration = Duration::from_secs(180);

/// A scene: one script, played against one running host.
pub struct Scene {
    command: Command,
    script: String,
}

impl Scene {
    /// The scene of a script, or `None`, with a line that says why, where the
    /// machine has no browser.
    pub fn find(env: &Env, script: &str) -> Option<Self> {
        let Some(browser) = &env.browser else {
            println!(
                "skipped: {script} needs Chromium and Playwright; cargo xtask test finds or \
                 installs them"
            );
            return None;
        };
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("browser").join(script);
        let mut command = Command::new(&env.node);
        command
            .arg(path)
            .env("DSH_E2E_CHROMIUM", &browser.chromium)
            .env("DSH_E2E_PLAYWRIGHT", &browser.playwright)
            .env("DSH_E2E_SCREENSHOTS", &browser.screenshots)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        Some(Self { command, script: script.to_owned() })
    }

    /// Tells the script something, in an environment variable.
    #[must_use]
    pub fn tell(mut self, name: &str, value: impl Into<PathBuf>) -> Self {
        self.command.env(name, value.into());
        self
    }

    /// Plays it to its end. An error holds everything that it printed.
    pub async fn play(mut self) -> Result<String> {
        let output = timeout(LIMIT, self.command.output())
            .await
            .with_context(|| format!("{} still ran after {LIMIT:?}", self.script))??;
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        ensure!(
            output.status.success(),
            "{} failed:\n{printed}{}",
            self.script,
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(printed)
    }
}
