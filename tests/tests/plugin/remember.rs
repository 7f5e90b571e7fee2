//! The main job: a person approves a fact in one session, another recalls it.

use anyhow::{Context as _, Result};
use end_to_end::{Answer, RunOptions, Step};
use serde_json::json;

use crate::support::{allowing, facts, holds, home, scripted, session};

#[tokio::test]
async fn what_a_person_allowed_is_recalled_with_its_citation_in_a_later_session() -> Result<()> {
    let Some((_, home)) = home("main-job").await? else { return Ok(()) };
    let calls = [
        (
            "memory_remember",
            json!({ "text": "Builds use pnpm", "kind": "convention", "tags": ["build"] }),
        ),
        ("memory_remember", json!({ "text": "Deploys happen on Fridays" })),
        ("memory_remember", json!({ "text": "Short answers", "target": "profile" })),
    ];
    let answers = vec![Answer::reject().when("Fridays"), Answer::allow()];
    let first = session(&home, &calls, RunOptions { answers, ..RunOptions::default() }).await?;
    let results = first.results();
    holds(&results[0], "stored fact ")?;
    holds(&results[1], "MEMORY_APPROVAL_DENIED")?;
    holds(&results[2], "workspace profile updated: 1 entries")?;
    let asks: Vec<_> = first.run.asks.iter().map(|ask| (&*ask.tool_name, &*ask.reason)).collect();
    assert_eq!(
        asks,
        [
            (
                "memory_remember",
                r#"Store convention tagged "build" in workspace memory (workspace): Builds use pnpm"#
            ),
            (
                "memory_remember",
                "Store fact in workspace memory (workspace): Deploys happen on Fridays"
            ),
            ("memory_remember", "Add profile entry in workspace memory (workspace): Short answers"),
        ]
    );
    assert!(first.run.asks.iter().all(|ask| !ask.call_id.is_empty()));
    assert!(!first.system()?.contains("<memory-profile>"));

    // On disk: what was allowed, nothing else, and nothing of what was refused.
    let stored = facts(&home)?;
    assert_eq!(stored.len(), 1);
    let text = home.unit()?.context("no unit")?.to_string();
    assert!(!text.contains("Fridays"));

    // The citation names a message that holds text, although asks were logged
    // after it.
    let log = &home.sessions()?[0];
    assert_eq!(stored[0]["sessionId"], log.id);
    let cited = log.events.iter().find(|event| event["seq"] == stored[0]["seq"]);
    let cited = cited.context("the citation names no event")?;
    assert_eq!(cited["type"], "user/message");
    holds(&cited["data"].to_string(), "Do as the script says.")?;
    assert_eq!(log.of_type("approval/asked").len(), 3);

    let recall = [("memory_recall", json!({ "query": "build" }))];
    let later = session(&home, &recall, RunOptions::default()).await?;
    let id = stored[0]["id"].as_str().context("no id")?;
    let recalled = later.results().remove(0);
    holds(&recalled, &format!("- {id} [convention] Builds use pnpm (tags: build)"))?;
    holds(&recalled, &format!(" — {}#{} — updated ", log.id, stored[0]["seq"]))?;
    holds(&later.system()?, "\n- Short answers\n</memory-profile>")?;
    assert!(later.run.asks.is_empty(), "reads never ask");
    assert_eq!(facts(&home)?[0]["accessCount"], 1, "the recall was counted on disk");
    Ok(())
}

#[tokio::test]
async fn edit_and_forget_ask_and_are_kept() -> Result<()> {
    let Some((_, home)) = home("edit-forget").await? else { return Ok(()) };
    let id = |request: &end_to_end::Request| {
        let result = request.tool_results().remove(0).text;
        result.split_whitespace().nth(2).unwrap_or_default().to_owned()
    };
    let steps = vec![
        Step::tool("memory_remember", json!({ "text": "CI runs on two cores", "tags": ["ci"] })),
        Step::decide(move |request| {
            let change =
                json!({ "id": id(request), "text": "CI runs on four cores", "tags": ["ci", "hw"] });
            Step::tool("memory_edit", change)
        }),
        Step::tool("memory_recall", json!({ "query": "cores" })),
        Step::decide(move |request| Step::tool("memory_forget", json!({ "id": id(request) }))),
        Step::tool("memory_recall", json!({ "query": "cores" })),
    ];
    let session = scripted(&home, steps, allowing()).await?;
    let results = session.results();
    holds(&results[1], "edited fact ")?;
    holds(&results[2], "CI runs on four cores (tags: ci, hw)")?;
    holds(&results[3], "archived fact ")?;
    holds(&results[4], "no facts match \"cores\"")?;
    holds(
        &session.run.asks[1].reason,
        r#"tags "ci" → "ci", "hw"; text "CI runs on two cores" → "CI runs on four cores""#,
    )?;
    let stored = facts(&home)?;
    assert_eq!((&stored[0]["state"], &stored[0]["accessCount"]), (&json!("archived"), &json!(1)));
    Ok(())
}

#[tokio::test]
async fn parallel_calls_of_one_reply_keep_the_cap_and_the_unit_whole() -> Result<()> {
    let Some((_, home)) = home("parallel").await? else { return Ok(()) };
    let calls =
        (0..10).map(|i| ("memory_remember".to_owned(), json!({ "text": format!("fact {i}") })));
    let options = RunOptions {
        patches: vec![end_to_end::Patch::configure(
            "dsh-native-memory",
            &json!({ "maxFactsPerWorkspace": 3 }),
        )],
        ..allowing()
    };
    let session = scripted(&home, vec![Step::Tools(calls.collect())], options).await?;
    let results = session.results();
    let stored = results.iter().filter(|text| text.starts_with("stored fact")).count();
    let refused = results.iter().filter(|text| text.contains("MEMORY_CAP_EXCEEDED")).count();
    assert_eq!((stored, refused, facts(&home)?.len()), (3, 7, 3));
    assert_eq!(session.run.asks.len(), 3, "a write that will fail never asks");
    Ok(())
}

#[tokio::test]
async fn a_secret_is_never_asked_about_stored_or_logged_by_us() -> Result<()> {
    let Some((_, home)) = home("secret").await? else { return Ok(()) };
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let calls = [
        ("memory_remember", json!({ "text": format!("The token is {token}") })),
        ("memory_remember", json!({ "text": "ci credential", "tags": [token] })),
        ("memory_remember", json!({ "text": format!("use {token}"), "target": "profile" })),
    ];
    let session = session(&home, &calls, allowing()).await?;
    for result in session.results() {
        holds(&result, "MEMORY_SECRET_REJECTED")?;
        assert!(!result.contains(&token));
    }
    assert!(session.run.asks.is_empty() && home.unit()?.is_none());
    Ok(())
}

#[tokio::test]
async fn wrong_arguments_are_named_with_their_code() -> Result<()> {
    let Some((_, home)) = home("arguments").await? else { return Ok(()) };
    let calls = [
        ("memory_recall", json!({ "limit": 51 })),
        ("memory_edit", json!({ "id": "", "text": "x" })),
        ("memory_remember", json!({ "txt": "x" })),
    ];
    let results = session(&home, &calls, RunOptions::default()).await?.results();
    holds(
        &results[0],
        "MEMORY_INVALID_ARGS: memory_recall: `limit` must be a whole number from 1 to 50",
    )?;
    holds(&results[1], "MEMORY_INVALID_ARGS: memory_edit: `id` is empty")?;
    holds(&results[2], "`txt` is unknown, did you mean `text`?")?;
    Ok(())
}
