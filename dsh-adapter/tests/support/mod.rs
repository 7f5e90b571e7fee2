//! A host that performs the engine's effects in memory, step by step.

#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]
#![allow(clippy::needless_pass_by_value, reason = "`json!` values are written in place")]

pub mod history;
pub mod mirror;

use std::collections::{BTreeMap, VecDeque};

use dsh_adapter::Engine;
use serde_json::{Value, json};

pub const NOW: u64 = 1_760_000_000_000;

pub struct Host {
    pub engine: Engine,
    /// Rows by table and key, as the storage domain holds them.
    pub rows: BTreeMap<(String, String), Value>,
    /// The unit's global slot.
    pub global: Value,
    /// Whether the host has a storage domain; else opening fails with this code.
    pub storage_fault: Option<(&'static str, &'static str)>,
    /// The next puts fail with these words.
    pub put_faults: VecDeque<&'static str>,
    /// Outcomes of the next asks; `allowed-once` when there are no more.
    pub answers: VecDeque<&'static str>,
    /// Every reason that a person was shown.
    pub asks: Vec<String>,
    /// Effects that wait, in order.
    pub waiting: VecDeque<Value>,
    /// Calls that are done.
    pub done: BTreeMap<u64, Result<String, String>>,
    pub log: Vec<String>,
    pub puts: usize,
    pub now: u64,
    pub cwd: String,
    pub session: String,
    /// Whether the session is a subagent's.
    pub delegated: bool,
    pub mirror: mirror::Mirror,
    /// What `real-paths` answers; other paths are as they are.
    pub links: BTreeMap<String, String>,
    /// Past sessions, newest first; see [`past`].
    pub sessions: Vec<Value>,
    /// The code with which the session query fails.
    pub query_fault: Option<&'static str>,
    /// Every full-text query that was asked.
    pub queries: Vec<Value>,
    /// What the model answers next; it fails when there is nothing more.
    pub model_answers: VecDeque<String>,
    /// Every call of the model.
    pub model_calls: Vec<Value>,
    calls: u64,
    entropy: u128,
}

impl Host {
    pub fn new() -> Self {
        Self::with(json!(null))
    }

    pub fn with(config: Value) -> Self {
        Self {
            engine: Engine::new(&config.to_string()).unwrap(),
            rows: BTreeMap::new(),
            global: Value::Null,
            storage_fault: None,
            put_faults: VecDeque::new(),
            answers: VecDeque::new(),
            asks: Vec::new(),
            waiting: VecDeque::new(),
            done: BTreeMap::new(),
            log: Vec::new(),
            puts: 0,
            now: NOW,
            cwd: "/work/app".into(),
            session: "s-1".into(),
            delegated: false,
            mirror: mirror::Mirror::default(),
            links: BTreeMap::new(),
            sessions: Vec::new(),
            query_fault: None,
            queries: Vec::new(),
            model_answers: VecDeque::new(),
            model_calls: Vec::new(),
            calls: 0,
            entropy: 0x1000,
        }
    }

    /// Another run of the host over the same rows.
    pub fn restarted(&self, config: Value) -> Self {
        Self { rows: self.rows.clone(), global: self.global.clone(), ..Self::with(config) }
    }

