//! `cargo xtask probe`: one question a line in, one answer a line out, straight
//! to the pure crates. `docs/probe.md` describes the operations.

mod facts;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::io::BufRead;
use std::io::ErrorKind;
use std::io::Write;
use std::panic;
use std::panic::AssertUnwindSafe;

use anyhow::Context as _;
use anyhow::Result;
use memory_core::UnixMillis;
use memory_recall::Hit;
use memory_recall::RecallOptions;
use serde::Deserialize;
use serde_json::Value;
use serde_json::json;

use self::facts::Record;

/// The time where a question gives none. Fixed, so that the same line gives the
/// same answer on every day.
const NOW: UnixMillis = 1_800_000_000_000;

/// A question. Fields that an operation does not know are left alone: a test
/// case carries its expectation in the same line.
#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
enum Question {
    Recall {
        facts: Vec<Record>,
        query: Option<String>,
        limit: Option<usize>,
        now: Option<u64>,
    },
    Consolidate {
        facts: Vec<Record>,
    },
    Detect {
        text: String,
    },
    Anchors {
        text: String,
        summary: Option<String>,
    },
    Neutralise {
        text: String,
    },
    Export {
        facts: Vec<Record>,
        profile: Option<Vec<String>>,
        now: Option<u64>,
    },
    Sentences {
        text: String,
        query: String,
    },
    Proposals {
        answer: String,
        limit: Option<usize>,
        #[serde(rename = "maxChars")]
        max_chars: Option<usize>,
    },
}

/// Answers line by line until the input ends.
pub(crate) fn run(mut input: impl BufRead, mut output: impl Write) -> Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        // Bytes, not text: a line that is no UTF-8 is one bad line.
        if input.read_until(b'\n', &mut line).context("cannot read the next line")? == 0 {
            return Ok(());
        }
        let answer = answer_line(&line);
        match writeln!(output, "{answer}").and_then(|()| output.flush()) {
            Ok(()) => {}
            // Whoever asked has heard enough.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            Err(error) => return Err(error).context("cannot write an answer"),
        }
    }
}

/// The answer to a line; for a bad one, or one that a crate panics over, what
/// was wrong.
fn answer_line(line: &[u8]) -> Value {
    // Read as a value first: that names the place of a syntax error, which a
    // tagged type forgets.
    let read = serde_json::from_slice::<Value>(line).and_then(Question::deserialize);
    let question = match read {
        Ok(question) => question,
        Err(error) => return json!({ "error": error.to_string() }),
    };
    panic::catch_unwind(AssertUnwindSafe(|| answer(question)))
        .unwrap_or_else(|cause| json!({ "error": format!("panicked: {}", words(&*cause)) }))
}

fn answer(question: Question) -> Value {
    match question {
        Question::Recall { facts, query, limit, now } => {
            let now = now.unwrap_or(NOW);
            let facts: Vec<_> = facts
                .into_iter()
                .enumerate()
                .map(|(place, record)| record.into_fact(place, now))
                .filter(memory_core::Fact::is_active)
                .collect();
            let mut options = RecallOptions { now, ..RecallOptions::default() };
            options.limit = limit.unwrap_or(options.limit);
            let recall = memory_recall::scan(&facts, query.as_deref(), &options);
            let hits: Vec<_> = recall.hits.iter().map(hit).collect();
            let mut answer = json!({ "hits": hits });
            if !recall.closest_tags.is_empty() {
                answer["closestTags"] = recall.closest_tags.into();
            }
            answer
        }
        Question::Consolidate { facts } => {
            let facts: Vec<_> = facts
                .into_iter()
                .enumerate()
                .map(|(place, record)| record.into_fact(place, NOW))
                .collect();
            let found = memory_recall::consolidate(&facts);
            let pair = |pair: &memory_recall::Pair<'_>| {
                json!({
                    "a": pair.a.id, "b": pair.b.id, "similarity": pair.similarity.percent(),
                })
            };
            let pairs = found.duplicates.iter().map(|found| {
                let mut pair = pair(found);
                pair["merged"] = found.merged().into();
                pair
            });
            let contradictions = found.contradictions.iter().map(|found| {
                let mut pair = pair(found);
                let kinds = found.differences().into_iter().map(|d| d.kind.as_str());
                pair["differs"] = kinds.collect();
                pair
            });
            json!({
                "pairs": pairs.collect::<Vec<_>>(),
                "contradictions": contradictions.collect::<Vec<_>>(),
            })
        }
        Question::Detect { text } => {
            let found = memory_guard::detect(&text);
            let spans: Vec<_> = found
                .iter()
                .map(|f| json!({ "kind": f.kind, "start": f.span.start, "end": f.span.end }))
                .collect();
            let (kinds, masked) = (memory_guard::kinds(&text), memory_guard::mask(&text));
            json!({ "kinds": kinds, "spans": spans, "masked": masked })
        }
        Question::Anchors { text, summary } => {
            let anchors = memory_guard::anchors(&text);
            let vanished = memory_guard::vanished(&anchors, &summary.unwrap_or_default());
            json!({ "anchors": anchors, "vanished": vanished })
        }
        Question::Neutralise { text } => json!({ "text": memory_guard::neutralise(&text) }),
        Question::Export { facts, profile, now } => {
            let now = now.unwrap_or(NOW);
            let facts = facts.into_iter().enumerate().map(|(n, record)| record.into_fact(n, now));
            let profile = profile.unwrap_or_default();
            let masked = memory_export::Masked::new(memory_guard::mask_across, &profile, facts);
            json!({ "markdown": memory_export::render(&masked) })
        }
        Question::Sentences { text, query } => {
            let secrets = memory_guard::detect(&text);
            let mut candidates: Vec<&str> = Vec::new();
            for at in memory_recall::sentences(&text, &query) {
                let is_secret =
                    secrets.iter().any(|f| f.span.start < at.end && at.start < f.span.end);
                if !is_secret && !candidates.contains(&&text[at.clone()]) {
                    candidates.push(&text[at]);
                }
            }
            json!({ "candidates": candidates })
        }
        Question::Proposals { answer, limit, max_chars } => {
            let usual = memory_core::Config::default();
            let or = |given: Option<usize>, usual| {
                given.unwrap_or(usize::try_from(usual).unwrap_or(usize::MAX))
            };
            let limits = memory_guard::ProposedLimits {
                max: or(limit, usual.proposal_max_facts),
                max_chars: or(max_chars, usual.max_fact_chars),
            };
            json!({ "accepted": memory_guard::proposed(&answer, limits) })
        }
    }
}

fn hit(Hit { id, tier, score, matched }: &Hit) -> Value {
    json!({ "id": id, "tier": tier.map(|tier| tier as u8), "score": score, "matched": matched })
}

/// What a panic said.
fn words(cause: &(dyn Any + Send)) -> &str {
    let text = cause.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("without a word")
}
