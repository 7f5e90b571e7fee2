//! One workspace, many spellings; two workspaces, never one.

use anyhow::Result;
use end_to_end::{Env, RunOptions};
use serde_json::json;

use crate::support::{allowing, fact, facts, holds, home, session, unit};

#[tokio::test]
async fn facts_of_another_folder_never_show() -> Result<()> {
    let Some((_, home)) = home("scope").await? else { return Ok(()) };
    let remember = [("memory_remember", json!({ "text": "tabs in Makefiles" }))];
    session(&home, &remember, allowing()).await?;
    let id = facts(&home)?[0]["id"].clone();
    for folder in ["Workspace", "workspace/sub", "other/workspace"] {
        let cwd = home.root().join(folder);
        std::fs::create_dir_all(&cwd)?;
        let calls = [
            ("memory_recall", json!({})),
            ("memory_recall", json!({ "query": "tabs Makefiles" })),
            ("memory_forget", json!({ "id": id })),
        ];
        let options = RunOptions { cwd: Some(cwd), ..allowing() };
        let session = session(&home, &calls, options).await?;
        let results = session.results();
        holds(&results[0], "no facts are stored for this workspace yet")?;
        holds(&results[1], "no facts match")?;
        holds(&results[2], "MEMORY_NOT_FOUND")?;
        assert!(session.run.asks.is_empty());
    }
    assert_eq!(facts(&home)?.len(), 1);
    Ok(())
}

#[tokio::test]
async fn facts_that_were_stored_under_another_spelling_are_found() -> Result<()> {
    let Some((_, home)) = home("spelling").await? else { return Ok(()) };
    let workspace = home.workspace();
    let mut rows = vec![
        fact("plain", &workspace, "stored under the plain path"),
        fact("slash", &workspace.join(""), "stored with a trailing slash"),
        fact("dots", &home.root().join("./x/../workspace/."), "stored with dots"),
        fact("gone", &home.root().join("elsewhere"), "stored elsewhere"),
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&workspace, home.root().join("link"))?;
        rows.push(fact("link", &home.root().join("link"), "stored under a symlink"));
    }
    #[cfg(not(unix))]
    println!("skipped: the symlink, this system has none for everybody");
    let mut profile = json!({ "entries": ["from the slash"], "updatedAt": 1 });
    profile["workspacePath"] = json!(workspace.join(""));
    home.write_unit(&unit(&rows, &[profile]))?;

    let calls = [
        ("memory_recall", json!({ "query": "stored" })),
        ("memory_remember", json!({ "text": "and one more", "target": "profile" })),
    ];
    let session = session(&home, &calls, allowing()).await?;
    let recalled = session.results().remove(0);
    for row in rows.iter().filter(|row| row["id"] != "gone") {
        holds(&recalled, &format!("- {}", row["id"].as_str().unwrap_or_default()))?;
    }
    assert!(!recalled.contains("elsewhere"));
    holds(&session.system()?, "- from the slash")?;
    // Every row is still there, under the spelling that its writer knows.
    let after = facts(&home)?;
    let paths = |rows: &[serde_json::Value]| -> Vec<_> {
        rows.iter().map(|row| row["workspacePath"].clone()).collect()
    };
    assert_eq!(paths(&after), paths(&rows));
    Ok(())
}

#[cfg(unix)]
#[tokio::test]
async fn a_session_started_through_a_symlink_is_the_same_workspace() -> Result<()> {
    let Some((_, home)) = home("symlink").await? else { return Ok(()) };
    let link = home.root().join("old-name");
    std::os::unix::fs::symlink(home.workspace(), &link)?;
    let remember = [("memory_remember", json!({ "text": "tabs in Makefiles" }))];
    let through = RunOptions { cwd: Some(link), ..allowing() };
    session(&home, &remember, through).await?;
    assert_eq!(facts(&home)?[0]["workspacePath"], json!(home.workspace()));
    let recall = [("memory_recall", json!({}))];
    let session = session(&home, &recall, RunOptions::default()).await?;
    holds(&session.results()[0], "tabs in Makefiles")
}

#[tokio::test]
async fn the_package_installs_from_a_folder_too() -> Result<()> {
    let Some(env) = Env::find() else { return Ok(()) };
    let home = end_to_end::Home::new(&env, "folder")?;
    home.install("headless", &env.bundle).await?;
    let session = session(&home, &[("memory_recall", json!({}))], RunOptions::default()).await?;
    holds(&session.results()[0], "no facts are stored")
}
