//! Sentences around a literal query.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

/// Words after which a full stop ends no sentence.
const ABBREVIATIONS: [&str; 26] = [
    "e.g", "i.e", "etc", "vs", "cf", "approx", "resp", "incl", "esp", "viz", "al", "no", "nr",
    "fig", "eq", "sec", "ch", "vol", "mr", "mrs", "ms", "dr", "prof", "st", "inc", "ltd",
];

/// The sentences of a text that hold a query literally (case aside), as byte
/// ranges, trimmed, in order. A blank query finds none.
///
/// Lines are the outer unit, and lines of a fenced code block stay whole. Within one, sentences end as Unicode's rules
/// (UAX #29) say, but a mark that no blank follows ends one only in CJK text:
/// `node.js`, `v20.1`, `src/main.rs`, `https://a.example/?q=1` and `a ? b : c`
/// in backticks stay whole, and so do abbreviations and the numbers of a list.
///
/// ```
/// use memory_recall::sentences;
/// let text = "We run node.js v20.1 here. Other text. 先跑 lint。再跑测试！";
/// let of = |query| -> Vec<_> { sentences(text, query).into_iter().map(|at| &text[at]).collect() };
/// assert_eq!(of("NODE.js"), ["We run node.js v20.1 here."]);
/// assert_eq!(of("测试"), ["再跑测试！"]);
/// assert!(of(" ").is_empty());
/// ```
#[must_use]
pub fn sentences(text: &str, query: &str) -> Vec<Range<usize>> {
    let query = query.trim().to_lowercase();
    if query.is_empty() {
        return Vec::new();
    }
    split(text).into_iter().filter(|at| text[at.clone()].to_lowercase().contains(&query)).collect()
}

/// All sentences of a text, trimmed; blank ones are left out.
fn split(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut in_code = false;
    for line in text.split_inclusive(['\n', '\r', '\u{2028}', '\u{2029}']) {
        let base = start;
        start += line.len();
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        if in_code || is_fence {
            push_trimmed(text, base..start, &mut out);
            continue;
        }
        let mut begin = 0;
        for (at, piece) in line.split_sentence_bound_indices() {
            let end = at + piece.len();
            if end < line.len() && !ends_sentence(line, begin, end) {
                continue;
            }
            push_trimmed(text, base + begin..base + end, &mut out);
            begin = end;
        }
    }
    out
}

/// Whether the bound that UAX #29 sees at `end` is one between sentences.
fn ends_sentence(line: &str, begin: usize, end: usize) -> bool {
    let sentence = &line[begin..end];
    // Inside an inline code span.
    if sentence.matches('`').count() % 2 == 1 && line[end..].contains('`') {
        return false;
    }
    let trimmed = sentence.trim_end();
    let mark = trimmed.trim_end_matches(is_closing).chars().next_back();
    let next = line[end..].chars().next();
    match mark {
        Some('.' | '!' | '?') => {
            if trimmed.len() == sentence.len() && !next.is_some_and(is_cjk) {
                return false;
            }
            mark != Some('.') || !is_abbreviated(trimmed)
        }
        _ => true,
    }
}

/// Whether the full stop at the end belongs to an abbreviation, an initial or
/// the number of a list's item.
fn is_abbreviated(sentence: &str) -> bool {
    let stem = sentence.trim_end_matches('.');
    if sentence.len() - stem.len() > 1 {
        return false;
    }
    let is_edge = |c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"');
    let word = stem.rsplit(is_edge).next().unwrap_or_default();
    let before = stem[..stem.len() - word.len()].trim_matches(is_edge);
    let is_number =
        before.is_empty() && !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    // `J. Smith`, `John F. Kennedy`; but `the answer is A.`
    let is_initial = word.chars().count() == 1
        && word.chars().all(char::is_uppercase)
        && before
            .rsplit(is_edge)
            .next()
            .unwrap_or_default()
            .chars()
            .next()
            .is_none_or(char::is_uppercase);
    is_initial || is_number || ABBREVIATIONS.contains(&&*word.to_lowercase())
}

fn is_closing(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '}' | '”' | '’' | '»' | '」' | '』' | '）' | '】' | '》')
}

fn is_cjk(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

fn push_trimmed(text: &str, range: Range<usize>, out: &mut Vec<Range<usize>>) {
    let piece = &text[range.clone()];
    let start = range.start + (piece.len() - piece.trim_start().len());
    let trimmed = piece.trim();
    if !trimmed.is_empty() {
        out.push(start..start + trimmed.len());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(text: &str) -> Vec<&str> {
        split(text).into_iter().map(|at| &text[at]).collect()
    }

    #[test]
    fn names_versions_and_links_stay_whole() {
        let text = "Use node.js v20.1, e.g. on CI, see https://a.example/x?y=1.html! \
                    It costs 3.5 MB. Edit src/main.rs. Then `a ? b : c. D` is code.";
        assert_eq!(
            all(text),
            [
                "Use node.js v20.1, e.g. on CI, see https://a.example/x?y=1.html!",
                "It costs 3.5 MB.",
                "Edit src/main.rs.",
                "Then `a ? b : c. D` is code.",
            ]
        );
        assert_eq!(
            all("See Fig. 3 and ask Dr. J. Smith. Done"),
            ["See Fig. 3 and ask Dr. J. Smith.", "Done"]
        );
        assert_eq!(all("Rule one is A. Rule two is B."), ["Rule one is A.", "Rule two is B."]);
        assert_eq!(all("1. First item. Second."), ["1. First item.", "Second."]);
        assert_eq!(all("Really?! Yes... Maybe"), ["Really?!", "Yes...", "Maybe"]);
    }

    #[test]
    fn chinese_and_japanese_marks_end_a_sentence_without_a_blank() {
        assert_eq!(
            all("先跑 lint。再跑测试!最后发布。"),
            ["先跑 lint。", "再跑测试!", "最后发布。"]
        );
        assert_eq!(
            all("ビルドは速い。テストは「緑。」です？はい！"),
            ["ビルドは速い。", "テストは「緑。」", "です？", "はい！"]
        );
        assert_eq!(all("用 node.js 跑？对。"), ["用 node.js 跑？", "对。"]);
    }

    #[test]
    fn lines_are_apart() {
        assert_eq!(all("- one\n- two\r\n\n  let x = y.z;\n"), ["- one", "- two", "let x = y.z;"]);
        assert_eq!(
            all("```\nsay(\"A. B\")\n```\nCeased. Done"),
            ["```", "say(\"A. B\")", "```", "Ceased.", "Done"]
        );
    }

    proptest! {
        #[test]
        fn nothing_but_blanks_is_lost(text in "[a-zA-Z0-9 .!?`。！\n中文\"()/]{0,80}") {
            let pieces = split(&text);
            prop_assert!(pieces.windows(2).all(|pair| pair[0].end <= pair[1].start));
            let kept: String = pieces.into_iter().map(|at| text[at].to_owned()).collect();
            let ink = |text: &str| -> String { text.chars().filter(|c| !c.is_whitespace()).collect() };
            prop_assert_eq!(ink(&kept), ink(&text));
        }

        #[test]
        fn any_text_is_split(text in any::<String>(), query in any::<String>()) {
            for at in sentences(&text, &query) {
                prop_assert!(text[at].to_lowercase().contains(&query.trim().to_lowercase()));
            }
        }
    }
}
