//! Writing into a real folder, and what may stand in the way.

#![allow(clippy::unwrap_used, reason = "a test may fail")]
#![cfg(feature = "fs")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{NOW, fact, plain};
use memory_core::{ErrorCode, FactKind, MemoryError, SequentialIds};
use memory_export::{FILE, FOLDER, Masked, Written, render, write_to};
use tempfile::TempDir;

/// A workspace, with a folder beside it that nothing may touch.
struct Place {
    root: TempDir,
}

impl Place {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("workspace")).unwrap();
        fs::create_dir(root.path().join("outside")).unwrap();
        fs::write(root.path().join("outside").join(FILE), "a person's notes").unwrap();
        Self { root }
    }

    fn workspace(&self) -> PathBuf {
        self.root.path().join("workspace")
    }

    fn outside(&self) -> PathBuf {
        self.root.path().join("outside")
    }

    fn folder(&self) -> PathBuf {
        self.workspace().join(FOLDER)
    }

    fn file(&self) -> PathBuf {
        self.folder().join(FILE)
    }

    fn export(&self, masked: &Masked) -> Result<Written, MemoryError> {
        write_to(&self.workspace(), &SequentialIds::default(), masked)
    }

    /// What an export answers that must not succeed: quickly, with no file left
    /// and nothing outside changed.
    #[track_caller]
    fn refused(&self) -> String {
        let before = names(&self.workspace());
        let error = self.export(&one()).unwrap_err();
        assert_eq!(error.code(), ErrorCode::Unavailable);
        assert!(error.advice().is_some(), "{error}");
        assert_eq!(names(&self.workspace()), before);
        assert_eq!(names(&self.outside()), [FILE]);
        assert_eq!(fs::read_to_string(self.outside().join(FILE)).unwrap(), "a person's notes");
        error.to_string()
    }
}

fn one() -> Masked {
    plain(&[], [&fact("a", FactKind::Fact, "one", &[], NOW)])
}

fn two() -> Masked {
    plain(
        &["p".to_owned()],
        [&fact("a", FactKind::Fact, "one", &[], NOW), &fact("b", FactKind::Fact, "two", &[], NOW)],
    )
}

/// Every name below a folder, symlinks not followed.
fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            names.extend(self::names(&entry.path()).iter().map(|below| format!("{name}/{below}")));
        }
        names.push(name);
    }
    names.sort();
    names
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&fs::metadata(path).unwrap().permissions()) & 0o777
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
}

#[test]
fn the_mirror_is_written_replaced_and_left_alone() {
    let place = Place::new();
    let written = place.export(&one()).unwrap();
    assert_eq!(written, Written { bytes: render(&one()).len(), changed: true });
    assert_eq!(fs::read_to_string(place.file()).unwrap(), render(&one()));

    let before = fs::metadata(place.file()).unwrap().modified().unwrap();
    assert!(!place.export(&one()).unwrap().changed);
    assert_eq!(fs::metadata(place.file()).unwrap().modified().unwrap(), before);

    assert!(place.export(&two()).unwrap().changed);
    assert_eq!(fs::read_to_string(place.file()).unwrap(), render(&two()));
    assert_eq!(names(&place.workspace()), [FOLDER.to_owned(), format!("{FOLDER}/{FILE}")]);
}

#[test]
fn a_checkout_with_crlf_is_no_change() {
    let place = Place::new();
    place.export(&one()).unwrap();
    let crlf = render(&one()).replace('\n', "\r\n");
    fs::write(place.file(), &crlf).unwrap();
    assert!(!place.export(&one()).unwrap().changed);
    assert_eq!(fs::read_to_string(place.file()).unwrap(), crlf);
    assert!(place.export(&two()).unwrap().changed);
}

#[test]
fn a_file_changed_by_hand_is_kept_until_it_is_removed() {
    let place = Place::new();
    place.export(&one()).unwrap();
    let changed = format!("{}my note\n", render(&one()));
    fs::write(place.file(), &changed).unwrap();
    let error = place.export(&two()).unwrap_err().to_string();
    assert_eq!(
        error,
        "MEMORY_UNAVAILABLE: `.dsh-memory/memory.md` was changed by hand, or by an older version; \
         nothing was written. Remove or rename `.dsh-memory/memory.md` and export again."
    );
    assert_eq!(fs::read_to_string(place.file()).unwrap(), changed);

    fs::remove_file(place.file()).unwrap();
    assert!(place.export(&two()).unwrap().changed);
}

#[test]
fn a_file_that_is_no_mirror_is_kept() {
    let place = Place::new();
    fs::create_dir(place.folder()).unwrap();
    for (bytes, what) in [
        (&b"# My notes\n"[..], "was not written by an export"),
        (b"", "was not written by an export"),
        (b"\xff\xfe", "is not UTF-8"),
    ] {
        fs::write(place.file(), bytes).unwrap();
        let error = place.refused();
        assert!(error.contains(what), "{error}");
        assert_eq!(fs::read(place.file()).unwrap(), bytes);
    }
}

#[test]
fn a_missing_workspace_is_not_made() {
    let place = Place::new();
    fs::remove_dir(place.workspace()).unwrap();
    let error = place.refused();
    assert!(error.contains("does not exist"), "{error}");
    assert!(!place.workspace().exists());
}

