//! What the repository promises of writes, reads, caps and counters.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod support;

use std::sync::Arc;

use memory_core::{Caps, ErrorCode, FactKind, FactState, MemoryError};
use memory_store::{
    Change, Committed, FactEdit, MAX_TAGS, NewFact, ProfileEdit, Repository, Screen, Screened,
    StorageDomain, Table,
};
use serde_json::json;
use support::{Bench, TrialDomain, bench, bench_on, cited, new, settings, ws};

async fn store(bench: &Bench, path: &str, text: &str) -> Arc<memory_core::Fact> {
    let plan = bench.repository.plan_remember(&ws(path), new(text)).unwrap();
    match bench.repository.commit(plan).await.unwrap() {
        Committed::Fact(fact) => fact,
        Committed::Profile(_) => panic!("a fact was planned"),
    }
}

fn edit(id: &str) -> FactEdit {
    FactEdit { id: id.into(), kind: None, text: None, tags: None, citation: cited(9) }
}

fn row(id: &str, path: &str) -> (Table, String, serde_json::Value) {
    let value = json!({
        "id": id, "workspacePath": path, "kind": "fact", "text": format!("text of {id}"),
        "tags": [], "sessionId": "old", "seq": 1, "createdAt": 1, "updatedAt": 1, "state": "active",
    });
    (Table::Facts, id.to_owned(), value)
}

#[tokio::test]
async fn a_committed_fact_is_there_after_reopening() {
    let bench = bench().await;
    let fact = store(&bench, "/p", "pnpm builds").await;
    let again = bench_on(bench.domain.clone(), Caps::default()).await;
    assert_eq!(again.repository.active_facts(&ws("/p")), vec![fact.clone()]);
    assert_eq!(fact.citation(), cited(4));
    assert_eq!((fact.created_at, fact.updated_at), (support::NOW, support::NOW));
}

#[tokio::test]
async fn a_failing_put_leaves_memory_and_medium_as_they_were() {
    let bench = bench().await;
    bench.domain.fail_next("ENOSPC: no space left on device, write");
    let plan = bench.repository.plan_remember(&ws("/p"), new("x")).unwrap();
    let error = bench.repository.commit(plan).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Unavailable);
    assert!(error.to_string().contains("ENOSPC"), "{error}");
    assert_eq!(bench.repository.active_count(&ws("/p")), 0);
    assert_eq!(bench.domain.rows.count(Table::Facts), 0);
    store(&bench, "/p", "and the next write works").await;
}

#[tokio::test]
async fn nothing_crosses_workspaces() {
    let bench = bench().await;
    let mine = store(&bench, "/p", "mine").await;
    for other in ["/p/q", "/P", "/", "/p2"] {
        let other = ws(other);
        assert!(bench.repository.active_facts(&other).is_empty());
        assert!(bench.repository.fact(&other, &mine.id).is_none());
        let refused = [
            bench.repository.plan_forget(&other, &mine.id).map(drop),
            bench.repository.plan_edit(&other, edit(&mine.id)).map(drop),
            bench
                .repository
                .plan_remember(&other, NewFact { id: Some(mine.id.clone()), ..new("theirs") })
                .map(drop),
        ];
        for refused in refused {
            assert_eq!(refused.unwrap_err().code(), ErrorCode::NotFound);
        }
        bench.repository.touch(&other, [mine.id.as_str()]);
    }
    assert_eq!(bench.repository.pending_counters(), 0);
}

#[tokio::test]
async fn ten_parallel_writes_at_a_cap_of_three_store_three() {
    let caps = Caps { facts: 3, ..Caps::default() };
    let bench = bench_on(TrialDomain::default(), caps).await;
    // All ten pass their first checks before any of them is written.
    let plans: Vec<_> = (0..10)
        .map(|i| bench.repository.plan_remember(&ws("/p"), new(&format!("fact {i}"))).unwrap())
        .collect();
    let commits = plans.into_iter().map(|plan| bench.repository.commit(plan));
    let outcomes = futures::future::join_all(commits).await;
    let refused: Vec<_> = outcomes.into_iter().filter_map(Result::err).collect();
    assert_eq!(refused.len(), 7);
    assert!(refused.iter().all(|error| error.code() == ErrorCode::CapExceeded));
    assert_eq!(bench.repository.active_count(&ws("/p")), 3);
    assert_eq!(bench.domain.rows.count(Table::Facts), 3);
    // Another workspace has its own budget, and an update needs no room.
    store(&bench, "/q", "elsewhere").await;
    let id = bench.repository.active_facts(&ws("/p"))[0].id.clone();
    let update = NewFact { id: Some(id), ..new("again") };
    let plan = bench.repository.plan_remember(&ws("/p"), update).unwrap();
    bench.repository.commit(plan).await.unwrap();
}

