//! Laws that hold for every workspace and every query.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use memory_core::{Citation, Fact, FactKind, WorkspacePath};
use memory_recall::{Index, Recall, RecallOptions, scan};
use proptest::prelude::*;

const NOW: u64 = 1_800_000_000_000;

fn word() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "ci",
        "build",
        "builds",
        "pnpm",
        "node.js",
        "v1.2.3",
        "1.2",
        "parseHttpHeaders",
        "http",
        "src/net/http.rs",
        "cache",
        "缓存",
        "预热脚本",
        "緩存",
        "설정을",
        "ビルド",
        "the",
        "什么",
        "café",
        "ＣＩ",
        "a",
        "!!",
        "\u{200b}",
        "deploy",
        "deploi",
    ])
    .prop_map(str::to_owned)
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::collection::vec(word(), 1..8).prop_map(|words| words.join(" ")),
        1 => any::<String>(),
    ]
}

fn fact() -> impl Strategy<Value = Fact> {
    let tags = prop::collection::vec(prop_oneof![word(), Just(String::new())], 0..3);
    (0_u8..12, text(), tags, 0_u64..200, 0_u64..14).prop_map(|(id, text, tags, age, accesses)| {
        let workspace = WorkspacePath::from_raw("/p").unwrap();
        let citation = Citation { session_id: "s".into(), seq: 1 };
        let at = NOW - age * 86_400_000;
        let id = format!("f{id:02}");
        let mut fact = Fact::new(id, &workspace, FactKind::Fact, text, tags, citation, at);
        fact.access_count = Some(accesses);
        fact
    })
}

fn options(limit: usize) -> RecallOptions {
    RecallOptions { limit, now: NOW, ..RecallOptions::default() }
}

#[derive(Clone, Debug)]
enum Change {
    Upsert(Box<Fact>),
    Remove(u8),
    Touch(u8, u64),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => fact().prop_map(|fact| Change::Upsert(Box::new(fact))),
        1 => (0_u8..12).prop_map(Change::Remove),
        1 => (0_u8..12, 0_u64..14).prop_map(|(id, count)| Change::Touch(id, count)),
    ]
}

proptest! {
    #[test]
    fn a_higher_tier_always_comes_first_and_scores_fall_within_it(
        facts in prop::collection::vec(fact(), 0..12), query in text(),
    ) {
        let hits = scan(&facts, Some(&query), &options(50)).hits;
        for pair in hits.windows(2) {
            let key = |i: usize| (pair[i].tier, std::cmp::Reverse(pair[i].score));
            prop_assert!(key(0) <= key(1), "{pair:?}");
        }
    }

    #[test]
    fn an_index_kept_up_to_date_answers_as_a_fresh_one(
        changes in prop::collection::vec(change(), 0..40), query in text(), limit in 0_usize..15,
    ) {
        let mut index = Index::new();
        let mut facts: std::collections::BTreeMap<String, Fact> = std::collections::BTreeMap::default();
        for change in changes {
            match change {
                Change::Upsert(fact) => {
                    index.upsert(&fact);
                    facts.insert(fact.id.clone(), *fact);
                }
                Change::Remove(id) => {
                    index.remove(&format!("f{id:02}"));
                    facts.remove(&format!("f{id:02}"));
                }
                Change::Touch(id, count) => {
                    index.touch(&format!("f{id:02}"), count);
                    if let Some(fact) = facts.get_mut(&format!("f{id:02}")) {
                        fact.access_count = Some(count);
                    }
                }
            }
        }
        prop_assert_eq!(index.len(), facts.len());
        for query in [Some(query.as_str()), None] {
            // The order in which facts came must not matter either.
            let fresh = scan(facts.values().rev(), query, &options(limit));
            prop_assert_eq!(index.recall(query, &options(limit)), fresh);
        }
    }

    #[test]
    fn a_limit_takes_the_head_of_the_whole_answer(
        facts in prop::collection::vec(fact(), 0..12), query in text(), limit in 0_usize..15,
    ) {
        let whole = scan(&facts, Some(&query), &options(50)).hits;
        let Recall { hits, .. } = scan(&facts, Some(&query), &options(limit));
        prop_assert_eq!(&hits[..], &whole[..limit.min(whole.len())]);
    }

    #[test]
    fn no_text_is_too_strange(text in any::<String>(), query in any::<String>(), tag in any::<String>()) {
        let workspace = WorkspacePath::from_raw("/p").unwrap();
        let citation = Citation { session_id: "s".into(), seq: 1 };
        let fact = Fact::new("f".into(), &workspace, FactKind::Fact, text, vec![tag], citation, NOW);
        let hits = scan([&fact], Some(&query), &options(5)).hits;
        prop_assert!(hits.len() <= 1);
    }
}

#[test]
fn long_input_is_answered() {
    let workspace = WorkspacePath::from_raw("/p").unwrap();
    let citation = Citation { session_id: "s".into(), seq: 1 };
    for unit in ["a", "é", "缓", "a/", "aB", "1.", "\u{0}", "\u{202e}x "] {
        let long = unit.repeat(100_000 / unit.len());
        let id = unit.to_owned();
        let fact = Fact::new(
            id,
            &workspace,
            FactKind::Fact,
            long.clone(),
            vec![long.clone()],
            citation.clone(),
            NOW,
        );
        assert!(scan([&fact], Some(&long), &options(5)).hits.len() <= 1);
    }
}
