//! `memory_edit`: changes text, kind or tags of a fact.

use memory_core::{ErrorCode, FactKind, MemoryError};
use memory_store::FactEdit;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Call;
use crate::caller::cited;

pub(super) const DESCRIPTION: &str =
    "Change text, kind or tags of a stored fact that is no longer right; a person approves it.";

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// From `memory_recall`
    #[schemars(length(min = 1))]
    id: String,
    #[schemars(length(min = 1))]
    text: Option<String>,
    /// New kind
    kind: Option<FactKind>,
    /// Replaces all tags
    tags: Option<Vec<String>>,
}

pub(super) async fn run(call: &Call<'_>) -> Result<String, MemoryError> {
    let Arguments { id, text, kind, tags } = call.arguments()?;
    if text.is_none() && kind.is_none() && tags.is_none() {
        return Err(MemoryError::new(
            ErrorCode::InvalidArgs,
            "memory_edit: none of `text`, `kind` and `tags` is given",
        )
        .advise("give at least one of them"));
    }
    let memory = call.toolbox.memory.get().await?;
    let citation = call.caller.citation.clone();
    let edit = FactEdit { id: id.clone(), kind, text, tags, citation: citation.clone() };
    let plan = memory.repository.plan_edit(&call.caller.workspace, edit)?;
    call.approve_and_commit(&memory, plan).await?;
    Ok(format!("edited fact {id}, cited to {}", cited(&citation)))
}
