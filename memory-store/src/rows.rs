//! What is held in memory: rows by workspace, and the ones that cannot be read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use memory_core::{Alarm, Fact, Profile, Proposal, WorkspacePath};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::access::AccessLog;
use crate::domain::{Snapshot, Table};

/// A row that does not satisfy its schema. It stays in the unit as it is and
/// takes part in nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// The row's table.
    pub table: Table,
    /// The row's key.
    pub key: String,
    /// What is wrong with it, without its content.
    pub problem: String,
}

/// A fact and how often its content changed since the repository was opened.
#[derive(Clone, Debug)]
pub(crate) struct StoredFact {
    pub(crate) fact: Arc<Fact>,
    pub(crate) revision: u64,
}

/// Everything that one workspace holds.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    pub(crate) facts: BTreeMap<String, StoredFact>,
    /// Rows of table `profiles` that belong here: an older plugin may have
    /// written one for each spelling of the path. The first is written to.
    pub(crate) profiles: Vec<Profile>,
    pub(crate) proposals: BTreeMap<String, Proposal>,
    pub(crate) alarms: BTreeMap<String, Alarm>,
    /// Facts whose counters are ahead of the domain.
    pub(crate) touched: BTreeSet<String>,
}

impl Workspace {
    pub(crate) fn active_count(&self) -> usize {
        self.facts.values().filter(|stored| stored.fact.is_active()).count()
    }

    /// The entries of all its profile rows, each once, in order.
    pub(crate) fn profile_entries(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let entries = self.profiles.iter().flat_map(|profile| &profile.entries);
        entries.filter(|entry| seen.insert((*entry).clone())).cloned().collect()
    }
}

/// All rows.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    pub(crate) workspaces: BTreeMap<WorkspacePath, Workspace>,
    pub(crate) set_aside: Vec<SetAside>,
    /// Counters ahead of their rows; `None` when the slot for them is taken.
    pub(crate) access: Option<AccessLog>,
}

/// The distinct workspace paths that rows name, in order.
pub(crate) fn stored_paths(snapshot: &Snapshot) -> Vec<String> {
    let paths: BTreeSet<&str> = snapshot
        .rows
        .iter()
        .filter_map(|(_, _, row)| row.get("workspacePath").and_then(Value::as_str))
        .filter(|path| !path.is_empty())
        .collect();
    paths.into_iter().map(str::to_owned).collect()
}

impl Rows {
    /// Sorts a snapshot into workspaces. `real` gives the real path of a
    /// stored one, where the host knows it.
    pub(crate) fn from_snapshot(snapshot: Snapshot, real: &BTreeMap<String, String>) -> Self {
        let mut rows = Self { access: AccessLog::parse(&snapshot.global), ..Self::default() };
        for (table, key, value) in snapshot.rows {
            if let Err(problem) = rows.insert(table, &key, value, real) {
                rows.set_aside.push(SetAside { table, key, problem });
            }
        }
        for (path, workspace) in &mut rows.workspaces {
            // The row under the plain path first: it is the one that every
            // plugin finds.
            workspace.profiles.sort_by_key(|p| (p.workspace_path != path.as_str(), p.updated_at));
        }
        rows
    }

    /// Takes in that a fact's row was written with its counters.
    pub(crate) fn row_written(&mut self, fact: &Fact) {
        if let Some(access) = &mut self.access {
            access.row_written(&fact.id, fact.access_count.unwrap_or(0));
        }
    }

    fn home(
        &mut self,
        real: &BTreeMap<String, String>,
        stored: &str,
    ) -> Result<&mut Workspace, String> {
        let path = WorkspacePath::resolved(stored, real.get(stored).map(String::as_str))
            .ok_or("field `workspacePath` is empty")?;
        Ok(self.workspaces.entry(path).or_default())
    }

    fn insert(
        &mut self,
        table: Table,
        key: &str,
        value: Value,
        real: &BTreeMap<String, String>,
    ) -> Result<(), String> {
        match table {
            Table::Facts => {
                let mut fact: Fact = parse(value)?;
                fact.validate().map_err(|e| e.to_string())?;
                same_key(key, &fact.id)?;
                if let Some(access) = &self.access {
                    access.apply(&mut fact);
                }
                let stored = StoredFact { revision: 0, fact: Arc::new(fact) };
                self.home(real, &stored.fact.workspace_path)?.facts.insert(key.to_owned(), stored);
            }
            Table::Profiles => {
                let profile: Profile = parse(value)?;
                profile.validate().map_err(|e| e.to_string())?;
                same_key(key, &profile.workspace_path)?;
                self.home(real, &profile.workspace_path)?.profiles.push(profile);
            }
            Table::Proposals => {
                let proposal: Proposal = parse(value)?;
                proposal.validate().map_err(|e| e.to_string())?;
                same_key(key, &proposal.id)?;
                self.home(real, &proposal.workspace_path)?
                    .proposals
                    .insert(key.to_owned(), proposal);
            }
            Table::Alarms => {
                let alarm: Alarm = parse(value)?;
                alarm.validate().map_err(|e| e.to_string())?;
                same_key(key, &alarm.id)?;
                self.home(real, &alarm.workspace_path)?.alarms.insert(key.to_owned(), alarm);
            }
        }
        Ok(())
    }
}

/// The problem names the field where serde knows it, never the value.
fn parse<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| {
        let text = error.to_string();
        match text.split_once('`').and_then(|(head, tail)| {
            head.starts_with("missing field").then(|| tail.split('`').next().unwrap_or_default())
        }) {
            Some(field) => format!("field `{field}` is missing"),
            None => "a field has the wrong type or value".to_owned(),
        }
    })
}

fn same_key(key: &str, id: &str) -> Result<(), String> {
    if key == id { Ok(()) } else { Err("the row's key is not its id".to_owned()) }
}
