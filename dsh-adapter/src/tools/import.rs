//! `memory_import`: sentences of a past session become facts, one ask each.

use std::fmt::Write as _;
use std::ops::Range;

use memory_core::{
    Citation, ErrorCode, FactKind, MemoryError, SecretPolicy, code_points, fold_spaces,
};
use memory_guard::{REDACTED, detect};
use memory_store::{Committed, NewFact};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Call;
use crate::approval::Answer;
use crate::caller::cited;
use crate::events::{Event, MESSAGES};
use crate::history::{self, Window};
use crate::memory::Memory;

pub(super) const DESCRIPTION: &str = "Store sentences of a past session as facts: those that hold the query literally. \
     A person approves each.";

/// Candidates without a limit given.
const DEFAULT_LIMIT: u64 = 3;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Arguments {
    #[schemars(length(min = 1))]
    session_id: String,
    #[schemars(length(min = 1))]
    query: String,
    /// 1–5, default 3
    #[schemars(range(min = 1, max = 5))]
    limit: Option<u64>,
    kind: Option<FactKind>,
    tags: Option<Vec<String>>,
}

/// What the messages of a session offer.
#[derive(Debug, Default)]
struct Candidates {
    /// Sentence and the event that it stands in.
    offered: Vec<(String, u64)>,
    secret: usize,
    known: usize,
    too_long: usize,
}

/// What became of the candidates.
#[derive(Debug, Default)]
struct Outcome {
    stored: Vec<(String, Citation)>,
    denied: usize,
    stopped: Option<MemoryError>,
}

pub(super) async fn run(call: &Call<'_>) -> Result<String, MemoryError> {
    let arguments: Arguments = call.arguments()?;
    let refused = |what: &str| MemoryError::new(ErrorCode::InvalidArgs, what);
    if arguments.query.trim().is_empty() {
        return Err(
            refused("memory_import: `query` is blank").advise("give words that the sentences hold")
        );
    }
    if arguments.session_id == call.caller.citation.session_id {
        return Err(refused("memory_import: `session_id` is this session's own")
            .advise("store what is said here with memory_remember"));
    }
    let log = history::read(call, &arguments.session_id, &MESSAGES, Window::Whole).await?;
    let memory = call.toolbox.memory.get().await?;
    let limit = usize::try_from(arguments.limit.unwrap_or(DEFAULT_LIMIT)).unwrap_or(usize::MAX);
    let found = candidates(call, &memory, &log.events, &arguments.query, limit);
    let source = |seq| Citation { session_id: arguments.session_id.clone(), seq };
    let session = cited_session(&arguments.session_id);
    if found.offered.is_empty() {
        return Ok(format!("no new sentence of {session} matches{}", skipped(&found)));
    }
    let room = usize::try_from(call.toolbox.config.max_facts_per_workspace)
        .unwrap_or(usize::MAX)
        .saturating_sub(memory.repository.active_count(&call.caller.workspace));
    if found.offered.len() > room {
        return Err(MemoryError::new(
            ErrorCode::CapExceeded,
            format!("{} sentences match, the workspace has room for {room}", found.offered.len()),
        )
        .advise("lower `limit`, or forget or merge facts first (memory_consolidate)"));
    }
    let mut outcome = Outcome::default();
    for (text, seq) in &found.offered {
        let new = NewFact {
            id: None,
            kind: arguments.kind,
            text: text.clone(),
            tags: arguments.tags.clone(),
            citation: source(*seq),
        };
        match store(call, &memory, new).await {
            Ok(Some(stored)) => outcome.stored.push(stored),
            Ok(None) => outcome.denied += 1,
            Err(error) => {
                outcome.stopped = Some(error);
                break;
            }
        }
    }
    report(&found, outcome, &session)
}

