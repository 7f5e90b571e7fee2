//! Everything that is remembered, masked, as the settings page shows it.

use std::sync::Arc;

use memory_core::{Config, Fact, WorkspacePath};
use memory_guard::{mask, mask_across};
use serde_json::{Value, json};

use crate::compaction;
use crate::memory::Memory;
use crate::proposals;

/// Most facts, and most of everything else, in one response.
const MOST: usize = 10_000;

/// The body of the response.
pub(crate) fn overview(memory: &Memory, config: &Config) -> Value {
    let repository = &memory.repository;
    let workspaces = repository.workspaces();
    let facts = facts(memory, &workspaces);
    let profile = workspaces.iter().filter_map(|workspace| {
        let entries: Vec<_> =
            repository.profile(workspace).iter().map(|entry| mask(entry).into_owned()).collect();
        (!entries.is_empty()).then(|| placed(workspace, json!({ "entries": entries })))
    });
    let waiting = proposals::limits(config);
    let pending = workspaces.iter().flat_map(|workspace| {
        repository.pending_proposals(workspace, waiting).into_iter().rev().map(|row| {
            let row = json!({
                "id": row.id, "text": mask(&row.text), "sessionId": row.session_id,
                "createdAt": row.created_at,
            });
            placed(workspace, row)
        })
    });
    let limits = compaction::limits(config);
    let alarms = workspaces.iter().flat_map(|workspace| {
        repository.active_alarms(workspace, limits).into_iter().map(|alarm| {
            let anchors: Vec<_> = alarm.vanished_anchors.iter().map(|text| mask(text)).collect();
            let row = json!({
                "id": alarm.id, "anchors": anchors, "sessionId": alarm.session_id,
                "createdAt": alarm.created_at,
            });
            placed(workspace, row)
        })
    });
    let caps = config.caps();
    json!({
        "profile": profile.take(MOST).collect::<Vec<_>>(),
        "proposals": pending.take(MOST).collect::<Vec<_>>(),
        "alarms": alarms.take(MOST).collect::<Vec<_>>(),
        "caps": {
            "facts": caps.facts, "factChars": caps.fact_chars,
            "profileEntries": caps.profile_entries, "profileEntryChars": caps.profile_entry_chars,
        },
        "total": facts.len(),
        "facts": facts.into_iter().take(MOST).map(|(workspace, fact)| {
            let (text, tags) = mask_across(&fact.text, &fact.tags);
            placed(workspace, json!({
                "id": fact.id, "kind": fact.kind, "text": text, "tags": tags,
                "updatedAt": fact.updated_at, "accessCount": fact.access_count.unwrap_or(0),
                "sessionId": fact.session_id, "seq": fact.seq, "createdAt": fact.created_at,
                "lastAccessedAt": fact.last_accessed_at,
            }))
        }).collect::<Vec<_>>(),
    })
}

/// A row with its workspace; the path tells folders of the same name apart.
fn placed(workspace: &WorkspacePath, mut row: Value) -> Value {
    row["workspace"] = json!(workspace.label());
    row["workspacePath"] = json!(workspace.as_str());
    row
}

/// Every active fact, last changed first.
fn facts<'a>(
    memory: &Memory,
    workspaces: &'a [WorkspacePath],
) -> Vec<(&'a WorkspacePath, Arc<Fact>)> {
    let mut rows: Vec<_> = workspaces
        .iter()
        .flat_map(|workspace| {
            let facts = memory.repository.active_facts(workspace);
            facts.into_iter().map(move |fact| (workspace, fact))
        })
        .collect();
    rows.sort_by(|(_, a), (_, b)| b.updated_at.cmp(&a.updated_at).then_with(|| a.id.cmp(&b.id)));
    rows
}
