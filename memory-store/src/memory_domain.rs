//! A domain that forgets when it is dropped; for tests and trials.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use crate::domain::{DomainError, Snapshot, StorageDomain, Table};

/// Rows in memory. Clones share them, so a test can look at what was written
/// or open a second repository on the same medium.
#[derive(Clone, Debug, Default)]
pub struct MemoryDomain {
    rows: Arc<Mutex<BTreeMap<(Table, String), Value>>>,
    global: Arc<Mutex<Value>>,
}

impl MemoryDomain {
    /// A domain that holds these rows.
    pub fn with_rows(rows: Vec<(Table, String, Value)>) -> Self {
        let rows = rows.into_iter().map(|(table, key, value)| ((table, key), value)).collect();
        Self { rows: Arc::new(Mutex::new(rows)), ..Self::default() }
    }

    /// The global slot as it lies; null when it was never written.
    pub fn global(&self) -> Value {
        self.global.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The row as it lies, if there is one.
    pub fn row(&self, table: Table, key: &str) -> Option<Value> {
        self.lock().get(&(table, key.to_owned())).cloned()
    }

    /// How many rows a table has.
    pub fn count(&self, table: Table) -> usize {
        self.lock().keys().filter(|(t, _)| *t == table).count()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<(Table, String), Value>> {
        // No code below panics while it holds the lock.
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StorageDomain for MemoryDomain {
    async fn load(&self) -> Result<Snapshot, DomainError> {
        let rows = self.lock().iter().map(|((t, k), v)| (*t, k.clone(), v.clone())).collect();
        Ok(Snapshot { rows, global: self.global() })
    }

    async fn put(&self, table: Table, key: &str, value: Value) -> Result<(), DomainError> {
        self.lock().insert((table, key.to_owned()), value);
        Ok(())
    }

    async fn put_global(&self, value: Value) -> Result<(), DomainError> {
        *self.global.lock().unwrap_or_else(PoisonError::into_inner) = value;
        Ok(())
    }

    async fn close(&self) -> Result<(), DomainError> {
        Ok(())
    }
}
