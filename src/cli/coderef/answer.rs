//! From a question to its answer, for people and for programs.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::args::{Cli, CoderefCommand, Global};
use super::{human, records};
use crate::cli::CliContext;
use crate::cli::human::style::Style;
use crate::cli::out::json_text;
use tapps_base::call::Call;
use tapps_base::{Error, Result, exit};
use tapps_coderef::codebase::Codebase;
use tapps_coderef::comment_tag::TagOptions;
use tapps_coderef::context::{ContextReport, ContextRequest};
use tapps_coderef::diagram::DiagramRequest;
use tapps_coderef::duplicates::report::DuplicatesRequest;
use tapps_coderef::duplicates::similar::SimilarRequest;
use tapps_coderef::engine::ScanOptions;
use tapps_coderef::export::ExportRequest;
use tapps_coderef::impact::ImpactRequest;
use tapps_coderef::query::QueryRequest;
use tapps_coderef::request::{CodeReport, CodeRequest, TAGGED};
use tapps_coderef::scan::ScanRequest;
use tapps_coderef::validate::ValidateOptions;
use tapps_project::recorded::recorded_coverage;

/// A question, ready to be answered on another thread.
pub(super) struct CoderefJob {
    codebase: Codebase,
    command: CoderefCommand,
    coverage_files: Vec<String>,
    call: Call,
}

/// An answer in both forms.
pub(super) struct CoderefAnswer {
    pub(super) json: String,
    pub(super) human: Box<dyn FnOnce(Style) -> String + Send>,
    /// What goes to people as it is: a drawing, a document.
    pub(super) raw: Option<String>,
    pub(super) code: u8,
}

impl CoderefAnswer {
    fn new<R>(report: R, code: u8, human: fn(&R, Style) -> String) -> Result<Self>
    where
        R: Serialize + Send + 'static,
    {
        Ok(Self { json: json_text(&report)?, human: Box::new(move |style| human(&report, style)), raw: None, code })
    }

    fn with_raw_output<R: Serialize + Send + 'static>(report: R, raw: String) -> Result<Self> {
        let plain = Self::new(report, exit::CLEAN, |_, _| String::new())?;
        Ok(Self { raw: Some(raw), ..plain })
    }
}

impl CoderefJob {
    pub(super) fn new(cli: Cli, context: &CliContext, call: Call) -> Self {
        Self {
            codebase: Codebase::new(Arc::clone(&context.boundary)).with_options(scan_options(&cli.global)),
            command: cli.command,
            coverage_files: context.config.coverage.files.clone(),
            call,
        }
    }

    pub(super) fn compute_answer(self) -> Result<CoderefAnswer> {
        let Self { codebase, command, coverage_files, call } = self;
        let reader = |boundary: &_, index: &_| recorded_coverage(boundary, &coverage_files, index);
        render(request(command, &codebase)?.answer(&codebase, &reader, &call)?)
    }
}

/// What a command asks.
fn request(command: CoderefCommand, codebase: &Codebase) -> Result<CodeRequest> {
    let below = |path: Option<PathBuf>| path.map(|path| resolve_typed_path(codebase, &path)).transpose();
    Ok(match command {
        CoderefCommand::Scan { path, lang, types, no_ast, most } => {
            let path = below(path)?;
            CodeRequest::Scan(ScanRequest { languages: lang, types, path, use_ast: !no_ast, limit: most.limit })
        }
        CoderefCommand::Query { target, query_type, source, depth, most } => {
            CodeRequest::Query(QueryRequest { query_type, target, source, max_depth: depth, limit: most.limit })
        }
        CoderefCommand::Impact { element, operation, depth, most } => {
            CodeRequest::Impact(ImpactRequest { element, operation, max_depth: depth, limit: most.limit })
        }
        CoderefCommand::Complexity { element, most } => CodeRequest::Complexity { element, limit: most.limit },
        CoderefCommand::Patterns { pattern, limit } => CodeRequest::Patterns { wanted: pattern, limit },
        CoderefCommand::Duplicates { path, kind, limit } => {
            CodeRequest::Duplicates(DuplicatesRequest { path: below(path)?, kind, limit: Some(limit) })
        }
        CoderefCommand::Similar { text, lang, limit } => {
            let text = if text == "-" { read_standard_input()? } else { text };
            CodeRequest::Similar(SimilarRequest { text, language: lang, limit })
        }
        CoderefCommand::Coverage { format, most } => CodeRequest::Coverage { detail: format, limit: most.limit },
        CoderefCommand::Context { lang, format, max_tokens, path: _ } => {
            CodeRequest::Context(ContextRequest { languages: lang, output_format: format, max_tokens })
        }
        CoderefCommand::Diagram { focus, diagram_type, format, depth, max_nodes } => {
            CodeRequest::Diagram(DiagramRequest { diagram_type, format, focus, depth, max_nodes, max_bytes: None })
        }
        CoderefCommand::Validate { pattern, syntax_only, path: _ } => {
            let all = ValidateOptions::default().patterns;
            let patterns = if pattern.is_empty() { all } else { pattern };
            CodeRequest::Validate(ValidateOptions { patterns, syntax_only })
        }
        CoderefCommand::Drift { index, save: true, threshold: _, path: _ } => {
            CodeRequest::SaveIndex { index_path: below(index)? }
        }
        CoderefCommand::Drift { index, save: false, threshold, path: _ } => {
            CodeRequest::Drift { index_path: below(index)?, threshold }
        }
        CoderefCommand::Tag { path, dry_run, force, update_lineno, include_private, lang } => {
            let languages = if lang.is_empty() { TAGGED.to_vec() } else { lang };
            let options = TagOptions { dry_run, force, update_lineno, include_private, languages };
            CodeRequest::Tag { path: self::resolve_typed_path(codebase, &path)?, options }
        }
        CoderefCommand::Export { format, output, max_nodes } => {
            let output_path = output.map(|output| absolute_path_text(&output)).transpose()?;
            CodeRequest::Export { export: ExportRequest { format, max_nodes }, output_path }
        }
    })
}

