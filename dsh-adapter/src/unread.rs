//! Sessions in which a person's turn ended and from which no proposals were
//! distilled yet. Most hosts end their sessions only when they stop, and have
//! no time for a model then; so the list is kept in the unit, and what is left
//! over is read at the next start.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use memory_core::{Clock as _, UnixMillis};
use serde_json::json;

use crate::effect::lock;
use crate::tools::Toolbox;

/// Name of the note: `{ "<session>": [attempts, time of its last turn] }`.
const NOTE: &str = "unread";

/// Most sessions that are kept; the oldest are dropped.
const MOST: usize = 32;

/// How often a session is tried before it is given up.
const MOST_ATTEMPTS: u64 = 3;

type Sessions = BTreeMap<String, (u64, UnixMillis)>;

/// The sessions that this host knows to be unread, beside those of the note.
#[derive(Debug, Default)]
pub(crate) struct Unread(Mutex<BTreeSet<String>>);

impl Unread {
    /// Notes that something new was said.
    pub(crate) async fn note_turn(&self, toolbox: &Toolbox, session: &str) {
        if lock(&self.0).insert(session.to_owned()) {
            let now = toolbox.effects.now();
            change(toolbox, |sessions| {
                sessions.insert(session.to_owned(), (0, now));
                while sessions.len() > MOST {
                    let oldest = sessions.iter().min_by_key(|(_, (_, at))| *at);
                    let Some(oldest) = oldest.map(|(id, _)| id.clone()) else { break };
                    sessions.remove(&oldest);
                }
            })
            .await;
        }
    }

    /// Whether a session that ends is unread; it counts as read from now on.
    pub(crate) fn take(&self, session: &str) -> bool {
        lock(&self.0).remove(session)
    }

    /// The sessions that another run of the host left, oldest first; those
    /// beyond the age of a proposal are given up.
    pub(crate) async fn left_over(&self, toolbox: &Toolbox) -> Vec<String> {
        let Ok(memory) = toolbox.memory.get().await else { return Vec::new() };
        let ttl = crate::proposals::limits(&toolbox.config).ttl;
        let now = toolbox.effects.now();
        change(toolbox, |sessions| sessions.retain(|_, (_, at)| now.saturating_sub(*at) <= ttl))
            .await;
        let noted = read(memory.repository.note(NOTE));
        let live = lock(&self.0);
        let mut left: Vec<_> = noted.into_iter().filter(|(id, _)| !live.contains(id)).collect();
        left.sort_by_key(|(_, (_, at))| *at);
        left.into_iter().map(|(id, _)| id).collect()
    }

    /// Notes that a session was read, unless something new was said since.
    pub(crate) async fn done(&self, toolbox: &Toolbox, session: &str) {
        if !lock(&self.0).contains(session) {
            change(toolbox, |sessions| {
                sessions.remove(session);
            })
            .await;
        }
    }

    /// Notes that reading failed.
    pub(crate) async fn failed(&self, toolbox: &Toolbox, session: &str) {
        change(toolbox, |sessions| {
            if let Some((attempts, _)) = sessions.get_mut(session) {
                *attempts += 1;
                if *attempts >= MOST_ATTEMPTS {
                    sessions.remove(session);
                }
            }
        })
        .await;
    }
}

fn read(note: Option<serde_json::Value>) -> Sessions {
    note.and_then(|note| serde_json::from_value(note).ok()).unwrap_or_default()
}

/// A memory that is not open, or cannot be written, loses no more than a
/// proposal.
async fn change(toolbox: &Toolbox, change: impl FnOnce(&mut Sessions)) {
    let Ok(memory) = toolbox.memory.get().await else { return };
    let changed = memory.repository.change_note(NOTE, |note| {
        let mut sessions = read(note);
        change(&mut sessions);
        (!sessions.is_empty()).then(|| json!(sessions))
    });
    if let Err(error) = changed.await {
        toolbox.effects.warn(format!("the list of unread sessions was not written: {error}"));
    }
}
