//! Secrets in a text and its tags, also one that is split between them.

use std::ops::Range;

use memory_core::{ErrorCode, MemoryError, SecretPolicy};

use crate::fold::View;
use crate::secrets::{Finding, cover, detect, settle_findings};
use crate::{rules, tokens, words};

/// Which part of a fact a secret was found in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// The text.
    Text,
    /// The tag of this index.
    Tag(usize),
}

impl std::fmt::Display for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text => f.write_str("text"),
            Self::Tag(index) => write!(f, "tags[{index}]"),
        }
    }
}

/// A secret, or its part, in a field.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FieldFinding {
    /// Where it was found.
    pub field: Field,
    /// What kind of secret it is. Safe to show.
    pub kind: &'static str,
    /// Which bytes of the field it takes.
    pub span: Range<usize>,
}

/// So many beginnings, and so many ends, are tried with each other.
const MOST_PIECES: usize = 48;
/// Longest piece of a split secret.
const LONGEST_PIECE: usize = 1024;

/// Finds the secrets in a text and its tags: in each alone, a token split
/// between two of them, and a value whose name stands in another.
///
/// A split secret gives one finding for each field that holds a part. The
/// result is sorted by field and place.
///
/// ```
/// use memory_guard::{Field, detect_across};
/// let (head, tail) = (format!("ghp_{}", "4kQ9".repeat(4)), "x7Zb".repeat(5));
/// let found = detect_across(&format!("ci cred {head}"), &[tail]);
/// assert_eq!(found.iter().map(|f| f.field).collect::<Vec<_>>(), [Field::Text, Field::Tag(0)]);
/// ```
pub fn detect_across(text: &str, tags: &[String]) -> Vec<FieldFinding> {
    let fields: Vec<(Field, &str)> = std::iter::once((Field::Text, text))
        .chain(tags.iter().enumerate().map(|(n, tag)| (Field::Tag(n), tag.as_str())))
        .collect();
    let mut found: Vec<FieldFinding> = Vec::new();
    for &(field, content) in &fields {
        found.extend(detect(content).into_iter().map(|Finding { kind, span }| FieldFinding {
            field,
            kind,
            span,
        }));
    }
    if fields.len() > 1 {
        split_tokens(&fields, &mut found);
        named_elsewhere(&fields, &mut found);
    }
    found.sort_by(|a, b| {
        (a.field, a.span.start, a.span.end, a.kind).cmp(&(
            b.field,
            b.span.start,
            b.span.end,
            b.kind,
        ))
    });
    found.dedup();
    found
}

/// Masks a text and its tags, each as a whole where [`detect_across`] finds
/// something. Nothing is found in the result.
pub fn mask_across(text: &str, tags: &[String]) -> (String, Vec<String>) {
    let mut text = text.to_owned();
    let mut tags = tags.to_vec();
    for _ in 0..16 {
        let found = detect_across(&text, &tags);
        if found.is_empty() {
            break;
        }
        let of = |field: Field| {
            let spans = found.iter().filter(|f| f.field == field);
            settle_findings(spans.map(|f| Finding { kind: f.kind, span: f.span.clone() }).collect())
        };
        text = cover(&text, &of(Field::Text));
        for (n, tag) in tags.iter_mut().enumerate() {
            *tag = cover(tag, &of(Field::Tag(n)));
        }
    }
    (text, tags)
}

