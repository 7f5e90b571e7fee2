//! BM25, what anybody would try first, over tokens as good as memory-recall's.
//!
//! The tokens are made here, by the same recipe in few lines, since those of
//! memory-recall are private: NFKC, small letters, traditional script folded;
//! CJK runs as bigrams; names as a whole and in their parts; a light stem;
//! stop words left out of a query that has others.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

use super::metrics::DEPTH;
use super::metrics::Ranked;

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Scores that differ by less are the same: sums of floats in another order.
const SAME: f64 = 1e-9;

/// What separates the parts of a name.
const JOINTS: &[char] = &['.', '_', '-', '/', '\\', '\'', '’', '+', '#', ':', '@', '~'];

const STOP_WORDS: &str = "a about after all also an and any are as at be before by can could did do does for \
    from get had has have how i if in into is it its may my no not of on or our should so than that the their \
    then there these they this those to use used was we were what when where which who why will with would you";

const CJK_STOP_WORDS: &[&str] = &[
    "为什么",
    "什么",
    "怎么",
    "如何",
    "哪里",
    "哪个",
    "哪些",
    "是否",
    "可以",
    "应该",
    "需要",
    "我们",
    "这个",
    "那个",
    "吗",
    "呢",
    "的",
    "了",
    "是",
];

/// Turns texts into tokens.
pub(super) struct Tokenizer {
    simplified: HashMap<char, char>,
}

impl Tokenizer {
    /// `table` holds pairs of a traditional character and its simplified form.
    pub(super) fn new(table: &str) -> Self {
        let mut chars = table.chars().filter(|c| !c.is_whitespace());
        let mut simplified = HashMap::new();
        while let (Some(from), Some(to)) = (chars.next(), chars.next()) {
            simplified.insert(from, to);
        }
        Self { simplified }
    }

    fn tokens(&self, text: &str) -> Vec<String> {
        let text: String = text.nfkc().map(|c| *self.simplified.get(&c).unwrap_or(&c)).collect();
        let mut out = Vec::new();
        for chunk in text.split(|c: char| !c.is_alphanumeric() && !JOINTS.contains(&c)) {
            let mut rest = chunk;
            while let Some(first) = rest.chars().next() {
                let cjk = is_cjk(first);
                let (run, tail) =
                    rest.split_at(rest.find(|c| is_cjk(c) != cjk).unwrap_or(rest.len()));
                if cjk {
                    bigrams(run, &mut out);
                } else {
                    name(run, &mut out);
                }
                rest = tail;
            }
        }
        out
    }

    fn query(&self, text: &str) -> BTreeSet<String> {
        let mut cut = text.to_owned();
        for word in CJK_STOP_WORDS {
            cut = cut.replace(word, " ");
        }
        let stop: BTreeSet<String> = STOP_WORDS.split_whitespace().map(stem).collect();
        let mut tokens: BTreeSet<String> = self.tokens(&cut).into_iter().collect();
        tokens.retain(|token| !stop.contains(token));
        if tokens.is_empty() { self.tokens(text).into_iter().collect() } else { tokens }
    }
}

fn bigrams(run: &str, out: &mut Vec<String>) {
    let chars: Vec<char> = run.chars().collect();
    if let [alone] = chars[..] {
        out.push(alone.to_string());
    }
    out.extend(chars.windows(2).map(|pair| pair.iter().collect::<String>()));
}

fn name(run: &str, out: &mut Vec<String>) {
    let run = run.trim_matches(JOINTS);
    if run.is_empty() {
        return;
    }
    let whole = run.to_lowercase();
    let mut parts: Vec<String> = Vec::new();
    for part in run.split(JOINTS) {
        let chars: Vec<char> = part.chars().collect();
        let mut word = String::new();
        for (at, &c) in chars.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| chars[at]);
            if c.is_uppercase() && before.is_some_and(|c| !c.is_uppercase()) {
                parts.push(std::mem::take(&mut word));
            }
            word.extend(c.to_lowercase());
        }
        parts.push(word);
    }
    parts.retain(|part| part.chars().nth(1).is_some() && *part != whole);
    out.push(stem(&whole));
    out.extend(parts.iter().map(|part| stem(part)));
}

