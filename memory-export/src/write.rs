//! Putting the mirror in its place, or saying why not.

use memory_core::{ErrorCode, IdSource, MemoryError};

use crate::digest::{Verdict, verify, with_plain_line_ends};
use crate::masked::Masked;
use crate::port::{Entry, FILE, FOLDER, Fault, FaultKind, MirrorFiles, Place};
use crate::render;

/// A mirror of 10,000 facts of full length stays below it.
const LARGEST: u64 = 256 << 20;

/// What an export did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Length of the mirror in UTF-8.
    pub bytes: usize,
    /// Whether the file was written; `false` when it already held this.
    pub changed: bool,
}

/// Renders the mirror and puts it at `.dsh-memory/memory.md`.
///
/// Writes nothing when the file already holds it. A file that was changed by
/// hand, or is no mirror at all, is not overwritten. The new content is
/// complete and on disk before it takes the place of the old one; whatever
/// fails, the old one stays and no temporary file is left.
///
/// # Errors
/// `MEMORY_UNAVAILABLE` with what stands in the way and how to go on.
pub async fn write(
    files: &impl MirrorFiles,
    ids: &impl IdSource,
    masked: &Masked,
) -> Result<Written, MemoryError> {
    let new = render(masked);
    if !folder_is_there(files).await?
        && let Err(fault) = files.create_folder().await
        // Another export may have made it meanwhile.
        && files.look(Place::Folder).await != Ok(Entry::Folder)
    {
        return Err(failed("create the folder", &fault));
    }
    let mode = match look_at_file(files, &new).await? {
        Present::Same => return Ok(Written { bytes: new.len(), changed: false }),
        Present::Replaceable { mode } => mode,
        Present::Missing => None,
    };
    let temporary = format!(".{FILE}.{}.tmp", ids.new_id());
    let placed = match files.write_new(&temporary, &new, mode).await {
        Ok(()) => files.put_in_place(&temporary).await,
        fault => fault,
    };
    if let Err(fault) = placed {
        // It may not even have been created; the first fault is the one to tell.
        let _ = files.remove(&temporary).await;
        return Err(failed("write", &fault));
    }
    Ok(Written { bytes: new.len(), changed: true })
}

/// Whether the mirror's folder exists, in a workspace that does.
async fn folder_is_there(files: &impl MirrorFiles) -> Result<bool, MemoryError> {
    let look = |place| async move {
        files.look(place).await.map_err(|fault| failed("look for the folder", &fault))
    };
    match look(Place::Workspace).await? {
        Entry::Folder => {}
        Entry::Missing => {
            return Err(unavailable("the workspace folder does not exist (any more)")
                .advise("it is not created; export from a session in an existing folder"));
        }
        _ => {
            return Err(unavailable("the workspace is not a folder")
                .advise("export from a session in an existing folder"));
        }
    }
    let what = match look(Place::Folder).await? {
        Entry::Missing => return Ok(false),
        Entry::Folder => return Ok(true),
        Entry::Symlink => "a symbolic link, which could lead out of the workspace",
        Entry::File { .. } => "a file",
        Entry::Other => "neither a folder nor a file",
    };
    Err(unavailable(format!("`{FOLDER}` is {what}; nothing was written"))
        .advise(format!("remove or rename `{FOLDER}` and export again")))
}

enum Present {
    Missing,
    Same,
    Replaceable { mode: Option<u32> },
}

async fn look_at_file(files: &impl MirrorFiles, new: &str) -> Result<Present, MemoryError> {
    let refuse = |what: &str| {
        Err(unavailable(format!("`{FOLDER}/{FILE}` {what}; nothing was written"))
            .advise(format!("remove or rename `{FOLDER}/{FILE}` and export again")))
    };
    let entry =
        files.look(Place::File).await.map_err(|fault| failed("look for the mirror", &fault))?;
    let mode = match entry {
        Entry::Missing => return Ok(Present::Missing),
        Entry::File { mode } => mode,
        Entry::Symlink => return refuse("is a symbolic link"),
        Entry::Folder => return refuse("is a folder"),
        Entry::Other => return refuse("is not a regular file"),
    };
    let bytes = match files.read(LARGEST).await {
        Ok(bytes) => bytes,
        Err(fault) if fault.kind == FaultKind::NotFound => return Ok(Present::Missing),
        Err(fault) if fault.kind == FaultKind::TooLarge => {
            return refuse("is not a mirror (it is too large)");
        }
        Err(fault) => return Err(failed("read the present mirror", &fault)),
    };
    let Ok(old) = String::from_utf8(bytes) else {
        return refuse("is not a mirror (it is not UTF-8)");
    };
    if with_plain_line_ends(&old) == new {
        return Ok(Present::Same);
    }
    match verify(&old) {
        Verdict::Unchanged => Ok(Present::Replaceable { mode }),
        Verdict::Changed => refuse("was changed by hand, or by an older version"),
        Verdict::Foreign => refuse("was not written by an export"),
    }
}

fn unavailable(what: impl Into<String>) -> MemoryError {
    MemoryError::new(ErrorCode::Unavailable, what)
}

fn failed(verb: &str, fault: &Fault) -> MemoryError {
    let (why, advice) = match fault.kind {
        FaultKind::NotFound => {
            ("the folder vanished", "check that the workspace still exists and export again")
        }
        FaultKind::Denied => (
            "the system does not allow it",
            "make the workspace and `.dsh-memory` writable for this user and export again",
        ),
        FaultKind::ReadOnly => {
            ("the file system is read-only", "export from a folder that can be written")
        }
        FaultKind::Full => ("the disk is full", "free some space and export again"),
        FaultKind::TooLarge | FaultKind::Failed => {
            ("the system reports an error", "fix the cause and export again")
        }
    };
    unavailable(format!(
        "cannot {verb} (`{FOLDER}/{FILE}`): {why} ({}); the mirror is as it was",
        fault.message
    ))
    .advise(advice)
}
