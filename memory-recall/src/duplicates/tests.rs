#![allow(clippy::unwrap_used, reason = "a test may fail")]

use memory_core::{Citation, Fact, FactKind, FactState, WorkspacePath};
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation as _;

use super::*;
use crate::fold::fold;

fn fact(id: &str, text: &str) -> Fact {
    let workspace = WorkspacePath::from_raw("/p").unwrap();
    let citation = Citation { session_id: "s".into(), seq: 1 };
    Fact::new(id.into(), &workspace, FactKind::Fact, text.into(), Vec::new(), citation, 1_000)
}

fn two(a: &str, b: &str) -> [Fact; 2] {
    [fact("a", a), fact("b", b)]
}

/// The percentage of the only near-duplicate.
fn percent(a: &str, b: &str) -> Option<usize> {
    let facts = two(a, b);
    let found = consolidate(&facts);
    assert!(found.contradictions.is_empty() || found.duplicates.is_empty(), "{a} | {b}");
    found.duplicates.first().map(|pair| pair.similarity.percent())
}

/// In what the two contradict each other, in short.
fn differs(a: &str, b: &str) -> String {
    let facts = two(a, b);
    let found = consolidate(&facts);
    assert!(found.duplicates.is_empty(), "offered for merging: {a} | {b}");
    let shown = |d: Difference| format!("{}: {}|{}", d.kind.as_str(), d.a.join(","), d.b.join(","));
    let pairs = found.contradictions.iter().flat_map(Pair::differences);
    pairs.map(shown).collect::<Vec<_>>().join("; ")
}

#[test]
fn near_duplicates_are_found_in_every_script() {
    for (a, b, expected) in [
        (
            "the release verification runs from the web session",
            "release verification runs in the web session",
            Some(75),
        ),
        ("Deploys run on Friday", "deploys run on FRIDAY.", Some(100)),
        ("Сервер использует api", "Клиент игнорирует api", None),
        ("Сервер использует общий кэш", "Сервер использует общий кеш", Some(60)),
        ("ビルドはキャッシュを使う", "ビルドはキャッシュを使う", Some(100)),
        ("설정을 바꾼다", "설정을 바꾼다", Some(100)),
        ("部署前要先刷新缓存", "部署之前要先刷新缓存", Some(70)),
        ("部署前要先刷新緩存", "部署前要先刷新缓存", Some(100)),
        ("𠀀𠀁𠀂", "𠀀𠀁𠀂", Some(100)),
        ("🎉🎉", "🎉🎉", Some(100)),
        ("🎉🎉", "🎈", None),
        ("Redis caches sessions", "Postgres stores invoices", None),
        ("", " ", None),
    ] {
        assert_eq!(percent(a, b), expected, "{a} | {b}");
    }
}

#[test]
fn the_same_words_with_another_number_version_or_negation_contradict() {
    for (a, b, expected) in [
        ("The API listens on port 8080", "The API listens on port 9090", "number: 8080|9090"),
        ("Use Node v18", "Use Node 20", "version: 18|20"),
        ("Rust 1.88.0 is pinned", "Rust 1.90.1 is pinned", "version: 1.88.0|1.90.1"),
        ("CI runs on two cores", "CI runs on 4 cores", "number: 2|4"),
        ("超时时间是三秒", "超时时间是五秒", "number: 3|5"),
        ("Builds use pnpm", "Builds do not use pnpm", "negation: |not"),
        ("Never squash commits", "Always squash commits", "negation: never|"),
        ("We don't squash commits", "We squash commits", "negation: don't|"),
        ("Telemetry is disabled", "Telemetry is enabled", "negation: disabled|"),
        ("Commit with tests", "Commit without tests", "negation: |without"),
        ("周五可以部署到生产环境", "周五禁止部署到生产环境", "negation: |禁止"),
        ("不要在周五部署服务", "在周五部署服务", "negation: 不要|"),
        ("测试环境没有缓存服务", "测试环境有缓存服务", "negation: 没有|"),
        ("Сервер не использует кэш", "Сервер использует кэш", "negation: не|"),
    ] {
        assert_eq!(differs(a, b), expected, "{a} | {b}");
    }
}

#[test]
fn more_detail_and_cancelled_negations_are_no_contradiction() {
    for (a, b) in [
        ("Redis listens on a port", "Redis listens on a port 6380"),
        ("Do not disable telemetry here", "Do enable telemetry here"),
        ("Use Node v20 here", "Use Node 20 here"),
        ("这些模块用不同的别名", "这些模块用不同别名"),
    ] {
        let facts = two(a, b);
        assert_eq!(consolidate(&facts).contradictions, [], "{a} | {b}");
    }
}

