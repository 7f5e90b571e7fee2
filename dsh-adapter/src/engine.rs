//! The pump: messages in, effects and finished calls out.

use std::sync::{Arc, Mutex};

use futures::executor::{LocalPool, LocalSpawner};
use futures::task::LocalSpawnExt;
use memory_core::{Config, MemoryError, UnixMillis};
use memory_store::{Table, UNIT_NAME, UNIT_VERSION};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::caller::Origin;
use crate::compaction;
use crate::effect::{Effects, Fault, LogLine, Requested, lock};
use crate::events::Event;
use crate::proposals;
use crate::section;
use crate::tools::Toolbox;
use crate::web;

/// The session event after which counters are written.
const TURN_END: &str = "turn/end";

/// What the shim sends.
#[derive(Debug, Deserialize)]
#[serde(tag = "message", rename_all = "kebab-case")]
enum Message {
    /// A tool was called.
    Call { call: u64, tool: String, arguments: Value, origin: Origin },
    /// An effect is done.
    Settled {
        effect: u64,
        #[serde(default)]
        value: Value,
        error: Option<Fault>,
    },
    /// The host's storage domain can be used now.
    StorageReady,
    /// A session logged one of the events that the manifest asks for.
    SessionEvent {
        event: String,
        #[serde(default)]
        origin: Origin,
        #[serde(default)]
        data: Value,
    },
    /// A session ended; sent where the manifest asks for it.
    SessionEnded {
        #[serde(default)]
        origin: Origin,
        /// The newest messages, oldest first.
        #[serde(default)]
        tail: Vec<Event>,
    },
    /// The host's sessions and models can be used now; sent where the manifest
    /// asks for the end of sessions.
    CatchUp,
    /// The page asks for what is remembered; done as a call is, with the
    /// whole response as text.
    WebRequest { call: u64, request: web::Request },
    /// Write what is pending and close the domain, because the host stops or
    /// its storage goes away; done as a call is.
    Close { call: u64 },
}

/// What comes along with every message, because the engine has no clock and no
/// entropy of its own.
#[derive(Debug, Deserialize)]
struct Envelope {
    /// Ms since the epoch.
    now: UnixMillis,
    /// A fresh UUID.
    entropy: String,
    #[serde(flatten)]
    message: Message,
}

/// When and for whom the prompt section is.
#[derive(Debug, Deserialize)]
struct Moment {
    /// Ms since the epoch.
    now: UnixMillis,
    #[serde(flatten)]
    origin: Origin,
}

/// A call that is done: its text, or its error.
#[derive(Debug, Serialize)]
struct Done {
    call: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Refusal>,
}

#[derive(Debug, Serialize)]
struct Refusal {
    code: &'static str,
    message: String,
}

/// What came out of one message.
#[derive(Debug, Serialize)]
struct Outcome {
    effects: Vec<Requested>,
    done: Vec<Done>,
    log: Vec<LogLine>,
}

/// The plugin's inside, free of any host: one for each mounted plugin row.
pub struct Engine {
    pool: LocalPool,
    spawner: LocalSpawner,
    toolbox: Arc<Toolbox>,
    done: Arc<Mutex<Vec<Done>>>,
    warnings: Vec<String>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("warnings", &self.warnings).finish_non_exhaustive()
    }
}

impl Engine {
    /// An engine for a configuration block, as JSON text (`null` for none).
    ///
    /// # Errors
    /// A sentence naming every configuration value that cannot be used.
    pub fn new(config: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(config).map_err(|error| error.to_string())?;
        let loaded = Config::load(&value).map_err(|error| error.to_string())?;
        let pool = LocalPool::new();
        Ok(Self {
            spawner: pool.spawner(),
            pool,
            toolbox: Arc::new(Toolbox::new(loaded.config, Effects::default())),
            done: Arc::default(),
            warnings: loaded.warnings,
        })
    }

    /// What the shim registers with the host, as JSON: the tools, the prompt
    /// section, the storage domain, the session events it wants, and warnings about the configuration.
    pub fn manifest(&self) -> String {
        let section = self
            .toolbox
            .config
            .inject_profile
            .then(|| json!({ "name": section::NAME, "order": section::ORDER }));
        json!({
            "tools": self.toolbox.manifest(),
            "section": section,
            "domain": {
                "name": UNIT_NAME,
                "version": UNIT_VERSION,
                "tables": Table::ALL.map(Table::name),
                "global": { "initialized": true },
            },
            "events": self.events(),
            "sessionEnd": proposals::wanted(&self.toolbox.config),
            "route": web::PATH,
            "warnings": self.warnings,
        })
        .to_string()
    }

