//! TypeScript: checks the types that the settings page's comments declare.

use std::fs;
use std::process::Command;

use anyhow::Result;
use serde_json::json;

use super::node;
use super::npm;
use crate::workspace::Workspace;

/// The last release that is a script and so runs wherever Node does.
const VERSION: &str = "5.9.3";

/// Of the React that the host gives.
const REACT_TYPES: &str = "18.3.31";

/// A command that checks the page and writes nothing.
pub(crate) fn command(workspace: &Workspace) -> Result<Command> {
    let node = node::ensure(workspace)?;
    let compiler = npm::install(workspace, "typescript", VERSION)?.join("typescript/bin/tsc");
    let react = npm::install(workspace, "@types/react", REACT_TYPES)?.join("@types/react");
    let config = json!({
        "compilerOptions": {
            "allowJs": true, "checkJs": true, "strict": true, "noEmit": true,
            "target": "es2022", "lib": ["es2023", "dom", "dom.iterable"],
            "module": "esnext", "moduleResolution": "bundler", "jsx": "react-jsx", "types": [],
            "paths": {
                "react": [react.join("index.d.ts")],
                "react/jsx-runtime": [react.join("jsx-runtime.d.ts")],
            },
        },
        "include": [workspace.root.join("dsh-adapter/page")],
    });
    let file = workspace.target.join("page.tsconfig.json");
    fs::write(&file, config.to_string())?;
    let mut command = Command::new(node);
    command.current_dir(&workspace.root).arg(compiler).arg("--project").arg(file);
    Ok(command)
}
