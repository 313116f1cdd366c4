//! Toolset `tags`: tags of a vault of markdown notes.

mod arguments;
mod handlers;

use std::sync::Arc;

use arguments as given;

use crate::services::Services;
use crate::tool::{Effects, Tool, Toolset};
use tapps_tags::Vaults;
use tapps_tags::report::{
    FilesReport, FindReport, InfoReport, ReplaceReport, TagsReport, UntaggedReport, ValidateReport,
};

/// The tools of this toolset.
pub(super) fn tools(services: &Services) -> Vec<Tool> {
    let vaults = &services.tags;
    [vault_query_tools(vaults), vec![replace_tags_tool(vaults)], tag_text_tools(vaults)].concat()
}

/// Questions about a whole vault.
fn vault_query_tools(vaults: &Arc<Vaults>) -> Vec<Tool> {
    let [find, info, list, untagged] = [(); 4].map(|()| Arc::clone(vaults));
    vec![
        Tool::new(Toolset::Tags, "find_files_by_tags", "Find notes by tags", move |given: given::FindFiles, context| {
            handlers::find_files(Arc::clone(&find), given, context)
        })
        .describe(
            "Find files containing specific tags, in the text or the front matter of markdown notes. Returns the notes \
             that have any of the tags, sorted by path, each with the tags that matched, and a count for each tag. Code, \
             links, addresses and comments hold no tags.",
        )
        .with_cursor()
        .returns(&[|g| g.subschema_for::<FindReport>()]),
        Tool::new(Toolset::Tags, "get_tags_info", "About some tags", move |given: given::TagsInfo, context| {
            handlers::tags_info(Arc::clone(&info), given, context)
        })
        .describe(
            "Get detailed information about specific tags including file lists. Returns for each tag how many notes have \
             it and which, the commonest tag first; a tag nobody uses has count 0.",
        )
        .with_cursor()
        .returns(&[|g| g.subschema_for::<InfoReport>()]),
        Tool::new(Toolset::Tags, "list_all_tags", "List all tags", move |given: given::ListTags, context| {
            handlers::list_tags(Arc::clone(&list), given, context)
        })
        .describe(
            "List all tags with usage statistics and optional filtering by count and regular expression. Returns name and \
             number of notes, the commonest first. Call it before you invent a new tag.",
        )
        .with_cursor()
        .returns(&[|g| g.subschema_for::<TagsReport>()]),
        Tool::new(Toolset::Tags, "get_untagged_files", "Notes without tags", move |given: given::Untagged, context| {
            handlers::handle_untagged(Arc::clone(&untagged), given, context)
        })
        .describe("Find files that don't have any tags. Returns the paths of the notes, sorted, and how many there are.")
        .with_cursor()
        .returns(&[|g| g.subschema_for::<UntaggedReport>()]),
    ]
}

fn replace_tags_tool(vaults: &Arc<Vaults>) -> Tool {
    let vaults = Arc::clone(vaults);
    let mut tool = Tool::new(
        Toolset::Tags,
        "replace_tags_batch",
        "Rename tags",
        move |given: given::ReplaceTags, context| handlers::handle_replace_tags(Arc::clone(&vaults), given, context),
    )
    .describe(
        "Replace/rename tags across multiple files with batch operation. Without dry_run: false nothing is written: it \
         returns counts and a diff for each note. Then repeat it with dry_run: false. Only the tags themselves change; in \
         a front matter list that has the new tag already, the old one is taken out. Notes that cannot be changed are in \
         failed_files, the others are changed all the same. A broken-off batch goes on when the same call is repeated.",
    )
    .with_effects(Effects::Writes)
    .with_cursor()
    .returns(&[|g| g.subschema_for::<ReplaceReport>()]);
    // A swap done twice swaps back.
    tool.idempotent = false;
    tool
}

/// Questions about single texts and notes.
fn tag_text_tools(vaults: &Arc<Vaults>) -> Vec<Tool> {
    let files = Arc::clone(vaults);
    vec![
        Tool::new(Toolset::Tags, "validate_tags", "Judge tag names", move |given: given::ValidateTags, _| {
            handlers::handle_validate_tags(given)
        })
        .describe(
            "Validate tag syntax and get suggestions for invalid tags. Returns for each text is_valid, issues and \
             suggestions.",
        )
        .with_cursor()
        .returns(&[|g| g.subschema_for::<ValidateReport>()]),
        Tool::new(Toolset::Tags, "get_files_tags", "Tags of notes", move |given: given::FilesTags, context| {
            handlers::files_tags(Arc::clone(&files), given, context)
        })
        .describe(
            "Get all tags associated with specific files. Returns for each note its tags, entries of its front matter that \
             are no valid tags, and an error where it could not be read.",
        )
        .with_cursor()
        .returns(&[|g| g.subschema_for::<FilesReport>()]),
    ]
}
