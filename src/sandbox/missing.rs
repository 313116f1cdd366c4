//! The error for a path where nothing is, with what the caller may have meant.

use std::path::Path;

use super::boundary::Boundary;
use super::path::ProjectPath;
use tapps_base::{Error, ErrorCode, nearest};

/// Most entries of a folder that are compared; a hint is not worth more.
const MAX_ENTRIES: usize = 5_000;

impl Boundary {
    pub(super) fn missing_path_error(&self, path: &ProjectPath) -> Error {
        let error = Error::new(ErrorCode::FileNotFound, format!("there is no `{path}` in the project"));
        // The nearest folder that exists is where the path went wrong.
        let mut wrong = path.clone();
        while !wrong.parent().is_root() && !self.dir.is_dir(Path::new(wrong.parent().as_str())) {
            wrong = wrong.parent();
        }
        let folder = wrong.parent();
        let names = self.sorted_entry_names(&folder);
        let near: Vec<String> = nearest::names(wrong.file_name(), names.iter().map(String::as_str))
            .into_iter()
            .map(|name| format!("`{}`", folder.child_entry(name)))
            .collect();
        error.hint(if near.is_empty() {
            format!("paths are relative to the project root {}", self.root().display())
        } else {
            format!("did you mean {}?", near.join(" or "))
        })
    }

    /// Names in a folder, sorted; empty when it cannot be read.
    fn sorted_entry_names(&self, folder: &ProjectPath) -> Vec<String> {
        let Ok(entries) = self.dir.read_dir(folder.as_str()) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.take(MAX_ENTRIES).filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        names.sort();
        names
    }
}
