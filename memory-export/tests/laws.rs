//! Laws of the mirror, over texts that are made to break it.

#![allow(clippy::unwrap_used, reason = "a test may fail")]
mod common;

use std::collections::BTreeSet;

use common::{NOW, dialects, plain, read};
use memory_core::{Citation, Fact, FactKind, FactState, WorkspacePath, rfc3339};
use memory_export::{Verdict, render, verify};
use proptest::prelude::*;
use proptest::sample::select;
use pulldown_cmark::HeadingLevel;

/// Everything that is something to some Markdown parser, or to nobody's eye.
const TOKENS: &[&str] = &[
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "  ",
    "    ",
    "\u{a0}",
    "\u{3000}",
    "\u{85}",
    "\u{2028}",
    "`",
    "``",
    "```",
    "~~~",
    "~~",
    "~",
    "~/",
    "#",
    "# ",
    "## Facts (99)\n",
    "- ",
    "- [decision] ",
    "* ",
    "*",
    "**",
    "+ ",
    "1. ",
    "1) ",
    "> ",
    "> [!NOTE]\n",
    "===",
    "---",
    "***",
    "___",
    "+++",
    "| a | b |\n",
    "| a |\n|---|---",
    "|---|---|\n",
    "---|---\n",
    ":--|--:\n",
    ": ",
    "<b>",
    "</b>",
    "<!--",
    "-->",
    "<?",
    "?>",
    "<![CDATA[",
    "<script>",
    "<http://a.b>",
    "<1@a.b>",
    "<",
    ">",
    "&lt;",
    "&#60;",
    "&#x3c;",
    "&nbsp;",
    "&",
    ";",
    "\\",
    "\\\\",
    "[a](b)",
    "[a]: b\n",
    "[fact]: b\n",
    "[^1]",
    "[^1]: b\n",
    "![",
    "[",
    "]",
    "(",
    ")",
    "[[a]]",
    "[ ] ",
    "[x] ",
    "$",
    "$$",
    "$a$",
    "_",
    "__",
    "_a_",
    "{#id}",
    "{",
    "}",
    "http://x.y",
    "www.x.y",
    "!",
    "a",
    "b c",
    "1",
    "日本",
    "。",
    "é",
    "שלום",
    "مرحبا",
    "👨‍👩‍👧",
    "❤️‍🔥",
    "🏴\u{e0067}",
    "\u{202e}",
    "\u{2066}",
    "\u{200b}",
    "\u{200d}",
    "\u{fe0f}",
    "\u{feff}",
    "\u{3164}",
    "\0",
    "\u{1b}[2J",
    "\u{7f}",
    "\u{9b}",
    " — session s#1 — updated ",
    " — tags: `x`",
    ", ",
    "#1",
];

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => select(TOKENS).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => "[ -~]{0,6}",
    ];
    proptest::collection::vec(piece, 1..12).prop_map(|pieces| pieces.concat())
}

fn a_fact() -> impl Strategy<Value = Fact> {
    (
        "[0-9a-f]{1,12}|[0-9a-f]{8}-[0-9a-f]{4}",
        select(&FactKind::ALL[..]),
        text(),
        proptest::collection::vec(text(), 0..4),
        text(),
        0_u64..1 << 53,
        (0_u64..20, 0_u64..1 << 50),
    )
        .prop_map(|(id, kind, text, tags, session_id, seq, (created, later))| {
            let workspace = WorkspacePath::from_raw("/work/app").unwrap();
            let citation = Citation { session_id, seq };
            let mut fact = Fact::new(id, &workspace, kind, text, tags, citation, NOW + created);
            fact.updated_at += later;
            fact
        })
}

fn facts() -> impl Strategy<Value = Vec<Fact>> {
    proptest::collection::vec(a_fact(), 0..6).prop_map(|mut facts| {
        let mut seen = BTreeSet::new();
        facts.retain(|fact| seen.insert(fact.id.clone()));
        facts
    })
}

