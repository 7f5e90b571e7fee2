//! The configuration of the plugin row: every key, its default and its bounds.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{ErrorCode, MemoryError, code_points};

/// What happens to a write that holds what looks like a secret.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SecretPolicy {
    /// The write fails with `MEMORY_SECRET_REJECTED`.
    #[default]
    Reject,
    /// The secret is replaced before it is stored.
    Mask,
    /// Stored as given; still masked wherever it is shown.
    Off,
}

/// Every configuration key. Lengths are Unicode code points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
#[allow(clippy::struct_excessive_bools, reason = "the keys are the contract")]
pub struct Config {
    /// Put the workspace profile, pending proposals and active alarms into the system prompt.
    pub inject_profile: bool,
    /// Most active facts that one workspace holds.
    #[schemars(range(min = 1, max = 10_000))]
    pub max_facts_per_workspace: u64,
    /// Longest fact, in code points.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub max_fact_chars: u64,
    /// Most profile entries that one workspace holds; 0 allows none.
    #[schemars(range(min = 0, max = 100))]
    pub max_profile_entries: u64,
    /// Longest profile entry, in code points.
    #[schemars(range(min = 1, max = 100_000))]
    pub max_profile_entry_chars: u64,
    /// Ask a person before every write.
    pub approval_writes: bool,
    /// A fact changed at most this many days ago is fresh.
    pub recall_fresh_window_days: u64,
    /// A fact changed more than this many days ago is stale.
    pub recall_stale_window_days: u64,
    /// What happens to a write that holds what looks like a secret.
    pub secret_policy: SecretPolicy,
    /// Distil proposals from a session when it ends (one model call).
    pub propose_on_session_end: bool,
    /// Provider route of that call.
    #[schemars(length(min = 1))]
    pub proposal_provider: String,
    /// Model of that call.
    #[schemars(length(min = 1))]
    pub proposal_model: String,
    /// Most proposals from one session.
    #[schemars(range(min = 1, max = 20))]
    pub proposal_max_facts: u64,
    /// Most pending proposals of one workspace.
    #[schemars(range(min = 1, max = 64))]
    pub proposal_max_pending: u64,
    /// Days after which a pending proposal expires.
    #[schemars(range(min = 1, max = 365))]
    pub proposal_ttl_days: u64,
    /// Watch compaction summaries for dropped anchors.
    pub compaction_guard: bool,
    /// Hours after which an alarm expires.
    #[schemars(range(min = 1, max = 720))]
    pub guard_alarm_ttl_hours: u64,
    /// Most active alarms of one workspace.
    #[schemars(range(min = 1, max = 16))]
    pub guard_alarm_max: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            inject_profile: true,
            max_facts_per_workspace: 300,
            max_fact_chars: 2000,
            max_profile_entries: 8,
            max_profile_entry_chars: 240,
            approval_writes: true,
            recall_fresh_window_days: 7,
            recall_stale_window_days: 90,
            secret_policy: SecretPolicy::Reject,
            propose_on_session_end: false,
            proposal_provider: "deepseek-official".to_owned(),
            proposal_model: "deepseek-v4-flash".to_owned(),
            proposal_max_facts: 8,
            proposal_max_pending: 16,
            proposal_ttl_days: 7,
            compaction_guard: true,
            guard_alarm_ttl_hours: 24,
            guard_alarm_max: 3,
        }
    }
}

/// A configuration that can be used, and what its author should know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadedConfig {
    /// The configuration with defaults filled in.
    pub config: Config,
    /// One sentence for each key that this version does not know.
    pub warnings: Vec<String>,
}

/// A configuration that cannot be used: every problem, one a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    problems: Vec<String>,
}

