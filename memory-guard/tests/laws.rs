//! Laws that hold for any text.

mod common;

use std::collections::BTreeMap;

use common::{ALNUM, BASE64, HEX, Lot};
use memory_guard::{
    Field, anchors, detect, detect_across, mask, mask_across, neutralise, restore, reveal, vanished,
};
use proptest::prelude::*;

/// Pieces that detectors and prompts care about, with tokens drawn by lot.
fn piece() -> impl Strategy<Value = String> {
    let drawn = (any::<u64>(), 0_usize..14).prop_map(|(seed, which)| {
        let mut lot = Lot(seed);
        match which {
            0 => format!("ghp_{}", lot.draw(ALNUM, 36)),
            1 => format!("sk-{}", lot.draw(ALNUM, 32)),
            2 => format!("password: {}", lot.draw(ALNUM, 12)),
            3 => format!("API_KEY=\"{}\"", lot.draw(HEX, 32)),
            4 => format!("postgres://u:{}@h/d", lot.draw(ALNUM, 12)),
            5 => format!("Bearer {}", lot.draw(ALNUM, 24)),
            6 => format!("-----BEGIN PRIVATE KEY-----\n{}", lot.draw(BASE64, 64)),
            7 => "-----END PRIVATE KEY-----".to_owned(),
            8 => lot.draw(ALNUM, 20),
            9 => format!("AKIA{}", lot.draw("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)),
            10 => format!("{}.{}", lot.draw(ALNUM, 24), lot.draw(ALNUM, 6)),
            11 => format!("密码：{}!", lot.draw(ALNUM, 8)),
            12 => lot.draw(BASE64, 40),
            _ => format!("the token is {}", lot.draw(ALNUM, 20)),
        }
    });
    let marks = prop::sample::select(vec![
        "{",
        "}",
        "{{",
        "}}",
        "{{name}}",
        "{{cwd}}",
        "<",
        "</memory-profile>",
        "＜",
        "‹",
        "\n",
        "\r\n",
        " ",
        "\t",
        "\u{200b}",
        "\u{202e}",
        "\u{e0069}",
        "\u{0}",
        "\"",
        "'",
        "`",
        "=",
        ":",
        "：",
        "\\",
        "&",
        "?",
        "[REDACTED]",
        "token",
        "password",
        "key",
        "secret",
        "is",
        "密码",
        "是",
        "%41",
        "&#45;",
        "://",
        "@",
        "/",
        "-----BEGIN ",
        "sk-",
        "ghp_",
        "eyJ",
        ".",
        "\\n",
        "|",
        "《",
        "\u{2028}",
        "\u{feff}",
        "🔑",
        "é",
    ])
    .prop_map(str::to_owned);
    prop_oneof![2 => drawn, 4 => marks, 1 => "\\PC{0,12}", 1 => any::<String>()]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..14).prop_map(|pieces| pieces.concat())
}

/// How a host fills `{{name}}` in a section, or why it refuses the section.
fn interpolate(section: &str, values: &BTreeMap<&str, &str>) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = section;
    while let Some(open) = rest.find("{{") {
        let (before, group) = rest.split_at(open);
        out.push_str(before);
        let inner = &group[2..];
        let length = inner.find(['{', '}']).unwrap_or(inner.len());
        if inner[length..].starts_with("}}") {
            let name = &inner[..length];
            let valid = name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
            if !valid {
                return Err(format!("malformed {name:?}"));
            }
            let value = values.get(name).ok_or_else(|| format!("unknown {name:?}"))?;
            out.push_str(value);
            rest = &inner[length + 2..];
        } else if inner.contains("}}") {
            return Err("malformed".to_owned());
        } else {
            out.push_str("{{");
            rest = inner;
        }
    }
    out.push_str(rest);
    Ok(out)
}

fn values() -> BTreeMap<&'static str, &'static str> {
    BTreeMap::from([("cwd", "/home/secret"), ("model", "m"), ("provider", "p")])
}

