//! Which files differ between a base and the working tree, the index or a commit.

use std::path::Path;

use tapps_base::Result;
use tapps_base::call::Call;

use super::command::{GitInput, split_nul};
use super::discovery::refused_repository;
use super::object_id::ObjectId;
use super::raw_diff::{ChangeStatus, GitFileChange, parse_raw_diff};
use super::repository::Repository;
use super::tree::is_inside;

/// Renames, and copies of files that the change touches, are followed from this similarity on, and inexact ones between at
/// most a thousand files on each side. Git calls the last file that was made from one that is gone a rename.
const RENAMES: [&str; 2] = ["-C50%", "-l1000"];
const NO_RENAMES: [&str; 1] = ["--no-renames"];
/// Submodules are repositories of their own; looking into one would follow its configuration.
const RAW: [&str; 4] = ["--raw", "-z", "--no-abbrev", "--ignore-submodules=all"];

const SUBMODULE: u32 = 0o160_000;

/// What is compared with a base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiffTarget {
    /// The files as they are, with untracked ones that are not ignored.
    WorkingTree,
    /// What the next commit would hold.
    Index,
    Commit(ObjectId),
}

/// The difference between a base and a head.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// Sorted by path.
    pub files: Vec<GitFileChange>,
    /// Files that a merge has left in conflict; in the working tree they count as they are.
    pub unmerged: Vec<String>,
    /// Submodules and other repositories inside the working tree that differ from the base, or that it does not know.
    pub left_alone: Vec<String>,
    /// So many files were added and deleted that only exact renames were followed.
    pub renames_limited: bool,
}

impl Repository {
    /// Compares a tree, or that of a commit, with a head.
    ///
    /// # Errors
    /// `config_error` for an index with unmerged files and for blobs that a partial clone lacks; `corrupted_data`
    /// for names that are no paths; `timeout`, `cancelled`.
    pub async fn changes(&self, base: &ObjectId, head: &DiffTarget, call: &Call) -> Result<Changes> {
        let base = base.as_str();
        let mut changes = match head {
            DiffTarget::WorkingTree => return self.working_tree_changes(base, &RENAMES, call).await,
            DiffTarget::Index => self.index_changes(base, call).await?,
            DiffTarget::Commit(commit) => {
                self.diff_stored(&["diff-tree", "-r", base, commit.as_str()], None, call).await?
            }
        };
        changes.files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(changes)
    }

    /// The working tree compared with a tree, where a renamed file is an added and a deleted one. Needs fewer blobs.
    ///
    /// # Errors
    /// As [`Repository::changes`].
    pub(super) async fn changes_without_renames(&self, base: &ObjectId, call: &Call) -> Result<Changes> {
        self.working_tree_changes(base.as_str(), &NO_RENAMES, call).await
    }

    async fn index_changes(&self, base: &str, call: &Call) -> Result<Changes> {
        let index = self.private.copy_index(&self.location)?;
        if let Some(first) = self.unmerged_paths(&index, call).await?.first() {
            return Err(refused_repository(format!("the index is unmerged: `{first}` is in conflict"))
                .hint("resolve the conflict and add the file"));
        }
        self.diff_stored(&["diff-index", "--cached", base], Some(&index), call).await
    }

    /// Compares what git stores on both sides. Renames are looked for only where all blobs are at hand.
    async fn diff_stored(&self, command: &[&str], index: Option<&Path>, call: &Call) -> Result<Changes> {
        let input = || GitInput { stdin: Vec::new(), index };
        // Without options for submodules: objects say what these are.
        let args = [command, &["--raw", "-z", "--no-abbrev"], &NO_RENAMES, &["--"]].concat();
        let plain = self.git.run_checked(&args, input(), call).await?;
        let (submodules, files) = split_submodules(parse_raw_diff(&plain.stdout)?);
        let left_alone = submodules.into_iter().map(|change| change.path).collect();
        let pairs = rename_blobs(&files);
        if pairs.is_empty() {
            return Ok(Changes { files, left_alone, ..Changes::default() });
        }
        self.require_objects(&pairs, call).await?;
        let args = [command, &RAW, &RENAMES, &["--"]].concat();
        let finished = self.git.run_checked(&args, input(), call).await?;
        let files = parse_raw_diff(&finished.stdout)?;
        Ok(Changes { files, left_alone, renames_limited: is_limited(&finished.stderr), unmerged: Vec::new() })
    }

