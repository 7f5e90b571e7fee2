//! Measuring and cutting text. Lengths are Unicode code points throughout.

use std::borrow::Cow;

use time::OffsetDateTime;
use time::macros::format_description;

use crate::UnixMillis;

/// What stands at the end of a cut text; one code point beyond the bound.
pub const ELLIPSIS: char = '…';

/// The length of a text in Unicode code points, the unit of every cap.
pub fn code_points(text: &str) -> usize {
    text.chars().count()
}

/// At most `max` code points of `text`; a cut text ends in [`ELLIPSIS`], which
/// comes on top of `max`. Never cuts inside a code point.
///
/// Mask before you cut: half a secret is no longer recognised.
///
/// ```
/// assert_eq!(memory_core::truncate("日本語", 2), "日本…");
/// assert_eq!(memory_core::truncate("ok", 2), "ok");
/// ```
pub fn truncate(text: &str, max: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}{ELLIPSIS}", &text[..end])),
    }
}

/// Trims and folds each run of white space into one blank. Two texts that
/// differ in nothing else are the same text to a person.
pub fn fold_spaces(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// An instant as RFC 3339 in UTC with milliseconds, e.g.
/// `2026-08-15T09:30:00.000Z`. Instants past the year 9999 are shown as that
/// year's last millisecond, so that a damaged row never fails a listing.
pub fn rfc3339(at: UnixMillis) -> String {
    const LAST: i128 = 253_402_300_799_999;
    let millis = i128::from(at).min(LAST);
    OffsetDateTime::from_unix_timestamp_nanos(millis * 1_000_000)
        .ok()
        .and_then(|t| {
            t.format(format_description!(
                "[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z"
            ))
            .ok()
        })
        .unwrap_or_else(|| format!("{at} ms"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn instants_are_shown_in_utc_with_milliseconds() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(rfc3339(1_786_786_200_123), "2026-08-15T09:30:00.123Z");
        assert_eq!(rfc3339(u64::MAX), "9999-12-31T23:59:59.999Z");
    }

    proptest! {
        #[test]
        fn a_cut_text_is_a_prefix_within_the_bound(text in "\\PC*", max in 0_usize..40) {
            let cut = truncate(&text, max);
            prop_assert!(code_points(&cut) <= max + 1);
            match cut.strip_suffix(ELLIPSIS) {
                Some(head) if cut != text => prop_assert!(text.starts_with(head)),
                _ => prop_assert_eq!(&*cut, &*text),
            }
        }

        #[test]
        fn folding_spaces_is_idempotent_and_on_one_line(text in any::<String>()) {
            let folded = fold_spaces(&text);
            prop_assert_eq!(fold_spaces(&folded), folded.clone());
            prop_assert!(!folded.contains('\n'));
        }
    }
}
