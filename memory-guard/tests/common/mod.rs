//! What the tests share: drawing by lot, so that no text that looks like a
//! secret stands in the source.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "each test file uses its part"
)]

pub const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
pub const HEX: &str = "0123456789abcdef";
pub const DIGIT: &str = "0123456789";
pub const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A small generator with a fixed seed.
pub struct Lot(pub u64);

impl Lot {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn draw(&mut self, set: &str, count: usize) -> String {
        let set: Vec<char> = set.chars().collect();
        (0..count).map(|_| set[self.below(set.len())]).collect()
    }

    /// Expands `⟦set*n⟧`; also gives what was drawn.
    pub fn expand(&mut self, text: &str) -> (String, Vec<String>) {
        let (mut out, mut drawn) = (String::new(), Vec::new());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('⟦') {
            let (spec, after) = after.split_once('⟧').unwrap();
            let (set, count) = spec.split_once('*').unwrap();
            let set = match set {
                "alnum" => ALNUM,
                "hex" => HEX,
                "digit" => DIGIT,
                "b64" => BASE64,
                other => panic!("unknown set {other}"),
            };
            let piece = self.draw(set, count.parse().unwrap());
            out.push_str(before);
            out.push_str(&piece);
            drawn.push(piece);
            rest = after;
        }
        out.push_str(rest);
        (out, drawn)
    }
}
