//! Facts as a line gives them: rows as they lie on disk, or only what matters
//! to the question.

use std::time::Duration;

use memory_core::Fact;
use memory_core::FactKind;
use memory_core::FactState;
use memory_core::UnixMillis;
use serde::Deserialize;
use serde_json::Map;

/// Longest age that is told apart, in days. The clock begins later.
const OLDEST_DAYS: f64 = 1e6;

/// A fact with every field optional; `null` is as good as absent.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Record {
    id: Option<String>,
    workspace_path: Option<String>,
    kind: Option<FactKind>,
    text: Option<String>,
    tags: Option<Vec<String>>,
    session_id: Option<String>,
    seq: Option<u64>,
    created_at: Option<UnixMillis>,
    updated_at: Option<UnixMillis>,
    /// Instead of `updatedAt`: days before now, or after it when negative.
    age_days: Option<f64>,
    access_count: Option<u64>,
    last_accessed_at: Option<UnixMillis>,
    state: Option<FactState>,
}

impl Record {
    /// The fact at this place of a list, with defaults where the record is silent.
    pub(super) fn into_fact(self, place: usize, now: UnixMillis) -> Fact {
        let aged = self.age_days.map_or(now, |days| before(now, days));
        let updated_at = self.updated_at.unwrap_or(aged);
        Fact {
            id: self.id.unwrap_or_else(|| place.to_string()),
            workspace_path: self.workspace_path.unwrap_or_else(|| "/probe".to_owned()),
            kind: self.kind.unwrap_or_default(),
            text: self.text.unwrap_or_default(),
            tags: self.tags.unwrap_or_default(),
            session_id: self.session_id.unwrap_or_else(|| "probe".to_owned()),
            seq: self.seq.unwrap_or(0),
            created_at: self.created_at.unwrap_or(updated_at),
            updated_at,
            access_count: self.access_count,
            last_accessed_at: self.last_accessed_at,
            state: self.state.unwrap_or_default(),
            extra: Map::new(),
        }
    }
}

fn before(now: UnixMillis, days: f64) -> UnixMillis {
    let age = Duration::from_secs_f64(days.abs().min(OLDEST_DAYS) * 86_400.0).as_millis();
    let age = UnixMillis::try_from(age).unwrap_or(UnixMillis::MAX);
    if days < 0.0 { now.saturating_add(age) } else { now.saturating_sub(age) }
}
