//! What a recall answers, and the integers that order it.

use std::cmp::Reverse;

use memory_core::UnixMillis;

/// How a recall is bounded and what "fresh" means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecallOptions {
    /// Most hits.
    pub limit: usize,
    /// The time, in ms since the epoch.
    pub now: UnixMillis,
    /// Changed at most this many days ago: fresh.
    pub fresh_window_days: u64,
    /// Changed more than this many days ago: stale.
    pub stale_window_days: u64,
}

impl Default for RecallOptions {
    fn default() -> Self {
        Self { limit: 20, now: 0, fresh_window_days: 7, stale_window_days: 90 }
    }
}

/// How a fact was found. A lower number is better, whatever the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Its tags cover the query.
    Tag = 1,
    /// Its text holds a word of the query.
    Text = 2,
    /// Only a tag resembles one.
    Fuzzy = 3,
}

/// A fact that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The fact's id.
    pub id: String,
    /// How it was found; `None` in a listing without a query.
    pub tier: Option<Tier>,
    /// How well, within its tier. Not comparable between queries.
    pub score: u32,
    /// Words of the query that it was found by, folded, in the query's order.
    pub matched: Vec<String>,
}

/// The answer to a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recall {
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// When a query found nothing: at most three tags that come closest.
    pub closest_tags: Vec<String>,
}

/// The order of hits. Field by field, so that no score of a lower tier and no
/// signal can outweigh what stands before it.
pub(crate) type Rank<'a> = (Tier, Reverse<u32>, Reverse<u32>, Reverse<UnixMillis>, &'a str);

/// Freshness 1.0, 0.8 or 0.5 and accesses/10 up to 1, each weighted with 0.4,
/// in thousandths. Windows are inclusive; a date in the future is fresh.
pub(crate) fn signal(updated_at: UnixMillis, accesses: u64, options: &RecallOptions) -> u32 {
    const DAY: u64 = 86_400_000;
    let age = options.now.saturating_sub(updated_at);
    let within = |days: u64| age <= days.saturating_mul(DAY);
    let freshness = if within(options.fresh_window_days) {
        400
    } else if within(options.stale_window_days) {
        320
    } else {
        200
    };
    let accesses = u32::try_from(accesses.min(10)).unwrap_or(10);
    freshness + 40 * accesses
}

/// How much a word counts that `holding` of `all` facts hold: the binary
/// logarithm of `(all + 1) / holding`, in 1/64, never 0. Integers only, since
/// the last bit of a floating-point logarithm differs between machines.
pub(crate) fn rarity(holding: usize, all: usize) -> u32 {
    let (holding, all) = (holding.max(1) as u64, all.max(holding) as u64 + 1);
    // The ratio as a fixed-point number with 24 fraction bits.
    let mut ratio = (all << 24) / holding;
    let whole = ratio.ilog2() - 24;
    ratio >>= whole;
    let mut fraction = 0;
    for bit in (0..6).rev() {
        ratio = (ratio * ratio) >> 24;
        if ratio >= 2 << 24 {
            ratio >>= 1;
            fraction |= 1 << bit;
        }
    }
    ((whole << 6) | fraction).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rarity_is_a_logarithm() {
        assert_eq!(rarity(1, 1), 64);
        assert_eq!(rarity(1, 3), 128);
        assert_eq!(rarity(1, 1023), 640);
        assert_eq!(rarity(2, 5), 101); // 64 · log2(3) = 101.4
        assert_eq!(rarity(100, 100), 1);
        assert!(rarity(1, 10_000_000) > rarity(2, 10_000_000));
    }

    #[test]
    fn signals_are_the_design_s() {
        let options = RecallOptions { now: 100 * 86_400_000, ..RecallOptions::default() };
        let at = |days: u64| (100 - days) * 86_400_000;
        assert_eq!(signal(at(2), 3, &options), 520);
        assert_eq!(signal(at(7), 0, &options), 400);
        assert_eq!(signal(at(30), 0, &options), 320);
        assert_eq!(signal(at(90), 0, &options), 320);
        assert_eq!(signal(at(91), 25, &options), 600);
        assert_eq!(signal(u64::MAX, 0, &options), 400);
    }
}
