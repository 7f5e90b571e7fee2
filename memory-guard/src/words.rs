//! Telling words from chance: which letters follow each other in English and
//! in identifiers, and what that says about a value.

/// Bit `n` of row `m`: the letter `m` is commonly followed by the letter `n`.
/// Counted over documentation and source text.
#[rustfmt::skip]
const FOLLOWS: [u32; 26] = [
    0x017e_bd6e, 0x0016_4915, 0x001e_4d95, 0x0016_4919, 0x01ff_f97f, 0x001e_4939, 0x0016_69d1,
    0x001a_4111, 0x02ae_f87f, 0x0000_0010, 0x0004_0111, 0x011c_4919, 0x0014_d113, 0x003c_ed7d,
    0x007e_fd6f, 0x001e_c991, 0x0010_0000, 0x013e_fd7d, 0x011c_fdd5, 0x011e_d9b5, 0x000e_b97f,
    0x0000_4111, 0x0006_6191, 0x0008_8115, 0x0004_a000, 0x0000_0010,
];

/// Whether a run of letters reads like a word, or a piece of one.
pub(crate) fn is_word(letters: &[u8]) -> bool {
    if letters.len() < 2 || letters.windows(3).any(|w| w[0] == w[1] && w[1] == w[2]) {
        return false;
    }
    let row = |b: u8| usize::from(b.to_ascii_lowercase().wrapping_sub(b'a'));
    let odd = letters
        .windows(2)
        .filter(|pair| {
            let (a, b) = (row(pair[0]), row(pair[1]));
            a > 25 || b > 25 || FOLLOWS[a] & (1 << b) == 0
        })
        .count();
    // One odd pair in five may be an abbreviation.
    odd * 5 < letters.len()
}

/// How many letters and digits of `value` belong to words, of how many.
pub(crate) fn word_share(value: &[u8]) -> (usize, usize) {
    let mut in_words = 0;
    let mut total = 0;
    let mut at = 0;
    while at < value.len() {
        let b = value[at];
        if b.is_ascii_digit() {
            total += 1;
            at += 1;
        } else if b.is_ascii_alphabetic() {
            // A hump: capitals, or one capital and the small letters after it.
            let start = at;
            while at < value.len() && value[at].is_ascii_uppercase() {
                at += 1;
            }
            if at - start <= 1 {
                while at < value.len() && value[at].is_ascii_lowercase() {
                    at += 1;
                }
            }
            let hump = &value[start..at];
            total += hump.len();
            if hump.len() >= 3 && is_word(hump) {
                in_words += hump.len();
            }
        } else {
            at += 1;
        }
    }
    (in_words, total)
}

/// Whether a value is made of words: an identifier, a slug, a phrase.
pub(crate) fn is_wordy(value: &[u8]) -> bool {
    let (in_words, total) = word_share(value);
    total == 0 || in_words * 10 >= total * 6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_chance_differ() {
        for wordy in [
            "learn-compatible-estimators-api",
            "sliding-window-limiter",
            "refreshTokenService",
            "authentication",
        ] {
            assert!(is_wordy(wordy.as_bytes()), "{wordy}");
        }
        for chance in ["q7Rz9LmX2vTb", "xkqzvjwpbgtd", "9f8e7d6c5b4a", "aaaaaaaaaaaa"] {
            assert!(!is_wordy(chance.as_bytes()), "{chance}");
        }
    }
}
