//! What a text is compared by.

use std::collections::BTreeSet;

use super::polarity::{cjk_mark, mark};
use crate::fold::{fold, fold_case, is_cjk, normalise};
use crate::tokens::{is_stop_word, stem, words};

/// What stands for a number in the content.
const NUMBER: char = '0';

/// In what sort of thing two facts contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DifferenceKind {
    /// A version, such as `v1.2` or `1.2.3`.
    Version,
    /// Another number.
    Number,
    /// One says that it is so, the other that it is not.
    Negation,
}

impl DifferenceKind {
    /// Its name, a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Version => "version",
            Self::Number => "number",
            Self::Negation => "negation",
        }
    }
}

/// Where two facts of the same words part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The sort of thing.
    pub kind: DifferenceKind,
    /// What only the first says, sorted; for a negation its words, if any.
    pub a: Vec<String>,
    /// What only the second says.
    pub b: Vec<String>,
}

/// A text as it is compared; equal features, same relation to all others.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Features {
    /// Every word, as recall finds it; CJK by bigrams.
    pub(super) words: BTreeSet<String>,
    /// Stems of what matters, with marks made neutral and numbers left out.
    pub(super) content: BTreeSet<String>,
    /// Every number, versions among them.
    numbers: BTreeSet<String>,
    versions: BTreeSet<String>,
    /// What turns the meaning round: what it stands against, and the word.
    negations: BTreeSet<(&'static str, String)>,
}

impl Features {
    pub(super) fn of(text: &str) -> Self {
        let mut features = Self::default();
        for word in words(text) {
            // A run differs as a whole wherever one character does.
            if !word.cjk || word.parts.is_empty() {
                features.words.insert(word.whole);
            }
            features.words.extend(word.parts);
        }
        if features.words.is_empty() {
            // Only signs, such as emoji: alike when they are the same.
            features.words.extend(Some(fold(text.trim())).filter(|text| !text.is_empty()));
            return features;
        }
        let neutral = features.take_numbers(&normalise(text));
        let neutral = features.take_cjk_marks(&neutral);
        features.take_content(&neutral);
        features
    }

    /// Whether the two cannot both hold, if they speak of the same thing.
    pub(super) fn contradicts(&self, other: &Self) -> bool {
        let apart = |a: &BTreeSet<String>, b: &BTreeSet<String>| !a.is_subset(b) && !b.is_subset(a);
        // A number that only one gives is more detail, no contradiction.
        apart(&self.numbers, &other.numbers) || self.is_negative() != other.is_negative()
    }

    /// Two negations cancel out: "do not disable" is "enable". The same one
    /// twice is said with emphasis.
    fn is_negative(&self) -> bool {
        let distinct: BTreeSet<_> = self.negations.iter().map(|(against, _)| against).collect();
        distinct.len() % 2 == 1
    }

    /// Notes numbers, and puts one and the same sign in their place.
    fn take_numbers(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(char::is_numeric) {
            let (before, number) = rest.split_at(start);
            let mut end = 0;
            let mut chars = number.char_indices().peekable();
            while let Some((at, c)) = chars.next() {
                let next_is_digit = chars.peek().is_some_and(|(_, next)| next.is_numeric());
                let joins = matches!(c, '.' | ',' | ':' | '-' | '/' | '_') && next_is_digit;
                if !c.is_numeric() && !joins {
                    break;
                }
                end = at + c.len_utf8();
            }
            let literal: String = number[..end].replace([',', '_'], "");
            let mut heads = before.chars().rev();
            let after_v = matches!(heads.next(), Some('v' | 'V'))
                && !heads.next().is_some_and(char::is_alphanumeric);
            if after_v || literal.matches('.').count() > 1 {
                self.versions.insert(literal.clone());
                // `v1.2` and `1.2` are one version.
                out.push_str(if after_v { &before[..before.len() - 1] } else { before });
            } else {
                out.push_str(before);
            }
            self.numbers.insert(literal);
            out.push(NUMBER);
            rest = &number[end..];
        }
        out.push_str(rest);
        out
    }

