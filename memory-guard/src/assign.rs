//! Values that a name gives away: `PASSWORD=…`, `"api_key": "…"`, `密码：…`,
//! "the password is …".
//!
//! A name is found, then what stands between it and its value, then the value;
//! last, the value is judged together with how it was given.

use std::ops::Range;
use std::sync::LazyLock;

use crate::fold::View;
use crate::rules::Class;
use crate::secrets::{REDACTED, Rank};
use crate::tokens::{Heads, is_filler, names_a_placeholder};
use crate::words;

type Report<'a> = dyn FnMut(&'static str, Rank, Range<usize>) + 'a;

/// What a name says about its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    /// A password: chosen by people, may be short.
    Password,
    /// The word `pass`, which is a verb unless a mark follows.
    Pass,
    /// A token, secret or key: drawn by a machine.
    Token,
}

/// How a value was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Behind `=`, `:` and the like.
    Assigned,
    /// Told in a sentence: the value itself must look like one.
    Told,
    /// Told some words later: the value must look like nothing else.
    Far,
}

/// Text that a name may hold; the letters are compared without case.
static NAMES: LazyLock<Heads<Name>> = LazyLock::new(|| {
    use Name::{Password, Token};
    Heads::new(vec![
        ("pass", Password),
        ("pwd", Password),
        ("contraseña", Password),
        ("secret", Token),
        ("token", Token),
        ("key", Token),
        ("credential", Token),
        ("auth", Token),
        ("sig", Token),
        ("jwt", Token),
        ("sas", Token),
        ("dsn", Token),
        ("cookie", Token),
        ("密码", Password),
        ("密碼", Password),
        ("口令", Password),
        ("パスワード", Password),
        ("비밀번호", Password),
        ("密钥", Token),
        ("密鑰", Token),
        ("秘钥", Token),
        ("金鑰", Token),
        ("令牌", Token),
        ("私钥", Token),
        ("凭证", Token),
        ("凭据", Token),
        ("憑證", Token),
        ("トークン", Token),
        ("토큰", Token),
    ])
});

pub(crate) fn find(view: &View<'_>, found: &mut Report<'_>) {
    let text: &str = &view.text;
    let lower = text.to_ascii_lowercase();
    let (bytes, lower) = (text.as_bytes(), lower.as_bytes());
    let names = &*NAMES;
    let mut memo = Memo::default();
    let mut at = 0;
    while at + 1 < bytes.len() {
        if !names.may_begin(lower, at) {
            at += 1;
            continue;
        }
        let Some(&(head, name)) = names.at(lower, at).next() else {
            at += 1;
            continue;
        };
        if head.is_ascii() {
            let end = at + bytes[at..].iter().take(128).take_while(|&&b| is_name(b)).count();
            let start = at - bytes[..at].iter().rev().take(96).take_while(|&&b| is_name(b)).count();
            // A name may end in a full stop that is the sentence's.
            let trimmed = end
                - bytes[start..end].iter().rev().take_while(|&&b| matches!(b, b'.' | b'-')).count();
            let found_name = judge_name(bytes, lower, start, trimmed.max(start));
            if let Some(name) = found_name {
                values(text, start, trimmed, name, &mut memo, found);
            }
            at = end.max(at + head.len());
        } else {
            told_in_cjk(text, at + head.len(), name, &mut memo, found);
            at += head.len();
        }
    }
    basic_users(text, found);
}

fn is_name(b: u8) -> bool {
    Class::Dotted.has(b)
}

