//! What a query asks for: its words, and what each may be found as.

use std::collections::BTreeSet;

use crate::fold::fold;
use crate::tokens::{CJK_STOP_WORDS, Word, is_stop_word, stem, words};

/// Longest part of a query that is read, in bytes. Nobody types more; what is
/// longer was pasted, and the rest adds cost and no meaning.
const MAX_BYTES: usize = 4096;

/// Most words that are looked up.
const MAX_WORDS: usize = 64;

/// A word of the query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QueryWord {
    /// Folded.
    pub(crate) whole: String,
    /// What stands for the word: each is looked up by itself and counts by
    /// itself. The first is the whole, unless that is a long CJK run.
    pub(crate) slots: Vec<Slot>,
    pub(crate) cjk: bool,
}

/// One token to look up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) token: String,
    /// Its stem, where that differs.
    pub(crate) stem: Option<String>,
    /// What it counts, in percent of its rarity.
    pub(crate) weight: u32,
}

/// A query that asks for something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Query {
    pub(crate) words: Vec<QueryWord>,
    /// The folded query on one line; `None` when it is a single plain word.
    pub(crate) phrase: Option<String>,
    /// The content words written together, as a tag may be.
    pub(crate) joined: String,
}

/// What a part of a word counts beside the whole.
const PART_WEIGHT: u32 = 60;

/// What a bigram counts: a run of n characters has n - 1 of them.
const BIGRAM_WEIGHT: u32 = 60;

impl Query {
    /// Reads a query; `None` when it holds no word.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut end = text.len().min(MAX_BYTES);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = &text[..end];
        let all = words(text);
        let mut content: Vec<Word> = all
            .iter()
            .filter(|word| !is_stop_word(&word.whole))
            .flat_map(without_cjk_stop_words)
            .collect();
        if content.is_empty() {
            content = all;
        }
        let mut seen = BTreeSet::new();
        content.retain(|word| seen.insert(word.whole.clone()));
        content.truncate(MAX_WORDS);
        if content.is_empty() {
            return None;
        }
        let phrase = memory_core::fold_spaces(&fold(text));
        let phrase =
            (phrase.chars().count() > 2 && (content.len() > 1 || content[0].cjk)).then_some(phrase);
        let joined = content.iter().map(|word| bare(&word.whole)).collect();
        Some(Self { words: content.into_iter().map(query_word).collect(), phrase, joined })
    }
}

/// Letters and digits alone: `ci-cd`, `ci cd` and `cicd` are one tag.
pub(crate) fn bare(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Cuts words like 什么 out of a run; the run as it is when nothing stays.
fn without_cjk_stop_words(word: &Word) -> Vec<Word> {
    if !word.cjk {
        return vec![word.clone()];
    }
    let mut rest = word.whole.clone();
    for stop in CJK_STOP_WORDS {
        rest = rest.replace(stop, " ");
    }
    words(&rest)
}

fn query_word(word: Word) -> QueryWord {
    let slot = |token: String, weight| {
        let stemmed = stem(&token);
        Slot { stem: (stemmed != token).then_some(stemmed), token, weight }
    };
    let Word { whole, parts, cjk } = word;
    let slots = if cjk {
        if parts.is_empty() {
            vec![slot(whole.clone(), 100)]
        } else {
            parts.into_iter().map(|gram| slot(gram, BIGRAM_WEIGHT)).collect()
        }
    } else {
        let whole_slot = slot(whole.clone(), 100);
        std::iter::once(whole_slot)
            .chain(parts.into_iter().map(|part| slot(part, PART_WEIGHT)))
            .collect()
    };
    QueryWord { whole, slots, cjk }
}