#[test]
fn the_model_of_the_host_refuses_what_the_host_refuses() {
    assert!(interpolate("{{name}}", &values()).is_err());
    assert!(interpolate("{{ user.name }}", &values()).is_err());
    assert!(interpolate("a {{ b }} far", &values()).is_err());
    assert!(interpolate("{{}}", &values()).is_err());
    assert!(interpolate("{{ { }}", &values()).is_err());
    assert_eq!(interpolate("{{cwd}}", &values()).unwrap(), "/home/secret");
    assert_eq!(interpolate("a {{ b", &values()).unwrap(), "a {{ b");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn masking_is_idempotent(text in text()) {
        let masked = mask(&text).into_owned();
        prop_assert_eq!(mask(&masked), masked.as_str());
    }

    #[test]
    fn mask_then_detect_is_empty(text in text()) {
        let masked = mask(&text).into_owned();
        prop_assert_eq!(detect(&masked), [], "in {:?}", masked);
    }

    #[test]
    fn findings_are_sorted_and_on_character_boundaries(text in text()) {
        let found = detect(&text);
        prop_assert!(found.windows(2).all(|w| w[0].span.start <= w[1].span.start));
        for finding in found {
            prop_assert!(!finding.span.is_empty());
            prop_assert!(text.get(finding.span).is_some());
        }
    }

    /// What the mask leaves is the text between the secrets, in order.
    #[test]
    fn masking_leaves_the_text_around_unchanged(text in text()) {
        let masked = mask(&text).into_owned();
        let mut rest = text.as_str();
        for (n, kept) in masked.split("[REDACTED]").enumerate() {
            match rest.find(kept) {
                Some(at) => {
                    prop_assert!(n > 0 || at == 0);
                    rest = &rest[at + kept.len()..];
                }
                None => prop_assert!(false, "{:?} is not in {:?}", kept, text),
            }
        }
    }

    #[test]
    fn nothing_is_left_across_fields(a in text(), b in text(), c in piece()) {
        let (text, tags) = mask_across(&a, &[b, c]);
        prop_assert_eq!(detect_across(&text, &tags), []);
    }

    #[test]
    fn neutral_text_never_throws_and_never_expands(text in text()) {
        let neutral = neutralise(&text);
        prop_assert_eq!(interpolate(&neutral, &values()), Ok(neutral.clone()));
        let bad = "<＜‹〈\n\r\u{2028}\u{202e}\u{200b}\u{0}\u{e0069}";
        let any_bad = neutral.contains(|c| bad.contains(c));
        prop_assert!(!any_bad, "{}", neutral);
        let doubled = neutral.contains("{{") || neutral.contains("}}");
        prop_assert!(!doubled);
    }

    #[test]
    fn neutral_texts_may_be_joined(
        texts in prop::collection::vec(text(), 0..6),
        between in prop::sample::select(vec!["", " ", "\n- ", " · ", "{", "}"]),
    ) {
        let joined = texts.iter().map(|t| neutralise(t)).collect::<Vec<_>>().join(between);
        prop_assert_eq!(interpolate(&joined, &values()), Ok(joined.clone()));
    }

    #[test]
    fn neutralising_is_idempotent(text in text()) {
        let once = neutralise(&text);
        prop_assert_eq!(neutralise(&once), once);
    }

    #[test]
    fn what_was_shown_can_be_compared(text in "[a-zA-Z <>{}.]{0,40}") {
        prop_assert_eq!(restore(&neutralise(&text)), text);
    }

    #[test]
    fn revealed_text_is_on_one_line_and_hides_nothing(text in text()) {
        let shown = reveal(&text);
        let hides = |c: char| c.is_control() || "\u{200b}\u{202e}\u{2028}\u{feff}\u{e0069}".contains(c);
        prop_assert!(!shown.chars().any(hides), "{}", shown);
        let visible = |s: &str| s.chars().filter(|c| c.is_alphanumeric()).count();
        prop_assert!(visible(&shown) >= visible(&text));
    }

    #[test]
    fn anchors_stand_in_the_text_and_hold_no_secret(text in text()) {
        let text = neutralise(&text);
        let found = anchors(&text);
        for anchor in &found {
            prop_assert!(text.contains(anchor.as_str()));
        }
        prop_assert_eq!(vanished(&found, &text), Vec::<String>::new());
        prop_assert!(vanished(&found, "").len() <= 5);
    }
}

#[test]
fn a_secret_in_or_across_tags_is_found() {
    let mut lot = Lot(5);
    for _ in 0..40 {
        let token = format!("ghp_{}", lot.draw(ALNUM, 36));
        let fields = |text: &str, tags: &[&str]| {
            let tags: Vec<String> = tags.iter().map(|&t| t.to_owned()).collect();
            let found = detect_across(text, &tags);
            let (masked, masked_tags) = mask_across(text, &tags);
            assert_eq!(detect_across(&masked, &masked_tags), []);
            found.iter().map(|f| f.field).collect::<Vec<_>>()
        };
        assert_eq!(fields("ci cred", &["x", &token]), [Field::Tag(1)]);
        for cut in [8, 20, 36] {
            let (a, b) = token.split_at(cut);
            assert_eq!(fields(&format!("ci cred {a}"), &[b]), [Field::Text, Field::Tag(0)]);
            assert_eq!(
                fields(&format!("ci cred {a} for builds"), &["ci", b]),
                [Field::Text, Field::Tag(1)]
            );
            assert_eq!(fields(&format!("ends in {b}"), &[a]), [Field::Text, Field::Tag(0)]);
            assert_eq!(fields("split", &[a, b]), [Field::Tag(0), Field::Tag(1)]);
        }
        let password = format!("{}!x9", lot.draw(ALNUM, 8));
        assert_eq!(fields("the staging password", &[&password]), [Field::Tag(0)]);
        assert_eq!(fields(&password, &["password"]), [Field::Text]);
    }
    let quiet =
        detect_across("we use sk-learn and npm", &["build".into(), "ci".into(), "k8s".into()]);
    assert_eq!(quiet, []);
}
