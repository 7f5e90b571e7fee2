//! The rows of the storage domain, field for field as they lie on disk.
//!
//! Names, order and defaults are the on-disk contract of the unit
//! `dsh_memory`, version 1: a unit written by an older plugin reads here with
//! every row intact, and the other way round. Fields that this version does
//! not know are kept in `extra` and written back, so that a newer writer loses
//! nothing to an older one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{ErrorCode, MemoryError, UnixMillis, WorkspacePath};

/// Where a record was said: a session and the position in its log.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Citation {
    /// Session id, never empty.
    pub session_id: String,
    /// Sequence number of the cited event in that session's log.
    pub seq: u64,
}

impl std::fmt::Display for Citation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}#{}", self.session_id, self.seq)
    }
}

/// What kind of thing a fact states.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum FactKind {
    /// How this person likes things done.
    Preference,
    /// Something true of the project or its environment.
    #[default]
    Fact,
    /// A rule that the project follows.
    Convention,
    /// A choice that was made, best with its reason.
    Decision,
}

impl FactKind {
    /// Every kind, in the order of the contract.
    pub const ALL: [Self; 4] = [Self::Preference, Self::Fact, Self::Convention, Self::Decision];

    /// The name on disk and in tools, e.g. `convention`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Preference => "preference",
            Self::Fact => "fact",
            Self::Convention => "convention",
            Self::Decision => "decision",
        }
    }
}

impl std::fmt::Display for FactKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Whether a fact is recalled. Rows are never deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FactState {
    /// Recalled, listed and exported.
    #[default]
    Active,
    /// Forgotten: kept for the audit trail, never recalled.
    Archived,
}

/// One approved, cited statement about a workspace: a row of table `facts`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fact {
    /// Row key; a lowercase UUID v4 for rows that this project writes.
    pub id: String,
    /// The workspace as stored; see [`WorkspacePath`] for when two are one.
    pub workspace_path: String,
    /// What kind of thing is stated.
    pub kind: FactKind,
    /// The statement, as approved.
    pub text: String,
    /// Words to find it by.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Session that justified it.
    pub session_id: String,
    /// Position of the justifying message in that session's log.
    pub seq: u64,
    /// Creation, ms since the epoch.
    pub created_at: UnixMillis,
    /// Last change of content, ms since the epoch.
    pub updated_at: UnixMillis,
    /// How often recall returned it; absent before the first time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access_count: Option<u64>,
    /// When recall last returned it, ms since the epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_accessed_at: Option<UnixMillis>,
    /// Whether it is recalled.
    #[serde(default)]
    pub state: FactState,
    /// Fields of a newer version, kept as they are.
    #[serde(flatten)]
    #[schemars(skip)]
    pub extra: Map<String, Value>,
}

impl Fact {
    /// A new active fact without access counters.
    pub fn new(
        id: String,
        workspace: &WorkspacePath,
        kind: FactKind,
        text: String,
        tags: Vec<String>,
        citation: Citation,
        now: UnixMillis,
    ) -> Self {
        Self {
            id,
            workspace_path: workspace.as_str().to_owned(),
            kind,
            text,
            tags,
            session_id: citation.session_id,
            seq: citation.seq,
            created_at: now,
            updated_at: now,
            access_count: None,
            last_accessed_at: None,
            state: FactState::Active,
            extra: Map::new(),
        }
    }

    /// Where it was said.
    pub fn citation(&self) -> Citation {
        Citation { session_id: self.session_id.clone(), seq: self.seq }
    }

    /// Whether recall may return it.
    pub fn is_active(&self) -> bool {
        self.state == FactState::Active
    }

