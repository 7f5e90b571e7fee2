//! The mirror of one workspace, in memory.

use serde_json::{Value, json};

/// The mirror's folder and what is in it.
#[derive(Debug)]
pub struct Mirror {
    /// What stands at `.dsh-memory`.
    pub folder: &'static str,
    pub file: Option<String>,
    pub temporary: Vec<(String, String)>,
    /// This step fails with this code.
    pub fail: Option<(&'static str, &'static str)>,
    pub steps: Vec<String>,
    pub workspace: String,
}

impl Default for Mirror {
    fn default() -> Self {
        Self {
            folder: "missing",
            file: None,
            temporary: Vec::new(),
            fail: None,
            steps: Vec::new(),
            workspace: String::new(),
        }
    }
}

impl Mirror {
    pub fn perform(&mut self, effect: &Value) -> Value {
        let text = |name: &str| effect[name].as_str().unwrap().to_owned();
        let step = text("step");
        self.steps.push(step.clone());
        self.workspace = text("workspace");
        if let Some((_, code)) = self.fail.filter(|(failing, _)| *failing == step) {
            return json!({ "error": { "code": code, "message": format!("{code}: as told") } });
        }
        let mut value = Value::Null;
        match step.as_str() {
            "look" => {
                let entry = match effect["place"].as_str().unwrap() {
                    "workspace" => "folder",
                    "folder" => self.folder,
                    _ if self.file.is_some() => "file",
                    _ => "missing",
                };
                value = json!({ "entry": entry, "mode": 0o640 });
            }
            "read" => value = json!(self.file),
            "create-folder" => self.folder = "folder",
            "write-new" => self.temporary.push((text("name"), text("text"))),
            "put-in-place" => {
                let (name, content) = self.temporary.pop().unwrap();
                assert_eq!(name, text("name"));
                self.file = Some(content);
            }
            "remove" => self.temporary.retain(|(name, _)| *name != text("name")),
            other => panic!("unknown step {other}"),
        }
        json!({ "value": value })
    }
}
