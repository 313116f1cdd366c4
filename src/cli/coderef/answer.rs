//! From a question to its answer, for people and for programs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::args::{Cli, Command, Global};
use super::{human, records};
use crate::cli::Context;
use crate::cli::human::style::Style;
use tapps_base::call::Call;
use tapps_base::{Error, Result, exit};
use tapps_coderef::codebase::Codebase;
use tapps_coderef::comment_tag::TagOptions;
use tapps_coderef::complexity::complexity;
use tapps_coderef::context::{ContextRequest, OutputFormat};
use tapps_coderef::coverage::{Detail, coverage};
use tapps_coderef::diagram::{DiagramRequest, diagram};
use tapps_coderef::engine::ScanOptions;
use tapps_coderef::export::{ExportRequest, export};
use tapps_coderef::impact::{ImpactRequest, impact};
use tapps_coderef::model::Language;
use tapps_coderef::query::{QueryRequest, query};
use tapps_coderef::scan::{ScanRequest, scan};
use tapps_coderef::validate::ValidateOptions;
use tapps_project::recorded::recorded;

/// The languages that are tagged unless others are named.
const TAGGED: [Language; 4] = [Language::TypeScript, Language::Tsx, Language::JavaScript, Language::Jsx];

/// A question, ready to be answered on another thread.
pub(super) struct Asked {
    codebase: Codebase,
    command: Command,
    coverage_files: Vec<String>,
    call: Call,
}

/// An answer in both forms.
pub(super) struct Answer {
    pub(super) json: String,
    pub(super) human: Box<dyn FnOnce(Style) -> String + Send>,
    /// What goes to people as it is: a drawing, a document.
    pub(super) raw: Option<String>,
    pub(super) code: u8,
}

impl Answer {
    fn new<R>(report: R, code: u8, human: fn(&R, Style) -> String) -> Result<Self>
    where
        R: Serialize + Send + 'static,
    {
        let json = serde_json::to_string_pretty(&report)
            .map_err(|error| Error::internal(format!("the result has no JSON form: {error}")))?;
        Ok(Self { json: json + "\n", human: Box::new(move |style| human(&report, style)), raw: None, code })
    }

    fn raw<R: Serialize + Send + 'static>(report: R, raw: String) -> Result<Self> {
        let plain = Self::new(report, exit::CLEAN, |_, _| String::new())?;
        Ok(Self { raw: Some(raw), ..plain })
    }
}

impl Asked {
    pub(super) fn new(cli: Cli, context: &Context, call: Call) -> Self {
        Self {
            codebase: Codebase::new(Arc::clone(&context.boundary)).with(options(&cli.global)),
            command: cli.command,
            coverage_files: context.config.coverage.files.clone(),
            call,
        }
    }

