//! The installable npm package: a folder and a tarball.

use std::fs;
use std::fs::File;
use std::path::Path;
use std::path::PathBuf;

use anyhow::Context as _;
use anyhow::Result;
use anyhow::ensure;
use flate2::Compression;
use flate2::GzBuilder;
use serde_json::Value;

use crate::build;
use crate::build::Variant;
use crate::copy;
use crate::page;
use crate::setup::wasm::Route;
use crate::workspace::Workspace;

const NAME: &str = "dsh-native-memory";

/// Where the package lies.
pub(crate) struct Bundle {
    /// The package as a folder.
    pub(crate) folder: PathBuf,
    /// The package as npm would publish it.
    pub(crate) tarball: PathBuf,
}

/// Builds the engine and lays the package around it.
pub(crate) fn lay(workspace: &Workspace, route: Route, variant: Variant) -> Result<Bundle> {
    let engine = build::engine(workspace, route, variant)?;
    let source = workspace.root.join("dsh-adapter/bundle");
    let parent = match variant {
        Variant::Release => workspace.target.join("bundle"),
        Variant::Probe => workspace.target.join("bundle").join(variant.name()),
    };
    let folder = parent.join(NAME);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    copy::tree(&source, &folder, &is_shipped)?;
    check_version(&folder.join("package.json"), &workspace.version)?;
    copy::tree(&engine, &folder.join("lib"), &|_| true)?;
    page::build(workspace, &folder.join("lib/client.js"))?;
    for name in ["LICENSE", "README.md"] {
        copy::file(&workspace.root.join(name), &folder.join(name))?;
    }

    let tarball = parent.join(format!("{NAME}-{}.tgz", workspace.version));
    pack(&folder, &tarball)?;
    println!("bundle: folder  {}", workspace.show(&folder));
    println!("bundle: tarball {}, {}", workspace.show(&tarball), size(&tarball)?);
    println!("bundle: engine_bg.wasm {}", size(&folder.join("lib/engine_bg.wasm"))?);
    println!("bundle: client.js {}", size(&folder.join("lib/client.js"))?);
    println!("bundle: {} lines of JavaScript by hand", shim_lines(&source)?);
    Ok(Bundle { folder, tarball })
}

/// Tests and what a package manager left behind stay here.
fn is_shipped(name: &str) -> bool {
    !(name == "node_modules" || name == "test" || name == "tests" || name.contains(".test."))
}

fn check_version(manifest: &Path, expected: &str) -> Result<()> {
    let text = fs::read_to_string(manifest)
        .with_context(|| format!("the package has no {}", manifest.display()))?;
    let manifest: Value = serde_json::from_str(&text).context("package.json is not JSON")?;
    let version = manifest["version"].as_str().unwrap_or_default();
    ensure!(
        version == expected,
        "dsh-adapter/bundle/package.json says version {version}, Cargo.toml {expected}: make them equal"
    );
    for field in ["dependencies", "scripts"] {
        ensure!(
            manifest.get(field).is_none(),
            "dsh-adapter/bundle/package.json has {field}; the package needs none to be installed"
        );
    }
    Ok(())
}

/// Writes what npm would, in an order and with times that do not depend on the
/// machine.
fn pack(folder: &Path, tarball: &Path) -> Result<()> {
    let gzip = GzBuilder::new().mtime(0).write(File::create(tarball)?, Compression::best());
    let mut archive = tar::Builder::new(gzip);
    for path in files(folder)? {
        let bytes = fs::read(&path)?;
        let name = path.strip_prefix(folder)?.to_string_lossy().replace('\\', "/");
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(0);
        archive.append_data(&mut header, format!("package/{name}"), bytes.as_slice())?;
    }
    archive.into_inner()?.finish()?;
    Ok(())
}

/// Every file below the folder, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn shim_lines(source: &Path) -> Result<usize> {
    let mut lines = 0;
    for path in files(source)? {
        let is_script =
            path.extension().is_some_and(|extension| extension == "mjs" || extension == "js");
        if is_script && path.file_name().is_some_and(|name| is_shipped(&name.to_string_lossy())) {
            lines += fs::read_to_string(path)?.lines().count();
        }
    }
    Ok(lines)
}

fn size(path: &Path) -> Result<String> {
    let bytes = fs::metadata(path)?.len();
    Ok(format!("{} kB ({bytes} bytes)", bytes.div_ceil(1000)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_twice_gives_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("package");
        fs::create_dir_all(package.join("lib")).unwrap();
        fs::write(package.join("package.json"), "{}").unwrap();
        fs::write(package.join("lib/index.mjs"), "export {}").unwrap();
        let [first, second] = ["a.tgz", "b.tgz"].map(|name| {
            let tarball = folder.path().join(name);
            pack(&package, &tarball).unwrap();
            fs::read(tarball).unwrap()
        });
        assert_eq!(first, second);
    }

    #[test]
    fn another_version_is_refused_with_both_named() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = folder.path().join("package.json");
        fs::write(&manifest, r#"{"version":"0.2.0"}"#).unwrap();
        let message = check_version(&manifest, "0.1.0").unwrap_err().to_string();
        assert!(message.contains("0.2.0") && message.contains("0.1.0"), "{message}");
        check_version(&manifest, "0.2.0").unwrap();
    }

    #[test]
    fn an_install_script_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = folder.path().join("package.json");
        fs::write(&manifest, r#"{"version":"0.2.0","scripts":{"prepare":"tsc"}}"#).unwrap();
        assert!(check_version(&manifest, "0.2.0").is_err());
    }
}
