//! When two folder names are one workspace.

use std::fmt;

/// The exact folder that a memory belongs to, in one spelling.
///
/// Facts carry a path as some host spelled it. The same folder can be spelled
/// with a trailing slash, with `.` and `..` parts, on Windows in another case
/// or with `/`, or through a symlink. This type settles the first three by
/// rule; the symlink is the host's to resolve, so callers pass the resolved
/// path where the host knows one (see [`WorkspacePath::resolved`]).
///
/// Two different folders never become equal: on a POSIX path case, blanks and
/// backslashes are part of the name.
///
/// ```
/// use memory_core::WorkspacePath;
///
/// let a = WorkspacePath::from_raw("/work/app/./src/..").unwrap();
/// assert_eq!(a, WorkspacePath::from_raw("/work/app/").unwrap());
/// assert_ne!(a, WorkspacePath::from_raw("/work/App").unwrap());
///
/// let w = WorkspacePath::from_raw(r"C:\Work\App\").unwrap();
/// assert_eq!(w, WorkspacePath::from_raw("c:/work/app").unwrap());
/// assert_eq!(w.as_str(), r"C:\Work\App"); // spelled as given, compared folded
/// ```
#[derive(Clone, Debug)]
pub struct WorkspacePath {
    /// As it is written into rows.
    spelling: String,
    /// As it is compared.
    key: String,
}

impl WorkspacePath {
    /// The workspace that a path names, or `None` for an empty path.
    pub fn from_raw(raw: &str) -> Option<Self> {
        if raw.is_empty() {
            return None;
        }
        let (root, rest, windows) = split_root(raw);
        let separator = if windows { '\\' } else { '/' };
        let mut parts: Vec<&str> = Vec::new();
        for part in rest.split(|c| c == '/' || (windows && c == '\\')) {
            match part {
                "" | "." => {}
                ".." => match parts.last() {
                    Some(&last) if last != ".." => {
                        parts.pop();
                    }
                    // Nothing lies above a root; above a relative path there may.
                    _ if root.is_empty() => parts.push(".."),
                    _ => {}
                },
                part => parts.push(part),
            }
        }
        let relative = root.is_empty();
        let mut spelling = root;
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                spelling.push(separator);
            }
            spelling.push_str(part);
        }
        if spelling.is_empty() {
            spelling.push('.');
        } else if relative && !split_root(&spelling).0.is_empty() {
            // A folder named `C:` in the current one is not a drive.
            spelling.insert_str(0, "./");
        }
        let key = if windows { fold_case(&spelling) } else { spelling.clone() };
        Some(Self { spelling, key })
    }

    /// The workspace of a path and, where the host could resolve it, of what
    /// it really names: `resolved` wins, because `..` behind a symlink and the
    /// symlink itself are known only there.
    pub fn resolved(raw: &str, resolved: Option<&str>) -> Option<Self> {
        resolved.and_then(Self::from_raw).or_else(|| Self::from_raw(raw))
    }

    /// The path as it is written into rows.
    pub fn as_str(&self) -> &str {
        &self.spelling
    }

    /// The last part, for people to read; the whole path at a root.
    pub fn label(&self) -> &str {
        let name = self.spelling.rsplit(['/', '\\']).next().unwrap_or_default();
        if name.is_empty() || self.spelling.ends_with(':') { &self.spelling } else { name }
    }
}

impl PartialEq for WorkspacePath {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for WorkspacePath {}

impl std::hash::Hash for WorkspacePath {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl PartialOrd for WorkspacePath {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for WorkspacePath {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}

impl fmt::Display for WorkspacePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spelling)
    }
}

