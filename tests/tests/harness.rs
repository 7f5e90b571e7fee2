//! The harness itself, with a bundle that only pretends to remember.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use end_to_end::Answer;
use end_to_end::Env;
use end_to_end::Home;
use end_to_end::Outcome;
use end_to_end::Request;
use end_to_end::RunOptions;
use end_to_end::ScriptedModel;
use end_to_end::Step;
use end_to_end::Web;
use serde_json::json;

#[tokio::test]
async fn a_script_runs_tools_and_a_person_answers() -> Result<()> {
    let Some(env) = Env::find() else { return Ok(()) };
    let home = Home::new(&env, "harness")?;
    let fake = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/fake-memory");
    home.install("headless", &fake).await?;

    let model = ScriptedModel::start([
        Step::tool("memory_recall", json!({ "query": "first" })),
        Step::decide(|request: &Request| {
            Step::tool("memory_recall", json!({ "query": request.last_result() }))
        }),
        Step::Tools(vec![
            ("memory_recall".to_owned(), json!({ "query": "third" })),
            ("memory_recall".to_owned(), json!({ "query": "fourth" })),
        ]),
        Step::text("All asked."),
    ])
    .await?;
    let options = RunOptions {
        task: "Ask four times.".to_owned(),
        answers: vec![
            Answer::reject().when("third"),
            Answer::new(Outcome::Throws).when("fourth"),
            Answer::allow().after(Duration::from_millis(50)).once(),
            Answer::new(Outcome::Cancelled),
        ],
        ..RunOptions::default()
    };
    let run = home.run(&model, options).await?.succeeded()?;

    assert_eq!(run.stdout.trim(), "All asked.");
    let results: Vec<_> = model.tool_results().into_iter().map(|result| result.text).collect();
    assert_eq!(
        results,
        [
            "first: allowed-once",
            "first: allowed-once: cancelled",
            "third: rejected",
            "fourth: unavailable"
        ]
    );
    let asks: Vec<_> = run.asks.iter().map(|ask| (ask.reason.as_str(), ask.outcome)).collect();
    assert_eq!(
        asks,
        [
            ("asks about first", Outcome::AllowedOnce),
            ("asks about first: allowed-once", Outcome::Cancelled),
            ("asks about third", Outcome::Rejected),
            ("asks about fourth", Outcome::Throws),
        ]
    );
    assert!(model.requests()[0].tool("memory_recall").is_some());
    assert!(model.requests()[0].system().contains("coding agent"));

    let [session] = &home.sessions()?[..] else { panic!("one session runs") };
    let decided = session.of_type("approval/decided");
    assert_eq!(decided.len(), 4);
    assert_eq!(decided[0]["outcome"], "allowed-once");
    Ok(())
}

#[tokio::test]
async fn without_answers_there_is_nobody_to_ask() -> Result<()> {
    let Some(env) = Env::find() else { return Ok(()) };
    let home = Home::new(&env, "harness")?;
    let fake = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/fake-memory");
    home.install("headless", &fake).await?;
    let model =
        ScriptedModel::start([Step::tool("memory_recall", json!({ "query": "x" }))]).await?;
    let run = home.run(&model, RunOptions::default()).await?.succeeded()?;
    assert_eq!(run.asks, []);
    assert_eq!(model.tool_results()[0].text, "x: unavailable");
    assert!(home.unit()?.is_none());
    Ok(())
}

#[tokio::test]
async fn the_web_profile_starts_and_stops() -> Result<()> {
    let Some(env) = Env::find() else { return Ok(()) };
    let home = Home::new(&env, "harness")?;
    let model = ScriptedModel::start([]).await?;
    let web = Web::start(&home, &model, RunOptions::default()).await?;
    let address = web.url().strip_prefix("http://").unwrap().to_owned();
    tokio::net::TcpStream::connect(address).await?;
    assert!(web.stop().await?.success());
    Ok(())
}
