//! The embedded JSON-file domain: the host's own format, durable and private.

#![cfg(feature = "json-file")]

mod support;

use std::sync::Arc;

use memory_core::{Caps, FixedClock};
use memory_store::{DomainErrorKind, JsonFileDomain, Repository, StorageDomain, Table};
use serde_json::{Value, json};
use support::{NOW, new, settings, ws};

/// A unit as the host's JSON backend writes it, byte for byte.
const HOST_UNIT: &str = r#"{
  "unit": {
    "name": "dsh_memory",
    "version": 1
  },
  "global": null,
  "tables": {
    "facts": {
      "f-2": {
        "id": "f-2",
        "workspacePath": "/p",
        "kind": "convention",
        "text": "构建用 pnpm <b>\u0007\n",
        "tags": [
          "build"
        ],
        "sessionId": "s-1",
        "seq": 6,
        "createdAt": 1755000000000,
        "updatedAt": 1755000000000,
        "state": "active",
        "accessCount": 2,
        "lastAccessedAt": 1755000000001
      }
    },
    "profiles": {
      "/p": {
        "workspacePath": "/p",
        "entries": [],
        "updatedAt": 1755000000000
      }
    },
    "proposals": {},
    "alarms": {}
  }
}
"#;

#[tokio::test]
async fn a_unit_of_the_host_keeps_every_byte_that_is_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dsh_memory.json");
    std::fs::write(&path, HOST_UNIT).unwrap();
    let domain = JsonFileDomain::open(&path).await.unwrap();
    let rows = domain.load().await.unwrap().rows;
    assert_eq!(rows.len(), 2);
    let (table, key, value) = rows.into_iter().find(|(t, ..)| *t == Table::Facts).unwrap();
    domain.put(table, &key, value).await.unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), HOST_UNIT);
}

#[tokio::test]
async fn what_is_stored_is_there_after_reopening_and_private() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("storages/dsh_memory.json");
    let clock = Arc::new(FixedClock::at(NOW));
    let open = || async {
        let domain = JsonFileDomain::open(&path).await.unwrap();
        Repository::open(domain, settings(Caps::default(), &clock)).await.unwrap()
    };
    let repository = open().await;
    assert!(!path.exists(), "opening creates nothing");
    let plan = repository.plan_remember(&ws("/p"), new("x")).unwrap();
    repository.commit(plan).await.unwrap();
    repository.close().await.unwrap();

    assert_eq!(open().await.active_count(&ws("/p")), 1);
    let unit: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!((&unit["unit"]["version"], &unit["global"]), (&json!(1), &Value::Null));
    let left: Vec<_> = std::fs::read_dir(path.parent().unwrap()).unwrap().collect();
    assert_eq!(left.len(), 1, "no temporary file is left");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    }
}

#[tokio::test]
async fn the_global_slot_is_written_beside_the_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("unit.json");
    std::fs::write(&path, HOST_UNIT).unwrap();
    let domain = JsonFileDomain::open(&path).await.unwrap();
    assert_eq!(domain.load().await.unwrap().global, Value::Null);
    domain.put_global(json!({ "initialized": true })).await.unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let with_slot = "\"global\": {\n    \"initialized\": true\n  }";
    assert_eq!(text, HOST_UNIT.replace("\"global\": null", with_slot));
}

#[tokio::test]
async fn tables_and_fields_of_others_survive() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("unit.json");
    let unit = json!({
        "unit": { "name": "dsh_memory", "version": 1, "by": "another" },
        "tables": { "vault": { "k": { "any": 1 } } },
        "note": true,
    });
    std::fs::write(&path, unit.to_string()).unwrap();
    let domain = JsonFileDomain::open(&path).await.unwrap();
    domain.put(Table::Facts, "a", json!({ "id": "a" })).await.unwrap();
    let after: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(after["tables"]["vault"], unit["tables"]["vault"]);
    assert_eq!((&after["note"], &after["unit"]["by"]), (&json!(true), &json!("another")));
}

#[tokio::test]
async fn what_is_no_such_unit_is_refused_and_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("unit.json");
    let of = |name: &str, version: Value, tables: Value| {
        json!({ "unit": { "name": name, "version": version }, "tables": tables }).to_string()
    };
    for (text, kind) in [
        (String::new(), DomainErrorKind::Malformed),
        ("[]".to_owned(), DomainErrorKind::Malformed),
        (of("other", json!(1), json!({})), DomainErrorKind::Malformed),
        (of("dsh_memory", json!("1"), json!({})), DomainErrorKind::Malformed),
        (of("dsh_memory", json!(2), json!({})), DomainErrorKind::VersionMismatch),
        (of("dsh_memory", json!(1), json!([])), DomainErrorKind::Malformed),
        (of("dsh_memory", json!(1), json!({ "facts": [] })), DomainErrorKind::Malformed),
    ] {
        std::fs::write(&path, &text).unwrap();
        assert_eq!(JsonFileDomain::open(&path).await.unwrap_err().kind(), kind, "{text}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
}

#[tokio::test]
async fn a_put_that_fails_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    // A folder in the unit's place lets every rename fail.
    let path = folder.path().join("unit.json");
    let domain = JsonFileDomain::open(&path).await.unwrap();
    std::fs::create_dir(&path).unwrap();
    let error = domain.put(Table::Facts, "a", json!({})).await.unwrap_err();
    assert_eq!(error.kind(), DomainErrorKind::Failed);
    assert!(domain.load().await.unwrap().rows.is_empty());
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "no temporary file is left");
    std::fs::remove_dir(&path).unwrap();
    domain.put(Table::Facts, "a", json!({})).await.unwrap();
    assert!(path.is_file());
}
