//! From arguments to code intelligence and back to a reply.

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::arguments as given;
use super::argv;
use crate::dispatch::Reply;
use crate::tool::Context;
use crate::tools::detail::Detail;
use tapps_base::call::Call;
use tapps_base::{Error, Result};
use tapps_coderef::codebase::Codebase;
use tapps_coderef::comment_tag::TagOptions;
use tapps_coderef::complexity::complexity as measure;
use tapps_coderef::context::ContextRequest;
use tapps_coderef::coverage;
use tapps_coderef::coverage::coverage as cover;
use tapps_coderef::diagram::{DiagramRequest, diagram as draw};
use tapps_coderef::engine::ScanOptions;
use tapps_coderef::export::{ExportRequest, export as write};
use tapps_coderef::external::{External, ExternalReport};
use tapps_coderef::impact::{ImpactRequest, impact as touch};
use tapps_coderef::memory::CodeMemory;
use tapps_coderef::model::Language;
use tapps_coderef::query::{QueryRequest, query as follow};
use tapps_coderef::scan::{ScanRequest, scan as list};
use tapps_coderef::validate::ValidateOptions;
use tapps_project::recorded::recorded;
use tapps_sandbox::Boundary;

/// Longest drawing or export in a reply of the usual size, in bytes; its line ends count twice as JSON.
const CONTENT_BYTES: usize = 4_600;

/// Files that are looked through for references unless others are named.
const VALIDATED: &str = "**/*.ts";

/// Languages that are tagged unless others are named.
const TAGGED: &str = "ts,tsx,js,jsx";

/// What the handlers share.
#[derive(Debug, Clone)]
pub(super) struct Room {
    pub(super) boundary: Arc<Boundary>,
    /// What is known of the code, which the tools of other toolsets ask as well.
    pub(super) memory: Arc<CodeMemory>,
    /// Coverage reports besides those at the usual places.
    pub(super) coverage_files: Vec<String>,
    /// The program that is asked in place of this one.
    pub(super) external: Option<Arc<External>>,
}

impl Room {
    fn codebase(&self, project_path: &str) -> Result<Codebase> {
        Ok(Codebase::at(&self.boundary, project_path)?.remembering(&self.memory))
    }

    /// Asks the other program, if there is one.
    async fn elsewhere(&self, codebase: &Codebase, args: Vec<String>, call: &Call) -> Result<Option<Reply>> {
        let Some(external) = &self.external else { return Ok(None) };
        let root: &Path = codebase.boundary().root();
        let report: ExternalReport = external.ask(&args, root, call).await?;
        let brief = format!("{} answered in place of the engine", report.external.name);
        Ok(Some(Reply::of(&report)?.paged("items").brief(brief)))
    }
}

/// Asks the other program and returns its reply, if there is one.
macro_rules! elsewhere {
    ($room:expr, $codebase:expr, $args:expr, $context:expr) => {
        if $room.external.is_some()
            && let Some(reply) = $room.elsewhere(&$codebase, $args, &$context.call).await?
        {
            return Ok(reply);
        }
    };
}

/// The report, cut into pages of `list` unless everything is wanted.
fn reply(report: &impl Serialize, list: &'static str, detail: Option<Detail>, brief: String) -> Result<Reply> {
    let reply = Reply::of(report)?.brief(brief);
    Ok(if Detail::is_full(detail) { reply.whole() } else { reply.paged(list) })
}

pub(super) async fn scan(room: Room, given: given::Scan, context: Context) -> Result<Reply> {
    let codebase = room.codebase(&given.project_path)?;
    elsewhere!(room, codebase, argv::scan(&given), context);
    let request = ScanRequest {
        languages: given.languages.unwrap_or_default(),
        types: given.types.unwrap_or_default(),
        path: given.path,
        use_ast: given.use_ast != Some(false),
        limit: None,
    };
    let report = codebase.ask(&context.call, |graph| list(graph, &request))?;
    let brief = format!("{} elements in {} files", report.elements_found, report.files);
    reply(&report, "elements", given.detail, brief)
}