    /// Calls a tool and performs what it asks for until it is done.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Result<String, String> {
        let call = self.start(tool, arguments);
        self.finish(call)
    }

    /// Calls a tool and performs nothing yet.
    pub fn start(&mut self, tool: &str, arguments: Value) -> u64 {
        self.calls += 1;
        let origin = self.origin();
        self.send(json!({
            "message": "call", "call": self.calls, "tool": tool, "arguments": arguments,
            "origin": origin,
        }));
        self.calls
    }

    pub fn finish(&mut self, call: u64) -> Result<String, String> {
        while !self.done.contains_key(&call) {
            let effect = self.waiting.pop_front().expect("the call waits for nothing");
            self.perform(&effect);
        }
        self.done.remove(&call).unwrap()
    }

    /// Performs the first waiting effect of a kind and leaves the others.
    pub fn perform_next(&mut self, kind: &str) {
        let at = self.waiting.iter().position(|e| e["kind"] == kind).expect("no such effect");
        let effect = self.waiting.remove(at).unwrap();
        self.perform(&effect);
    }

    pub fn turn_end(&mut self) {
        let origin = self.origin();
        self.send(json!({ "message": "session-event", "event": "turn/end", "origin": origin }));
        self.settle_all();
    }

    pub fn settle_all(&mut self) {
        while let Some(effect) = self.waiting.pop_front() {
            self.perform(&effect);
        }
    }

    pub fn storage_ready(&mut self) {
        self.send(json!({ "message": "storage-ready" }));
        self.settle_all();
    }

    pub fn close(&mut self) -> Result<String, String> {
        self.calls += 1;
        self.send(json!({ "message": "close", "call": self.calls }));
        self.finish(self.calls)
    }

    pub fn section(&self) -> String {
        let mut moment = self.origin();
        moment["now"] = json!(self.now);
        self.engine.section(&moment.to_string())
    }

    pub fn put_row(&mut self, table: &str, key: &str, row: Value) {
        self.rows.insert((table.into(), key.into()), row);
    }

    pub fn facts(&self) -> Vec<&Value> {
        self.rows.iter().filter(|((table, _), _)| table == "facts").map(|(_, row)| row).collect()
    }

    pub fn origin(&self) -> Value {
        json!({
            "sessionId": self.session, "delegated": self.delegated, "cwd": self.cwd, "realCwd": self.links.get(&self.cwd),
            "messages": [
                { "seq": 5, "role": "assistant", "chars": 0 },
                { "seq": 3, "role": "user", "source": "user", "chars": 20 },
            ],
            "events": 7,
        })
    }

    pub fn send(&mut self, mut message: Value) {
        self.entropy += 0x1_0000;
        message["now"] = json!(self.now);
        message["entropy"] = json!(uuid::Uuid::from_u128(self.entropy).to_string());
        let outcome = self.engine.handle(&message.to_string()).unwrap();
        let outcome: Value = serde_json::from_str(&outcome).unwrap();
        self.waiting.extend(outcome["effects"].as_array().unwrap().iter().cloned());
        for done in outcome["done"].as_array().unwrap() {
            let result = match done["text"].as_str() {
                Some(text) => Ok(text.to_owned()),
                None => Err(done["error"]["message"].as_str().unwrap().to_owned()),
            };
            self.done.insert(done["call"].as_u64().unwrap(), result);
        }
        let lines = outcome["log"].as_array().unwrap().iter();
        self.log.extend(lines.map(|line| line["text"].as_str().unwrap().to_owned()));
    }

    fn perform(&mut self, effect: &Value) {
        let fault = |(code, message)| json!({ "error": { "code": code, "message": message } });
        let mut settled = match effect["kind"].as_str().unwrap() {
            "open" => self.storage_fault.map_or_else(
                || {
                    let rows = self.rows.iter().map(|((t, k), v)| json!([t, k, v]));
                    let rows: Vec<_> = rows.collect();
                    json!({ "value": { "rows": rows, "global": self.global } })
                },
                fault,
            ),
            "put" => {
                if let Some(why) = self.put_faults.pop_front() {
                    fault(("", why))
                } else {
                    let part = |name: &str| effect[name].as_str().unwrap().to_owned();
                    self.rows.insert((part("table"), part("key")), effect["value"].clone());
                    self.puts += 1;
                    json!({ "value": null })
                }
            }
            "put-global" => {
                self.global = effect["value"].clone();
                self.puts += 1;
                json!({ "value": null })
            }
            "ask" => {
                self.asks.push(effect["reason"].as_str().unwrap().to_owned());
                match self.answers.pop_front().unwrap_or("allowed-once") {
                    "throw" => fault(("", "outside an open turn")),
                    outcome => json!({ "value": outcome }),
                }
            }
            "real-paths" => {
                let paths = effect["paths"].as_array().unwrap().iter();
                let real = paths.map(|p| json!(self.links.get(p.as_str().unwrap())));
                json!({ "value": real.collect::<Vec<_>>() })
            }
            "mirror" => self.mirror.perform(effect),
            "distil" => {
                self.model_calls.push(effect.clone());
                match self.model_answers.pop_front() {
                    Some(answer) => json!({ "value": answer }),
                    None => fault(("", "the model is away")),
                }
            }
            "close" => json!({ "value": null }),
            "search-sessions" | "list-sessions" | "scan-session" | "read-session" => {
                match self.query_fault {
                    Some(code) => fault((code, "as the test says")),
                    None => match history::perform(self, effect) {
                        Some(value) => json!({ "value": value }),
                        None => fault(("SESSION_QUERY_SESSION_NOT_FOUND", "none")),
                    },
                }
            }
            other => panic!("unknown effect {other}"),
        };
        settled["message"] = json!("settled");
        settled["effect"] = effect["id"].clone();
        self.send(settled);
    }
}

/// The id in an answer like `stored fact <id> [fact] …`.
pub fn id_in(answer: &str) -> String {
    let words: Vec<_> = answer.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "fact").unwrap();
    words[at + 1].trim_end_matches(',').to_owned()
}
