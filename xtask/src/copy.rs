//! Copying folders.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use anyhow::Result;

/// Copies the files below `from` for which `wanted` holds, given their name.
pub(crate) fn tree(from: &Path, to: &Path, wanted: &dyn Fn(&str) -> bool) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    let entries = fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        if !wanted(&name.to_string_lossy()) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            tree(&entry.path(), &to.join(name), wanted)?;
        } else {
            file(&entry.path(), &to.join(name))?;
        }
    }
    Ok(())
}

/// Copies one file.
pub(crate) fn file(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to)
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}
