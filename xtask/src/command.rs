//! Running other programs: loudly, or quietly with a log and a time limit.
#![allow(clippy::disallowed_methods, reason = "measures how long a program of ours runs")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::process::Stdio;
use std::thread;
use std::time::Duration;
use std::time::Instant;

use anyhow::Context as _;
use anyhow::Result;
use anyhow::bail;
use anyhow::ensure;

/// Between two signs of life of a quiet program.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// Lines of the log that a failure shows.
const LOG_TAIL: usize = 40;

/// Measures wall time.
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts now.
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    /// Seconds since the start, for people.
    pub(crate) fn seconds(&self) -> String {
        format!("{:.1} s", self.elapsed().as_secs_f64())
    }
}

/// Runs a program with its output on the terminal.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let words = words(command);
    let status =
        command.stdin(Stdio::null()).status().with_context(|| format!("{words} did not start"))?;
    ensure!(status.success(), "{words} failed ({status})");
    Ok(())
}

/// Runs a program with its output in `log`; `what` names it in signs of life.
/// A failure shows the end of the log.
pub(crate) fn run_quietly(
    command: &mut Command,
    what: &str,
    log: &Path,
    limit: Option<Duration>,
) -> Result<()> {
    let words = words(command);
    if let Some(parent) = log.parent() {
        fs::create_dir_all(parent)?;
    }
    let file = fs::File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file)
        .spawn()
        .with_context(|| format!("{words} did not start"))?;
    let watch = Stopwatch::start();
    let mut next_beat = HEARTBEAT;
    loop {
        if let Some(status) = child.try_wait()? {
            ensure!(status.success(), "{words} failed ({status}):\n{}", tail(log));
            return Ok(());
        }
        if limit.is_some_and(|limit| watch.elapsed() > limit) {
            child.kill()?;
            child.wait()?;
            bail!("{words} was stopped after {}", watch.seconds());
        }
        if watch.elapsed() > next_beat {
            println!("{what}: working, {:.0} s", watch.elapsed().as_secs_f64());
            next_beat += HEARTBEAT;
        }
        thread::sleep(Duration::from_millis(100));
    }
}

/// The standard output of a program that succeeds, else nothing.
pub(crate) fn output_of(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn words(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    std::iter::once(name)
        .chain(command.get_args())
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

fn tail(log: &Path) -> String {
    let text = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<_> = text.lines().collect();
    lines[lines.len().saturating_sub(LOG_TAIL)..].join("\n")
}
