//! Near-duplicates and contradictions, as a model reads them.

#![allow(missing_docs, clippy::unwrap_used, reason = "a test may fail")]

mod support;

use serde_json::json;
use support::{Host, NOW};

fn host_with(texts: &[&str]) -> Host {
    let mut host = Host::with(json!({ "secretPolicy": "off" }));
    for (n, text) in texts.iter().enumerate() {
        let id = format!("f-{n}");
        host.put_row(
            "facts",
            &id,
            json!({
                "id": id, "workspacePath": "/work/app", "kind": "fact", "text": text, "tags": [],
                "sessionId": "s-1", "seq": 1, "createdAt": NOW, "updatedAt": NOW, "state": "active",
            }),
        );
    }
    host
}

#[test]
fn pairs_contradictions_and_the_budget_are_named() {
    let token = format!("ghp_{}", "4kQ9x7Zb2m".repeat(4).chars().take(36).collect::<String>());
    let secret = format!("the deploy job authenticates with {token} every night");
    let mut host = host_with(&[
        "the release verification runs from the web session",
        "release verification runs in the web session",
        "Redis listens on port 6379",
        "Redis listens on port 6380",
        "人工审批必须在发布之前完成",
        "人工审批不必在发布之前完成",
        &secret,
        &format!("{secret} again"),
        "nothing like the others",
    ]);
    let answer = host.call("memory_consolidate", json!({})).unwrap();
    assert!(!answer.contains(&token[4..20]), "{answer}");
    insta::assert_snapshot!(answer);
    assert!(host.asks.is_empty());
}

#[test]
fn without_any_it_says_so() {
    let mut host = host_with(&["one thing", "quite another matter"]);
    assert_eq!(
        host.call("memory_consolidate", json!({})).unwrap(),
        "2 active facts; budget remaining: 298 of 300\nNo merge candidates and no contradictions."
    );
}
