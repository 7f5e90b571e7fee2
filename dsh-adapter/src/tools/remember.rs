//! `memory_remember`: a new fact, the replacement of one, or a profile entry.

use memory_core::{Config, FactKind, MemoryError};
use memory_store::{Committed, NewFact, Verdict};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Call;
use crate::approval::Answer;
use crate::caller::cited;
use crate::memory::Memory;
use crate::proposals;

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
    /// Replace this fact, or take up this proposal
    #[schemars(length(min = 1))]
    id: Option<String>,
    target: Option<Target>,
    /// From 0
    profile_index: Option<u64>,
}

pub(super) async fn run(call: &Call<'_>) -> Result<String, MemoryError> {
    let arguments: Arguments = call.arguments()?;
    let memory = call.toolbox.memory.get().await?;
    match arguments.target.unwrap_or_default() {
        Target::Fact => fact(call, &memory, arguments).await,
        Target::Profile => {
            let index = arguments.profile_index.map(|i| usize::try_from(i).unwrap_or(usize::MAX));
            let workspace = &call.caller.workspace;
            let plan = memory.repository.plan_profile(workspace, index, &arguments.text)?;
            call.ask(&plan, None).await.granted()?;
            Ok(described(memory.repository.commit(plan).await?))
        }
    }
}

async fn fact(
    call: &Call<'_>,
    memory: &Memory,
    arguments: Arguments,
) -> Result<String, MemoryError> {
    let (toolbox, workspace) = (call.toolbox, &call.caller.workspace);
    let Arguments { mut id, mut text, kind, tags, .. } = arguments;
    let replaced = id.as_deref().and_then(|id| memory.repository.fact(workspace, id));
    let mut proposal = None;
    if replaced.is_none()
        && let Some(found) =
            proposals::taken_up(memory, &toolbox.config, workspace, id.as_deref(), &text)
    {
        (id, text, proposal) = (None, found.text, Some(found.id));
    }
    let citation = call.caller.citation.clone();
    let new = NewFact { id, kind, text: text.clone(), tags, citation };
    let plan = memory.repository.plan_remember(workspace, new)?;
    let answer = call.ask(&plan, None).await;
    let outcome = match answer.granted() {
        Ok(()) => memory.repository.commit(plan).await,
        Err(error) => Err(error),
    };
    let verdict = match (&outcome, answer) {
        (Ok(_), _) => Some(Verdict::Approved),
        (Err(_), Answer::Rejected) => Some(Verdict::Refused),
        // Nobody answered, or storage failed: it may be taken up again.
        (Err(_), _) => None,
    };
    if let Some(verdict) = verdict {
        let meant = (proposal.as_deref(), text.as_str());
        proposals::settle(&toolbox.effects, memory, workspace, meant, verdict).await;
    }
    outcome.map(described)
}

fn described(committed: Committed) -> String {
    match committed {
        Committed::Fact(fact) => {
            format!("stored fact {} [{}], cited to {}", fact.id, fact.kind, cited(&fact.citation()))
        }
        Committed::Profile(entries) => {
            format!("workspace profile updated: {} entries", entries.len())
        }
    }
}
