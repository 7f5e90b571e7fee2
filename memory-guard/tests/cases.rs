//! The cases of `cases.jsonl`.

mod common;

use memory_guard::{anchors, detect, kinds, mask, neutralise, vanished};
use serde_json::Value;

#[test]
fn cases_hold_under_many_seeds() {
    let mut failed = Vec::new();
    for line in include_str!("cases.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let id = case["id"].as_str().unwrap();
        for seed in 0..40 {
            let (text, drawn) = common::Lot(seed).expand(case["text"].as_str().unwrap());
            let good = match case["op"].as_str().unwrap() {
                "detect" if case["expect_secret"] == true => {
                    let masked = mask(&text);
                    !detect(&text).is_empty() && drawn.iter().all(|piece| !masked.contains(piece))
                }
                "detect" => kinds(&text).is_empty() && mask(&text) == text,
                "neutralise" => {
                    let out = neutralise(&text);
                    !["{{", "}}", "<", "\n"].iter().any(|bad| out.contains(bad))
                }
                "anchors" => {
                    let summary = case["summary"].as_str().unwrap();
                    let gone = vanished(&anchors(&text), summary);
                    let expected = case["expect_vanished"].as_array().unwrap();
                    if expected.is_empty() {
                        gone.is_empty()
                    } else {
                        expected.iter().all(|e| gone.iter().any(|gone| e == gone))
                    }
                }
                other => panic!("unknown operation {other}"),
            };
            if !good {
                failed.push(format!("{id} (seed {seed}): {text:?} -> {:?}", mask(&text)));
            }
        }
    }
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}