/// Splits a name at `_`, `-`, `.` and humps, from its end: `dbPassword_v2`
/// gives `v2`, `password`, `db`.
///
/// `lower` is the same name in small letters, which the segments are taken of.
fn segments_from_end<'a>(name: &[u8], lower: &'a [u8]) -> ([&'a [u8]; MOST_SEGMENTS], usize) {
    let mut out: [&[u8]; MOST_SEGMENTS] = [&[]; MOST_SEGMENTS];
    let mut count = 0;
    let mut end = name.len();
    let mut at = name.len();
    while count < MOST_SEGMENTS && at > 0 {
        at -= 1;
        let b = name[at];
        let mark = matches!(b, b'_' | b'-' | b'.');
        let before = at.checked_sub(1).map(|i| name[i]);
        let hump = b.is_ascii_uppercase()
            && before.is_some_and(|x| {
                x.is_ascii_lowercase()
                    || x.is_ascii_digit()
                    || x.is_ascii_uppercase()
                        && name.get(at + 1).is_some_and(u8::is_ascii_lowercase)
            });
        let from = if mark { at + 1 } else { at };
        if (mark || hump || at == 0) && from < end {
            out[count] = &lower[from..end];
            count += 1;
        }
        if mark || hump {
            end = at;
        }
    }
    (out, count)
}

/// So many segments of a name are looked at.
const MOST_SEGMENTS: usize = 6;

fn is_one_of(segment: &[u8], list: &[&str]) -> bool {
    list.iter().any(|item| item.as_bytes() == segment)
}

fn ends_in(segment: &[u8], list: &[&str]) -> bool {
    list.iter().any(|item| segment.ends_with(item.as_bytes()))
}

/// How the telling part of a name ends when its value is a password.
const PASSWORDS: &[&str] = &["password", "passwd", "passphrase", "passcode", "passwort", "pwd"];

/// How the telling part of a name ends when its value is drawn by a machine.
#[rustfmt::skip]
const TOKENS: &[&str] = &[
    "secret", "token", "apikey", "accesskey", "secretkey", "privatekey", "authkey", "credential",
    "credentials", "signingkey", "encryptionkey", "accountkey",
];

/// What may stand behind the telling part of a name.
#[rustfmt::skip]
const TAILS: &[&str] = &[
    "prod", "production", "dev", "development", "stage", "staging", "test", "testing", "live",
    "value", "val", "new", "old", "current", "primary", "secondary", "default", "env", "b64",
    "base64", "raw", "plain", "plaintext", "local", "ci", "admin", "root", "db", "backup",
];

/// What turns a telling name into an innocent one.
#[rustfmt::skip]
const INNOCENT: &[&str] = &[
    "max", "min", "num", "per", "total", "count", "prompt", "completion", "input", "output",
    "page", "next", "prev", "previous", "continuation", "cursor", "sync", "pagination",
    "idempotency", "cancel", "cancellation", "pad", "eos", "bos", "unk", "cls", "sep", "public",
    "pub", "no", "is", "has", "requires", "show", "hide", "toggle", "forgot", "reset", "invalid",
    "wrong", "missing", "lexer", "parser", "peek", "syntax", "keyword", "cache", "partition",
    "foreign", "sort", "row", "dedupe", "group", "index", "shard", "lookup", "host", "hash",
    "design", "stop", "special", "react", "intl", "i18n", "translation", "map", "dict",
    "compiler", "resource", "route", "query", "tag", "license", "data", "object", "bucket",
];

/// What in front of `key` makes it a secret one.
#[rustfmt::skip]
const SECRET_KEYS: &[&str] = &[
    "api", "access", "secret", "private", "signing", "sign", "encryption", "encrypt", "auth",
    "account", "shared", "master", "service", "deploy", "session", "webhook", "hmac", "admin",
    "root", "write", "subscription", "aes", "jwt", "client", "consumer", "crypto", "cipher",
    "app", "application", "storage", "sas", "rsa", "ssh", "license", "integration", "ingest",
    "secretaccess", "sharedaccess", "rest", "dashboard", "bot",
];

/// Whether `bytes[start..end]` is the name of a secret, and of which.
fn judge_name(bytes: &[u8], lower: &[u8], start: usize, end: usize) -> Option<Name> {
    let name = &bytes[start..end];
    let (segments, count) = segments_from_end(name, &lower[start..end]);
    let mut segments = &segments[..count];
    while segments.len() > 1
        && segments.first().is_some_and(|last| {
            is_one_of(last, TAILS)
                || (last.iter().all(u8::is_ascii_digit))
                || (last.first() == Some(&b'v') && last[1..].iter().all(u8::is_ascii_digit))
        })
    {
        segments = &segments[1..];
    }
    let last = segments.first()?;
    // `password2`, `TOKEN1`
    let digits = last.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let last = &last[..last.len() - digits];
    // The last letter rules out nearly all other words.
    if !matches!(
        last.last(),
        Some(b'd' | b's' | b't' | b'n' | b'e' | b'w' | b'g' | b'y' | b'h' | b'l')
    ) {
        return None;
    }
    let before = || segments.get(1).copied().or_else(|| word_before(bytes, start));
    let told = if ends_in(last, PASSWORDS)
        || is_one_of(last, &["dbpass", "mypass", "userpass", "smtppass", "pw"])
    {
        Name::Password
    } else if last == b"pass" {
        Name::Pass
    } else if last == b"sig" {
        // The signature of a shared access link, in its query.
        let query = start > 0 && matches!(bytes[start - 1], b'&' | b'?' | b';');
        return (query && segments.len() == 1).then_some(Name::Token);
    } else if ends_in(last, TOKENS)
        || is_one_of(last, &["jwt", "secrets", "creds"])
        || (last == b"auth" && name.first() == Some(&b'_'))
    {
        Name::Token
    } else if last == b"key" {
        let known = before().is_some_and(|word| {
            is_one_of(word, SECRET_KEYS) || ends_in(word, &["secret", "access", "api"])
        });
        let shouted =
            segments.len() > 1 && name.contains(&b'_') && !name.iter().any(u8::is_ascii_lowercase);
        if !known && !shouted {
            return None;
        }
        Name::Token
    } else {
        return None;
    };
    let innocent = before().is_some_and(|word| is_one_of(word, INNOCENT));
    (!innocent).then_some(told)
}

/// The word in front of a name, if one blank parts them: `API key`.
fn word_before(bytes: &[u8], start: usize) -> Option<&[u8]> {
    if start < 2 || bytes[start - 1] != b' ' {
        return None;
    }
    let end = start - 1;
    let length = bytes[..end].iter().rev().take(24).take_while(|b| b.is_ascii_alphabetic()).count();
    let word = &bytes[end - length..end];
    // Compared with lists in small letters; capitals are matched by hand.
    KNOWN_BEFORE
        .iter()
        .find(|known| word.eq_ignore_ascii_case(known.as_bytes()))
        .map(|k| k.as_bytes())
}

#[rustfmt::skip]
const KNOWN_BEFORE: &[&str] = &[
    "api", "access", "secret", "private", "signing", "encryption", "auth", "account", "shared",
    "master", "deploy", "session", "webhook", "service", "public", "next", "page", "max", "reset",
    "forgot", "no", "license", "ssh", "cache", "partition", "sort", "foreign", "cancellation",
];

/// Reads what stands behind a name and reports the value.
fn values(
    text: &str,
    start: usize,
    end: usize,
    name: Name,
    memo: &mut Memo,
    found: &mut Report<'_>,
) {
    let bytes = text.as_bytes();
    let mut report = |range: Range<usize>| {
        let value = &bytes[range.clone()];
        let whole = &bytes[start..end];
        let aws = value.len() == 40 && whole.windows(3).any(|w| w.eq_ignore_ascii_case(b"aws"))
            || whole.to_ascii_lowercase().ends_with(b"secret_access_key");
        let kind = if aws { "aws-secret-key" } else { "credential-assignment" };
        found(kind, Rank::Assigned, range);
    };
    let mut at = end;
    let mut quoted_name = false;
    // Closing quotes, brackets and emphasis around the name.
    for _ in 0..6 {
        match bytes.get(at) {
            Some(b'"' | b'\'' | b'`') => {
                quoted_name = true;
                at += 1;
            }
            Some(b'\\' | b'*' | b']' | b')') => at += 1,
            _ => break,
        }
    }
    let spaces = bytes[at..].iter().take(48).take_while(|b| matches!(b, b' ' | b'\t')).count();
    let after = at + spaces;
    let separator = match bytes.get(after..) {
        Some([b':', b':', ..] | [b':', b'/', b'/', ..]) => None,
        Some([b':' | b'=' | b'+' | b'?', b'=', ..] | [b'=' | b'-', b'>', ..]) => {
            Some((after + 2, Form::Assigned))
        }
        Some([b'!', b'=', ..]) => Some((after + 2, Form::Told)),
        Some([b'=' | b':', ..] | [b'(', b'"' | b'\'' | b'`', ..]) => {
            Some((after + 1, Form::Assigned))
        }
        Some([b'|', b' ', ..]) => Some((after + 1, Form::Told)),
        Some([b'>', ..]) if bytes[..start].iter().rev().take(24).any(|&b| b == b'<') => {
            Some((after + 1, Form::Assigned))
        }
        Some([b',', ..]) if quoted_name => Some((after + 1, Form::Told)),
        _ => None,
    };
    let (separator, name) = match name {
        Name::Pass if separator.is_none() => return,
        Name::Pass => (separator, Name::Password),
        _ => (separator, name),
    };
    if bytes.get(end) == Some(&b'=')
        && let Some(stop) = env_value(bytes, start, end + 1)
        && is_secret(&text[end + 1..stop], name, Form::Assigned, false, false)
    {
        report(end + 1..stop);
        return;
    }
    if let Some((at, form)) = separator {
        // `password: String = "…"`
        let (at, form) = match behind_type(bytes, after + 1).filter(|_| bytes[after] == b':') {
            Some(behind) => (behind, Form::Assigned),
            None => (at, form),
        };
        if let Some(value) = value_at(text, at, name, form, memo) {
            report(value);
            return;
        }
        // A value was announced and is none: nothing else is meant.
        return;
    } else if spaces > 0 {
        // `--password x`, `ENV API_KEY x`, `login a password x`
        let option = bytes[start] == b'-';
        let shouted = bytes[start..end].contains(&b'_')
            && !bytes[start..end].iter().any(u8::is_ascii_lowercase);
        let form = if option || shouted { Form::Assigned } else { Form::Told };
        if let Some(value) = value_at(text, after, name, form, memo) {
            report(value);
            return;
        }
    }
    if let Some(value) =
        told_after(text, after, name, memo).or_else(|| told_before(text, start, name))
    {
        report(value);
    }
}

/// Skips a type in front of `=`: the place behind the `=`.
fn behind_type(bytes: &[u8], at: usize) -> Option<usize> {
    let length = bytes[at..]
        .iter()
        .take(40)
        .take_while(|b| {
            b.is_ascii_alphanumeric()
                || matches!(
                    b,
                    b' ' | b'_'
                        | b'<'
                        | b'>'
                        | b'&'
                        | b'\''
                        | b'.'
                        | b':'
                        | b'|'
                        | b'?'
                        | b'['
                        | b']'
                )
        })
        .count();
    let end = at + length;
    (length > 1
        && bytes[end - 1] == b' '
        && bytes.get(end) == Some(&b'=')
        && bytes.get(end + 1) == Some(&b' '))
    .then_some(end + 1)
}

/// The value at `at`, if it is a secret.
fn value_at(
    text: &str,
    at: usize,
    name: Name,
    form: Form,
    memo: &mut Memo,
) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = at;
    let mut form = form;
    at += bytes[at..].iter().take(48).take_while(|b| matches!(b, b' ' | b'\t')).count();
    // Markup and words in front of the value, and YAML's block marks.
    for _ in 0..4 {
        match bytes.get(at..) {
            Some([b'*', b'*', ..] | [b'|' | b'>', b'-' | b'+', b'\n', ..]) => at += 2,
            Some([b'|' | b'>', b'\n', ..]) => at += 1,
            Some([b'\n', ..] | [b'\r', b'\n', ..]) => {
                let skip =
                    bytes[at..].iter().take(64).take_while(|b| b.is_ascii_whitespace()).count();
                at += skip;
                form = Form::Told;
                let line = bytes[at..]
                    .iter()
                    .take(256)
                    .take_while(|b| !matches!(b, b'\n' | b'\r'))
                    .count();
                if bytes[at..at + line].iter().any(|b| matches!(b, b' ' | b':' | b'=')) {
                    return None;
                }
                break;
            }
            _ => break,
        }
        at += bytes[at..].iter().take(48).take_while(|b| matches!(b, b' ' | b'\t')).count();
    }
    if let (Some(b'b' | b'r' | b'f' | b'u' | b'L' | b'@' | b'$'), Some(b'"' | b'\'' | b'`')) =
        (bytes.get(at), bytes.get(at + 1))
    {
        at += 1;
    }
    let (range, quoted, cut) = if let Some(range) = quoted_value(bytes, at) {
        (range, true, false)
    } else {
        let open = usize::from(matches!(bytes.get(at), Some(b'"' | b'\'' | b'`')));
        let (range, cut) = bare_value(text, at + open, memo);
        (range, open > 0, cut)
    };
    let value = text.get(range.clone())?;
    is_secret(value, name, form, quoted, cut).then_some(range)
}

