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
use crate::tool::{Effects, Tool, Toolset};
use tapps_coderef::codebase::{PatternsReport, SavedReport};
use tapps_coderef::comment_tag::TagReport;
use tapps_coderef::complexity::ComplexityReport;
use tapps_coderef::context::ContextReport;
use tapps_coderef::coverage::CoverageReport;
use tapps_coderef::diagram::DiagramReport;
use tapps_coderef::drift::DriftReport;
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
    [asking(&room), judging(&room), keeping(&room), showing(&room)].concat()
}

/// Questions about elements.
fn asking(room: &Room) -> Vec<Tool> {
    let [scan, query, impact] = [(); 3].map(|()| room.clone());
    vec![
        Tool::new(Toolset::Coderef, "coderef_scan", "List code elements", move |given: given::CoderefScanArguments, context| {
            handlers::ask(scan.clone(), given, context)
        })
        .describe("List functions, classes, methods, types and the like with file and line; counts by type and language.")
        .with_cursor()
        .returns(&[|g| g.subschema_for::<ScanReport>(), |g| g.subschema_for::<ExternalReport>()]),
        Tool::new(Toolset::Coderef, "coderef_query", "Who refers to whom", move |given: given::Query, context| {
            handlers::ask(query.clone(), given, context)
        })
        .describe(
            "Follow calls and imports: calls = what target calls, calls-me = who calls it, alike for imports and \
             depends-on; shortest-path and all-paths go from source to target. Returns places with lines, depth and \
             status: resolved is proven, ambiguous is not.",
        )
        .with_cursor()
        .returns(&[|g| g.subschema_for::<QueryReport>(), |g| g.subschema_for::<ExternalReport>()]),
        Tool::new(Toolset::Coderef, "coderef_impact", "What a change touches", move |given: given::Impact, context| {
            handlers::ask(impact.clone(), given, context)
        })
        .describe(
            "Call before changing an element: everything that is touched, risk, and the tests that reach it. delete adds \
             importers and heirs, refactor the tests.",
        )
        .with_cursor()
        .returns(&[|g| g.subschema_for::<ImpactReport>(), |g| g.subschema_for::<ExternalReport>()]),
    ]
}

/// Questions about quality.
fn judging(room: &Room) -> Vec<Tool> {
    let [complexity, patterns, coverage] = [(); 3].map(|()| room.clone());
    vec![
        Tool::new(
            Toolset::Coderef,
            "coderef_complexity",
            "How hard code is",
            move |given: given::Complexity, context| handlers::ask(complexity.clone(), given, context),
        )
        .describe("Cyclomatic, cognitive, nesting and a score of 0-10 for a function, or for all of a class or file.")
        .with_cursor()
        .returns(&[|g| g.subschema_for::<ComplexityReport>(), |g| g.subschema_for::<ExternalReport>()]),
        Tool::new(Toolset::Coderef, "coderef_patterns", "Find patterns", move |given: given::Patterns, context| {
            handlers::ask(patterns.clone(), given, context)
        })
        .describe(
            "Places that show patterns of a catalogue: react, api, middleware, dependency_injection, decorators, \
             error_handling, async, tests, duplicates.",
        )
        .with_cursor()
        .returns(&[|g| g.subschema_for::<PatternsReport>(), |g| g.subschema_for::<ExternalReport>()]),
        Tool::new(
            Toolset::Coderef,
            "coderef_coverage",
            "What tests reach",
            move |given: given::CoderefCoverageArguments, context| handlers::ask(coverage.clone(), given, context),
        )
        .describe("Which functions and classes tests reach: from coverage reports if there are any, else by calls.")
        .with_cursor()
        .returns(&[|g| g.subschema_for::<CoverageReport>(), |g| g.subschema_for::<ExternalReport>()]),
    ]
}

/// References: whether they are right, what has become of them, and writing them down.
fn keeping(room: &Room) -> Vec<Tool> {
    let [validate, drift, tag] = [(); 3].map(|()| room.clone());
    vec![
        Tool::new(Toolset::Coderef, "coderef_validate", "Check references", move |given: given::Validate, context| {
            handlers::ask(validate.clone(), given, context)
        })
        .describe("Find references in files that are not well-formed or lead nowhere, with suggestions.")
        .with_cursor()
        .returns(&[|g| g.subschema_for::<ValidationReport>(), |g| g.subschema_for::<ExternalReport>()]),
        Tool::new(Toolset::Coderef, "coderef_drift", "What has drifted", move |given: given::Drift, context| {
            handlers::ask(drift.clone(), given, context)
        })
        .describe("Compare a saved index with the code: moved, renamed, missing, added or ambiguous elements.")
        .with_effects(Effects::WritesWhen("save"))
        .with_cursor()
        .returns(&[
            |g| g.subschema_for::<DriftReport>(),
            |g| g.subschema_for::<SavedReport>(),
            |g| g.subschema_for::<ExternalReport>(),
        ]),
        Tool::new(Toolset::Coderef, "coderef_tag", "Tag declarations", move |given: given::Tag, context| {
            handlers::ask(tag.clone(), given, context)
        })
        .describe(
            "Write a reference as a comment above each declaration; a second time changes nothing. dry_run: true shows \
             a diff.",
        )
        .with_effects(Effects::Writes)
        .with_cursor()
        .returns(&[|g| g.subschema_for::<TagReport>(), |g| g.subschema_for::<ExternalReport>()]),
    ]
}

/// The project as a whole.
fn showing(room: &Room) -> Vec<Tool> {
    let [context, diagram, export] = [(); 3].map(|()| room.clone());
    vec![
        Tool::new(
            Toolset::Coderef,
            "coderef_context",
            "Brief of a project",
            move |given: given::CoderefContextArguments, circumstances| {
                handlers::ask(context.clone(), given, circumstances)
            },
        )
        .describe("Call first in an unknown project: folders, entry points, central and hard elements, packages.")
        .returns(&[|g| g.subschema_for::<ContextReport>(), |g| g.subschema_for::<ExternalReport>()]),
        Tool::new(Toolset::Coderef, "coderef_diagram", "Draw a project", move |given: given::Diagram, context| {
            handlers::ask(diagram.clone(), given, context)
        })
        .describe("Draw files or elements and what they refer to; folders stand for files where there are many.")
        .returns(&[|g| g.subschema_for::<DiagramReport>(), |g| g.subschema_for::<ExternalReport>()]),
        Tool::new(
            Toolset::Coderef,
            "coderef_export",
            "Export the graph",
            move |given: given::CoderefExportArguments, context| handlers::ask(export.clone(), given, context),
        )
        .describe("Write the whole graph for other programs. Only an older export is ever replaced.")
        .with_effects(Effects::Writes)
        .returns(&[|g| g.subschema_for::<ExportReport>(), |g| g.subschema_for::<ExternalReport>()]),
    ]
}
