//! Comments that carry the reference of the declaration below them.
//!
//! A tag is one line directly above the declaration, its decorators and its doc comment:
//! `// @Fn/auth/login.ts#authenticate:25`, in Python `# @Fn/auth/login.py#authenticate:25`. Its line is the line of the
//! declaration's name after all tags have been written, so that a second run changes nothing.

mod apply;
mod diff;
mod plan;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::model::Language;
pub use apply::tag_declarations;

/// How declarations are tagged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TagOptions {
    /// Writes nothing and gives the change as a unified diff.
    pub dry_run: bool,
    /// Rewrites tags that say something else than the declaration below them.
    pub force: bool,
    /// Rewrites the line of tags that are right but for their line.
    pub update_lineno: bool,
    /// Tags declarations that are private, too.
    pub include_private: bool,
    /// Only files of these languages; empty means all.
    pub languages: Vec<Language>,
}

/// What was done, or would be done, to one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaggedFile {
    pub path: String,
    pub inserted: usize,
    pub updated: usize,
    /// Tags that are right as they are.
    pub unchanged: usize,
    /// References of tags that are not right and were left as they are.
    pub stale: Vec<String>,
    /// Why the file was left as it is.
    pub skipped: Option<String>,
    /// A unified diff; of a dry run only.
    pub diff: Option<String>,
}

/// What was done, or would be done.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TagReport {
    pub dry_run: bool,
    pub inserted: usize,
    pub updated: usize,
    pub unchanged: usize,
    pub stale: usize,
    pub skipped: usize,
    /// Files with tags or something to say, by path.
    pub files: Vec<TaggedFile>,
}
