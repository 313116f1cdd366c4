//! What the tools of this toolset are asked.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::detail::ReplyDetail;
use tapps_tags::{Profile, Replacement};

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct FindFiles {
    /// Tags to look for; a note with any of them is found
    #[schemars(length(min = 1, max = 100))]
    pub tags: Vec<String>,
    /// Absolute path of the vault
    pub root: String,
    /// Also tags below, as project/alpha below project
    pub nested: Option<bool>,
    /// Most notes to return (default: as many as a brief reply holds, all with detail full)
    #[schemars(range(min = 1))]
    pub max_results: Option<usize>,
    /// Whose rules say what a tag is (default: obsidian)
    pub profile: Option<Profile>,
    /// full: everything at once
    pub detail: Option<ReplyDetail>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct TagsInfo {
    /// Tags to tell about
    #[schemars(length(min = 1, max = 100))]
    pub tags: Vec<String>,
    /// Absolute path of the vault
    pub root: String,
    /// Also tags below
    pub nested: Option<bool>,
    /// Most notes to name for each tag (default: all)
    #[schemars(range(min = 1))]
    pub max_files_per_tag: Option<usize>,
    pub profile: Option<Profile>,
    pub detail: Option<ReplyDetail>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ListTags {
    /// Absolute path of the vault
    pub root: String,
    /// Least number of notes that have the tag (default: 1)
    pub min_count: Option<usize>,
    /// Regular expression that names have to fit
    pub pattern: Option<String>,
    /// Most tags to return (default: all)
    #[schemars(range(min = 1))]
    pub max_results: Option<usize>,
    pub profile: Option<Profile>,
    pub detail: Option<ReplyDetail>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ReplaceTags {
    /// All hold at once, so a to b with b to a swaps
    #[schemars(length(min = 1, max = 100))]
    pub replacements: Vec<Replacement>,
    /// Absolute path of the vault
    pub root: String,
    /// Only false writes (default: true)
    pub dry_run: Option<bool>,
    /// Rename tags below too
    pub nested: Option<bool>,
    pub profile: Option<Profile>,
    pub detail: Option<ReplyDetail>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Untagged {
    /// Absolute path of the vault
    pub root: String,
    #[schemars(range(min = 1))]
    pub max_results: Option<usize>,
    pub profile: Option<Profile>,
    pub detail: Option<ReplyDetail>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ValidateTags {
    /// Texts to judge; a leading # does not count
    #[schemars(length(min = 1, max = 1000))]
    pub tags: Vec<String>,
    pub profile: Option<Profile>,
    pub detail: Option<ReplyDetail>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct FilesTags {
    /// Absolute paths of notes
    #[schemars(length(min = 1, max = 1000))]
    pub file_paths: Vec<String>,
    /// Most notes to look at (default: all)
    #[schemars(range(min = 1))]
    pub max_files: Option<usize>,
    pub profile: Option<Profile>,
    pub detail: Option<ReplyDetail>,
}
