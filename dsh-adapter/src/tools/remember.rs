//! `memory_remember`: a new fact, the replacement of one, or a profile entry.

use memory_core::{Config, FactKind, MemoryError};
use memory_store::{Committed, NewFact};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Call;
use crate::caller::cited;

pub(super) fn description(config: &Config) -> String {
    format!(
        "Store one durable fact about this workspace; a person approves it. For what later \
         sessions need: preferences, conventions, decisions with their reason, facts about the \
         environment. Not for secrets or passing details. Text ≤ {} characters, ≤ {} facts. \
         target \"profile\" keeps a note in every system prompt (≤ {} entries of {} characters): \
         profile_index replaces an entry, with an empty text it drops it.",
        config.max_fact_chars,
        config.max_facts_per_workspace,
        config.max_profile_entries,
        config.max_profile_entry_chars,
    )
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Target {
    #[default]
    Fact,
    Profile,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// One self-contained statement
    text: String,
    /// Default fact
    kind: Option<FactKind>,
    /// Words to find it by
    tags: Option<Vec<String>>,
    /// Replace this fact
    #[schemars(length(min = 1))]
    id: Option<String>,
    target: Option<Target>,
    /// From 0
    profile_index: Option<u64>,
}

pub(super) async fn run(call: &Call<'_>) -> Result<String, MemoryError> {
    let arguments: Arguments = call.arguments()?;
    let memory = call.toolbox.memory.get().await?;
    let workspace = &call.caller.workspace;
    let plan = match arguments.target.unwrap_or_default() {
        Target::Profile => {
            let index = arguments.profile_index.map(|i| usize::try_from(i).unwrap_or(usize::MAX));
            memory.repository.plan_profile(workspace, index, &arguments.text)?
        }
        Target::Fact => memory.repository.plan_remember(
            workspace,
            NewFact {
                id: arguments.id,
                kind: arguments.kind,
                text: arguments.text,
                tags: arguments.tags,
                citation: call.caller.citation.clone(),
            },
        )?,
    };
    Ok(match call.approve_and_commit(&memory, plan).await? {
        Committed::Fact(fact) => {
            format!("stored fact {} [{}], cited to {}", fact.id, fact.kind, cited(&fact.citation()))
        }
        Committed::Profile(entries) => {
            format!("workspace profile updated: {} entries", entries.len())
        }
    })
}
