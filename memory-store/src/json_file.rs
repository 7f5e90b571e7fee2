//! A storage domain in one JSON file, in the unit format of the DeepSeek
//! Harness, for hosts that bring no storage of their own.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value, json};
use tokio::sync::Mutex;

use crate::domain::{
    DomainError, DomainErrorKind, Snapshot, StorageDomain, Table, UNIT_NAME, UNIT_VERSION,
};

/// The unit `dsh_memory` in one JSON file.
///
/// The format is the host's own: `{ "unit": { "name", "version" }, "global",
/// "tables": { table: { key: row } } }`, two blanks of indentation, a final
/// newline. What the file holds beyond that (other tables, other fields) is
/// kept. A missing file is an empty unit; the first put creates it.
///
/// **Durability.** Every put writes the whole unit into a private temporary
/// file in the same folder, syncs it, renames it over the old one and syncs the
/// folder. After a crash the file holds the state before or after a put, never
/// a part. On Windows the folder is not synced: there the newest put may be
/// missing after a power cut.
///
/// **One owner.** The file is read once, when it is opened, and written whole:
/// a second owner at the same time would overwrite the first one's rows.
///
/// Its puts run on tokio's pool for blocking work, so it needs a tokio runtime.
#[derive(Debug)]
pub struct JsonFileDomain {
    path: PathBuf,
    /// `None` once closed.
    document: Arc<Mutex<Option<Value>>>,
}

impl JsonFileDomain {
    /// Opens a unit file. The folder is created on the first put.
    ///
    /// # Errors
    /// [`DomainErrorKind::Malformed`] when the file is not such a unit,
    /// [`DomainErrorKind::VersionMismatch`] for another version, and
    /// [`DomainErrorKind::Failed`] when it cannot be read.
    pub async fn open(path: impl Into<PathBuf>) -> Result<Self, DomainError> {
        let path = path.into();
        let at = path.clone();
        let document = blocking(move || read(&at)).await?;
        Ok(Self { path, document: Arc::new(Mutex::new(Some(document))) })
    }

    /// Where the unit lies.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Puts a document back to what it was before a change.
type Undo = Box<dyn FnOnce(&mut Value)>;

impl JsonFileDomain {
    /// Changes the document and writes it, or changes nothing.
    async fn write(
        &self,
        change: impl FnOnce(&mut Value) -> Result<Undo, DomainError> + Send + 'static,
    ) -> Result<(), DomainError> {
        let path = self.path.clone();
        let mut guard = Arc::clone(&self.document).lock_owned().await;
        // The lock moves into the blocking task: even if the caller goes away,
        // memory and file agree before the next put starts.
        blocking(move || {
            let document = guard.as_mut().ok_or_else(closed)?;
            let undo = change(document)?;
            replace(&path, document).map_err(|error| {
                undo(document);
                failed("write", &error)
            })
        })
        .await
    }
}

impl StorageDomain for JsonFileDomain {
    async fn load(&self) -> Result<Snapshot, DomainError> {
        let guard = self.document.lock().await;
        let document = guard.as_ref().ok_or_else(closed)?;
        let global = document.get("global").cloned().unwrap_or_default();
        let mut snapshot = Snapshot { rows: Vec::new(), global };
        for table in Table::ALL {
            if let Some(Value::Object(rows)) = document["tables"].get(table.name()) {
                snapshot.rows.extend(rows.iter().map(|(k, v)| (table, k.clone(), v.clone())));
            }
        }
        Ok(snapshot)
    }

    async fn put(&self, table: Table, key: &str, value: Value) -> Result<(), DomainError> {
        let key = key.to_owned();
        self.write(move |document| {
            let rows = table_mut(document, table)?;
            let old = rows.insert(key.clone(), value);
            Ok(Box::new(move |document: &mut Value| {
                if let Ok(rows) = table_mut(document, table) {
                    match old {
                        Some(old) => drop(rows.insert(key, old)),
                        None => drop(rows.shift_remove(&key)),
                    }
                }
            }))
        })
        .await
    }

    async fn put_global(&self, value: Value) -> Result<(), DomainError> {
        self.write(move |document| {
            let old = std::mem::replace(&mut document["global"], value);
            Ok(Box::new(move |document: &mut Value| document["global"] = old))
        })
        .await
    }

    async fn close(&self) -> Result<(), DomainError> {
        *self.document.lock().await = None;
        Ok(())
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, DomainError> + Send + 'static,
) -> Result<T, DomainError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| DomainError::new(DomainErrorKind::Failed, "the storage task was stopped"))?
}

fn read(path: &Path) -> Result<Value, DomainError> {
    let malformed = |what: &str| DomainError::new(DomainErrorKind::Malformed, what);
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(empty()),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            return Err(malformed("the file is not UTF-8"));
        }
        Err(error) => return Err(failed("read", &error)),
    };
    let document: Value =
        serde_json::from_str(&text).map_err(|_| malformed("the file is not valid JSON"))?;
    if document["unit"]["name"] != UNIT_NAME {
        return Err(malformed("the unit header is missing or foreign"));
    }
    let version = &document["unit"]["version"];
    if !version.is_number() {
        return Err(malformed("the unit header has no version"));
    }
    if *version != json!(UNIT_VERSION) {
        return Err(DomainError::new(
            DomainErrorKind::VersionMismatch,
            format!("stored version {version}, expected {UNIT_VERSION}"),
        ));
    }
    let Some(tables) = document["tables"].as_object() else {
        return Err(malformed("`tables` is not an object"));
    };
    for table in Table::ALL {
        if tables.get(table.name()).is_some_and(|rows| !rows.is_object()) {
            return Err(malformed("a table is not an object"));
        }
    }
    Ok(document)
}

fn empty() -> Value {
    let tables: Map<String, Value> =
        Table::ALL.iter().map(|table| (table.name().to_owned(), json!({}))).collect();
    json!({
        "unit": { "name": UNIT_NAME, "version": UNIT_VERSION },
        "global": null,
        "tables": tables,
    })
}

fn table_mut(document: &mut Value, table: Table) -> Result<&mut Map<String, Value>, DomainError> {
    document
        .get_mut("tables")
        .and_then(Value::as_object_mut)
        .and_then(|tables| tables.entry(table.name()).or_insert_with(|| json!({})).as_object_mut())
        .ok_or_else(|| DomainError::new(DomainErrorKind::Malformed, "a table is not an object"))
}

/// Replaces the file in one step; see the durability note on the type.
fn replace(path: &Path, document: &Value) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    create_private_folder(folder)?;
    let mut text = serde_json::to_string_pretty(document)?;
    text.push('\n');
    // Created with mode 0600, and removed again if anything below fails.
    let mut file = tempfile::Builder::new().prefix(".").suffix(".tmp").tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn closed() -> DomainError {
    DomainError::new(DomainErrorKind::Closed, "the domain is closed")
}

fn failed(verb: &str, error: &io::Error) -> DomainError {
    DomainError::new(DomainErrorKind::Failed, format!("cannot {verb} the unit file: {error}"))
}
