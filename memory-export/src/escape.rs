//! Any text as exactly that text.
//!
//! A CommonMark parser (and one of GitHub's dialect) reads back what was given
//! and finds no structure in it. Raw, the text stays as readable as that
//! permits: only what would be taken for a mark gets a backslash, and only what
//! has no form of its own becomes a character reference.

use std::fmt::Write as _;

/// Writes a text that may have several lines into a list item whose content is
/// indented by two. A line break becomes a hard break. `at_block_start` tells
/// that nothing stands before it in the item.
pub(crate) fn block(out: &mut String, text: &str, at_block_start: bool) {
    let body = text.trim_start_matches('\n');
    let first = text.len() - body.len();
    let last = first + body.trim_end_matches('\n').len();
    escape(out, text, at_block_start, |at| (first..last).contains(&at));
}

/// Writes a text on one line, after something else on that line.
pub(crate) fn inline(out: &mut String, text: &str) {
    escape(out, text, false, |_| false);
}

fn escape(out: &mut String, text: &str, at_block_start: bool, breaks_at: impl Fn(usize) -> bool) {
    let mut prev: Option<char> = None;
    // In the digits with which a line begins: `1.` would be a list.
    let mut numbering = false;
    for (at, c) in text.char_indices() {
        let next = text[at + c.len_utf8()..].chars().next();
        let line_start = prev.is_none_or(|p| p == '\n');
        let block_start = prev.map_or(at_block_start, |p| p == '\n');
        match c {
            // Most of any text.
            c if c.is_ascii_alphanumeric() => out.push(c),
            '\n' if breaks_at(at) => out.push_str("\\\n  "),
            c if has_no_form(c, prev)
                || (c.is_whitespace() && (line_start || next.is_none_or(|n| n == '\n'))) =>
            {
                reference(out, c);
            }
            c => {
                if is_mark(c, prev, next)
                    || (block_start && matches!(c, '#' | '+' | '-' | '>' | '=' | '|' | ':'))
                    || (numbering && matches!(c, '.' | ')'))
                {
                    out.push('\\');
                }
                out.push(c);
            }
        }
        numbering = c.is_ascii_digit() && (block_start || numbering);
        prev = Some(c);
    }
}

/// Whether a character could begin or end something, wherever it stands.
fn is_mark(c: char, prev: Option<char>, next: Option<char>) -> bool {
    let in_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !has_no_form(c, None));
    match c {
        '`' | '*' | '[' | '$' => true,
        // Between letters it marks nothing: `snake_case` stays.
        '_' => !(in_word(prev) && in_word(next)),
        // `~/` as the first of a word can open, but never close.
        '~' => next != Some('/') || prev.is_some_and(|p| p != ' '),
        // It escapes punctuation and line ends only: `C:\work` stays.
        '\\' => !next.is_some_and(|n| n.is_ascii_alphanumeric()),
        '&' => next.is_some_and(|n| n == '#' || n.is_ascii_alphanumeric()),
        '<' => next.is_some_and(|n| n != ' '),
        _ => false,
    }
}

/// Whether a character shows nothing, moves what stands beside it, or is a
/// command to a terminal.
fn has_no_form(c: char, prev: Option<char>) -> bool {
    match c {
        '\t' => false,
        // Joiners and variation selectors belong to the script or emoji before
        // them; elsewhere, and in rows, they only hide.
        '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' => prev.is_none_or(|p| {
            p.is_ascii() || (has_no_form(p, None) && (c, p) != ('\u{200d}', '\u{fe0f}'))
        }),
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => true,
        c => c.is_control(),
    }
}

fn reference(out: &mut String, c: char) {
    // Writing to a String cannot fail.
    let _ = write!(out, "&#{};", u32::from(c));
}

/// Writes a word as a code span, which knows no escapes of Markdown: what
/// cannot stand there is written as Rust writes it, `\u{60}`.
pub(crate) fn code(out: &mut String, word: &str) {
    out.push('`');
    let mut prev = None;
    for (at, c) in word.char_indices() {
        let at_an_end = at == 0 || at + c.len_utf8() == word.len();
        match c {
            '\\' => out.push_str("\\\\"),
            ' ' if !at_an_end => out.push(' '),
            c if c == '`' || c.is_whitespace() || has_no_form(c, prev) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
        prev = Some(c);
    }
    out.push('`');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut out = String::new();
        block(&mut out, text, true);
        assert_eq!(out, expected, "{text:?}");
    }

    #[test]
    fn what_is_no_mark_stays_as_it_is() {
        for text in [
            "Builds use pnpm (not npm); run `".trim_end_matches('`'),
            "snake_case, C:\\work, ~/notes, a < b & c > d, x - y, 100% #7",
            "构建用 pnpm,不用 npm。",
            "❤️‍🔥 👨‍👩‍👧 می‌خواهم",
            "see https://example.org/a?b=1",
        ] {
            check(text.trim_end(), text.trim_end());
        }
    }

    #[test]
    fn marks_are_escaped_where_they_would_act() {
        check("# a", "\\# a");
        check("a # b", "a # b");
        check("1. a", "1\\. a");
        check("v1. a", "v1. a");
        check("- a\n- b\n---", "\\- a\\\n  \\- b\\\n  \\---");
        check("*a* _b_ `c` ~~d~~ $e$", "\\*a\\* \\_b\\_ \\`c\\` \\~\\~d\\~\\~ \\$e\\$");
        check("[a](b) ![c](d)", "\\[a](b) !\\[c](d)");
        check("<b>x</b> &lt; &#60;", "\\<b>x\\</b> \\&lt; \\&#60;");
        check("a\\", "a\\\\");
        check("\\*", "\\\\\\*");
    }

    #[test]
    fn what_has_no_form_is_named() {
        check("a\u{1b}[2Jb", "a&#27;\\[2Jb");
        check("a\u{202e}b", "a&#8238;b");
        check("a\r\nb", "a&#13;\\\n  b");
        check("a\u{200d}b", "a&#8205;b");
        check("  a  \n\tb", "&#32; a &#32;\\\n  &#9;b");
        check("\na\n\nb\n", "&#10;a\\\n  \\\n  b&#10;");
    }

    #[test]
    fn a_code_span_holds_any_word() {
        let show = |word| {
            let mut out = String::new();
            code(&mut out, word);
            out
        };
        assert_eq!(show("ci cd"), "`ci cd`");
        assert_eq!(show("a`b"), "`a\\u{60}b`");
        assert_eq!(show(" a\n"), "`\\u{20}a\\u{a}`");
        assert_eq!(show("a\\u{60}"), "`a\\\\u{60}`");
    }
}
