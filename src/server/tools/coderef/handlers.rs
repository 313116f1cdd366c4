//! From arguments to code intelligence and back to a reply.

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::requests::Asks;
use crate::dispatch::Reply;
use crate::tool::ToolContext;
use crate::tools::detail::ReplyDetail;
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_coderef::codebase::Codebase;
use tapps_coderef::coverage;
use tapps_coderef::export::GraphExport;
use tapps_coderef::external::{External, ExternalReport};
use tapps_coderef::memory::CodeMemory;
use tapps_coderef::request::CodeReport;
use tapps_config::ArchitectureConfig;
use tapps_project::recorded::recorded_coverage;
use tapps_sandbox::Boundary;

/// Longest drawing or export in a reply of the usual size, in bytes; its line ends count twice as JSON.
pub(super) const CONTENT_BYTES: usize = 4_600;

/// What the handlers share.
#[derive(Debug, Clone)]
pub(super) struct Room {
    pub(super) boundary: Arc<Boundary>,
    /// What is known of the code, which the tools of other toolsets ask as well.
    pub(super) memory: Arc<CodeMemory>,
    /// The contracts about imports.
    pub(super) architecture: Arc<ArchitectureConfig>,
    /// Coverage reports besides those at the usual places.
    pub(super) coverage_files: Vec<String>,
    /// The program that is asked in place of this one.
    pub(super) external: Option<Arc<External>>,
}

impl Room {
    pub(super) fn codebase(&self, project_path: &str) -> Result<Codebase> {
        let codebase = Codebase::open_folder(&self.boundary, project_path)?.remembering(&self.memory);
        let is_whole = codebase.boundary().root() == self.boundary.root();
        Ok(if is_whole { codebase.with_architecture(Arc::clone(&self.architecture)) } else { codebase })
    }
}

/// Asks the other program.
async fn ask_external(external: &External, codebase: &Codebase, args: &[String], call: &Call) -> Result<Reply> {
    let root: &Path = codebase.boundary().root();
    let report: ExternalReport = external.run_in_project(args, root, call).await?;
    let brief = format!("{} answered in place of the engine", report.external.name);
    Ok(Reply::from_serializable(&report)?.with_paged_list("items").with_brief(brief))
}

/// Answers a tool: by the other program, if there is one.
pub(super) async fn ask<A: Asks>(room: Room, given: A, context: ToolContext) -> Result<Reply> {
    let codebase = given.codebase(&room)?;
    if let Some(external) = &room.external {
        return ask_external(external, &codebase, &given.command_line(), &context.call).await;
    }
    let reader = |boundary: &_, index: &_| recorded_coverage(boundary, &room.coverage_files, index);
    let report = given.request()?.answer(&codebase, &reader, &context.call)?;
    render(given.shortened(report), given.detail())
}

/// The report, cut into pages of `list` unless everything is wanted.
fn paged(report: &impl Serialize, list: &'static str, detail: Option<ReplyDetail>, brief: String) -> Result<Reply> {
    let reply = Reply::from_serializable(report)?.with_brief(brief);
    Ok(if ReplyDetail::is_full(detail) { reply.without_budget() } else { reply.with_paged_list(list) })
}