#[test]
fn a_workspace_that_is_a_file_is_refused() {
    let place = Place::new();
    fs::remove_dir(place.workspace()).unwrap();
    fs::write(place.workspace(), "").unwrap();
    let error = place.refused();
    assert!(error.contains("the workspace is not a folder"), "{error}");
}

#[test]
fn folders_and_files_in_the_wrong_place_are_refused() {
    let place = Place::new();
    fs::create_dir_all(place.file()).unwrap();
    let error = place.refused();
    assert!(error.contains("`.dsh-memory/memory.md` is a folder"), "{error}");

    let place = Place::new();
    fs::write(place.folder(), "").unwrap();
    let error = place.refused();
    assert!(error.contains("`.dsh-memory` is a file"), "{error}");
}

#[test]
fn symlinks_are_refused_wherever_they_lead() {
    #[cfg(unix)]
    use std::os::unix::fs::{symlink as symlink_dir, symlink as symlink_file};
    #[cfg(windows)]
    use std::os::windows::fs::{symlink_dir, symlink_file};

    let place = Place::new();
    for target in [place.outside(), place.workspace(), place.root.path().join("nowhere")] {
        if let Err(error) = symlink_dir(&target, place.folder()) {
            println!("skipped: no symlinks here ({error})");
            return;
        }
        let error = place.refused();
        assert!(error.contains("`.dsh-memory` is a symbolic link"), "{error}");
        fs::remove_file(place.folder()).or_else(|_| fs::remove_dir(place.folder())).unwrap();
    }

    fs::create_dir(place.folder()).unwrap();
    for target in [place.outside().join(FILE), place.outside().join("nothing")] {
        symlink_file(&target, place.file()).unwrap();
        let error = place.refused();
        assert!(error.contains("`.dsh-memory/memory.md` is a symbolic link"), "{error}");
        fs::remove_file(place.file()).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_symlink_that_comes_after_the_look_is_not_followed() {
    use futures::executor::block_on;
    use memory_export::{MirrorFiles as _, WorkspaceFiles};

    let place = Place::new();
    std::os::unix::fs::symlink(place.outside(), place.folder()).unwrap();
    let files = WorkspaceFiles::new(place.workspace());
    assert!(block_on(files.read(1 << 20)).is_err());
    assert!(block_on(files.create_folder()).is_err());
    assert!(block_on(files.write_new("t", "x", None)).is_err());
    assert!(block_on(files.put_in_place(FILE)).is_err());
    assert!(block_on(files.remove(FILE)).is_err());
    assert_eq!(names(&place.outside()), [FILE]);

    fs::remove_file(place.folder()).unwrap();
    fs::create_dir(place.folder()).unwrap();
    std::os::unix::fs::symlink(place.outside().join(FILE), place.file()).unwrap();
    assert!(block_on(files.read(1 << 20)).is_err());
    assert!(block_on(files.write_new(FILE, "x", None)).is_err());
    assert_eq!(fs::read_to_string(place.outside().join(FILE)).unwrap(), "a person's notes");
}

#[cfg(unix)]
#[test]
fn a_fifo_does_not_keep_anybody_waiting() {
    use futures::executor::block_on;
    use memory_export::{MirrorFiles as _, WorkspaceFiles};

    let place = Place::new();
    fs::create_dir(place.folder()).unwrap();
    match std::process::Command::new("mkfifo").arg(place.file()).status() {
        Ok(status) if status.success() => {}
        other => {
            println!("skipped: no FIFO can be made here ({other:?})");
            return;
        }
    }
    let error = place.refused();
    assert!(error.contains("is not a regular file"), "{error}");
    // Nor when it comes after the look.
    assert!(block_on(WorkspaceFiles::new(place.workspace()).read(1 << 20)).is_err());

    let place = Place::new();
    std::process::Command::new("mkfifo").arg(place.folder()).status().unwrap();
    let error = place.refused();
    assert!(error.contains("is neither a folder nor a file"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let place = Place::new();
    set_mode(&place.workspace(), 0o555);
    if fs::write(place.workspace().join("probe"), "").is_ok() {
        println!("skipped: this user may write to read-only folders");
        return;
    }
    let error = place.refused();
    assert!(error.contains("cannot create the folder"), "{error}");
    set_mode(&place.workspace(), 0o755);

    place.export(&two()).unwrap();
    set_mode(&place.folder(), 0o555);
    let error = place.refused();
    assert!(error.contains("cannot write"), "{error}");
    assert_eq!(fs::read_to_string(place.file()).unwrap(), render(&two()));
    set_mode(&place.folder(), 0o755);
}

#[cfg(unix)]
#[test]
fn a_new_mirror_is_private_and_a_chosen_mode_is_kept() {
    let place = Place::new();
    place.export(&one()).unwrap();
    assert_eq!((mode(&place.folder()), mode(&place.file())), (0o700, 0o600));
    set_mode(&place.file(), 0o664);
    place.export(&two()).unwrap();
    assert_eq!(mode(&place.file()), 0o664);
}

#[test]
fn a_hard_link_outside_keeps_its_content() {
    let place = Place::new();
    place.export(&one()).unwrap();
    let link = place.root.path().join("link");
    if let Err(error) = fs::hard_link(place.file(), &link) {
        println!("skipped: no hard links here ({error})");
        return;
    }
    place.export(&two()).unwrap();
    assert_eq!(fs::read_to_string(link).unwrap(), render(&one()));
}