pub(super) async fn query(room: Room, given: given::Query, context: Context) -> Result<Reply> {
    let codebase = room.codebase(&given.project_path)?;
    elsewhere!(room, codebase, argv::query(&given), context);
    let request = QueryRequest {
        query_type: given.query_type,
        target: given.target,
        source: given.source,
        max_depth: given.max_depth,
        limit: None,
    };
    let report = codebase.ask(&context.call, |graph| follow(graph, &request))?;
    let brief = format!("{} results for {} matches of {}", report.total, report.matches.len(), report.target);
    reply(&report, "results", given.detail, brief)
}

pub(super) async fn impact(room: Room, given: given::Impact, context: Context) -> Result<Reply> {
    let codebase = room.codebase(&given.project_path)?;
    elsewhere!(room, codebase, argv::impact(&given), context);
    let request = ImpactRequest {
        element: given.element,
        operation: given.operation.unwrap_or_default(),
        max_depth: given.max_depth,
        limit: None,
    };
    let report = codebase.ask(&context.call, |graph| touch(graph, &request))?;
    let (level, affected) = (report.risk_level.as_str(), report.estimated_affected);
    let brief = format!("{level} risk: {affected} places in {} files", report.affected_files);
    reply(&report, "dependents", given.detail, brief)
}

pub(super) async fn complexity(room: Room, given: given::Complexity, context: Context) -> Result<Reply> {
    let codebase = room.codebase(&given.project_path)?;
    elsewhere!(room, codebase, argv::complexity(&given), context);
    let report = codebase.ask(&context.call, |graph| measure(graph, &given.element, None))?;
    let brief = format!("score {} at most in {} functions", report.summary.score_most, report.summary.functions);
    reply(&report, "functions", given.detail, brief)
}

pub(super) async fn patterns(room: Room, given: given::Patterns, context: Context) -> Result<Reply> {
    let codebase = room.codebase(&given.project_path)?;
    elsewhere!(room, codebase, argv::patterns(), context);
    let report = codebase.patterns(given.pattern_type.as_deref(), given.limit, &context.call)?;
    let brief = format!("{} patterns were found", report.total);
    reply(&report, "patterns", given.detail, brief)
}

pub(super) async fn coverage(room: Room, given: given::Coverage, context: Context) -> Result<Reply> {
    let codebase = room.codebase(&given.project_path)?;
    elsewhere!(room, codebase, argv::coverage(&given), context);
    let code = codebase.code(&context.call)?;
    let (recorded, problems) = recorded(codebase.boundary(), &room.coverage_files, &code.index)?;
    for problem in problems {
        tracing::warn!("{problem}");
    }
    let format = given.format.unwrap_or_default();
    let report = cover(&code.graph(), &recorded, format, None);
    let brief = format!("{} % of functions and classes are reached by tests", report.overall.percentage);
    let list = if format == coverage::Detail::Detailed { "uncovered" } else { "modules" };
    reply(&report, list, given.detail, brief)
}

pub(super) async fn context(room: Room, given: given::Brief, context: Context) -> Result<Reply> {
    let codebase = room.codebase(&given.project_path)?;
    elsewhere!(room, codebase, argv::context(&given), context);
    let request = ContextRequest {
        languages: given.languages.unwrap_or_default(),
        output_format: given.output_format.unwrap_or_default(),
        max_tokens: given.max_tokens,
    };
    let report = codebase.context(&request, &context.call)?;
    let brief = format!("a brief of {} tokens", report.estimated_tokens);
    // The budget is the caller's own.
    Ok(Reply::of(&report)?.brief(brief).whole())
}

pub(super) async fn validate(room: Room, given: given::Validate, context: Context) -> Result<Reply> {
    let codebase = room.codebase(&given.project_path)?;
    let pattern = given.pattern.clone().unwrap_or_else(|| VALIDATED.to_owned());
    elsewhere!(room, codebase, argv::validate(&pattern), context);
    let options = ValidateOptions { patterns: vec![pattern], syntax_only: false };
    let report = codebase.validate(&options, &context.call)?;
    let brief = format!("{} of {} references lead nowhere", report.invalid, report.total);
    Ok(reply(&report, "errors", given.detail, brief)?.passed(report.invalid == 0))
}