    /// Checks what the schema demands and types alone do not say: non-empty
    /// id, workspace, text and session; numbers that JavaScript holds exactly.
    ///
    /// # Errors
    /// [`RecordError`] naming the field.
    pub fn validate(&self) -> Result<(), RecordError> {
        non_empty("id", &self.id)?;
        non_empty("workspacePath", &self.workspace_path)?;
        non_empty("text", &self.text)?;
        non_empty("sessionId", &self.session_id)?;
        safe_integer("seq", self.seq)?;
        safe_integer("createdAt", self.created_at)?;
        safe_integer("updatedAt", self.updated_at)?;
        safe_integer("accessCount", self.access_count.unwrap_or(0))?;
        safe_integer("lastAccessedAt", self.last_accessed_at.unwrap_or(0))
    }
}

/// The always-injected notes of one workspace: a row of table `profiles`,
/// keyed by `workspacePath`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// The workspace as stored, equal to the row key.
    pub workspace_path: String,
    /// The notes in the order that the person gave them.
    #[serde(default)]
    pub entries: Vec<String>,
    /// Last change, ms since the epoch.
    pub updated_at: UnixMillis,
    /// Fields of a newer version, kept as they are.
    #[serde(flatten)]
    #[schemars(skip)]
    pub extra: Map<String, Value>,
}

impl Profile {
    /// An empty profile that was never written.
    pub fn empty(workspace: &WorkspacePath) -> Self {
        Self {
            workspace_path: workspace.as_str().to_owned(),
            entries: Vec::new(),
            updated_at: 0,
            extra: Map::new(),
        }
    }

    /// Checks what the schema demands; see [`Fact::validate`].
    ///
    /// # Errors
    /// [`RecordError`] naming the field.
    pub fn validate(&self) -> Result<(), RecordError> {
        non_empty("workspacePath", &self.workspace_path)?;
        safe_integer("updatedAt", self.updated_at)
    }
}

/// Whether a proposal still waits for a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ProposalState {
    /// Waiting.
    #[default]
    Pending,
    /// A person approved it; it is a fact now.
    Consumed,
    /// Too old, or pushed out by newer ones.
    Expired,
}

/// A candidate that a model distilled from a session and nobody has approved:
/// a row of table `proposals`. It is not memory; recall never sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    /// Row key.
    pub id: String,
    /// The workspace as stored.
    pub workspace_path: String,
    /// The candidate text, masked before it is stored.
    pub text: String,
    /// Session it was distilled from.
    pub session_id: String,
    /// Creation, ms since the epoch.
    pub created_at: UnixMillis,
    /// Whether it still waits.
    #[serde(default)]
    pub state: ProposalState,
    /// Fields of a newer version, kept as they are.
    #[serde(flatten)]
    #[schemars(skip)]
    pub extra: Map<String, Value>,
}

impl Proposal {
    /// Checks what the schema demands; see [`Fact::validate`].
    ///
    /// # Errors
    /// [`RecordError`] naming the field.
    pub fn validate(&self) -> Result<(), RecordError> {
        non_empty("id", &self.id)?;
        non_empty("workspacePath", &self.workspace_path)?;
        non_empty("text", &self.text)?;
        non_empty("sessionId", &self.session_id)?;
        safe_integer("createdAt", self.created_at)
    }
}

/// Whether an alarm is still shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AlarmState {
    /// Shown to the next sessions.
    #[default]
    Active,
    /// Too old, or pushed out by newer ones.
    Expired,
}

/// Positions that a summary replaced. `start` may exceed `end`: they are
/// surface positions, not a numeric interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SeqRange {
    /// First surface position.
    pub start: u64,
    /// Last surface position.
    pub end: u64,
}

/// Literal anchors that a compaction summary dropped: a row of table `alarms`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Alarm {
    /// Row key.
    pub id: String,
    /// The workspace as stored.
    pub workspace_path: String,
    /// Session whose summary dropped them.
    pub session_id: String,
    /// At most [`Alarm::MAX_ANCHORS`], masked before they are stored.
    pub vanished_anchors: Vec<String>,
    /// What the summary replaced, as the host reported it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shadowed_range: Option<SeqRange>,
    /// Creation, ms since the epoch.
    pub created_at: UnixMillis,
    /// Whether it is still shown.
    #[serde(default)]
    pub state: AlarmState,
    /// Fields of a newer version, kept as they are.
    #[serde(flatten)]
    #[schemars(skip)]
    pub extra: Map<String, Value>,
}

