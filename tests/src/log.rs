//! Session logs: what the host wrote down.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;

use anyhow::Context as _;
use anyhow::Result;
use ruzstd::decoding::StreamingDecoder;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The log of one session.
#[derive(Clone, Debug)]
pub struct SessionLog {
    /// The session's id.
    pub id: String,
    /// Where it lies.
    pub path: PathBuf,
    /// Its first line: `id`, `cwd`, `createdAt` and more.
    pub header: Value,
    /// Its events, oldest first: `seq`, `type`, `time` and `data`.
    pub events: Vec<Value>,
}

impl SessionLog {
    /// Data of the events of a type.
    pub fn of_type(&self, kind: &str) -> Vec<&Value> {
        self.events
            .iter()
            .filter(|event| event["type"] == kind)
            .map(|event| &event["data"])
            .collect()
    }
}

/// Every log below the folder, in order of the sessions' start.
pub(crate) fn sessions(folder: &Path) -> Result<Vec<SessionLog>> {
    let mut logs = Vec::new();
    collect(folder, &mut logs)?;
    logs.sort_by_key(|log| log.header["createdAt"].as_u64());
    Ok(logs)
}

fn collect(folder: &Path, logs: &mut Vec<SessionLog>) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, logs)?;
        } else if path.file_name().is_some_and(|name| name == "session.jsonl.zstd") {
            let text = String::from_utf8(decompress(&fs::read(&path)?)?)?;
            let mut events = lines::<Value>(&text)?.into_iter();
            let header = events.next().context("the log is empty")?;
            let id = header["id"].as_str().context("the log has no id")?.to_owned();
            logs.push(SessionLog { id, path, header, events: events.collect() });
        }
    }
    Ok(())
}

/// The host appends one frame after the other.
fn decompress(mut bytes: &[u8]) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    while !bytes.is_empty() {
        let mut frame = StreamingDecoder::new(&mut bytes).context("the log is not zstd")?;
        frame.read_to_end(&mut text).context("the log's compression is broken")?;
    }
    Ok(text)
}

/// A file with one JSON value a line; nothing where there is no file.
pub(crate) fn json_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    lines(&fs::read_to_string(path)?)
}

fn lines<T: DeserializeOwned>(text: &str) -> Result<Vec<T>> {
    text.lines()
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_str(line).with_context(|| format!("not JSON: {line}")))
        .collect()
}
