//! A piece of a long text around the words that it was found by.

use memory_core::ELLIPSIS;

/// At most `max` code points of a text, around the first of the `words` that
/// stands in it (case aside), a third of them before it; an ellipsis on top
/// where something is cut. The text must be masked already.
pub(crate) fn excerpt<'a>(
    text: &str,
    mut words: impl Iterator<Item = &'a str>,
    max: usize,
) -> String {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= max {
        return text.to_owned();
    }
    // One folded character for each, so that places stay the same.
    let lower = |c: char| c.to_lowercase().next().unwrap_or(c);
    let folded: Vec<char> = chars.iter().copied().map(lower).collect();
    let place = |word: &str| {
        let word: Vec<char> = word.trim().chars().map(lower).collect();
        (!word.is_empty()).then(|| folded.windows(word.len()).position(|at| at == word)).flatten()
    };
    let found = words.find_map(place).unwrap_or(0);
    let start = found.saturating_sub(max / 3).min(chars.len() - max);
    let end = start + max;
    let mut out = String::new();
    if start > 0 {
        out.push(ELLIPSIS);
    }
    out.extend(&chars[start..end]);
    if end < chars.len() {
        out.push(ELLIPSIS);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stands_around_the_first_word_that_is_there() {
        let text = format!("{}Ärger mit Caches{}", "a ".repeat(40), " z".repeat(40));
        let cut = excerpt(&text, ["fehlt", "CACHES"].into_iter(), 30);
        assert!(cut.contains("Caches"), "{cut}");
        assert_eq!(cut.chars().count(), 32);
        assert_eq!(excerpt(&text, ["fehlt"].into_iter(), 5), "a a a…");
        assert_eq!(excerpt("short", ["x"].into_iter(), 5), "short");
        assert_eq!(excerpt("ends here", ["here"].into_iter(), 6), "…s here");
    }
}