#[test]
fn forgotten_facts_take_no_part() {
    let mut facts = two("CI needs Docker", "CI needs Docker");
    facts[1].state = FactState::Archived;
    assert_eq!(consolidate(&facts), Consolidation::default());
}

#[test]
fn of_equal_pairs_the_lowest_ids_come_first() {
    let facts: Vec<_> =
        (0..20).rev().map(|i| fact(&format!("f{i:02}"), "CI needs Docker")).collect();
    let found = consolidate(&facts);
    let ids: Vec<_> = found.duplicates.iter().map(|p| (&*p.a.id, &*p.b.id)).collect();
    let expected = ["f01", "f02", "f03", "f04", "f05"].map(|b| ("f00", b));
    assert_eq!(ids, expected);
}

#[test]
fn a_merged_text_keeps_what_both_say() {
    for (newer, older, expected) in [
        ("CI needs Docker", "ci needs docker!", "CI needs Docker"),
        ("CI needs Docker", "CI needs Docker and a cache", "CI needs Docker and a cache"),
        ("CI needs Docker and a cache", "CI needs Docker", "CI needs Docker and a cache"),
        ("CI needs Docker.", "CI caches Docker", "CI needs Docker. CI caches Docker"),
        ("a depends on b", "b depends on a", "a depends on b; b depends on a"),
        ("部署前刷新缓存。", "部署前检查缓存", "部署前刷新缓存。 部署前检查缓存"),
        ("🎉", "🎈", "🎉; 🎈"),
        ("", "x", "x"),
    ] {
        assert_eq!(merge(newer, older), expected);
    }
    let mut facts = two("CI needs Docker", "CI NEEDS DOCKER");
    facts[1].updated_at += 1;
    assert_eq!(consolidate(&facts).duplicates[0].merged(), "CI NEEDS DOCKER");
}

/// Hostile workspaces of this many facts.
fn workspaces(count: usize) -> Vec<(&'static str, Vec<Fact>)> {
    let texts = |name: &'static str, text: &dyn Fn(usize) -> String| {
        (name, (0..count).map(|i| fact(&format!("f{i:05}"), &text(i))).collect::<Vec<_>>())
    };
    let words = ["cache", "build", "deploy", "redis", "node", "queue", "token", "index", "page"];
    vec![
        texts("identical", &|_| "The API listens on port 8080".to_owned()),
        texts("numbers", &|i| format!("The API listens on port {i}")),
        texts("names", &|i| format!("The service of team{} listens on its own port", letters(i))),
        texts("templates", &|i| {
            format!("{} uses {} with {}", words[i % 9], words[i / 9 % 9], letters(i))
        }),
        texts("long", &|i| {
            let common =
                "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda ".repeat(4);
            format!("{common} {} {}", letters(i), letters(i * 7))
        }),
        texts("cjk", &|i| {
            let own = char::from_u32(0xac00 + u32::try_from(i).unwrap()).unwrap();
            format!("部署服务之前要先刷新{own}的缓存")
        }),
    ]
}

fn letters(mut n: usize) -> String {
    let mut out = String::new();
    loop {
        out.push(char::from(b'a' + u8::try_from(n % 26).unwrap()));
        n /= 26;
        if n == 0 {
            return out;
        }
    }
}

#[test]
fn the_work_grows_with_the_facts_and_not_with_their_square() {
    let small = workspaces(2_500);
    let large = workspaces(10_000);
    for ((name, few), (_, many)) in small.iter().zip(&large) {
        let (few, many) = (counted(few).1, counted(many).1);
        println!("{name}: {few} comparisons of words at 2,500 facts, {many} at 10,000");
        assert!(many <= 5 * few, "{name}: {few} → {many}");
    }
}

#[test]
fn a_real_duplicate_is_found_among_ten_thousand_alike() {
    for (name, mut facts) in workspaces(10_000) {
        facts.push(fact("x", "Release verification runs from the web session"));
        facts.push(fact("y", "Release verification runs from the web session."));
        facts.push(fact("x2", "Nightly snapshots expire quickly after 30 days"));
        facts.push(fact("y2", "Nightly snapshots expire quickly after 60 days"));
        let found = consolidate(&facts);
        let holds = |pairs: &[Pair<'_>], a: &str| pairs.iter().any(|pair| pair.a.id == a);
        if name != "identical" {
            assert!(holds(&found.duplicates, "x"), "{name}: {:?}", found.duplicates.len());
        }
        if name != "numbers" {
            assert!(holds(&found.contradictions, "x2"), "{name}");
        }
    }
}

fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "ci",
        "build",
        "pnpm",
        "v1.2.3",
        "1.2",
        "20",
        "not",
        "never",
        "enable",
        "disabled",
        "the",
        "on",
        "缓存",
        "不要",
        "预热脚本",
        "緩存",
        "설정을",
        "ビルド",
        "кэш",
        "e\u{301}a",
        "👩‍👩‍👧",
        "🇩🇪🇫🇷",
        "\u{200b}",
        "!",
        "two",
        "without",
    ]);
    prop_oneof![
        5 => prop::collection::vec(word, 0..6).prop_map(|words| words.join(" ")),
        1 => any::<String>(),
    ]
}

