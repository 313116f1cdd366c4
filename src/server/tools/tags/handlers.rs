//! From arguments to the tag room and back to a reply.

use std::sync::Arc;

use serde::Serialize;

use super::arguments::{FilesTags, FindFiles, ListTags, ReplaceTags, TagsInfo, Untagged, ValidateTags};
use crate::dispatch::Reply;
use crate::tool::ToolContext;
use crate::tools::detail::ReplyDetail;
use tapps_base::Result;
use tapps_tags::batch::{ReplaceRequest, replace_tags};
use tapps_tags::vault::{FindRequest, InfoRequest, ListRequest, VaultSelection, validate_all};
use tapps_tags::{Profile, Vaults};

/// Most notes named in a brief reply, which the tags share.
const FILES_IN_ALL: usize = 90;

/// Most bytes of the diff of one note in a brief reply.
const DIFF_BYTES: usize = 800;

fn vault_selection(root: String, profile: Option<Profile>) -> VaultSelection {
    VaultSelection { root, profile: profile.unwrap_or_default() }
}

/// The report, cut into pages of `list` unless everything is wanted.
fn tag_report_reply(
    report: &impl Serialize,
    list: &'static str,
    detail: Option<ReplyDetail>,
    brief: String,
) -> Result<Reply> {
    let reply = Reply::from_serializable(report)?.with_brief(brief);
    Ok(if ReplyDetail::is_full(detail) { reply.without_budget() } else { reply.with_paged_list(list) })
}

pub(super) async fn find_files(vaults: Arc<Vaults>, given: FindFiles, context: ToolContext) -> Result<Reply> {
    let request = FindRequest {
        place: vault_selection(given.root, given.profile),
        tags: given.tags,
        nested: given.nested.unwrap_or_default(),
        max_results: given.max_results,
    };
    let report = vaults.find_files(&request, &context.call)?;
    tag_report_reply(&report, "files", given.detail, format!("{} of {} notes", report.total, report.searched.notes))
}

pub(super) async fn tags_info(vaults: Arc<Vaults>, given: TagsInfo, context: ToolContext) -> Result<Reply> {
    let share = FILES_IN_ALL.div_ceil(given.tags.len().max(1));
    let most = (!ReplyDetail::is_full(given.detail)).then_some(share);
    let request = InfoRequest {
        place: vault_selection(given.root, given.profile),
        tags: given.tags,
        nested: given.nested.unwrap_or_default(),
        max_files_per_tag: given.max_files_per_tag.or(most),
    };
    let report = vaults.tags_info(&request, &context.call)?;
    let used = report.tags.iter().filter(|tag| tag.count > 0).count();
    let mut reply =
        tag_report_reply(&report, "tags", given.detail, format!("{used} of {} tags are in use", report.total))?;
    if let Some(most) = report.tags.iter().filter(|tag| tag.files_truncated).map(|tag| tag.count).max() {
        reply.add("more", format!("max_files_per_tag: {most}").into());
    }
    Ok(reply)
}

pub(super) async fn list_tags(vaults: Arc<Vaults>, given: ListTags, context: ToolContext) -> Result<Reply> {
    let request = ListRequest {
        place: vault_selection(given.root, given.profile),
        min_count: given.min_count.unwrap_or_default(),
        pattern: given.pattern,
        max_results: given.max_results,
    };
    let report = vaults.list_tags(&request, &context.call)?;
    tag_report_reply(&report, "tags", given.detail, format!("{} tags in {} notes", report.total, report.searched.notes))
}

pub(super) async fn handle_untagged(vaults: Arc<Vaults>, given: Untagged, context: ToolContext) -> Result<Reply> {
    let report = vaults.untagged(&vault_selection(given.root, given.profile), given.max_results, &context.call)?;
    tag_report_reply(
        &report,
        "files",
        given.detail,
        format!("{} of {} notes have no tag", report.total, report.searched.notes),
    )
}

pub(super) async fn handle_validate_tags(_: Arc<Vaults>, given: ValidateTags, _: ToolContext) -> Result<Reply> {
    let report = validate_all(&given.tags, given.profile.unwrap_or_default());
    let invalid = report.results.iter().filter(|result| !result.is_valid).count();
    tag_report_reply(&report, "results", given.detail, format!("{invalid} of {} are invalid", report.total))
}

pub(super) async fn files_tags(vaults: Arc<Vaults>, given: FilesTags, context: ToolContext) -> Result<Reply> {
    let profile = given.profile.unwrap_or_default();
    let report = vaults.files_tags(&given.file_paths, profile, given.max_files, &context.call)?;
    tag_report_reply(&report, "files", given.detail, format!("{} notes", report.files.len()))
}

pub(super) async fn handle_replace_tags(
    vaults: Arc<Vaults>,
    given: ReplaceTags,
    context: ToolContext,
) -> Result<Reply> {
    let request = ReplaceRequest {
        place: vault_selection(given.root, given.profile),
        replacements: given.replacements,
        nested: given.nested.unwrap_or_default(),
        dry_run: given.dry_run != Some(false),
        max_diff_bytes: (!ReplyDetail::is_full(given.detail)).then_some(DIFF_BYTES),
    };
    let report = replace_tags(&vaults, &request, &context.call)?;
    let (tags, notes, failed) = (report.occurrences, report.total, report.failed_files.len());
    let done = if report.dry_run { "would be replaced" } else { "were replaced" };
    let brief = format!("{tags} tags in {notes} notes {done}, {failed} notes were left alone");
    let mut reply = tag_report_reply(&report, "modified_files", given.detail, brief)?;
    if report.truncated {
        reply.add("more", ReplyDetail::ADVICE.into());
    }
    Ok(reply.with_passed(failed == 0))
}
