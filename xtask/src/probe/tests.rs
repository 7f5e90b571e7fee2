//! The operations, from the line to the line.

use serde_json::Value;

use super::run;

/// The answer of each line.
fn ask(input: impl AsRef<[u8]>) -> Vec<Value> {
    let mut output = Vec::new();
    run(input.as_ref(), &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn answer(line: &str) -> Value {
    let answers = ask(line);
    assert_eq!(answers.len(), 1, "{line}");
    answers.into_iter().next().unwrap()
}

fn ids(answer: &Value) -> Vec<&str> {
    answer["hits"].as_array().unwrap().iter().map(|hit| hit["id"].as_str().unwrap()).collect()
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect()
}

/// In the blocks of `docs/probe.md` a question stands above its answer.
#[test]
fn the_examples_of_the_documentation_are_true() {
    let doc = include_str!("../../../docs/probe.md");
    let blocks: Vec<&str> =
        doc.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    for operation in [
        "recall",
        "consolidate",
        "detect",
        "anchors",
        "neutralise",
        "export",
        "sentences",
        "proposals",
    ] {
        let shown = format!("\"op\":\"{operation}\"");
        assert!(blocks.iter().any(|block| block.contains(&shown)), "{operation} has no example");
    }
    for block in blocks {
        let lines: Vec<_> = block.lines().collect();
        assert_eq!(lines.len() % 2, 0, "a question without an answer:\n{block}");
        for pair in lines.chunks(2) {
            let mut output = Vec::new();
            run(pair[0].as_bytes(), &mut output).unwrap();
            assert_eq!(String::from_utf8(output).unwrap().trim_end(), pair[1], "{}", pair[0]);
        }
    }
}

#[test]
fn a_bad_line_is_named_and_the_next_one_goes_on() {
    let bad: &[&[u8]] = &[
        b"",
        b"not json",
        b"{\"op\":\"detect\",\"text\":\"cut off",
        b"{\"op\":\"detect\",\"text\":\"lone \\ud800 surrogate\"}",
        b"{\"op\":\"detect\",\"text\":\"\xff\xfe\"}",
        b"{\"op\":\"detect\",\"text\":7}",
        b"{\"op\":\"detect\"}",
        b"{\"op\":\"dance\",\"text\":\"x\"}",
        b"{\"op\":7}",
        b"{\"text\":\"x\"}",
        b"[]",
        b"null",
        b"{} {}",
        b"{\"op\":\"recall\",\"query\":\"x\"}",
        b"{\"op\":\"recall\",\"facts\":{},\"query\":\"x\"}",
        b"{\"op\":\"recall\",\"facts\":[7],\"query\":\"x\"}",
        b"{\"op\":\"recall\",\"facts\":[{\"tags\":\"x\"}],\"query\":\"x\"}",
        b"{\"op\":\"recall\",\"facts\":[],\"query\":[\"x\"]}",
        b"{\"op\":\"recall\",\"facts\":[],\"query\":\"x\",\"limit\":-1}",
        b"{\"op\":\"recall\",\"facts\":[],\"query\":\"x\",\"now\":1e300}",
        b"{\"op\":\"anchors\",\"text\":\"x\",\"summary\":7}",
    ];
    for line in bad {
        let mut input = line.to_vec();
        input.extend(b"\n{\"op\":\"neutralise\",\"text\":\"fine\"}\n");
        let answers = ask(&input);
        let shown = String::from_utf8_lossy(line);
        assert_eq!(answers.len(), 2, "{shown}");
        assert!(answers[0]["error"].is_string(), "{shown}: {}", answers[0]);
        assert_eq!(answers[1]["text"], "fine", "{shown}");
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(answer(&deep)["error"].is_string());
}

#[test]
fn facts_need_no_field_and_may_be_whole_rows() {
    let silent =
        answer(r#"{"op":"recall","facts":[{},{"text":"redis","id":null}],"query":"redis"}"#);
    assert_eq!(ids(&silent), ["1"]);
    let row = r#"{"id":"a","workspacePath":"/p","kind":"decision","text":"redis","tags":[],
        "sessionId":"s","seq":3,"createdAt":1,"updatedAt":2,"accessCount":1,
        "lastAccessedAt":9,"state":"STATE","newer":true}"#
        .replace('\n', "");
    for (state, expected) in [("active", vec!["a"]), ("archived", vec![])] {
        let row = row.replace("STATE", state);
        let found = answer(&format!(r#"{{"op":"recall","facts":[{row}],"query":"redis"}}"#));
        assert_eq!(ids(&found), expected);
    }
}

#[test]
fn ages_are_relative_to_now() {
    let facts = r#"[{"id":"old","ageDays":3.5},{"id":"new","ageDays":0.5},
        {"id":"next","ageDays":-1},{"id":"mid","updatedAt":999913600000},
        {"id":"first","ageDays":1e300}]"#
        .replace('\n', "");
    let found =
        answer(&format!(r#"{{"op":"recall","facts":{facts},"now":1000000000000,"limit":9}}"#));
    assert_eq!(ids(&found), ["next", "new", "mid", "old", "first"]);
    assert!(found["hits"][0]["tier"].is_null());
    let found =
        answer(&format!(r#"{{"op":"recall","facts":{facts},"now":1000000000000,"limit":1}}"#));
    assert_eq!(ids(&found), ["next"]);
}

#[test]
fn a_miss_offers_the_closest_tags() {
    let line = r#"{"op":"recall","facts":[{"tags":["deployment"]}],"query":"deploymnts"}"#;
    assert_eq!(answer(line)["closestTags"][0], "deployment");
}

#[test]
fn spans_are_byte_ranges() {
    let text = "密码：s3cr3t-Pa55 尾";
    let answer = answer(&serde_json::json!({ "op": "detect", "text": text }).to_string());
    let span = &answer["spans"][0];
    let at = |field: &str| usize::try_from(span[field].as_u64().unwrap()).unwrap();
    assert_eq!(&text[at("start")..at("end")], "s3cr3t-Pa55");
    assert_eq!(answer["masked"], "密码：[REDACTED] 尾");
}

/// The cases of the crates, as they stand in their files.
#[test]
fn the_cases_pass_through_the_probe() {
    let recall = include_str!("../../../memory-recall/tests/cases.jsonl");
    let guard = include_str!("../../../memory-guard/tests/cases.jsonl");
    for line in recall.lines().chain(guard.lines()) {
        let line = drawn(line);
        let (case, answer) = (serde_json::from_str::<Value>(&line).unwrap(), answer(&line));
        let name = &case["id"];
        for (expectation, expected) in case.as_object().unwrap() {
            match expectation.as_str() {
                "expect_first" => assert_eq!(answer["hits"][0]["id"], *expected, "{name}"),
                "expect_order" | "expect_ids" => {
                    assert_eq!(ids(&answer), strings(expected), "{name}");
                }
                "expect_kinds" => {
                    assert_eq!(answer["kinds"], *expected, "{name}");
                    assert_eq!(answer["masked"], case["text"], "{name}");
                }
                "expect_secret" => {
                    assert_eq!(answer["spans"].as_array().unwrap().is_empty(), expected == false);
                    assert!(answer["masked"].as_str().unwrap().contains("[REDACTED]"), "{name}");
                }
                "expect_vanished" => {
                    let gone = strings(&answer["vanished"]);
                    let expected = strings(expected);
                    assert!(
                        expected.iter().all(|anchor| gone.contains(anchor)),
                        "{name}: {gone:?}"
                    );
                    assert!(!expected.is_empty() || gone.is_empty(), "{name}: {gone:?}");
                }
                "expect" => {
                    let text = answer["text"].as_str().unwrap();
                    assert!(
                        !["{{", "}}", "<", "\n"].iter().any(|bad| text.contains(bad)),
                        "{name}"
                    );
                }
                _ => {}
            }
        }
    }
}

/// Replaces `⟦set*n⟧` by n characters of the set, so that nothing that looks
/// like a secret stands in a file.
fn drawn(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    while let Some((before, after)) = rest.split_once('⟦') {
        let (spec, after) = after.split_once('⟧').unwrap();
        let (set, count) = spec.split_once('*').unwrap();
        let set: Vec<char> = match set {
            "hex" => "0123456789abcdef".chars().collect(),
            "digit" => ('0'..='9').collect(),
            _ => ('a'..='z').chain('A'..='Z').chain('0'..='9').collect(),
        };
        out.push_str(before);
        for _ in 0..count.parse::<usize>().unwrap() {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            out.push(set[usize::try_from(state >> 33).unwrap() % set.len()]);
        }
        rest = after;
    }
    out + rest
}