/// Splits a path into its root, the rest, and whether it is a Windows path:
/// one with a drive (`C:\`, `C:/`) or a share (`\\server\share`). The shape
/// decides, not the machine, so that the same unit means the same everywhere.
fn split_root(raw: &str) -> (String, &str, bool) {
    // `\\?\` only lifts the length limit; the folder is the same.
    if let Some(share) = raw.strip_prefix(r"\\?\UNC\") {
        return (r"\\".to_owned(), share, true);
    }
    let raw = raw.strip_prefix(r"\\?\").unwrap_or(raw);
    let bytes = raw.as_bytes();
    if let [drive, b':', rest @ ..] = bytes
        && drive.is_ascii_alphabetic()
        && matches!(rest.first(), None | Some(b'/' | b'\\'))
    {
        return (format!("{}:\\", char::from(*drive)), &raw[2..], true);
    }
    // `//server` on POSIX is an ordinary path with a doubled slash.
    if let Some(share) = raw.strip_prefix(r"\\") {
        return (r"\\".to_owned(), share, true);
    }
    match raw.strip_prefix('/') {
        Some(rest) => ("/".to_owned(), rest, false),
        None => (String::new(), raw, false),
    }
}

/// Folds case as a Windows file system does: letter by letter, and only pairs
/// that lead back to each other, so that `İ` or the Kelvin sign stay themselves.
fn fold_case(path: &str) -> String {
    let single = |mut chars: std::char::ToLowercase| match (chars.next(), chars.next()) {
        (Some(lower), None) => Some(lower),
        _ => None,
    };
    path.chars()
        .map(|c| single(c.to_lowercase()).filter(|l| l.to_uppercase().eq([c])).unwrap_or(c))
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn path(raw: &str) -> WorkspacePath {
        WorkspacePath::from_raw(raw).unwrap()
    }

    #[test]
    fn spellings_of_one_folder_are_one_workspace() {
        for (a, b) in [
            ("/p", "/p/"),
            ("/p", "//p"),
            ("/p", "/p/."),
            ("/p", "/p/q/.."),
            ("/p", "/../p"),
            ("/", "/.."),
            (r"C:\a\b", r"c:/A/B/"),
            (r"C:\", "c:/"),
            ("C:\\ÄÖ", "C:\\äö"),
            (r"\\srv\share\x", r"\\SRV\share\x\"),
            (r"\\?\C:\a", r"C:\a"),
            (r"\\?\UNC\srv\share", r"\\srv\share"),
        ] {
            assert_eq!(path(a), path(b), "{a} and {b}");
        }
    }

    #[test]
    fn different_folders_are_never_one_workspace() {
        for (a, b) in [
            ("/p", "/P"),
            ("/p", "/p/q"),
            ("/p", "p"),
            ("/p ", "/p"),
            ("/a\\b", "/a/b"),
            ("/..a", "/a"),
            (r"C:\a", r"D:\a"),
            ("C:\\\u{212a}", r"C:\k"),
            ("C:\\\u{130}", "C:\\i\u{307}"),
            ("/c:/a", "c:/a"),
            ("../a", "a"),
            ("./C:/a", "C:/a"),
            ("./\\\\a", "\\\\a"),
        ] {
            assert_ne!(path(a), path(b), "{a} and {b}");
        }
    }

    #[test]
    fn a_resolved_path_wins_over_the_raw_one() {
        let link = WorkspacePath::resolved("/link/../x", Some("/real/x")).unwrap();
        assert_eq!(link, path("/real/x"));
        assert_eq!(WorkspacePath::resolved("/gone/", None).unwrap(), path("/gone"));
        assert!(WorkspacePath::resolved("", None).is_none());
    }

    #[test]
    fn the_label_is_the_last_part() {
        for (raw, label) in [("/a/b/", "b"), ("/", "/"), (r"C:\x\y", "y"), (r"C:\", r"C:\")] {
            assert_eq!(path(raw).label(), label);
        }
    }

    proptest! {
        #[test]
        fn normalising_is_idempotent(raw in "[a-zA-Z:./\\\\ ]{1,24}") {
            let once = path(&raw);
            let twice = path(once.as_str());
            prop_assert_eq!(once.as_str(), twice.as_str());
            prop_assert_eq!(once, twice);
        }
    }
}
