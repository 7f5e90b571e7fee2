//! The route of the settings page.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod support;

use serde_json::{Value, json};
use support::Host;

fn ask(host: &mut Host, method: &str, change: &Value) -> (u64, Value) {
    let mut headers = json!({ "host": "127.0.0.1:3080", "x-dsh-native-memory": "1" });
    for (name, value) in change.as_object().unwrap() {
        headers[name] = value.clone();
    }
    let request = json!({ "method": method, "headers": headers });
    host.send(json!({ "message": "web-request", "call": 9_000, "request": request }));
    let response: Value = serde_json::from_str(&host.finish(9_000).unwrap()).unwrap();
    assert_eq!(response["headers"]["Cache-Control"], "no-store");
    assert_eq!(response["headers"]["X-Content-Type-Options"], "nosniff");
    let body = serde_json::from_str(response["body"].as_str().unwrap()).unwrap();
    (response["status"].as_u64().unwrap(), body)
}

#[test]
fn the_page_gets_every_workspace_masked() {
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let mut host = Host::with(json!({ "secretPolicy": "off" }));
    let fact = json!({ "text": format!("use {token}"), "tags": [token] });
    host.call("memory_remember", fact).unwrap();
    host.cwd = "/else/app".into();
    host.call("memory_remember", json!({ "text": "second" })).unwrap();
    let (status, body) = ask(&mut host, "GET", &json!({ "sec-fetch-site": "same-origin" }));
    assert_eq!((status, &body["total"]), (200, &json!(2)));
    assert!(!body.to_string().contains(&token));
    let facts = body["facts"].as_array().unwrap();
    assert!(facts.iter().all(|fact| fact["workspace"] == "app"));
    assert_ne!(facts[0]["workspacePath"], facts[1]["workspacePath"]);
}

#[test]
fn the_page_gets_the_profile_the_alarms_the_proposals_and_the_caps() {
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let mut host = Host::with(json!({ "secretPolicy": "off", "maxFactsPerWorkspace": 7 }));
    let row = |id: &str, more: Value| {
        let mut row = json!({
            "id": id, "workspacePath": "/work/app", "sessionId": "s-0",
            "createdAt": support::NOW - 1000, "updatedAt": support::NOW,
        });
        row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        row
    };
    let text = format!("use {token}");
    host.put_row("profiles", "/work/app", row("-", json!({ "entries": [text] })));
    let alarm = json!({ "vanishedAnchors": [text], "state": "active" });
    host.put_row("alarms", "a", row("a", alarm));
    for (id, state, age) in [("new", "pending", 1), ("used", "consumed", 1), ("old", "pending", 8)]
    {
        let created = support::NOW - age * 24 * 60 * 60 * 1000;
        let row = row(id, json!({ "text": text, "state": state, "createdAt": created }));
        host.put_row("proposals", id, row);
    }
    let (status, body) = ask(&mut host, "GET", &json!({}));
    assert_eq!(status, 200);
    assert!(!body.to_string().contains(&token), "{body}");
    assert_eq!(body["facts"], json!([]));
    assert_eq!(body["caps"]["facts"], 7);
    assert_eq!(body["profile"][0]["entries"][0], "use [REDACTED]");
    assert_eq!(body["profile"][0]["workspacePath"], "/work/app");
    assert_eq!(body["alarms"][0]["anchors"][0], "use [REDACTED]");
    let proposals = body["proposals"].as_array().unwrap();
    assert_eq!(proposals.len(), 1, "only what still waits: {proposals:?}");
    assert_eq!(proposals[0]["id"], "new");
    assert_eq!(proposals[0]["text"], "use [REDACTED]");
}

#[test]
fn nobody_else_gets_anything() {
    let mut host = Host::new();
    host.call("memory_remember", json!({ "text": "private" })).unwrap();
    for change in [
        json!({ "host": "evil.example" }),
        json!({ "host": "evil.example:3080" }),
        json!({ "host": "localhost.evil.example" }),
        json!({ "host": "127.0.0.1.evil.example:80" }),
        json!({ "host": null }),
        json!({ "origin": "http://127.0.0.1:9999" }),
        json!({ "origin": "null" }),
        json!({ "sec-fetch-site": "cross-site" }),
        json!({ "sec-fetch-site": "same-site" }),
        json!({ "sec-fetch-site": "none" }),
        json!({ "x-dsh-native-memory": null }),
    ] {
        let (status, body) = ask(&mut host, "GET", &change);
        assert_eq!(status, 403, "{change}");
        assert!(!body.to_string().contains("private"), "{change}");
    }
    for host_name in ["localhost", "[::1]:3080", "LOCALHOST:1"] {
        assert_eq!(ask(&mut host, "HEAD", &json!({ "host": host_name })).0, 200);
    }
    assert_eq!(ask(&mut host, "POST", &json!({})).0, 405);
    let mut offline = Host::new();
    offline.storage_fault = Some(("no-storage", "none"));
    let (status, body) = ask(&mut offline, "GET", &json!({}));
    assert_eq!(status, 503);
    assert!(body["error"].as_str().unwrap().contains("memory is offline"));
}
