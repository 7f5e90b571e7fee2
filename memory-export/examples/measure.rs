//! How long a mirror of 10,000 facts takes to render: the median and the worst
//! of 20 runs. Run it with `--release`; masking is the caller's and not in it.

use std::time::Duration;

use memory_core::{Citation, Fact, FactKind, WorkspacePath};
use memory_export::{Masked, render, verify};

const FACTS: usize = 10_000;
const RUNS: usize = 20;

fn main() {
    let facts = facts();
    let mask = |text: &str, tags: &[String]| (text.to_owned(), tags.to_vec());
    let mut bytes = 0;
    let rendering = times(|| {
        let mirror = render(&Masked::new(mask, &[], &facts));
        bytes = mirror.len();
    });
    let mirror = render(&Masked::new(mask, &[], &facts));
    let verifying = times(|| {
        std::hint::black_box(verify(&mirror));
    });
    println!("{FACTS} facts, {bytes} bytes");
    println!("render: median {:?}, worst {:?}", rendering[RUNS / 2], rendering[RUNS - 1]);
    println!("verify: median {:?}, worst {:?}", verifying[RUNS / 2], verifying[RUNS - 1]);
}

fn facts() -> Vec<Fact> {
    let Some(workspace) = WorkspacePath::from_raw("/work/app") else { return Vec::new() };
    let texts = [
        "Builds use pnpm, never npm; `pnpm -r build` fails without NODE_OPTIONS=--max-old-space-size=4096.",
        "发布前先跑 `cargo xtask ci`,然后打标签。不要直接推 main。",
        "# Deploy\n1. run migrations\n2. restart *api* & *worker*\n\n<b>never</b> on Fridays",
    ];
    (0..FACTS)
        .map(|n| {
            Fact::new(
                format!(
                    "{:08x}-8a52-4b1f-9d59-{n:012x}",
                    n.wrapping_mul(0x9e37_79b1) & 0xffff_ffff
                ),
                &workspace,
                FactKind::ALL[n % 4],
                format!("{} ({n})", texts[n % 3]),
                vec!["build".to_owned(), format!("area-{}", n % 17)],
                Citation { session_id: format!("session-{}", n / 40), seq: n as u64 },
                1_786_786_200_000 + n as u64 * 61_000,
            )
        })
        .collect()
}

#[expect(clippy::disallowed_methods, reason = "measuring is what this is for")]
fn times(mut run: impl FnMut()) -> Vec<Duration> {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = std::time::Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times
}
