//! The hook through which the secret policy sees every write.

use memory_core::MemoryError;

/// Content that passed, possibly with parts replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screened {
    /// The text to store.
    pub text: String,
    /// The tags to store.
    pub tags: Vec<String>,
}

/// Looks at content before it is measured, asked about and stored.
///
/// It sees the whole resulting content, so that what is harmless apart but not
/// together does not pass in two steps. It runs again when the plan is
/// committed and must then return the same, so it has to be deterministic and
/// idempotent.
pub trait Screen: Send + Sync {
    /// Passes, replaces or refuses the content of one fact or profile entry.
    ///
    /// # Errors
    /// `MEMORY_SECRET_REJECTED`, naming kinds and field, never the value.
    fn screen(&self, text: &str, tags: &[String]) -> Result<Screened, MemoryError>;
}

/// Passes everything; for hosts that screen elsewhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct AcceptAll;

impl Screen for AcceptAll {
    fn screen(&self, text: &str, tags: &[String]) -> Result<Screened, MemoryError> {
        Ok(Screened { text: text.to_owned(), tags: tags.to_vec() })
    }
}
