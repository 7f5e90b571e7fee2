//! Where things are.

use std::env;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Context as _;
use anyhow::Result;
use anyhow::ensure;
use serde_json::Value;

/// The workspace as `cargo metadata` describes it.
pub(crate) struct Workspace {
    /// Folder of the root manifest.
    pub(crate) root: PathBuf,
    /// Target directory; everything we write lies below it.
    pub(crate) target: PathBuf,
    /// Version of the packages.
    pub(crate) version: String,
}

impl Workspace {
    /// Asks cargo.
    pub(crate) fn find() -> Result<Self> {
        let metadata = metadata()?;
        let path = |key: &str| {
            metadata[key].as_str().map(PathBuf::from).with_context(|| format!("no {key}"))
        };
        let version = metadata["packages"]
            .as_array()
            .into_iter()
            .flatten()
            .find(|package| package["name"] == "dsh-adapter")
            .and_then(|package| package["version"].as_str())
            .context("cargo metadata lists no package dsh-adapter")?
            .to_owned();
        Ok(Self { root: path("workspace_root")?, target: path("target_directory")?, version })
    }

    /// Folder of the tools that `setup` installs.
    pub(crate) fn tools(&self) -> PathBuf {
        self.target.join("tools")
    }

    /// A path for people: relative to the workspace where it lies inside.
    pub(crate) fn show(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }

    /// A cargo command in the workspace.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = cargo();
        command.current_dir(&self.root);
        command
    }
}

/// The cargo that runs us, or the one on PATH.
fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// The workspace's metadata, without dependencies.
pub(crate) fn metadata() -> Result<Value> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let output = cargo()
        .args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path"])
        .arg(manifest)
        .output()
        .context("cargo metadata did not start")?;
    ensure!(
        output.status.success(),
        "cargo metadata failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).context("cargo metadata is not JSON")
}
