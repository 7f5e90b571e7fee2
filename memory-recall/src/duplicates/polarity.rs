//! Whether a text says that something is so or that it is not.

/// A word that turns the meaning round, and the word it stands against. Words
/// that are only there or not, such as `never`, stand against nothing.
pub(super) struct Mark {
    /// The word without the mark.
    pub(super) neutral: &'static str,
    /// Whether it turns the meaning round.
    pub(super) negative: bool,
}

/// Plain negations, in the languages that developers write notes in most.
const NEGATIONS: &[&str] = &[
    "not",
    "no",
    "never",
    "none",
    "cannot",
    "cant",
    "dont",
    "doesnt",
    "isnt",
    "wont",
    "neither",
    "nor",
    "avoid", // English
    "nicht",
    "kein",
    "keine",
    "keinen",
    "nie",
    "niemals", // German
    "ne",
    "pas",
    "jamais",
    "aucun",
    "aucune", // French
    "nunca",
    "ningún",
    "ninguna",
    "jamás",
    "não",
    "non",
    "mai", // Spanish, Portuguese, Italian
    "не",
    "нет",
    "нельзя",
    "никогда",
    "без",
    "ні",
    "нема", // Russian, Ukrainian
];

/// Words that only stress that there is no negation.
const STRESS: &[&str] = &["always", "immer", "toujours", "siempre", "всегда"];

/// Words against each other: the neutral, then those that deny it.
const OPPOSITES: &[(&str, &[&str], &[&str])] = &[
    (
        "enable",
        &["enable", "enables", "enabled", "enabling", "activate", "activated"],
        &["disable", "disables", "disabled", "disabling", "deactivate", "deactivated"],
    ),
    (
        "allow",
        &["allow", "allows", "allowed", "permit", "permits", "permitted"],
        &[
            "disallow",
            "disallows",
            "disallowed",
            "forbid",
            "forbids",
            "forbidden",
            "deny",
            "denies",
            "denied",
            "prohibit",
            "prohibits",
            "prohibited",
        ],
    ),
    ("with", &["with"], &["without"]),
    ("on", &["on"], &["off"]),
    ("true", &["true"], &["false"]),
    ("include", &["include", "includes", "included"], &["exclude", "excludes", "excluded"]),
    ("required", &["required", "mandatory"], &["optional"]),
    ("supported", &["supported"], &["unsupported"]),
    ("safe", &["safe"], &["unsafe"]),
    ("before", &["before"], &["after"]),
];

/// What a folded word says, when it is a mark.
pub(super) fn mark(word: &str) -> Option<Mark> {
    if NEGATIONS.contains(&word) || word.ends_with("n't") || word.ends_with("n’t") {
        return Some(Mark { neutral: "", negative: true });
    }
    if STRESS.contains(&word) {
        return Some(Mark { neutral: "", negative: false });
    }
    OPPOSITES.iter().find_map(|(neutral, so, not_so)| {
        let negative = not_so.contains(&word);
        (negative || so.contains(&word)).then_some(Mark { neutral, negative })
    })
}

/// Marks within CJK text, simplified, longest first among those that begin
/// alike; the last part is empty where the mark only is there or not. Words
/// that hold a mark by accident stand for themselves.
const CJK: &[(&str, bool, &str)] = &[
    // No negations.
    ("不同", false, "不同"),
    ("不过", false, "不过"),
    ("不仅", false, "不仅"),
    ("不但", false, "不但"),
    ("不断", false, "不断"),
    ("非常", false, "非常"),
    ("别名", false, "别名"),
    ("区别", false, "区别"),
    ("级别", false, "级别"),
    ("特别", false, "特别"),
    ("类别", false, "类别"),
    ("未来", false, "未来"),
    ("无线", false, "无线"),
    ("无论", false, "无论"),
    ("必须", false, ""),
    ("总是", false, ""),
    // Opposites.
    ("禁用", true, "启用"),
    ("停用", true, "启用"),
    ("关闭", true, "开启"),
    ("打开", false, "开启"),
    ("禁止", true, ""),
    ("允许", false, ""),
    ("可以", false, ""),
    ("不允许", true, ""),
    ("之后", true, "之前"),
    ("無効", true, "有効"),
    ("无効", true, "有効"),
    ("비활성화", true, "활성화"),
    ("금지", true, "허용"),
    // Negations.
    ("不要", true, ""),
    ("不能", true, ""),
    ("不可以", true, ""),
    ("不得", true, ""),
    ("不会", true, ""),
    ("不是", true, "是"),
    ("没有", true, ""),
    ("切勿", true, ""),
    ("从不", true, ""),
    ("不", true, ""),
    ("没", true, ""),
    ("别", true, ""),
    ("勿", true, ""),
    ("未", true, ""),
    ("无", true, ""),
    ("非", true, ""),
    ("ません", true, "ます"),
    ("しない", true, "する"),
    ("ない", true, ""),
    ("않는다", true, "한다"),
    ("않", true, ""),
    ("말", true, ""),
];

/// The mark at the beginning of folded CJK text: the mark itself, whether it
/// turns the meaning round, and the text without it.
pub(super) fn cjk_mark(text: &str) -> Option<(&'static str, bool, &'static str)> {
    CJK.iter()
        .filter(|(mark, ..)| text.starts_with(mark))
        .max_by_key(|(mark, ..)| mark.len())
        .copied()
}
