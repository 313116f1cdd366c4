//! What is answered to questions about tags. Lists are sorted, paths are relative to the root with forward slashes.

use schemars::JsonSchema;
use serde::Serialize;

use super::Profile;
use super::rename::Replacement;
use super::validate::Validation;

/// A note that could not be read, or not wholly.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Unreadable {
    pub path: String,
    pub reason: String,
}

/// What every answer about a vault says first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Searched {
    /// The vault, as it was named.
    pub root: String,
    /// Whose rules say what a tag is.
    pub profile: Profile,
    /// How many notes the vault has.
    pub notes: usize,
    /// Notes that could not be read, or whose front matter could not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<Unreadable>,
}

/// A tag and the number of notes that have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TagCount {
    pub name: String,
    pub count: usize,
}

/// All tags of a vault, those of most notes first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TagsReport {
    #[serde(flatten)]
    pub searched: Searched,
    pub tags: Vec<TagCount>,
    /// How many tags there are that fit.
    pub total: usize,
    /// True when `tags` is not all of them.
    pub truncated: bool,
}

/// A note and those of its tags that were asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FoundNote {
    pub path: String,
    pub tags: Vec<String>,
}

/// The notes that have any of some tags.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FindReport {
    #[serde(flatten)]
    pub searched: Searched,
    /// For each tag that was asked for, how many notes have it.
    pub counts: Vec<TagCount>,
    pub files: Vec<FoundNote>,
    pub total: usize,
    pub truncated: bool,
}

/// A tag with the notes that have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TagInfo {
    pub name: String,
    /// How many notes have it.
    pub count: usize,
    pub files: Vec<String>,
    /// True when `files` is not all of them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub files_truncated: bool,
}

/// What is known of some tags, those of most notes first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InfoReport {
    #[serde(flatten)]
    pub searched: Searched,
    pub tags: Vec<TagInfo>,
    pub total: usize,
    pub truncated: bool,
}

/// The notes that have no tag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UntaggedReport {
    #[serde(flatten)]
    pub searched: Searched,
    pub files: Vec<String>,
    pub total: usize,
    pub truncated: bool,
}

/// What was found out about some texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ValidateReport {
    pub profile: Profile,
    /// True when all of them are tags.
    pub is_valid: bool,
    /// In the order asked.
    pub results: Vec<Validation>,
    pub total: usize,
    pub truncated: bool,
}

/// One note with all its tags.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NoteTags {
    /// As it was asked for.
    pub path: String,
    /// Sorted.
    pub tags: Vec<String>,
    /// Entries of the front matter that are no tags.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub invalid: Vec<String>,
    /// Why it could not be read, or not wholly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<NoteFailure>,
}

/// Why something could not be done with one note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NoteFailure {
    pub error_code: String,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl NoteFailure {
    /// The failure that an error is.
    #[must_use]
    pub fn from_error(error: &tapps_base::Error) -> Self {
        Self {
            error_code: error.code().as_str().to_owned(),
            message: error.message().to_owned(),
            hint: error.body().hint.clone(),
        }
    }
}

/// Some notes with all their tags.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FilesReport {
    pub profile: Profile,
    /// In the order asked.
    pub files: Vec<NoteTags>,
    pub total: usize,
    pub truncated: bool,
}

/// A note that a batch changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ModifiedNote {
    pub path: String,
    /// How many tags are replaced in it.
    pub occurrences: u32,
    /// How many entries of its front matter are taken out because the new tag is there already.
    #[serde(skip_serializing_if = "tapps_base::is_default")]
    pub merged: u32,
    /// What would change, as a unified diff; only when nothing is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub diff_truncated: bool,
}

/// A note that a batch leaves alone although it holds an old tag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FailedNote {
    pub path: String,
    #[serde(flatten)]
    pub failure: NoteFailure,
}

/// What one replacement comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReplacementCount {
    #[serde(flatten)]
    pub replacement: Replacement,
    pub occurrences: u32,
    pub notes: u32,
}

/// A batch that was broken off and not finished yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Interrupted {
    pub replacements: Vec<Replacement>,
    pub nested: bool,
    pub profile: Profile,
    /// How many of its notes have been written.
    pub done: usize,
    pub notes: usize,
}

/// What replacing tags did, or would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReplaceReport {
    #[serde(flatten)]
    pub searched: Searched,
    /// True when nothing was written.
    pub dry_run: bool,
    /// Tags replaced in all notes together.
    pub occurrences: u32,
    /// In the order given.
    pub replacements: Vec<ReplacementCount>,
    /// What was, or in a dry run would be, changed.
    pub modified_files: Vec<ModifiedNote>,
    pub failed_files: Vec<FailedNote>,
    /// How many notes an earlier, interrupted run of the same batch had changed already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resumed_after: Option<usize>,
    /// Another batch that has to be finished first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<Interrupted>,
    pub total: usize,
    pub truncated: bool,
}
