//! How fast texts are judged: prose, source, and texts made to be slow.
//!
//! `cargo run --release -p memory-guard --example measure [-- DIR…]` prints
//! MB/s for each, and how many times longer than prose a byte takes. With
//! folders, it also lists what is found in their text files.

use std::path::{Path, PathBuf};

#[allow(clippy::disallowed_methods, reason = "this program measures time")]
fn nanos_per_byte(text: &str, judge: fn(&str) -> usize) -> f64 {
    let mut best = f64::MAX;
    for _ in 0..3 {
        let start = std::time::Instant::now();
        std::hint::black_box(judge(std::hint::black_box(text)));
        let nanos = start.elapsed().as_secs_f64() * 1e9;
        #[allow(clippy::cast_precision_loss, reason = "a megabyte")]
        let each = nanos / text.len() as f64;
        best = best.min(each);
    }
    best
}

const MB: usize = 1 << 20;

fn filled(piece: &str) -> String {
    piece.repeat(MB / piece.len() + 1)
}

fn texts() -> Vec<(&'static str, String)> {
    let prose = "The build uses pnpm, and the store is kept in the cache between two runs. \
                 Ask before you change the password policy; tokens are rotated every month, \
                 and the key to the vault is with the people on call (see docs/ops/vault.md).\n";
    let header = "-----BEGIN PRIVATE KEY-----";
    vec![
        ("prose", filled(prose)),
        ("headers of keys", filled(header)),
        ("headers of keys, lines", filled(&format!("{header}\n"))),
        ("headers, footers", filled(&format!("{header}\n-----END "))),
        ("ab-", filled("ab-")),
        ("quotes", filled("\"")),
        ("mixed quotes", filled("\"'`")),
        ("escaped quotes", filled("\\\"")),
        ("password=", filled("password=")),
        ("password: \"", filled("password: \"")),
        ("password is ", filled("password is ")),
        ("token token", filled("token ")),
        ("密码", filled("密码")),
        ("密码：", filled("密码：")),
        ("sk-", filled("sk-")),
        ("sk- ", filled("sk- ")),
        ("sk-a1 ", filled("sk-a1B2c3d4 ")),
        ("ghp_ spaced", filled("g h p _ ")),
        ("eyJ", filled("eyJ")),
        ("eyJ.eyJ.", filled("eyJ0.eyJ0.")),
        ("://", filled("://")),
        ("://a:", filled("a://a:b")),
        ("://@", filled("x://u:p@")),
        ("Bearer", filled("Bearer ")),
        ("Authorization:", filled("Authorization: ")),
        ("MII", filled("+MIIEvQIBAD")),
        ("base64", filled("QUJD")),
        ("base64 words", filled("VGhlIGJ1aWxkIHVzZXMgcG5wbSA= ")),
        ("digits", filled("0123456789")),
        (":AA", filled("12345678:AA")),
        ("zero width", filled("a\u{200b}")),
        ("full width", filled("ａｂ")),
        ("percent", filled("%41")),
        ("spaces", filled(" ")),
        ("lines", filled("\n")),
        ("braces", filled("{{")),
        ("a=b", filled("a=b ")),
        ("a/b/", filled("a/b/")),
        ("one word", filled("a")),
        ("password of words", filled("password a b c d e f g h ")),
        ("-u", filled(" -u ")),
        ("Private-Lines:", filled("Private-Lines: 1\nab1")),
    ]
}

fn files(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            files(&entry.path(), out);
        } else if kind.is_file() {
            out.push(entry.path());
        }
    }
}

fn main() {
    let dirs: Vec<_> = std::env::args().skip(1).collect();
    if dirs.is_empty() {
        type Judge = fn(&str) -> usize;
        let judges: [(&str, Judge); 6] = [
            ("detect", |text| memory_guard::detect(text).len()),
            ("mask", |text| memory_guard::mask(text).len()),
            ("neutralise", |text| memory_guard::neutralise(text).len()),
            ("anchors", |text| memory_guard::anchors(text).len()),
            ("is_instruction", |text| usize::from(memory_guard::is_instruction(text))),
            ("reveal", |text| memory_guard::reveal(text).len()),
        ];
        for (name, judge) in judges {
            println!("{name}");
            let mut plain = None;
            for (label, text) in texts() {
                let each = nanos_per_byte(&text, judge);
                let base = *plain.get_or_insert(each);
                println!("  {label:24} {:8.1} MB/s  {:6.2} × prose", 1000.0 / each, each / base);
            }
        }
        return;
    }
    let mut paths = Vec::new();
    for dir in &dirs {
        files(Path::new(dir), &mut paths);
    }
    paths.sort();
    let (mut lines, mut bytes, mut count) = (0, 0, 0);
    for path in paths {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        lines += text.lines().count();
        bytes += text.len();
        for found in memory_guard::detect(&text) {
            count += 1;
            let from = text[..found.span.start].rfind('\n').map_or(0, |at| at + 1);
            let line = text[from..].lines().next().unwrap_or("");
            let line: String = line.chars().take(160).collect();
            let value: String = text[found.span.clone()].chars().take(60).collect();
            println!("{}\t{}\t{value:?}\t{line}", path.display(), found.kind);
        }
    }
    println!("{count} findings in {lines} lines, {bytes} bytes");
}
