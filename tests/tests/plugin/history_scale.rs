//! The session history of a busy workspace: many long sessions, written as the
//! host writes them. Small here; `DSH_E2E_SESSIONS` and `DSH_E2E_MESSAGES` make
//! it as large as one likes, and the times are printed.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use end_to_end::{Home, RunOptions, SessionLog, Step};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::{Value, json};

use crate::support::{allowing, holds, home, scripted};

const WORDS: [&str; 16] = [
    "worker", "queue", "retry", "deploy", "gateway", "cache", "schema", "index", "token", "shard",
    "缓存", "网关", "队列", "发布", "索引", "重试",
];

fn size(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|value| value.parse().ok()).unwrap_or(usual)
}

/// Writes sessions beside a real one, with its header.
fn write_sessions(template: &SessionLog, sessions: u64, messages: u64) -> Result<()> {
    let folder = template.path.parent().and_then(Path::parent).context("no folder of sessions")?;
    for n in 0..sessions {
        let id = format!("session-00000000-0000-4000-8000-{n:012}");
        let mut header = template.header.clone();
        header["id"] = json!(id);
        header["createdAt"] = json!(1_760_000_000_000_u64 + n);
        let lines: Vec<String> = (0..messages).map(|m| message(n, m).to_string()).collect();
        let folder = folder.join(&id);
        fs::create_dir_all(&folder)?;
        // The host wants the header in a frame of its own.
        let mut packed = Vec::new();
        for part in [format!("{header}\n"), lines.join("\n") + "\n"] {
            packed.extend(compress_to_vec(part.as_bytes(), CompressionLevel::Fastest));
        }
        fs::write(folder.join("session.jsonl.zstd"), packed)?;
    }
    Ok(())
}

fn message(session: u64, seq: u64) -> Value {
    let word = |k: u64| WORDS[usize::try_from((session * 31 + seq * 7 + k * k) % 16).unwrap_or(0)];
    let mut text = (0..40).map(word).collect::<Vec<_>>().join(" ");
    if seq == 4 {
        text = format!("{text}. The marker{session} of this session stands here. {text}");
    }
    let content = json!([{ "type": "text", "text": text }]);
    let time = 1_760_000_000_000_u64 + seq;
    let id = format!("{session}-{seq}");
    if seq.is_multiple_of(2) {
        let data =
            json!({ "content": content, "source": { "kind": "user" }, "role": "user", "id": id });
        json!({ "type": "user/message", "seq": seq, "time": time, "data": data, "surfaceOp": "append" })
    } else {
        let source = json!({ "kind": "model", "provider": "p", "model": "m" });
        let message =
            json!({ "role": "assistant", "content": content, "source": source, "id": id });
        let data = json!({ "turn": 1, "step": 1, "message": message });
        json!({ "type": "assistant/message", "seq": seq, "time": time, "data": data, "surfaceOp": "append" })
    }
}

/// Ms between the model's call of a tool and its result, in the order of calls.
fn times(home: &Home) -> Result<Vec<u64>> {
    let log = home.sessions()?.pop().context("no session")?;
    let at = |event: &Value| event["time"].as_u64().unwrap_or(0);
    let mut asked = 0;
    let mut out = Vec::new();
    for event in &log.events {
        match event["type"].as_str() {
            Some("assistant/message") => asked = at(event),
            Some("tool/result") => out.push(at(event).saturating_sub(asked)),
            _ => {}
        }
    }
    Ok(out)
}

#[tokio::test]
async fn a_busy_workspace_is_searched_expanded_and_imported() -> Result<()> {
    let Some((_, home)) = home("history-scale").await? else { return Ok(()) };
    scripted(&home, vec![Step::text("Hello.")], RunOptions::default()).await?;
    let (sessions, messages) = (size("DSH_E2E_SESSIONS", 40), size("DSH_E2E_MESSAGES", 20));
    write_sessions(&home.sessions()?[0], sessions, messages)?;
    let last = sessions - 1;
    let id = format!("session-00000000-0000-4000-8000-{last:012}");
    let search = || Step::tool("memory_search", json!({ "query": format!("marker{last}") }));
    let steps = vec![
        search(),
        search(),
        Step::tool("memory_search", json!({ "query": "缓存 retry", "limit": 10 })),
        Step::tool("memory_expand", json!({ "session_id": id, "seq": 4 })),
        Step::tool("memory_import", json!({ "session_id": id, "query": format!("marker{last}") })),
    ];
    let session = scripted(&home, steps, allowing()).await?;
    let results = session.results();
    for n in [0, 1] {
        holds(&results[n], &format!("marker{last}"))?;
    }
    ensure!(results[2].matches("session-0000").count() >= 10, "{}", results[2]);
    holds(&results[3], "stands here")?;
    holds(&results[4], "1 ")?;
    let times = times(&home)?;
    println!(
        "{sessions} sessions of {messages} messages: first search with the index built {} ms, \
         search {} ms, search of common words {} ms, expand {} ms, import {} ms",
        times[0], times[1], times[2], times[3], times[4]
    );
    Ok(())
}
