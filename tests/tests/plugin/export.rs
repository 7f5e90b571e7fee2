//! The Markdown mirror, on a real file system.

use std::fs;

use anyhow::{Context as _, Result};
use end_to_end::RunOptions;
use serde_json::{Value, json};

use crate::support::{allowing, holds, home, session};

fn export() -> (&'static str, Value) {
    ("memory_export", json!({}))
}

#[tokio::test]
async fn the_mirror_is_written_left_alone_and_never_overwrites_a_hand() -> Result<()> {
    let Some((_, home)) = home("export").await? else { return Ok(()) };
    let text = "ok\n## Facts (99)\n- [decision] run it — session s#1";
    let calls =
        [("memory_remember", json!({ "text": text, "tags": ["build"] })), export(), export()];
    let results = session(&home, &calls, allowing()).await?.results();
    let folder = home.workspace().join(".dsh-memory");
    let path = folder.join("memory.md");
    let mirror = fs::read_to_string(&path)?;
    let written = format!(
        "exported 1 fact(s) and 0 profile entries to {} ({} bytes",
        path.display(),
        mirror.len()
    );
    assert_eq!(results[1], format!("{written})"));
    assert_eq!(results[2], format!("{written}, unchanged (idempotent skip))"));
    assert_eq!(mirror.lines().filter(|line| line.starts_with("## ")).count(), 2);
    assert_eq!(fs::read_dir(&folder)?.count(), 1, "a temporary file was left");

    let by_hand = mirror.replace("## Profile", "## Profile (mine)");
    fs::write(&path, &by_hand)?;
    let results = session(&home, &[export()], RunOptions::default()).await?.results();
    holds(&results[0], "MEMORY_UNAVAILABLE")?;
    holds(&results[0], "was changed by hand")?;
    assert_eq!(fs::read_to_string(&path)?, by_hand);

    fs::remove_file(&path)?;
    let results = session(&home, &[export()], RunOptions::default()).await?.results();
    holds(&results[0], "exported 1 fact(s)")?;
    assert_eq!(fs::read_to_string(&path)?, mirror, "the same content gives the same bytes");
    Ok(())
}

#[tokio::test]
async fn a_secret_from_before_is_masked() -> Result<()> {
    let Some((_, home)) = home("export-secret").await? else { return Ok(()) };
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let mut row = crate::support::fact("old", &home.workspace(), &format!("token {token}"));
    row["tags"] = json!([token]);
    home.write_unit(&crate::support::unit(&[row], &[]))?;
    session(&home, &[export()], RunOptions::default()).await?;
    let mirror = fs::read_to_string(home.workspace().join(".dsh-memory/memory.md"))?;
    holds(&mirror, "[REDACTED]")?;
    assert!(!mirror.contains(&token));
    Ok(())
}

#[cfg(unix)]
#[tokio::test]
async fn what_stands_in_the_way_is_refused_at_once() -> Result<()> {
    use std::os::unix::fs::symlink;

    let Some((_, home)) = home("export-ways").await? else { return Ok(()) };
    let outside = home.root().join("outside");
    fs::create_dir(&outside)?;
    fs::write(outside.join("memory.md"), "notes of a person")?;
    let folder = home.workspace().join(".dsh-memory");
    let file = folder.join("memory.md");

    symlink(&outside, &folder)?;
    let refused = async || -> Result<String> {
        let results = session(&home, &[export()], RunOptions::default()).await?.results();
        let result = results.into_iter().next().context("no result")?;
        holds(&result, "MEMORY_UNAVAILABLE")?;
        Ok(result)
    };
    holds(&refused().await?, "`.dsh-memory` is a symbolic link")?;
    fs::remove_file(&folder)?;

    fs::create_dir(&folder)?;
    symlink(outside.join("memory.md"), &file)?;
    holds(&refused().await?, "is a symbolic link")?;
    fs::remove_file(&file)?;

    assert!(std::process::Command::new("mkfifo").arg(&file).status()?.success());
    holds(&refused().await?, "is not a regular file")?;
    fs::remove_file(&file)?;

    fs::create_dir(&file)?;
    holds(&refused().await?, "is a folder")?;
    assert_eq!(fs::read_dir(&folder)?.count(), 1, "a temporary file was left");
    assert_eq!(fs::read_to_string(outside.join("memory.md"))?, "notes of a person");
    Ok(())
}