#[tokio::test]
async fn a_doomed_write_is_refused_before_anybody_is_asked() {
    let caps = Caps { facts: 1, fact_chars: 5, ..Caps::default() };
    let bench = bench_on(TrialDomain::default(), caps).await;
    let plan = |fact| bench.repository.plan_remember(&ws("/p"), fact).map(drop);
    let code = |outcome: Result<(), MemoryError>| outcome.unwrap_err().code();
    assert_eq!(code(plan(new(" \n"))), ErrorCode::InvalidArgs);
    assert_eq!(code(plan(new("123456"))), ErrorCode::CapExceeded);
    let many = (0..=MAX_TAGS).map(|i| i.to_string()).collect();
    assert_eq!(code(plan(NewFact { tags: Some(many), ..new("x") })), ErrorCode::CapExceeded);
    assert_eq!(
        code(plan(NewFact { id: Some("gone".into()), ..new("123456") })),
        ErrorCode::NotFound
    );
    let stored = store(&bench, "/p", "12345").await;
    assert_eq!(code(plan(new("x"))), ErrorCode::CapExceeded);
    let too_long = FactEdit { text: Some("123456".into()), ..edit(&stored.id) };
    assert_eq!(
        code(bench.repository.plan_edit(&ws("/p"), too_long).map(drop)),
        ErrorCode::CapExceeded
    );
}

#[tokio::test]
async fn what_is_already_known_is_not_stored_twice() {
    let bench = bench().await;
    let known = store(&bench, "/p", "Do not run the simulator build").await;
    let other = store(&bench, "/p", "something else").await;
    let again = "  do not run the\nsimulator build ";
    let (a, b) = (new("one more"), new(" One  more"));
    let (a, b) = (
        bench.repository.plan_remember(&ws("/p"), a).unwrap(),
        bench.repository.plan_remember(&ws("/p"), b).unwrap(),
    );
    bench.repository.commit(a).await.unwrap();
    let edit = FactEdit { text: Some(again.into()), ..edit(&other.id) };
    for refused in [
        bench.repository.plan_remember(&ws("/p"), new(again)).map(drop),
        bench.repository.plan_edit(&ws("/p"), edit).map(drop),
    ] {
        let error = refused.unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidArgs);
        assert!(error.what().contains(&known.id), "{error}");
    }
    assert!(bench.repository.commit(b).await.is_err());
    assert_eq!(bench.repository.active_count(&ws("/p")), 3);
    store(&bench, "/q", again).await;
    // Saying it again of itself is an update.
    let update = NewFact { id: Some(known.id.clone()), ..new(again) };
    bench.repository.plan_remember(&ws("/p"), update).map(drop).unwrap();
}

#[tokio::test]
async fn a_plan_shows_what_would_be_written_and_that_is_written() {
    let bench = bench().await;
    let tags = vec![" ci ".into(), String::new(), "ci".into(), "CI".into()];
    let fact = NewFact { kind: Some(FactKind::Decision), tags: Some(tags), ..new("  spaced ") };
    let plan = bench.repository.plan_remember(&ws("/p"), fact).unwrap();
    let Change::Add { fact: shown } = plan.change().clone() else { panic!("an addition") };
    assert_eq!(shown.tags, ["ci", "CI"]);
    bench.clock.advance(60_000);
    let Committed::Fact(stored) = bench.repository.commit(plan).await.unwrap() else { panic!() };
    assert_eq!((&stored.id, &stored.text, &stored.tags), (&shown.id, &shown.text, &shown.tags));
    assert_eq!(stored.created_at, support::NOW + 60_000);
}

#[tokio::test]
async fn a_fact_that_changed_while_the_ask_was_open_is_left_alone() {
    let bench = bench().await;
    let fact = store(&bench, "/p", "old").await;
    let change = |text: &str| {
        let edit = FactEdit { text: Some(text.into()), ..edit(&fact.id) };
        bench.repository.plan_edit(&ws("/p"), edit).unwrap()
    };
    let (first, second) = (change("first"), change("second"));
    let forget = bench.repository.plan_forget(&ws("/p"), &fact.id).unwrap();
    bench.repository.commit(first).await.unwrap();
    for late in [second, forget] {
        let error = bench.repository.commit(late).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::Unavailable);
        assert!(error.what().contains("changed while the approval was open"), "{error}");
    }
    assert_eq!(bench.repository.fact(&ws("/p"), &fact.id).unwrap().text, "first");
}

