//! Patch overlays: rows that a run adds to the host or configures anew.

use serde_json::Value;
use serde_json::json;

/// One entry of a patch file.
#[derive(Clone, Debug)]
pub struct Patch(String);

impl Patch {
    /// Adds a row. `name` is a package, or the file URL of a module.
    pub fn insert(id: &str, name: &str, config: &Value) -> Self {
        // JSON is YAML.
        let row = json!({ "id": id, "name": name, "config": config });
        Self(format!("- insert:\n    - {row}\n"))
    }

    /// Replaces the whole configuration of a row.
    pub fn configure(id: &str, config: &Value) -> Self {
        Self(format!("- {}\n", json!({ "id": id, "config": config })))
    }

    /// Switches a row off.
    pub fn disable(id: &str) -> Self {
        Self(format!("- {}\n", json!({ "id": id, "disabled": true })))
    }

    /// YAML as it stands, a list item that begins with `- `.
    pub fn yaml(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The storage that the headless profile ships without.
    pub fn storage() -> Self {
        Self(include_str!("../assets/storage.patch.yml").to_owned())
    }
}

/// The text of a patch file.
pub(crate) fn file(patches: &[Patch]) -> String {
    if patches.is_empty() {
        return "[]\n".to_owned();
    }
    let items: Vec<_> = patches.iter().map(|patch| patch.0.trim_end()).collect();
    items.join("\n") + "\n"
}