    fn take_cjk_marks(&mut self, text: &str) -> String {
        if !text.chars().any(is_cjk) {
            return text.to_owned();
        }
        // Scripts are folded together before a mark is looked for. Case stays:
        // a capital may begin a word.
        let text: String = text
            .chars()
            .map(|c| if is_cjk(c) { fold_case(c.encode_utf8(&mut [0; 4])) } else { c.to_string() })
            .collect();
        let mut out = String::with_capacity(text.len());
        let mut rest = &*text;
        while let Some(c) = rest.chars().next() {
            if let Some((mark, negative, neutral)) = cjk_mark(rest) {
                if negative {
                    self.negations.insert((neutral, mark.to_owned()));
                }
                out.push_str(neutral);
                rest = &rest[mark.len()..];
                continue;
            }
            if let Some(digit) = numeral(c) {
                self.numbers.insert(digit.to_string());
                out.push('〇');
            } else {
                out.push(c);
            }
            rest = &rest[c.len_utf8()..];
        }
        out
    }

    fn take_content(&mut self, text: &str) {
        let mut stop_words = BTreeSet::new();
        for word in words(text) {
            if word.cjk {
                if word.parts.is_empty() {
                    self.content.insert(word.whole);
                }
                self.content.extend(word.parts);
                continue;
            }
            if let Some(mark) = mark(&word.whole) {
                if mark.negative {
                    self.negations.insert((mark.neutral, word.whole));
                }
                if !mark.neutral.is_empty() && !is_stop_word(mark.neutral) {
                    self.content.insert(mark.neutral.to_owned());
                }
            } else if let Some(number) = number_word(&word.whole) {
                self.numbers.insert(number.to_string());
                self.content.insert(NUMBER.to_string());
            } else if is_stop_word(&word.whole) {
                stop_words.insert(word.whole);
            } else {
                self.content.insert(stem(&word.whole));
            }
        }
        if !self.content.iter().any(|word| word.chars().any(char::is_alphabetic)) {
            self.content.extend(stop_words);
        }
        // Numbers alone are about nothing that two facts could disagree on.
        if !self.content.iter().any(|word| word.chars().any(char::is_alphabetic)) {
            self.content.clear();
        }
    }
}

/// A number written as an English word.
fn number_word(word: &str) -> Option<u32> {
    const SMALL: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    const ROUND: [(&str, u32); 5] =
        [("twenty", 20), ("thirty", 30), ("sixty", 60), ("hundred", 100), ("thousand", 1000)];
    let small = SMALL.iter().position(|name| *name == word).and_then(|n| u32::try_from(n).ok());
    small.or_else(|| ROUND.iter().find(|(name, _)| *name == word).map(|(_, number)| *number))
}

/// A Chinese numeral.
fn numeral(c: char) -> Option<u32> {
    match c {
        '两' => Some(2),
        '百' => Some(100),
        '千' => Some(1000),
        _ => "零一二三四五六七八九十"
            .chars()
            .position(|n| n == c)
            .and_then(|n| u32::try_from(n).ok()),
    }
}

/// In what two texts contradict each other, if they speak of the same thing;
/// nothing where they do not.
///
/// ```
/// use memory_recall::{DifferenceKind, differences};
///
/// let found = differences("Use Node v18", "Never use Node v20");
/// assert_eq!(found[0].kind, DifferenceKind::Version);
/// assert_eq!((&found[0].a[0][..], &found[0].b[0][..]), ("18", "20"));
/// assert_eq!((found[1].kind, &found[1].b[0][..]), (DifferenceKind::Negation, "never"));
/// ```
pub fn differences(a: &str, b: &str) -> Vec<Difference> {
    let (a, b) = (Features::of(a), Features::of(b));
    let only = |a: &Features, b: &Features| -> Vec<_> {
        a.numbers.difference(&b.numbers).cloned().collect()
    };
    let mut found = Vec::new();
    let (only_a, only_b) = (only(&a, &b), only(&b, &a));
    if !only_a.is_empty() && !only_b.is_empty() {
        let mut differing = only_a.iter().chain(&only_b);
        let version = differing.any(|n| a.versions.contains(n) || b.versions.contains(n));
        let kind = if version { DifferenceKind::Version } else { DifferenceKind::Number };
        found.push(Difference { kind, a: only_a, b: only_b });
    }
    if a.is_negative() != b.is_negative() {
        let only = |a: &Features, b: &Features| {
            let words = a.negations.difference(&b.negations);
            words.map(|(_, word)| word.clone()).collect::<BTreeSet<_>>().into_iter().collect()
        };
        let kind = DifferenceKind::Negation;
        found.push(Difference { kind, a: only(&a, &b), b: only(&b, &a) });
    }
    found
}
