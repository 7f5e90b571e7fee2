//! The settings page in a real browser, in the real web host.
#![allow(clippy::disallowed_methods, reason = "the page shows how long ago something was")]

use std::path::Path;
use std::time::SystemTime;

use anyhow::Result;
use end_to_end::{Env, Home, RunOptions, Scene, ScriptedModel, Step, Web};
use serde_json::{Value, json};

use crate::support::unit;

const DAY: u64 = 24 * 60 * 60 * 1000;

fn days_ago(days: u64) -> Result<u64> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_millis();
    Ok(u64::try_from(now)? - days * DAY)
}

/// A fact of a number of days ago.
fn fact(
    id: &str,
    folder: &Path,
    kind: &str,
    text: &str,
    tags: &[&str],
    days: u64,
) -> Result<Value> {
    let created = days_ago(days)?;
    let used = days % 4;
    Ok(json!({
        "id": id, "workspacePath": folder, "kind": kind, "text": text, "tags": tags,
        "sessionId": format!("session-{:04x}-of-that-day", days * 977), "seq": 3 + days,
        "createdAt": created, "updatedAt": if days.is_multiple_of(3) { created } else { created + DAY / 2 },
        "accessCount": used, "lastAccessedAt": (used > 0).then_some(created + DAY),
        "state": "active",
    }))
}

/// Everything that a page can show: two folders of one name, a profile, a
/// proposal, an alarm, a long text, markup, a secret, a full workspace.
fn everything() -> Result<String> {
    let app = Path::new("/projects/shop/app");
    let other = Path::new("/projects/blog/app");
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let long = "The release is cut from main on Thursdays. ".repeat(14);
    let rows = [
        (
            app,
            "convention",
            "Builds use pnpm; npm install breaks the lockfile",
            &["build", "pnpm"][..],
            44,
        ),
        (app, "decision", "Money is kept in integer cents, never in floats", &["money"], 40),
        (app, "fact", "The staging database is reset every night at 03:00", &["staging"], 31),
        (app, "preference", "Answer in short sentences and show the command first", &[], 29),
        (app, "convention", "提交信息使用中文，首行不超过五十个字", &["git", "中文"], 12),
        (app, "fact", &format!("CI reads {token} from its vault"), &["ci"], 9),
        (app, "decision", &long, &["release"], 3),
        (
            other,
            "fact",
            "<b>Drafts</b> live in content/drafts & are *not* published",
            &["content"],
            21,
        ),
        (other, "preference", "Headings in sentence case", &["style"], 2),
    ];
    let mut facts = Vec::new();
    for (at, (folder, kind, text, tags, days)) in rows.into_iter().enumerate() {
        facts.push(fact(&format!("fact-{at}"), folder, kind, text, tags, days)?);
    }
    let profile = json!({
        "workspacePath": app, "updatedAt": days_ago(5)?,
        "entries": ["A shop for used bicycles", "Run the tests before you say that it works"],
    });
    let mut unit: Value = serde_json::from_str(&unit(&facts, &[profile]))?;
    unit["tables"]["proposals"]["p1"] = json!({
        "id": "p1", "workspacePath": app, "text": "Prices are shown with tax \"included\"",
        "sessionId": "session-0042", "createdAt": days_ago(1)?, "state": "pending",
    });
    unit["tables"]["alarms"]["a1"] = json!({
        "id": "a1", "workspacePath": app, "vanishedAnchors": ["src/cart/total.ts", "E_ROUNDING"],
        "sessionId": "session-0042", "createdAt": days_ago(0)?, "state": "active",
    });
    Ok(unit.to_string())
}

const TEXT: &str = "Releases are tagged on Thursdays";

/// The model stores what it is asked to, and forgets what it is told to.
fn obedient(model: &ScriptedModel) {
    let fact = json!({ "kind": "convention", "text": TEXT, "tags": ["release"] });
    model.script("Please remember", [Step::tool("memory_remember", fact)]);
    let forget = Step::decide(|request| {
        let said = request.texts("user").pop().unwrap_or_default();
        let id = said.split('"').nth(1).unwrap_or_default();
        Step::tool("memory_forget", json!({ "id": id }))
    });
    model.script("memory_forget id:", [forget]);
}

#[tokio::test]
async fn a_person_allows_finds_copies_and_forgets() -> Result<()> {
    let Some(env) = Env::find() else { return Ok(()) };
    let Some(scene) = Scene::find(&env, "whole-way.mjs") else { return Ok(()) };
    let home = Home::new(&env, "whole-way")?;
    home.install("web", &env.tarball).await?;
    let model = ScriptedModel::start(Vec::new()).await?;
    obedient(&model);
    let web = Web::start(&home, &model, RunOptions::default()).await?;
    let scene = scene.tell("URL_OF_HOST", web.url()).tell("WORKSPACE", home.workspace());
    println!("{}", scene.tell("TEXT", TEXT).play().await?);
    web.stop().await?;
    Ok(())
}

#[tokio::test]
async fn every_state_is_shown_in_both_languages_and_themes() -> Result<()> {
    let Some(env) = Env::find() else { return Ok(()) };
    let Some(scene) = Scene::find(&env, "states.mjs") else { return Ok(()) };
    let home = Home::new(&env, "page")?;
    home.install("web", &env.tarball).await?;
    home.write_unit(&everything()?)?;
    let model = ScriptedModel::start(Vec::new()).await?;
    let web = Web::start(&home, &model, RunOptions::default()).await?;
    println!("{}", scene.tell("URL_OF_HOST", web.url()).play().await?);
    web.stop().await?;
    Ok(())
}

#[tokio::test]
async fn nothing_remembered_and_no_storage_are_told_apart() -> Result<()> {
    let Some(env) = Env::find() else { return Ok(()) };
    for (state, says, unit) in [
        ("empty", "Nothing is remembered yet.", None),
        ("offline", "The memory is offline.", Some("{ this is no JSON")),
    ] {
        let Some(scene) = Scene::find(&env, "offline.mjs") else { return Ok(()) };
        let home = Home::new(&env, state)?;
        home.install("web", &env.tarball).await?;
        if let Some(unit) = unit {
            home.write_unit(unit)?;
        }
        let model = ScriptedModel::start(Vec::new()).await?;
        let web = Web::start(&home, &model, RunOptions::default()).await?;
        let scene = scene.tell("URL_OF_HOST", web.url()).tell("STATE", state);
        println!("{}", scene.tell("SAYS", says).play().await?);
        web.stop().await?;
    }
    Ok(())
}

#[tokio::test]
async fn no_other_page_reads_what_is_remembered() -> Result<()> {
    let Some(env) = Env::find() else { return Ok(()) };
    let Some(scene) = Scene::find(&env, "attack.mjs") else { return Ok(()) };
    let home = Home::new(&env, "attack")?;
    home.install("web", &env.tarball).await?;
    home.write_unit(&unit(&[fact("one", &home.workspace(), "fact", TEXT, &[], 3)?], &[]))?;
    let model = ScriptedModel::start(Vec::new()).await?;
    let web = Web::start(&home, &model, RunOptions::default()).await?;
    let scene = scene.tell("URL_OF_HOST", web.url()).tell("SECRET", TEXT);
    println!("{}", scene.play().await?);
    web.stop().await?;
    Ok(())
}
