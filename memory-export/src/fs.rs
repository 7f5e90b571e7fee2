//! The mirror in a folder of this machine.

use std::future::Future;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, OpenOptions};
use memory_core::{IdSource, MemoryError};

use crate::masked::Masked;
use crate::port::{Entry, FILE, FOLDER, Fault, FaultKind, MirrorFiles, Place};
use crate::write::Written;

/// The mirror of a workspace on this machine.
///
/// Works on handles of folders, not on paths: nothing outside the workspace is
/// opened, even if somebody puts a symlink into the way at the same moment.
/// Its operations block; none waits for anything but the disk.
///
/// **Durability.** The new mirror is synced before it is renamed into place,
/// and on Unix the folder after it. After a crash there is the old or the new
/// one, never a part; a crash between the two may leave a file
/// `.memory.md.*.tmp`, which can be removed.
#[derive(Clone, Debug)]
pub struct WorkspaceFiles {
    workspace: PathBuf,
}

impl WorkspaceFiles {
    /// The mirror of this workspace. Nothing is opened yet.
    pub fn new(workspace: impl Into<PathBuf>) -> Self {
        Self { workspace: workspace.into() }
    }

    fn workspace(&self) -> io::Result<Dir> {
        Dir::open_ambient_dir(&self.workspace, ambient_authority())
    }

    fn folder(&self) -> io::Result<Dir> {
        self.workspace()?.open_dir_nofollow(FOLDER)
    }

    fn entry(&self, place: Place) -> io::Result<Entry> {
        match place {
            Place::Workspace => {
                let at = std::fs::metadata(&self.workspace)?;
                Ok(if at.is_dir() { Entry::Folder } else { Entry::Other })
            }
            Place::Folder => self.workspace()?.symlink_metadata(FOLDER).map(|at| entry_of(&at)),
            Place::File => self.folder()?.symlink_metadata(FILE).map(|at| entry_of(&at)),
        }
    }

    fn bytes(&self, most: u64) -> Result<Vec<u8>, Fault> {
        let mut options = OpenOptions::new();
        options.read(true).follow(FollowSymlinks::No).nonblock(true);
        let file = self.folder()?.open_with(FILE, &options)?;
        let at = file.metadata()?;
        if !at.is_file() {
            return Err(Fault {
                kind: FaultKind::Failed,
                message: "it is not a regular file".to_owned(),
            });
        }
        let mut bytes = Vec::new();
        file.take(most + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(Fault {
                kind: FaultKind::TooLarge,
                message: format!("it has more than {most} bytes"),
            });
        }
        Ok(bytes)
    }

    fn make_folder(&self) -> io::Result<()> {
        #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has modes"))]
        let mut builder = cap_std::fs::DirBuilder::new();
        #[cfg(unix)]
        cap_std::fs::DirBuilderExt::mode(&mut builder, 0o700);
        self.workspace()?.create_dir_with(FOLDER, &builder)
    }

    #[cfg_attr(not(unix), expect(unused_variables, reason = "only Unix has modes"))]
    fn create(&self, name: &str, text: &str, mode: Option<u32>) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).follow(FollowSymlinks::No);
        #[cfg(unix)]
        cap_std::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = self.folder()?.open_with(name, &options)?;
        #[cfg(unix)]
        if let Some(mode) = mode {
            // Set, not only asked for: the umask was applied when it was made.
            file.set_permissions(cap_std::fs::PermissionsExt::from_mode(mode & 0o777))?;
        }
        file.write_all(text.as_bytes())?;
        file.sync_all()
    }

    fn rename(&self, name: &str) -> io::Result<()> {
        let folder = self.folder()?;
        folder.rename(name, &folder, FILE)?;
        // It is in place. What a power cut could still take back is written
        // again by the next export, so this failing is no reason to fail.
        #[cfg(unix)]
        let _ = folder.open(".").and_then(|folder| folder.sync_all());
        Ok(())
    }
}

impl MirrorFiles for WorkspaceFiles {
    async fn look(&self, place: Place) -> Result<Entry, Fault> {
        match self.entry(place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Entry::Missing),
            entry => Ok(entry?),
        }
    }

    async fn read(&self, most: u64) -> Result<Vec<u8>, Fault> {
        self.bytes(most)
    }

    async fn create_folder(&self) -> Result<(), Fault> {
        Ok(self.make_folder()?)
    }

    async fn write_new(&self, name: &str, text: &str, mode: Option<u32>) -> Result<(), Fault> {
        Ok(self.create(name, text, mode)?)
    }

    async fn put_in_place(&self, name: &str) -> Result<(), Fault> {
        Ok(self.rename(name)?)
    }

    async fn remove(&self, name: &str) -> Result<(), Fault> {
        Ok(self.folder()?.remove_file(name)?)
    }
}

/// [`write`](crate::write()) for a workspace on this machine, without a
/// runtime.
///
/// # Errors
/// As for [`write`](crate::write()).
pub fn write_to(
    workspace: &Path,
    ids: &impl IdSource,
    masked: &Masked,
) -> Result<Written, MemoryError> {
    let files = WorkspaceFiles::new(workspace);
    let mut writing = pin!(crate::write(&files, ids, masked));
    // The operations block, so this is ready at once.
    loop {
        if let Poll::Ready(written) = writing.as_mut().poll(&mut Context::from_waker(Waker::noop()))
        {
            return written;
        }
    }
}

fn entry_of(at: &Metadata) -> Entry {
    if at.is_symlink() {
        Entry::Symlink
    } else if at.is_dir() {
        Entry::Folder
    } else if at.is_file() {
        #[cfg(unix)]
        let mode = Some(cap_std::fs::PermissionsExt::mode(&at.permissions()) & 0o777);
        #[cfg(not(unix))]
        let mode = None;
        Entry::File { mode }
    } else {
        Entry::Other
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::NotFound => FaultKind::NotFound,
            io::ErrorKind::PermissionDenied => FaultKind::Denied,
            io::ErrorKind::ReadOnlyFilesystem => FaultKind::ReadOnly,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => FaultKind::Full,
            _ => FaultKind::Failed,
        };
        Self { kind, message: error.to_string() }
    }
}