const LONGEST: usize = 4096;

/// What stands between quotes, which may be escaped themselves.
fn quoted_value(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let slashes = bytes[at..].iter().take(4).take_while(|b| **b == b'\\').count();
    let quote = *bytes.get(at + slashes)?;
    if !matches!(quote, b'"' | b'\'' | b'`') {
        return None;
    }
    let mut from = at + slashes + 1;
    if slashes == 0 && bytes.get(from) == Some(&quote) && bytes.get(from + 1) == Some(&quote) {
        from += 2;
    }
    let mut here = from;
    while here < bytes.len() && here - from < LONGEST {
        match bytes[here] {
            b'\n' | b'\r' => return None,
            b'\\' => {
                let run = bytes[here..].iter().take_while(|b| **b == b'\\').count();
                if bytes.get(here + run) == Some(&quote) {
                    if run <= slashes {
                        return Some(from..here);
                    }
                    here += run + 1;
                } else {
                    here += run;
                }
            }
            b if b == quote && slashes == 0 => return Some(from..here),
            b if b == quote => return Some(from..here),
            _ => here += 1,
        }
    }
    None
}

/// The run of text that was last read as a value without quotes. Names inside
/// it share it, and only the first few are judged: the time stays linear.
#[derive(Default)]
struct Memo {
    from: usize,
    end: usize,
    cut: bool,
    uses: usize,
}

