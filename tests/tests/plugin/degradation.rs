//! What happens when something is missing, broken or late.

use std::fs;

use anyhow::{Context as _, Result};
use end_to_end::{Answer, Outcome, Patch, RunOptions, Step, file_url};
use serde_json::{Value, json};

use crate::support::{allowing, fact, facts, holds, home, scripted, session, unit};

fn remember() -> (&'static str, Value) {
    ("memory_remember", json!({ "text": "x" }))
}

fn recall() -> (&'static str, Value) {
    ("memory_recall", json!({}))
}

#[tokio::test]
async fn without_storage_every_tool_says_so_and_the_session_goes_on() -> Result<()> {
    let Some((_, home)) = home("no-storage").await? else { return Ok(()) };
    let options = RunOptions { storage: false, ..allowing() };
    let calls = [remember(), recall(), ("memory_profile", json!({}))];
    let session = session(&home, &calls, options).await?;
    for result in session.results() {
        holds(&result, "MEMORY_DISABLED")?;
    }
    assert!(session.run.asks.is_empty() && !session.system()?.contains("memory-profile"));
    Ok(())
}

#[tokio::test]
async fn without_an_allowing_answer_nothing_is_stored() -> Result<()> {
    let Some((_, home)) = home("no-answer").await? else { return Ok(()) };
    let never = ("DSH_PERMISSION_MODE".to_owned(), "danger-full-access".to_owned());
    for options in [
        RunOptions::default(),
        RunOptions { env: vec![never], ..allowing() },
        RunOptions { answers: vec![Answer::new(Outcome::Throws)], ..RunOptions::default() },
        RunOptions { answers: vec![Answer::new(Outcome::Cancelled)], ..RunOptions::default() },
        RunOptions { answers: vec![Answer::new(Outcome::Unavailable)], ..RunOptions::default() },
    ] {
        let session = session(&home, &[remember(), recall()], options).await?;
        let results = session.results();
        holds(&results[0], "MEMORY_APPROVAL_DENIED")?;
        holds(&results[1], "no facts are stored")?;
    }
    assert!(home.unit()?.is_none());
    Ok(())
}

#[tokio::test]
async fn a_unit_that_cannot_be_opened_is_named_and_left_alone() -> Result<()> {
    let Some((_, home)) = home("bad-unit").await? else { return Ok(()) };
    let whole = unit(&[fact("a", &home.workspace(), "kept")], &[]);
    let cut = &whole[..whole.len() * 6 / 10];
    for (text, named) in [
        (whole.replace("\"version\": 1", "\"version\": 2"), "version-mismatch"),
        (cut.to_owned(), "malformed-medium"),
        (whole.replace("dsh_memory", "other"), "malformed-medium"),
    ] {
        home.write_unit(&text)?;
        let session = session(&home, &[remember(), recall()], allowing()).await?;
        for result in session.results() {
            holds(&result, "MEMORY_UNAVAILABLE")?;
            holds(&result, named)?;
        }
        assert!(session.run.asks.is_empty());
        assert_eq!(fs::read_to_string(home.unit_path())?, text);
    }
    Ok(())
}

#[tokio::test]
async fn a_failed_open_is_tried_again_on_the_next_call() -> Result<()> {
    let Some((_, home)) = home("mended-unit").await? else { return Ok(()) };
    home.write_unit("{ half a unit")?;
    let (path, mended) = (home.unit_path(), unit(&[fact("a", &home.workspace(), "kept")], &[]));
    let mend = Step::decide(move |_| {
        fs::write(&path, mended).expect("the unit can be written");
        Step::tool("memory_recall", json!({}))
    });
    let steps = vec![Step::tool("memory_recall", json!({})), mend];
    let results = scripted(&home, steps, allowing()).await?.results();
    holds(&results[0], "MEMORY_UNAVAILABLE")?;
    holds(&results[1], "kept")
}

