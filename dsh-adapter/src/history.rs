//! The host's session history: search, and reading one session's log.

use memory_core::{ErrorCode, MemoryError, UnixMillis, WorkspacePath};
use memory_guard::{mask, reveal};
use memory_store::PathResolver as _;
use serde::Deserialize;
use serde_json::Value;

use crate::effect::{Effect, Fault};
use crate::events::{Event, MESSAGES};
use crate::tools::Call;

/// What an error says of a call that was stopped from outside.
pub(crate) const STOPPED: &str = "the call was stopped before it was done";

/// A session that the host lists.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Listed {
    pub(crate) session: String,
    #[serde(default)]
    pub(crate) created_at: UnixMillis,
}

/// A session that a search found, with its best event.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Hit {
    #[serde(flatten)]
    pub(crate) listed: Listed,
    pub(crate) seq: u64,
}

/// One page of a search.
#[derive(Debug, Deserialize)]
pub(crate) struct Page {
    pub(crate) hits: Vec<Hit>,
    pub(crate) cursor: Option<String>,
}

/// Events read from a session of the caller's own workspace.
#[derive(Debug, Deserialize)]
pub(crate) struct Log {
    cwd: Option<String>,
    /// How many events the whole log has.
    pub(crate) length: u64,
    pub(crate) events: Vec<Event>,
}

/// Which events of a log to read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Window {
    /// All.
    Whole,
    /// So many up to a place, itself included, and so many after it.
    Around { seq: u64, before: usize, after: usize },
}

/// One page of sessions of the caller's workspace in which an event of these
/// types matches.
pub(crate) async fn search(
    call: &Call<'_>,
    query: &str,
    types: &[&'static str],
    limit: usize,
    cursor: Option<String>,
) -> Result<Page, MemoryError> {
    let effect = Effect::SearchSessions {
        call: call.id,
        query: query.to_owned(),
        types: types.to_vec(),
        cwds: call.caller.folders.clone(),
        limit,
        cursor,
    };
    perform(call, effect).await
}

/// The sessions of the caller's workspace, newest first.
pub(crate) async fn sessions(call: &Call<'_>) -> Result<Vec<Listed>, MemoryError> {
    perform(call, Effect::ListSessions { call: call.id, cwds: call.caller.folders.clone() }).await
}

/// Where in a session a text stands literally.
pub(crate) async fn scan(
    call: &Call<'_>,
    session: &str,
    text: &str,
) -> Result<Vec<u64>, MemoryError> {
    let (session, text) = (session.to_owned(), text.to_owned());
    let types = MESSAGES.to_vec();
    perform(call, Effect::ScanSession { call: call.id, session, types, text }).await
}

/// Reads a session, if it belongs to the caller's workspace.
///
/// # Errors
/// `MEMORY_NOT_FOUND` when the host knows no such session,
/// `MEMORY_UNAUTHORIZED` when it is another workspace's.
pub(crate) async fn read(
    call: &Call<'_>,
    session: &str,
    types: &[&'static str],
    window: Window,
) -> Result<Log, MemoryError> {
    let (around, before, after) = match window {
        Window::Whole => (None, 0, 0),
        Window::Around { seq, before, after } => (Some(seq), before, after),
    };
    let effect = Effect::ReadSession {
        call: call.id,
        session: session.to_owned(),
        types: types.to_vec(),
        around,
        before,
        after,
    };
    let log: Log = perform(call, effect).await?;
    authorise(call, log.cwd.as_deref()).await?;
    Ok(log)
}

async fn authorise(call: &Call<'_>, cwd: Option<&str>) -> Result<(), MemoryError> {
    let own = &call.caller.workspace;
    if let Some(cwd) = cwd {
        if WorkspacePath::from_raw(cwd).as_ref() == Some(own)
            || call.caller.folders.iter().any(|folder| folder == cwd)
        {
            return Ok(());
        }
        // It may be another spelling of the same folder.
        let real = call.toolbox.effects.resolve(vec![cwd.to_owned()]).await.pop().flatten();
        if WorkspacePath::resolved(cwd, real.as_deref()).as_ref() == Some(own) {
            return Ok(());
        }
    }
    Err(MemoryError::new(
        ErrorCode::Unauthorized,
        "that session belongs to another workspace; memory never crosses workspaces",
    )
    .advise("ask from a session that runs in the same folder"))
}

async fn perform<T: serde::de::DeserializeOwned>(
    call: &Call<'_>,
    effect: Effect,
) -> Result<T, MemoryError> {
    let answer = call.toolbox.effects.perform(effect).await;
    let answer: Value = answer.map_err(|fault| refusal(call.tool.name(), fault))?;
    serde_json::from_value(answer).map_err(|_| {
        MemoryError::new(ErrorCode::Unavailable, "the host's session query gave an odd answer")
            .advise("check that the host's version is one that this plugin is tested with")
    })
}

/// The host's fault in the words of this plugin. Its codes are those of the
/// host's session query.
fn refusal(tool: &str, Fault { code, message }: Fault) -> MemoryError {
    let error = |code, what: String| MemoryError::new(code, what);
    match code.as_str() {
        "no-session-query" => {
            error(ErrorCode::Disabled, format!("{tool}: this host profile has no session query"))
                .advise("use a profile that has it, e.g. dsh web")
        }
        "SESSION_QUERY_SEARCH_DISABLED" => error(
            ErrorCode::SearchDisabled,
            "full-text search over sessions is switched off".into(),
        )
        .advise(
            "set openAt: first-search and a path in the row session-query-sqlite of the profile's \
             cordis.patch.yml, as this plugin's own patch does",
        ),
        "SESSION_QUERY_SESSION_NOT_FOUND" => {
            error(ErrorCode::NotFound, "the host knows no such session (any more)".into())
                .advise("call memory_search for the sessions of this workspace")
        }
        "SESSION_QUERY_ABORTED" | "AbortError" | "20" | "TimeoutError" | "23" => {
            error(ErrorCode::Unavailable, STOPPED.into())
        }
        _ => {
            let why = reveal(&mask(&message));
            let why = if code.is_empty() { why } else { format!("{code}: {why}") };
            error(ErrorCode::Unavailable, format!("the session history could not be read ({why})"))
                .advise("try again")
        }
    }
}
