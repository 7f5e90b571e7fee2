//! One text out of two.

use std::borrow::Cow;

use memory_core::ELLIPSIS;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::tokens::words;

/// A text that says what both say: the one that contains the other's words in
/// their order, the newer where they are the same words, and otherwise both,
/// the newer first.
///
/// ```
/// use memory_recall::merge;
///
/// assert_eq!(merge("Deploys run on Friday", "Deploys run on Friday at noon"), "Deploys run on Friday at noon");
/// assert_eq!(merge("CI needs Docker", "CI caches Docker"), "CI needs Docker; CI caches Docker");
/// ```
pub fn merge(newer: &str, older: &str) -> String {
    let (newer, older) = (newer.trim(), older.trim());
    let (new, old) = (sequence(newer), sequence(older));
    if newer == older || (!old.is_empty() && is_within(&old, &new)) {
        return newer.to_owned();
    }
    if !new.is_empty() && is_within(&new, &old) {
        return older.to_owned();
    }
    let ends = |c: char| matches!(c, '.' | '!' | '?' | ';' | '。' | '！' | '？' | '；' | '…');
    let between = if newer.is_empty() || older.is_empty() {
        ""
    } else if newer.ends_with(ends) {
        " "
    } else {
        "; "
    };
    format!("{newer}{between}{older}")
}

/// At most `max` code points of a text, the [`ELLIPSIS`] of a cut one among
/// them. Never cuts within what a person takes for one character.
///
/// Mask before you cut: half a secret is no longer recognised.
///
/// ```
/// assert_eq!(memory_recall::clip("cafe\u{301}s", 6), "cafe\u{301}s");
/// assert_eq!(memory_recall::clip("cafe\u{301}s!", 5), "caf…");
/// ```
pub fn clip(text: &str, max: usize) -> Cow<'_, str> {
    if text.chars().nth(max).is_none() {
        return Cow::Borrowed(text);
    }
    let (mut end, mut taken) = (0, 0);
    for (at, cluster) in text.grapheme_indices(true) {
        taken += cluster.chars().count();
        if taken + 1 > max {
            break;
        }
        end = at + cluster.len();
    }
    if max == 0 { Cow::Borrowed("") } else { Cow::Owned(format!("{}{ELLIPSIS}", &text[..end])) }
}

/// The words in their order; CJK by characters.
fn sequence(text: &str) -> Vec<String> {
    let mut sequence = Vec::new();
    for word in words(text) {
        if word.cjk {
            sequence.extend(word.whole.chars().map(String::from));
        } else {
            sequence.push(word.whole);
        }
    }
    sequence
}

fn is_within(part: &[String], whole: &[String]) -> bool {
    let mut whole = whole.iter();
    part.iter().all(|word| whole.any(|other| other == word))
}
