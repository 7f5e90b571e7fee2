//! Near-duplicates and contradictions of what a person allowed.

use anyhow::{Result, ensure};
use end_to_end::{Patch, RunOptions};
use serde_json::json;

use crate::support::{allowing, facts, holds, home, session};

#[tokio::test]
async fn what_says_the_same_is_suggested_and_what_contradicts_is_named() -> Result<()> {
    let Some((_, home)) = home("consolidate").await? else { return Ok(()) };
    let token = format!("ghp_{}", "4kQ9x7Zb2m".repeat(4).chars().take(36).collect::<String>());
    let remember = |text: &str| ("memory_remember", json!({ "text": text }));
    let calls = [
        remember(&format!("the release verification of the web session signs in with {token}")),
        remember(&format!("release verification of the web session signs in with {token} daily")),
        remember("Redis listens on port 6379"),
        remember("Redis listens on port 6380"),
        ("memory_consolidate", json!({})),
    ];
    let off = Patch::configure("dsh-native-memory", &json!({ "secretPolicy": "off" }));
    let options = RunOptions { patches: vec![off], ..allowing() };
    let answer = session(&home, &calls, options).await?.results().remove(4);
    holds(&answer, "4 active facts; budget remaining: 296 of 300")?;
    holds(&answer, "signs in with [REDACTED]")?;
    holds(&answer, "1. different number: ")?;
    ensure!(!answer.contains(&token[4..20]), "a secret: {answer}");
    assert_eq!(facts(&home)?.len(), 4, "it changes nothing");
    Ok(())
}