/// How far a value without quotes reaches, and whether program text ends it.
fn bare_run(text: &str, at: usize) -> (usize, bool) {
    let bytes = text.as_bytes();
    let mut end = at;
    let mut cut = false;

    while end < bytes.len() && end - at < LONGEST {
        let rest = &bytes[end..];
        let stop = match rest[0] {
            b if b.is_ascii_whitespace() => true,
            b if b >= 0x80 => text[end..].chars().next().is_none_or(|c| {
                c.is_whitespace() || matches!(c, '\u{3000}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{ff00}'..='\u{ff65}' | '…' | '⏎' | '→')
            }),
            b'"' | b'\'' | b'`' => rest.get(1).is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b',' | b';' | b')' | b']' | b'}' | b'>' | b':' | b'.' | b'<' | b'"' | b'\'' | b'&' | b'\\' | b'|')),
            b'\\' => matches!(rest.get(1), None | Some(b'n' | b'r' | b't' | b'"' | b'\'' | b'\\' | b'\n' | b'\r' | b'`')),
            b',' | b';' => {
                let next = rest.get(1);
                let field = is_field(&rest[1..]);
                let closes = next.is_none_or(|b| {
                    b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b')' | b'}' | b']' | b'{')
                });
                cut |= closes && !field && next.is_some_and(|&b| b != b' ' || rest[0] == b';');
                closes || field
            }
            b'&' => is_field(&rest[1..]) || rest.starts_with(b"&amp;") || rest.starts_with(b"&quot;"),
            b'<' => rest.starts_with(b"</") || rest.starts_with(b"<br"),
            b'[' => rest.starts_with(REDACTED.as_bytes()),
            _ => false,
        };
        if stop {
            break;
        }
        end += text[end..].chars().next().map_or(1, char::len_utf8);
    }
    (end, cut)
}

/// A value without quotes: up to white space, less what the text around it
/// needs. Also says whether that was a mark of program text.
fn bare_value(text: &str, at: usize, memo: &mut Memo) -> (Range<usize>, bool) {
    let bytes = text.as_bytes();
    if at < memo.from || at >= memo.end {
        let (end, cut) = bare_run(text, at);
        *memo = Memo { from: at, end, cut, uses: 0 };
    }
    memo.uses += 1;
    if memo.uses > 4 {
        return (at..at, false);
    }
    let (mut end, mut cut) = (memo.end, memo.cut);
    // Marks that belong to the sentence or to a bracket opened before.
    loop {
        let value = &bytes[at..end];
        let Some(&last) = value.last() else { break };
        let open = match last {
            b'.' | b',' | b';' => None,
            b')' => Some(b'('),
            b']' => Some(b'['),
            b'}' => Some(b'{'),
            b'>' => Some(b'<'),
            b'*' if value.ends_with(b"**") => None,
            _ => break,
        };
        let count = |mark: u8| value.iter().map(|&b| usize::from(b == mark)).sum::<usize>();
        if open.is_some_and(|open| {
            // Closes what the value opened, or what nothing opened.
            count(open) >= count(last) || !opened_before(bytes, at, open)
        }) {
            break;
        }
        cut |= matches!(last, b')' | b';');
        end -= 1;
    }
    (at..end.max(at), cut)
}

/// Whether a bracket was opened on the line before a value.
fn opened_before(bytes: &[u8], at: usize, open: u8) -> bool {
    bytes[..at].iter().rev().take(240).take_while(|b| **b != b'\n').any(|&b| b == open)
}

/// Whether `name=` follows, as in a query or a connection string.
fn is_field(bytes: &[u8]) -> bool {
    let name = bytes
        .iter()
        .take(40)
        .take_while(|&&b| Class::Url64.has(b) || b == b' ' || b == b'.')
        .count();
    let least = match bytes.get(name) {
        Some(b'=') => 2,
        Some(b':') => 3,
        _ => return false,
    };
    name >= least && bytes[..name].iter().all(|b| !b.is_ascii_digit()) && bytes[0] != b'-'
}

