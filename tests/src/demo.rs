//! The demo: the main job, told on the terminal.
//!
//! A person approves a fact in one session of the real host; another session,
//! a new process, recalls it with its citation and has the workspace's profile
//! in its system prompt. Whatever is not so ends the demo with an error.

use anyhow::Context as _;
use anyhow::Result;
use anyhow::ensure;
use serde_json::Value;
use serde_json::json;

use crate::Answer;
use crate::Env;
use crate::Home;
use crate::Outcome;
use crate::Request;
use crate::Run;
use crate::RunOptions;
use crate::ScriptedModel;
use crate::Step;

const ALLOWED: &str = "Builds use pnpm, never npm";
const DENIED: &str = "Deploys happen on Fridays";
const ENTRY: &str = "Answer in short sentences";

/// Runs the demo and prints what happens.
pub async fn run(env: &Env) -> Result<()> {
    let home = Home::new(env, "demo")?;
    home.install("headless", &env.tarball).await?;
    heading("The plugin is installed into a fresh home of the real host");
    println!("{}", home.dsh_home().display());

    remember(&home).await?;
    let session = session_id(&home)?;
    show_unit(&home, &session)?;
    recall(&home, &session).await?;

    heading("Done");
    println!("What a person allowed was kept and recalled with its citation;");
    println!("what a person refused is nowhere in the unit.");
    Ok(())
}

/// Session A: three writes, of which a person refuses one.
async fn remember(home: &Home) -> Result<()> {
    heading("Session A: the model wants to remember, a person decides");
    let model = ScriptedModel::start([
        Step::tool(
            "memory_remember",
            json!({ "text": ALLOWED, "kind": "convention", "tags": ["build"] }),
        ),
        Step::tool("memory_remember", json!({ "text": DENIED })),
        Step::tool("memory_remember", json!({ "target": "profile", "text": ENTRY })),
        Step::text("I noted what you allowed."),
    ])
    .await?;
    let options = RunOptions {
        task: "Please note: builds use pnpm here, never npm.".to_owned(),
        answers: vec![Answer::reject().when(DENIED), Answer::allow()],
        ..RunOptions::default()
    };
    let run = home.run(&model, options).await?.succeeded()?;
    let results = show(&run, &model)?;

    let outcomes: Vec<_> = run.asks.iter().map(|ask| ask.outcome).collect();
    ensure!(
        outcomes == [Outcome::AllowedOnce, Outcome::Rejected, Outcome::AllowedOnce],
        "three asks were to be allowed, rejected and allowed, but were {outcomes:?}"
    );
    for (ask, text) in run.asks.iter().zip([ALLOWED, DENIED, ENTRY]) {
        ensure!(ask.reason.contains(text), "a person was not shown \u{201c}{text}\u{201d}");
    }
    ensure!(
        results[1].contains("MEMORY_"),
        "the refused write told the model no error code: {}",
        results[1]
    );
    Ok(())
}

/// The model's calls with their results and the asks, as they happened.
/// Returns the results.
fn show(run: &Run, model: &ScriptedModel) -> Result<Vec<String>> {
    let requests = model.requests();
    let last = requests.last().context("the host asked the model nothing")?;
    for result in last.tool_results() {
        println!();
        println!("call    {} {}", result.tool, arguments(last, &result.call_id));
        for ask in run.asks.iter().filter(|ask| ask.call_id == result.call_id) {
            println!("ask     {}", indented(&ask.reason));
            println!("answer  {}", ask.outcome.as_str());
        }
        println!("result  {}", indented(&result.text));
    }
    println!();
    println!("The model says: {}", run.stdout.trim());
    Ok(last.tool_results().into_iter().map(|result| result.text).collect())
}

fn arguments(request: &Request, call_id: &str) -> String {
    request.body["messages"]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(|message| message["tool_calls"].as_array().into_iter().flatten())
        .find(|call| call["id"] == call_id)
        .and_then(|call| call["function"]["arguments"].as_str())
        .unwrap_or_default()
        .to_owned()
}

fn indented(text: &str) -> String {
    text.trim_end().replace('\n', "\n        ")
}

fn session_id(home: &Home) -> Result<String> {
    let sessions = home.sessions()?;
    ensure!(sessions.len() == 1, "one session ran, but the host logged {}", sessions.len());
    Ok(sessions[0].id.clone())
}

/// The unit between the sessions: what lies on the disk.
fn show_unit(home: &Home, session: &str) -> Result<()> {
    heading("The unit on disk, between the sessions");
    println!("{}", home.unit_path().display());
    let unit = home.unit()?.context("the host wrote no unit")?;
    let rows = facts(&unit);
    for fact in &rows {
        println!("{}", serde_json::to_string_pretty(fact)?);
    }
    ensure!(rows.len() == 1, "one fact was allowed, but the unit holds {}", rows.len());
    let fact = rows[0];
    ensure!(fact["text"] == ALLOWED, "the unit holds another text: {}", fact["text"]);
    ensure!(
        fact["sessionId"] == session,
        "the fact cites {} instead of session {session}",
        fact["sessionId"]
    );
    let text = unit.to_string();
    ensure!(text.contains(ENTRY), "the profile entry is not in the unit");
    ensure!(!text.contains(DENIED), "the refused text is in the unit");
    Ok(())
}

/// The rows of the unit's table of facts.
fn facts(unit: &Value) -> Vec<&Value> {
    unit["tables"]["facts"].as_object().into_iter().flat_map(|rows| rows.values()).collect()
}

/// Session B: recalls what A kept.
async fn recall(home: &Home, session: &str) -> Result<()> {
    heading("Session B, a new process: the model recalls");
    let model = ScriptedModel::start([
        Step::tool("memory_recall", json!({ "query": "build" })),
        Step::text("Builds use pnpm here."),
    ])
    .await?;
    let options = RunOptions {
        task: "How do I build this?".to_owned(),
        answers: vec![Answer::allow()],
        ..RunOptions::default()
    };
    let run = home.run(&model, options).await?.succeeded()?;
    let results = show(&run, &model)?;
    let line = results
        .iter()
        .flat_map(|result| result.lines())
        .find(|line| line.contains(ALLOWED))
        .context("session B did not recall the fact")?;
    ensure!(line.contains(session), "the recalled line does not cite session {session}: {line}");
    ensure!(!results.iter().any(|text| text.contains(DENIED)), "the refused text was recalled");
    ensure!(run.asks.is_empty(), "a recall asked a person");

    heading("Session B's system prompt: the workspace's profile");
    let requests = model.requests();
    let system = requests.first().context("no request")?.system();
    let block = profile_block(&system).context("the system prompt has no <memory-profile>")?;
    println!("{block}");
    ensure!(block.contains(ENTRY), "the profile block lacks the entry that was allowed");
    Ok(())
}

fn profile_block(system: &str) -> Option<&str> {
    const END: &str = "</memory-profile>";
    let start = system.find("<memory-profile>")?;
    let length = system[start..].find(END)? + END.len();
    Some(&system[start..start + length])
}

fn heading(text: &str) {
    println!("\n== {text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_block_is_found_in_a_prompt() {
        let system = "a <memory-profile>\n- b\n</memory-profile> c";
        assert_eq!(profile_block(system), Some("<memory-profile>\n- b\n</memory-profile>"));
        assert_eq!(profile_block("nothing"), None);
    }
}
