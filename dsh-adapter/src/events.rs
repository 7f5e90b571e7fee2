//! Events of a session's log, as far as this plugin reads them.

use memory_guard::mask;
use serde::Deserialize;
use serde_json::Value;

/// The events that hold what a person or the assistant said.
pub(crate) const MESSAGES: [&str; 2] = [USER, ASSISTANT];

/// What a tool printed.
pub(crate) const TOOL_RESULT: &str = "tool/result";

const USER: &str = "user/message";
const ASSISTANT: &str = "assistant/message";

/// One event; fields that nobody here reads are left out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Event {
    pub(crate) seq: u64,
    pub(crate) r#type: String,
    pub(crate) data: Value,
}

impl Event {
    /// Who said it, as a reader is told.
    pub(crate) fn speaker(&self) -> &'static str {
        match self.r#type.as_str() {
            USER if self.is_injected() => "context",
            USER => "person",
            ASSISTANT => "assistant",
            TOOL_RESULT => "tool",
            _ => "log",
        }
    }

    /// Whether a person or the assistant said it; context that a plugin put in
    /// is nobody's words.
    pub(crate) fn is_said(&self) -> bool {
        self.r#type == ASSISTANT || (self.r#type == USER && !self.is_injected())
    }

    fn is_injected(&self) -> bool {
        self.data["source"]["kind"].as_str().is_some_and(|kind| kind != "user")
    }

    /// Its text blocks, each by itself.
    pub(crate) fn texts(&self) -> Vec<&str> {
        let mut out = Vec::new();
        push_texts(&self.data["message"]["content"], &mut out);
        push_texts(&self.data["content"], &mut out);
        out
    }

    /// Its whole text on one value, secrets masked. Masked before anything is
    /// cut from it: half a secret is no longer recognised.
    pub(crate) fn masked(&self) -> String {
        mask(&self.texts().join("\n")).trim().to_owned()
    }
}

/// The texts of content blocks, also inside tool results.
pub(crate) fn push_texts<'a>(content: &'a Value, out: &mut Vec<&'a str>) {
    match content {
        Value::String(text) => out.push(text),
        Value::Array(blocks) => {
            for block in blocks {
                match block["type"].as_str() {
                    Some("text") => push_texts(&block["text"], out),
                    Some("tool-result") => push_texts(&block["content"], out),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(kind: &str, data: Value) -> Event {
        Event { seq: 1, r#type: kind.into(), data }
    }

    #[test]
    fn the_text_of_every_shape_is_read() {
        let block =
            json!([{ "type": "text", "text": "said" }, { "type": "reasoning", "text": "no" }]);
        assert_eq!(event("user/message", json!({ "content": block })).texts(), ["said"]);
        let message = json!({ "message": { "content": block } });
        assert_eq!(event("assistant/message", message).texts(), ["said"]);
        let result = json!([{ "type": "tool-result", "content": block }]);
        let result = event("tool/result", json!({ "message": { "content": result } }));
        assert_eq!(result.texts(), ["said"]);
        assert!(event("turn/end", json!({ "reason": "completed" })).texts().is_empty());
    }

    #[test]
    fn context_that_a_plugin_put_in_is_nobodys_words() {
        let by = |kind: &str| event("user/message", json!({ "source": { "kind": kind } }));
        assert!(by("user").is_said());
        assert!(!by("plugin").is_said());
        assert!(event("user/message", json!({})).is_said());
        assert!(!event("tool/result", json!({})).is_said());
        assert_eq!(by("plugin").speaker(), "context");
    }
}