#[tokio::test]
async fn an_edit_never_brings_a_forgotten_fact_back() {
    let bench = bench().await;
    let fact = store(&bench, "/p", "old").await;
    let late = FactEdit { text: Some("new".into()), ..edit(&fact.id) };
    let late = bench.repository.plan_edit(&ws("/p"), late).unwrap();
    let forget = bench.repository.plan_forget(&ws("/p"), &fact.id).unwrap();
    bench.repository.commit(forget).await.unwrap();
    assert!(bench.repository.commit(late).await.is_err());
    assert_eq!(bench.repository.active_count(&ws("/p")), 0);
    // Its row is kept, and neither edit nor forget finds it any more.
    let kept = bench.repository.fact(&ws("/p"), &fact.id).unwrap();
    assert_eq!((kept.state, kept.text.as_str()), (FactState::Archived, "old"));
    assert!(bench.repository.plan_edit(&ws("/p"), edit(&fact.id)).is_err());
    assert!(bench.repository.plan_forget(&ws("/p"), &fact.id).is_err());
    // Remembering its id does, in the open.
    let restore = NewFact { id: Some(fact.id.clone()), ..new("back") };
    let plan = bench.repository.plan_remember(&ws("/p"), restore).unwrap();
    bench.repository.commit(plan).await.unwrap();
    assert_eq!(bench.repository.active_count(&ws("/p")), 1);
}

#[tokio::test]
async fn recall_counts_are_written_behind_once_for_each_fact() {
    let bench = bench().await;
    let fact = store(&bench, "/p", "x").await;
    let puts = bench.domain.put_count();
    for _ in 0..5 {
        bench.repository.touch(&ws("/p"), [fact.id.as_str()]);
    }
    assert_eq!(bench.domain.put_count(), puts, "a recall writes nothing itself");
    assert_eq!(bench.repository.flush_counters().await.unwrap(), 1);
    assert_eq!(bench.repository.flush_counters().await.unwrap(), 0);
    let row = bench.domain.rows.row(Table::Facts, &fact.id).unwrap();
    assert_eq!((&row["accessCount"], &row["updatedAt"]), (&json!(5), &json!(support::NOW)));
}

#[tokio::test]
async fn counters_of_many_facts_are_one_put_and_survive_their_rows_and_reopening() {
    let rows: Vec<_> = (0..20).map(|i| row(&format!("f{i:02}"), "/p")).collect();
    let bench = bench_on(TrialDomain::with_rows(rows), Caps::default()).await;
    let ids: Vec<String> = (0..20).map(|i| format!("f{i:02}")).collect();
    let all = || ids.iter().map(String::as_str);
    bench.repository.touch(&ws("/p"), all());
    bench.repository.touch(&ws("/p"), all());
    assert_eq!(bench.repository.flush_counters().await.unwrap(), 1);
    assert_eq!(bench.domain.put_count(), 1);
    assert_eq!(bench.domain.rows.global()["accesses"]["f07"], json!([2, support::NOW]));
    assert_eq!(bench.domain.rows.global()["initialized"], true);

    // Reopened, the counters are there; a write of the row carries them along.
    let again = bench_on(bench.domain.clone(), Caps::default()).await;
    let count = |id: &str| again.repository.fact(&ws("/p"), id).unwrap().access_count;
    assert_eq!(count("f07"), Some(2));
    let edit = FactEdit { text: Some("new".into()), ..edit("f07") };
    let plan = again.repository.plan_edit(&ws("/p"), edit).unwrap();
    again.repository.commit(plan).await.unwrap();
    assert_eq!(again.domain.rows.row(Table::Facts, "f07").unwrap()["accessCount"], 2);
    again.repository.touch(&ws("/p"), all());
    again.repository.close().await.unwrap();
    assert_eq!(again.domain.rows.global()["accesses"]["f07"], json!([3, support::NOW]));
    assert_eq!(again.domain.put_count(), 3);
}

