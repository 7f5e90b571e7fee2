//! What the settings page reads: for nobody but it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::overview::overview;
use crate::tools::Toolbox;

/// Where the host serves it.
pub(crate) const PATH: &str = "/dsh-native-memory/facts";

/// A page sends it with the value `1`. Another origin cannot without a
/// preflight, which is never answered.
const OURS: &str = "x-dsh-native-memory";

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
            Ok(memory) => (200, overview(&memory, &toolbox.config)),
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
