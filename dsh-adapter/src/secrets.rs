//! The secret policy, as the repository's screen.

use memory_core::{ErrorCode, MemoryError, SecretPolicy};
use memory_store::{Screen, Screened};

/// Applies `secretPolicy` to text and tags, also to a secret that is split
/// between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SecretScreen(pub(crate) SecretPolicy);

impl Screen for SecretScreen {
    fn screen(&self, text: &str, tags: &[String]) -> Result<Screened, MemoryError> {
        let passed = Screened { text: text.to_owned(), tags: tags.to_vec() };
        if self.0 == SecretPolicy::Off {
            return Ok(passed);
        }
        let found = memory_guard::detect_across(text, tags);
        if found.is_empty() {
            return Ok(passed);
        }
        if self.0 == SecretPolicy::Mask {
            let masked = Screened {
                text: memory_guard::mask(text).into_owned(),
                tags: tags.iter().map(|tag| memory_guard::mask(tag).into_owned()).collect(),
            };
            // What only shows when text and tags are read together cannot be
            // masked in either; it is refused below.
            if memory_guard::detect_across(&masked.text, &masked.tags).is_empty() {
                return Ok(masked);
            }
        }
        let mut what: Vec<String> =
            found.iter().map(|found| format!("{} (in {})", found.kind, found.field)).collect();
        what.sort();
        what.dedup();
        Err(MemoryError::new(
            ErrorCode::SecretRejected,
            format!("the content holds what looks like a secret: {}", what.join(", ")),
        )
        .advise(
            "leave the secret out and name where it is kept instead \
             (secretPolicy: mask would store it masked)",
        ))
    }
}
