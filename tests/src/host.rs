//! A home of the host, and sessions in it.
#![allow(clippy::disallowed_methods, reason = "measures how long the host runs")]

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::process::Stdio;
use std::thread;
use std::time::Duration;
use std::time::Instant;

use anyhow::Context as _;
use anyhow::Result;
use anyhow::ensure;
use serde_json::Value;
use tempfile::TempDir;
use tokio::process::Command;
use tokio::time::timeout;

use crate::Env;
use crate::approval::Answer;
use crate::approval::Ask;
use crate::log;
use crate::log::SessionLog;
use crate::model::ScriptedModel;
use crate::overlay;
use crate::overlay::Patch;

/// The plugin's unit in the host's storage.
pub const UNIT: &str = "dsh_memory";

/// Where the answerer writes down what it was asked.
pub(crate) const ASKS: &str = "asks.jsonl";

/// When set, homes stay for whoever wants to look into them.
const KEEP: &str = "DSH_E2E_KEEP";

/// Variables of ours that the host may see; all others are kept from it.
const PASSED_ON: &[&str] =
    &["LANG", "TMPDIR", "TEMP", "TMP", "SystemRoot", "ComSpec", "PATHEXT", "SSL_CERT_FILE"];

/// A fresh home of the host (`DSH_HOME`) with a workspace folder and a home
/// folder of its own. It is deleted at the end, unless the test panics or the
/// variable `DSH_E2E_KEEP` is set.
pub struct Home {
    env: Env,
    folder: Option<TempDir>,
    root: PathBuf,
}

impl Home {
    /// Makes a home; `name` appears in its path.
    pub fn new(env: &Env, name: &str) -> Result<Self> {
        fs::create_dir_all(&env.work)?;
        let folder = tempfile::Builder::new().prefix(&format!("{name}-")).tempdir_in(&env.work)?;
        let root = folder.path().canonicalize()?;
        for name in ["dsh", "user", "workspace"] {
            fs::create_dir(root.join(name))?;
        }
        Ok(Self { env: env.clone(), folder: Some(folder), root })
    }

    /// Folder of everything that belongs to this home.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The host's own folder, `DSH_HOME`.
    pub fn dsh_home(&self) -> PathBuf {
        self.root.join("dsh")
    }

    /// The folder in which sessions run unless they say otherwise.
    pub fn workspace(&self) -> PathBuf {
        self.root.join("workspace")
    }

