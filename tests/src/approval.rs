//! A person's answers to asks, given by rules.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use serde_json::json;

/// What comes of an ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// A person allows this one action.
    AllowedOnce,
    /// A person says no.
    Rejected,
    /// The turn was interrupted.
    Cancelled,
    /// Nobody can answer.
    Unavailable,
    /// The answerer throws an error.
    Throws,
}

impl Outcome {
    /// The host's word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AllowedOnce => "allowed-once",
            Self::Rejected => "rejected",
            Self::Cancelled => "cancelled",
            Self::Unavailable => "unavailable",
            Self::Throws => "throws",
        }
    }
}

/// One rule. The first that fits an ask answers it; where none fits, the ask
/// goes on to the host's own answerers.
#[derive(Clone, Debug)]
pub struct Answer {
    outcome: Outcome,
    contains: String,
    times: Option<u32>,
    after: Duration,
}

impl Answer {
    /// Answers every ask with this outcome.
    pub fn new(outcome: Outcome) -> Self {
        Self { outcome, contains: String::new(), times: None, after: Duration::ZERO }
    }

    /// Allows.
    pub fn allow() -> Self {
        Self::new(Outcome::AllowedOnce)
    }

    /// Rejects.
    pub fn reject() -> Self {
        Self::new(Outcome::Rejected)
    }

    /// Fits only asks whose reason contains this text.
    #[must_use]
    pub fn when(mut self, text: impl Into<String>) -> Self {
        self.contains = text.into();
        self
    }

    /// Fits the next ask only.
    #[must_use]
    pub fn once(mut self) -> Self {
        self.times = Some(1);
        self
    }

    /// Answers after a while.
    #[must_use]
    pub fn after(mut self, delay: Duration) -> Self {
        self.after = delay;
        self
    }

    /// For the answerer plugin.
    pub(crate) fn rule(&self) -> Value {
        json!({
            "outcome": self.outcome.as_str(),
            "contains": self.contains,
            "times": self.times,
            "afterMs": u64::try_from(self.after.as_millis()).unwrap_or(u64::MAX),
        })
    }
}

/// An ask as the answerer saw it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ask {
    /// The tool that asked.
    pub tool_name: String,
    /// What a person reads.
    #[serde(default)]
    pub reason: String,
    /// The tool call that asked.
    #[serde(default)]
    pub call_id: String,
    /// What was answered.
    pub outcome: Outcome,
}
