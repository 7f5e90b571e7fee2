//! What the tests share: facts, and a reader of mirrors that is not ours.

#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test file uses its part")]
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use memory_core::{Citation, Fact, FactKind, UnixMillis, WorkspacePath};
use memory_export::Masked;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

pub const NOW: UnixMillis = 1_786_786_200_000;

pub fn fact(id: &str, kind: FactKind, text: &str, tags: &[&str], created_at: UnixMillis) -> Fact {
    Fact::new(
        id.to_owned(),
        &WorkspacePath::from_raw("/work/app").unwrap(),
        kind,
        text.to_owned(),
        tags.iter().map(|&tag| tag.to_owned()).collect(),
        Citation { session_id: "s-1".to_owned(), seq: 4 },
        created_at,
    )
}

/// Masks nothing, for texts that hold no secret.
pub fn plain<'a>(profile: &[String], facts: impl IntoIterator<Item = &'a Fact>) -> Masked {
    Masked::new(|text, tags| (text.to_owned(), tags.to_vec()), profile, facts)
}

/// What a CommonMark parser finds in a mirror.
#[derive(Debug, Default, PartialEq)]
pub struct Read {
    pub headings: Vec<(HeadingLevel, String)>,
    pub profile: Vec<String>,
    pub facts: Vec<ReadFact>,
}

#[derive(Debug, Default, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReadFact {
    /// From the heading above it.
    pub kind: String,
    pub short_id: String,
    pub citation: String,
    pub created: String,
    pub updated: String,
    pub text: String,
    pub tags: Vec<String>,
}

/// Every dialect that the mirror must survive.
pub fn dialects() -> [Options; 2] {
    let github = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM
        | Options::ENABLE_WIKILINKS
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
    [Options::empty(), github]
}

#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Text(String),
    Code(String),
    Break,
}

/// Reads a mirror, or says what is in it that should not be.
pub fn read(mirror: &str, dialect: Options) -> Result<Read, String> {
    let mut read = Read::default();
    let mut pieces: Vec<Piece> = Vec::new();
    let (mut lists, mut quotes, mut comments) = (0, 0, 0);
    for event in Parser::new_ext(mirror, dialect) {
        match event {
            Event::Start(Tag::Heading { .. } | Tag::Item) => pieces.clear(),
            Event::Start(Tag::List(None)) => lists += 1,
            Event::Start(Tag::BlockQuote(None)) => quotes += 1,
            Event::Start(Tag::Paragraph | Tag::HtmlBlock)
            | Event::End(TagEnd::Paragraph | TagEnd::HtmlBlock | TagEnd::BlockQuote(None)) => {}
            Event::End(TagEnd::List(false)) => lists -= 1,
            Event::End(TagEnd::Heading(level)) => {
                let [Piece::Text(text)] = &pieces[..] else {
                    return Err(format!("heading of {pieces:?}"));
                };
                read.headings.push((level, text.clone()));
            }
            Event::End(TagEnd::Item) => {
                if lists != 1 {
                    return Err("a list in a list".to_owned());
                }
                let kind = match read.headings.last() {
                    Some((HeadingLevel::H2, title)) if title == "Profile" => None,
                    Some((HeadingLevel::H3, kind)) => Some(kind.clone()),
                    other => return Err(format!("an item under {other:?}")),
                };
                match kind {
                    None => read.profile.push(text_of(&pieces)?),
                    Some(kind) => read.facts.push(fact_of(&kind, &pieces)?),
                }
                pieces.clear();
            }
            Event::Text(text) => match pieces.last_mut() {
                Some(Piece::Text(before)) => before.push_str(&text),
                _ => pieces.push(Piece::Text(text.into_string())),
            },
            Event::Code(code) => pieces.push(Piece::Code(code.into_string())),
            Event::HardBreak => pieces.push(Piece::Break),
            Event::Html(html) if html.starts_with("<!-- dsh-native-memory sha256:") => {
                comments += 1;
            }
            other => return Err(format!("{other:?}")),
        }
    }
    if (quotes, comments) != (1, 1) {
        return Err(format!("{quotes} quotes, {comments} comments"));
    }
    Ok(read)
}

fn text_of(pieces: &[Piece]) -> Result<String, String> {
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => Ok(text.as_str()),
            Piece::Break => Ok("\n"),
            Piece::Code(code) => Err(format!("code in a text: {code:?}")),
        })
        .collect()
}

fn fact_of(kind: &str, pieces: &[Piece]) -> Result<ReadFact, String> {
    let wrong = || format!("not a fact: {pieces:?}");
    let last = pieces.iter().rposition(|piece| *piece == Piece::Break).ok_or_else(wrong)?;
    let text = text_of(&pieces[..last])?;
    let text = text.strip_prefix(&format!("[{kind}] ")).ok_or_else(wrong)?;
    let [Piece::Code(short_id), Piece::Text(about), tags @ ..] = &pieces[last + 1..] else {
        return Err(wrong());
    };
    let about = about.strip_prefix(" — session ").ok_or_else(wrong)?;
    let about =
        if tags.is_empty() { about } else { about.strip_suffix(" — tags: ").ok_or_else(wrong)? };
    let (about, updated) = about.rsplit_once(" — updated ").ok_or_else(wrong)?;
    let (citation, created) = about.rsplit_once(" — created ").ok_or_else(wrong)?;
    let mut read_tags = Vec::new();
    for (n, piece) in tags.iter().enumerate() {
        match piece {
            Piece::Code(tag) if n % 2 == 0 => read_tags.push(unescaped(tag)),
            Piece::Text(comma) if n % 2 == 1 && comma == ", " => {}
            _ => return Err(wrong()),
        }
    }
    Ok(ReadFact {
        kind: kind.to_owned(),
        short_id: unescaped(short_id),
        citation: citation.to_owned(),
        created: created.to_owned(),
        updated: updated.to_owned(),
        text: text.to_owned(),
        tags: read_tags,
    })
}

/// Takes back the Rust escapes of a code span.
fn unescaped(code: &str) -> String {
    let mut out = String::new();
    let mut rest = code;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let numbered = after.strip_prefix("u{").and_then(|after| after.split_once('}'));
        rest = if let Some((hex, after)) = numbered {
            out.push(char::from_u32(u32::from_str_radix(hex, 16).unwrap()).unwrap());
            after
        } else {
            out.push('\\');
            after.strip_prefix('\\').unwrap()
        };
    }
    out + rest
}
