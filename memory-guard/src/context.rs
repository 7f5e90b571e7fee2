//! Secrets that are known by where they stand: key blocks, URLs, headers, and
//! what base64 hides.

use std::ops::Range;
use std::sync::LazyLock;

use crate::assign;
use crate::fold::View;
use crate::rules::Class;
use crate::secrets::{REDACTED, Rank};
use crate::tokens::{Heads, begins_word, is_filler};
use crate::words;

type Report<'a> = dyn FnMut(&'static str, Rank, Range<usize>) + 'a;

pub(crate) fn find(view: &View<'_>, found: &mut Report<'_>) {
    let places = Places::of(&view.text);
    private_keys(&view.text, &places, found);
    urls(&view.text, &places, found);
    headers(&view.text, found);
}

/// What the detectors of this module begin with.
const MARKS: [&str; 7] =
    [BEGIN, END, "://", "MII", "b3BlbnNzaC1rZXktdjE", "MC4CAQAwBQYDK2VwBCIEI", "MHcCAQEEI"];
const LINES: &str = "Private-Lines:";

static HEADS: LazyLock<Heads<usize>> = LazyLock::new(|| {
    let marks = MARKS.iter().chain([&LINES]).enumerate();
    Heads::new(marks.map(|(n, &mark)| (mark, n)).collect())
});

/// Where each mark stands, found in one pass.
struct Places([Vec<usize>; MARKS.len() + 1]);

impl Places {
    fn of(text: &str) -> Self {
        let heads = &*HEADS;
        let bytes = text.as_bytes();
        let mut places: [Vec<usize>; MARKS.len() + 1] = Default::default();
        for at in 0..bytes.len().saturating_sub(1) {
            if heads.may_begin(bytes, at) {
                for &(_, mark) in heads.at(bytes, at) {
                    places[mark].push(at);
                }
            }
        }
        Self(places)
    }

    fn mark(&self, n: usize) -> impl Iterator<Item = usize> {
        self.0[n].iter().copied()
    }
}

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";

/// Blocks of private keys, whole, cut off, or with other text as their end.
fn private_keys(text: &str, places: &Places, found: &mut Report<'_>) {
    let bytes = text.as_bytes();
    let mut ends = places.mark(1).peekable();
    let mut done = 0;
    let mut begins = places.mark(0).peekable();
    while let Some(begin) = begins.next() {
        if begin < done {
            continue;
        }
        let Some(body) = end_of_label(text, begin + BEGIN.len()) else { continue };
        let next_begin = begins.peek().copied().unwrap_or(text.len());
        while ends.next_if(|&end| end < body).is_some() {}
        let closed = ends.peek().copied().filter(|&end| end < next_begin);
        let span = if let Some(end) = closed {
            let close = end_of_label(text, end + END.len()).unwrap_or(end + END.len());
            let inside = &bytes[body..end];
            let drawn = inside.iter().filter(|&&b| Class::Std64.has(b)).count();
            (drawn >= 4 && !text[body..end].contains(REDACTED)).then_some(begin..close)
        } else {
            let end = end_of_body(text, body, next_begin);
            let drawn = bytes[body..end].iter().filter(|&&b| Class::Std64.has(b)).count();
            (drawn >= 12).then_some(begin..end)
        };
        if let Some(span) = span {
            done = span.end;
            found("private-key", Rank::Shape, span);
        }
    }
    // The first line of an unencrypted key says what it is without a header.
    for at in places.mark(3) {
        if begins_word(bytes, at) && at >= done && is_key_der(&bytes[at..]) {
            let end = end_of_body(text, at, text.len());
            if end - at >= 40 {
                done = end;
                found("private-key", Rank::Shape, at..end);
            }
        }
    }
    // OpenSSH, Ed25519 in PKCS #8, and SEC 1.
    for (mark, least) in [(4, 60), (5, 40), (6, 60)] {
        for at in places.mark(mark) {
            if begins_word(bytes, at) && at >= done {
                let end = end_of_body(text, at, text.len());
                if end - at >= least {
                    done = end;
                    found("private-key", Rank::Shape, at..end);
                }
            }
        }
    }
    for at in places.mark(7) {
        let lines = at + LINES.len();
        let count = bytes[lines..].iter().take(8).take_while(|b| matches!(b, b' ' | b'0'..=b'9'));
        let body = lines + count.count();
        let end = end_of_body(text, body, text.len());
        if end - body >= 20 {
            found("private-key", Rank::Shape, body..end);
        }
    }
}