/// `NAME=value` alone on its line: nothing around the value belongs to a
/// sentence. The end of the value.
fn env_value(bytes: &[u8], start: usize, at: usize) -> Option<usize> {
    let before = bytes[..start].iter().rev().take(16).take_while(|b| **b != b'\n').count();
    let lead = bytes[start - before..start].trim_ascii();
    let leads: [&[u8]; 8] = [b"", b"export", b"set", b"+", b"-", b"ENV", b"+export", b"setx"];
    if before == 16 || !leads.contains(&lead) {
        return None;
    }
    let length = bytes[at..].iter().take(LONGEST).take_while(|b| !b.is_ascii_whitespace()).count();
    let end = at + length;
    let quoted =
        matches!(bytes.get(at), None | Some(b'"' | b'\'' | b'`' | b'$' | b'<' | b'[' | b'='));
    let plain = bytes[at..end].iter().all(u8::is_ascii)
        && !bytes[at..end].windows(REDACTED.len()).any(|w| w == REDACTED.as_bytes());
    let alone = matches!(bytes.get(end), None | Some(b'\n' | b'\r'));
    (!quoted && plain && alone && length > 0).then(|| end - usize::from(bytes[end - 1] == b';'))
}

/// "the password for the staging host is …", "changed the token to …"
fn told_after(text: &str, at: usize, name: Name, memo: &mut Memo) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut here = at;
    if !matches!(bytes.get(at), Some(b' ' | b'\t'))
        && at.checked_sub(1).is_none_or(|at| bytes[at] != b' ')
    {
        return None;
    }
    for step in 0..9 {
        here += bytes[here..]
            .iter()
            .take(4)
            .take_while(|b| matches!(b, b' ' | b'\t' | b'"' | b'\'' | b'`' | b'(' | b')'))
            .count();
        let word = bytes[here..]
            .iter()
            .take(32)
            .take_while(|b| {
                b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'\'' | b'.' | b'/')
            })
            .count();
        let end = here + word;
        let word = &bytes[here..end];
        // The next name speaks for itself.
        if word.is_empty() || word.len() == 32 || is_any(word, &["password", "token", "secret"]) {
            return None;
        }
        let next = bytes.get(end).copied();
        if matches!(next, Some(b':' | b'=')) {
            return value_at(text, end + 1, name, Form::Told, memo);
        }
        let form = if step == 0 || is_any(word, &["is", "was"]) { Form::Told } else { Form::Far };
        if is_any(word, &["is", "was", "to", "be", "equals", "set", "becomes", "now"])
            && matches!(next, Some(b' ' | b'\n'))
            && let Some(value) = value_at(text, end, name, form, memo)
        {
            return Some(value);
        }
        if word.ends_with(b".")
            || !matches!(next, Some(b' ' | b'\t' | b'"' | b'\'' | b'`' | b'(' | b')'))
        {
            return None;
        }
        here = end;
    }
    None
}

fn is_any(word: &[u8], list: &[&str]) -> bool {
    list.iter().any(|item| word.eq_ignore_ascii_case(item.as_bytes()))
}

/// "use … as the password", "… is my token"
fn told_before(text: &str, start: usize, name: Name) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let window = bytes[..start]
        .iter()
        .rev()
        .take(48)
        .take_while(|b| !matches!(b, b'\n' | b'.' | b';'))
        .count();
    let from = start - window;
    let before = &bytes[from..start];
    let verb = [&b" as "[..], b" is "]
        .iter()
        .filter_map(|verb| before.windows(verb.len()).rposition(|w| w == *verb))
        .max()?;
    let end = from + verb;
    let length =
        bytes[..end].iter().rev().take(256).take_while(|b| !b.is_ascii_whitespace()).count();
    let mut value = end - length..end;
    while value.len() > 2 && matches!(bytes[value.start], b'"' | b'\'' | b'`' | b'(') {
        value.start += 1;
    }
    while value.len() > 2 && matches!(bytes[value.end - 1], b'"' | b'\'' | b'`' | b')' | b',') {
        value.end -= 1;
    }
    let candidate = text.get(value.clone())?;
    (candidate.is_ascii() && is_secret(candidate, name, Form::Told, false, false)).then_some(value)
}

/// `密码：…`, `密码是 …`, `密码改成了 …`
fn told_in_cjk(text: &str, at: usize, name: Name, memo: &mut Memo, found: &mut Report<'_>) {
    let mut form = Form::Told;
    let mut tried = false;
    for (steps, (offset, c)) in text[at..].char_indices().enumerate() {
        if steps > 18 || matches!(c, '。' | '！' | '？' | '，' | '、' | '\n' | '；') {
            return;
        }
        let here = at + offset;
        if text[here..].starts_with(REDACTED) {
            return;
        }
        if matches!(c, ':' | '=') && form == Form::Told {
            form = Form::Assigned;
            continue;
        }
        let mark = c == ' '
            || form == Form::Told
                && matches!(c, ' ' | '(' | ')' | '*' | '「' | '」' | '【' | '】' | '[' | ']');
        // A value begins where a word does.
        let inside = offset > 0 && text.as_bytes()[here - 1].is_ascii_graphic();
        let quote = matches!(c, '"' | '\'' | '`');
        if quote || (c.is_ascii() && !mark && (!inside || form == Form::Assigned && !tried)) {
            tried = true;
            match value_at(text, here, name, form, memo) {
                Some(value) => {
                    found("credential-assignment", Rank::Assigned, value);
                    return;
                }
                // `密码 for prod：…`, `密码"：` : a word, then perhaps the value.
                None if c.is_ascii_alphanumeric() && form == Form::Assigned => return,
                None => {}
            }
        }
    }
}