    pub(super) fn answer(self) -> Result<Answer> {
        let Self { codebase, command, coverage_files, call } = self;
        match command {
            Command::Scan { path, lang, types, no_ast, most } => {
                let path = path.map(|path| below(&codebase, &path)).transpose()?;
                let request = ScanRequest { languages: lang, types, path, use_ast: !no_ast, limit: most.limit };
                let report = codebase.ask(&call, |graph| scan(graph, &request))?;
                Answer::new(report, exit::CLEAN, human::scanned)
            }
            Command::Query { target, query_type, source, depth, most } => {
                let request = QueryRequest { query_type, target, source, max_depth: depth, limit: most.limit };
                let report = codebase.ask(&call, |graph| query(graph, &request))?;
                Answer::new(report, exit::CLEAN, human::found)
            }
            Command::Impact { element, operation, depth, most } => {
                let request = ImpactRequest { element, operation, max_depth: depth, limit: most.limit };
                let report = codebase.ask(&call, |graph| impact(graph, &request))?;
                Answer::new(report, exit::CLEAN, human::impact)
            }
            Command::Complexity { element, most } => {
                let report = codebase.ask(&call, |graph| complexity(graph, &element, most.limit))?;
                Answer::new(report, exit::CLEAN, human::complexity)
            }
            Command::Patterns { pattern, limit } => {
                let report = codebase.patterns(pattern.as_deref(), limit, &call)?;
                Answer::new(report, exit::CLEAN, records::patterns)
            }
            Command::Coverage { format, most } => covered(&codebase, &coverage_files, format, most.limit, &call),
            Command::Context { lang, format, max_tokens, .. } => told(&codebase, lang, format, max_tokens, &call),
            Command::Diagram { focus, diagram_type, format, depth, max_nodes } => {
                let request = DiagramRequest { diagram_type, format, focus, depth, max_nodes, max_bytes: None };
                let report = codebase.ask(&call, |graph| diagram(graph, &request))?;
                let raw = report.diagram.clone();
                Answer::raw(report, raw)
            }
            Command::Validate { pattern, syntax_only, .. } => {
                let all = ValidateOptions::default().patterns;
                let patterns = if pattern.is_empty() { all } else { pattern };
                let report = codebase.validate(&ValidateOptions { patterns, syntax_only }, &call)?;
                let code = judged(report.invalid == 0);
                Answer::new(report, code, records::validated)
            }
            Command::Drift { index, save, threshold, .. } => {
                let index = index.map(|index| below(&codebase, &index)).transpose()?;
                if save {
                    return Answer::new(codebase.save_index(index.as_deref(), &call)?, exit::CLEAN, records::saved);
                }
                let report = codebase.drift(index.as_deref(), threshold, &call)?;
                let code = judged(report.drifted.is_empty());
                Answer::new(report, code, records::drifted)
            }
            Command::Tag { path, dry_run, force, update_lineno, include_private, lang } => {
                let languages = if lang.is_empty() { TAGGED.to_vec() } else { lang };
                let options = TagOptions { dry_run, force, update_lineno, include_private, languages };
                let report = codebase.tag(&below(&codebase, &path)?, &options, &call)?;
                let code = judged(report.skipped == 0);
                Answer::new(report, code, records::tagged)
            }
            Command::Export { format, output, max_nodes } => {
                let request = ExportRequest { format, max_nodes };
                let exported = codebase.ask(&call, |graph| export(graph, &request))?;
                match output {
                    Some(output) => {
                        let path = codebase.write(&exported, &absolute(&output)?)?;
                        Answer::new(exported.summary(Some(path.to_string())), exit::CLEAN, human::exported)
                    }
                    None => {
                        let report = exported.inline();
                        let raw = report.content.clone().unwrap_or_default();
                        Answer::raw(report, raw)
                    }
                }
            }
        }
    }
}

fn judged(fine: bool) -> u8 {
    if fine { exit::CLEAN } else { exit::FINDINGS }
}

fn options(global: &Global) -> ScanOptions {
    ScanOptions {
        languages: Vec::new(),
        exclude: global.exclude.clone(),
        include_ignored: global.include_ignored,
        fresh: global.fresh,
    }
}

fn covered(
    codebase: &Codebase,
    coverage_files: &[String],
    format: Detail,
    limit: Option<usize>,
    call: &Call,
) -> Result<Answer> {
    let code = codebase.code(call)?;
    let (recorded, problems) = recorded(codebase.boundary(), coverage_files, &code.index)?;
    for problem in problems {
        tracing::warn!("{problem}");
    }
    let report = coverage(&code.graph(), &recorded, format, limit);
    Answer::new(report, exit::CLEAN, human::covered)
}

fn told(
    codebase: &Codebase,
    languages: Vec<Language>,
    output_format: OutputFormat,
    max_tokens: Option<usize>,
    call: &Call,
) -> Result<Answer> {
    let request = ContextRequest { languages, output_format, max_tokens };
    let report = codebase.context(&request, call)?;
    match &report.markdown {
        Some(markdown) => {
            let raw = markdown.clone();
            Answer::raw(report, raw)
        }
        None => {
            let answer = Answer::new(report, exit::CLEAN, |_, _| String::new())?;
            let raw = answer.json.clone();
            Ok(Answer { raw: Some(raw), ..answer })
        }
    }
}

/// A path that a person typed, relative to the project; it may be relative to the working directory.
fn below(codebase: &Codebase, path: &Path) -> Result<String> {
    let text = absolute(path)?;
    let resolved = codebase.boundary().resolve(&text);
    // Not below the working directory, it may still be meant below the project.
    let resolved = match (resolved, path.to_str()) {
        (Err(_), Some(plain)) if path.is_relative() => codebase.boundary().resolve(plain),
        (resolved, _) => resolved,
    };
    resolved.map(|path| path.as_str().to_owned())
}

fn absolute(path: &Path) -> Result<String> {
    let whole = path.canonicalize().or_else(|_| std::path::absolute(path));
    let whole: PathBuf =
        whole.map_err(|error| Error::invalid(format!("the path {} is of no use: {error}", path.display())))?;
    whole.into_os_string().into_string().map_err(|_| {
        Error::invalid(format!("the path {} is not UTF-8", path.display())).hint("rename the file or folder")
    })
}
