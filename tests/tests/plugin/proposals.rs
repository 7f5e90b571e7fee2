//! Session-end proposals in the real host: a model proposes when a session
//! ends, the next one sees it, and a person approves.

use anyhow::{Context as _, Result, ensure};
use end_to_end::{Patch, RunOptions, ScriptedModel, Step};
use serde_json::{Value, json};

use crate::support::{allowing, facts, holds, home, session};

fn proposing(options: RunOptions) -> RunOptions {
    let config = json!({ "proposeOnSessionEnd": true });
    RunOptions { patches: vec![Patch::configure("dsh-native-memory", &config)], ..options }
}

#[tokio::test]
async fn a_session_proposes_the_next_one_sees_it_and_a_person_approves() -> Result<()> {
    let Some((_, home)) = home("proposals").await? else { return Ok(()) };
    let model = ScriptedModel::start([Step::text("Understood: Tuesdays.")]).await?;
    let task = "From now on we deploy on Tuesdays".to_owned();
    let options = proposing(RunOptions { task, ..RunOptions::default() });
    home.run(&model, options).await?.succeeded()?;

    // A host has no time for a model when it stops: the next start catches up.
    let model = ScriptedModel::start([Step::text("Good morning.")]).await?;
    model.say_aside(r#"Here you are: ["Deploys happen on Tuesdays", "Prefer List<T>"]"#);
    home.run(&model, proposing(RunOptions::default())).await?.succeeded()?;
    let mut calls = model.all_requests();
    calls.retain(|request| request.is_aside() && request.system().contains("JSON array"));
    ensure!(calls.len() == 1, "{} calls for proposals", calls.len());
    holds(&calls[0].texts("user").join("\n"), "person: From now on we deploy on Tuesdays")?;

    let calls: [(&str, Value); 1] =
        [("memory_remember", json!({ "text": "Deploys happen on Tuesdays" }))];
    let next = session(&home, &calls, proposing(allowing())).await?;
    let system = next.system()?;
    holds(&system, "<memory-proposals>")?;
    holds(&system, "(2 pending)")?;
    holds(&system, "Deploys happen on Tuesdays")?;
    holds(&system, r"Prefer List\u003cT>")?;
    let stored = facts(&home)?;
    ensure!(stored.len() == 1 && stored[0]["text"] == "Deploys happen on Tuesdays", "{stored:?}");
    let unit = home.unit()?.context("there is no unit")?;
    let proposals = unit["tables"]["proposals"].as_object().context("no proposals")?;
    let consumed = proposals.values().filter(|row| row["state"] == "consumed").count();
    ensure!(consumed == 1, "{proposals:?}");
    Ok(())
}
