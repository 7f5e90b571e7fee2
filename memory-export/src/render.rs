//! Facts and profile as Markdown.

use std::fmt::Write as _;

use memory_core::{FactKind, rfc3339};

use crate::digest;
use crate::escape;
use crate::masked::{Masked, Shown};

/// The first line of every mirror.
pub const TITLE: &str = "# Workspace memory — dsh-native-memory export";

const NOTE: &str = "\
> Read-only mirror of this workspace's memory, made by `memory_export`. It is NOT synced back: \
a change here changes no memory, and the next export stops at it until this file is removed.
";

/// Shortest form in which an id is shown.
const SHORTEST_ID: usize = 8;

/// The mirror as Markdown: the same content gives the same bytes, in whatever
/// order it came.
///
/// Facts stand under their kind, oldest first. Access counters and the time of
/// the export are not shown, so a recall changes nothing here. Any text is
/// shown as that text; a CommonMark parser reads it back exactly, but for NUL,
/// which CommonMark replaces. The last line is the digest that
/// [`verify`](crate::verify()) checks.
pub fn render(masked: &Masked) -> String {
    let mut out = String::with_capacity(1024 + masked.facts.len() * 320);
    let _ = write!(out, "{TITLE}\n\n{NOTE}\n## Profile\n");
    for entry in &masked.profile {
        out.push_str("- ");
        escape::block(&mut out, entry, true);
        out.push('\n');
    }
    if masked.profile.is_empty() {
        out.push_str("(empty)\n");
    }
    // Writing to a String cannot fail.
    let _ = write!(out, "\n## Facts ({})\n", masked.facts.len());
    if masked.facts.is_empty() {
        out.push_str("(none)\n");
    }
    let short = short_lengths(&masked.facts);
    let mut group: Option<FactKind> = None;
    for (fact, short) in masked.facts.iter().zip(short) {
        if group != Some(fact.kind) {
            group = Some(fact.kind);
            let _ = write!(out, "\n### {}\n", fact.kind);
        }
        push_fact(&mut out, fact, &fact.id[..short]);
    }
    out.push('\n');
    digest::seal(&mut out);
    out
}

/// The text first; then, on a line of its own, what is ours to say. A line is
/// also where the reach of right-to-left marks ends.
fn push_fact(out: &mut String, fact: &Shown, short_id: &str) {
    let _ = write!(out, "- [{}] ", fact.kind);
    escape::block(out, &fact.text, false);
    out.push_str("\\\n  ");
    escape::code(out, short_id);
    out.push_str(" — session ");
    escape::inline(out, &fact.citation.session_id);
    let created = rfc3339(fact.created_at);
    let _ = write!(out, "#{} — created {created} — updated ", fact.citation.seq);
    if fact.updated_at == fact.created_at {
        out.push_str(&created);
    } else {
        out.push_str(&rfc3339(fact.updated_at));
    }
    for (n, tag) in fact.tags.iter().enumerate() {
        out.push_str(if n == 0 { " — tags: " } else { ", " });
        escape::code(out, tag);
    }
    out.push('\n');
}

/// For each fact, how many bytes of its id tell it from all others.
fn short_lengths(facts: &[Shown]) -> Vec<usize> {
    let mut by_id: Vec<usize> = (0..facts.len()).collect();
    by_id.sort_by_key(|&n| facts[n].id.as_str());
    let mut lengths = vec![0; facts.len()];
    let mut shared_before = 0;
    for (place, &n) in by_id.iter().enumerate() {
        let id = facts[n].id.as_str();
        let shared_after = by_id.get(place + 1).map_or(0, |&m| shared_chars(id, &facts[m].id));
        let wanted = SHORTEST_ID.max(shared_before.max(shared_after) + 1);
        lengths[n] = id.char_indices().nth(wanted).map_or(id.len(), |(at, _)| at);
        shared_before = shared_after;
    }
    lengths
}

fn shared_chars(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count()
}