#[tokio::test]
async fn a_global_slot_of_another_form_is_left_alone() {
    let rows: Vec<_> = (0..9).map(|i| row(&format!("f{i}"), "/p")).collect();
    let domain = TrialDomain::with_rows(rows);
    domain.rows.put_global(json!("not ours")).await.unwrap();
    let bench = bench_on(domain, Caps::default()).await;
    bench.repository.touch(&ws("/p"), ["f0", "f1", "f2", "f3", "f4", "f5"]);
    assert_eq!(bench.repository.flush_counters().await.unwrap(), 6);
    assert_eq!(bench.domain.rows.global(), "not ours");
    assert_eq!(bench.domain.rows.row(Table::Facts, "f5").unwrap()["accessCount"], 1);
}

#[tokio::test]
async fn an_edit_or_a_forget_at_the_same_time_as_a_recall_wins() {
    for forget in [false, true] {
        let bench = bench().await;
        let fact = store(&bench, "/p", "old").await;
        let plan = if forget {
            bench.repository.plan_forget(&ws("/p"), &fact.id).unwrap()
        } else {
            let edit = FactEdit { text: Some("new".into()), ..edit(&fact.id) };
            bench.repository.plan_edit(&ws("/p"), edit).unwrap()
        };
        bench.repository.touch(&ws("/p"), [fact.id.as_str()]);
        let release = bench.domain.hold_next();
        let commit = tokio::spawn({
            let repository = Arc::clone(&bench.repository);
            async move { repository.commit(plan).await }
        });
        tokio::task::yield_now().await;
        // While that put is under way, a recall counts and the counters flush.
        bench.repository.touch(&ws("/p"), [fact.id.as_str()]);
        let flush = tokio::spawn({
            let repository = Arc::clone(&bench.repository);
            async move { repository.flush_counters().await }
        });
        tokio::task::yield_now().await;
        release.send(()).unwrap();
        commit.await.unwrap().unwrap();
        flush.await.unwrap().unwrap();
        bench.repository.flush_counters().await.unwrap();
        let row = bench.domain.rows.row(Table::Facts, &fact.id).unwrap();
        assert_eq!(row["accessCount"], 2, "no access is lost");
        if forget {
            assert_eq!(row["state"], "archived");
        } else {
            assert_eq!(row["text"], "new");
        }
    }
}

#[tokio::test]
async fn counters_that_cannot_be_written_stay_pending() {
    let bench = bench().await;
    let fact = store(&bench, "/p", "x").await;
    bench.repository.touch(&ws("/p"), [fact.id.as_str()]);
    bench.domain.fail_next("EIO");
    assert!(bench.repository.flush_counters().await.is_err());
    assert_eq!(bench.repository.pending_counters(), 1);
    bench.repository.close().await.unwrap();
    let row = bench.domain.rows.row(Table::Facts, &fact.id).unwrap();
    assert_eq!(row["accessCount"], 1);
    assert_eq!(
        bench.repository.plan_forget(&ws("/p"), &fact.id).unwrap_err().code(),
        ErrorCode::Unavailable
    );
}

#[tokio::test]
async fn an_update_keeps_the_access_counters() {
    let bench = bench().await;
    let fact = store(&bench, "/p", "x").await;
    bench.repository.touch(&ws("/p"), [fact.id.as_str()]);
    let update = NewFact { id: Some(fact.id.clone()), ..new("y") };
    let plan = bench.repository.plan_remember(&ws("/p"), update).unwrap();
    bench.repository.commit(plan).await.unwrap();
    assert_eq!(bench.repository.fact(&ws("/p"), &fact.id).unwrap().access_count, Some(1));
    assert_eq!(bench.repository.pending_counters(), 0, "the update carried them along");
}

// ---- profile ------------------------------------------------------------

async fn profile(bench: &Bench, index: Option<usize>, text: &str) -> Result<(), MemoryError> {
    let plan = bench.repository.plan_profile(&ws("/p"), index, text)?;
    bench.repository.commit(plan).await.map(drop)
}

