//! Short forms for what every test of the plugin does.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use end_to_end::{Answer, Env, Home, Run, RunOptions, ScriptedModel, Step};
use serde_json::{Value, json};

/// A home with the plugin in its headless profile, or `None` where the host is
/// not at hand (the reason is printed).
pub(crate) async fn home(name: &str) -> Result<Option<(Env, Home)>> {
    let Some(env) = Env::find() else { return Ok(None) };
    let home = Home::new(&env, name)?;
    home.install("headless", &env.tarball).await?;
    Ok(Some((env, home)))
}

/// What came of one session.
pub(crate) struct Session {
    pub(crate) run: Run,
    pub(crate) model: ScriptedModel,
}

impl Session {
    /// Texts of the tool results, in order.
    pub(crate) fn results(&self) -> Vec<String> {
        self.model.tool_results().into_iter().map(|result| result.text).collect()
    }

    /// The system prompt of the first request.
    pub(crate) fn system(&self) -> Result<String> {
        Ok(self.model.requests().first().context("no request came")?.system())
    }
}

/// Runs a session that calls these tools, one after the other, and ends.
pub(crate) async fn session(
    home: &Home,
    calls: &[(&str, Value)],
    options: RunOptions,
) -> Result<Session> {
    let steps = calls.iter().map(|(tool, arguments)| Step::tool(*tool, arguments.clone()));
    scripted(home, steps.collect(), options).await
}

/// Runs a session that follows a script.
pub(crate) async fn scripted(
    home: &Home,
    steps: Vec<Step>,
    options: RunOptions,
) -> Result<Session> {
    let model = ScriptedModel::start(steps).await?;
    let run = home.run(&model, options).await?.succeeded()?;
    Ok(Session { run, model })
}

/// A person who allows everything.
pub(crate) fn allowing() -> RunOptions {
    RunOptions { answers: vec![Answer::allow()], ..RunOptions::default() }
}

/// The facts on disk, in the order of the file.
pub(crate) fn facts(home: &Home) -> Result<Vec<Value>> {
    let unit = home.unit()?.context("there is no unit")?;
    let facts = unit["tables"]["facts"].as_object().context("there is no table of facts")?;
    Ok(facts.values().cloned().collect())
}

/// A fact as an older plugin wrote it.
pub(crate) fn fact(id: &str, workspace: &Path, text: &str) -> Value {
    json!({
        "id": id, "workspacePath": workspace, "kind": "fact", "text": text, "tags": [],
        "sessionId": "session-old", "seq": 6, "createdAt": 1_755_000_000_000_u64,
        "updatedAt": 1_755_000_000_000_u64, "state": "active",
    })
}

/// A unit with these rows, as the host's backend writes it.
pub(crate) fn unit(facts: &[Value], profiles: &[Value]) -> String {
    let by = |rows: &[Value], key: &str| -> Value {
        rows.iter().map(|row| (row[key].as_str().unwrap_or("?").to_owned(), row.clone())).collect()
    };
    let unit = json!({
        "unit": { "name": "dsh_memory", "version": 1 },
        "global": null,
        "tables": {
            "facts": by(facts, "id"), "profiles": by(profiles, "workspacePath"),
            "proposals": {}, "alarms": {},
        },
    });
    format!("{unit:#}\n")
}

/// Fails with both texts where one does not hold the other.
pub(crate) fn holds(text: &str, part: &str) -> Result<()> {
    ensure!(text.contains(part), "expected {part:?} in:\n{text}");
    Ok(())
}
