//! Alarms: what a summary dropped, kept for a while and in a bounded number.

use memory_core::{Alarm, AlarmState, MemoryError, SeqRange, UnixMillis, WorkspacePath};

use crate::domain::{StorageDomain, Table};
use crate::repository::Repository;

/// How many alarms a workspace keeps, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlarmLimits {
    /// Most active alarms of one workspace.
    pub max: usize,
    /// How long one stays active, in ms.
    pub ttl: u64,
}

impl AlarmLimits {
    fn is_live(&self, alarm: &Alarm, now: UnixMillis) -> bool {
        alarm.state == AlarmState::Active && now.saturating_sub(alarm.created_at) <= self.ttl
    }
}

impl<D: StorageDomain> Repository<D> {
    /// Records anchors that a summary dropped. They are not content that
    /// anybody approved: mask them before, and show them as data.
    ///
    /// Alarms that are too old, and the oldest beyond the limit, expire; their
    /// rows are kept. Anchors that an active alarm names already are left out;
    /// returns `None` when nothing is left.
    ///
    /// # Errors
    /// `MEMORY_UNAVAILABLE` when storage fails.
    pub async fn raise_alarm(
        &self,
        workspace: &WorkspacePath,
        session_id: &str,
        anchors: Vec<String>,
        shadowed_range: Option<SeqRange>,
        limits: AlarmLimits,
    ) -> Result<Option<Alarm>, MemoryError> {
        let lock = self.lock_of(workspace);
        let _turn = lock.lock().await;
        self.ensure_open()?;
        let now = self.now();
        let live = self.active_alarms(workspace, limits);
        let known = |anchor: &String| live.iter().any(|a| a.vanished_anchors.contains(anchor));
        let mut fresh = Vec::new();
        for anchor in anchors {
            if !known(&anchor) && !fresh.contains(&anchor) && fresh.len() < Alarm::MAX_ANCHORS {
                fresh.push(anchor);
            }
        }
        if fresh.is_empty() {
            return Ok(None);
        }
        let alarm = Alarm {
            id: self.new_id(),
            workspace_path: workspace.as_str().to_owned(),
            session_id: session_id.to_owned(),
            vanished_anchors: fresh,
            shadowed_range,
            created_at: now,
            state: AlarmState::Active,
            extra: serde_json::Map::new(),
        };
        alarm.validate()?;
        for mut old in self.alarms_beyond(workspace, limits, now) {
            old.state = AlarmState::Expired;
            self.write_alarm(workspace, old).await?;
        }
        self.write_alarm(workspace, alarm.clone()).await?;
        Ok(Some(alarm))
    }

    /// The alarms that are still shown, newest first, then by id.
    pub fn active_alarms(&self, workspace: &WorkspacePath, limits: AlarmLimits) -> Vec<Alarm> {
        let now = self.now();
        let rows = self.rows();
        let alarms = rows.workspaces.get(workspace).into_iter().flat_map(|w| w.alarms.values());
        let mut live: Vec<Alarm> =
            alarms.filter(|alarm| limits.is_live(alarm, now)).cloned().collect();
        live.sort_by(|a, b| b.created_at.cmp(&a.created_at).then_with(|| a.id.cmp(&b.id)));
        live
    }

    /// Active rows that have to go before one more comes: the too old ones and
    /// the oldest of the others.
    fn alarms_beyond(
        &self,
        workspace: &WorkspacePath,
        limits: AlarmLimits,
        now: UnixMillis,
    ) -> Vec<Alarm> {
        let rows = self.rows();
        let alarms = rows.workspaces.get(workspace).into_iter().flat_map(|w| w.alarms.values());
        let active = alarms.filter(|alarm| alarm.state == AlarmState::Active).cloned();
        let (mut live, mut gone): (Vec<Alarm>, Vec<Alarm>) =
            active.partition(|alarm| limits.is_live(alarm, now));
        live.sort_by(|a, b| a.created_at.cmp(&b.created_at).then_with(|| a.id.cmp(&b.id)));
        let too_many = (live.len() + 1).saturating_sub(limits.max.max(1));
        gone.extend(live.drain(..too_many));
        gone
    }

    async fn write_alarm(
        &self,
        workspace: &WorkspacePath,
        alarm: Alarm,
    ) -> Result<(), MemoryError> {
        self.put(Table::Alarms, &alarm.id, &alarm).await?;
        let mut rows = self.rows();
        let found = rows.workspaces.entry(workspace.clone()).or_default();
        found.alarms.insert(alarm.id.clone(), alarm);
        Ok(())
    }
}
