//! The floors of the house: which of our crates may see which.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::workspace;

/// Every edge between the workspace's own packages, test dependencies included.
/// `docs/architecture.md` draws the same picture.
const EDGES: &[(&str, &[&str])] = &[
    ("end-to-end", &[]),
    ("memory-core", &[]),
    ("memory-export", &["memory-core"]),
    ("memory-guard", &["memory-core"]),
    ("memory-recall", &["memory-core"]),
    ("memory-store", &["memory-core"]),
    ("xtask", &["end-to-end", "memory-core", "memory-export", "memory-guard", "memory-recall"]),
];

/// The top floor, which composes any of those below.
const TOP: &str = "dsh-adapter";

#[test]
fn the_floors_are_as_drawn() {
    let metadata = workspace::metadata().unwrap();
    let mut found = BTreeMap::new();
    for package in metadata["packages"].as_array().unwrap() {
        let below: BTreeSet<_> = package["dependencies"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|dependency| dependency["path"].is_string())
            .map(|dependency| dependency["name"].as_str().unwrap())
            .collect();
        found.insert(package["name"].as_str().unwrap(), below.into_iter().collect::<Vec<_>>());
    }
    let top = found.remove(TOP).unwrap();
    assert!(top.iter().all(|below| below.starts_with("memory-")), "{TOP} sees {top:?}");
    let drawn: BTreeMap<_, _> =
        EDGES.iter().map(|&(upper, below)| (upper, below.to_vec())).collect();
    assert_eq!(found, drawn, "the manifests and the drawing differ");
}
