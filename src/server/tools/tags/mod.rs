//! Toolset `tags`: tags of a vault of markdown notes.

mod arguments;
mod handlers;

use std::sync::Arc;

use crate::services::Services;
use crate::tool::{Effects, Tool, ToolGroup, Toolset};
use tapps_tags::Vaults;
use tapps_tags::report::{
    FilesReport, FindReport, InfoReport, ReplaceReport, TagsReport, UntaggedReport, ValidateReport,
};

/// The tools of this toolset.
pub(super) fn tools(services: &Services) -> Vec<Tool> {
    let group = ToolGroup::new(Toolset::Tags, Arc::clone(&services.tags));
    [vault_query_tools(&group), vec![replace_tags_tool(&group)], tag_text_tools(&group)].concat()
}

/// Questions about a whole vault.
fn vault_query_tools(group: &ToolGroup<Arc<Vaults>>) -> Vec<Tool> {
    vec![
        group.tool("find_files_by_tags", "Find notes by tags", handlers::find_files)
        .describe(
            "Find files containing specific tags, in the text or the front matter of markdown notes. Returns the notes \
             that have any of the tags, sorted by path, each with the tags that matched, and a count for each tag. Code, \
             links, addresses and comments hold no tags.",
        )
        .with_cursor()
        .returns::<FindReport>(),
        group.tool("get_tags_info", "About some tags", handlers::tags_info)
        .describe(
            "Get detailed information about specific tags including file lists. Returns for each tag how many notes have \
             it and which, the commonest tag first; a tag nobody uses has count 0.",
        )
        .with_cursor()
        .returns::<InfoReport>(),
        group.tool("list_all_tags", "List all tags", handlers::list_tags)
        .describe(
            "List all tags with usage statistics and optional filtering by count and regular expression. Returns name and \
             number of notes, the commonest first. Call it before you invent a new tag.",
        )
        .with_cursor()
        .returns::<TagsReport>(),
        group.tool("get_untagged_files", "Notes without tags", handlers::handle_untagged)
        .describe("Find files that don't have any tags. Returns the paths of the notes, sorted, and how many there are.")
        .with_cursor()
        .returns::<UntaggedReport>(),
    ]
}

fn replace_tags_tool(group: &ToolGroup<Arc<Vaults>>) -> Tool {
    let mut tool = group.tool("replace_tags_batch", "Rename tags", handlers::handle_replace_tags)
    .describe(
        "Replace/rename tags across multiple files with batch operation. Without dry_run: false nothing is written: it \
         returns counts and a diff for each note. Then repeat it with dry_run: false. Only the tags themselves change; in \
         a front matter list that has the new tag already, the old one is taken out. Notes that cannot be changed are in \
         failed_files, the others are changed all the same. A broken-off batch goes on when the same call is repeated.",
    )
    .with_effects(Effects::Writes)
    .with_cursor()
    .returns::<ReplaceReport>();
    // A swap done twice swaps back.
    tool.idempotent = false;
    tool
}

/// Questions about single texts and notes.
fn tag_text_tools(group: &ToolGroup<Arc<Vaults>>) -> Vec<Tool> {
    vec![
        group.tool("validate_tags", "Judge tag names", handlers::handle_validate_tags)
        .describe(
            "Validate tag syntax and get suggestions for invalid tags. Returns for each text is_valid, issues and \
             suggestions.",
        )
        .with_cursor()
        .returns::<ValidateReport>(),
        group.tool("get_files_tags", "Tags of notes", handlers::files_tags)
        .describe(
            "Get all tags associated with specific files. Returns for each note its tags, entries of its front matter that \
             are no valid tags, and an error where it could not be read.",
        )
        .with_cursor()
        .returns::<FilesReport>(),
    ]
}
