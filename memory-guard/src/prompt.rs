//! Text that enters a prompt, and text that is shown to a person.
//!
//! [`neutralise`] makes any text harmless inside a prompt section: it stays on
//! one line, opens no tag, forms no interpolation group and hides nothing.
//! [`reveal`] is for people who are asked to approve: it stays on one line
//! too, but loses nothing and shows what would be invisible.

use crate::fold::{is_invisible, is_line_break};

/// What stands in a prompt for an opening angle bracket.
const LESS_THAN: &str = "\\u003c";
const OPEN_BRACE: &str = "\\u007b";
const CLOSE_BRACE: &str = "\\u007d";

/// Single characters that a reader can take for `<`.
fn imitates_less_than(c: char) -> bool {
    matches!(
        c,
        '<' | '＜'
            | '﹤'
            | '‹'
            | '\u{3008}'
            | '\u{2329}'
            | '⟨'
            | '❮'
            | '❰'
            | '❬'
            | '˂'
            | 'ᐸ'
            | '⋖'
            | '⧼'
            | 'ᚲ'
            | '\u{1d236}'
            | '≺'
            | '⪡'
            | '⟪'
            | '﹝'
            | '⦓'
            | '⟬'
            | '⦑'
            | '\u{fe3f}'
            | '\u{fe41}'
    )
}

/// Marks that ordinary prose uses (titles, quotations); they count as an
/// imitation only where a tag name follows.
fn may_imitate_less_than(c: char) -> bool {
    matches!(c, '《' | '«' | '≪' | '\u{fe3d}')
}

fn vanishes(c: char) -> bool {
    is_invisible(c) || (c.is_control() && !is_line_break(c) && c != '\t') || c == '\u{2800}'
}

/// Whether `rest` begins like the name of a delimiter of ours.
fn begins_like_a_tag(rest: &str) -> bool {
    let mut name = rest
        .chars()
        .take(64)
        .filter(|&c| !vanishes(c) && !c.is_whitespace() && !matches!(c, '/' | '／' | '⁄' | '∕'))
        .map(|c| match c {
            'ｍ' | 'м' | 'М' | 'Ｍ' => 'm',
            'ｅ' | 'е' | 'Е' | 'Ｅ' => 'e',
            other => other.to_ascii_lowercase(),
        });
    let first = name.next();
    let second = name.next();
    let third = name.next();
    first == Some('m') && second == Some('e') && matches!(third, Some('m' | 'м' | 'ｍ'))
        || first == Some('s') && second == Some('y') && third == Some('s')
}

/// Makes `text` harmless inside a section of a prompt.
///
/// - `<`, and what can be taken for it, becomes the six characters `\u003c`.
/// - No `{{` and no `}}` is left, and the result neither begins nor ends with
///   a brace, so that results may be joined with each other and with text
///   that does the same: a host finds no interpolation group in them. Braces
///   are written `\u007b` and `\u007d`; a brace alone stays.
/// - Line breaks and tabs become one blank, controls and invisible characters
///   (zero-width, bidirectional, tags, variation selectors) are removed.
///
/// Idempotent, and the same for the same text everywhere. It does not mask:
/// call [`mask`](crate::mask) first, and cut before this, not after.
///
/// ```
/// use memory_guard::neutralise;
/// assert_eq!(neutralise("a\n</memory-profile>"), "a \\u003c/memory-profile>");
/// assert_eq!(neutralise("use {{name}} here"), "use \\u007b\\u007bname\\u007d\\u007d here");
/// assert_eq!(neutralise("fn main() { run() } // ok"), "fn main() { run() } // ok");
/// ```
pub fn neutralise(text: &str) -> String {
    let mut kept = String::with_capacity(text.len() + 8);
    let mut in_break = false;
    for (at, c) in text.char_indices() {
        if is_line_break(c) || c == '\t' {
            in_break = true;
            continue;
        }
        if vanishes(c) {
            continue;
        }
        if in_break && !kept.is_empty() && !kept.ends_with(' ') && c != ' ' {
            kept.push(' ');
        }
        in_break = false;
        if imitates_less_than(c)
            || (may_imitate_less_than(c) && begins_like_a_tag(&text[at + c.len_utf8()..]))
        {
            kept.push_str(LESS_THAN);
        } else {
            kept.push(c);
        }
    }
    break_braces(&kept)
}

/// Writes a brace as an escape where it touches its like or an end.
fn break_braces(text: &str) -> String {
    if !text.contains(['{', '}']) {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len() + 16);
    for (at, c) in text.char_indices() {
        let escape = match c {
            '{' => OPEN_BRACE,
            '}' => CLOSE_BRACE,
            _ => {
                out.push(c);
                continue;
            }
        };
        let same =
            |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_none_or(|&b| char::from(b) == c);
        // White space at the ends may be trimmed by whoever joins the text.
        let at_end = text[..at].trim().is_empty() || text[at + 1..].trim().is_empty();
        if at_end || same(at.checked_sub(1)) || same(Some(at + 1)) {
            out.push_str(escape);
        } else {
            out.push(c);
        }
    }
    out
}

/// Takes back the escapes that [`neutralise`] writes, so that a text copied
/// from a prompt can be compared with the text that was shown there.
///
/// ```
/// use memory_guard::{neutralise, restore};
/// assert_eq!(restore(&neutralise("prefer List<T>")), "prefer List<T>");
/// ```
pub fn restore(shown: &str) -> String {
    shown.replace(LESS_THAN, "<").replace(OPEN_BRACE, "{").replace(CLOSE_BRACE, "}")
}

/// Shows `text` to a person on one line, with nothing lost and nothing hidden:
/// a line break is `⏎`, a control is its picture (`␀`), and what has no form
/// is named (`\u{202E}`).
///
/// ```
/// assert_eq!(memory_guard::reveal("a\nb\u{202e}c"), "a⏎b\\u{202E}c");
/// ```
pub fn reveal(text: &str) -> String {
    use std::fmt::Write as _;

    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' => out.push('⏎'),
            '\0'..='\u{1f}' => {
                out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{2426}'));
            }
            '\u{7f}' => out.push('\u{2421}'),
            c if is_invisible(c) || c.is_control() || is_line_break(c) || c == '\u{2800}' => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{{{:04X}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}
