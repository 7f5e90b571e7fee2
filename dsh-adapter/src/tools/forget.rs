//! `memory_forget`: takes a fact out of recall; its row is kept.

use memory_core::MemoryError;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Call;

pub(super) const DESCRIPTION: &str =
    "Forget a stored fact that no longer holds; a person approves it.";

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// From `memory_recall`
    #[schemars(length(min = 1))]
    id: String,
}

pub(super) async fn run(call: &Call<'_>) -> Result<String, MemoryError> {
    let Arguments { id } = call.arguments()?;
    let memory = call.toolbox.memory.get().await?;
    let plan = memory.repository.plan_forget(&call.caller.workspace, &id)?;
    call.approve_and_commit(&memory, plan).await?;
    Ok(format!("archived fact {id}"))
}