fn render(report: CodeReport, detail: Option<ReplyDetail>) -> Result<Reply> {
    match report {
        CodeReport::Scan(report) => {
            let brief = format!("{} elements in {} files", report.elements_found, report.files);
            paged(&report, "elements", detail, brief)
        }
        CodeReport::Query(report) => {
            let brief = match report.allowed {
                Some(true) => format!("yes, by {} contracts", report.contracts.unwrap_or_default()),
                Some(false) => format!("no, by {} contracts", report.total),
                None => format!("{} results for {} matches of {}", report.total, report.matches.len(), report.target),
            };
            let report = if ReplyDetail::is_full(detail) { report } else { report.with_short_rows() };
            paged(&report, "results", detail, brief)
        }
        CodeReport::Impact(report) => {
            let (level, affected) = (report.risk_level.as_str(), report.estimated_affected);
            let brief = format!("{level} risk: {affected} places in {} files", report.affected_files);
            let report = if ReplyDetail::is_full(detail) { report } else { report.with_short_rows() };
            paged(&report, "dependents", detail, brief)
        }
        CodeReport::Complexity(report) => {
            let summary = &report.summary;
            let brief = format!("score {} at most in {} functions", summary.score_most, summary.functions);
            paged(&report, "functions", detail, brief)
        }
        CodeReport::Patterns(report) => {
            let brief = format!("{} patterns were found", report.total);
            paged(&report, "patterns", detail, brief)
        }
        CodeReport::Duplicates(report) => {
            let brief = format!("{} families, {} % of statements", report.total, report.duplicated_percent);
            paged(&report, "families", detail, brief)
        }
        CodeReport::Similar(report) => {
            let nearest = report.similar.first().map_or("nothing", |nearest| nearest.place.name.as_str());
            let brief = format!("{} elements are like it, nearest {nearest}", report.total);
            paged(&report, "similar", detail, brief)
        }
        CodeReport::Coverage(report, format) => {
            let brief = format!("{} % of functions and classes are reached by tests", report.overall.percentage);
            let list = match format {
                coverage::CoverageDetail::Detailed => "uncovered",
                coverage::CoverageDetail::Summary => "modules",
            };
            paged(&report, list, detail, brief)
        }
        // The budget is the caller's own.
        CodeReport::Context(report) => {
            let brief = format!("a brief of {} tokens", report.estimated_tokens);
            Ok(Reply::from_serializable(&report)?.with_brief(brief).without_budget())
        }
        CodeReport::Diagram(report) => {
            let (nodes, edges, covered) = (report.nodes, report.edges, report.covered);
            let brief = format!("{nodes} boxes and {edges} lines for {covered} files or elements");
            Ok(Reply::from_serializable(&report)?.with_brief(brief).without_budget())
        }
        CodeReport::Validate(report) => {
            let brief = format!("{} of {} references lead nowhere", report.invalid, report.total);
            Ok(paged(&report, "errors", detail, brief)?.with_passed(report.invalid == 0))
        }
        CodeReport::Drift(report) => {
            let brief = format!("{} of {} elements have drifted", report.drifted.len(), report.total);
            Ok(paged(&report, "drifted", detail, brief)?.with_passed(report.drifted.is_empty()))
        }
        CodeReport::Saved(report) => {
            let brief = format!("{} elements are saved in {}", report.elements, report.index_path);
            Ok(Reply::from_serializable(&report)?.with_brief(brief))
        }
        CodeReport::Tag(report) => {
            let done = if report.dry_run { "would be inserted" } else { "inserted" };
            let (inserted, updated, skipped) = (report.inserted, report.updated, report.skipped);
            let brief = format!("{inserted} tags {done}, {updated} updated, {skipped} files left alone");
            Ok(paged(&report, "files", detail, brief)?.with_passed(skipped == 0))
        }
        CodeReport::Export { exported, written_to } => exported_reply(&exported, written_to, detail),
    }
}

fn exported_reply(exported: &GraphExport, written_to: Option<String>, detail: Option<ReplyDetail>) -> Result<Reply> {
    let report = match written_to {
        Some(path) => exported.summary(Some(path)),
        None if ReplyDetail::is_full(detail) || exported.bytes.len() <= CONTENT_BYTES => exported.to_inline_report(),
        None => {
            let mut report = exported.summary(None);
            report.truncated = true;
            report
        }
    };
    let brief = format!("{} nodes and {} edges in {} bytes", report.nodes, report.edges, report.bytes);
    let mut reply = Reply::from_serializable(&report)?.with_brief(brief).without_budget();
    if report.truncated {
        reply.add("hint", Value::from("pass output_path to have it written, or detail: \"full\""));
        reply.add("more", ReplyDetail::ADVICE.into());
    }
    Ok(reply)
}
