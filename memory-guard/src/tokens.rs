//! Finding the tokens of [`rules`](crate::rules) in a view.
//!
//! One pass looks at each pair of bytes; where a head begins, its shape is
//! followed without ever going back. The ends of runs are remembered, so a
//! hostile text is read a bounded number of times.

use std::ops::Range;
use std::sync::LazyLock;

use crate::fold::View;
use crate::rules::{CLASS_COUNT, Check, Class, Piece, RULES, Rule};
use crate::words;

/// Strings to look for, found by their first two bytes.
pub(crate) struct Heads<T> {
    /// Sorted by the first two bytes, longest first.
    entries: Vec<(&'static str, T)>,
    /// One bit for each pair of bytes that begins an entry.
    pairs: Vec<u64>,
    /// How many bits are set before each word of `pairs`.
    ranks: Vec<usize>,
    /// Where the entries of each pair begin, in the order of the bits.
    groups: Vec<usize>,
}

impl<T> Heads<T> {
    pub(crate) fn new(mut entries: Vec<(&'static str, T)>) -> Self {
        entries.retain(|(head, _)| head.len() >= 2);
        entries.sort_by_key(|(head, _)| (pair(head.as_bytes(), 0), usize::MAX - head.len()));
        let mut pairs = vec![0_u64; 1024];
        let mut groups = Vec::new();
        for (n, (head, _)) in entries.iter().enumerate() {
            let (word, bit) = place(pair(head.as_bytes(), 0));
            if pairs[word] & bit == 0 {
                pairs[word] |= bit;
                groups.push(n);
            }
        }
        groups.push(entries.len());
        let ranks = pairs
            .iter()
            .scan(0, |sum, word| {
                let before = *sum;
                *sum += word.count_ones() as usize;
                Some(before)
            })
            .collect();
        Self { entries, pairs, ranks, groups }
    }

    /// Whether an entry has the two bytes at `at`, which must both be there.
    pub(crate) fn may_begin(&self, bytes: &[u8], at: usize) -> bool {
        let (word, bit) = place(pair(bytes, at));
        self.pairs[word] & bit != 0
    }

    /// The entries that begin at `at`, longest first.
    pub(crate) fn at(&self, bytes: &[u8], at: usize) -> impl Iterator<Item = &(&'static str, T)> {
        let group = if at + 1 < bytes.len() && self.may_begin(bytes, at) {
            let (word, bit) = place(pair(bytes, at));
            let rank = self.ranks[word] + (self.pairs[word] & (bit - 1)).count_ones() as usize;
            &self.entries[self.groups[rank]..self.groups[rank + 1]]
        } else {
            &[]
        };
        group.iter().filter(move |(head, _)| bytes[at..].starts_with(head.as_bytes()))
    }
}

/// The word and the bit of a pair.
fn place(pair: u16) -> (usize, u64) {
    (usize::from(pair >> 6), 1 << (pair & 63))
}

fn pair(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}

static HEADS: LazyLock<Heads<&'static Rule>> = LazyLock::new(|| {
    Heads::new(RULES.iter().flat_map(|rule| rule.heads.iter().map(move |&h| (h, rule))).collect())
});

/// Where the run of a class that holds a place ends. Each run is walked once.
pub(crate) struct Runs<'a> {
    bytes: &'a [u8],
    known: [(usize, usize); CLASS_COUNT],
}

impl<'a> Runs<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, known: [(0, 0); CLASS_COUNT] }
    }

    pub(crate) fn end(&mut self, class: Class, at: usize) -> usize {
        let (start, end) = self.known[class as usize];
        if start <= at && at < end {
            return end;
        }
        let length = self.bytes[at..].iter().take_while(|&&b| class.has(b)).count();
        self.known[class as usize] = (at, at + length);
        at + length
    }
}