    /// Untracked and unmerged files are entered into a copy of the index without content, so that git compares what the
    /// files hold; nothing is written to the repository.
    async fn working_tree_changes(&self, base: &str, renames: &[&str], call: &Call) -> Result<Changes> {
        let index = self.private.copy_index(&self.location)?;
        let (unmerged, untracked) = tokio::join!(self.unmerged_paths(&index, call), self.untracked_paths(&index, call));
        let (unmerged, untracked) = (unmerged?, untracked?);
        let (nested, untracked): (Vec<String>, Vec<String>) =
            untracked.into_iter().partition(|path| path.ends_with('/'));
        self.enter_into_index(&index, unmerged.iter().chain(&untracked), call).await?;
        let listed = ["diff-index", base, "--raw", "-z", "--no-abbrev", "--no-renames"];
        let stored = [&listed[..], &["--cached", "--"]].concat();
        let candidates = [&listed[..], &["--ignore-submodules=all", "--"]].concat();
        let (stored, candidates) = tokio::join!(
            self.git.run_checked(&stored, GitInput::with_index(&index), call),
            self.git.run_checked(&candidates, GitInput::with_index(&index), call),
        );
        let (submodules, _) = split_submodules(parse_raw_diff(&stored?.stdout)?);
        let candidates = parse_raw_diff(&candidates?.stdout)?;
        let mut changes = Changes { unmerged, ..Changes::default() };
        changes.left_alone = submodules.into_iter().map(|change| change.path).collect();
        changes.left_alone.extend(nested.iter().map(|path| path.trim_end_matches('/').to_owned()));
        changes.left_alone.sort();
        let mut needed = unhashed_blobs(&candidates);
        if renames == RENAMES {
            needed.extend(rename_blobs(&candidates));
        }
        needed.sort();
        needed.dedup();
        changes.files = candidates;
        if !needed.is_empty() {
            self.require_objects(&needed, call).await?;
            let args = [&["diff"], &RAW[..], renames, &["--no-ext-diff", "--no-textconv", base, "--"]].concat();
            let finished = self.git.run_checked(&args, GitInput::with_index(&index), call).await?;
            changes.renames_limited = is_limited(&finished.stderr);
            changes.files = parse_raw_diff(&finished.stdout)?;
        }
        changes.files = self.without_filter_effects(changes.files, &index, call).await?;
        changes.files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(changes)
    }

    async fn unmerged_paths(&self, index: &Path, call: &Call) -> Result<Vec<String>> {
        let finished =
            self.git.run_checked(&["ls-files", "-z", "--unmerged", "--"], GitInput::with_index(index), call).await?;
        // Each line has mode, object and stage before the path; a path has up to three stages.
        let entries = split_nul(&finished.stdout).filter_map(|entry| std::str::from_utf8(entry).ok());
        let mut paths: Vec<String> = entries.filter_map(|entry| Some(entry.split_once('\t')?.1.to_owned())).collect();
        paths.dedup();
        Ok(paths)
    }

    /// Files that are neither tracked nor ignored; other repositories end with a slash.
    async fn untracked_paths(&self, index: &Path, call: &Call) -> Result<Vec<String>> {
        let args = ["ls-files", "-z", "--others", "--exclude-standard", "--"];
        let finished = self.git.run_checked(&args, GitInput::with_index(index), call).await?;
        Ok(split_nul(&finished.stdout).filter_map(|path| std::str::from_utf8(path).ok().map(str::to_owned)).collect())
    }

    async fn enter_into_index(&self, index: &Path, paths: impl Iterator<Item = &String>, call: &Call) -> Result<()> {
        let blob = self.configuration.object_format.empty_blob();
        let mut stdin = Vec::new();
        for path in paths.filter(|path| is_inside(path)) {
            stdin.extend_from_slice(format!("100644 {blob}\t{path}\0").as_bytes());
        }
        if stdin.is_empty() {
            return Ok(());
        }
        let args = ["update-index", "--replace", "-z", "--index-info"];
        self.git.run_checked(&args, GitInput { stdin, index: Some(index) }, call).await.map(drop)
    }
}

fn split_submodules(changes: Vec<GitFileChange>) -> (Vec<GitFileChange>, Vec<GitFileChange>) {
    changes.into_iter().partition(|change| change.mode == SUBMODULE || change.old_mode == SUBMODULE)
}

/// The blobs that git reads to follow renames and copies: none unless files were added, and others changed or deleted.
fn rename_blobs(changes: &[GitFileChange]) -> Vec<ObjectId> {
    let (added, origins): (Vec<&GitFileChange>, Vec<&GitFileChange>) =
        changes.iter().partition(|change| change.status == ChangeStatus::Added);
    if added.is_empty() || origins.is_empty() {
        return Vec::new();
    }
    let added = added.into_iter().filter_map(|change| change.id.clone());
    let origins = origins.into_iter().filter(|change| change.old_mode != SUBMODULE);
    added.chain(origins.filter_map(|change| change.old_id.clone())).collect()
}

/// The blobs that git compares with files because their stamps do not show whether they changed.
fn unhashed_blobs(changes: &[GitFileChange]) -> Vec<ObjectId> {
    changes
        .iter()
        .filter(|change| change.id.is_none() && change.mode != 0)
        .filter_map(|change| change.old_id.clone())
        .collect()
}

/// Git says so only in words.
fn is_limited(stderr: &[u8]) -> bool {
    memchr::memmem::find(stderr, b"rename detection was skipped").is_some()
}