/// `curl -u user:password`
fn basic_users(text: &str, found: &mut Report<'_>) {
    let bytes = text.as_bytes();
    let users = bytes.windows(3).enumerate().filter(|(_, w)| w == b" -u" || w == b"--u");
    for (at, _) in users {
        for option in [" -u ", " -u=", "--user ", "--user="] {
            if !bytes[at..].starts_with(option.as_bytes()) {
                continue;
            }
            let mut from = at + option.len();
            let quote = bytes.get(from).copied().filter(|b| matches!(b, b'"' | b'\''));
            from += usize::from(quote.is_some());
            let length = bytes[from..]
                .iter()
                .take(256)
                .take_while(|b| match quote {
                    Some(quote) => **b != quote && **b != b'\n',
                    None => !b.is_ascii_whitespace(),
                })
                .count();
            let Some(pair) = text.get(from..from + length) else { continue };
            if let Some((user, password)) = pair.split_once(':')
                && password != user
                && is_secret(password, Name::Password, Form::Told, true, false)
            {
                found(
                    "credential-assignment",
                    Rank::Assigned,
                    from + user.len() + 1..from + length,
                );
            }
        }
    }
}

/// Marks of templates, and what closes them.
#[rustfmt::skip]
const MARKS: &[(&str, &str)] = &[
    ("${", "}"), ("$(", ")"), ("{{", "}}"), ("#{", "}"), ("<%", "%>"), ("%(", ")s"),
];

/// How references to a value elsewhere begin.
#[rustfmt::skip]
const STARTS: &[&str] = &[
    "process.env", "os.environ", "os.getenv", "env.", "ENV[", "env[", "getenv", "import.meta",
    "secrets.", "vault:", "op://", "arn:", "ssm:", "file:", "http://", "https://", "var.",
    "local.", "data.", "self.", "this.", "config.", "settings.", "args.", "options.", "req.",
    "ref+", "!Ref", "!Sub", "ENC[", "sha1-", "sha256-", "sha384-", "sha512-", "sha256:", "sha1:",
    "md5:", "ssh-rsa", "ssh-ed25519", "ecdsa-", "System.", "Deno.env", "keyring:", "aws:", "gcp:",
    "azure:", "sops:",
];

/// How the names of files end.
#[rustfmt::skip]
const ENDINGS: &[&str] = &[
    ".ts", ".tsx", ".js", ".jsx", ".mjs", ".py", ".rs", ".go", ".java", ".rb", ".php", ".json",
    ".yml", ".yaml", ".toml", ".env", ".txt", ".pem", ".key", ".crt", ".md", ".sh", ".conf",
    ".cfg", ".ini", ".html", ".css", ".vue", ".c", ".h", ".cpp", ".kt", ".swift", ".sql", ".xml",
    ".png", ".svg",
];

/// Whether a value only says where the real one is: `$VAR`, `<token>`,
/// `process.env.X`, a call, a template.
pub(crate) fn is_reference(value: &str) -> bool {
    let bytes = value.as_bytes();
    let Some((&first, &last)) = bytes.first().zip(bytes.last()) else { return true };
    let ident = |bytes: &[u8]| {
        bytes.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
            && bytes.iter().all(|&b| Class::Word.has(b))
    };
    let drawn = !words::is_wordy(bytes) && bytes.iter().any(u8::is_ascii_digit);
    if first == b'$' && bytes.len() > 1 {
        let rest = &bytes[1..];
        if matches!(rest[0], b'{' | b'(' | b'$') || rest.starts_with(b"env:") {
            return true;
        }
        if ident(rest) && (!drawn || rest.iter().all(|b| !b.is_ascii_lowercase())) {
            return true;
        }
        // Digests of passwords: `$2b$12$…`
        if rest.len() > 20 && rest.iter().take(10).any(|&b| b == b'$') {
            return true;
        }
    }
    if (first == b'%' && last == b'%' && bytes.len() > 2 && ident(&bytes[1..bytes.len() - 1]))
        || (first == b'<' && last == b'>')
        || (first == b'[' && last == b']')
        || (first == b'{' && last == b'}')
    {
        return true;
    }
    let template = MARKS
        .iter()
        .any(|(open, close)| value.split_once(open).is_some_and(|(_, rest)| rest.contains(close)));
    if template || ["%s", "{}", "%v"].contains(&value) {
        return true;
    }
    if STARTS.iter().any(|start| value.starts_with(start)) {
        return true;
    }
    // A call: `getToken()`, `input("…")`, `vec![…`
    let name =
        bytes.iter().take_while(|&&b| Class::Dotted.has(b) || matches!(b, b':' | b'$')).count();
    if name > 2
        && matches!(bytes.get(name), Some(b'('))
        && first.is_ascii_alphabetic()
        && (words::is_wordy(&bytes[..name])
            || last == b')' && !bytes[..name].iter().any(u8::is_ascii_digit)
            || !bytes[..name].iter().any(u8::is_ascii_uppercase) && bytes[..name].contains(&b'_'))
    {
        return true;
    }
    name > 2
        && matches!(bytes.get(name), Some(b'[' | b'!' | b'?'))
        && bytes.len() > name + 1
        && matches!(bytes[name + 1], b'[' | b'(' | b'.' | b'"' | b'\'')
}

/// Terms that hold a digit and are no password.
#[rustfmt::skip]
const TERMS: &[&str] = &[
    "sha1", "sha256", "sha384", "sha512", "sha3", "md5", "bcrypt", "argon2", "argon2id", "pbkdf2",
    "base64", "base32", "base58", "base62", "oauth2", "oauth1", "utf8", "utf16", "hs256", "rs256",
    "es256", "ed25519", "x509", "p256", "aes128", "aes256", "http2", "ipv4",
    "ipv6", "k8s", "i18n", "s3", "ec2", "oidc1", "win32", "x86", "python3", "node18", "node20",
    "es6",
];