/// The end of a label line that names a private key.
fn end_of_label(text: &str, at: usize) -> Option<usize> {
    let label = &text[at..at
        + text.as_bytes()[at..]
            .iter()
            .take(64)
            .take_while(|b| matches!(b, b'A'..=b'Z' | b'0'..=b'9' | b' '))
            .count()];
    let after = at + label.len();
    ((label.ends_with("PRIVATE KEY") || label.ends_with("PRIVATE KEY BLOCK"))
        && text[after..].starts_with("-----"))
    .then_some(after + 5)
}

/// `SEQUENCE { INTEGER 0, … }` in base64: a private key of PKCS #1 or #8.
fn is_key_der(bytes: &[u8]) -> bool {
    matches!(
        bytes,
        [b'M', b'I', b'I', b'A'..=b'S', _, b'A' | b'Q' | b'g' | b'w', b'I', b'B', b'A' | b'D', ..]
    )
}

/// How far the body of a key reaches when nothing says where it ends: as long
/// as its lines hold base64 or the headers of a key.
fn end_of_body(text: &str, body: usize, limit: usize) -> usize {
    const HEADERS: &[&str] =
        &["Proc-Type:", "DEK-Info:", "Comment:", "Version:", "Hash:", "Charset:"];
    let bytes = text.as_bytes();
    let mut end = body;
    let mut at = body;
    while at < limit {
        // Separators: white space, and line breaks written as escapes.
        let b = bytes[at];
        if b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b',' | b'+' | b'>' | b'|' | b'\\')
        {
            at += 1;
            if b == b'\\' && at < limit && matches!(bytes[at], b'n' | b'r') {
                at += 1;
            }
            continue;
        }
        if HEADERS.iter().any(|header| text[at..].starts_with(header)) {
            at += bytes[at..limit].iter().take_while(|b| !matches!(b, b'\n' | b'\\')).count();
            end = at;
            continue;
        }
        let word = bytes[at..limit].iter().take_while(|&&b| Class::Std64.has(b)).count();
        let chunk = &bytes[at..at + word];
        let after = bytes.get(at + word).copied();
        let closes =
            matches!(after, None | Some(b'\n' | b'\r' | b'"' | b'\'' | b'\\' | b' ' | b'`' | b','));
        let alone = matches!(after, None | Some(b'\n' | b'\r' | b'"' | b'\'' | b'\\' | b'`'))
            && at > 0
            && matches!(bytes[at - 1], b'\n' | b'n' | b'\r' | b' ' | b'\t' | b'-' | b'"');
        let drawn = word >= 16 && !words::is_wordy(chunk)
            || word >= 2
                && closes
                && (chunk.iter().any(|b| matches!(b, b'=' | b'+'))
                    || chunk.iter().any(u8::is_ascii_digit)
                        && chunk.iter().any(u8::is_ascii_alphabetic));
        if word > 0 && (drawn || (alone && end > body && !words::is_wordy(chunk)) || word >= 40) {
            at += word;
            end = at;
        } else {
            break;
        }
    }
    end
}

#[rustfmt::skip]
const DATABASES: &[&str] = &[
    "postgres", "postgresql", "mysql", "mariadb", "mongodb", "mongodb+srv", "redis", "rediss",
    "amqp", "amqps", "mssql", "sqlserver", "oracle", "clickhouse", "cockroachdb", "cassandra",
    "neo4j", "bolt", "couchdb", "kafka", "nats", "db2", "snowflake",
];

