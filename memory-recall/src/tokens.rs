//! Tokens: the units that a text is found by.
//!
//! A run of CJK characters gives its bigrams. Everything else is split at
//! blanks into words; a word that is an identifier, a path or a version is a
//! token as a whole and in its parts (`src/http_client.rs`: `http_client.rs`,
//! `http_client`, `http`, `client`, …), so that it is found by either.

use std::collections::BTreeSet;

use crate::fold::{fold_case, is_cjk, normalise};

/// One word of a text: a whole, and the parts it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// The folded word without outer punctuation; for CJK the whole run.
    pub(crate) whole: String,
    /// Folded parts, each once, none equal to the whole. For a CJK run its
    /// bigrams.
    pub(crate) parts: Vec<String>,
    /// Whether this is a CJK run.
    pub(crate) cjk: bool,
}

/// The words of a text, in order, with repetitions.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let text = normalise(text);
    let mut words = Vec::new();
    let is_space = |c: char| c.is_whitespace() || c.is_control();
    for chunk in text.split(is_space) {
        let mut rest = chunk;
        while let Some(first) = rest.chars().next() {
            let cjk = is_cjk(first);
            let end = rest.find(|c| is_cjk(c) != cjk).unwrap_or(rest.len());
            let (run, tail) = rest.split_at(end);
            if cjk {
                words.push(cjk_run(run));
            } else {
                latin(run, &mut words);
            }
            rest = tail;
        }
    }
    words
}

fn cjk_run(run: &str) -> Word {
    let whole = fold_case(run);
    let chars: Vec<char> = whole.chars().collect();
    let mut seen = BTreeSet::new();
    let parts = chars
        .windows(2)
        .map(|pair| pair.iter().collect::<String>())
        .filter(|gram| *gram != whole && seen.insert(gram.clone()))
        .collect();
    Word { whole, parts, cjk: true }
}

/// Splits at punctuation that joins sentences rather than names, so that
/// `redis,port` is two words and `a.b/c-d_e` one.
fn latin(run: &str, out: &mut Vec<Word>) {
    for piece in run.split(|c: char| !is_name_character(c)) {
        let piece = piece.trim_matches(|c: char| !c.is_alphanumeric());
        if !piece.is_empty() {
            out.push(name(piece));
        }
    }
}

fn is_name_character(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(c, '.' | '_' | '-' | '/' | '\\' | '\'' | '’' | '+' | '#' | ':' | '@' | '~')
}

/// Longest word that is split into parts, in bytes. What is longer is no name
/// that somebody types but encoded data; it is found as a whole.
const MAX_NAME_BYTES: usize = 256;

/// A word that may be an identifier, a path or a version.
fn name(piece: &str) -> Word {
    if piece.len() > MAX_NAME_BYTES {
        return Word { whole: fold_case(piece), parts: Vec::new(), cjk: false };
    }
    // One separator for paths of all systems.
    let piece = piece.replace('\\', "/");
    let whole = fold_case(&piece);
    let mut parts = Parts { whole: &whole, seen: BTreeSet::new(), list: Vec::new() };
    let segments: Vec<&str> = piece.split(['/', ':', '@', '#']).collect();
    for segment in &segments {
        let segment = segment.trim_matches(|c: char| !c.is_alphanumeric());
        parts.add(segment);
        let dotted: Vec<&str> = segment.split('.').collect();
        if dotted.len() > 1 {
            if is_version(segment) {
                // `1.38` finds `v1.38.2`; the numbers alone say nothing.
                let bare = segment.trim_start_matches(['v', 'V']);
                parts.add(bare);
                for (at, _) in bare.match_indices('.').skip(1) {
                    parts.add(&bare[..at]);
                }
                continue;
            }
            if let Some((stem, _extension)) = segment.rsplit_once('.') {
                parts.add(stem);
            }
        }
        for dotted in dotted {
            parts.add(dotted);
            for word in dotted.split(['_', '-', '\'', '’', '+', '~']) {
                parts.add(word);
                for camel in camel_parts(word) {
                    parts.add(camel);
                }
            }
        }
    }
    let list = parts.list;
    Word { whole, parts: list, cjk: false }
}

struct Parts<'a> {
    whole: &'a str,
    seen: BTreeSet<String>,
    list: Vec<String>,
}

impl Parts<'_> {
    fn add(&mut self, part: &str) {
        let part = fold_case(part);
        if part.is_empty() || part == self.whole || part.chars().all(|c| !c.is_alphanumeric()) {
            return;
        }
        // One letter says nothing beside the whole it came from.
        if part.chars().nth(1).is_none() {
            return;
        }
        if self.seen.insert(part.clone()) {
            self.list.push(part);
        }
    }
}

fn is_version(segment: &str) -> bool {
    let bare = segment.trim_start_matches(['v', 'V']);
    bare.starts_with(|c: char| c.is_ascii_digit())
        && bare.split('.').take(2).all(|part| part.bytes().all(|b| b.is_ascii_digit()))
}

