//! What a distribution brings for a type checker, as far as the names of its files tell.

use std::collections::{BTreeMap, BTreeSet};

use crate::cache::FileDigest;

/// The largest file that is taken, in bytes.
pub(super) const MOST_FILE_BYTES: u64 = 8 << 20;
/// Most files of one distribution.
const MOST_FILES: usize = 20_000;
/// Says that the package around it has types.
const MARKER: &str = "py.typed";
/// How the folder of a package ends that only describes another.
const STUBS: &str = "-stubs";
/// The type checker has these itself, and takes others for an attempt to replace them.
const OF_THE_CHECKER: [&str; 3] = ["_typeshed", "mypy_extensions", "typing_extensions"];

/// Files by their path from the folder that packages are installed in.
pub(super) type TypeFiles = BTreeMap<String, FileDigest>;

/// What a distribution brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Brings {
    /// Types, in these files.
    Types(TypeFiles),
    /// Modules without types, with these names at the top.
    NoTypes(BTreeSet<String>),
    /// Types that cannot be used, and why.
    Unusable(String),
}

/// The paths of a distribution that count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TypePaths {
    /// Empty where it brings no types.
    pub(super) files: Vec<String>,
    /// What can be imported of it, at the top.
    pub(super) tops: BTreeSet<String>,
}

impl TypePaths {
    /// What counts of all paths of a distribution.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub(super) fn among_paths<'p>(paths: impl Iterator<Item = &'p str>) -> Result<Self, String> {
        let mut files: Vec<String> = paths.filter(|path| is_read(path)).map(str::to_owned).collect();
        files.sort_unstable();
        files.dedup();
        let tops = files.iter().map(|path| top_of(path).to_owned()).collect();
        let has_types = files.iter().any(|path| is_marker(path) || top_of(path).ends_with(STUBS));
        if !has_types {
            return Ok(Self { files: Vec::new(), tops });
        }
        if files.len() > MOST_FILES {
            return Err(format!("it has {} files of types, more than the {MOST_FILES} that are read", files.len()));
        }
        Ok(Self { files, tops })
    }
}

/// The package that a folder of stubs describes.
pub(super) fn described_by(top: &str) -> Option<&str> {
    top.strip_suffix(STUBS)
}

/// The first part of a path, as it is imported.
pub(super) fn top_of(path: &str) -> &str {
    match path.split_once('/') {
        Some((folder, _)) => folder,
        None => path.split('.').next().unwrap_or(path),
    }
}

fn is_marker(path: &str) -> bool {
    path.rsplit_once('/').is_some_and(|(_, name)| name == MARKER)
}

/// True for what the type checker can find: modules, stubs and markers, in folders whose names can be imported.
fn is_read(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').map_or((None, path), |(folders, name)| (Some(folders), name));
    let stem = name.strip_suffix(".pyi").or_else(|| name.strip_suffix(".py"));
    let is_named = stem.is_some_and(is_identifier) || is_marker(path);
    let in_package = folders.into_iter().flat_map(|folders| folders.split('/')).enumerate().all(|(depth, folder)| {
        let plain = if depth == 0 { folder.strip_suffix(STUBS).unwrap_or(folder) } else { folder };
        is_identifier(plain) && folder != "__pycache__"
    });
    is_named && in_package && !OF_THE_CHECKER.contains(&top_of(path))
}

/// Which letters beyond ASCII Python takes is not decided here: all of them may be.
fn is_identifier(name: &str) -> bool {
    let fits = |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || c == '_';
    !name.is_empty() && name.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn among(paths: &[&str]) -> (Vec<String>, Vec<String>) {
        let found = TypePaths::among_paths(paths.iter().copied()).unwrap();
        (found.files, found.tops.into_iter().collect())
    }

    #[test]
    fn modules_stubs_and_markers_count_in_folders_that_can_be_imported() {
        let (files, tops) = among(&[
            "a/__init__.py",
            "a/b.pyi",
            "a/py.typed",
            "a/c.so",
            "a/__pycache__/b.py",
            "a/no-module.py",
            "a/data.d/x.py",
            "a-1.0.dist-info/x.py",
            "../../../bin/a",
            "/etc/a.py",
            "one.py",
            "py.typed",
            "typing_extensions.py",
            "mypy_extensions/__init__.py",
            "é/ü.py",
        ]);
        assert_eq!(files, ["a/__init__.py", "a/b.pyi", "a/py.typed", "one.py", "é/ü.py"]);
        assert_eq!(tops, ["a", "one", "é"]);
    }

    #[test]
    fn types_are_where_a_marker_or_a_folder_of_stubs_is() {
        assert_eq!(among(&["a/__init__.py", "b.py"]), (vec![], vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(among(&["a-stubs/__init__.pyi"]).0, ["a-stubs/__init__.pyi"]);
        assert_eq!(among(&["google/part/py.typed", "google/part/x.py"]).0.len(), 2);
        assert_eq!(among(&["a/b-stubs/x.pyi", "a/py.typed"]).0, ["a/py.typed"]);
        assert_eq!((described_by("a-stubs"), described_by("a")), (Some("a"), None));
    }

    #[test]
    fn what_has_too_many_files_says_so() {
        let paths: Vec<String> = (0..=MOST_FILES).map(|n| format!("a-stubs/m{n}.pyi")).collect();
        let why = TypePaths::among_paths(paths.iter().map(String::as_str)).unwrap_err();
        assert_eq!(why, "it has 20001 files of types, more than the 20000 that are read");
    }
}
