//! What git knows about a project: which files changed, at which commit it stands, what a tree holds.
//!
//! Git runs only with a folder of this program's own in the place of the repository's `.git` ([`private_dir`]), so that no
//! configuration, hook, filter, driver, monitor or helper of the project or of the user has a say. The repository itself is
//! found without git ([`discovery`]) and is only read.

mod changes;
mod checkout;
mod command;
mod configuration;
mod discovery;
mod filtered;
mod lent_objects;
mod object_id;
mod objects;
mod private_dir;
mod raw_diff;
mod refs;
mod repository;
mod tree;
mod worktrees;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};

use crate::ToolchainSettings;
use crate::scratch::{PrivateFolder, Scratch};

pub use changes::{Changes, DiffTarget};
pub use checkout::Lines;
pub use object_id::ObjectId;
pub use raw_diff::{ChangeStatus, GitFileChange};
pub use refs::DefaultBase;
pub use repository::Repository;
pub use tree::TreeFile;
pub use worktrees::{checked_out_commit, has_worktrees, is_worktree_of};

/// The git of the search path.
#[derive(Debug, Clone)]
pub struct Git {
    program: PathBuf,
    search_path: OsString,
    helper: Option<PathBuf>,
    scratch: Arc<Scratch>,
    /// Folders, besides the project, in which a repository may lie that a `.git` file names, and objects it borrows.
    allowed_roots: Vec<PathBuf>,
    /// A folder of objects that repositories do not have themselves.
    lent_objects: Option<PathBuf>,
}

/// The commit of a working tree, and how the files differ from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedOut {
    /// Full name of the commit.
    pub commit: String,
    /// Full name of its tree.
    pub tree: String,
    /// Files that are as the commit has them, relative to the folder that was asked about. Ignored ones are not.
    pub as_committed: BTreeSet<String>,
    /// True when a file that was committed is missing.
    pub removed: bool,
}

impl Git {
    /// Finds git on the search path.
    ///
    /// # Errors
    /// `tool_unavailable` when it is not there.
    pub fn find(settings: &ToolchainSettings) -> Result<Self> {
        let program = settings.find_program("git").ok_or_else(|| {
            Error::new(ErrorCode::ToolUnavailable, "git was not found on PATH")
                .tool("git")
                .hint("install git, or name the files instead of asking for the changed ones")
        })?;
        Ok(Self {
            program,
            search_path: settings.search_path.clone(),
            helper: settings.helper.clone(),
            scratch: Arc::new(Scratch::new(&settings.cache_dir)?),
            allowed_roots: Vec::new(),
            lent_objects: None,
        })
    }

    /// Allows a repository to lie in one of these folders although the project does not show that it is its own.
    #[must_use]
    pub fn with_allowed_roots(mut self, roots: &[PathBuf]) -> Self {
        self.allowed_roots = roots.iter().filter_map(|root| root.canonicalize().ok()).collect();
        self
    }

    /// A private folder, for a copy of a tree.
    ///
    /// # Errors
    /// As [`Error::io`] when it cannot be made.
    pub fn private_folder(&self) -> Result<PrivateFolder> {
        self.scratch.create_folder()
    }

    /// The files below `root` that differ from the commit `reference` in the working tree, and the untracked ones that
    /// are not ignored: sorted, relative to `root`, with forward slashes. Deleted files are left out.
    ///
    /// # Errors
    /// `invalid_argument` for a reference that is none, with the nearest ones; `config_error` when `root` is in no
    /// repository or the repository cannot be read; `timeout`, `cancelled`.
    pub async fn changed_files(&self, root: &Path, reference: &str, call: &Call) -> Result<Vec<String>> {
        let repository = self.open(root, call).await?;
        let commit = repository.resolve(reference, call).await?;
        let changes = repository.changes_without_renames(&commit, call).await?;
        let below = repository.prefix();
        let files: BTreeSet<String> = changes
            .files
            .into_iter()
            .filter(|change| change.status != ChangeStatus::Deleted)
            .filter_map(|change| change.path.strip_prefix(below).map(str::to_owned))
            .collect();
        Ok(files.into_iter().collect())
    }

    /// What is checked out, and what below `root` is not as committed; none in a repository without commits.
    ///
    /// # Errors
    /// As [`Git::changed_files`].
    pub async fn checked_out(&self, root: &Path, call: &Call) -> Result<Option<CheckedOut>> {
        let repository = self.open(root, call).await?;
        let Some(commit) = repository.head_commit(call).await? else { return Ok(None) };
        let tree = repository.resolve_tree(commit.as_str(), call).await?;
        let changes = repository.changes_without_renames(&commit, call).await?;
        let below = repository.prefix();
        let relative = |path: &str| path.strip_prefix(below).map(str::to_owned);
        let mut as_committed: BTreeSet<String> =
            repository.tree_files(&tree, call).await?.iter().filter_map(|file| relative(&file.path)).collect();
        let mut removed = false;
        for change in changes.files {
            if let Some(path) = relative(&change.path) {
                removed |= change.status == ChangeStatus::Deleted;
                as_committed.remove(&path);
            }
        }
        Ok(Some(CheckedOut { commit: commit.to_string(), tree: tree.to_string(), as_committed, removed }))
    }

    /// The full name of the commit that is checked out; none in a repository without commits.
    ///
    /// # Errors
    /// As [`Git::changed_files`].
    pub async fn head_commit(&self, root: &Path, call: &Call) -> Result<Option<String>> {
        let head = self.open(root, call).await?.head_commit(call).await?;
        Ok(head.map(|commit| commit.to_string()))
    }
}
