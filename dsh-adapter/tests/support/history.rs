//! The host's session query, in memory: a query matches where its words stand
//! side by side, and a run of unspaced script is one word, as in the real index.

use serde_json::{Value, json};

use super::Host;

/// A session with an id, a folder and messages; of each who said it and what.
/// The first message has place 1, and every message is followed by an event
/// that is none.
pub fn past(id: &str, cwd: &str, messages: &[(&str, &str)]) -> Value {
    let events = messages.iter().enumerate().flat_map(|(n, (kind, text))| {
        let content = json!([{ "type": "text", "text": text }]);
        let data = match *kind {
            "assistant/message" | "tool/result" => json!({ "message": { "content": content } }),
            _ => json!({ "content": content, "source": { "kind": "user" } }),
        };
        let message = json!({ "seq": 2 * n + 1, "type": kind, "data": data });
        [message, json!({ "seq": 2 * n + 2, "type": "step/end", "data": {} })]
    });
    let start = json!({ "seq": 0, "type": "turn/start", "data": {} });
    let events: Vec<_> = std::iter::once(start).chain(events).collect();
    json!({ "session": id, "createdAt": 1_759_000_000_000_u64, "cwd": cwd, "events": events })
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

fn text_of(event: &Value) -> &str {
    let content = event["data"]["message"]["content"].as_array();
    let content = content.or_else(|| event["data"]["content"].as_array());
    content.map_or("", |blocks| blocks[0]["text"].as_str().unwrap())
}

fn holds(list: &Value, value: &Value) -> bool {
    list.as_array().unwrap().contains(value)
}

pub fn perform(host: &mut Host, effect: &Value) -> Option<Value> {
    let listed = |s: &Value| json!({ "session": s["session"], "createdAt": s["createdAt"] });
    let of_type = |session: &Value| -> Vec<Value> {
        let events = session["events"].as_array().unwrap().iter();
        events.filter(|event| holds(&effect["types"], &event["type"])).cloned().collect()
    };
    let session = || host.sessions.iter().find(|s| s["session"] == effect["session"]).cloned();
    match effect["kind"].as_str().unwrap() {
        "search-sessions" => {
            host.queries.push(effect.clone());
            let wanted = words(effect["query"].as_str().unwrap());
            let matches = |event: &Value| {
                !wanted.is_empty()
                    && words(text_of(event)).windows(wanted.len()).any(|at| at == wanted)
            };
            let own = host.sessions.iter().filter(|s| holds(&effect["cwds"], &s["cwd"]));
            let hits: Vec<Value> = own
                .filter_map(|session| {
                    let event = of_type(session).into_iter().find(|event| matches(event))?;
                    let mut hit = listed(session);
                    hit["seq"] = event["seq"].clone();
                    Some(hit)
                })
                .collect();
            let from = effect["cursor"].as_str().map_or(0, |cursor| cursor.parse().unwrap());
            let limit = usize::try_from(effect["limit"].as_u64().unwrap()).unwrap();
            let page: Vec<_> = hits.iter().skip(from).take(limit).cloned().collect();
            let next = from + page.len();
            let cursor = (next < hits.len()).then(|| next.to_string());
            Some(json!({ "hits": page, "cursor": cursor }))
        }
        "list-sessions" => {
            let own = host.sessions.iter().filter(|s| holds(&effect["cwds"], &s["cwd"]));
            Some(own.map(listed).collect())
        }
        "scan-session" => {
            let text = effect["text"].as_str().unwrap();
            let found = of_type(&session()?).into_iter().filter(|e| text_of(e).contains(text));
            Some(found.map(|event| event["seq"].clone()).collect())
        }
        _ => {
            let session = session()?;
            let mut events = of_type(&session);
            if let Some(around) = effect["around"].as_u64() {
                let middle = events.iter().filter(|e| e["seq"].as_u64().unwrap() <= around).count();
                let most = |name: &str| usize::try_from(effect[name].as_u64().unwrap()).unwrap();
                let end = (middle + most("after")).min(events.len());
                events = events[middle.saturating_sub(most("before"))..end].to_vec();
            }
            let mut log = listed(&session);
            log["cwd"] = session["cwd"].clone();
            log["length"] = json!(session["events"].as_array().unwrap().len());
            log["events"] = json!(events);
            Some(log)
        }
    }
}