impl ConfigError {
    /// Every problem, in the order of the keys.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid configuration: {}", self.problems.join("; "))
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// Reads the configuration block of the plugin row. A missing block or key
    /// takes its default. An unknown key is reported with the nearest known
    /// name and otherwise ignored, so that a newer file still boots here.
    ///
    /// # Errors
    /// [`ConfigError`] with every value of a wrong type or out of bounds.
    pub fn load(value: &Value) -> Result<LoadedConfig, ConfigError> {
        let given = match value {
            Value::Null => Map::new(),
            Value::Object(map) => map.clone(),
            _ => {
                return Err(ConfigError {
                    problems: vec!["the configuration must be a mapping of keys".to_owned()],
                });
            }
        };
        let mut problems = Vec::new();
        let mut merged = defaults();
        let mut warnings = Vec::new();
        for (key, value) in given {
            if !merged.contains_key(&key) {
                warnings.push(unknown_key(&key, &merged));
            } else if value.is_null() {
                // `key:` with nothing after it means the default, as a missing key does.
            } else {
                // YAML readers hand whole numbers over as `8.0` at times.
                merged.insert(key, integer(&value).map_or(value, Value::from));
            }
        }
        for (key, bounds) in &BOUNDS {
            check_bounds(key, bounds, &merged, &mut problems);
        }
        if problems.is_empty() {
            match serde_json::from_value::<Self>(Value::Object(merged)) {
                Ok(config) if config.recall_fresh_window_days > config.recall_stale_window_days => {
                    problems.push(format!(
                        "recallFreshWindowDays must be ≤ recallStaleWindowDays, got {} and {}",
                        config.recall_fresh_window_days, config.recall_stale_window_days
                    ));
                }
                Ok(config) => return Ok(LoadedConfig { config, warnings }),
                Err(error) => problems.push(error.to_string()),
            }
        }
        Err(ConfigError { problems })
    }

    /// The bounds on what is written.
    pub fn caps(&self) -> Caps {
        Caps {
            facts: self.max_facts_per_workspace,
            fact_chars: self.max_fact_chars,
            profile_entries: self.max_profile_entries,
            profile_entry_chars: self.max_profile_entry_chars,
        }
    }
}

/// The form that a value must have.
enum Bounds {
    Bool,
    Integer(u64, u64),
    NonEmpty,
    OneOf(&'static [&'static str]),
}

/// JavaScript hosts hold integers exactly up to here.
const MAX_SAFE: u64 = (1 << 53) - 1;

const BOUNDS: [(&str, Bounds); 18] = [
    ("injectProfile", Bounds::Bool),
    ("maxFactsPerWorkspace", Bounds::Integer(1, 10_000)),
    ("maxFactChars", Bounds::Integer(1, 1_000_000)),
    ("maxProfileEntries", Bounds::Integer(0, 100)),
    ("maxProfileEntryChars", Bounds::Integer(1, 100_000)),
    ("approvalWrites", Bounds::Bool),
    ("recallFreshWindowDays", Bounds::Integer(0, MAX_SAFE)),
    ("recallStaleWindowDays", Bounds::Integer(0, MAX_SAFE)),
    ("secretPolicy", Bounds::OneOf(&["reject", "mask", "off"])),
    ("proposeOnSessionEnd", Bounds::Bool),
    ("proposalProvider", Bounds::NonEmpty),
    ("proposalModel", Bounds::NonEmpty),
    ("proposalMaxFacts", Bounds::Integer(1, 20)),
    ("proposalMaxPending", Bounds::Integer(1, 64)),
    ("proposalTtlDays", Bounds::Integer(1, 365)),
    ("compactionGuard", Bounds::Bool),
    ("guardAlarmTtlHours", Bounds::Integer(1, 720)),
    ("guardAlarmMax", Bounds::Integer(1, 16)),
];

