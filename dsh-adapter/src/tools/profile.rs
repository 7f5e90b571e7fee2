//! `memory_profile`: shows the notes that stand in every system prompt.

use std::fmt::Write as _;

use memory_core::MemoryError;
use memory_guard::{mask, reveal};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Call;

pub(super) const DESCRIPTION: &str = "Show this workspace's profile with the index of each entry.";

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Arguments {}

pub(super) async fn run(call: &Call<'_>) -> Result<String, MemoryError> {
    let Arguments {} = call.arguments()?;
    let memory = call.toolbox.memory.get().await?;
    let entries = memory.repository.profile(&call.caller.workspace);
    let most = call.toolbox.config.max_profile_entries;
    let mut out = format!("Workspace profile: {}/{most} entries", entries.len());
    if entries.is_empty() {
        out.push_str(" (empty)");
    }
    for (index, entry) in entries.iter().enumerate() {
        let _ = write!(out, "\n{index}. {}", reveal(&mask(entry)));
    }
    out.push_str(
        "\nChange it with memory_remember: target:\"profile\", and profile_index to replace or \
         (with an empty text) drop an entry.",
    );
    Ok(out)
}