/// The value with each `%2F` as a blank of no meaning.
fn without_percent(value: &str) -> String {
    let bytes = value.as_bytes();
    let mut out = String::with_capacity(value.len());
    let mut skip = 0;
    for (at, c) in value.char_indices() {
        if skip > 0 {
            skip -= 1;
        } else if c == '%'
            && bytes.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit))
        {
            skip = 2;
            out.push('-');
        } else {
            out.push(c);
        }
    }
    out
}

/// Alternatives, patterns, markup and calls: `a|b`, `(?:x)`, `id="x"`, `f()`.
fn is_program_text(bytes: &[u8], wordy: bool) -> bool {
    let has = |mark: &[u8]| bytes.windows(mark.len()).any(|w| w == mark);
    let bars = bytes.iter().map(|&b| usize::from(b == b'|')).sum::<usize>();
    bytes[0] == b'&' && (has(b"&lt") || has(b"&#") || has(b"&quot"))
        || matches!(bytes[0], b'[' | b'(' | b'{')
            && (wordy || matches!(bytes.get(1), Some(b'"' | b'\'' | b'`')))
        || bytes.starts_with(b"/^")
        || has(b"()")
        || has(b"=\"")
        || has(b"\\_")
        || wordy && (has(b"(?") || has(b"|(") || has(b")|") || has(b"='") || bars > 1)
        || bars > 3
        || bytes.ends_with(b"]") && index_at(bytes)
}

/// `name[3]`
fn index_at(bytes: &[u8]) -> bool {
    let name = bytes.iter().take_while(|&&b| Class::Dotted.has(b)).count();
    name > 0 && bytes[name..].iter().all(|b| b.is_ascii_digit() || matches!(b, b'[' | b']'))
}

fn is_secret(value: &str, name: Name, form: Form, quoted: bool, cut: bool) -> bool {
    let value = value.trim();
    // A long value is judged by how it begins.
    let value = (253..=256).rev().find_map(|n| value.get(..n)).unwrap_or(value);
    let bytes = value.as_bytes();
    if bytes.iter().all(|b| b.is_ascii_lowercase() || matches!(b, b'-' | b'_' | b' ' | b':'))
        && words::is_wordy(bytes)
    {
        return false;
    }
    let masked;
    let value = if value.contains(REDACTED) {
        masked = value.replace(REDACTED, "");
        masked.trim()
    } else {
        value
    };
    let decoded;
    let value = if value.contains('%') {
        decoded = without_percent(value);
        &decoded
    } else {
        value
    };
    let bytes = value.as_bytes();
    let least = match (name, form) {
        (Name::Password | Name::Pass, _) => 6,
        (Name::Token, Form::Assigned) => 8,
        (Name::Token, Form::Told | Form::Far) => 10,
    };
    if bytes.len() < least || is_filler(bytes) || is_reference(value) {
        return false;
    }
    let count = |test: fn(&u8) -> bool| bytes.iter().filter(|b| test(b)).count();
    let digits = count(u8::is_ascii_digit);
    let letters = count(u8::is_ascii_alphabetic);
    let specials = bytes
        .iter()
        .enumerate()
        .filter(|(n, b)| {
            matches!(
                b,
                b'!' | b'@'
                    | b'#'
                    | b'$'
                    | b'%'
                    | b'^'
                    | b'&'
                    | b'*'
                    | b'+'
                    | b'~'
                    | b'?'
                    | b'='
                    | b'|'
                    | b'\\'
                    | b'<'
                    | b'>'
                    | b'{'
                    | b'}'
                    | b';'
                    | b','
                    | b'\''
                    | b'"'
            ) && *n > 0
        })
        .count();
    let spaces = count(u8::is_ascii_whitespace);
    let wordy = words::is_wordy(bytes);
    if !quoted && is_program_text(bytes, wordy) {
        return false;
    }
    if form == Form::Far
        && (wordy && specials == 0 || bytes.iter().any(|b| matches!(b, b'/' | b'(' | b'|')))
    {
        return false;
    }
    if wordy && digits < 4 && names_a_placeholder(bytes) {
        return false;
    }
    // Numbers, dates, versions.
    if letters == 0 && specials == 0 {
        return name == Name::Password && quoted && digits >= 6 && digits == bytes.len();
    }
    let rfc = terms_rfc(bytes);
    if rfc || is_number_or_version(value) || is_path(value) {
        return false;
    }
    if spaces > 0 {
        // A sentence is no secret; a Google app password is.
        return name == Name::Password
            && !wordy
            && digits > 1
            && letters > 2
            && spaces < 4
            && bytes.len() < 40;
    }
    if is_email(value) && digits < 2 {
        return false;
    }
    let program_text = cut && !quoted && bytes.iter().all(|&b| Class::Dotted.has(b)) && wordy;
    if program_text {
        return false;
    }
    let terms = value.to_ascii_lowercase();
    if TERMS.iter().any(|term| {
        terms
            .strip_prefix(term)
            .is_some_and(|rest| rest.is_empty() || words::is_wordy(rest.as_bytes()))
    }) {
        return false;
    }
    let joined = bytes.iter().any(|b| matches!(b, b'-' | b'_' | b'.' | b'/' | b':'));
    match name {
        Name::Password | Name::Pass => {
            if letters > 0 && digits > 0 {
                if !wordy {
                    return form == Form::Assigned || bytes.len() >= 6;
                }
                // Words and digits: `hunter2`, `Summer2024!`, not `step-2-setup`.
                return specials > 0
                    || (!joined && !is_identifier_with_digits(value, cut))
                    || digits >= 4 && quoted;
            }
            if specials > 0 && letters > 0 {
                // `correct!horse`, not `String!`, `a&&b`, `x?y:z`, `Option<String>`.
                let inner = bytes[1..bytes.len() - 1].iter().any(|b| {
                    matches!(b, b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'+' | b'~')
                });
                let marks = bytes
                    .iter()
                    .filter(|b| {
                        matches!(
                            b,
                            b'<' | b'>' | b'|' | b'{' | b'}' | b'(' | b')' | b'?' | b',' | b';'
                        )
                    })
                    .count();
                return bytes.len() >= 8
                    && (inner || !wordy)
                    && (marks == 0 || !wordy)
                    && !(wordy && (value.contains("&&") || value.contains("++")))
                    && !(wordy && value.contains("=>"));
            }
            if letters == 0 {
                return bytes.len() >= 6 && digits > 2 && specials > 0 && form == Form::Assigned;
            }
            // Letters alone.
            let lower = bytes.iter().all(u8::is_ascii_lowercase);
            !wordy
                && (!joined || letters >= 16)
                && bytes.len()
                    >= if form == Form::Assigned {
                        8
                    } else if lower {
                        12
                    } else {
                        10
                    }
        }
        Name::Token => {
            if wordy {
                return digits >= 2 && specials > 0 && letters > 0 && bytes.len() >= 10
                    || digits >= 4 && quoted && bytes.len() >= 20 && !joined;
            }
            if is_uuid(value) {
                return form == Form::Assigned && quoted;
            }
            if digits > 0 {
                let mixed = digits >= 2 || bytes.len() >= 16;
                return mixed && bytes.len() >= 10;
            }
            bytes.len() >= 16
                && form == Form::Assigned
                && bytes.iter().all(|&b| Class::Bearer.has(b) || b.is_ascii_punctuation())
                && (!joined || letters >= 24)
        }
    }
}

