//! Which files a change touches, and which of them are judged.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::report::FileStatus;
use crate::engine::{Engine, run_off_async_threads};
use crate::inputs::{InputScope, expand_inputs};
use crate::result::Skipped;
use tapps_base::{ErrorCode, Result};
use tapps_toolchain::git::{ChangeStatus, GitFileChange, ObjectId};

/// The mode of a link.
const LINK: u32 = 0o120_000;

/// A change of one file, in terms of the project.
#[derive(Debug, Clone)]
pub(super) struct TouchedFile {
    pub(super) path: String,
    pub(super) old_path: Option<String>,
    pub(super) status: FileStatus,
    pub(super) filtered: bool,
    /// The blob of the base.
    pub(super) old_id: Option<ObjectId>,
}

impl TouchedFile {
    /// Where the base has it.
    pub(super) fn base_path(&self) -> Option<&str> {
        match self.status {
            FileStatus::Added => None,
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
            ChangeStatus::Renamed => FileStatus::Added,
            ChangeStatus::Modified => FileStatus::Modified,
            ChangeStatus::TypeChanged if is_link(change.old_mode) => FileStatus::Added,
            ChangeStatus::TypeChanged => FileStatus::Deleted,
        };
        let links = is_link(change.mode) && status != FileStatus::Deleted
            || is_link(change.old_mode) && status == FileStatus::Deleted;
        let old_path = old_path.filter(|_| status == FileStatus::Renamed);
        let old_id = change.old_id.clone().filter(|_| status != FileStatus::Added);
        (!links).then_some(TouchedFile { path, old_path, status, filtered: change.filtered, old_id })
    });
    touched.collect()
}

impl Engine {
    /// Those of the changed files that are judged: what a walk over the project, or over the named paths, comes by.
    pub(super) async fn judged_files(
        &self,
        touched: &[TouchedFile],
        paths: &[String],
    ) -> Result<(Vec<TouchedFile>, Vec<Skipped>)> {
        if touched.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        // What is gone, or has another name, cannot be walked.
        let gone: BTreeSet<&str> = touched
            .iter()
            .flat_map(|file| [file.base_path(), file.head_path()])
            .flatten()
            .filter(|path| !touched.iter().any(|file| file.head_path() == Some(*path)))
            .collect();
        let there: Vec<String> = paths.iter().filter(|path| !gone.contains(path.as_str())).cloned().collect();
        let asked = if paths.is_empty() { vec![".".to_owned()] } else { there };
        let (boundary, config) = (Arc::clone(&self.boundary), Arc::clone(&self.config));
        let listed = run_off_async_threads(move || {
            let expanded = expand_inputs(&boundary, &config, &asked, InputScope::CodeAndText);
            expanded
                .map(|inputs| inputs.code.into_iter().chain(inputs.text).map(|path| path.as_str().to_owned()).collect())
        })
        .await?;
        let listed: BTreeSet<String> = match listed {
            Ok(listed) => listed,
            // Everything was deleted.
            Err(error) if error.code() == ErrorCode::FileNotFound && paths.is_empty() => BTreeSet::new(),
            Err(error) => return Err(error),
        };
        let named = |path: &str| {
            paths.is_empty()
                || paths.iter().any(|one| path == one || path.starts_with(&format!("{}/", one.trim_end_matches('/'))))
        };
        let (mut judged, mut skipped) = (Vec::new(), Vec::new());
        for file in touched {
            if file.status == FileStatus::Deleted {
                if named(&file.path) {
                    judged.push(file.clone());
                }
            } else if listed.contains(&file.path) {
                judged.push(file.clone());
            } else if paths.is_empty() {
                let reason = "excluded by the configuration, or ignored by git".to_owned();
                skipped.push(Skipped { file: file.path.clone(), reason });
            }
        }
        Ok((judged, skipped))
    }
}