/// What a write may store under a policy: the text and tags as given, masked,
/// or the refusal. The refusal names kinds and fields, never a value.
///
/// To be called before caps are measured and before anybody is asked.
///
/// ```
/// use memory_core::SecretPolicy;
/// let tags = vec![format!("npm_{}", "4kQ9".repeat(9))];
/// let refused = memory_guard::screen(SecretPolicy::Reject, "ci cred", &tags).unwrap_err();
/// assert_eq!(refused.what(), "this looks like a secret: npm-token in tags[0]");
/// let (_, tags) = memory_guard::screen(SecretPolicy::Mask, "ci cred", &tags).unwrap();
/// assert_eq!(tags, ["[REDACTED]"]);
/// ```
pub fn screen(
    policy: SecretPolicy,
    text: &str,
    tags: &[String],
) -> Result<(String, Vec<String>), MemoryError> {
    match policy {
        SecretPolicy::Off => Ok((text.to_owned(), tags.to_vec())),
        SecretPolicy::Mask => Ok(mask_across(text, tags)),
        SecretPolicy::Reject => {
            let found = detect_across(text, tags);
            if found.is_empty() {
                return Ok((text.to_owned(), tags.to_vec()));
            }
            let mut named: Vec<String> =
                found.iter().map(|f| format!("{} in {}", f.kind, f.field)).collect();
            named.dedup();
            let what = format!("this looks like a secret: {}", named.join(", "));
            Err(MemoryError::new(ErrorCode::SecretRejected, what)
                .advise("say where the secret is kept instead of the secret"))
        }
    }
}

struct Piece<'a> {
    field: Field,
    at: usize,
    text: &'a str,
}

fn pieces<'a>(fields: &[(Field, &'a str)], keep: impl Fn(&str) -> bool) -> Vec<Piece<'a>> {
    let mut out = Vec::new();
    for &(field, content) in fields {
        for word in content.split_whitespace() {
            let at = word.as_ptr() as usize - content.as_ptr() as usize;
            if word.len() <= LONGEST_PIECE && keep(word) && out.len() < MOST_PIECES {
                out.push(Piece { field, at, text: word });
            }
        }
    }
    out
}

/// Tokens that begin in one field and end in another.
fn split_tokens(fields: &[(Field, &str)], found: &mut Vec<FieldFinding>) {
    let heads = pieces(fields, |word| tokens::begins_one(&View::fold(word).text));
    if heads.is_empty() {
        return;
    }
    let tails = pieces(fields, |word| {
        let bytes = word.as_bytes();
        let plain = bytes.iter().all(u8::is_ascii_lowercase) && words::is_word(bytes);
        word.len() >= 4 && !plain && word.bytes().all(|b| rules::Class::Bearer.has(b) || b >= 0x80)
    });
    for head in &heads {
        let alone = !detect(head.text).is_empty();
        for tail in tails.iter().filter(|tail| tail.field != head.field) {
            if alone && !tokens::looks_drawn(tail.text.as_bytes()) {
                continue;
            }
            let joined = format!("{}{}", head.text, tail.text);
            let view = View::fold(&joined);
            let joint = head.text.len();
            tokens::find(&view, false, &mut |kind, range| {
                let span = view.span(range);
                if span.start < joint && span.end > joint {
                    found.push(FieldFinding {
                        field: head.field,
                        kind,
                        span: head.at + span.start..head.at + joint,
                    });
                    found.push(FieldFinding {
                        field: tail.field,
                        kind,
                        span: tail.at..tail.at + (span.end - joint),
                    });
                }
            });
        }
    }
}

/// `password` in one field, its value in another.
fn named_elsewhere(fields: &[(Field, &str)], found: &mut Vec<FieldFinding>) {
    let last_words = |content: &str| {
        let words: Vec<_> = content.split_whitespace().rev().take(4).collect();
        words.into_iter().rev().collect::<Vec<_>>().join(" ")
    };
    for &(name_field, name) in fields.iter().take(MOST_PIECES) {
        let name = last_words(name);
        if name.is_empty() || name.len() > 256 {
            continue;
        }
        for &(field, content) in fields.iter().take(MOST_PIECES) {
            let value = content.trim();
            if field == name_field || value.len() > 256 || value.contains(char::is_whitespace) {
                continue;
            }
            let head = if name.ends_with([':', '=', '：']) {
                format!("{name} ")
            } else {
                format!("{name}: ")
            };
            let at = content.len() - content.trim_start().len();
            for Finding { kind, span } in detect(&format!("{head}{value}")) {
                if span.start >= head.len() {
                    found.push(FieldFinding {
                        field,
                        kind,
                        span: at + span.start - head.len()..at + span.end - head.len(),
                    });
                }
            }
        }
    }
}
