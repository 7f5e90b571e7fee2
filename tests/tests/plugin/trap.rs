//! A panic in the engine is contained.

use anyhow::Result;
use end_to_end::{Env, Home};
use serde_json::json;

use crate::support::{allowing, facts, holds, session};

#[tokio::test]
async fn a_trap_fails_the_call_and_the_next_one_works() -> Result<()> {
    let Some(env) = Env::find() else { return Ok(()) };
    let Some(probe) = &env.probe_tarball else {
        println!("skipped: DSH_E2E_PROBE_TARBALL is not set; cargo xtask test sets it");
        return Ok(());
    };
    let home = Home::new(&env, "trap")?;
    home.install("headless", probe).await?;
    let calls = [
        ("memory_remember", json!({ "text": "kept across the trap" })),
        ("memory_recall", json!({ "query": "panic!" })),
        ("memory_recall", json!({ "query": "kept" })),
        ("memory_remember", json!({ "text": "and written after it" })),
    ];
    let session = session(&home, &calls, allowing()).await?;
    let results = session.results();
    holds(&results[1], "MEMORY_UNAVAILABLE: the memory engine stopped unexpectedly")?;
    holds(&results[2], "kept across the trap")?;
    holds(&results[3], "stored fact")?;
    assert_eq!(facts(&home)?.len(), 2);
    Ok(())
}
