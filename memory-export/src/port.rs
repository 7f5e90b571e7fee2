//! What writing the mirror needs of a file system, in steps so small that a
//! host without Rust's can carry them out.

use std::future::Future;

/// The folder of the mirror, in the workspace.
pub const FOLDER: &str = ".dsh-memory";
/// The mirror, in its folder.
pub const FILE: &str = "memory.md";

/// A place that the mirror is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The workspace's own folder.
    Workspace,
    /// [`FOLDER`] in it.
    Folder,
    /// [`FILE`] in that.
    File,
}

/// What stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Nothing.
    Missing,
    /// A regular file.
    File {
        /// Its permission bits, where the system has such.
        mode: Option<u32>,
    },
    /// A folder.
    Folder,
    /// A symlink (or what else the system resolves on the way).
    Symlink,
    /// A FIFO, a socket, a device.
    Other,
}

/// Why an operation failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// There is no such folder or file (any more).
    NotFound,
    /// The system does not allow it.
    Denied,
    /// The file system cannot be written.
    ReadOnly,
    /// The disk or a quota is full.
    Full,
    /// The file is larger than was asked for.
    TooLarge,
    /// Anything else.
    Failed,
}

impl FaultKind {
    /// The kind of a system's error name, e.g. `EACCES`.
    pub fn of_code(code: &str) -> Self {
        match code {
            "ENOENT" => Self::NotFound,
            "EACCES" | "EPERM" => Self::Denied,
            "EROFS" => Self::ReadOnly,
            "ENOSPC" | "EDQUOT" => Self::Full,
            "EFBIG" => Self::TooLarge,
            _ => Self::Failed,
        }
    }
}

/// An operation that failed and changed nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Why.
    pub kind: FaultKind,
    /// The system's own words; no content.
    pub message: String,
}

/// The mirror's folder in one workspace.
///
/// [`write`](crate::write()) decides; an implementation only carries out. Each
/// operation must end soon and must not follow a symlink at [`FOLDER`] or
/// below, not even one that came after [`look`](Self::look). Where the system
/// has handles of folders, use them; with paths alone (as in Node) somebody who
/// may write to the workspace can win a race between two operations.
pub trait MirrorFiles: Send + Sync {
    /// What stands at a place, without following a symlink there, except at
    /// [`Place::Workspace`]: `stat` for that and `lstat` for the others.
    fn look(&self, place: Place) -> impl Future<Output = Result<Entry, Fault>> + Send;

    /// The bytes of [`FILE`] if it is a regular file of at most `most` bytes.
    /// Must not wait for a writer at a FIFO: open with `O_NOFOLLOW` and
    /// `O_NONBLOCK`.
    fn read(&self, most: u64) -> impl Future<Output = Result<Vec<u8>, Fault>> + Send;

    /// Makes [`FOLDER`], private to the user (0700). Never makes the workspace.
    fn create_folder(&self) -> impl Future<Output = Result<(), Fault>> + Send;

    /// Creates the file `name` in [`FOLDER`], which must not exist yet (`wx`),
    /// with these permission bits, else private (0600); writes `text` and
    /// syncs it to disk.
    fn write_new(
        &self,
        name: &str,
        text: &str,
        mode: Option<u32>,
    ) -> impl Future<Output = Result<(), Fault>> + Send;

    /// Renames `name` in [`FOLDER`] to [`FILE`], over the present one, and
    /// syncs the folder where the system can; a failure of that is none.
    fn put_in_place(&self, name: &str) -> impl Future<Output = Result<(), Fault>> + Send;

    /// Removes `name` from [`FOLDER`].
    fn remove(&self, name: &str) -> impl Future<Output = Result<(), Fault>> + Send;
}