fn check_bounds(key: &str, bounds: &Bounds, values: &Map<String, Value>, out: &mut Vec<String>) {
    let Some(value) = values.get(key) else { return };
    let problem = match bounds {
        Bounds::Bool if !value.is_boolean() => "true or false".to_owned(),
        Bounds::Integer(min, max) => match integer(value) {
            Some(n) if (*min..=*max).contains(&n) => return,
            _ if *max == MAX_SAFE => format!("a whole number of at least {min}"),
            _ => format!("a whole number from {min} to {max}"),
        },
        Bounds::NonEmpty if value.as_str().is_none_or(str::is_empty) => {
            "a non-empty text".to_owned()
        }
        Bounds::OneOf(names) if !value.as_str().is_some_and(|s| names.contains(&s)) => {
            format!("one of {}", names.join(", "))
        }
        _ => return,
    };
    out.push(format!("{key} must be {problem}, got {value}"));
}

/// The value as a whole number that JavaScript holds exactly, if it is one.
fn integer(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        let f = value.as_f64()?;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "checked to be a whole number within the exact range"
        )]
        (f >= 0.0 && f <= MAX_SAFE as f64 && f.fract() == 0.0).then_some(f as u64)
    })
}

fn defaults() -> Map<String, Value> {
    match serde_json::to_value(Config::default()) {
        Ok(Value::Object(map)) => map,
        _ => Map::new(),
    }
}

fn unknown_key(key: &str, known: &Map<String, Value>) -> String {
    let nearest = known
        .keys()
        .map(|name| (strsim::damerau_levenshtein(&name.to_lowercase(), &key.to_lowercase()), name))
        .min();
    match nearest {
        // A third of the name may be wrong; beyond that a guess misleads.
        Some((distance, name)) if distance * 3 <= code_points(name) => {
            format!("unknown configuration key `{key}` is ignored; did you mean `{name}`?")
        }
        _ => format!("unknown configuration key `{key}` is ignored"),
    }
}

/// The bounds on what is written. Reads are bounded by their own arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// Most active facts of one workspace.
    pub facts: u64,
    /// Longest fact, in code points.
    pub fact_chars: u64,
    /// Most profile entries of one workspace.
    pub profile_entries: u64,
    /// Longest profile entry, in code points.
    pub profile_entry_chars: u64,
}

impl Default for Caps {
    fn default() -> Self {
        Config::default().caps()
    }
}

impl Caps {
    /// Checks the length of a fact.
    ///
    /// # Errors
    /// `MEMORY_CAP_EXCEEDED` with the length, the cap and what to do.
    pub fn check_fact_text(&self, text: &str) -> Result<(), MemoryError> {
        let length = code_points(text) as u64;
        if length <= self.fact_chars {
            return Ok(());
        }
        Err(MemoryError::new(
            ErrorCode::CapExceeded,
            format!("the fact has {length} characters, the cap is {}", self.fact_chars),
        )
        .advise("shorten it or split it into several facts"))
    }

    /// Checks that a workspace with `active` facts may hold one more.
    ///
    /// # Errors
    /// `MEMORY_CAP_EXCEEDED` with the count, the cap and what to do.
    pub fn check_room_for_fact(&self, active: usize) -> Result<(), MemoryError> {
        if (active as u64) < self.facts {
            return Ok(());
        }
        Err(MemoryError::new(
            ErrorCode::CapExceeded,
            format!("the workspace holds {active} facts, the cap is {}", self.facts),
        )
        .advise("merge near-duplicates (memory_consolidate) or forget what no longer holds"))
    }

    /// Checks a profile entry's length.
    ///
    /// # Errors
    /// `MEMORY_CAP_EXCEEDED` with the length, the cap and what to do.
    pub fn check_profile_entry(&self, entry: &str) -> Result<(), MemoryError> {
        let length = code_points(entry) as u64;
        if length <= self.profile_entry_chars {
            return Ok(());
        }
        Err(MemoryError::new(
            ErrorCode::CapExceeded,
            format!("the entry has {length} characters, the cap is {}", self.profile_entry_chars),
        )
        .advise("shorten it, or store it as a fact"))
    }

