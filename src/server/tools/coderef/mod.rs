//! Toolset `coderef`: what a project defines, what refers to what, and what a change touches.

mod arguments;
mod argv;
mod handlers;
mod requests;
mod resources;

use std::sync::Arc;

use arguments as given;
pub(crate) use resources::{resources, templates};

use self::handlers::Room;
use crate::services::Services;
use crate::tool::{Effects, Tool, ToolGroup, Toolset};
use tapps_coderef::codebase::{PatternsReport, SavedReport};
use tapps_coderef::comment_tag::TagReport;
use tapps_coderef::complexity::ComplexityReport;
use tapps_coderef::context::ContextReport;
use tapps_coderef::coverage::CoverageReport;
use tapps_coderef::diagram::DiagramReport;
use tapps_coderef::drift::DriftReport;
use tapps_coderef::duplicates::similar::SimilarReport;
use tapps_coderef::export::ExportReport;
use tapps_coderef::external::ExternalReport;
use tapps_coderef::impact::ImpactReport;
use tapps_coderef::query::QueryReport;
use tapps_coderef::scan::ScanReport;
use tapps_coderef::validate::ValidationReport;

/// The tools of this toolset.
pub(super) fn tools(services: &Services) -> Vec<Tool> {
    let room = Room {
        boundary: services.boundary.clone(),
        memory: Arc::clone(services.engine.project().code_memory()),
        coverage_files: services.config.coverage.files.clone(),
        external: services.coderef_external.clone(),
    };
    let group = ToolGroup::new(Toolset::Coderef, room);
    [asking(&group), judging(&group), keeping(&group), showing(&group)].concat()
}

/// Questions about elements.
fn asking(group: &ToolGroup<Room>) -> Vec<Tool> {
    vec![
        group.tool("coderef_scan", "List code elements", handlers::ask::<given::CoderefScanArguments>)
        .describe("List functions, classes, methods, types and the like with file and line; counts by type and language.")
        .with_cursor()
        .returns_either::<ScanReport, ExternalReport>(),
        group.tool("coderef_query", "Who refers to whom", handlers::ask::<given::Query>)
        .describe(
            "Follow calls and imports: calls = what target calls, calls-me = who calls it, alike for imports and \
             depends-on; shortest-path and all-paths go from source to target. Returns places with lines, depth and \
             status: resolved is proven, ambiguous is not.",
        )
        .with_cursor()
        .returns_either::<QueryReport, ExternalReport>(),
        group.tool("coderef_impact", "What a change touches", handlers::ask::<given::Impact>)
        .describe(
            "Call before changing an element: everything that is touched, risk, and the tests that reach it. delete adds \
             importers and heirs, refactor the tests.",
        )
        .with_cursor()
        .returns_either::<ImpactReport, ExternalReport>(),
    ]
}

/// Questions about quality.
fn judging(group: &ToolGroup<Room>) -> Vec<Tool> {
    vec![
        group
            .tool("coderef_complexity", "How hard code is", handlers::ask::<given::Complexity>)
            .describe(
                "Cyclomatic, cognitive, nesting and a score of 0-10 for a function, or for all of a class or file.",
            )
            .with_cursor()
            .returns_either::<ComplexityReport, ExternalReport>(),
        group
            .tool("coderef_patterns", "Find patterns", handlers::ask::<given::Patterns>)
            .describe(
                "Places that show patterns of a catalogue: react, api, middleware, dependency_injection, decorators, \
             error_handling, async, tests, duplicates.",
            )
            .with_cursor()
            .returns_either::<PatternsReport, ExternalReport>(),
        group
            .tool("coderef_similar", "What exists already", handlers::ask::<given::CoderefSimilarArguments>)
            .describe(
                "Call before writing a function or class: what the project has that is like a snippet, a signature or \
                 words, nearest first, with signature, file, line and callers.",
            )
            .with_cursor()
            .returns_either::<SimilarReport, ExternalReport>(),
        group
            .tool("coderef_coverage", "What tests reach", handlers::ask::<given::CoderefCoverageArguments>)
            .describe("Which functions and classes tests reach: from coverage reports if there are any, else by calls.")
            .with_cursor()
            .returns_either::<CoverageReport, ExternalReport>(),
    ]
}

/// References: whether they are right, what has become of them, and writing them down.
fn keeping(group: &ToolGroup<Room>) -> Vec<Tool> {
    vec![
        group.tool("coderef_validate", "Check references", handlers::ask::<given::Validate>)
        .describe("Find references in files that are not well-formed or lead nowhere, with suggestions.")
        .with_cursor()
        .returns_either::<ValidationReport, ExternalReport>(),
        group.tool("coderef_drift", "What has drifted", handlers::ask::<given::Drift>)
        .describe("Compare a saved index with the code: moved, renamed, missing, added or ambiguous elements.")
        .with_effects(Effects::WritesWhen("save"))
        .with_cursor()
        .returns_any(&[
            |g| g.subschema_for::<DriftReport>(),
            |g| g.subschema_for::<SavedReport>(),
            |g| g.subschema_for::<ExternalReport>(),
        ]),
        group.tool("coderef_tag", "Tag declarations", handlers::ask::<given::Tag>)
        .describe(
            "Write a reference as a comment above each declaration; a second time changes nothing. dry_run: true shows \
             a diff.",
        )
        .with_effects(Effects::Writes)
        .with_cursor()
        .returns_either::<TagReport, ExternalReport>(),
    ]
}

/// The project as a whole.
fn showing(group: &ToolGroup<Room>) -> Vec<Tool> {
    vec![
        group
            .tool("coderef_context", "Brief of a project", handlers::ask::<given::CoderefContextArguments>)
            .describe("Call first in an unknown project: folders, entry points, central and hard elements, packages.")
            .returns_either::<ContextReport, ExternalReport>(),
        group
            .tool("coderef_diagram", "Draw a project", handlers::ask::<given::Diagram>)
            .describe("Draw files or elements and what they refer to; folders stand for files where there are many.")
            .returns_either::<DiagramReport, ExternalReport>(),
        group
            .tool("coderef_export", "Export the graph", handlers::ask::<given::CoderefExportArguments>)
            .describe("Write the whole graph for other programs. Only an older export is ever replaced.")
            .with_effects(Effects::Writes)
            .returns_either::<ExportReport, ExternalReport>(),
    ]
}