/// Stores one candidate; `None` when a person said no to it.
async fn store(
    call: &Call<'_>,
    memory: &Memory,
    new: NewFact,
) -> Result<Option<(String, Citation)>, MemoryError> {
    let citation = new.citation.clone();
    let plan = memory.repository.plan_remember(&call.caller.workspace, new)?;
    match call.ask(&plan, Some(&citation)).await {
        Answer::Rejected => return Ok(None),
        answer => answer.granted()?,
    }
    Ok(match memory.repository.commit(plan).await? {
        Committed::Fact(fact) => Some((fact.id.clone(), citation)),
        Committed::Profile(_) => None,
    })
}

fn candidates(
    call: &Call<'_>,
    memory: &Memory,
    events: &[Event],
    query: &str,
    limit: usize,
) -> Candidates {
    let policy = call.toolbox.config.secret_policy;
    let longest = usize::try_from(call.toolbox.config.max_fact_chars).unwrap_or(usize::MAX);
    let mut out = Candidates::default();
    let mut seen: Vec<String> = Vec::new();
    for event in events.iter().filter(|event| event.is_said()) {
        for text in event.texts() {
            // Secrets are looked for in the whole text: a sentence may be cut
            // out of one, a line of a key for instance.
            let secrets = if policy == SecretPolicy::Off { Vec::new() } else { detect(text) };
            for at in memory_recall::sentences(text, query) {
                if out.offered.len() >= limit {
                    return out;
                }
                let sentence = text[at.clone()].to_owned();
                let folded = fold_spaces(&sentence).to_lowercase();
                if seen.contains(&folded) {
                    continue;
                }
                seen.push(folded);
                let touched: Vec<_> = secrets
                    .iter()
                    .map(|found| found.span.start.max(at.start)..found.span.end.min(at.end))
                    .filter(|span| span.start < span.end)
                    .collect();
                if !touched.is_empty() && policy == SecretPolicy::Reject {
                    out.secret += 1;
                    continue;
                }
                let sentence =
                    if touched.is_empty() { sentence } else { covered(text, &at, &touched) };
                if code_points(&sentence) > longest {
                    out.too_long += 1;
                } else if memory.repository.known(&call.caller.workspace, &sentence).is_some() {
                    out.known += 1;
                } else {
                    out.offered.push((sentence, event.seq));
                }
            }
        }
    }
    out
}

/// A sentence without the parts of it that belong to secrets.
fn covered(text: &str, at: &Range<usize>, secrets: &[Range<usize>]) -> String {
    let mut out = String::new();
    let mut from = at.start;
    for span in secrets {
        if span.start >= from {
            out.push_str(&text[from..span.start]);
            out.push_str(REDACTED);
        }
        from = from.max(span.end);
    }
    out.push_str(&text[from..at.end]);
    out
}

fn report(found: &Candidates, outcome: Outcome, session: &str) -> Result<String, MemoryError> {
    let Outcome { stored, denied, stopped } = outcome;
    if stored.is_empty() {
        return match stopped {
            Some(error) => Err(error),
            None => Ok(format!(
                "none of the {} candidates were approved{}",
                found.offered.len(),
                skipped(found)
            )),
        };
    }
    let mut out = format!("imported {} fact(s) from {session}", stored.len());
    if denied > 0 {
        let _ = write!(out, "; {denied} candidate(s) not approved");
    }
    out.push_str(&skipped(found));
    out.push(':');
    for (id, citation) in &stored {
        let _ = write!(out, "\n{id} (cited to {})", cited(citation));
    }
    if let Some(error) = stopped {
        let _ = write!(out, "\nthen it stopped, the rest is not stored: {error}");
    }
    Ok(out)
}

fn skipped(found: &Candidates) -> String {
    let mut out = String::new();
    for (count, what) in [
        (found.secret, "secret candidate(s) skipped"),
        (found.known, "already stored"),
        (found.too_long, "longer than a fact may be"),
    ] {
        if count > 0 {
            let _ = write!(out, "; {count} {what}");
        }
    }
    out
}

/// The host's session ids already begin with the word.
fn cited_session(id: &str) -> String {
    let word = if id.starts_with("session") { "" } else { "session " };
    memory_guard::reveal(&format!("{word}{id}"))
}