    /// Checks that a profile may grow to `entries`. A profile that is over a
    /// lowered cap may still shrink, so only growth is checked.
    ///
    /// # Errors
    /// `MEMORY_CAP_EXCEEDED` with the count, the cap and what to do.
    pub fn check_profile_growth(&self, entries: usize) -> Result<(), MemoryError> {
        if entries as u64 <= self.profile_entries {
            return Ok(());
        }
        Err(MemoryError::new(
            ErrorCode::CapExceeded,
            format!(
                "the profile would hold {entries} entries, the cap is {}",
                self.profile_entries
            ),
        )
        .advise("replace or drop an entry (profile_index), or store it as a fact"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_defaults_are_the_contract() {
        insta::assert_json_snapshot!("config_defaults", Config::default());
        insta::assert_json_snapshot!("config_schema", schemars::schema_for!(Config));
    }

    #[test]
    fn nothing_given_means_all_defaults() {
        for value in [json!(null), json!({}), json!({ "maxFactChars": null })] {
            let loaded = Config::load(&value).unwrap();
            assert_eq!(loaded.config, Config::default());
            assert!(loaded.warnings.is_empty());
        }
    }

    #[test]
    fn every_bound_is_named_with_its_value() {
        let error = Config::load(&json!({
            "injectProfile": "yes", "maxFactsPerWorkspace": 0, "maxFactChars": 1.5,
            "recallFreshWindowDays": -1, "secretPolicy": "loud", "proposalModel": "",
        }))
        .unwrap_err();
        insta::assert_snapshot!(error.problems().join("\n"), @r#"
        injectProfile must be true or false, got "yes"
        maxFactsPerWorkspace must be a whole number from 1 to 10000, got 0
        maxFactChars must be a whole number from 1 to 1000000, got 1.5
        recallFreshWindowDays must be a whole number of at least 0, got -1
        secretPolicy must be one of reject, mask, off, got "loud"
        proposalModel must be a non-empty text, got ""
        "#);
    }

    #[test]
    fn bounds_are_inclusive() {
        for (key, bounds) in &BOUNDS {
            if let Bounds::Integer(min, max) = bounds {
                for ok in [*min, *max] {
                    let mut config = json!({ *key: ok });
                    if *key == "recallFreshWindowDays" {
                        config["recallStaleWindowDays"] = json!(MAX_SAFE);
                    } else if *key == "recallStaleWindowDays" {
                        config["recallFreshWindowDays"] = json!(0);
                    }
                    assert!(Config::load(&config).is_ok(), "{key} = {ok}");
                }
                assert!(Config::load(&json!({ *key: max + 1 })).is_err(), "{key} = {max} + 1");
            }
        }
        assert_eq!(BOUNDS.len(), defaults().len());
    }

    #[test]
    fn whole_numbers_written_as_fractions_are_numbers() {
        let loaded = Config::load(&json!({ "maxProfileEntries": 4.0 }));
        assert_eq!(loaded.unwrap().config.max_profile_entries, 4);
    }

    #[test]
    fn the_fresh_window_lies_within_the_stale_one() {
        let windows = |fresh, stale| {
            Config::load(&json!({ "recallFreshWindowDays": fresh, "recallStaleWindowDays": stale }))
        };
        assert!(windows(9, 9).is_ok());
        let error = windows(10, 9).unwrap_err().to_string();
        assert!(error.contains("recallFreshWindowDays must be ≤ recallStaleWindowDays"), "{error}");
    }

    #[test]
    fn an_unknown_key_is_reported_with_the_nearest_name() {
        let loaded = Config::load(&json!({ "maxFactChar": 10, "colour": "red" })).unwrap();
        insta::assert_snapshot!(loaded.warnings.join("\n"), @r"
        unknown configuration key `maxFactChar` is ignored; did you mean `maxFactChars`?
        unknown configuration key `colour` is ignored
        ");
        assert_eq!(loaded.config, Config::default());
    }

    #[test]
    fn lengths_are_code_points() {
        let caps = Caps { fact_chars: 2, ..Caps::default() };
        assert!(caps.check_fact_text("日本").is_ok());
        assert_eq!(caps.check_fact_text("日本語").unwrap_err().code(), ErrorCode::CapExceeded);
    }
}
