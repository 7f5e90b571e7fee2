//! `memory_export`, over effects.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod support;

use serde_json::json;
use support::Host;

fn export(host: &mut Host) -> Result<String, String> {
    host.call("memory_export", json!({}))
}

#[test]
fn the_mirror_is_written_once_and_then_left_alone() {
    let mut host = Host::new();
    host.call("memory_remember", json!({ "text": "Builds use pnpm", "tags": ["build"] })).unwrap();
    host.call("memory_remember", json!({ "text": "Short answers", "target": "profile" })).unwrap();
    let asked = host.asks.len();
    let first = export(&mut host).unwrap();
    let file = host.mirror.file.clone().unwrap();
    assert_eq!(
        first,
        format!(
            "exported 1 fact(s) and 1 profile entries to /work/app/.dsh-memory/memory.md ({} bytes)",
            file.len()
        )
    );
    assert_eq!(host.mirror.workspace, "/work/app");
    assert!(file.contains("- [fact] Builds use pnpm") && file.contains("- Short answers"));
    // A recall moves counters and no line.
    host.call("memory_recall", json!({ "query": "pnpm" })).unwrap();
    host.mirror.steps.clear();
    let second = export(&mut host).unwrap();
    assert!(second.ends_with(" bytes, unchanged (idempotent skip))"), "{second}");
    assert!(!host.mirror.steps.iter().any(|step| step == "write-new"));
    assert_eq!(host.asks.len(), asked, "an export never asks");
}

#[test]
fn only_the_callers_workspace_is_exported() {
    let mut host = Host::new();
    host.call("memory_remember", json!({ "text": "of the other" })).unwrap();
    host.cwd = "/work/else".into();
    export(&mut host).unwrap();
    assert!(!host.mirror.file.unwrap().contains("of the other"));
    assert_eq!(host.mirror.workspace, "/work/else");
}

#[test]
fn a_file_changed_by_hand_is_kept_and_the_way_on_is_named() {
    let mut host = Host::new();
    export(&mut host).unwrap();
    host.call("memory_remember", json!({ "text": "new" })).unwrap();
    let mine = host.mirror.file.clone().unwrap().replace("(none)", "mine");
    host.mirror.file = Some(mine.clone());
    let error = export(&mut host).unwrap_err();
    assert!(
        error.starts_with("MEMORY_UNAVAILABLE") && error.contains("changed by hand"),
        "{error}"
    );
    assert!(error.contains("emove or rename `.dsh-memory/memory.md`"), "{error}");
    assert_eq!(host.mirror.file.as_ref(), Some(&mine));
    host.mirror.file = None;
    export(&mut host).unwrap();
}

#[test]
fn a_link_and_a_full_disk_are_errors_and_leave_nothing() {
    let mut host = Host::new();
    for (folder, fail, words) in [
        ("symlink", None, "a symbolic link"),
        ("file", None, "a file"),
        ("other", None, "neither a folder nor a file"),
        ("folder", Some(("write-new", "ENOSPC")), "the disk is full"),
        ("folder", Some(("put-in-place", "EROFS")), "read-only"),
        ("missing", Some(("create-folder", "EACCES")), "does not allow it"),
        ("folder", Some(("look", "ELOOP")), "the system reports an error"),
    ] {
        (host.mirror.folder, host.mirror.fail) = (folder, fail);
        let error = export(&mut host).unwrap_err();
        assert!(error.starts_with("MEMORY_UNAVAILABLE") && error.contains(words), "{error}");
        assert!(host.mirror.file.is_none() && host.mirror.temporary.is_empty(), "{words}");
    }
}

#[test]
fn secrets_that_were_stored_are_masked_in_text_tags_and_profile() {
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let mut host = Host::with(json!({ "secretPolicy": "off" }));
    let fact = json!({ "text": format!("token {token}"), "tags": [token] });
    host.call("memory_remember", fact).unwrap();
    let entry = json!({ "text": format!("use {token}"), "target": "profile" });
    host.call("memory_remember", entry).unwrap();
    export(&mut host).unwrap();
    assert!(!host.mirror.file.unwrap().contains(&token));
}