    /// Installs a bundle, a tarball or a folder, into a profile.
    pub async fn install(&self, profile: &str, package: &Path) -> Result<()> {
        let mut dsh = self.dsh(&self.root)?;
        // The bundle depends on nothing, so nothing is to be downloaded.
        dsh.args(["plugin", "--profile", profile, "add", "--offline"]).arg(package);
        let output = dsh.output().await.context("the host did not start")?;
        ensure!(
            output.status.success(),
            "dsh plugin add failed ({}):\n{}{}",
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(())
    }

    /// Runs one headless session to its end.
    pub async fn run(&self, model: &ScriptedModel, options: RunOptions) -> Result<Run> {
        let files = self.next_run()?;
        let mut dsh = self.command(model, &options, &files, "--profile=headless")?;
        dsh.arg(&options.task);
        let start = Instant::now();
        let output = timeout(options.limit, dsh.output())
            .await
            .with_context(|| format!("the host still ran after {:?}", options.limit))?
            .context("the host did not start")?;
        let run = Run {
            status: output.status,
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            wall: start.elapsed(),
            asks: log::json_lines(&files.join(ASKS))?,
        };
        // For whoever looks into the home of a failed test.
        fs::write(files.join("stdout.txt"), &run.stdout)?;
        fs::write(files.join("stderr.txt"), &run.stderr)?;
        Ok(run)
    }

    /// The host with a profile, a model and the rows that the options ask for.
    pub(crate) fn command(
        &self,
        model: &ScriptedModel,
        options: &RunOptions,
        files: &Path,
        profile: &str,
    ) -> Result<Command> {
        let overlay = files.join("overlay.patch.yml");
        fs::write(&overlay, overlay::file(&options.all_patches(files)?))?;
        let mut dsh = self.dsh(options.cwd.as_deref().unwrap_or(&self.workspace()))?;
        dsh.args([profile, "--patch"])
            .arg(overlay)
            .env("DEEPSEEK_BASE_URL", model.url())
            .env("DEEPSEEK_API_KEY", "scripted")
            .envs(options.env.iter().map(|(name, value)| (name, value)));
        Ok(dsh)
    }

    /// The host's command line, in a folder, with this home.
    pub fn dsh(&self, cwd: &Path) -> Result<Command> {
        let mut command = Command::new(&self.env.node);
        command
            .arg(self.env.host.join("node_modules/@deepseek-ai/dsh/lib/bin.js"))
            .current_dir(cwd)
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        for &name in PASSED_ON {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        let node = self.env.node.parent().context("Node lies in no folder")?;
        let old = std::env::var_os("PATH").unwrap_or_default();
        let path = [node.to_owned(), self.env.pnpm.clone()];
        let user = self.root.join("user");
        command
            .env("PATH", std::env::join_paths(path.into_iter().chain(std::env::split_paths(&old)))?)
            .env("HOME", &user)
            .env("USERPROFILE", &user)
            .env("DSH_HOME", self.dsh_home())
            .env("DSH_TELEMETRY_DISABLED", "1")
            .env("npm_config_update_notifier", "false")
            .env("npm_config_store_dir", self.env.work.join("pnpm-store"));
        Ok(command)
    }

    /// Where the plugin's unit lies.
    pub fn unit_path(&self) -> PathBuf {
        self.dsh_home().join("storages").join(format!("{UNIT}.json"))
    }

    /// The plugin's unit; `None` where there is none.
    pub fn unit(&self) -> Result<Option<Value>> {
        let path = self.unit_path();
        if !path.exists() {
            return Ok(None);
        }
        let text = fs::read_to_string(path)?;
        Ok(Some(serde_json::from_str(&text).context("the unit is not JSON")?))
    }

    /// Puts a unit in place, as another version or another program left it.
    pub fn write_unit(&self, text: &str) -> Result<()> {
        let path = self.unit_path();
        fs::create_dir_all(path.parent().context("no folder")?)?;
        fs::write(path, text)?;
        Ok(())
    }

    /// The logs of every session in this home, in order of their start.
    pub fn sessions(&self) -> Result<Vec<SessionLog>> {
        log::sessions(&self.dsh_home().join("sessions"))
    }

    /// A folder for what belongs to the next run.
    pub(crate) fn next_run(&self) -> Result<PathBuf> {
        let mut number = 1;
        loop {
            let folder = self.root.join(format!("run-{number}"));
            match fs::create_dir(&folder) {
                Ok(()) => return Ok(folder),
                // Runs may go side by side.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let stays = thread::panicking() || std::env::var_os(KEEP).is_some();
        if stays && let Some(folder) = self.folder.take() {
            println!("the home stays at {}", folder.keep().display());
        }
    }
}

/// How a session runs.
pub struct RunOptions {
    /// What the person asks for.
    pub task: String,
    /// The workspace; the home's own folder when not given.
    pub cwd: Option<PathBuf>,
    /// Whether the profile has storage; as shipped, headless has none.
    pub storage: bool,
    /// The person's answers to asks. Without any there is nobody to ask.
    pub answers: Vec<Answer>,
    /// Further rows.
    pub patches: Vec<Patch>,
    /// Further environment variables.
    pub env: Vec<(String, String)>,
    /// When to give up.
    pub limit: Duration,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            task: "Do as the script says.".to_owned(),
            cwd: None,
            storage: true,
            answers: Vec::new(),
            patches: Vec::new(),
            env: Vec::new(),
            limit: Duration::from_secs(60),
        }
    }
}

impl RunOptions {
    fn all_patches(&self, files: &Path) -> Result<Vec<Patch>> {
        let mut patches = Vec::new();
        if self.storage {
            patches.push(Patch::storage());
        }
        if !self.answers.is_empty() {
            let rules: Vec<_> = self.answers.iter().map(Answer::rule).collect();
            let config = serde_json::json!({ "log": files.join(ASKS), "rules": rules });
            let module = files.join("answerer.mjs");
            fs::write(&module, include_str!("../assets/answerer.mjs"))?;
            patches.push(Patch::insert("end-to-end-answerer", &file_url(&module), &config));
        }
        patches.extend(self.patches.iter().cloned());
        Ok(patches)
    }
}

/// The file URL by which a row names a module.
pub fn file_url(path: &Path) -> String {
    let path = path.to_string_lossy().replace('\\', "/");
    // `canonicalize` gives Windows paths a prefix that URLs do not know.
    let path = path.trim_start_matches("//?/");
    let mut url = String::from(if path.starts_with('/') { "file://" } else { "file:///" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b':' | b'-' | b'_' | b'.' | b'~' => {
                url.push(char::from(byte));
            }
            other => {
                let digit = |value: u8| char::from(b"0123456789ABCDEF"[usize::from(value)]);
                url.extend(['%', digit(other >> 4), digit(other & 15)]);
            }
        }
    }
    url
}

/// A session that has ended.
#[derive(Debug)]
pub struct Run {
    /// What the host printed: the model's last words.
    pub stdout: String,
    /// What the host complained about.
    pub stderr: String,
    /// How it ended.
    pub status: ExitStatus,
    /// How long it took, start of the process included.
    pub wall: Duration,
    /// Every ask that reached the answerer, in order.
    pub asks: Vec<Ask>,
}

impl Run {
    /// This run, or an error with what the host printed where it failed.
    pub fn succeeded(self) -> Result<Self> {
        ensure!(
            self.status.success(),
            "the host failed ({}):\n{}{}",
            self.status,
            self.stdout,
            self.stderr
        );
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_names_a_module_by_its_url() {
        assert_eq!(file_url(Path::new("/tmp/a b/ü.mjs")), "file:///tmp/a%20b/%C3%BC.mjs");
        assert_eq!(file_url(Path::new(r"\\?\C:\x\y.mjs")), "file:///C:/x/y.mjs");
    }
}
