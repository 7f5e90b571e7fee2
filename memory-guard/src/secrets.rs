//! Secrets: what looks like one, where it stands, and a text without it.

use std::borrow::Cow;
use std::ops::Range;

use crate::fold::{Builder, View};
use crate::{assign, context, tokens};

/// What stands where a secret stood.
pub const REDACTED: &str = "[REDACTED]";

/// A secret that was found in a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Finding {
    /// What kind of secret it is, e.g. `github-pat`. Safe to show.
    pub kind: &'static str,
    /// Which bytes of the text it takes. Always on character boundaries.
    pub span: Range<usize>,
}

/// How sure a finding is of its kind; where two take the same bytes the
/// surer one names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    Shape,
    Place,
    Assigned,
}

/// Finds the secrets in `text`, sorted by where they start.
///
/// The time it takes grows linearly with the text, whatever the text holds.
///
/// ```
/// let token = format!("ghp_{}", "4kQ9".repeat(9));
/// let text = format!("CI uses {token} today");
/// let found = memory_guard::detect(&text);
/// assert_eq!(found[0].kind, "github-pat");
/// assert_eq!(text[found[0].span.clone()], token);
/// ```
pub fn detect(text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let view = View::fold(text);
    scan(&view, 0, &mut |kind, rank, range: Range<usize>| {
        let span = view.span(range);
        if span.start < span.end && text.get(span.clone()).is_some() {
            found.push((span, rank, kind));
        }
    });
    outside_masks(text, &mut found);
    settle(found)
}

