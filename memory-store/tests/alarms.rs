//! Alarms are bounded in number and in time, by workspace.

mod support;

use memory_core::{Alarm, Caps};
use memory_store::{AlarmLimits, Table};
use support::{Bench, bench, bench_on, ws};

const HOUR: u64 = 3_600_000;
const LIMITS: AlarmLimits = AlarmLimits { max: 2, ttl: 24 * HOUR };

async fn raise(bench: &Bench, path: &str, anchors: &[&str]) -> Option<Alarm> {
    let anchors = anchors.iter().map(|&anchor| anchor.to_owned()).collect();
    let raised = bench.repository.raise_alarm(&ws(path), "s-1", anchors, None, LIMITS).await;
    raised.unwrap_or_else(|error| panic!("{error}"))
}

fn shown(bench: &Bench, path: &str) -> Vec<Vec<String>> {
    let alarms = bench.repository.active_alarms(&ws(path), LIMITS);
    alarms.into_iter().map(|alarm| alarm.vanished_anchors).collect()
}

#[tokio::test]
async fn the_newest_stay_and_the_oldest_expire_by_workspace() {
    let bench = bench().await;
    for anchor in ["one", "two", "three"] {
        bench.clock.advance(1);
        raise(&bench, "/p", &[anchor]).await;
    }
    raise(&bench, "/q", &["elsewhere"]).await;
    assert_eq!(shown(&bench, "/p"), [["three"], ["two"]]);
    assert_eq!(shown(&bench, "/q"), [["elsewhere"]]);
    assert_eq!(bench.domain.rows.count(Table::Alarms), 4, "rows are kept");
    let again = bench_on(bench.domain.clone(), Caps::default()).await;
    assert_eq!(shown(&again, "/p").len(), 2);
}

#[tokio::test]
async fn an_alarm_is_shown_for_its_time() {
    let bench = bench().await;
    raise(&bench, "/p", &["old"]).await;
    bench.clock.advance(24 * HOUR);
    assert_eq!(shown(&bench, "/p").len(), 1);
    bench.clock.advance(1);
    assert!(shown(&bench, "/p").is_empty());
    let fresh = raise(&bench, "/p", &["new"]).await.map(|alarm| alarm.id);
    let expired =
        |id: &str| bench.domain.rows.row(Table::Alarms, id).map(|row| row["state"].clone());
    assert_eq!(fresh.and_then(|id| expired(&id)), Some("active".into()));
}

#[tokio::test]
async fn nothing_is_said_twice_and_no_alarm_names_more_than_five() {
    let bench = bench().await;
    let six = ["a1", "b2", "a1", "c3", "d4", "e5", "f6"];
    assert_eq!(raise(&bench, "/p", &six).await.map(|a| a.vanished_anchors.len()), Some(5));
    assert_eq!(raise(&bench, "/p", &["a1", "c3"]).await, None);
    let rest = raise(&bench, "/p", &["a1", "f6"]).await.map(|alarm| alarm.vanished_anchors);
    assert_eq!(rest, Some(vec!["f6".to_owned()]));
}
