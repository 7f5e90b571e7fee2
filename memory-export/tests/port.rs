//! What an export asks of its port, and what it does when that fails.

#![allow(clippy::unwrap_used, reason = "a test may fail")]
mod common;

use std::sync::Mutex;

use common::{NOW, fact, plain};
use futures::executor::block_on;
use memory_core::{FactKind, MemoryError, SequentialIds};
use memory_export::{Entry, Fault, FaultKind, MirrorFiles, Place, Written, render, write};

/// A folder in memory that notes what was asked and fails where it is told to.
#[derive(Default)]
struct Fake {
    folder: bool,
    file: Option<String>,
    fail: Option<(&'static str, FaultKind)>,
    asked: Mutex<Vec<String>>,
}

impl Fake {
    fn answer<T>(&self, operation: &'static str, detail: &str, answer: T) -> Result<T, Fault> {
        self.asked.lock().unwrap().push(format!("{operation} {detail}").trim().to_owned());
        match self.fail {
            Some((failing, kind)) if failing == operation => {
                Err(Fault { kind, message: "as told".to_owned() })
            }
            _ => Ok(answer),
        }
    }

    fn export(&self) -> Result<Written, MemoryError> {
        let facts = [fact("a", FactKind::Fact, "one", &[], NOW)];
        block_on(write(self, &SequentialIds::default(), &plain(&[], &facts)))
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl MirrorFiles for Fake {
    async fn look(&self, place: Place) -> Result<Entry, Fault> {
        let entry = match place {
            Place::Folder if !self.folder => Entry::Missing,
            Place::Workspace | Place::Folder => Entry::Folder,
            Place::File if self.file.is_none() => Entry::Missing,
            Place::File => Entry::File { mode: Some(0o640) },
        };
        self.answer("look", &format!("{place:?}"), entry)
    }

    async fn read(&self, _most: u64) -> Result<Vec<u8>, Fault> {
        self.answer("read", "", self.file.clone().unwrap_or_default().into_bytes())
    }

    async fn create_folder(&self) -> Result<(), Fault> {
        self.answer("create-folder", "", ())
    }

    async fn write_new(&self, name: &str, text: &str, mode: Option<u32>) -> Result<(), Fault> {
        assert!(text.ends_with(" -->\n"));
        self.answer("write-new", &format!("{name} {mode:?}"), ())
    }

    async fn put_in_place(&self, name: &str) -> Result<(), Fault> {
        self.answer("put-in-place", name, ())
    }

    async fn remove(&self, name: &str) -> Result<(), Fault> {
        self.answer("remove", name, ())
    }
}

const TEMPORARY: &str = ".memory.md.00000000-0000-4000-8000-000000000001.tmp";

#[test]
fn a_first_export_makes_the_folder_and_renames_into_it() {
    let fake = Fake::default();
    assert!(fake.export().unwrap().changed);
    assert_eq!(
        fake.asked(),
        [
            "look Workspace".to_owned(),
            "look Folder".to_owned(),
            "create-folder".to_owned(),
            "look File".to_owned(),
            format!("write-new {TEMPORARY} None"),
            format!("put-in-place {TEMPORARY}"),
        ]
    );
}

#[test]
fn a_later_export_keeps_the_mode() {
    let fake = Fake { folder: true, file: Some(render(&plain(&[], []))), ..Fake::default() };
    assert!(fake.export().unwrap().changed);
    assert_eq!(fake.asked()[4], format!("write-new {TEMPORARY} Some(416)"));
}

#[test]
fn whatever_fails_no_temporary_file_is_left() {
    for failing in ["write-new", "put-in-place"] {
        let fake = Fake { fail: Some((failing, FaultKind::Full)), ..Fake::default() };
        let error = fake.export().unwrap_err();
        assert_eq!(
            error.to_string(),
            "MEMORY_UNAVAILABLE: cannot write (`.dsh-memory/memory.md`): the disk is full \
             (as told); the mirror is as it was. Free some space and export again."
        );
        assert_eq!(fake.asked().last().unwrap(), &format!("remove {TEMPORARY}"));
    }
}

#[test]
fn every_fault_says_how_to_go_on() {
    for kind in [
        FaultKind::NotFound,
        FaultKind::Denied,
        FaultKind::ReadOnly,
        FaultKind::Full,
        FaultKind::TooLarge,
        FaultKind::Failed,
    ] {
        for failing in ["look", "create-folder", "write-new", "put-in-place"] {
            let fake = Fake { fail: Some((failing, kind)), ..Fake::default() };
            assert!(fake.export().unwrap_err().advice().is_some(), "{failing} {kind:?}");
        }
    }
    let fake = Fake {
        folder: true,
        file: Some(String::new()),
        fail: Some(("read", FaultKind::TooLarge)),
        ..Fake::default()
    };
    let error = fake.export().unwrap_err().to_string();
    assert!(error.contains("it is too large"), "{error}");
}

#[test]
fn the_systems_error_names_are_known() {
    assert_eq!(FaultKind::of_code("EROFS"), FaultKind::ReadOnly);
    assert_eq!(FaultKind::of_code("EACCES"), FaultKind::Denied);
    assert_eq!(FaultKind::of_code("ENAMETOOLONG"), FaultKind::Failed);
}
