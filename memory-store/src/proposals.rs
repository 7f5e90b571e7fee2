//! Proposals: what a model found worth keeping and nobody has approved.

use memory_core::{MemoryError, Proposal, ProposalState, UnixMillis, WorkspacePath, fold_spaces};
use serde_json::Value;

use crate::domain::{StorageDomain, Table};
use crate::repository::Repository;

/// Marks an expired row as one that a person said no to.
const REFUSED: &str = "refused";

/// How many proposals a workspace keeps pending, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProposalLimits {
    /// Most pending proposals of one workspace.
    pub max: usize,
    /// How long one stays pending, in ms.
    pub ttl: u64,
}

impl ProposalLimits {
    fn is_live(&self, proposal: &Proposal, now: UnixMillis) -> bool {
        is_pending(proposal) && now.saturating_sub(proposal.created_at) <= self.ttl
    }
}

/// What a person said to a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is a fact now.
    Approved,
    /// It is not to be stored, and not to be proposed again.
    Refused,
}

impl<D: StorageDomain> Repository<D> {
    /// Keeps texts as proposals. They are not content that anybody approved:
    /// mask them before, and show them as data.
    ///
    /// Left out is what the workspace knows: active facts, entries of the
    /// profile, pending proposals, and those that a person approved or refused earlier (compared without
    /// regard to case and white space). Pending rows that are too old, and the
    /// oldest beyond the limit, expire; their rows are kept.
    ///
    /// # Errors
    /// `MEMORY_UNAVAILABLE` when storage fails; texts before the failure are kept.
    pub async fn add_proposals(
        &self,
        workspace: &WorkspacePath,
        session_id: &str,
        texts: Vec<String>,
        limits: ProposalLimits,
    ) -> Result<Vec<Proposal>, MemoryError> {
        let lock = self.lock_of(workspace);
        let _turn = lock.lock().await;
        self.ensure_open()?;
        let now = self.now();
        let mut added = Vec::new();
        for text in texts {
            if self.is_stored(workspace, &text) || self.was_proposed(workspace, &text, limits) {
                continue;
            }
            let proposal = Proposal {
                id: self.new_id(),
                workspace_path: workspace.as_str().to_owned(),
                text,
                session_id: session_id.to_owned(),
                created_at: now,
                state: ProposalState::Pending,
                extra: serde_json::Map::new(),
            };
            proposal.validate()?;
            for mut old in self.proposals_beyond(workspace, limits, now) {
                old.state = ProposalState::Expired;
                self.write_proposal(workspace, old).await?;
            }
            self.write_proposal(workspace, proposal.clone()).await?;
            added.push(proposal);
        }
        Ok(added)
    }

    /// The proposals that still wait, oldest first, then by id.
    pub fn pending_proposals(
        &self,
        workspace: &WorkspacePath,
        limits: ProposalLimits,
    ) -> Vec<Proposal> {
        let now = self.now();
        let mut live = self.proposals(workspace, |proposal| limits.is_live(proposal, now));
        live.sort_by(by_age);
        live
    }

    /// Notes what a person said: the proposal `id` and all pending ones of the
    /// same text (compared without regard to white space) wait no longer.
    ///
    /// # Errors
    /// `MEMORY_UNAVAILABLE` when storage fails.
    pub async fn settle_proposals(
        &self,
        workspace: &WorkspacePath,
        id: Option<&str>,
        text: &str,
        verdict: Verdict,
    ) -> Result<(), MemoryError> {
        let lock = self.lock_of(workspace);
        let _turn = lock.lock().await;
        self.ensure_open()?;
        let text = fold_spaces(text);
        let meant = self.proposals(workspace, |proposal| {
            is_pending(proposal)
                && (id == Some(proposal.id.as_str()) || fold_spaces(&proposal.text) == text)
        });
        for mut proposal in meant {
            match verdict {
                Verdict::Approved => proposal.state = ProposalState::Consumed,
                Verdict::Refused => {
                    proposal.state = ProposalState::Expired;
                    proposal.extra.insert(REFUSED.to_owned(), Value::Bool(true));
                }
            }
            self.write_proposal(workspace, proposal).await?;
        }
        Ok(())
    }

    fn is_stored(&self, workspace: &WorkspacePath, text: &str) -> bool {
        self.known(workspace, text).is_some()
            || self.profile(workspace).iter().any(|entry| folded(entry) == folded(text))
    }

    fn was_proposed(&self, workspace: &WorkspacePath, text: &str, limits: ProposalLimits) -> bool {
        let now = self.now();
        let same = self.proposals(workspace, |proposal| {
            let counts = match proposal.state {
                ProposalState::Pending => limits.is_live(proposal, now),
                ProposalState::Consumed => true,
                ProposalState::Expired => proposal.extra.get(REFUSED) == Some(&Value::Bool(true)),
            };
            counts && folded(&proposal.text) == folded(text)
        });
        !same.is_empty()
    }

    /// Pending rows that have to go before one more comes: the too old ones
    /// and the oldest of the others.
    fn proposals_beyond(
        &self,
        workspace: &WorkspacePath,
        limits: ProposalLimits,
        now: UnixMillis,
    ) -> Vec<Proposal> {
        let pending = self.proposals(workspace, is_pending);
        let (mut live, mut gone): (Vec<Proposal>, Vec<Proposal>) =
            pending.into_iter().partition(|proposal| limits.is_live(proposal, now));
        live.sort_by(by_age);
        let too_many = (live.len() + 1).saturating_sub(limits.max.max(1));
        gone.extend(live.drain(..too_many));
        gone
    }

    fn proposals(
        &self,
        workspace: &WorkspacePath,
        wanted: impl Fn(&Proposal) -> bool,
    ) -> Vec<Proposal> {
        let rows = self.rows();
        let all = rows.workspaces.get(workspace).into_iter().flat_map(|w| w.proposals.values());
        all.filter(|proposal| wanted(proposal)).cloned().collect()
    }

    async fn write_proposal(
        &self,
        workspace: &WorkspacePath,
        proposal: Proposal,
    ) -> Result<(), MemoryError> {
        self.put(Table::Proposals, &proposal.id, &proposal).await?;
        let mut rows = self.rows();
        let found = rows.workspaces.entry(workspace.clone()).or_default();
        found.proposals.insert(proposal.id.clone(), proposal);
        Ok(())
    }
}

fn folded(text: &str) -> String {
    fold_spaces(text).to_lowercase()
}

fn is_pending(proposal: &Proposal) -> bool {
    proposal.state == ProposalState::Pending
}

fn by_age(a: &Proposal, b: &Proposal) -> std::cmp::Ordering {
    a.created_at.cmp(&b.created_at).then_with(|| a.id.cmp(&b.id))
}
