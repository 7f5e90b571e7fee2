//! Proposals are bounded in number and in time, by workspace, and none comes
//! twice.

mod support;

use memory_core::Caps;
use memory_store::{Committed, ProposalLimits, Table, Verdict};
use support::{Bench, bench, bench_on, new, ws};

const DAY: u64 = 86_400_000;
const LIMITS: ProposalLimits = ProposalLimits { max: 2, ttl: 7 * DAY };

async fn add(bench: &Bench, path: &str, texts: &[&str]) -> Vec<String> {
    let texts = texts.iter().map(|&text| text.to_owned()).collect();
    let added = bench.repository.add_proposals(&ws(path), "s-1", texts, LIMITS).await;
    added.unwrap_or_else(|error| panic!("{error}")).into_iter().map(|p| p.text).collect()
}

async fn settle(bench: &Bench, id: Option<&str>, text: &str, verdict: Verdict) {
    let settled = bench.repository.settle_proposals(&ws("/p"), id, text, verdict).await;
    settled.unwrap_or_else(|error| panic!("{error}"));
}

fn pending(bench: &Bench, path: &str) -> Vec<String> {
    let pending = bench.repository.pending_proposals(&ws(path), LIMITS);
    pending.into_iter().map(|proposal| proposal.text).collect()
}

#[tokio::test]
async fn the_newest_stay_oldest_first_by_workspace() {
    let bench = bench().await;
    for text in ["one", "two", "three"] {
        bench.clock.advance(1);
        add(&bench, "/p", &[text]).await;
    }
    add(&bench, "/q", &["elsewhere"]).await;
    assert_eq!(pending(&bench, "/p"), ["two", "three"]);
    assert_eq!(pending(&bench, "/q"), ["elsewhere"]);
    assert_eq!(bench.domain.rows.count(Table::Proposals), 4, "rows are kept");
    let again = bench_on(bench.domain.clone(), Caps::default()).await;
    assert_eq!(pending(&again, "/p"), ["two", "three"]);
}

#[tokio::test]
async fn one_waits_for_its_time() {
    let bench = bench().await;
    add(&bench, "/p", &["old"]).await;
    bench.clock.advance(7 * DAY);
    assert_eq!(pending(&bench, "/p"), ["old"]);
    bench.clock.advance(1);
    assert!(pending(&bench, "/p").is_empty());
    // What nobody looked at in time may come again.
    assert_eq!(add(&bench, "/p", &["old"]).await, ["old"]);
}

#[tokio::test]
async fn what_is_known_pending_approved_or_refused_does_not_come_again() {
    let bench = bench().await;
    let plan = bench
        .repository
        .plan_remember(&ws("/p"), new("Tests run with just"))
        .unwrap_or_else(|e| panic!("{e}"));
    assert!(matches!(bench.repository.commit(plan).await, Ok(Committed::Fact(_))));
    assert_eq!(add(&bench, "/p", &["tests  run with just", "a", " A ", "b"]).await, ["a", "b"]);
    settle(&bench, None, " a", Verdict::Approved).await;
    let id = bench.repository.pending_proposals(&ws("/p"), LIMITS)[0].id.clone();
    settle(&bench, Some(&id), "as somebody put it", Verdict::Refused).await;
    assert!(pending(&bench, "/p").is_empty());
    assert!(add(&bench, "/p", &["A", "B"]).await.is_empty());
    let row = bench.domain.rows.row(Table::Proposals, &id).unwrap_or_default();
    assert_eq!((&row["state"], &row["refused"]), (&"expired".into(), &true.into()));
    let again = bench_on(bench.domain.clone(), Caps::default()).await;
    assert!(add(&again, "/p", &["b"]).await.is_empty(), "a refusal outlives the host");
}

#[tokio::test]
async fn parallel_adds_keep_the_limit() {
    let bench = bench().await;
    let texts = [["a"], ["b"], ["c"], ["d"], ["e"]];
    futures::future::join_all(texts.iter().map(|text| add(&bench, "/p", text))).await;
    assert_eq!(pending(&bench, "/p").len(), 2);
}