#[tokio::test]
async fn profile_entries_are_appended_replaced_and_dropped() {
    let bench = bench().await;
    profile(&bench, None, "a").await.unwrap();
    profile(&bench, Some(1), "b").await.unwrap();
    profile(&bench, Some(0), "c").await.unwrap();
    assert_eq!(bench.repository.profile(&ws("/p")), ["c", "b"]);
    let plan = bench.repository.plan_profile(&ws("/p"), Some(1), "").unwrap();
    let lost = ProfileEdit::Drop { index: 1, old: "b".into() };
    assert_eq!(*plan.change(), Change::Profile(lost));
    bench.repository.commit(plan).await.unwrap();
    assert_eq!(bench.repository.profile(&ws("/p")), ["c"]);
    for (index, text) in [(Some(3), "x"), (None, " "), (Some(1), "")] {
        assert_eq!(profile(&bench, index, text).await.unwrap_err().code(), ErrorCode::InvalidArgs);
    }
}

#[tokio::test]
async fn two_open_asks_to_append_both_land_and_neither_replaces_the_other() {
    let bench = bench().await;
    let plan = |text| bench.repository.plan_profile(&ws("/p"), None, text).unwrap();
    let (a, b) = (plan("a"), plan("b"));
    bench.repository.commit(a).await.unwrap();
    bench.repository.commit(b).await.unwrap();
    assert_eq!(bench.repository.profile(&ws("/p")), ["a", "b"]);
    // What names an entry is bound to that entry.
    let replace = bench.repository.plan_profile(&ws("/p"), Some(0), "c").unwrap();
    profile(&bench, Some(0), "").await.unwrap();
    assert_eq!(bench.repository.commit(replace).await.unwrap_err().code(), ErrorCode::Unavailable);
    assert_eq!(bench.repository.profile(&ws("/p")), ["b"]);
}

#[tokio::test]
async fn a_profile_over_a_lowered_cap_may_shrink_and_change_but_not_grow() {
    let entries = json!({ "workspacePath": "/p", "entries": ["a", "b", "c", "d"], "updatedAt": 1 });
    let domain = TrialDomain::with_rows(vec![(Table::Profiles, "/p".into(), entries)]);
    let caps = Caps { profile_entries: 2, ..Caps::default() };
    let bench = bench_on(domain, caps).await;
    profile(&bench, Some(0), "").await.unwrap();
    profile(&bench, Some(0), "e").await.unwrap();
    assert_eq!(bench.repository.profile(&ws("/p")), ["e", "c", "d"]);
    assert_eq!(profile(&bench, None, "f").await.unwrap_err().code(), ErrorCode::CapExceeded);
}

// ---- older units --------------------------------------------------------

#[tokio::test]
async fn facts_stored_under_another_spelling_are_found() {
    let profile = |path: &str, entry: &str| {
        let value = json!({ "workspacePath": path, "entries": [entry], "updatedAt": 1 });
        (Table::Profiles, path.to_owned(), value)
    };
    let rows = vec![row("a", "/p/"), row("b", "/p"), profile("/p/", "one"), profile("/p", "two")];
    let bench = bench_on(TrialDomain::with_rows(rows), Caps::default()).await;
    assert_eq!(bench.repository.active_count(&ws("/p")), 2);
    assert_eq!(bench.repository.profile(&ws("/p/.")), ["two", "one"]);
    // A changed profile moves to the plain path; the other row is emptied.
    let plan = bench.repository.plan_profile(&ws("/p"), None, "three").unwrap();
    bench.repository.commit(plan).await.unwrap();
    let row = |key| bench.domain.rows.row(Table::Profiles, key).unwrap()["entries"].clone();
    assert_eq!((row("/p"), row("/p/")), (json!(["two", "one", "three"]), json!([])));
    // A touched fact keeps the spelling that its writer finds it by.
    bench.repository.touch(&ws("/p"), ["a"]);
    bench.repository.flush_counters().await.unwrap();
    assert_eq!(bench.domain.rows.row(Table::Facts, "a").unwrap()["workspacePath"], "/p/");
}

#[tokio::test]
async fn facts_stored_under_a_symlink_are_found_under_the_folder() {
    struct Links;
    impl memory_store::PathResolver for Links {
        async fn resolve(&self, paths: Vec<String>) -> Vec<Option<String>> {
            paths.iter().map(|p| (p == "/link").then(|| "/real".to_owned())).collect()
        }
    }
    let domain = TrialDomain::with_rows(vec![row("a", "/link"), row("b", "/other")]);
    let clock = Arc::default();
    let repository =
        Repository::open_with(domain, settings(Caps::default(), &clock), &Links).await.unwrap();
    assert_eq!(repository.active_count(&ws("/real")), 1);
    assert_eq!(repository.active_count(&ws("/link")), 0);
}

