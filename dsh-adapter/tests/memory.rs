//! Opening, losing and keeping the memory, and what happens at the same time.

mod support;

use serde_json::json;
use support::{Host, NOW, id_in};

fn fact(id: &str) -> serde_json::Value {
    json!({
        "id": id, "workspacePath": "/work/app", "kind": "fact", "text": format!("text of {id}"),
        "tags": [], "sessionId": "old", "seq": 1, "createdAt": 1, "updatedAt": 1,
        "state": "active",
    })
}

#[test]
fn a_failed_open_names_the_cause_and_is_tried_again() {
    let mut messages = Vec::new();
    for (code, message) in [
        ("no-storage", "no storage"),
        ("version-mismatch", "stored version 2 != expected 1"),
        ("malformed-medium", "file is not valid JSON"),
        ("already-open", "domain 'dsh_memory' is already open"),
        ("backend-not-found", "no backend 'json'"),
        ("EACCES", "permission denied"),
    ] {
        let mut host = Host::new();
        host.put_row("facts", "a", fact("a"));
        host.storage_fault = Some((code, message));
        let error = host.call("memory_recall", json!({})).unwrap_err();
        assert_eq!(host.call("memory_remember", json!({ "text": "x" })).unwrap_err(), error);
        assert!(host.asks.is_empty() && host.section().is_empty());
        messages.push(error);
        host.storage_fault = None;
        assert!(host.call("memory_recall", json!({})).unwrap().contains("text of a"));
    }
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn calls_that_come_while_the_memory_opens_share_one_opening() {
    let mut host = Host::new();
    host.put_row("facts", "a", fact("a"));
    let first = host.start("memory_recall", json!({}));
    let second = host.start("memory_recall", json!({}));
    assert_eq!(host.waiting.len(), 1);
    assert!(host.finish(first).is_ok() && host.finish(second).is_ok());
}

#[test]
fn a_put_that_fails_stores_nothing_and_the_next_works() {
    let mut host = Host::new();
    host.put_faults.push_back("ENOSPC: no space left on device, write");
    let error = host.call("memory_remember", json!({ "text": "x" })).unwrap_err();
    assert!(error.starts_with("MEMORY_UNAVAILABLE") && error.contains("ENOSPC"), "{error}");
    assert!(host.call("memory_recall", json!({})).unwrap().starts_with("no facts"));
    host.call("memory_remember", json!({ "text": "x" })).unwrap();
}

#[test]
fn a_row_that_cannot_be_read_is_reported_and_the_rest_works() {
    let mut host = Host::new();
    host.put_row("facts", "a", fact("a"));
    host.put_row("facts", "b", json!({ "id": "b", "text": "no workspace" }));
    host.storage_ready();
    insta::assert_snapshot!(host.log.join("\n"), @"a row of table facts cannot be read and was set aside (field `workspacePath` is missing); it stays in the unit under the key b");
    let answer = host.call("memory_recall", json!({})).unwrap();
    assert!(answer.contains("text of a") && answer.contains("1 stored row"), "{answer}");
}

#[test]
fn recall_does_not_wait_for_a_write() {
    let mut host = Host::new();
    host.call("memory_remember", json!({ "text": "first" })).unwrap();
    let write = host.start("memory_remember", json!({ "text": "second" }));
    host.perform_next("ask");
    assert_eq!(host.waiting[0]["kind"], "put", "the put is under way");
    let recall = host.start("memory_recall", json!({}));
    assert!(host.done[&recall].as_ref().unwrap().contains("first"));
    host.finish(write).unwrap();
}

#[test]
fn recalls_write_nothing_and_the_end_of_their_turn_writes_once() {
    let mut host = Host::new();
    for i in 0..20 {
        host.put_row("facts", &format!("f{i:02}"), fact(&format!("f{i:02}")));
    }
    let before = host.rows.clone();
    for _ in 0..3 {
        host.call("memory_recall", json!({ "query": "text" })).unwrap();
    }
    assert_eq!(host.puts, 0);
    host.turn_end();
    host.turn_end();
    assert_eq!((host.puts, &host.rows), (1, &before));
    assert_eq!(host.global["accesses"]["f19"], json!([3, NOW]));
    // A few are written with their rows.
    host.call("memory_recall", json!({ "query": "f07" })).unwrap();
    host.turn_end();
    assert_eq!(host.puts, 2);
    assert_eq!(host.rows[&("facts".into(), "f07".into())]["accessCount"], 4);
}

#[test]
fn closing_writes_what_is_pending_and_a_later_call_opens_again() {
    let mut host = Host::new();
    host.put_row("facts", "a", fact("a"));
    host.call("memory_recall", json!({})).unwrap();
    host.close().unwrap();
    assert_eq!(host.facts()[0]["accessCount"], 1);
    assert_eq!(host.section(), "");
    assert!(host.call("memory_recall", json!({})).is_ok());
}

#[test]
fn an_answer_is_not_used_for_something_else() {
    let mut host = Host::new();
    let id = id_in(&host.call("memory_remember", json!({ "text": "shown" })).unwrap());
    let forget = host.start("memory_forget", json!({ "id": id }));
    let asked = host.waiting.pop_front().unwrap();
    // While a person reads what would be forgotten, another session changes it.
    host.call("memory_edit", json!({ "id": id, "text": "something else" })).unwrap();
    host.waiting.push_back(asked);
    let error = host.finish(forget).unwrap_err();
    assert!(error.contains("changed while the approval was open"), "{error}");
    assert_eq!(host.facts()[0]["state"], "active");
}

#[test]
fn ten_parallel_writes_at_a_cap_of_three_store_three() {
    let mut host = Host::with(json!({ "maxFactsPerWorkspace": 3 }));
    host.storage_ready();
    let remember = |i| json!({ "text": format!("fact {i}") });
    let calls: Vec<_> = (0..10).map(|i| host.start("memory_remember", remember(i))).collect();
    let outcomes: Vec<_> = calls.into_iter().map(|call| host.finish(call)).collect();
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 3);
    assert_eq!(host.facts().len(), 3);
}

#[test]
fn without_approval_nobody_is_asked() {
    let mut host = Host::with(json!({ "approvalWrites": false }));
    host.call("memory_remember", json!({ "text": "x" })).unwrap();
    assert!(host.asks.is_empty());
    assert_eq!(host.facts().len(), 1);
}

#[test]
fn a_configuration_that_cannot_be_used_is_refused_and_a_strange_key_warned_of() {
    let refused = dsh_adapter::Engine::new(r#"{"maxFactChars":0}"#).map(drop).unwrap_err();
    assert!(refused.contains("maxFactChars must be a whole number from 1 to 1000000"), "{refused}");
    let host = Host::with(json!({ "maxFactChar": 5 }));
    assert!(host.engine.manifest().contains("did you mean `maxFactChars`?"));
}

#[test]
fn a_message_that_is_none_changes_nothing() {
    let mut host = Host::new();
    for message in ["", "{}", r#"{"now":1,"entropy":"x","message":"what"}"#] {
        assert!(host.engine.handle(message).is_err());
    }
    assert!(
        host.engine.handle(r#"{"now":1,"entropy":"x","message":"settled","effect":99}"#).is_ok()
    );
    assert!(host.call("memory_recall", json!({})).is_ok());
}
