//! From a fact to what was said, and from what was said to a fact, over the
//! host's own session logs and full-text search.

use anyhow::{Context as _, Result, ensure};
use end_to_end::{Answer, Home, Patch, RunOptions, Step};
use serde_json::json;

use crate::support::{allowing, facts, holds, home, scripted, session};

/// A session in which a person asks for this and the assistant says that.
async fn talk(home: &Home, folder: &str, asked: &str, said: &str) -> Result<String> {
    let cwd = home.root().join(folder);
    std::fs::create_dir_all(&cwd)?;
    let known: Vec<_> = home.sessions()?.into_iter().map(|log| log.id).collect();
    let options = RunOptions { task: asked.to_owned(), cwd: Some(cwd), ..RunOptions::default() };
    scripted(home, vec![Step::text(said)], options).await?;
    let logs = home.sessions()?;
    let new = logs.into_iter().find(|log| !known.contains(&log.id)).context("no new session")?;
    Ok(new.id)
}

#[tokio::test]
async fn past_sessions_are_searched_expanded_and_imported() -> Result<()> {
    let Some((_, home)) = home("history").await? else { return Ok(()) };
    let token = format!("ghp_{}", "4kQ9x7Zb2m".repeat(4).chars().take(36).collect::<String>());
    let english = talk(
        &home,
        "workspace",
        "The webhook worker retries five times, then parks the job. Note node.js v20.1 is used here.",
        &format!("Understood. The deploy token is {token}. Parked jobs go to a dead letter queue."),
    )
    .await?;
    let chinese =
        talk(&home, "workspace", "灰度发布前先清空网关缓存。然后再发布！", "好的，记住了。")
            .await?;
    let foreign =
        talk(&home, "elsewhere", "The webhook worker of another project retries never.", "Yes.")
            .await?;

    let calls = [
        ("memory_search", json!({ "query": "webhook retries", "limit": 1 })),
        ("memory_search", json!({ "query": "缓存" })),
        ("memory_search", json!({ "query": "\"dead letter\" NEAR queue* -x (" })),
        ("memory_search", json!({ "query": "*" })),
        ("memory_search", json!({ "query": "deploy token" })),
        ("memory_search", json!({ "query": "elephants" })),
        ("memory_import", json!({ "session_id": english, "query": "node.js" })),
        ("memory_import", json!({ "session_id": english, "query": "node.js" })),
        ("memory_import", json!({ "session_id": english, "query": "deploy" })),
        ("memory_import", json!({ "session_id": foreign, "query": "webhook" })),
        ("memory_expand", json!({ "session_id": foreign, "seq": 1 })),
        ("memory_expand", json!({ "session_id": english, "seq": 9999 })),
        ("memory_expand", json!({ "session_id": english })),
    ];
    let later = session(&home, &calls, allowing()).await?;
    let results = later.results();
    for (n, result) in results.iter().enumerate() {
        ensure!(!result.contains(&foreign), "another workspace's session in {n}: {result}");
        ensure!(!result.contains(&token[4..20]), "a secret in {n}: {result}");
    }
    holds(&results[0], &format!("1. {english}#"))?;
    holds(&results[0], "person: The webhook worker retries five times")?;
    holds(&results[1], &format!("1. {chinese}#"))?;
    holds(&results[1], "灰度发布前先清空网关缓存")?;
    holds(&results[2], &english)?;
    holds(&results[3], "no prior-session matches")?;
    holds(&results[4], "The deploy token is [REDACTED]")?;
    holds(&results[5], "no prior-session matches for \"elephants\"")?;
    holds(&results[6], &format!("imported 1 fact(s) from {english}:"))?;
    holds(&results[7], "; 1 already stored")?;
    holds(&results[8], "; 1 secret candidate(s) skipped")?;
    holds(&results[9], "MEMORY_UNAUTHORIZED")?;
    holds(&results[10], "MEMORY_UNAUTHORIZED")?;
    holds(&results[11], "MEMORY_NOT_FOUND: the citation is stale")?;
    holds(&results[12], "MEMORY_INVALID_ARGS")?;
    let reasons: Vec<_> = later.run.asks.iter().map(|ask| ask.reason.as_str()).collect();
    ensure!(reasons.len() == 1, "one ask, not {reasons:?}");
    holds(reasons[0], &format!("Import from {english}#"))?;
    holds(reasons[0], ": Note node.js v20.1 is used here.")?;

    // The stored citation is the source, and it expands to what was said there.
    let stored = facts(&home)?.remove(0);
    assert_eq!(stored["sessionId"], json!(english));
    let expand = [("memory_expand", json!({ "id": stored["id"] }))];
    let expanded = session(&home, &expand, RunOptions::default()).await?.results().remove(0);
    holds(&expanded, "person: The webhook worker retries five times, then parks the job.")?;
    holds(&expanded, "assistant: Understood. The deploy token is [REDACTED]")?;
    Ok(())
}

#[tokio::test]
async fn a_citation_that_an_older_plugin_took_while_asking_shows_text() -> Result<()> {
    let Some((_, home)) = home("history-older").await? else { return Ok(()) };
    let calls = [("memory_remember", json!({ "text": "Releases are cut on Mondays" }))];
    let options = RunOptions { task: "Remember our Mondays.".to_owned(), ..allowing() };
    session(&home, &calls, options).await?;
    let log = home.sessions()?.remove(0);
    let asked = log.events.iter().find(|event| event["type"] == "approval/asked");
    let asked = asked.context("nobody was asked")?;
    let expand = [("memory_expand", json!({ "session_id": log.id, "seq": asked["seq"] }))];
    let shown = session(&home, &expand, RunOptions::default()).await?.results().remove(0);
    holds(&shown, "person: Remember our Mondays.")
}

#[tokio::test]
async fn search_that_is_switched_off_or_absent_says_so() -> Result<()> {
    let Some((_, home)) = home("history-off").await? else { return Ok(()) };
    let calls = [("memory_search", json!({ "query": "anything" }))];
    let with = |patch: Patch| RunOptions { patches: vec![patch], ..RunOptions::default() };
    let never = json!({ "path": ":memory:", "openAt": "never" });
    let off = with(Patch::configure("session-query-sqlite", &never));
    let result = session(&home, &calls, off).await?.results().remove(0);
    holds(&result, "SESSION_QUERY_SEARCH_DISABLED: ")?;
    holds(&result, "openAt: first-search")?;
    let absent = with(Patch::disable("session-query-sqlite"));
    let result = session(&home, &calls, absent).await?.results().remove(0);
    holds(&result, "MEMORY_DISABLED: memory_search: ")
}

#[tokio::test]
async fn an_import_that_is_refused_half_way_reports_what_it_stored() -> Result<()> {
    let Some((_, home)) = home("history-import").await? else { return Ok(()) };
    let past =
        talk(&home, "workspace", "Rule one is A. Rule two is B. Rule three is C.", "Yes.").await?;
    let answers = vec![Answer::reject().when("Rule two"), Answer::allow()];
    let calls = [("memory_import", json!({ "session_id": past, "query": "rule" }))];
    let options = RunOptions { answers, ..RunOptions::default() };
    let result = session(&home, &calls, options).await?.results().remove(0);
    holds(&result, "imported 2 fact(s) from ")?;
    holds(&result, "; 1 candidate(s) not approved:")?;
    assert_eq!(facts(&home)?.len(), 2);
    Ok(())
}