/// No finding begins or ends within a mask that stands in the text already.
fn outside_masks(text: &str, found: &mut Vec<(Range<usize>, Rank, &'static str)>) {
    if found.is_empty() {
        return;
    }
    let masks: Vec<usize> = text.match_indices(REDACTED).map(|(at, _)| at).collect();
    if masks.is_empty() {
        return;
    }
    let holding = |at: usize| {
        let before = masks.partition_point(|&mask| mask < at);
        let mask = *masks.get(before.checked_sub(1)?)?;
        (at < mask + REDACTED.len()).then_some(mask)
    };
    found.retain_mut(|(span, _, _)| {
        if let Some(mask) = holding(span.start) {
            span.start = mask + REDACTED.len();
        } else if text[span.start..].starts_with(REDACTED) {
            span.start += REDACTED.len();
        }
        if let Some(mask) = holding(span.end) {
            span.end = mask;
        }
        span.start < span.end
    });
}

/// Which kinds of secrets `text` holds: each once, in alphabetical order.
pub fn kinds(text: &str) -> Vec<&'static str> {
    let mut kinds: Vec<_> = detect(text).into_iter().map(|finding| finding.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// `text` with each secret as a whole replaced by `[REDACTED]` and everything
/// else as it was. Nothing is found in the result, and masking it again changes
/// nothing.
///
/// ```
/// use memory_guard::mask;
/// let text = format!("password: {}!x9", "Tr0ub4dor");
/// assert_eq!(mask(&text), "password: [REDACTED]");
/// assert_eq!(mask("password manager recommended"), "password manager recommended");
/// ```
pub fn mask(text: &str) -> Cow<'_, str> {
    let mut masked = Cow::Borrowed(text);
    // Taking something out can bring a neighbour to light. Each round takes
    // bytes that were no mask, and the first nearly always suffices.
    for _ in 0..16 {
        let found = detect(&masked);
        if found.is_empty() {
            break;
        }
        masked = Cow::Owned(cover(&masked, &found));
    }
    masked
}

pub(crate) fn cover(text: &str, found: &[Finding]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (n, Finding { span, .. }) in found.iter().enumerate() {
        // What overlaps the one before is under the same mask.
        if n == 0 || span.start >= at {
            out.push_str(&text[at..span.start]);
            out.push_str(REDACTED);
        }
        at = at.max(span.end);
    }
    out.push_str(&text[at..]);
    out
}

/// Like `settle`, for findings that have lost their rank.
pub(crate) fn settle_findings(found: Vec<Finding>) -> Vec<Finding> {
    settle(found.into_iter().map(|f| (f.span, Rank::Shape, f.kind)).collect())
}

/// Sorts, and leaves one finding for each place.
fn settle(mut found: Vec<(Range<usize>, Rank, &'static str)>) -> Vec<Finding> {
    found.sort_by(|a, b| {
        (a.0.start, usize::MAX - a.0.end, a.1, a.2).cmp(&(
            b.0.start,
            usize::MAX - b.0.end,
            b.1,
            b.2,
        ))
    });
    let mut out: Vec<Finding> = Vec::new();
    for (span, _, kind) in found {
        // Everything before ends later than it starts, so only the last counts.
        if out.last().is_some_and(|last| span.end <= last.span.end) {
            continue;
        }
        out.push(Finding { kind, span });
    }
    out
}

type Report<'a> = dyn FnMut(&'static str, Rank, Range<usize>) + 'a;

/// Looks at a folded view: as it stands, without its white space, with its
/// percent signs and its base64 decoded.
fn scan(view: &View<'_>, depth: usize, found: &mut Report<'_>) {
    tokens::find(view, false, &mut |kind, range| found(kind, Rank::Shape, range));
    context::find(view, found);
    assign::find(view, found);

    let compact = without_space(&view.text);
    if compact.text.len() < view.text.len() {
        tokens::find(&compact, true, &mut |kind, range| {
            found(kind, Rank::Shape, compact.span(range));
        });
    }
    if depth >= 2 {
        return;
    }
    if let Some(decoded) = without_escapes(&view.text) {
        scan(&decoded, 2, &mut |kind, rank, range| found(kind, rank, decoded.span(range)));
    }
    context::base64_runs(&view.text, &mut |range, decoded| {
        let inner = View::fold(decoded);
        let mut hit: Option<(Rank, &'static str)> = None;
        scan(&inner, depth + 1, &mut |kind, rank, _| {
            if hit.is_none_or(|(best, _)| rank < best) {
                hit = Some((rank, kind));
            }
        });
        if let Some((rank, kind)) = hit {
            found(kind, rank, range);
        }
        hit.is_some()
    });
}

/// The text without white space, and without the seams of joined literals.
fn without_space(text: &str) -> View<'static> {
    let bytes = text.as_bytes();
    let mut out = Builder::new(text.len());
    let mut kept = 0;
    let mut at = 0;
    // A folded text has no white space but ASCII, or what parts words anyway.
    while let Some(&b) = bytes.get(at) {
        let skip = match b {
            b' ' | b'\t' | b'\n' | b'\r' | 0xb | 0xc => at + 1,
            b'\\' if matches!(bytes.get(at + 1), Some(b'\n' | b'\r')) => at + 1,
            b'"' | b'\'' => match seam(bytes, at) {
                Some(end) => end,
                None => at,
            },
            _ => at,
        };
        if skip > at {
            out.push_str(&text[kept..at], kept);
            kept = skip;
            at = skip;
        } else {
            at += 1;
        }
    }
    out.push_str(&text[kept..], kept);
    out.finish(text.len())
}

/// Where two literals with the same quote are joined (`"ab" + "cd"`): the place
/// behind the second quote.
fn seam(bytes: &[u8], at: usize) -> Option<usize> {
    let mut joined = false;
    for (n, &b) in bytes.iter().enumerate().skip(at + 1).take(24) {
        match b {
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b'+' | b'.' | b'&' | b'\\' if !joined => joined = true,
            b if b == bytes[at] => {
                return (joined || n > at + 1).then_some(n + 1);
            }
            _ => return None,
        }
    }
    None
}

/// The text with `%2D`, `\u002d`, `\x2d` and `&#45;` decoded, if it has any.
fn without_escapes(text: &str) -> Option<View<'static>> {
    let bytes = text.as_bytes();
    if !bytes.iter().any(|b| matches!(b, b'%' | b'\\' | b'&')) {
        return None;
    }
    let mut out = Builder::new(text.len());
    let mut kept = 0;
    let mut at = 0;
    while let Some(&b) = bytes.get(at) {
        let decoded = if matches!(b, b'%' | b'\\' | b'&') { escape(bytes, at) } else { None };
        if let Some((decoded, end)) = decoded {
            out.push_str(&text[kept..at], kept);
            out.push(decoded, at..end);
            kept = end;
            at = end;
        } else {
            at += 1;
        }
    }
    if kept == 0 {
        return None;
    }
    out.push_str(&text[kept..], kept);
    Some(out.finish(text.len()))
}

fn escape(bytes: &[u8], at: usize) -> Option<(char, usize)> {
    let (digits, radix, end) = match bytes[at..] {
        [b'%', _, _, ..] => (at + 1..at + 3, 16, at + 3),
        [b'\\', b'x' | b'X', _, _, ..] => (at + 2..at + 4, 16, at + 4),
        [b'\\', b'u' | b'U', b'0', b'0', _, _, ..] => (at + 4..at + 6, 16, at + 6),
        [b'&', b'#', b'x' | b'X', _, _, b';', ..] => (at + 3..at + 5, 16, at + 6),
        [b'&', b'#', _, _, b';', ..] => (at + 2..at + 4, 10, at + 5),
        [b'&', b'#', _, _, _, b';', ..] => (at + 2..at + 5, 10, at + 6),
        _ => return None,
    };
    let digits = std::str::from_utf8(&bytes[digits]).ok()?;
    let code = u8::from_str_radix(digits, radix).ok()?;
    matches!(code, b' '..=b'~').then_some((char::from(code), end))
}
