//! What can be asked of code intelligence, and the one way from a request to its report. The command line and the server
//! parse what they are given into a [`CodeRequest`] and render a [`CodeReport`].

use std::sync::Arc;

use super::codebase::{Codebase, PatternsReport, SavedReport};
use super::comment_tag::{TagOptions, TagReport};
use super::complexity::{ComplexityReport, build_complexity_report};
use super::context::{ContextReport, ContextRequest};
use super::coverage::{CoverageDetail, CoverageReport, RecordedCoverage, build_coverage_report};
use super::diagram::{DiagramReport, DiagramRequest, draw_diagram};
use super::drift::DriftReport;
use super::duplicates::report::{DuplicatesReport, DuplicatesRequest};
use super::duplicates::similar::{SimilarReport, SimilarRequest};
use super::export::{ExportRequest, GraphExport, export_graph};
use super::impact::{ImpactReport, ImpactRequest, analyze_element_impact};
use super::model::{CodebaseIndex, Language};
use super::query::{QueryReport, QueryRequest, query_graph};
use super::scan::{ScanReport, ScanRequest, scan_elements};
use super::validate::{ValidateOptions, ValidationReport};
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_sandbox::Boundary;

/// The languages that are tagged unless others are named.
pub const TAGGED: [Language; 4] = [Language::TypeScript, Language::Tsx, Language::JavaScript, Language::Jsx];

/// One question. A `limit` is the most entries of a list; none means all, of patterns the usual number.
#[derive(Debug, Clone, PartialEq)]
pub enum CodeRequest {
    Scan(ScanRequest),
    Query(QueryRequest),
    Impact(ImpactRequest),
    Complexity {
        element: String,
        limit: Option<usize>,
    },
    Patterns {
        /// The id of a pattern or group; none means all.
        wanted: Option<String>,
        limit: Option<usize>,
    },
    Duplicates(DuplicatesRequest),
    Similar(SimilarRequest),
    Coverage {
        detail: CoverageDetail,
        limit: Option<usize>,
    },
    Context(ContextRequest),
    Diagram(DiagramRequest),
    Validate(ValidateOptions),
    Drift {
        /// The saved index, below the project; none means the usual one.
        index_path: Option<String>,
        threshold: Option<f64>,
    },
    SaveIndex {
        /// Where to save it, below the project; none means the usual place.
        index_path: Option<String>,
    },
    Tag {
        path: String,
        options: TagOptions,
    },
    Export {
        export: ExportRequest,
        /// A file of the project to write; without one the export is only handed back.
        output_path: Option<String>,
    },
}

/// What was found out.
#[derive(Debug)]
pub enum CodeReport {
    Scan(ScanReport),
    Query(QueryReport),
    Impact(ImpactReport),
    Complexity(ComplexityReport),
    Patterns(PatternsReport),
    Duplicates(DuplicatesReport),
    Similar(SimilarReport),
    Coverage(CoverageReport, CoverageDetail),
    Context(ContextReport),
    Diagram(DiagramReport),
    Validate(ValidationReport),
    Drift(DriftReport),
    Saved(SavedReport),
    Tag(TagReport),
    Export {
        exported: GraphExport,
        /// Where it was written, relative to the project.
        written_to: Option<String>,
    },
}

/// What coverage reports say about the files of an index, and the problems with those that could not be used.
pub type CoverageReader<'a> = &'a dyn Fn(&Arc<Boundary>, &CodebaseIndex) -> Result<(RecordedCoverage, Vec<String>)>;

impl CodeRequest {
    /// Answers for the bytes on disk now. Problems with coverage reports go to the log.
    ///
    /// # Errors
    /// As [`Codebase::code`], and what each question says.
    pub fn answer(self, codebase: &Codebase, coverage_reader: CoverageReader<'_>, call: &Call) -> Result<CodeReport> {
        Ok(match self {
            Self::Scan(request) => {
                CodeReport::Scan(codebase.query_current_graph(call, |graph| scan_elements(graph, &request))?)
            }
            Self::Query(request) => {
                CodeReport::Query(codebase.query_current_graph(call, |graph| query_graph(graph, &request))?)
            }
            Self::Impact(request) => {
                CodeReport::Impact(codebase.query_current_graph(call, |graph| analyze_element_impact(graph, &request))?)
            }
            Self::Complexity { element, limit } => CodeReport::Complexity(
                codebase.query_current_graph(call, |graph| build_complexity_report(graph, &element, limit))?,
            ),
            Self::Patterns { wanted, limit } => {
                CodeReport::Patterns(codebase.patterns(wanted.as_deref(), limit, call)?)
            }
            Self::Duplicates(request) => CodeReport::Duplicates(codebase.duplicates(&request, call)?),
            Self::Similar(request) => CodeReport::Similar(codebase.similar(&request, call)?),
            Self::Coverage { detail, limit } => {
                let code = codebase.code(call)?;
                let (recorded, problems) = coverage_reader(codebase.boundary(), &code.index)?;
                for problem in problems {
                    tracing::warn!("{problem}");
                }
                CodeReport::Coverage(build_coverage_report(&code.graph(), &recorded, detail, limit), detail)
            }
            Self::Context(request) => CodeReport::Context(codebase.context(&request, call)?),
            Self::Diagram(request) => {
                CodeReport::Diagram(codebase.query_current_graph(call, |graph| draw_diagram(graph, &request))?)
            }
            Self::Validate(options) => CodeReport::Validate(codebase.validate(&options, call)?),
            Self::Drift { index_path, threshold } => {
                CodeReport::Drift(codebase.drift(index_path.as_deref(), threshold, call)?)
            }
            Self::SaveIndex { index_path } => CodeReport::Saved(codebase.save_index(index_path.as_deref(), call)?),
            Self::Tag { path, options } => CodeReport::Tag(codebase.tag(&path, &options, call)?),
            Self::Export { export: request, output_path } => {
                let exported = codebase.query_current_graph(call, |graph| export_graph(graph, &request))?;
                let written_to = output_path.map(|path| codebase.write_export(&exported, &path)).transpose()?;
                CodeReport::Export { exported, written_to: written_to.map(|path| path.to_string()) }
            }
        })
    }
}
