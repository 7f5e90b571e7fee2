//! Proposals that wait for a person, to be shown.

use memory_core::{Proposal, ProposalState, WorkspacePath};

use crate::domain::StorageDomain;
use crate::repository::Repository;

impl<D: StorageDomain> Repository<D> {
    /// The pending proposals that are not older than `ttl` ms, newest first,
    /// then by id. Nobody has approved their texts: mask them before they are
    /// shown.
    pub fn waiting_proposals(&self, workspace: &WorkspacePath, ttl: u64) -> Vec<Proposal> {
        let oldest = self.now().saturating_sub(ttl);
        let rows = self.rows();
        let proposals =
            rows.workspaces.get(workspace).into_iter().flat_map(|w| w.proposals.values());
        let mut waiting: Vec<_> = proposals
            .filter(|row| row.state == ProposalState::Pending && row.created_at >= oldest)
            .cloned()
            .collect();
        waiting.sort_by(|a, b| b.created_at.cmp(&a.created_at).then_with(|| a.id.cmp(&b.id)));
        waiting
    }
}
