//! Showing a person exactly what a write would change, and asking.

use std::fmt::Write as _;

use memory_core::{Citation, ErrorCode, Fact, FactState, MemoryError, code_points};
use memory_guard::{mask, mask_across, reveal};
use memory_store::{Change, Plan, ProfileEdit};
use serde_json::Value;

use crate::caller::cited;
use crate::effect::{Effect, Effects};

/// Most code points of one text that a reason shows. Above the default cap on
/// facts, so that a person sees the whole text; a longer one says how much of
/// it is not shown.
pub(crate) const MAX_SHOWN: usize = 4000;

/// Most code points of a text that only says which fact is meant.
const MAX_REMINDER: usize = 200;

/// What came of an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Allow it once.
    Allowed,
    /// A person, or the permission mode, said no.
    Rejected,
    /// Withdrawn before anybody answered.
    Cancelled,
    /// There is nobody to ask.
    Nobody,
    /// The ask itself failed.
    Failed,
}

impl Answer {
    /// What a write is told.
    ///
    /// # Errors
    /// `MEMORY_APPROVAL_DENIED` unless the answer was to allow it once.
    pub(crate) fn granted(self) -> Result<(), MemoryError> {
        let denied = |what: &str| MemoryError::new(ErrorCode::ApprovalDenied, what);
        Err(match self {
            Self::Allowed => return Ok(()),
            Self::Rejected => denied("the write was not allowed; nothing was stored").advise(
                "do not repeat it unless the person asks for it \
                 (the permission mode danger-full-access rejects every ask)",
            ),
            Self::Cancelled => {
                denied("the approval was withdrawn before anybody answered; nothing was stored")
            }
            Self::Nobody => denied("nobody could be asked to allow the write; nothing was stored")
                .advise("use a profile in which a person answers approvals, e.g. dsh web"),
            Self::Failed => denied("asking for approval failed; nothing was stored")
                .advise("try again within a turn of the session"),
        })
    }
}

/// Asks a person about a plan. A fact that comes from another session than the
/// caller's names that message as its source.
pub(crate) async fn ask(
    effects: &Effects,
    call: u64,
    tool: &'static str,
    plan: &Plan,
    source: Option<&Citation>,
) -> Answer {
    let effect = Effect::Ask { call, tool, reason: reason(plan, source) };
    match effects.perform(effect).await {
        Ok(Value::String(outcome)) => match outcome.as_str() {
            "allowed-once" => Answer::Allowed,
            "cancelled" => Answer::Cancelled,
            "rejected" => Answer::Rejected,
            _ => Answer::Nobody,
        },
        Ok(_) => Answer::Nobody,
        Err(fault) => {
            effects.warn(format!("asking for approval failed: {}", mask(&fault.message)));
            Answer::Failed
        }
    }
}

/// The reason that a person reads: one line, secrets masked, nothing hidden.
/// It is logged with the session for good.
pub(crate) fn reason(plan: &Plan, source: Option<&Citation>) -> String {
    // A secret may be split between text and tags, so they are masked together
    // before each is shown by itself.
    let masked = |fact: &Fact| {
        let (text, tags) = mask_across(&fact.text, &fact.tags);
        Fact { text, tags, ..fact.clone() }
    };
    let place = format!("in workspace memory ({})", shown(plan.workspace().label(), MAX_REMINDER));
    match plan.change() {
        Change::Add { fact } => {
            let fact = masked(fact);
            let verb = match source {
                Some(source) => format!("Import from {} as", shown(&cited(source), MAX_REMINDER)),
                None => "Store".to_owned(),
            };
            format!("{verb} {}{} {place}: {}", fact.kind, with_tags(&fact), text(&fact.text))
        }
        Change::Update { before, after } => update(&masked(before), &masked(after), &place),
        Change::Archive { fact } => {
            let fact = masked(fact);
            format!(
                "Forget fact {} [{}]{} {place}: {}",
                id(&fact),
                fact.kind,
                with_tags(&fact),
                text(&fact.text)
            )
        }
        Change::Profile(ProfileEdit::Append { text: new }) => {
            format!("Add profile entry {place}: {}", text(new))
        }
        Change::Profile(ProfileEdit::Replace { index, old, text: new }) => {
            format!("Replace profile entry {index} {place}: {} → {}", quoted(old), quoted(new))
        }
        Change::Profile(ProfileEdit::Drop { index, old }) => {
            format!("Drop profile entry {index} {place}: {}", text(old))
        }
    }
}

fn update(before: &Fact, after: &Fact, place: &str) -> String {
    let verb = match before.state {
        FactState::Active => "Edit",
        FactState::Archived => "Restore forgotten",
    };
    let mut reason = format!("{verb} fact {} {place}: ", id(before));
    if before.kind == after.kind {
        let _ = write!(reason, "kind {}", after.kind);
    } else {
        let _ = write!(reason, "kind {} → {}", before.kind, after.kind);
    }
    if before.tags != after.tags {
        let _ = write!(reason, "; tags {} → {}", tags(&before.tags), tags(&after.tags));
    } else if !after.tags.is_empty() {
        let _ = write!(reason, "; tags {}", tags(&after.tags));
    }
    if before.text == after.text {
        // A restored text comes back into use, so it is shown whole.
        let max = if before.is_active() { MAX_REMINDER } else { MAX_SHOWN };
        let _ = write!(reason, "; text unchanged: {}", shown(&after.text, max));
    } else {
        let _ = write!(reason, "; text {} → {}", quoted(&before.text), quoted(&after.text));
    }
    reason
}

fn id(fact: &Fact) -> String {
    shown(&fact.id, MAX_REMINDER)
}

fn with_tags(fact: &Fact) -> String {
    if fact.tags.is_empty() { String::new() } else { format!(" tagged {}", tags(&fact.tags)) }
}

fn tags(tags: &[String]) -> String {
    if tags.is_empty() {
        return "none".to_owned();
    }
    tags.iter().map(|tag| quoted(tag)).collect::<Vec<_>>().join(", ")
}

/// A text that ends the reason; whatever it says, nothing comes after it.
fn text(text: &str) -> String {
    shown(text, MAX_SHOWN)
}

/// A text with something after it: quoted, so that it cannot pretend to end.
fn quoted(text: &str) -> String {
    format!("\"{}\"", shown(&text.replace('\\', "\\\\").replace('"', "\\\""), MAX_SHOWN))
}

/// Masked first, then cut, then made visible on one line.
fn shown(text: &str, max: usize) -> String {
    let masked = mask(text);
    let length = code_points(&masked);
    if length <= max {
        return reveal(&masked);
    }
    let head: String = masked.chars().take(max).collect();
    format!("{}… ({} more characters not shown)", reveal(&head), length - max)
}
