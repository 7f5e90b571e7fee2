//! The files of a workspace's Markdown mirror, over effects.

use memory_core::WorkspacePath;
use memory_export::{Entry, Fault, FaultKind, MirrorFiles, Place};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::effect::{self, Effect, Effects};

/// What the shim does in the mirror's folder.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
pub(crate) enum MirrorStep {
    /// What stands at a place: `{ entry, mode }`.
    Look { place: &'static str },
    /// The text of the mirror; null when it is not UTF-8.
    Read { most: u64 },
    /// Make the folder, 0700.
    CreateFolder,
    /// Create a file that must not exist, write and sync it.
    WriteNew { name: String, text: String, mode: Option<u32> },
    /// Rename a file to the mirror.
    PutInPlace { name: String },
    /// Remove a file.
    Remove { name: String },
}

/// The mirror of one workspace, on the host's file system.
#[derive(Clone, Debug)]
pub(crate) struct HostMirror {
    effects: Effects,
    workspace: String,
}

/// What the step `look` returns.
#[derive(Debug, Deserialize)]
struct Looked {
    entry: String,
    mode: Option<u32>,
}

impl HostMirror {
    pub(crate) fn new(effects: Effects, workspace: &WorkspacePath) -> Self {
        Self { effects, workspace: workspace.as_str().to_owned() }
    }

    async fn step(&self, step: MirrorStep) -> Result<Value, Fault> {
        let effect = Effect::Mirror { workspace: self.workspace.clone(), step };
        self.effects.perform(effect).await.map_err(fault)
    }
}

impl MirrorFiles for HostMirror {
    async fn look(&self, place: Place) -> Result<Entry, Fault> {
        let place = match place {
            Place::Workspace => "workspace",
            Place::Folder => "folder",
            Place::File => "file",
        };
        let looked = self.step(MirrorStep::Look { place }).await?;
        let Looked { entry, mode } = serde_json::from_value(looked).map_err(|_| strange())?;
        Ok(match entry.as_str() {
            "missing" => Entry::Missing,
            "file" => Entry::File { mode },
            "folder" => Entry::Folder,
            "symlink" => Entry::Symlink,
            _ => Entry::Other,
        })
    }

    async fn read(&self, most: u64) -> Result<Vec<u8>, Fault> {
        match self.step(MirrorStep::Read { most }).await? {
            Value::String(text) => Ok(text.into_bytes()),
            // Bytes that are no UTF-8 cannot pass the boundary; one stands for all.
            Value::Null => Ok(vec![0xff]),
            _ => Err(strange()),
        }
    }

    async fn create_folder(&self) -> Result<(), Fault> {
        self.step(MirrorStep::CreateFolder).await.map(drop)
    }

    async fn write_new(&self, name: &str, text: &str, mode: Option<u32>) -> Result<(), Fault> {
        let (name, text) = (name.to_owned(), text.to_owned());
        self.step(MirrorStep::WriteNew { name, text, mode }).await.map(drop)
    }

    async fn put_in_place(&self, name: &str) -> Result<(), Fault> {
        self.step(MirrorStep::PutInPlace { name: name.to_owned() }).await.map(drop)
    }

    async fn remove(&self, name: &str) -> Result<(), Fault> {
        self.step(MirrorStep::Remove { name: name.to_owned() }).await.map(drop)
    }
}

fn fault(effect::Fault { code, message }: effect::Fault) -> Fault {
    // The system's words hold the path, and a path may hold anything.
    let message = memory_guard::reveal(&memory_guard::mask(&message));
    Fault { kind: FaultKind::of_code(&code), message }
}

fn strange() -> Fault {
    Fault { kind: FaultKind::Failed, message: "the host's answer makes no sense".to_owned() }
}