impl Alarm {
    /// Most anchors that one alarm holds.
    pub const MAX_ANCHORS: usize = 5;

    /// Checks what the schema demands; see [`Fact::validate`].
    ///
    /// # Errors
    /// [`RecordError`] naming the field.
    pub fn validate(&self) -> Result<(), RecordError> {
        non_empty("id", &self.id)?;
        non_empty("workspacePath", &self.workspace_path)?;
        non_empty("sessionId", &self.session_id)?;
        if self.vanished_anchors.len() > Self::MAX_ANCHORS {
            return Err(RecordError { field: "vanishedAnchors", problem: "has more than 5 items" });
        }
        if let Some(range) = self.shadowed_range {
            safe_integer("shadowedRange.start", range.start)?;
            safe_integer("shadowedRange.end", range.end)?;
        }
        safe_integer("createdAt", self.created_at)
    }
}

/// A record that must not be written: which field, and why. Holds no content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("field `{field}` {problem}")]
pub struct RecordError {
    field: &'static str,
    problem: &'static str,
}

impl From<RecordError> for MemoryError {
    fn from(error: RecordError) -> Self {
        Self::new(ErrorCode::InvalidArgs, format!("the record is not valid: {error}"))
    }
}

fn non_empty(field: &'static str, value: &str) -> Result<(), RecordError> {
    if value.is_empty() { Err(RecordError { field, problem: "is empty" }) } else { Ok(()) }
}

/// JavaScript reads these numbers as doubles; past 2^53 - 1 they change.
fn safe_integer(field: &'static str, value: u64) -> Result<(), RecordError> {
    const MAX_SAFE: u64 = (1 << 53) - 1;
    if value > MAX_SAFE {
        return Err(RecordError { field, problem: "is beyond what JavaScript holds exactly" });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row() -> Value {
        json!({
            "id": "a", "workspacePath": "/p", "kind": "fact", "text": "t", "tags": [],
            "sessionId": "s", "seq": 3, "createdAt": 1, "updatedAt": 2, "state": "active",
        })
    }

    #[test]
    fn a_row_round_trips_with_fields_of_a_newer_version() {
        let mut value = row();
        value["confidence"] = json!({ "by": "person" });
        let fact: Fact = serde_json::from_value(value.clone()).unwrap();
        assert_eq!(serde_json::to_value(&fact).unwrap(), value);
    }

    #[test]
    fn rows_from_before_tags_states_and_counters_parse() {
        let mut value = row();
        for field in ["tags", "state"] {
            value.as_object_mut().unwrap().remove(field);
        }
        let fact: Fact = serde_json::from_value(value).unwrap();
        assert_eq!((fact.tags.len(), fact.state, fact.access_count), (0, FactState::Active, None));
    }

    #[test]
    fn what_the_schema_forbids_does_not_validate() {
        let ok: Fact = serde_json::from_value(row()).unwrap();
        assert!(ok.validate().is_ok());
        let bad = Fact { text: String::new(), ..ok.clone() };
        assert_eq!(bad.validate().unwrap_err().to_string(), "field `text` is empty");
        let bad = Fact { updated_at: 1 << 53, ..ok };
        assert!(bad.validate().is_err());
    }

    #[test]
    fn the_record_schemas_are_the_contract() {
        insta::assert_json_snapshot!("fact_schema", schemars::schema_for!(Fact));
        insta::assert_json_snapshot!("profile_schema", schemars::schema_for!(Profile));
        insta::assert_json_snapshot!("proposal_schema", schemars::schema_for!(Proposal));
        insta::assert_json_snapshot!("alarm_schema", schemars::schema_for!(Alarm));
    }
}
