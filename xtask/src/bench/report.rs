//! What was measured, as tables with ratios.

use std::fmt;

use serde::Serialize;

/// Everything.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) rounds: Vec<Round>,
}

/// All contestants over the same facts.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Round {
    pub(super) facts: usize,
    /// Texts and tags.
    pub(super) text_bytes: usize,
    pub(super) contestants: Vec<Contestant>,
}

/// One of them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Contestant {
    name: String,
    #[serde(flatten)]
    result: Result,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase", untagged)]
enum Result {
    Skipped {
        skipped: String,
    },
    #[serde(rename_all = "camelCase")]
    Measured {
        build_ms: f64,
        bytes: Option<f64>,
        samples: usize,
        median_us: f64,
        p99_us: f64,
    },
}

impl Contestant {
    /// `samples` are microseconds, in any order.
    pub(super) fn new(
        name: &str,
        build_ms: f64,
        bytes: Option<f64>,
        mut samples: Vec<f64>,
    ) -> Self {
        if samples.is_empty() {
            return Self::skipped(name, "it answered nothing".to_owned());
        }
        samples.sort_by(f64::total_cmp);
        // The nearest rank.
        let at = |percent: usize| samples[(samples.len() * percent).div_ceil(100).max(1) - 1];
        let (median_us, p99_us) = (at(50), at(99));
        let samples = samples.len();
        let result = Result::Measured { build_ms, bytes, samples, median_us, p99_us };
        Self { name: name.to_owned(), result }
    }

    /// One that did not run.
    pub(super) fn skipped(name: &str, why: String) -> Self {
        Self { name: name.to_owned(), result: Result::Skipped { skipped: why } }
    }
}

impl Round {
    fn median(&self, name: &str) -> Option<f64> {
        let contestant = self.contestants.iter().find(|contestant| contestant.name == name)?;
        match contestant.result {
            Result::Measured { median_us, .. } => Some(median_us),
            Result::Skipped { .. } => None,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for round in &self.rounds {
            write!(f, "\n{round}")?;
        }
        writeln!(
            f,
            "\nTwenty hits for a query unless it says otherwise. wasm: a memory_recall call \
             through the\nboundary, JSON both ways and its answer as a model reads it; its build \
             reads and checks the\nrows, and its memory holds them. native: the index alone."
        )
    }
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} facts, {} kB of text", self.facts, self.text_bytes.div_ceil(1000))?;
        writeln!(
            f,
            "{:14} {:>11} {:>11} {:>11} {:>10} {:>8}",
            "", "median", "p99", "build", "bytes/byte", "÷ wasm"
        )?;
        let ours = self.median("wasm");
        for Contestant { name, result } in &self.contestants {
            match result {
                Result::Skipped { skipped } => writeln!(f, "{name:14} skipped: {skipped}")?,
                Result::Measured { build_ms, bytes, median_us, p99_us, .. } => {
                    #[allow(clippy::cast_precision_loss, reason = "far below 2^53")]
                    let text = self.text_bytes as f64;
                    let bytes =
                        bytes.map_or("—".to_owned(), |bytes| format!("{:.1}", bytes / text));
                    let ratio =
                        ours.map_or("—".to_owned(), |ours| format!("{:.2}", median_us / ours));
                    let (median, p99) = (time(*median_us), time(*p99_us));
                    let build = time(build_ms * 1000.0);
                    writeln!(
                        f,
                        "{name:14} {median:>11} {p99:>11} {build:>11} {bytes:>10} {ratio:>8}"
                    )?;
                }
            }
        }
        if let (Some(native), Some(wasm)) = (self.median("native"), ours) {
            write!(f, "wasm ÷ native {:.1}", wasm / native)?;
            if let Some(flexsearch) = self.median("flexsearch") {
                write!(f, ", flexsearch ÷ wasm {:.2}", flexsearch / wasm)?;
                write!(f, ", flexsearch ÷ native {:.2}", flexsearch / native)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

fn time(us: f64) -> String {
    if us < 1000.0 {
        format!("{us:.1} µs")
    } else if us < 1_000_000.0 {
        format!("{:.1} ms", us / 1000.0)
    } else {
        format!("{:.2} s", us / 1_000_000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_and_p99_are_the_nearest_ranks() {
        let samples = (1..=200).rev().map(f64::from).collect();
        let round = Round {
            facts: 1,
            text_bytes: 10,
            contestants: vec![
                Contestant::new("wasm", 1.0, Some(25.0), samples),
                Contestant::skipped("fts5 trigram", "no SQLite".to_owned()),
            ],
        };
        assert_eq!(round.median("wasm"), Some(100.0));
        let shown = Report { rounds: vec![round] }.to_string();
        for part in ["100.0 µs", "198.0 µs", "1.0 ms", "2.5", "skipped: no SQLite"] {
            assert!(shown.contains(part), "{part} is not in\n{shown}");
        }
        assert!(matches!(Contestant::new("x", 0.0, None, vec![]).result, Result::Skipped { .. }));
    }
}
