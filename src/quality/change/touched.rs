//! Which files a change touches, and which of them are judged.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::report::FileStatus;
use crate::engine::Engine;
use crate::result::Skipped;
use crate::threads::run_off_async_threads;
use tapps_base::Result;
use tapps_sandbox::{Exclusion, PathKind, is_passed_over};
use tapps_toolchain::git::{ChangeStatus, GitFileChange, ObjectId};

/// The mode of a link.
const LINK: u32 = 0o120_000;

/// A change of one file, in terms of the project.
#[derive(Debug, Clone)]
pub(super) struct TouchedFile {
    pub(super) path: String,
    /// Where a renamed file was.
    pub(super) old_path: Option<String>,
    /// What a copied file was made from.
    pub(super) copied_from: Option<String>,
    pub(super) status: FileStatus,
    pub(super) filtered: bool,
    /// It was a file and is a link.
    pub(super) became_link: bool,
    /// The blob of the base.
    pub(super) old_id: Option<ObjectId>,
}

impl TouchedFile {
    /// Where the base has it.
    pub(super) fn base_path(&self) -> Option<&str> {
        match self.status {
            FileStatus::Added | FileStatus::Copied => None,
            _ => Some(self.old_path.as_deref().unwrap_or(&self.path)),
        }
    }

    /// Where the head has it.
    pub(super) fn head_path(&self) -> Option<&str> {
        (self.status != FileStatus::Deleted).then_some(&self.path)
    }
}

/// The changed files of the project: links and what lies elsewhere in the repository are none.
pub(super) fn touched_files(changes: &[GitFileChange], prefix: &str) -> Vec<TouchedFile> {
    let touched = changes.iter().filter_map(|change| {
        let path = change.path.strip_prefix(prefix)?.to_owned();
        let old_path = change.old_path.as_deref().and_then(|old| old.strip_prefix(prefix)).map(str::to_owned);
        let is_link = |mode: u32| mode == LINK;
        let status = match change.status {
            ChangeStatus::Added => FileStatus::Added,
            ChangeStatus::Deleted => FileStatus::Deleted,
            ChangeStatus::Renamed if old_path.is_some() => FileStatus::Renamed,
            ChangeStatus::Copied if old_path.is_some() => FileStatus::Copied,
            ChangeStatus::Renamed | ChangeStatus::Copied => FileStatus::Added,
            ChangeStatus::Modified => FileStatus::Modified,
            ChangeStatus::TypeChanged if is_link(change.old_mode) => FileStatus::Added,
            ChangeStatus::TypeChanged => FileStatus::Deleted,
        };
        let links = is_link(change.mode) && status != FileStatus::Deleted
            || is_link(change.old_mode) && status == FileStatus::Deleted;
        let copied_from = old_path.clone().filter(|_| status == FileStatus::Copied);
        let old_path = old_path.filter(|_| status == FileStatus::Renamed);
        let old_id = change.old_id.clone().filter(|_| status != FileStatus::Added);
        let became_link = change.status == ChangeStatus::TypeChanged && is_link(change.mode);
        let filtered = change.filtered;
        (!links).then_some(TouchedFile { became_link, path, old_path, copied_from, status, filtered, old_id })
    });
    touched.collect()
}

impl Engine {
    /// Those of the changed files that are judged. Git names what it tracks and what it does not ignore, so what its ignore
    /// files say by now, or what a folder looks like, takes no file out of the verdict; only the settings do.
    ///
    /// # Errors
    /// `path_denied` or `file_not_found` for a named path that cannot be used; `config_error` for a glob.
    pub(super) async fn judged_files(
        &self,
        touched: &[TouchedFile],
        paths: &[String],
    ) -> Result<(Vec<TouchedFile>, Vec<Skipped>)> {
        // What is gone, or has another name, cannot be looked up.
        let gone: BTreeSet<&str> = touched
            .iter()
            .flat_map(|file| [file.base_path(), file.head_path()])
            .flatten()
            .filter(|path| !touched.iter().any(|file| file.head_path() == Some(*path)))
            .collect();
        let mut named = Vec::new();
        for path in paths {
            if gone.contains(path.as_str()) {
                named.push(path.clone());
            } else {
                let path = self.boundary.resolve(path)?;
                self.boundary.kind(&path)?;
                named.push(if path.is_root() { String::new() } else { path.as_str().to_owned() });
            }
        }
        let is_below = |path: &str, folder: &str| {
            folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let exclusion = Exclusion::of_globs(&self.config.exclude)?;
        let (boundary, touched) = (Arc::clone(&self.boundary), touched.to_vec());
        run_off_async_threads(move || {
            let (mut judged, mut skipped) = (Vec::new(), Vec::new());
            for file in touched {
                if !named.is_empty() && !named.iter().any(|folder| is_below(&file.path, folder)) {
                    continue;
                }
                let is_file = || {
                    boundary
                        .resolve(&file.path)
                        .and_then(|path| boundary.kind(&path))
                        .is_ok_and(|kind| kind == PathKind::File)
                };
                let foreign = || file.path.split('/').any(is_passed_over);
                let reason = match file.status {
                    FileStatus::Deleted => None,
                    _ if !is_file() => Some("not a file that can be read"),
                    _ if named.contains(&file.path) => None,
                    _ if exclusion.covers(&file.path) => Some("excluded by the configuration"),
                    FileStatus::Added | FileStatus::Copied if foreign() => Some("in a folder for what others wrote"),
                    _ => None,
                };
                match reason {
                    None => judged.push(file),
                    Some(reason) => skipped.push(Skipped { file: file.path, reason: reason.to_owned() }),
                }
            }
            Ok((judged, skipped))
        })
        .await?
    }
}
