//! The compaction guard in the real host: a real compaction, and the next
//! session's prompt.

use anyhow::{Context as _, Result, ensure};
use end_to_end::{Patch, RunOptions, ScriptedModel, Step};
use serde_json::json;

use crate::support::{holds, home, session};

#[tokio::test]
async fn the_next_session_hears_of_what_a_summary_dropped() -> Result<()> {
    let Some((_, home)) = home("compaction").await? else { return Ok(()) };
    // A threshold that the task alone is beyond, and its summary is not.
    let eager = json!({ "thresholdRatio": 0.015, "retainRatio": 0.00001 });
    let padding = "We talked about this for quite a while and found it good. ".repeat(800);
    let options = RunOptions {
        task: format!("Deploy with config/prod.toml and keep MAX_RETRIES=7. {padding}"),
        patches: vec![Patch::configure("compaction-basic", &eager)],
        ..RunOptions::default()
    };
    let model = ScriptedModel::start([
        Step::tool("memory_recall", json!({})),
        // The host asks for the summary as it asks for a step.
        Step::text("The person wants a deployment with MAX_RETRIES=7."),
        Step::text("done"),
    ])
    .await?;
    home.run(&model, options).await?.succeeded()?;
    let log = home.sessions()?.pop().context("no session was logged")?;
    ensure!(!log.of_type("compaction/summary").is_empty(), "the host did not compact");

    let next = session(&home, &[("memory_recall", json!({}))], RunOptions::default()).await?;
    let system = next.system()?;
    holds(&system, "<memory-alarms>")?;
    holds(&system, "`config/prod.toml`")?;
    let alarms = &system[system.find("<memory-alarms>").context("no alarms")?..];
    ensure!(!alarms.contains("MAX_RETRIES"), "what was kept is no alarm:\n{alarms}");
    Ok(())
}
