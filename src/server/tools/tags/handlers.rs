//! From arguments to the tag room and back to a reply.

use std::sync::Arc;

use serde::Serialize;

use super::arguments::{FilesTags, FindFiles, ListTags, ReplaceTags, TagsInfo, Untagged, ValidateTags};
use crate::dispatch::Reply;
use crate::tool::Context;
use crate::tools::detail::Detail;
use tapps_base::Result;
use tapps_tags::batch::{ReplaceRequest, replace as replace_tags};
use tapps_tags::vault::{FindRequest, InfoRequest, ListRequest, Place, validate_all};
use tapps_tags::{Profile, Vaults};

/// Most notes named for one tag in a brief reply.
const FILES_PER_TAG: usize = 10;

/// Most bytes of the diff of one note in a brief reply.
const DIFF_BYTES: usize = 800;

fn place(root: String, profile: Option<Profile>) -> Place {
    Place { root, profile: profile.unwrap_or_default() }
}

/// The report, cut into pages of `list` unless everything is wanted.
fn reply(report: &impl Serialize, list: &'static str, detail: Option<Detail>, brief: String) -> Result<Reply> {
    let reply = Reply::of(report)?.brief(brief);
    Ok(if Detail::is_full(detail) { reply.whole() } else { reply.paged(list) })
}

pub(super) async fn find_files(vaults: Arc<Vaults>, given: FindFiles, context: Context) -> Result<Reply> {
    let request = FindRequest {
        place: place(given.root, given.profile),
        tags: given.tags,
        nested: given.nested.unwrap_or_default(),
        max_results: given.max_results,
    };
    let report = vaults.find_files(&request, &context.call)?;
    reply(&report, "files", given.detail, format!("{} of {} notes", report.total, report.searched.notes))
}

pub(super) async fn tags_info(vaults: Arc<Vaults>, given: TagsInfo, context: Context) -> Result<Reply> {
    let most = (!Detail::is_full(given.detail)).then_some(FILES_PER_TAG);
    let request = InfoRequest {
        place: place(given.root, given.profile),
        tags: given.tags,
        nested: given.nested.unwrap_or_default(),
        max_files_per_tag: given.max_files_per_tag.or(most),
    };
    let report = vaults.tags_info(&request, &context.call)?;
    let used = report.tags.iter().filter(|tag| tag.count > 0).count();
    reply(&report, "tags", given.detail, format!("{used} of {} tags are in use", report.total))
}

pub(super) async fn list_tags(vaults: Arc<Vaults>, given: ListTags, context: Context) -> Result<Reply> {
    let request = ListRequest {
        place: place(given.root, given.profile),
        min_count: given.min_count.unwrap_or_default(),
        pattern: given.pattern,
        max_results: given.max_results,
    };
    let report = vaults.list_tags(&request, &context.call)?;
    reply(&report, "tags", given.detail, format!("{} tags in {} notes", report.total, report.searched.notes))
}

pub(super) async fn untagged(vaults: Arc<Vaults>, given: Untagged, context: Context) -> Result<Reply> {
    let report = vaults.untagged(&place(given.root, given.profile), given.max_results, &context.call)?;
    reply(&report, "files", given.detail, format!("{} of {} notes have no tag", report.total, report.searched.notes))
}

pub(super) async fn validate(given: ValidateTags) -> Result<Reply> {
    let report = validate_all(&given.tags, given.profile.unwrap_or_default());
    let invalid = report.results.iter().filter(|result| !result.is_valid).count();
    reply(&report, "results", given.detail, format!("{invalid} of {} are invalid", report.total))
}

pub(super) async fn files_tags(vaults: Arc<Vaults>, given: FilesTags, context: Context) -> Result<Reply> {
    let profile = given.profile.unwrap_or_default();
    let report = vaults.files_tags(&given.file_paths, profile, given.max_files, &context.call)?;
    reply(&report, "files", given.detail, format!("{} notes", report.files.len()))
}

pub(super) async fn replace(vaults: Arc<Vaults>, given: ReplaceTags, context: Context) -> Result<Reply> {
    let request = ReplaceRequest {
        place: place(given.root, given.profile),
        replacements: given.replacements,
        nested: given.nested.unwrap_or_default(),
        dry_run: given.dry_run != Some(false),
        max_diff_bytes: (!Detail::is_full(given.detail)).then_some(DIFF_BYTES),
    };
    let report = replace_tags(&vaults, &request, &context.call)?;
    let (tags, notes, failed) = (report.occurrences, report.total, report.failed_files.len());
    let done = if report.dry_run { "would be replaced" } else { "were replaced" };
    let brief = format!("{tags} tags in {notes} notes {done}, {failed} notes were left alone");
    Ok(reply(&report, "modified_files", given.detail, brief)?.passed(failed == 0))
}
