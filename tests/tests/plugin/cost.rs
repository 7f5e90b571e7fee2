//! What a recall costs the host, next to writing its counters at once.

use anyhow::{Context as _, Result, ensure};
use end_to_end::{Patch, RunOptions, file_url};
use serde_json::{Value, json};

use crate::support::{holds, home, session, unit};

/// Times each memory tool, and 20 puts into a unit of the same size, one after
/// the other: what a recall of 20 facts would cost if it wrote them itself.
const STOPWATCH: &str = r"
import { appendFileSync } from 'node:fs'
export const name = 'stopwatch'
export const inject = ['storageDomain']
export function apply(ctx, { log, rows }) {
  const note = (what, from) =>
    appendFileSync(log, JSON.stringify({ what, us: Math.round((performance.now() - from) * 1000) }) + '\n')
  const puts = async () => {
    const schema = { parse: (value) => value }
    const spec = { name: 'stopwatch', version: 1, tables: { facts: { valueSchema: schema } } }
    const domain = await ctx.storageDomain.open(spec)
    const table = domain.table('facts')
    const from = performance.now()
    for (const row of rows.slice(0, 20)) await table.put(row.id, row)
    note('20 puts', from)
    await domain.close()
  }
  ctx.on('tools/execute', async (exec, next) => {
    if (exec.name === 'memory_profile') await puts()
    const from = performance.now()
    const result = await next()
    note(exec.name, from)
    return result
  })
}
";

#[tokio::test]
async fn a_recall_of_twenty_facts_is_far_cheaper_than_twenty_puts() -> Result<()> {
    let Some((_, home)) = home("cost").await? else { return Ok(()) };
    let rows: Vec<Value> = (0..300)
        .map(|i| {
            let topic = if i < 20 { "pipeline" } else { "module" };
            let text = format!(
                "The {topic} number {i} keeps its settings in config/{i}.toml {}",
                "and more ".repeat(8)
            );
            crate::support::fact(&format!("fact-{i:03}"), &home.workspace(), &text)
        })
        .collect();
    let whole = unit(&rows, &[]);
    home.write_unit(&whole)?;
    let beside = home.unit_path().with_file_name("stopwatch.json");
    std::fs::write(beside, whole.replace("dsh_memory", "stopwatch"))?;
    let stopwatch = home.root().join("stopwatch.mjs");
    std::fs::write(&stopwatch, STOPWATCH)?;
    let log = home.root().join("times.jsonl");
    let config = json!({ "log": log, "rows": rows });
    let patches = vec![Patch::insert("stopwatch", &file_url(&stopwatch), &config)];
    let mut calls = vec![("memory_recall", json!({ "query": "pipeline" })); 5];
    calls.push(("memory_profile", json!({})));
    calls.push(("memory_recall", json!({ "query": "pipeline" })));
    let session = session(&home, &calls, RunOptions { patches, ..RunOptions::default() }).await?;
    for result in session.results().iter().take(5) {
        ensure!(result.lines().filter(|line| line.starts_with("- ")).count() == 20);
        holds(result, "pipeline")?;
    }

    let times = std::fs::read_to_string(&log)?;
    let times: Vec<Value> = times.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let of = |what: &str| -> Vec<u64> {
        let noted = times.iter().filter(|note| note["what"] == what);
        noted.filter_map(|note| note["us"].as_u64()).collect()
    };
    let recall = of("memory_recall").into_iter().min().context("no recall was timed")?;
    let puts = of("20 puts").pop().context("the puts were not timed")?;
    println!("memory_recall, 300 facts, 20 hits: {recall} µs at best; 20 puts: {puts} µs");
    println!("all recalls in µs: {:?}", of("memory_recall"));
    ensure!(recall * 20 <= puts, "a recall took {recall} µs, 20 puts {puts} µs");
    // Six recalls are counted, in the one put that the end of the turn cost.
    let slot = &home.unit()?.context("no unit")?["global"]["accesses"];
    let counted: Vec<_> = slot.as_object().into_iter().flatten().map(|(_, a)| &a[0]).collect();
    ensure!(counted == vec![&json!(6); 20], "counted: {counted:?}");
    Ok(())
}