    fn events(&self) -> Vec<&'static str> {
        let guard = self.toolbox.config.compaction_guard.then_some(compaction::SUMMARY);
        std::iter::once(TURN_END).chain(guard).collect()
    }

    /// Takes one message and returns what came out, both as JSON.
    ///
    /// # Errors
    /// When the message is not of the protocol; nothing happened then.
    pub fn handle(&mut self, message: &str) -> Result<String, String> {
        let envelope: Envelope =
            serde_json::from_str(message).map_err(|e| format!("not a message: {e}"))?;
        self.toolbox.effects.refresh(envelope.now, &envelope.entropy);
        match envelope.message {
            Message::Call { call, tool, arguments, origin } => {
                let toolbox = Arc::clone(&self.toolbox);
                self.spawn(call, async move {
                    toolbox.run(call, &tool, arguments, origin.caller()).await
                });
            }
            Message::Settled { effect, value, error } => {
                self.toolbox.effects.settle(effect, error.map_or(Ok(value), Err));
            }
            Message::StorageReady => {
                let toolbox = Arc::clone(&self.toolbox);
                self.spawn_quietly(async move {
                    if let Err(error) = toolbox.memory.get().await {
                        toolbox.effects.warn(format!("memory is offline: {error}"));
                    }
                });
            }
            // A turn is over and nobody waits.
            Message::SessionEvent { event, origin, .. } if event == TURN_END => {
                let toolbox = Arc::clone(&self.toolbox);
                self.spawn_quietly(async move {
                    toolbox.memory.flush_counters().await;
                    proposals::turn_ended(&toolbox, &origin).await;
                });
            }
            Message::SessionEvent { event, origin, data } if event == compaction::SUMMARY => {
                let summary = serde_json::from_value(data).unwrap_or_default();
                let toolbox = Arc::clone(&self.toolbox);
                self.spawn_quietly(compaction::watch(toolbox, origin, summary));
            }
            Message::SessionEvent { .. } => {}
            Message::SessionEnded { origin, tail } => {
                self.spawn_quietly(proposals::at_end(Arc::clone(&self.toolbox), origin, tail));
            }
            Message::CatchUp => {
                self.spawn_quietly(proposals::catch_up(Arc::clone(&self.toolbox)));
            }
            Message::WebRequest { call, request } => {
                let toolbox = Arc::clone(&self.toolbox);
                self.spawn(call, async move { Ok(web::respond(&toolbox, &request).await) });
            }
            Message::Close { call } => {
                let toolbox = Arc::clone(&self.toolbox);
                self.spawn(call, async move {
                    toolbox.memory.close().await.map(|()| "closed".to_owned())
                });
            }
        }
        self.pool.run_until_stalled();
        let (effects, log) = self.toolbox.effects.drain();
        let done = std::mem::take(&mut *lock(&self.done));
        serde_json::to_string(&Outcome { effects, done, log }).map_err(|error| error.to_string())
    }

    /// The text of the prompt section for a session, from its origin and the
    /// time (`now`) as JSON.
    /// Empty while the memory is not open: it never waits for storage.
    pub fn section(&self, origin: &str) -> String {
        let Ok(Moment { now, origin }) = serde_json::from_str(origin) else {
            return String::new();
        };
        self.toolbox.effects.set_now(now);
        let (Some(workspace), Some(memory)) = (origin.workspace(), self.toolbox.memory.current())
        else {
            return String::new();
        };
        let profile = memory.repository.profile(&workspace);
        let profile = section::render(&workspace, &profile, &self.toolbox.config);
        let alarms = compaction::block(&self.toolbox, &workspace);
        let proposals = proposals::block(&self.toolbox, &workspace);
        let blocks: Vec<_> =
            [profile, proposals, alarms].into_iter().filter(|b| !b.is_empty()).collect();
        blocks.join("\n\n")
    }

    fn spawn(&self, call: u64, work: impl Future<Output = Result<String, MemoryError>> + 'static) {
        let done = Arc::clone(&self.done);
        self.spawn_quietly(async move {
            let done_call = match work.await {
                Ok(text) => Done { call, text: Some(text), error: None },
                Err(error) => {
                    let (code, message) = (error.code().as_str(), error.to_string());
                    Done { call, text: None, error: Some(Refusal { code, message }) }
                }
            };
            lock(&done).push(done_call);
        });
    }

    fn spawn_quietly(&self, work: impl Future<Output = ()> + 'static) {
        // Fails only when the pool is gone, and the pool lives in `self`.
        drop(self.spawner.spawn_local(work));
    }
}