fn facts() -> impl Strategy<Value = Vec<Fact>> {
    prop::collection::vec((text(), 0_u64..3), 0..14).prop_map(|texts| {
        let facts = texts.into_iter().enumerate().map(|(i, (text, age))| {
            let mut fact = fact(&format!("f{i:02}"), &text);
            fact.updated_at += age;
            fact
        });
        facts.collect()
    })
}

proptest! {
    #[test]
    fn the_order_of_the_facts_does_not_matter(facts in facts(), turn in 0_usize..14) {
        let mut other = facts.clone();
        other.reverse();
        let turn = turn.min(other.len());
        other.rotate_left(turn);
        prop_assert_eq!(consolidate(&facts), consolidate(&other));
    }

    #[test]
    fn the_answer_is_that_of_comparing_all(facts in facts()) {
        let features: Vec<_> = facts.iter().map(|fact| Features::of(&fact.text)).collect();
        let mut near = Vec::new();
        let mut opposed = Vec::new();
        for j in 0..facts.len() {
            for i in 0..j {
                let of = |set: fn(&Features) -> &BTreeSet<String>| {
                    let (a, b) = (set(&features[i]), set(&features[j]));
                    Similarity::of(a.intersection(b).count(), a.len(), b.len())
                };
                let (words, content) = (of(|f| &f.words), of(|f| &f.content));
                let contradicts = features[i].contradicts(&features[j]);
                prop_assert_eq!(contradicts, features[j].contradicts(&features[i]));
                let ids = (facts[i].id.clone(), facts[j].id.clone());
                if contradicts && (words.reaches(NEAR_PERCENT) || content.reaches(SAME_PERCENT)) {
                    opposed.push((Reverse(content), ids));
                } else if !contradicts && words.reaches(NEAR_PERCENT) {
                    near.push((Reverse(words), ids));
                }
            }
        }
        let found = consolidate(&facts);
        for (mut expected, found) in [(near, found.duplicates), (opposed, found.contradictions)] {
            expected.sort();
            expected.truncate(MOST_PAIRS);
            let found: Vec<_> =
                found.iter().map(|p| (Reverse(p.similarity), (p.a.id.clone(), p.b.id.clone()))).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn equal_texts_are_always_found(text in text()) {
        let facts = two(&text, &text);
        let found = consolidate(&facts);
        prop_assert!(found.contradictions.is_empty());
        if let [pair] = &found.duplicates[..] {
            prop_assert_eq!(pair.similarity.percent(), 100);
            prop_assert_eq!(pair.merged(), text.trim());
        } else {
            // Nothing that a person sees.
            prop_assert!(fold(&text).trim().is_empty(), "{:?}", text);
        }
    }

    #[test]
    fn a_contradiction_says_in_what(a in text(), b in text()) {
        let contradicts = Features::of(&a).contradicts(&Features::of(&b));
        prop_assert_eq!(!differences(&a, &b).is_empty(), contradicts);
        let swapped = differences(&b, &a).into_iter();
        let swapped: Vec<_> = swapped.map(|d| Difference { kind: d.kind, a: d.b, b: d.a }).collect();
        prop_assert_eq!(differences(&a, &b), swapped);
    }

    #[test]
    fn a_merged_text_holds_one_text_whole_and_the_words_of_both(a in text(), b in text()) {
        let merged = merge(&a, &b);
        prop_assert!(merged.contains(a.trim()) || merged.contains(b.trim()));
        let words = Features::of(&merged).words;
        for text in [&a, &b] {
            let theirs = Features::of(text).words;
            // Emoji and signs are no words once there are any.
            if theirs.iter().all(|word| word.chars().any(char::is_alphanumeric)) {
                prop_assert!(theirs.is_subset(&words), "{:?} in {:?}", theirs, merged);
            }
        }
    }

    #[test]
    fn a_clipped_text_is_in_bounds_and_cuts_no_grapheme(text in text(), max in 0_usize..40) {
        let clipped = clip(&text, max);
        prop_assert!(clipped.chars().count() <= max);
        if *clipped != *text && max > 0 {
            let kept = clipped.strip_suffix(memory_core::ELLIPSIS).unwrap();
            let whole: Vec<_> = text.graphemes(true).collect();
            let kept_clusters: Vec<_> = kept.graphemes(true).collect();
            prop_assert_eq!(&whole[..kept_clusters.len()], &kept_clusters[..]);
        }
    }
}