fn render(report: CodeReport) -> Result<CoderefAnswer> {
    match report {
        CodeReport::Scan(report) => CoderefAnswer::new(report, exit::CLEAN, human::render_scan_report),
        CodeReport::Query(report) => CoderefAnswer::new(report, exit::CLEAN, human::render_query_report),
        CodeReport::Impact(report) => CoderefAnswer::new(report, exit::CLEAN, human::render_impact_report),
        CodeReport::Complexity(report) => CoderefAnswer::new(report, exit::CLEAN, human::render_complexity_report),
        CodeReport::Patterns(report) => CoderefAnswer::new(report, exit::CLEAN, records::render_patterns_report),
        CodeReport::Duplicates(report) => CoderefAnswer::new(report, exit::CLEAN, records::render_duplicates_report),
        CodeReport::Similar(report) => CoderefAnswer::new(report, exit::CLEAN, records::render_similar_report),
        CodeReport::Coverage(report, _) => CoderefAnswer::new(report, exit::CLEAN, human::render_coverage_report),
        CodeReport::Context(report) => diagram_answer(report),
        CodeReport::Diagram(report) => {
            let raw = report.diagram.clone();
            CoderefAnswer::with_raw_output(report, raw)
        }
        CodeReport::Validate(report) => {
            let code = findings_exit_code(report.invalid == 0);
            CoderefAnswer::new(report, code, records::render_validation_report)
        }
        CodeReport::Drift(report) => {
            let code = findings_exit_code(report.drifted.is_empty());
            CoderefAnswer::new(report, code, records::render_drift_report)
        }
        CodeReport::Saved(report) => CoderefAnswer::new(report, exit::CLEAN, records::render_saved_report),
        CodeReport::Tag(report) => {
            let code = findings_exit_code(report.skipped == 0);
            CoderefAnswer::new(report, code, records::render_tag_report)
        }
        CodeReport::Export { exported, written_to: Some(path) } => {
            CoderefAnswer::new(exported.summary(Some(path)), exit::CLEAN, human::render_export_report)
        }
        CodeReport::Export { exported, written_to: None } => {
            let report = exported.to_inline_report();
            let raw = report.content.clone().unwrap_or_default();
            CoderefAnswer::with_raw_output(report, raw)
        }
    }
}

/// What stands on standard input, as far as a question may be long.
fn read_standard_input() -> Result<String> {
    let mut text = String::new();
    let most = u64::try_from(SimilarRequest::LONGEST_TEXT).unwrap_or(u64::MAX).saturating_add(1);
    std::io::stdin()
        .lock()
        .take(most)
        .read_to_string(&mut text)
        .map_err(|error| Error::io("cannot read standard input", &error))?;
    Ok(text)
}

fn findings_exit_code(fine: bool) -> u8 {
    if fine { exit::CLEAN } else { exit::FINDINGS }
}

fn scan_options(global: &Global) -> ScanOptions {
    ScanOptions {
        languages: Vec::new(),
        exclude: global.exclude.clone(),
        include_ignored: global.include_ignored,
        fresh: global.fresh,
    }
}

fn diagram_answer(report: ContextReport) -> Result<CoderefAnswer> {
    match report.markdown.clone() {
        Some(raw) => CoderefAnswer::with_raw_output(report, raw),
        None => {
            let answer = CoderefAnswer::new(report, exit::CLEAN, |_, _| String::new())?;
            let raw = answer.json.clone();
            Ok(CoderefAnswer { raw: Some(raw), ..answer })
        }
    }
}

/// A path that a person typed, relative to the project; it may be relative to the working directory.
fn resolve_typed_path(codebase: &Codebase, path: &Path) -> Result<String> {
    let text = absolute_path_text(path)?;
    let resolved = codebase.boundary().resolve(&text);
    // Not below the working directory, it may still be meant below the project.
    let resolved = match (resolved, path.to_str()) {
        (Err(_), Some(plain)) if path.is_relative() => codebase.boundary().resolve(plain),
        (resolved, _) => resolved,
    };
    resolved.map(|path| path.as_str().to_owned())
}

fn absolute_path_text(path: &Path) -> Result<String> {
    let whole = path.canonicalize().or_else(|_| std::path::absolute(path));
    let whole: PathBuf =
        whole.map_err(|error| Error::invalid(format!("the path {} is of no use: {error}", path.display())))?;
    whole.into_os_string().into_string().map_err(|_| {
        Error::invalid(format!("the path {} is not UTF-8", path.display())).hint("rename the file or folder")
    })
}