#[tokio::test]
async fn one_bad_row_is_set_aside_and_the_rest_works() -> Result<()> {
    let Some((_, home)) = home("bad-row").await? else { return Ok(()) };
    let bad = json!({ "id": "bad", "workspacePath": home.workspace(), "text": "no kind, no seq" });
    home.write_unit(&unit(&[fact("a", &home.workspace(), "good"), bad.clone()], &[]))?;
    let session = session(&home, &[recall(), remember()], allowing()).await?;
    let results = session.results();
    holds(&results[0], "good")?;
    holds(&results[0], "1 stored row(s) of this memory cannot be read")?;
    holds(&results[1], "stored fact")?;
    let after = facts(&home)?;
    assert_eq!((after.len(), &after[1]), (3, &bad), "it stays where it is");
    Ok(())
}

#[tokio::test]
async fn a_put_that_fails_stores_nothing_and_the_next_one_works() -> Result<()> {
    let Some((_, home)) = home("failing-put").await? else { return Ok(()) };
    let storages = home.unit_path().parent().context("no folder")?.to_owned();
    let (away, back) = (storages.clone(), storages.clone());
    let aside = home.root().join("storages-aside");
    let aside_too = aside.clone();
    let steps = vec![
        Step::tool("memory_recall", json!({})),
        // The folder goes away under the open unit, as a removed disk does.
        Step::decide(move |_| {
            fs::rename(&away, &aside).expect("the folder can be moved");
            Step::tool("memory_remember", json!({ "text": "lost" }))
        }),
        Step::tool("memory_recall", json!({})),
        Step::decide(move |_| {
            fs::rename(&aside_too, &back).expect("the folder can be moved back");
            Step::tool("memory_remember", json!({ "text": "kept" }))
        }),
    ];
    fs::create_dir_all(&storages)?;
    let results = scripted(&home, steps, allowing()).await?.results();
    holds(&results[1], "MEMORY_UNAVAILABLE: storage failed and nothing was changed")?;
    holds(&results[2], "no facts are stored")?;
    holds(&results[3], "stored fact")?;
    assert_eq!(facts(&home)?.len(), 1);
    Ok(())
}

#[tokio::test]
async fn storage_that_appears_after_the_plugin_is_used() -> Result<()> {
    let Some((_, home)) = home("late-storage").await? else { return Ok(()) };
    // Adds the storage rows after the first tool result.
    let late = home.root().join("late.mjs");
    fs::write(
        &late,
        "export const name = 'late-storage'\n\
         export function apply(ctx, { root }) {\n\
           let added = false\n\
           ctx.on('tools/result', async () => {\n\
             if (added) return\n\
             added = true\n\
             const add = (name, config) => ctx.get('loader').create({ name, config })\n\
             await add('@deepseek-ai/dsh-storage', {})\n\
             await add('@deepseek-ai/dsh-storage-json', { root })\n\
             await add('@deepseek-ai/dsh-storage-domain', { backend: 'json' })\n\
           })\n\
         }\n",
    )?;
    let root = json!({ "root": home.dsh_home().join("storages") });
    let patches = vec![Patch::insert("late-storage", &file_url(&late), &root)];
    let options = RunOptions { storage: false, patches, ..allowing() };
    let session = session(&home, &[recall(), recall(), remember()], options).await?;
    let results = session.results();
    holds(&results[0], "MEMORY_DISABLED")?;
    holds(&results[2], "stored fact")?;
    assert_eq!(facts(&home)?.len(), 1);
    Ok(())
}

#[tokio::test]
async fn a_configuration_that_cannot_be_used_is_reported_and_the_host_lives() -> Result<()> {
    let Some((_, home)) = home("bad-config").await? else { return Ok(()) };
    let config = json!({ "maxFactChars": 0 });
    let patches = vec![Patch::configure("dsh-native-memory", &config)];
    let model = end_to_end::ScriptedModel::start([Step::text("hello")]).await?;
    let run = home.run(&model, RunOptions { patches, ..RunOptions::default() }).await?;
    let said = format!("{}{}", run.stdout, run.stderr);
    holds(&said, "maxFactChars must be a whole number from 1 to 1000000, got 0")
}
