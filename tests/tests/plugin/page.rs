//! The settings page in a real browser, in the real web host.
#![allow(clippy::disallowed_methods, reason = "the page shows how long ago something was")]

use std::path::Path;
use std::time::SystemTime;

use anyhow::Result;
use end_to_end::{Env, Home, RunOptions, Scene, ScriptedModel, Web};
use serde_json::{Value, json};

use crate::support::unit;

const DAY: u64 = 24 * 60 * 60 * 1000;

fn days_ago(days: u64) -> Result<u64> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_millis();
    Ok(u64::try_from(now)? - days * DAY)
}

/// A fact of a number of days ago.
fn fact(id: &str, folder: &Path, kind: &str, text: &str, tags: &[&str], days: u64) -> Result<Value> {
    let created = days_ago(days)?;
    let used = days % 4;
    Ok(json!({
        "id": id, "workspacePath": folder, "kind": kind, "text": text, "tags": tags,
        "sessionId": format!("session-{:04x}-of-that-day", days * 977), "seq": 3 + days,
        "createdAt": created, "updatedAt": if days % 3 == 0 { created } else { created + DAY / 2 },
        "accessCount": used, "lastAccessedAt": (used > 0).then_some(created + DAY),
        "state": "active",
    }))
}

/// Everything that a page can show: two folders of one name, a profile, a
/// proposal, an alarm, a long text, markup, a secret, a full workspace.
fn everything(home: &Home) -> Result<String> {
    let app = home.workspace().join("shop/app");
    let other = home.workspace().join("blog/app");
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let long = "The release is cut from main on Thursdays. ".repeat(14);
    let rows = [
        (&app, "convention", "Builds use pnpm; npm install breaks the lockfile", &["build", "pnpm"][..], 44),
        (&app, "decision", "Money is kept in integer cents, never in floats", &["money"], 40),
        (&app, "fact", "The staging database is reset every night at 03:00", &["staging"], 31),
        (&app, "preference", "Answer in short sentences and show the command first", &[], 29),
        (&app, "convention", "提交信息使用中文，首行不超过五十个字", &["git", "中文"], 12),
        (&app, "fact", &format!("CI reads {token} from its vault"), &["ci"], 9),
        (&app, "decision", &long, &["release"], 3),
        (&other, "fact", "<b>Drafts</b> live in content/drafts & are *not* published", &["content"], 21),
        (&other, "preference", "Headings in sentence case", &["style"], 2),
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

#[tokio::test]
async fn the_section_stands_in_the_hosts_settings() -> Result<()> {
    let Some(env) = Env::find() else { return Ok(()) };
    let Some(scene) = Scene::find(&env, "look.mjs") else { return Ok(()) };
    let home = Home::new(&env, "page")?;
    home.install("web", &env.tarball).await?;
    home.write_unit(&everything(&home)?)?;
    let model = ScriptedModel::start(Vec::new()).await?;
    let web = Web::start(&home, &model, RunOptions::default()).await?;
    println!("{}", scene.tell("URL_OF_HOST", web.url()).play().await?);
    web.stop().await?;
    Ok(())
}