pub(super) async fn drift(room: Room, given: given::Drift, context: Context) -> Result<Reply> {
    let codebase = room.codebase(&given.project_path)?;
    elsewhere!(room, codebase, argv::drift(&given), context);
    if given.save == Some(true) {
        let report = codebase.save_index(given.index_path.as_deref(), &context.call)?;
        let brief = format!("{} elements are saved in {}", report.elements, report.index_path);
        return Ok(Reply::of(&report)?.brief(brief));
    }
    let report = codebase.drift(given.index_path.as_deref(), None, &context.call)?;
    let brief = format!("{} of {} elements have drifted", report.drifted.len(), report.total);
    Ok(reply(&report, "drifted", given.detail, brief)?.passed(report.drifted.is_empty()))
}

pub(super) async fn tag(room: Room, given: given::Tag, context: Context) -> Result<Reply> {
    if !given.path.starts_with('/') {
        return Err(Error::invalid(format!("the path `{}` is not absolute", given.path))
            .hint("give the whole path, from the root of the file system"));
    }
    let scan = ScanOptions { exclude: words(given.exclude.as_deref()), ..ScanOptions::default() };
    let codebase = Codebase::new(Arc::clone(&room.boundary)).with(scan).remembering(&room.memory);
    codebase.boundary().resolve(&given.path)?;
    elsewhere!(room, codebase, argv::tag(&given), context);
    let options = TagOptions {
        dry_run: given.dry_run == Some(true),
        force: given.force == Some(true),
        update_lineno: given.update_lineno == Some(true),
        include_private: given.include_private == Some(true),
        languages: languages(given.lang.as_deref().unwrap_or(TAGGED))?,
    };
    let mut report = codebase.tag(&given.path, &options, &context.call)?;
    if given.verbose != Some(true) {
        report
            .files
            .retain(|file| file.inserted + file.updated > 0 || !file.stale.is_empty() || file.skipped.is_some());
    }
    let done = if report.dry_run { "would be inserted" } else { "inserted" };
    let brief =
        format!("{} tags {done}, {} updated, {} files left alone", report.inserted, report.updated, report.skipped);
    Ok(reply(&report, "files", given.detail, brief)?.passed(report.skipped == 0))
}

/// The entries of a list that is written with commas.
fn words(text: Option<&str>) -> Vec<String> {
    text.unwrap_or_default().split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn languages(text: &str) -> Result<Vec<Language>> {
    let one = |word: &String| {
        serde_json::from_value(Value::from(word.as_str())).map_err(|error| {
            Error::invalid(format!("`{word}` is no language: {error}")).hint("write such as ts,tsx,js,jsx")
        })
    };
    words(Some(text)).iter().map(one).collect()
}

pub(super) async fn diagram(room: Room, given: given::Diagram, context: Context) -> Result<Reply> {
    let codebase = room.codebase(&given.project_path)?;
    elsewhere!(room, codebase, argv::diagram(&given), context);
    let request = DiagramRequest {
        diagram_type: given.diagram_type.unwrap_or_default(),
        format: given.format.unwrap_or_default(),
        focus: given.focus,
        depth: given.depth,
        max_nodes: given.max_nodes,
        max_bytes: given.max_nodes.is_none().then_some(CONTENT_BYTES),
    };
    let report = codebase.ask(&context.call, |graph| draw(graph, &request))?;
    let brief = format!("{} boxes and {} lines for {} files or elements", report.nodes, report.edges, report.covered);
    Ok(Reply::of(&report)?.brief(brief).whole())
}

pub(super) async fn export(room: Room, given: given::Export, context: Context) -> Result<Reply> {
    let codebase = room.codebase(&given.project_path)?;
    elsewhere!(room, codebase, argv::export(&given), context);
    let request = ExportRequest { format: given.format, max_nodes: given.max_nodes };
    let exported = codebase.ask(&context.call, |graph| write(graph, &request))?;
    let report = match given.output_path {
        Some(output_path) => {
            let path = codebase.write(&exported, &output_path)?;
            exported.summary(Some(path.to_string()))
        }
        None if Detail::is_full(given.detail) || exported.bytes.len() <= CONTENT_BYTES => exported.inline(),
        None => {
            let mut report = exported.summary(None);
            report.truncated = true;
            report
        }
    };
    let brief = format!("{} nodes and {} edges in {} bytes", report.nodes, report.edges, report.bytes);
    let mut reply = Reply::of(&report)?.brief(brief).whole();
    if report.truncated {
        reply.add("hint", Value::from("pass output_path to have it written, or detail: \"full\""));
    }
    Ok(reply)
}
