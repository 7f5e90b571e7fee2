//! What the settings page reads: every active fact, masked, for nobody but it.

use std::collections::BTreeMap;
use std::sync::Arc;

use memory_guard::mask_across;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::tools::Toolbox;

/// Where the host serves it.
pub(crate) const PATH: &str = "/dsh-native-memory/facts";

/// A page sends it with the value `1`. Another origin cannot without a
/// preflight, which is never answered.
const OURS: &str = "x-dsh-native-memory";

/// Most facts in one response.
const MOST: usize = 10_000;

/// A request as the host's server received it; names of headers in lower case.
#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    method: String,
    #[serde(default)]
    headers: BTreeMap<String, Value>,
}

impl Request {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(Value::as_str)
    }

    /// Whether it came from the host's own page: the host's server has no
    /// authentication of its own.
    fn is_ours(&self) -> bool {
        let Some(host) = self.header("host").filter(|host| is_loopback(host)) else {
            return false;
        };
        let origin = self.header("origin");
        let site = self.header("sec-fetch-site");
        origin.is_none_or(|origin| origin == format!("http://{host}"))
            && site.is_none_or(|site| site == "same-origin")
            && self.header(OURS) == Some("1")
    }
}

/// Whether a `Host` names this machine, so that no foreign name was rebound to it.
fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    matches!(name.to_ascii_lowercase().as_str(), "localhost" | "127.0.0.1" | "[::1]")
}

/// The response: `{ status, headers, body }`.
pub(crate) async fn respond(toolbox: &Arc<Toolbox>, request: &Request) -> String {
    let (status, body) = if !request.is_ours() {
        (403, json!({ "error": "only the host's own page may read this" }))
    } else if !matches!(request.method.as_str(), "GET" | "HEAD") {
        (405, json!({ "error": "only GET and HEAD" }))
    } else {
        match toolbox.memory.get().await {
            Ok(memory) => (200, facts(&memory)),
            Err(error) => (503, json!({ "error": format!("memory is offline: {error}") })),
        }
    };
    let mut headers = json!({
        "Content-Type": "application/json; charset=utf-8",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Resource-Policy": "same-origin",
    });
    if status == 405 {
        headers["Allow"] = json!("GET, HEAD");
    }
    json!({ "status": status, "headers": headers, "body": body.to_string() }).to_string()
}

fn facts(memory: &crate::memory::Memory) -> Value {
    let repository = &memory.repository;
    let mut rows: Vec<_> = repository
        .workspaces()
        .into_iter()
        .flat_map(|workspace| {
            let facts = repository.active_facts(&workspace);
            facts.into_iter().map(move |fact| (workspace.clone(), fact))
        })
        .collect();
    rows.sort_by(|(_, a), (_, b)| b.updated_at.cmp(&a.updated_at).then_with(|| a.id.cmp(&b.id)));
    let total = rows.len();
    let items: Vec<_> = rows
        .iter()
        .take(MOST)
        .map(|(workspace, fact)| {
            let (text, tags) = mask_across(&fact.text, &fact.tags);
            json!({
                "id": fact.id, "kind": fact.kind, "text": text, "tags": tags,
                "workspace": workspace.label(), "updatedAt": fact.updated_at,
                "accessCount": fact.access_count.unwrap_or(0),
                "sessionId": fact.session_id, "seq": fact.seq,
                "workspacePath": workspace.as_str(), "createdAt": fact.created_at,
                "lastAccessedAt": fact.last_accessed_at,
            })
        })
        .collect();
    json!({ "facts": items, "total": total })
}
