//! Folding: what is the same word to a person becomes the same string.

use std::sync::OnceLock;

use unicode_normalization::UnicodeNormalization;

/// Pairs of a traditional character and the simplified one it is folded to,
/// one after the other, sorted. Derived from `OpenCC`'s `TSCharacters`
/// (Apache License 2.0); where it gives several, the first.
const TRADITIONAL: &str = include_str!("../data/traditional_to_simplified.txt");

/// NFKC without characters that nobody sees. Case is kept: where a name
/// changes case, a word begins.
pub(crate) fn normalise(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    text.nfkc().filter(|&c| !is_invisible(c)).collect()
}

/// Folds case and script of normalised text.
pub(crate) fn fold_case(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            // Full case folding differs from lower case in these alone.
            'ß' | 'ẞ' => out.push_str("ss"),
            'ς' => out.push('σ'),
            c if is_cjk(c) => out.push(simplified(c)),
            c => out.extend(c.to_lowercase()),
        }
    }
    out
}

/// Both at once, for text that is not split into words.
pub(crate) fn fold(text: &str) -> String {
    fold_case(&normalise(text))
}

/// Scripts that are written without blanks between words, or with particles
/// attached: Han with its supplementary planes, kana, Hangul.
pub(crate) fn is_cjk(c: char) -> bool {
    matches!(u32::from(c),
        0x1100..=0x11ff | 0x2e80..=0x2fdf | 0x3005..=0x3007 | 0x3021..=0x3029
        | 0x3041..=0x3096 | 0x309d..=0x309f | 0x30a1..=0x30fa | 0x30fc..=0x30ff
        | 0x3105..=0x312f | 0x3131..=0x318e | 0x31a0..=0x31ff | 0x3400..=0x4dbf
        | 0x4e00..=0x9fff | 0xac00..=0xd7ff | 0xf900..=0xfaff | 0x1b000..=0x1b2ff
        | 0x20000..=0x323af)
}

/// Zero-width, bidirectional and tag characters, variation selectors, NUL.
fn is_invisible(c: char) -> bool {
    matches!(u32::from(c),
        0x0 | 0xad | 0x34f | 0x61c | 0x180e | 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x206f
        | 0xfe00..=0xfe0f | 0xfeff | 0xe0000..=0xe0fff)
}

fn simplified(c: char) -> char {
    static TABLE: OnceLock<Vec<(char, char)>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut chars = TRADITIONAL.chars().filter(|c| !c.is_whitespace());
        let mut table = Vec::new();
        while let (Some(from), Some(to)) = (chars.next(), chars.next()) {
            table.push((from, to));
        }
        table
    });
    table.binary_search_by_key(&c, |&(from, _)| from).map_or(c, |at| table[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_takes_for_the_same_is_folded_together() {
        for (a, b) in [
            ("ＲＥＤＩＳ", "redis"),
            ("cafe\u{301}", "café"),
            ("文檔錨點", "文档锚点"),
            ("STRASSE", "straße"),
            ("to\u{200b}ken", "token"),
            ("ｶﾅ", "カナ"),
        ] {
            assert_eq!(fold(a), fold(b));
        }
    }

    #[test]
    fn the_table_is_sorted_and_leads_to_the_end() {
        let chars: Vec<_> = TRADITIONAL.chars().filter(|c| !c.is_whitespace()).collect();
        assert!(chars.len() % 2 == 0 && chars.len() > 6000);
        let from: Vec<_> = chars.iter().step_by(2).collect();
        assert!(from.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
