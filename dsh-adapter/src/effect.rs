//! What the engine asks of its host, and how the answer finds the asker.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::channel::oneshot;
use memory_core::{Clock, IdSource, UnixMillis};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::mirror::MirrorStep;

/// Something that only the host can do.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Effect {
    /// Open the storage domain if need be, and return
    /// `{ rows: [[table, key, row], …], global }`.
    Open,
    /// Put one row, durably.
    Put { table: &'static str, key: String, value: Value },
    /// Replace the unit's global slot, durably.
    PutGlobal { value: Value },
    /// Close the storage domain.
    Close,
    /// Ask a person about the tool call; the answer is an outcome.
    Ask { call: u64, tool: &'static str, reason: String },
    /// A page of the full-text search over sessions:
    /// `{ hits: [{ session, createdAt, seq }], cursor }`.
    SearchSessions {
        call: u64,
        query: String,
        types: Vec<&'static str>,
        cwds: Vec<String>,
        limit: usize,
        cursor: Option<String>,
    },
    /// The sessions of these folders, newest first: `[{ session, createdAt }]`.
    ListSessions { call: u64, cwds: Vec<String> },
    /// The places of the events of one session that hold a text literally: `[seq]`.
    ScanSession { call: u64, session: String, types: Vec<&'static str>, text: String },
    /// Events of one session, of some types; all of them, or so many up to and
    /// after a place: `{ session, createdAt, cwd, length, events }`.
    ReadSession {
        call: u64,
        session: String,
        types: Vec<&'static str>,
        around: Option<u64>,
        before: usize,
        after: usize,
    },
    /// One step of writing the mirror of this workspace.
    Mirror {
        workspace: String,
        #[serde(flatten)]
        step: MirrorStep,
    },
    /// The text that a model answers to one message.
    Distil {
        provider: String,
        model: String,
        #[serde(rename = "maxTokens")]
        max_tokens: u64,
        system: &'static str,
        text: String,
        /// In ms.
        #[serde(rename = "timeLimit")]
        time_limit: u32,
    },
    /// For each path its real path, or null.
    RealPaths { paths: Vec<String> },
}

/// An effect that failed, as the host reported it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Fault {
    /// The host's error code, e.g. `version-mismatch`, where it has one.
    #[serde(default)]
    pub(crate) code: String,
    /// The host's words.
    #[serde(default)]
    pub(crate) message: String,
}

/// A line for the host's log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct LogLine {
    level: &'static str,
    text: String,
}

/// An effect with the number under which its outcome comes back.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Requested {
    id: u64,
    #[serde(flatten)]
    effect: Effect,
}

/// The outgoing half of the boundary, shared by all calls; also the clock and
/// the source of ids, both fed by the messages that come in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    last_id: AtomicU64,
    requested: Mutex<Vec<Requested>>,
    waiting: Mutex<BTreeMap<u64, oneshot::Sender<Result<Value, Fault>>>>,
    log: Mutex<Vec<LogLine>>,
    now: AtomicU64,
    entropy: Mutex<u128>,
}

impl Effects {
    /// Performs an effect and waits for its outcome.
    pub(crate) async fn perform(&self, effect: Effect) -> Result<Value, Fault> {
        let (sender, receiver) = oneshot::channel();
        let id = self.0.last_id.fetch_add(1, Ordering::Relaxed) + 1;
        lock(&self.0.waiting).insert(id, sender);
        lock(&self.0.requested).push(Requested { id, effect });
        receiver.await.unwrap_or_else(|_| {
            Err(Fault { code: "closed".to_owned(), message: "the engine was stopped".to_owned() })
        })
    }

    /// Hands an outcome to whoever waits for it; a late or foreign one is dropped.
    pub(crate) fn settle(&self, id: u64, outcome: Result<Value, Fault>) {
        if let Some(sender) = lock(&self.0.waiting).remove(&id) {
            // The asker may have gone away.
            drop(sender.send(outcome));
        }
    }

    /// Writes a warning to the host's log. Must hold no unmasked content.
    pub(crate) fn warn(&self, text: impl Into<String>) {
        lock(&self.0.log).push(LogLine { level: "warn", text: text.into() });
    }

    /// Takes in the time.
    pub(crate) fn set_now(&self, now: UnixMillis) {
        self.0.now.store(now, Ordering::Relaxed);
    }

    /// Takes in what a message brings along: the time and fresh entropy.
    pub(crate) fn refresh(&self, now: UnixMillis, entropy: &str) {
        self.set_now(now);
        if let Ok(id) = Uuid::parse_str(entropy) {
            *lock(&self.0.entropy) = id.as_u128();
        }
    }

    /// What came out since the last time.
    pub(crate) fn drain(&self) -> (Vec<Requested>, Vec<LogLine>) {
        (std::mem::take(&mut *lock(&self.0.requested)), std::mem::take(&mut *lock(&self.0.log)))
    }
}

impl Clock for Effects {
    fn now(&self) -> UnixMillis {
        self.0.now.load(Ordering::Relaxed)
    }
}

impl IdSource for Effects {
    /// A UUID v4 from the entropy of the newest message; several ids within
    /// one message are told apart by counting on from it.
    fn new_id(&self) -> String {
        let mut entropy = lock(&self.0.entropy);
        let bytes = entropy.to_be_bytes();
        *entropy = entropy.wrapping_add(1);
        uuid::Builder::from_random_bytes(bytes).into_uuid().to_string()
    }
}

/// Sections under these locks are short and do not panic.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