/// `parseHTTPHeaders2` → `parse`, `HTTP`, `Headers2`; nothing for a plain word.
fn camel_parts(word: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = word.char_indices().collect();
    let mut cuts = vec![0];
    for i in 1..chars.len() {
        let (before, here) = (chars[i - 1].1, chars[i].1);
        let next_is_lower = chars.get(i + 1).is_some_and(|(_, c)| c.is_lowercase());
        let starts = here.is_uppercase()
            && (before.is_lowercase()
                || before.is_numeric()
                || (before.is_uppercase() && next_is_lower));
        if starts {
            cuts.push(chars[i].0);
        }
    }
    if cuts.len() == 1 {
        return Vec::new();
    }
    cuts.push(word.len());
    cuts.windows(2).map(|cut| &word[cut[0]..cut[1]]).collect()
}

/// A light English stem: plural, `-ing` and `-ed` come off where enough stays.
/// Wrong stems do little harm, since whole words count for more.
pub(crate) fn stem(word: &str) -> String {
    if word.len() < 4 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let base = if let Some(base) = word.strip_suffix("ies").filter(|b| b.len() >= 2) {
        return format!("{base}y");
    } else if word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") {
        word
    } else if let Some(base) = ["sses", "shes", "ches", "xes", "zes"]
        .iter()
        .find_map(|s| word.strip_suffix(s).map(|b| &word[..b.len() + s.len() - 2]))
    {
        base
    } else {
        word.strip_suffix('s').unwrap_or(word)
    };
    for suffix in ["ing", "ed"] {
        if let Some(root) = base.strip_suffix(suffix)
            && root.len() >= 3
            && root.bytes().any(|b| b"aeiouy".contains(&b))
        {
            return undouble(root);
        }
    }
    // `configure` and `configuring` meet at `configur`.
    base.strip_suffix('e').filter(|root| root.len() >= 3).unwrap_or(base).to_owned()
}

fn undouble(root: &str) -> String {
    let bytes = root.as_bytes();
    match bytes {
        [.., a, b] if a == b && !b"lsz".contains(b) => root[..root.len() - 1].to_owned(),
        _ => root.strip_suffix('e').unwrap_or(root).to_owned(),
    }
}

/// Words that say nothing about what is asked for. Never all of a query: one
/// that has no other words keeps them.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(&word)
}

const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be",
    "been", "before", "but", "by", "can", "could", "did", "do", "does", "for", "from", "get",
    "had", "has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "may", "me", "my",
    "no", "not", "of", "on", "or", "our", "please", "shall", "should", "so", "than", "that", "the",
    "their", "them", "then", "there", "these", "they", "this", "those", "to", "us", "use", "used",
    "was", "we", "were", "what", "when", "where", "which", "who", "whom", "whose", "why", "will",
    "with", "would", "you", "your",
];

/// Chinese words of the same sort. They are cut out of a run of a query, so
/// that bigrams across them do not count.
pub(crate) const CJK_STOP_WORDS: &[&str] = &[
    "为什么",
    "什么",
    "怎么样",
    "怎么",
    "如何",
    "哪里",
    "哪个",
    "哪些",
    "是否",
    "是不是",
    "能不能",
    "可以",
    "应该",
    "需要",
    "我们",
    "你们",
    "他们",
    "这个",
    "那个",
    "这些",
    "那些",
    "还是",
    "以及",
    "或者",
    "一个",
    "吗",
    "呢",
    "吧",
    "的",
    "了",
    "是",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> String {
        words(text)
            .into_iter()
            .map(|word| format!("{}[{}]", word.whole, word.parts.join(" ")))
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn a_text_falls_into_words_and_their_parts() {
        for (text, expected) in [
            ("", ""),
            ("Hello, World!", "hello[] world[]"),
            ("foo?", "foo[]"),
            ("parseHttpHeaders", "parsehttpheaders[parse http headers]"),
            ("HTTPServer2", "httpserver2[http server2]"),
            ("MAX_RETRY", "max_retry[max retry]"),
            (
                "src/net/header_parser.rs",
                "src/net/header_parser.rs[src net header_parser.rs header_parser header parser rs]",
            ),
            ("core\\src\\lexer.ts", "core/src/lexer.ts[core src lexer.ts lexer ts]"),
            ("v1.38.2", "v1.38.2[1.38.2 1.38]"),
            ("node.js", "node.js[node js]"),
            ("redis，端口", "redis[] 端口[]"),
            ("交互验证", "交互验证[交互 互验 验证]"),
            ("重启gateway-svc后", "重启[] gateway-svc[gateway svc] 后[]"),
            ("@scope/pkg", "scope/pkg[scope pkg]"),
            ("𠀀𠀁𠀂", "𠀀𠀁𠀂[𠀀𠀁 𠀁𠀂]"),
            ("... --- !!!", ""),
        ] {
            assert_eq!(tokens(text), expected, "{text}");
        }
    }

    #[test]
    fn stems_meet() {
        for (a, b) in [
            ("builds", "build"),
            ("building", "build"),
            ("running", "run"),
            ("dependencies", "dependency"),
            ("configured", "configure"),
            ("patches", "patch"),
            ("tests", "testing"),
        ] {
            assert_eq!(stem(a), stem(b), "{a} {b}");
        }
        for word in ["redis", "status", "pass", "this", "ci", "v1", "ssh"] {
            assert_eq!(stem(word), word);
        }
    }
}
