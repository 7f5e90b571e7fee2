//! A domain whose puts a test can fail or hold back, and short helpers.

#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use memory_core::{Caps, Citation, FixedClock, SequentialIds, WorkspacePath};
use memory_store::{
    DomainError, DomainErrorKind, MemoryDomain, NewFact, Repository, Settings, Snapshot,
    StorageDomain, Table,
};
use serde_json::Value;
use tokio::sync::oneshot;

/// What happens to the next put.
pub enum Fate {
    Fail(&'static str),
    /// The put waits until the sender of the pair is used or dropped.
    Hold(oneshot::Receiver<()>),
}

#[derive(Clone, Default)]
pub struct TrialDomain {
    pub rows: MemoryDomain,
    pub fates: Arc<Mutex<VecDeque<Fate>>>,
    /// Every put that reached the medium.
    pub puts: Arc<Mutex<Vec<(&'static str, String)>>>,
}

impl TrialDomain {
    pub fn with_rows(rows: Vec<(Table, String, Value)>) -> Self {
        Self { rows: MemoryDomain::with_rows(rows), ..Self::default() }
    }

    pub fn fail_next(&self, why: &'static str) {
        self.fates.lock().unwrap().push_back(Fate::Fail(why));
    }

    pub fn hold_next(&self) -> oneshot::Sender<()> {
        let (release, held) = oneshot::channel();
        self.fates.lock().unwrap().push_back(Fate::Hold(held));
        release
    }

    async fn meet_fate(&self) -> Result<(), DomainError> {
        let fate = self.fates.lock().unwrap().pop_front();
        match fate {
            Some(Fate::Fail(why)) => return Err(DomainError::new(DomainErrorKind::Failed, why)),
            Some(Fate::Hold(held)) => drop(held.await),
            None => {}
        }
        Ok(())
    }

    pub fn put_count(&self) -> usize {
        self.puts.lock().unwrap().len()
    }
}

impl StorageDomain for TrialDomain {
    async fn load(&self) -> Result<Snapshot, DomainError> {
        self.rows.load().await
    }

    async fn put(&self, table: Table, key: &str, value: Value) -> Result<(), DomainError> {
        self.meet_fate().await?;
        self.puts.lock().unwrap().push((table.name(), key.to_owned()));
        self.rows.put(table, key, value).await
    }

    async fn put_global(&self, value: Value) -> Result<(), DomainError> {
        self.meet_fate().await?;
        self.puts.lock().unwrap().push(("global", String::new()));
        self.rows.put_global(value).await
    }

    async fn close(&self) -> Result<(), DomainError> {
        Ok(())
    }
}

pub const NOW: u64 = 1_760_000_000_000;

pub struct Bench {
    pub domain: TrialDomain,
    pub clock: Arc<FixedClock>,
    pub repository: Arc<Repository<TrialDomain>>,
}

pub fn settings(caps: Caps, clock: &Arc<FixedClock>) -> Settings {
    Settings::new(caps, clock.clone(), Arc::new(SequentialIds::default()))
}

pub async fn bench_on(domain: TrialDomain, caps: Caps) -> Bench {
    let clock = Arc::new(FixedClock::at(NOW));
    let repository = Repository::open(domain.clone(), settings(caps, &clock)).await.unwrap();
    Bench { domain, clock, repository: Arc::new(repository) }
}

pub async fn bench() -> Bench {
    bench_on(TrialDomain::default(), Caps::default()).await
}

pub fn ws(path: &str) -> WorkspacePath {
    WorkspacePath::from_raw(path).unwrap()
}

pub fn cited(seq: u64) -> Citation {
    Citation { session_id: "s-1".into(), seq }
}

pub fn new(text: &str) -> NewFact {
    NewFact { text: text.into(), citation: cited(4), ..NewFact::default() }
}