/// Whether a token may begin at `at`: nothing that belongs to a word before it,
/// unless that is the letter of an escape such as `\n`, or of a colour.
pub(crate) fn begins_word(bytes: &[u8], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|at| bytes[at]) else { return true };
    if !before.is_ascii_alphanumeric() {
        return true;
    }
    let second = at.checked_sub(2).map(|at| bytes[at]);
    match before {
        b'n' | b'r' | b't' => second == Some(b'\\'),
        b'm' => {
            let digits = bytes[..at - 1]
                .iter()
                .rev()
                .take(6)
                .take_while(|b| b.is_ascii_digit() || **b == b';')
                .count();
            digits < at - 1 && bytes[at - 2 - digits] == b'['
        }
        _ => false,
    }
}

/// Whether a token may begin somewhere in `text`.
pub(crate) fn begins_one(text: &str) -> bool {
    let bytes = text.as_bytes();
    (0..bytes.len().saturating_sub(1))
        .any(|at| begins_word(bytes, at) && HEADS.at(bytes, at).any(|(head, _)| head.len() >= 3))
}

/// Reports the tokens in `view` as ranges of the view.
///
/// In a compact view, from which white space was taken out, only those are
/// reported that go across such a place.
pub(crate) fn find(
    view: &View<'_>,
    compact: bool,
    found: &mut impl FnMut(&'static str, Range<usize>),
) {
    let bytes = view.text.as_bytes();
    let heads = &*HEADS;
    let mut runs = Runs::new(bytes);
    let mut done = 0;
    for at in 0..bytes.len().saturating_sub(1) {
        if !heads.may_begin(bytes, at) {
            continue;
        }
        let mut longest = 0;
        for &(head, rule) in heads.at(bytes, at) {
            if head.len() < longest {
                break;
            }
            // Letters alone are too common to begin a token in pieces.
            if compact && (head.len() < 4 && !head.contains('_') && head != "sk-") {
                continue;
            }
            if rule.before.is_none()
                && (at < done
                    || !(begins_word(bytes, at)
                        || (compact && view.has_gap(at))
                        || (!compact && rule.check == Check::Shape && is_unmistakable(head))))
            {
                continue;
            }
            let Some(range) = follow(view, &mut runs, rule, at, head.len(), compact) else {
                continue;
            };
            if compact && view.next_gap(range.start + 1).is_none_or(|gap| gap >= range.end) {
                continue;
            }
            longest = head.len();
            done = done.max(range.end);
            found(rule.kind, range);
        }
    }
}

/// Whether a head is known even when letters stand right before it.
fn is_unmistakable(head: &str) -> bool {
    head.len() >= 4 && head.ends_with(['_', '-'])
}

fn follow(
    view: &View<'_>,
    runs: &mut Runs<'_>,
    rule: &Rule,
    head: usize,
    head_len: usize,
    compact: bool,
) -> Option<Range<usize>> {
    let bytes = view.text.as_bytes();
    let start = match rule.before {
        None => head,
        Some((class, count)) => {
            let most = count + 2;
            let before =
                bytes[..head].iter().rev().take(most + 1).take_while(|&&b| class.has(b)).count();
            if before < count || before > most {
                return None;
            }
            head - before
        }
    };
    let body = head + head_len;
    // In pieces only what holds a digit soon is taken for a token.
    if compact && !bytes[body..].iter().take(40).any(u8::is_ascii_digit) {
        return None;
    }
    let mut at = body;
    for (index, piece) in rule.shape.iter().enumerate() {
        match *piece {
            Piece::Is(text) => {
                if !bytes[at..].starts_with(text.as_bytes()) {
                    return None;
                }
                at += text.len();
            }
            Piece::Run(class, min, max) => {
                let end = runs.end(class, at);
                if end - at < min {
                    return None;
                }
                at = if index + 1 < rule.shape.len() {
                    Some(end).filter(|_| end - at <= max)
                } else if compact {
                    end_across_gaps(view, at, end, min, max)
                } else {
                    end_of_last(bytes, class, at, end, min, max)
                }?;
            }
        }
    }
    let body = &bytes[body..at];
    let digits = body.iter().filter(|b| b.is_ascii_digit()).count();
    let wordy = digits < 3 && words::is_wordy(body);
    let passes = match rule.check {
        Check::Shape => !(wordy && names_a_placeholder(body)),
        Check::Chance => !wordy,
        Check::Digits => !wordy && digits > 0,
    };
    if !passes || is_filler(body) || (compact && (digits == 0 || words::is_wordy(body))) {
        return None;
    }
    Some(start..at)
}

/// The end of a token whose last run goes from `at` to `end`.
fn end_of_last(
    bytes: &[u8],
    class: Class,
    at: usize,
    end: usize,
    min: usize,
    max: usize,
) -> Option<usize> {
    let mut end = end;
    // A full stop at the end is the sentence's.
    while class.has(b'.') && end - at > min && bytes[end - 1] == b'.' {
        end -= 1;
    }
    let over = end - at > max;
    (!over || (max > 8 && matches!(bytes[at + max], b'-' | b'_' | b'.' | b'='))).then_some(end)
}

/// The end of a token that goes on behind white space: as many pieces as the
/// shape needs, and then those that look like more of the same.
fn end_across_gaps(
    view: &View<'_>,
    at: usize,
    end: usize,
    min: usize,
    max: usize,
) -> Option<usize> {
    let bytes = view.text.as_bytes();
    let limit = end.min(at + max);
    let mut cut = at;
    let mut gaps = view.gaps(at + 1);
    loop {
        let next = gaps.next().unwrap_or(end).min(end);
        let piece = &bytes[cut..next];
        // A word goes on with the sentence, not with the token.
        let word = piece.len() >= 2 && piece.iter().all(u8::is_ascii_lowercase);
        if cut > at && word && words::is_word(piece) {
            return (cut - at >= min).then_some(cut);
        }
        if cut - at >= min && (piece.is_empty() || !looks_drawn(piece)) {
            return Some(cut);
        }
        if next > limit {
            return (cut - at >= min).then_some(cut);
        }
        if next == end {
            return (end - at >= min).then_some(end);
        }
        cut = next;
    }
}

/// Whether a piece of text looks drawn by lot rather than written.
pub(crate) fn looks_drawn(piece: &[u8]) -> bool {
    let digit = piece.iter().any(u8::is_ascii_digit);
    let lower = piece.iter().any(u8::is_ascii_lowercase);
    let upper = piece.iter().any(u8::is_ascii_uppercase);
    piece.len() >= 4
        && !words::is_wordy(piece)
        && usize::from(digit) + usize::from(lower) + usize::from(upper) >= 2
        && piece.iter().all(u8::is_ascii)
}

/// Nothing but filling: `xxxx`, `****`, `....`.
pub(crate) fn is_filler(value: &[u8]) -> bool {
    value.iter().all(|b| matches!(b, b'x' | b'X' | b'*' | b'.' | b'-' | b'_' | b'#' | b'?'))
}

/// Whether a value made of words says that it stands for something else.
pub(crate) fn names_a_placeholder(value: &[u8]) -> bool {
    const NAMES: &[&str] = &[
        "your",
        "example",
        "placeholder",
        "insert",
        "replace",
        "here",
        "dummy",
        "sample",
        "redacted",
        "changeme",
        "todo",
    ];
    let lower = value.to_ascii_lowercase();
    let lower = String::from_utf8_lossy(&lower);
    NAMES.iter().any(|name| lower.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_found_longest_first() {
        let heads = Heads::new(vec![("sk-", 1), ("sk-ant-", 2), ("xo", 3)]);
        let hits: Vec<_> = heads.at(b"a sk-ant-1", 2).map(|&(_, n)| n).collect();
        assert_eq!(hits, [2, 1]);
        assert_eq!(heads.at(b"x", 0).count(), 0);
    }

    #[test]
    fn every_rule_says_where_it_comes_from() {
        for rule in RULES {
            assert!(!rule.source.is_empty() && !rule.kind.is_empty());
            assert!(rule.heads.iter().all(|head| head.len() >= 2), "{}", rule.kind);
        }
    }
}
