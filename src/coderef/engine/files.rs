//! The files of a scan and their bytes.

use rayon::prelude::*;

use super::ScanOptions;
use crate::model::Language;
use tapps_base::call::Call;
use tapps_base::{Result, digest};
use tapps_sandbox::{Boundary, ProjectPath, WalkOptions};

/// Larger files are generated; they are named but not read.
pub(crate) const MAX_FILE_BYTES: u64 = 10 * 1024 * 1024;

/// A file that is to be read.
#[derive(Debug)]
pub(crate) struct ListedSource {
    pub(crate) path: ProjectPath,
    pub(crate) language: Language,
}

/// A file's bytes, or why there are none.
#[derive(Debug)]
pub(crate) struct LoadedSource {
    pub(crate) path: String,
    pub(crate) language: Language,
    /// Of the bytes; of nothing when they could not be read.
    pub(crate) sha256: String,
    pub(crate) text: std::result::Result<String, String>,
}

/// The files of a scan, each kind sorted by path.
#[derive(Debug, Default)]
pub(crate) struct List {
    pub(crate) sources: Vec<ListedSource>,
    /// Files that say how modules are found.
    pub(crate) configs: Vec<ProjectPath>,
}

/// Globs of what no scan looks at.
pub(crate) fn left_out() -> Vec<String> {
    vec!["/.coderef/".to_owned()]
}

/// The files of the wanted languages and the configuration beside them.
pub(crate) fn list_sources(boundary: &Boundary, options: &ScanOptions) -> Result<List> {
    let mut exclude = options.exclude.clone();
    exclude.extend(left_out());
    let walk = WalkOptions { exclude, include_ignored: options.include_ignored };
    let wanted = |language: &Language| options.languages.is_empty() || options.languages.contains(language);
    let mut list = List::default();
    for path in boundary.walk(&boundary.root_as_project_path(), &walk)? {
        if is_config(path.file_name()) {
            list.configs.push(path.clone());
        }
        if let Some(language) = Language::of_path(path.as_str()).filter(wanted) {
            list.sources.push(ListedSource { path, language });
        }
    }
    Ok(list)
}

/// Names of files that say how modules are found.
fn is_config(name: &str) -> bool {
    let is_script =
        name.ends_with(".json") && ["package", "tsconfig", "jsconfig"].iter().any(|it| name.starts_with(it));
    is_script || matches!(name, "pyproject.toml" | "setup.cfg" | "Cargo.toml" | "go.mod" | "compile_commands.json")
}

/// True for a file that a scan of everything depends on: a source or configuration that says how modules are found.
#[must_use]
pub fn is_scan_input(path: &str) -> bool {
    is_config(path.rsplit('/').next().unwrap_or(path)) || Language::of_path(path).is_some()
}

/// Reads all files, on all cores.
pub(crate) fn read_all(boundary: &Boundary, listed: &[ListedSource], call: &Call) -> Result<Vec<LoadedSource>> {
    listed
        .par_iter()
        .map(|file| {
            call.check()?;
            Ok(read_source(boundary, file))
        })
        .collect()
}

/// Reads one file.
pub(crate) fn read_source(boundary: &Boundary, file: &ListedSource) -> LoadedSource {
    let (sha256, text) = match boundary.read(&file.path, MAX_FILE_BYTES) {
        Ok(bytes) => {
            let sha256 = digest::sha256(&bytes);
            (sha256, String::from_utf8(bytes).map_err(|_| "not UTF-8".to_owned()))
        }
        Err(error) => (digest::sha256(b""), Err(error.message().to_owned())),
    };
    LoadedSource { path: file.path.as_str().to_owned(), language: file.language, sha256, text }
}
