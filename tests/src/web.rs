//! The host's web profile, for tests of its routes and its page.

use std::fs;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use anyhow::Context as _;
use anyhow::Result;
use anyhow::bail;
use tokio::io::AsyncBufReadExt;
use tokio::io::BufReader;
use tokio::process::Child;
use tokio::process::Command;
use tokio::time::timeout;

use crate::approval::Ask;
use crate::host::ASKS;
use crate::host::Home;
use crate::host::RunOptions;
use crate::log;
use crate::model::ScriptedModel;

/// How long the host may take to start or to stop.
const LIMIT: Duration = Duration::from_secs(60);
/// What the host prints before its URL.
const READY: &str = "dsh web: http";

/// A running web host. It is killed when it is dropped; [`Web::stop`] lets it
/// close its services first.
pub struct Web {
    child: Child,
    url: String,
    asks: PathBuf,
}

impl Web {
    /// Starts the web profile of a home and waits until it answers. Of the
    /// options, `task` and `limit` mean nothing here, and storage is always on.
    pub async fn start(home: &Home, model: &ScriptedModel, options: RunOptions) -> Result<Self> {
        let options = RunOptions { storage: false, ..options };
        let files = home.next_run()?;
        let mut dsh = home.command(model, &options, &files, "web")?;
        dsh.args(["--no-open", "--port", "0"]);
        // A full pipe would stop the host.
        dsh.stderr(fs::File::create(files.join("stderr.txt"))?);
        let mut child = dsh.spawn().context("the host did not start")?;
        let mut lines = BufReader::new(child.stdout.take().context("no output")?).lines();
        let url = timeout(LIMIT, async {
            while let Some(line) = lines.next_line().await? {
                if line.starts_with(READY) {
                    let url = line.split_whitespace().nth(2).unwrap_or_default();
                    return Ok(url.to_owned());
                }
            }
            bail!("the host ended: {}", fs::read_to_string(files.join("stderr.txt"))?)
        })
        .await
        .context("the host did not print its URL")??;
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok(Self { child, url, asks: files.join(ASKS) })
    }

    /// Where it answers, such as `http://127.0.0.1:3080`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Every ask that reached the answerer so far, in order.
    pub fn asks(&self) -> Result<Vec<Ask>> {
        log::json_lines(&self.asks)
    }

    /// Asks the host to end, as a service manager would, and waits.
    pub async fn stop(mut self) -> Result<ExitStatus> {
        if cfg!(unix)
            && let Some(id) = self.child.id()
        {
            Command::new("kill").args(["-TERM", &id.to_string()]).status().await?;
        } else {
            self.child.start_kill()?;
        }
        Ok(timeout(LIMIT, self.child.wait()).await.context("the host does not end")??)
    }
}
