//! The secret policy, as the repository's screen.

use memory_core::{MemoryError, SecretPolicy};
use memory_store::{Screen, Screened};

/// Applies `secretPolicy` to text and tags, also to a secret that is split
/// between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SecretScreen(pub(crate) SecretPolicy);

impl Screen for SecretScreen {
    fn screen(&self, text: &str, tags: &[String]) -> Result<Screened, MemoryError> {
        let (text, tags) = memory_guard::screen(self.0, text, tags)?;
        Ok(Screened { text, tags })
    }
}