/// The password part of URLs, and a token in the place of the user.
fn urls(text: &str, places: &Places, found: &mut Report<'_>) {
    let bytes = text.as_bytes();
    let mut done = 0;
    for colon in places.mark(2) {
        let from = colon + 3;
        if from < done {
            continue;
        }
        let (mut end, mut at_sign, mut slash, mut first_colon) = (from, None, None, None);
        for &b in &bytes[from..] {
            match b {
                b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'`' | b'<' | b'>' => break,
                b'\'' if at_sign.is_some() => break,
                b'@' if slash.is_none() => at_sign = Some(end),
                // A password may hold what should have been escaped.
                b'@' if at_sign.is_none()
                    && first_colon.is_some_and(|c| !is_port(bytes, c + 1)) =>
                {
                    at_sign = Some(end);
                }
                b'/' | b'?' | b'#' if slash.is_none() => slash = Some(end),
                b':' if slash.is_none() && first_colon.is_none() => first_colon = Some(end),
                _ if b >= 0x80 && at_sign.is_some() => break,
                _ => {}
            }
            end += 1;
            if end - from > 2048 {
                break;
            }
        }
        done = end;
        let Some(at_sign) = at_sign else { continue };
        let scheme_len = bytes[..colon]
            .iter()
            .rev()
            .take(24)
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
            .count();
        let scheme = text[colon - scheme_len..colon].to_ascii_lowercase();
        let kind =
            if DATABASES.iter().any(|&db| scheme == db || scheme.split('+').next() == Some(db)) {
                "connection-string"
            } else {
                "url-password"
            };
        if let Some(c) = first_colon.filter(|&c| c < at_sign) {
            let (user, password) = (&text[from..c], &text[c + 1..at_sign]);
            if is_url_password(user, password) {
                found(kind, Rank::Place, c + 1..at_sign);
            }
            // `https://TOKEN:x-oauth-basic@host`
            if user.len() >= 20 && !words::is_wordy(user.as_bytes()) && !assign::is_reference(user)
            {
                found(kind, Rank::Place, from..c);
            }
        } else {
            let user = &text[from..at_sign];
            if user.len() >= 20
                && Class::Bearer.has(bytes[from])
                && !words::is_wordy(user.as_bytes())
                && user.bytes().any(|b| b.is_ascii_digit())
                && !assign::is_reference(user)
            {
                found(kind, Rank::Place, from..at_sign);
            }
        }
    }
}

fn is_port(bytes: &[u8], at: usize) -> bool {
    let digits = bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
    digits > 0 && matches!(bytes.get(at + digits), None | Some(b'/' | b'?' | b'#'))
}

fn is_url_password(user: &str, password: &str) -> bool {
    const STAND_INS: &[&str] = &[
        "password",
        "passwd",
        "pass",
        "pwd",
        "pw",
        "secret",
        "token",
        "changeme",
        "xxx",
        "user",
        "username",
        "mypassword",
        "yourpassword",
        "x-oauth-basic",
        "db_password",
        "dbpass",
        "example",
        "redacted",
        "p",
        "pass123",
        "1234",
        "123",
        "root",
        "admin",
        "guest",
        "test",
    ];
    let lower = password.to_ascii_lowercase();
    let letters = password.bytes().all(|b| b.is_ascii_alphabetic());
    password.len() >= if letters { 6 } else { 4 }
        && !password.starts_with("&lt;")
        && !password.contains(REDACTED)
        && !is_filler(password.as_bytes())
        && !password.bytes().all(|b| b == b'*')
        && password != user
        && !STAND_INS.contains(&lower.as_str())
        && !assign::is_reference(password)
        && !(password.contains('/') && words::is_wordy(password.as_bytes()))
        && !password.to_ascii_lowercase().starts_with("your")
        && !(password.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')
            && words::is_wordy(password.as_bytes()))
}

