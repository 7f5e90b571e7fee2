//! The fixed set of error codes, and the error that a person and a model read.

use std::fmt;

/// Why a memory operation did not happen.
///
/// The set is closed and part of the contract: a caller may match on the
/// string form, which never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorCode {
    /// The host offers no storage (or no session query) for this operation.
    Disabled,
    /// The call carries no agent, so there is no session to cite.
    MissingAgent,
    /// The record or session belongs to another workspace, or the caller has none.
    Unauthorized,
    /// A person did not allow the write, or nobody could be asked.
    ApprovalDenied,
    /// An argument is missing, unknown, or of the wrong form.
    InvalidArgs,
    /// No such fact, entry or event in this workspace.
    NotFound,
    /// The write would exceed a configured cap.
    CapExceeded,
    /// The text or a tag holds what looks like a secret.
    SecretRejected,
    /// Storage or a service failed; nothing was changed.
    Unavailable,
    /// The host's full-text search over sessions is switched off.
    SearchDisabled,
}

impl ErrorCode {
    /// Every code, in a fixed order.
    pub const ALL: [Self; 10] = [
        Self::Disabled,
        Self::MissingAgent,
        Self::Unauthorized,
        Self::ApprovalDenied,
        Self::InvalidArgs,
        Self::NotFound,
        Self::CapExceeded,
        Self::SecretRejected,
        Self::Unavailable,
        Self::SearchDisabled,
    ];

    /// The stable string form, e.g. `MEMORY_CAP_EXCEEDED`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Disabled => "MEMORY_DISABLED",
            Self::MissingAgent => "MEMORY_MISSING_AGENT",
            Self::Unauthorized => "MEMORY_UNAUTHORIZED",
            Self::ApprovalDenied => "MEMORY_APPROVAL_DENIED",
            Self::InvalidArgs => "MEMORY_INVALID_ARGS",
            Self::NotFound => "MEMORY_NOT_FOUND",
            Self::CapExceeded => "MEMORY_CAP_EXCEEDED",
            Self::SecretRejected => "MEMORY_SECRET_REJECTED",
            Self::Unavailable => "MEMORY_UNAVAILABLE",
            Self::SearchDisabled => "SESSION_QUERY_SEARCH_DISABLED",
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A refused or failed operation: a code, what was wrong, and what to do.
///
/// `Display` is `CODE: what. advice.` on one line, because hosts commonly keep
/// only the message of an error. It must never hold stored text that has not
/// been masked, nor the value of a secret.
///
/// ```
/// use memory_core::{ErrorCode, MemoryError};
///
/// let error = MemoryError::new(ErrorCode::NotFound, "no fact `9a` in this workspace")
///     .advise("call memory_recall for the ids");
/// assert_eq!(
///     error.to_string(),
///     "MEMORY_NOT_FOUND: no fact `9a` in this workspace. Call memory_recall for the ids."
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {what}.{}", sentence(advice.as_deref()))]
pub struct MemoryError {
    code: ErrorCode,
    what: String,
    advice: Option<String>,
}

impl MemoryError {
    /// An error with a code and a statement of what was wrong (no final stop).
    pub fn new(code: ErrorCode, what: impl Into<String>) -> Self {
        Self { code, what: what.into(), advice: None }
    }

    /// Adds what the caller can do about it (no final stop).
    #[must_use]
    pub fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// The stable code.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// What was wrong, without code and advice.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// What the caller can do, if there is something.
    pub fn advice(&self) -> Option<&str> {
        self.advice.as_deref()
    }
}

fn sentence(advice: Option<&str>) -> String {
    let mut chars = advice.unwrap_or_default().chars();
    match chars.next() {
        Some(first) => format!(" {}{}.", first.to_uppercase(), chars.as_str()),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_set_of_codes_is_the_contract() {
        let codes: Vec<_> = ErrorCode::ALL.iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(codes.join("\n"), @r"
        MEMORY_DISABLED
        MEMORY_MISSING_AGENT
        MEMORY_UNAUTHORIZED
        MEMORY_APPROVAL_DENIED
        MEMORY_INVALID_ARGS
        MEMORY_NOT_FOUND
        MEMORY_CAP_EXCEEDED
        MEMORY_SECRET_REJECTED
        MEMORY_UNAVAILABLE
        SESSION_QUERY_SEARCH_DISABLED
        ");
    }

    #[test]
    fn an_error_without_advice_ends_after_the_statement() {
        let error = MemoryError::new(ErrorCode::Disabled, "no storage");
        assert_eq!(error.to_string(), "MEMORY_DISABLED: no storage.");
    }
}