#[tokio::test]
async fn a_bad_row_is_set_aside_and_the_rest_works() {
    let mut bad = row("bad", "/p");
    bad.2["kind"] = json!("rumour");
    let mut foreign = row("foreign", "/p");
    foreign.1 = "another key".into();
    let mut short = row("short", "/p");
    short.2.as_object_mut().unwrap().remove("seq");
    let rows = vec![bad.clone(), row("good", "/p"), foreign, short];
    let bench = bench_on(TrialDomain::with_rows(rows), Caps::default()).await;
    assert_eq!(bench.repository.active_count(&ws("/p")), 1);
    let set_aside = bench.repository.set_aside();
    let problems: Vec<_> = set_aside.iter().map(|row| (&*row.key, &*row.problem)).collect();
    assert_eq!(
        problems,
        [
            ("another key", "the row's key is not its id"),
            ("bad", "a field has the wrong type or value"),
            ("short", "field `seq` is missing"),
        ]
    );
    store(&bench, "/p", "a write leaves it where it is").await;
    assert_eq!(bench.domain.rows.row(Table::Facts, "bad").unwrap(), bad.2);
}

#[tokio::test]
async fn fields_of_a_newer_version_survive_a_write() {
    let mut newer = row("a", "/p");
    newer.2["confidence"] = json!(0.9);
    let bench = bench_on(TrialDomain::with_rows(vec![newer]), Caps::default()).await;
    let edit = FactEdit { text: Some("new".into()), ..edit("a") };
    let plan = bench.repository.plan_edit(&ws("/p"), edit).unwrap();
    bench.repository.commit(plan).await.unwrap();
    let row = bench.domain.rows.row(Table::Facts, "a").unwrap();
    assert_eq!((&row["confidence"], &row["text"]), (&json!(0.9), &json!("new")));
}

// ---- screen -------------------------------------------------------------

/// Replaces "secret" and refuses "worse".
struct Replacing;

impl Screen for Replacing {
    fn screen(&self, text: &str, tags: &[String]) -> Result<Screened, MemoryError> {
        if text.contains("worse") || tags.iter().any(|tag| tag == "worse") {
            return Err(MemoryError::new(ErrorCode::SecretRejected, "kind (in text)"));
        }
        Ok(Screened { text: text.replace("secret", "[REDACTED]"), tags: tags.to_vec() })
    }
}

#[tokio::test]
async fn the_screen_comes_before_the_caps_and_sees_tags_and_profile() {
    let caps = Caps { fact_chars: 12, profile_entry_chars: 12, ..Caps::default() };
    let clock = Arc::default();
    let settings = settings(caps, &clock).screen(Arc::new(Replacing));
    let repository = Repository::open(TrialDomain::default(), settings).await.unwrap();
    let plan = |fact| repository.plan_remember(&ws("/p"), fact);
    let code = |outcome: Result<_, MemoryError>| outcome.map(drop).unwrap_err().code();
    assert_eq!(code(plan(new("worse, and far too long"))), ErrorCode::SecretRejected);
    let tagged = NewFact { tags: Some(vec!["worse".into()]), ..new("x") };
    assert_eq!(code(plan(tagged)), ErrorCode::SecretRejected);
    let many = (0..99).map(|i| i.to_string()).chain(["worse".to_owned()]).collect();
    assert_eq!(code(plan(NewFact { tags: Some(many), ..new("x") })), ErrorCode::SecretRejected);
    let entry = repository.plan_profile(&ws("/p"), None, "worse, and far too long");
    assert_eq!(code(entry), ErrorCode::SecretRejected);
    // Caps measure what is stored.
    assert_eq!(code(plan(new("my secret is"))), ErrorCode::CapExceeded);
    let stored = repository.commit(plan(new("a secret")).unwrap()).await.unwrap();
    let Committed::Fact(fact) = stored else { panic!("a fact") };
    assert_eq!(fact.text, "a [REDACTED]");
}

#[tokio::test]
async fn a_closed_domain_refuses_writes_but_answers_reads() {
    let bench = bench().await;
    let fact = store(&bench, "/p", "x").await;
    let plan = bench.repository.plan_forget(&ws("/p"), &fact.id).unwrap();
    bench.repository.close().await.unwrap();
    assert_eq!(bench.repository.commit(plan).await.unwrap_err().code(), ErrorCode::Unavailable);
    assert_eq!(bench.repository.active_count(&ws("/p")), 1);
    bench.domain.close().await.unwrap();
}
