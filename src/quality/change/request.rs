//! What can be asked about a change.

use std::path::PathBuf;

/// What the change is compared with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ChangeBase {
    /// Where HEAD parted from its upstream or from the default branch; without either the last commit.
    #[default]
    Default,
    /// Where HEAD parted from this reference.
    MergeBase(String),
    /// Exactly this commit or tree.
    Exactly(String),
    /// A tree that was never committed.
    Recorded(RecordedTree),
}

/// A tree that was recorded from the files as they were, see [`crate::engine::Engine::record_tree`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedTree {
    /// Full name of the tree object.
    pub tree: String,
    /// The folder of the objects that the repository does not have.
    pub objects: PathBuf,
}

/// What is judged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ChangeHead {
    /// The files as they are, with untracked ones that are not ignored.
    #[default]
    WorkingTree,
    /// What the next commit would hold.
    Index,
    /// The tree of this commit.
    Commit(String),
}

/// Ask for the verdict on a change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangeRequest {
    /// Only what changed among these files and folders; empty means all of the project.
    pub paths: Vec<String>,
    /// None means the configured preset.
    pub preset: Option<String>,
    pub base: ChangeBase,
    pub head: ChangeHead,
    /// A baseline file inside the project; what the base's version of it knows does not count.
    pub baseline: Option<String>,
    pub require_verified: bool,
    pub require_coverage: bool,
    /// The verdict must be the same everywhere: what was learned in this project does not enter it.
    pub reproducible: bool,
}
