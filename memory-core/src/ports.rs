//! What the pure crates need from outside: a clock and a source of ids.

use std::sync::atomic::{AtomicU64, Ordering};

/// Milliseconds since the Unix epoch.
pub type UnixMillis = u64;

/// Where the time comes from. Recall, expiry and timestamps take it from here,
/// so that the same rows and the same query give the same bytes everywhere.
pub trait Clock {
    /// Milliseconds since the Unix epoch, now.
    fn now(&self) -> UnixMillis;
}

/// Where record ids come from.
pub trait IdSource {
    /// A new id that no record has yet: a lowercase UUID v4 in a real host.
    fn new_id(&self) -> String;
}

/// A clock that stands still until it is set; for tests and evaluations.
#[derive(Debug, Default)]
pub struct FixedClock(AtomicU64);

impl FixedClock {
    /// A clock that shows `now`, in ms since the epoch.
    pub fn at(now: UnixMillis) -> Self {
        Self(AtomicU64::new(now))
    }

    /// Sets the clock, in ms since the epoch.
    pub fn set(&self, now: UnixMillis) {
        self.0.store(now, Ordering::Relaxed);
    }

    /// Moves the clock on by `ms`.
    pub fn advance(&self, ms: u64) {
        self.0.fetch_add(ms, Ordering::Relaxed);
    }
}

impl Clock for FixedClock {
    fn now(&self) -> UnixMillis {
        self.0.load(Ordering::Relaxed)
    }
}

/// Ids in counting order, of the form of a UUID v4; for tests and evaluations.
#[derive(Debug, Default)]
pub struct SequentialIds(AtomicU64);

impl IdSource for SequentialIds {
    fn new_id(&self) -> String {
        let n = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        let mut bytes = [0_u8; 16];
        bytes[8..].copy_from_slice(&n.to_be_bytes());
        uuid::Builder::from_random_bytes(bytes).into_uuid().to_string()
    }
}

impl<T: Clock + ?Sized> Clock for std::sync::Arc<T> {
    fn now(&self) -> UnixMillis {
        (**self).now()
    }
}

impl<T: IdSource + ?Sized> IdSource for std::sync::Arc<T> {
    fn new_id(&self) -> String {
        (**self).new_id()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequential_ids_are_distinct_and_of_uuid_form() {
        let ids = SequentialIds::default();
        let (a, b) = (ids.new_id(), ids.new_id());
        assert_ne!(a, b);
        assert_eq!(uuid::Uuid::parse_str(&a).unwrap().get_version_num(), 4);
    }
}
