//! Who calls a tool: a session in a workspace, and what was said last.

use memory_core::{Citation, ErrorCode, MemoryError, WorkspacePath};
use serde::Deserialize;

/// A call's origin as the shim reads it off the host's execution context.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Origin {
    /// Id of the calling agent's session; `None` when the call has no agent.
    session_id: Option<String>,
    /// The session's working directory as its header spells it.
    cwd: Option<String>,
    /// Its real path, where it exists.
    real_cwd: Option<String>,
    /// The newest messages of the session, newest first.
    messages: Vec<Message>,
    /// How many events the session's log has.
    events: u64,
    /// Whether an agent of another session started it.
    delegated: bool,
}

/// One message of a session, without its content.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Message {
    seq: u64,
    /// `user` or `assistant`.
    role: String,
    /// Who wrote a user message: `user`, or a plugin that injected context.
    source: Option<String>,
    /// Length of its text.
    chars: u64,
}

/// A citation as people and models read it. The host's session ids already
/// begin with the word.
pub(crate) fn cited(citation: &Citation) -> String {
    let word = if citation.session_id.starts_with("session") { "" } else { "session " };
    format!("{word}{citation}")
}

/// A caller that may use the memory of one workspace.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    pub(crate) workspace: WorkspacePath,
    pub(crate) citation: Citation,
    /// The folder as the session spells it, and its real path where that
    /// differs: the spellings under which the host lists its sessions.
    pub(crate) folders: Vec<String>,
}

impl Origin {
    /// The session's id, where there is one.
    pub(crate) fn session(&self) -> Option<&str> {
        self.session_id.as_deref().filter(|id| !id.is_empty())
    }

    /// Whether the session is a person's own, and not a subagent's.
    pub(crate) fn is_persons_own(&self) -> bool {
        !self.delegated
    }

    /// The workspace alone; for the prompt section.
    pub(crate) fn workspace(&self) -> Option<WorkspacePath> {
        WorkspacePath::resolved(self.cwd.as_deref()?, self.real_cwd.as_deref())
    }

    /// The caller, with the citation that a write of this call carries: the
    /// newest message of a person or of the assistant that holds text. It is
    /// read when the call begins, before an ask adds events of its own, so
    /// its neighbourhood is what led to the write.
    ///
    /// # Errors
    /// `MEMORY_MISSING_AGENT` and `MEMORY_UNAUTHORIZED`.
    pub(crate) fn caller(&self) -> Result<Caller, MemoryError> {
        let Some(session_id) = self.session().map(str::to_owned) else {
            return Err(MemoryError::new(
                ErrorCode::MissingAgent,
                "the call comes from no agent, so there is no session to cite",
            )
            .advise("call the tool from within a session"));
        };
        let Some(workspace) = self.workspace() else {
            return Err(MemoryError::new(
                ErrorCode::Unauthorized,
                "the session has no working directory, so it belongs to no workspace",
            )
            .advise("start the session in a folder"));
        };
        let said = |message: &&Message| match message.role.as_str() {
            "assistant" => true,
            // Context that a plugin injected is not what somebody said.
            _ => message.source.as_deref().is_none_or(|source| source == "user"),
        };
        let mut messages = self.messages.iter().filter(said);
        let seq = messages
            .clone()
            .find(|message| message.chars > 0)
            .or_else(|| messages.next())
            .map_or_else(|| self.events.saturating_sub(1), |message| message.seq);
        let mut folders: Vec<_> =
            [&self.cwd, &self.real_cwd].into_iter().flatten().cloned().collect();
        folders.dedup();
        Ok(Caller { workspace, citation: Citation { session_id, seq }, folders })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn seq(messages: &serde_json::Value) -> u64 {
        let origin: Origin = serde_json::from_value(json!({
            "sessionId": "s", "cwd": "/p", "messages": messages, "events": 9,
        }))
        .unwrap();
        origin.caller().unwrap().citation.seq
    }

    #[test]
    fn the_citation_is_the_newest_message_with_text() {
        assert_eq!(
            seq(&json!([
                { "seq": 7, "role": "user", "source": "plugin", "chars": 90 },
                { "seq": 6, "role": "assistant", "chars": 0 },
                { "seq": 3, "role": "user", "source": "user", "chars": 12 },
            ])),
            3
        );
    }

    #[test]
    fn without_text_it_is_the_newest_message_and_else_the_newest_event() {
        assert_eq!(seq(&json!([{ "seq": 6, "role": "assistant", "chars": 0 }])), 6);
        assert_eq!(seq(&json!([])), 8);
    }

    #[test]
    fn a_call_needs_an_agent_and_a_folder() {
        let code =
            |value| serde_json::from_value::<Origin>(value).unwrap().caller().unwrap_err().code();
        assert_eq!(code(json!({ "cwd": "/p" })), ErrorCode::MissingAgent);
        assert_eq!(code(json!({ "sessionId": "s" })), ErrorCode::Unauthorized);
        assert_eq!(code(json!({ "sessionId": "s", "cwd": "" })), ErrorCode::Unauthorized);
    }
}
