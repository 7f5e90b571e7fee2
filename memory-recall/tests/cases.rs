//! Small inputs after public bug reports of other memory systems, each with
//! the right answer (`cases.jsonl`: `why` says what went wrong elsewhere).

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use memory_core::{Citation, Fact, FactKind, UnixMillis, WorkspacePath};
use memory_recall::{RecallOptions, Tier, scan};
use serde_json::Value;

const NOW: UnixMillis = 1_800_000_000_000;
const DAY: UnixMillis = 86_400_000;

fn fact(id: &str, text: &str, tags: &[&str], age_days: u64, accesses: u64) -> Fact {
    let workspace = WorkspacePath::from_raw("/p").unwrap();
    let citation = Citation { session_id: "s".into(), seq: 1 };
    let tags = tags.iter().map(|&tag| tag.to_owned()).collect();
    let at = NOW - age_days * DAY;
    let mut fact =
        Fact::new(id.into(), &workspace, FactKind::Fact, text.into(), tags, citation, at);
    fact.access_count = Some(accesses);
    fact
}

fn ids(facts: &[Fact], query: &str) -> Vec<String> {
    let options = RecallOptions { now: NOW, ..RecallOptions::default() };
    scan(facts, Some(query), &options).hits.into_iter().map(|hit| hit.id).collect()
}

#[test]
fn the_cases_of_sentences_hold() {
    let cases = include_str!("sentences.jsonl");
    for case in cases.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let text = case["text"].as_str().unwrap();
        let found = memory_recall::sentences(text, case["query"].as_str().unwrap());
        let found: Vec<_> = found.into_iter().map(|at| &text[at]).collect();
        assert_eq!(Value::from(found), case["expect"], "{}", case["id"]);
    }
}

#[test]
fn the_cases_from_the_field_hold() {
    let list = |value: &Value| -> Vec<String> {
        let items = value.as_array().into_iter().flatten();
        items.map(|item| item.as_str().unwrap().to_owned()).collect()
    };
    let cases: Vec<Value> =
        include_str!("cases.jsonl").lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert!(cases.len() >= 11);
    for case in cases {
        let facts: Vec<Fact> = case["facts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| {
                let tags = list(&row["tags"]);
                let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
                let number = |field: &str| row[field].as_u64().unwrap();
                let text = |field: &str| row[field].as_str().unwrap();
                fact(text("id"), text("text"), &tags, number("ageDays"), number("accessCount"))
            })
            .collect();
        let found = ids(&facts, case["query"].as_str().unwrap());
        let name = &case["id"];
        if let Some(first) = case["expect_first"].as_str() {
            assert_eq!(found.first().map(String::as_str), Some(first), "{name}");
        }
        for expected in ["expect_order", "expect_ids"] {
            if !case[expected].is_null() {
                assert_eq!(found, list(&case[expected]), "{name}");
            }
        }
    }
}

#[test]
fn further_kinds_of_misses_do_not_happen() {
    for (query, facts, expected) in [
        (
            "ci",
            vec![
                fact("ci", "CI runs on self-hosted runners", &[], 3, 0),
                fact("junk", "The decision on pricing is a special social matter", &[], 1, 0),
            ],
            vec!["ci"],
        ),
        (
            "redis",
            vec![
                fact("blank", "Coffee machine is on floor 3", &["", " "], 1, 0),
                fact("redis", "Redis runs on port 6380", &[], 1, 0),
            ],
            vec!["redis"],
        ),
        (
            "ログインエラー",
            vec![
                fact("ja", "ログイン時にエラーが出たらセッションを破棄する", &[], 1, 0),
                fact("other", "ビルドは毎晩二時に走る", &[], 1, 0),
            ],
            vec!["ja"],
        ),
        ("档案编码", vec![fact("trad", "檔案編碼統一為無簽名格式", &[], 1, 0)], vec!["trad"]),
        (
            "缓存预热脚本",
            vec![
                fact("hit", "预热脚本负责缓存，凌晨四点执行", &[], 1, 0),
                fact("x", "发布窗口是每周三", &[], 1, 0),
            ],
            vec!["hit"],
        ),
        (
            "gateway-svc",
            vec![
                fact("svc", "重启gateway-svc后要等30秒再切流量", &[], 1, 0),
                fact("x", "接口文档放在 docs 目录", &[], 1, 0),
            ],
            vec!["svc"],
        ),
        (
            "retryBudget",
            vec![
                fact("rb", "The retry budget is 400 ms per request", &[], 1, 0),
                fact("x", "Log level defaults to warn", &[], 1, 0),
            ],
            vec!["rb"],
        ),
        (
            "core\\src\\lexer.ts",
            vec![fact("lexer", "Grammar changes belong in packages/core/src/lexer.ts", &[], 1, 0)],
            vec!["lexer"],
        ),
        (
            "protobuf 1.2",
            vec![
                fact("v1_20", "Protobuf pinned to 1.20.3 in the mobile build", &[], 1, 0),
                fact("v1_2", "Protobuf pinned to 1.2 in the legacy build", &[], 3, 0),
            ],
            vec!["v1_2", "v1_20"],
        ),
        ("pagnation", vec![fact("tag", "Lists go by cursor", &["pagination"], 1, 0)], vec!["tag"]),
        (
            "Where is the Helm chart?",
            vec![
                fact("chart", "Helm chart lives in ops/charts", &[], 1, 0),
                fact("lint", "This repo keeps the formatter config in the root", &[], 1, 0),
            ],
            vec!["chart"],
        ),
        ("node", vec![fact("node", "we run node.js v20.1 here", &[], 1, 0)], vec!["node"]),
    ] {
        assert_eq!(ids(&facts, query), expected, "{query}");
    }
}

#[test]
fn the_worked_examples_of_the_older_plugin_keep_their_tiers() {
    let facts = [
        fact("h1", "ci note", &[], 8, 2),
        fact("h2", "ci note", &[], 1, 0),
        fact("h3", "ci note", &[], 95, 10),
        fact("h4", "x", &["ci"], 95, 0),
        fact("h5", "nightly job", &["ci-nightly"], 1, 9),
    ];
    let options = RecallOptions { now: NOW, ..RecallOptions::default() };
    let hits = scan(&facts, Some("ci"), &options).hits;
    let order: Vec<_> = hits.iter().map(|hit| (&*hit.id, hit.tier.unwrap())).collect();
    assert_eq!(
        order,
        [
            ("h4", Tier::Tag),
            ("h3", Tier::Text),
            ("h2", Tier::Text),
            ("h1", Tier::Text),
            ("h5", Tier::Fuzzy),
        ]
    );
    // An exact tag covers a query without blanks only as a whole.
    let facts = [
        fact("g1", "交互验证约定:发布验证走人工", &[], 91, 0),
        fact("g2", "无关", &["验证"], 0, 10),
        fact("g3", "交互设计", &[], 0, 0),
    ];
    assert_eq!(ids(&facts, "交互验证")[0], "g1");
    assert_eq!(ids(&facts, "验证")[0], "g2");
}

#[test]
fn a_miss_offers_the_closest_tags() {
    let facts = [fact("a", "x", &["deployment"], 1, 0), fact("b", "y", &["testing"], 1, 0)];
    let options = RecallOptions { now: NOW, ..RecallOptions::default() };
    let recall = scan(&facts, Some("deploymnts"), &options);
    assert!(recall.hits.is_empty());
    assert_eq!(recall.closest_tags, ["deployment"]);
    assert!(scan(&facts, Some("zzzz"), &options).closest_tags.is_empty());
}