fn stem(word: &str) -> String {
    if word.len() < 4 || !word.bytes().all(|b| b.is_ascii_lowercase()) || word.ends_with("ss") {
        return word.to_owned();
    }
    if let Some(base) = word.strip_suffix("ies") {
        return format!("{base}y");
    }
    let base = word.strip_suffix('s').unwrap_or(word);
    let root = base.strip_suffix("ing").or_else(|| base.strip_suffix("ed"));
    let root = root.filter(|root| root.len() >= 3).unwrap_or(base);
    root.strip_suffix('e').filter(|root| root.len() >= 3).unwrap_or(root).to_owned()
}

fn is_cjk(c: char) -> bool {
    matches!(u32::from(c),
        0x3041..=0x30ff | 0x3400..=0x9fff | 0xac00..=0xd7ff | 0xf900..=0xfaff | 0x20000..=0x323af)
}

/// One document.
struct Doc {
    id: String,
    updated_at: u64,
    counts: BTreeMap<String, f64>,
    length: f64,
}

/// The facts of one workspace.
#[derive(Default)]
pub(super) struct Bm25 {
    docs: Vec<Doc>,
    /// How many facts hold a token.
    holding: BTreeMap<String, f64>,
    total_length: f64,
}

impl Bm25 {
    pub(super) fn add(
        &mut self,
        tokenizer: &Tokenizer,
        id: &str,
        updated_at: u64,
        text: &str,
        tags: &[String],
    ) {
        let mut counts = BTreeMap::<String, f64>::new();
        let mut length = 0.0;
        for text in std::iter::once(text).chain(tags.iter().map(String::as_str)) {
            for token in tokenizer.tokens(text) {
                *counts.entry(token).or_default() += 1.0;
                length += 1.0;
            }
        }
        for token in counts.keys() {
            *self.holding.entry(token.clone()).or_default() += 1.0;
        }
        self.total_length += length;
        self.docs.push(Doc { id: id.to_owned(), updated_at, counts, length });
    }

    /// The best facts; of equal ones the last changed first.
    pub(super) fn recall(&self, tokenizer: &Tokenizer, query: &str) -> Ranked {
        let query = tokenizer.query(query);
        #[allow(clippy::cast_precision_loss, reason = "a few hundred facts")]
        let all = self.docs.len() as f64;
        let average = self.total_length / all;
        let mut scored: Vec<(f64, &Doc)> = Vec::new();
        for doc in &self.docs {
            let mut score = 0.0;
            for token in &query {
                let (Some(times), Some(holding)) = (doc.counts.get(token), self.holding.get(token))
                else {
                    continue;
                };
                let rarity = ((all - holding + 0.5) / (holding + 0.5)).ln_1p();
                let damped = K1 * (1.0 - B + B * doc.length / average);
                score += rarity * times * (K1 + 1.0) / (times + damped);
            }
            if score > 0.0 {
                scored.push((score, doc));
            }
        }
        scored.sort_by(|(a, x), (b, y)| {
            b.total_cmp(a).then(y.updated_at.cmp(&x.updated_at)).then(x.id.cmp(&y.id))
        });
        let tied = matches!(scored[..], [(a, _), (b, _), ..] if (a - b).abs() < SAME);
        Ranked {
            ids: scored.into_iter().take(DEPTH).map(|(_, doc)| doc.id.clone()).collect(),
            tied,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_words_parts_and_bigrams() {
        let tokenizer = Tokenizer::new("檔档");
        for (text, expected) in [
            ("Hello, Worlds!", "hello world"),
            ("parseHttpHeaders", "parsehttpheader pars http header"),
            ("src/http_client.rs:", "src/http_client.rs src http client rs"),
            ("ｖ１.２ 檔案编码", "v1.2 v1 档案 案编 编码"),
            ("... 中", "中"),
        ] {
            assert_eq!(tokenizer.tokens(text).join(" "), expected, "{text}");
        }
        assert_eq!(tokenizer.query("where is the").len(), 3, "never emptied");
    }

    #[test]
    fn a_rare_word_counts_more_and_a_short_fact_wins() {
        let tokenizer = Tokenizer::new("");
        let mut bm25 = Bm25::default();
        for (id, text) in
            [("a", "redis port"), ("b", "redis host and more words"), ("c", "redis"), ("d", "x")]
        {
            bm25.add(&tokenizer, id, 0, text, &[]);
        }
        assert_eq!(bm25.recall(&tokenizer, "redis port").ids, ["a", "c", "b"]);
        assert!(bm25.recall(&tokenizer, "nothing").ids.is_empty());
    }
}