/// `arg1`, `password2` in program text.
fn is_identifier_with_digits(value: &str, cut: bool) -> bool {
    cut && value.bytes().all(|b| Class::Word.has(b))
        || value
            .trim_end_matches(|c: char| c.is_ascii_digit())
            .to_ascii_lowercase()
            .ends_with("password")
            && value.len() < 12
}

/// `rfc8693#section-2.1`
fn terms_rfc(bytes: &[u8]) -> bool {
    bytes.len() > 3 && bytes[..3].eq_ignore_ascii_case(b"rfc") && bytes[3].is_ascii_digit()
}

/// How literals of numbers end.
#[rustfmt::skip]
const SUFFIXES: &[&str] = &[
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
    "f32", "f64", "l", "ul", "ull", "ll", "n", "u", "f", "d",
];

fn is_number_or_version(value: &str) -> bool {
    let body = value.trim_start_matches(['v', 'V', '^', '~', '=', '>', '<', '-', '+']);
    let bytes = body.as_bytes();
    if bytes.first().is_none_or(|b| !b.is_ascii_digit()) {
        return false;
    }
    let numeric = bytes.iter().all(|b| {
        b.is_ascii_digit()
            || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-' | b':' | b'_' | b'T' | b'Z' | b'/')
    });
    let major = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    let version = bytes.get(major) == Some(&b'.')
        && bytes.get(major + 1).is_some_and(u8::is_ascii_digit)
        && major <= 4
        && bytes.len() <= 24
        && body.split('.').nth(1).is_some_and(|minor| minor.bytes().all(|b| b.is_ascii_digit()));
    // `0xC000_0001`, `4096u32`, `10L`
    let lower = body.to_ascii_lowercase();
    let literal = SUFFIXES.iter().find_map(|s| lower.strip_suffix(s)).unwrap_or(&lower);
    let literal = match literal.strip_prefix("0x") {
        Some(hex) => {
            hex.len() <= 18
                && lower[2..]
                    .bytes()
                    .all(|b| b.is_ascii_hexdigit() || b == b'_' || b == b'u' || b == b'l')
        }
        None => literal.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'_')),
    };
    // `30s`, `15min`, `512MB`
    let unit = bytes[major..].iter().all(u8::is_ascii_alphabetic)
        && bytes.len() - major <= 7
        && words::is_wordy(&bytes[major..]);
    numeric || version || unit || literal
}

fn is_path(value: &str) -> bool {
    if ENDINGS.iter().any(|ending| value.ends_with(ending)) {
        return true;
    }
    let rooted =
        ["./", "../", "~/", "/", "@/", "C:\\", "~\\"].iter().any(|root| value.starts_with(root));
    let slashes = value.bytes().filter(|b| matches!(b, b'/' | b'\\')).count();
    let bytes = value.as_bytes();
    let (in_words, total) = words::word_share(bytes);
    rooted && slashes > 0 && in_words * 10 >= total * 4 || slashes >= 2 && in_words * 2 >= total
}

fn is_email(value: &str) -> bool {
    value.split_once('@').is_some_and(|(user, host)| {
        !user.is_empty()
            && host.contains('.')
            && !host.starts_with('.')
            && host.bytes().all(|b| Class::Dotted.has(b))
            && user.bytes().all(|b| Class::Dotted.has(b) || b == b'+')
    })
}

fn is_uuid(value: &str) -> bool {
    let bytes = value.as_bytes();
    bytes.len() == 36
        && bytes.iter().enumerate().all(|(n, &b)| {
            if matches!(n, 8 | 13 | 18 | 23) { b == b'-' } else { b.is_ascii_hexdigit() }
        })
}
