//! Toolset `project`: dead code, imports between modules, vulnerable packages.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::dispatch::Reply;
use crate::services::Services;
use crate::tool::{Tool, ToolContext, ToolGroup, Toolset};
use tapps_base::Result;
use tapps_project::advisories::{Database, DependencyScan, scan_dependencies};
use tapps_project::coupling;
use tapps_project::coupling::DependencyReport;
use tapps_project::dead_code;
use tapps_project::dead_code::DeadCodeReport;

#[derive(Debug, Deserialize, JsonSchema)]
struct DeadCodeArguments {
    /// Report only below this path
    file_path: Option<String>,
    /// 90: only what nothing outside its file can see; 40: also what a package offers to importers (default: 60)
    #[schemars(range(min = 0, max = 100))]
    min_confidence: Option<u8>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct GraphArguments {
    /// Only this folder
    file_path: Option<String>,
    include_tests: Option<bool>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct ScanArguments {}

/// The tools of this file.
pub(super) fn tools(services: &Services) -> Vec<Tool> {
    let group = ToolGroup::new(Toolset::Project, services.clone());
    vec![
        group.tool("tapps_dead_code", "Unused definitions", dead_code)
        .describe("Find functions, classes and methods that nothing in the project mentions (Python, JS, TS), with line and confidence.")
        .with_cursor()
        .returns::<DeadCodeReport>(),
        group.tool("tapps_dependency_graph", "Import cycles and coupling", dependency_graph)
        .describe(
            "Import cycles (runtime, deferred, type-checking) and the coupling of each module: afferent, efferent, \
             instability, hubs. Call it before you move code.",
        )
        .with_cursor()
        .returns::<DependencyReport>(),
        group.tool("tapps_dependency_scan", "Vulnerable packages", dependency_scan)
        .describe(
            "Look the locked versions up in the configured offline OSV database. Returns vulnerabilities with the version \
             that mends them, and what could not be looked up.",
        )
        .with_cursor()
        .returns::<DependencyScan>(),
    ]
}

async fn dead_code(services: Services, given: DeadCodeArguments, context: ToolContext) -> Result<Reply> {
    let links = services.engine.project().snapshot(&services.config.coverage.files)?.links()?;
    let paths: Vec<String> = given.file_path.into_iter().collect();
    let confidence = given.min_confidence.unwrap_or(60);
    let report = dead_code::find_dead_code(&services.boundary, &links, &paths, confidence, &context.call)?;
    let brief = format!("{} unused definitions", report.total);
    let mut reply = Reply::from_serializable(&report)?.with_paged_list("unused").with_brief(brief);
    if report.less_certain > 0 {
        reply.add("more", "min_confidence: 0".into());
    }
    Ok(reply)
}

async fn dependency_graph(services: Services, given: GraphArguments, _: ToolContext) -> Result<Reply> {
    let below = match &given.file_path {
        Some(path) => coupling::resolve_report_folder(&services.boundary, path)?,
        None => None,
    };
    let links = services.engine.project().snapshot(&services.config.coverage.files)?.links()?;
    let report = coupling::build_dependency_report(&links, given.include_tests.unwrap_or_default(), below.as_deref());
    let brief = format!("{} cycles among {} modules", report.cycles_total, report.modules);
    Ok(Reply::from_serializable(&report)?.with_paged_list("coupling").with_brief(brief))
}

async fn dependency_scan(services: Services, _: ScanArguments, context: ToolContext) -> Result<Reply> {
    let advisories = &services.config.advisories;
    let database = Database::open(&services.boundary, &advisories.files, advisories.shared.as_deref())?;
    let report = scan_dependencies(&Arc::clone(&services.boundary), &database, &context.call)?;
    let brief = format!("{} vulnerabilities in {} packages", report.vulnerable.len(), report.packages);
    let passed = report.passed;
    Ok(Reply::from_serializable(&report)?.with_paged_list("vulnerable").with_passed(passed).with_brief(brief))
}