/// `Authorization: …` in any case, and a `Bearer` credential anywhere.
fn headers(text: &str, found: &mut Report<'_>) {
    const SCHEMES: &[&str] = &[
        "bearer",
        "basic",
        "token",
        "apikey",
        "api-key",
        "key",
        "negotiate",
        "digest",
        "bot",
        "splunk",
        "genie-key",
        "sso-key",
    ];
    let bytes = text.as_bytes();
    let mut at = 0;
    while at + 6 < bytes.len() {
        let b = bytes[at] | 0x20;
        if b != b'a' && b != b'b' {
            at += 1;
            continue;
        }
        if starts_with_ignoring_case(bytes, at, b"authorization") {
            let mut value = at + "authorization".len();
            value += bytes[value..]
                .iter()
                .take(8)
                .take_while(|b| matches!(b, b'"' | b'\'' | b'\\' | b' ' | b']' | b'`'))
                .count();
            at = value;
            if !matches!(bytes.get(value), Some(b':' | b'=' | b',')) {
                continue;
            }
            value += 1;
            value += bytes[value..]
                .iter()
                .take(8)
                .take_while(|b| matches!(b, b'"' | b'\'' | b'\\' | b' ' | b'`' | b'>' | b'='))
                .count();
            let mut named = false;
            for scheme in SCHEMES {
                if starts_with_ignoring_case(bytes, value, scheme.as_bytes())
                    && bytes.get(value + scheme.len()) == Some(&b' ')
                {
                    value += scheme.len();
                    value += bytes[value..].iter().take(4).take_while(|b| **b == b' ').count();
                    named = true;
                    break;
                }
            }
            let end = value
                + bytes[value..].iter().take(16384).take_while(|&&b| Class::Bearer.has(b)).count();
            if is_header_credential(&bytes[value..end], if named { 6 } else { 16 }, false) {
                found("authorization-header", Rank::Place, value..end);
            }
            at = end.max(at);
        } else if starts_with_ignoring_case(bytes, at, b"bearer") && begins_word(bytes, at) {
            let mut value = at + "bearer".len();
            let gap = bytes[value..]
                .iter()
                .take(4)
                .take_while(|b| matches!(b, b' ' | b'\t' | b':' | b'=' | b'"'))
                .count();
            value += gap;
            let end = value
                + bytes[value..].iter().take(16384).take_while(|&&b| Class::Bearer.has(b)).count();
            let mut end = end;
            while end > value && bytes[end - 1] == b'.' {
                end -= 1;
            }
            if gap > 0 && is_header_credential(&bytes[value..end], 16, true) {
                found("bearer-token", Rank::Place, value..end);
            }
            at = value;
        } else {
            at += 1;
        }
    }
}

fn starts_with_ignoring_case(bytes: &[u8], at: usize, lower: &[u8]) -> bool {
    bytes.get(at..at + lower.len()).is_some_and(|here| here.eq_ignore_ascii_case(lower))
}

fn is_header_credential(value: &[u8], least: usize, strict: bool) -> bool {
    let text = String::from_utf8_lossy(value);
    value.len() >= least
        && !is_filler(value)
        && !words::is_wordy(value)
        && !assign::is_reference(&text)
        && (!strict || !text.contains("://"))
}

/// Decodes runs of base64 that read as text, for `look` to judge. Each run is
/// tried at the places where an encoded piece may begin.
pub(crate) fn base64_runs(text: &str, look: &mut dyn FnMut(Range<usize>, &str) -> bool) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes[at..]
            .iter()
            .take_while(|&&b| Class::Std64.has(b) || b == b'-' || b == b'_')
            .count();
        if length < 24 {
            at += length + 1;
            continue;
        }
        let run = at..at + length;
        at = run.end;
        for shift in 0..4 {
            let Some(decoded) = decode_text(&bytes[run.start + shift..run.end]) else { continue };
            if look(run.clone(), &decoded) {
                break;
            }
        }
    }
}

/// What base64 hides, if it is text for the most part.
fn decode_text(run: &[u8]) -> Option<String> {
    let mut out = Vec::with_capacity(run.len() * 3 / 4);
    let (mut buffer, mut bits) = (0_u32, 0);
    let mut odd = 0;
    for &b in run {
        let value = match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => break,
        };
        buffer = (buffer << 6) | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            let byte = u8::try_from((buffer >> bits) & 0xff).unwrap_or(0);
            let plain = matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t');
            odd += usize::from(!plain);
            out.push(if plain { byte } else { 0x01 });
            // Chance gives a third of readable bytes; a text nearly only those.
            if out.len() >= 12 && odd * 4 > out.len() {
                return None;
            }
        }
    }
    if out.len() < 16 || odd * 8 > out.len() {
        return None;
    }
    String::from_utf8(out).ok()
}
