//! `memory_export`: writes the workspace's memory as Markdown.

use memory_core::MemoryError;
use memory_export::{FILE, FOLDER, Masked, Written};
use memory_guard::{mask, mask_across, reveal};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Call;
use crate::mirror::HostMirror;

pub(super) const DESCRIPTION: &str =
    "Write this workspace's memory to .dsh-memory/memory.md, for people to read and compare.";

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Arguments {}

pub(super) async fn run(call: &Call<'_>) -> Result<String, MemoryError> {
    let Arguments {} = call.arguments()?;
    let memory = call.toolbox.memory.get().await?;
    let workspace = &call.caller.workspace;
    let profile = memory.repository.profile(workspace);
    let facts = memory.repository.active_facts(workspace);
    let (entries, count) = (profile.len(), facts.len());
    let masked = Masked::new(mask_across, &profile, facts);
    let files = HostMirror::new(call.toolbox.effects.clone(), workspace);
    let Written { bytes, changed } =
        memory_export::write(&files, &call.toolbox.effects, &masked).await?;
    let path = format!("{}/{FOLDER}/{FILE}", workspace.as_str().trim_end_matches('/'));
    let path = mask(&path);
    let path = reveal(&path);
    let unchanged = if changed { "" } else { ", unchanged (idempotent skip)" };
    Ok(format!(
        "exported {count} fact(s) and {entries} profile entries to {path} ({bytes} bytes{unchanged})"
    ))
}
