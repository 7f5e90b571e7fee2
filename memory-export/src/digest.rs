//! Whose hand a mirror is in.

use std::borrow::Cow;
use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::render::TITLE;

const OPEN: &str = "<!-- dsh-native-memory sha256:";
const CLOSE: &str = " -->\n";

/// What [`verify`] finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A mirror, as it was written.
    Unchanged,
    /// A mirror that was changed since, or that an older version wrote, which
    /// had no digest.
    Changed,
    /// Something else.
    Foreign,
}

/// Tells whether a file is a mirror as it was written, one that was changed by
/// hand, or none. Line ends that a checkout turned into CRLF are no change.
///
/// The digest guards against overwriting somebody's work, not against forgery:
/// anybody can compute it.
pub fn verify(text: &str) -> Verdict {
    let text = with_plain_line_ends(text);
    let sealed = text
        .strip_suffix(CLOSE)
        .and_then(|text| text.rsplit_once(OPEN))
        .is_some_and(|(body, digest)| digest == hex(body));
    if sealed {
        Verdict::Unchanged
    } else if text.contains(TITLE) || text.contains(OPEN) {
        Verdict::Changed
    } else {
        Verdict::Foreign
    }
}

/// A mirror holds no CR of its own.
pub(crate) fn with_plain_line_ends(text: &str) -> Cow<'_, str> {
    if text.contains('\r') { text.replace("\r\n", "\n").into() } else { text.into() }
}

/// Adds the digest of all that stands there.
pub(crate) fn seal(text: &mut String) {
    let digest = hex(text);
    text.push_str(OPEN);
    text.push_str(&digest);
    text.push_str(CLOSE);
}

fn hex(text: &str) -> String {
    let mut out = String::with_capacity(64);
    for byte in Sha256::digest(text) {
        // Writing to a String cannot fail.
        let _ = write!(out, "{byte:02x}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_text_is_unchanged_until_somebody_changes_it() {
        let mut text = format!("{TITLE}\n\nbody\n");
        seal(&mut text);
        assert_eq!(verify(&text), Verdict::Unchanged);
        assert_eq!(verify(&text.replace('\n', "\r\n")), Verdict::Unchanged);
        for changed in [
            text.replace("body", "bodies"),
            format!("{text}\n"),
            format!("{text}more\n"),
            format!("note\n{text}"),
            text.trim_end().to_owned(),
            format!("{TITLE}\n\n## Profile\n"),
        ] {
            assert_eq!(verify(&changed), Verdict::Changed, "{changed}");
        }
        for foreign in ["", "# Notes\n", "<!-- -->\n"] {
            assert_eq!(verify(foreign), Verdict::Foreign, "{foreign}");
        }
    }

    #[test]
    fn the_digest_is_sha_256() {
        assert_eq!(hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