/// As CommonMark has it: NUL is replaced.
fn shown(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

proptest! {
    #[test]
    fn a_parser_reads_back_exactly_what_was_put_in(
        profile in proptest::collection::vec(text(), 0..4),
        facts in facts(),
    ) {
        let mirror = render(&plain(&profile, &facts));
        let mut expected: Vec<_> = facts
            .iter()
            .map(|fact| common::ReadFact {
                kind: fact.kind.to_string(),
                short_id: String::new(),
                citation: shown(&fact.citation().to_string()),
                created: rfc3339(fact.created_at),
                updated: rfc3339(fact.updated_at),
                text: shown(&fact.text),
                tags: fact.tags.iter().filter(|tag| !tag.is_empty()).cloned().collect(),
            })
            .collect();
        expected.sort();
        let kinds: BTreeSet<_> = facts.iter().map(|fact| fact.kind).collect();
        let mut headings = vec![
            (HeadingLevel::H1, "Workspace memory — dsh-native-memory export".to_owned()),
            (HeadingLevel::H2, "Profile".to_owned()),
            (HeadingLevel::H2, format!("Facts ({})", facts.len())),
        ];
        headings.extend(kinds.iter().map(|kind| (HeadingLevel::H3, kind.to_string())));
        let entries: Vec<_> = profile
            .iter()
            .filter(|entry| !entry.trim().is_empty())
            .map(|entry| shown(entry))
            .collect();

        for dialect in dialects() {
            let found = read(&mirror, dialect).map_err(TestCaseError::fail)?;
            let mut found_facts = found.facts;
            let ids: BTreeSet<_> = found_facts
                .iter_mut()
                .map(|found| std::mem::take(&mut found.short_id))
                .collect();
            prop_assert_eq!(ids.len(), facts.len());
            prop_assert!(ids.iter().all(|id| facts.iter().any(|fact| fact.id.starts_with(id))));
            found_facts.sort();
            prop_assert_eq!(&found_facts, &expected);
            prop_assert_eq!(&found.headings, &headings);
            prop_assert_eq!(&found.profile, &entries);
        }
    }

    #[test]
    fn nothing_in_the_file_is_invisible_or_a_command(
        profile in proptest::collection::vec(text(), 0..3),
        facts in facts(),
    ) {
        for c in render(&plain(&profile, &facts)).chars() {
            prop_assert!(matches!(c, '\n' | '\t') || !c.is_control(), "{c:?}");
            prop_assert!(!matches!(
                c,
                '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                    | '\u{feff}' | '\u{e0000}'..='\u{e0fff}'
            ), "{c:?}");
        }
    }

    #[test]
    fn export_of_permuted_input_is_equal(
        (facts, permuted) in facts().prop_flat_map(|facts| (Just(facts.clone()), Just(facts).prop_shuffle())),
    ) {
        prop_assert_eq!(render(&plain(&[], &facts)), render(&plain(&[], &permuted)));
    }

    #[test]
    fn a_recall_changes_no_byte(mut facts in facts(), count in any::<u64>()) {
        let before = render(&plain(&[], &facts));
        for fact in &mut facts {
            fact.access_count = Some(count);
            fact.last_accessed_at = Some(count);
        }
        prop_assert_eq!(before, render(&plain(&[], &facts)));
    }

    #[test]
    fn an_edit_moves_no_other_fact(mut facts in facts(), edited in any::<prop::sample::Index>(), text in text()) {
        prop_assume!(!facts.is_empty());
        let order = |facts: &[Fact]| -> Vec<String> {
            read(&render(&plain(&[], facts)), dialects()[0])
                .unwrap()
                .facts
                .into_iter()
                .map(|fact| fact.short_id)
                .collect()
        };
        let before = order(&facts);
        let edited = edited.index(facts.len());
        facts[edited].text = text;
        facts[edited].updated_at += 1;
        prop_assert_eq!(before, order(&facts));
    }

    #[test]
    fn forgotten_facts_are_not_shown(mut facts in facts()) {
        for fact in &mut facts {
            fact.state = FactState::Archived;
        }
        prop_assert_eq!(render(&plain(&[], &facts)), render(&plain(&[], [])));
    }

    #[test]
    fn a_mirror_verifies_until_a_character_changes(
        facts in facts(),
        at in any::<prop::sample::Index>(),
        c in any::<char>(),
    ) {
        let mirror = render(&plain(&[], &facts));
        prop_assert_eq!(verify(&mirror), Verdict::Unchanged);
        prop_assert_eq!(verify(&mirror.replace('\n', "\r\n")), Verdict::Unchanged);
        let mut chars: Vec<char> = mirror.chars().collect();
        let at = at.index(chars.len());
        prop_assume!(chars[at] != c);
        chars[at] = c;
        prop_assert_eq!(verify(&chars.into_iter().collect::<String>()), Verdict::Changed);
    }
}
