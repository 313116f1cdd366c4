//! Findings about files that cannot be read as a script.

use oxc_diagnostics::{Diagnostics, OxcDiagnostic, Severity as Level};

use crate::common::{not_utf8, syntax_error, too_deeply_nested};
use tapps_base::finding::Finding;
use tapps_base::rule::Rule;
use tapps_base::source::Source;
use tapps_syntax::script::depth::{MAX_BRACKETS, MAX_LEVELS};
use tapps_syntax::script::positions::Positions;

/// In scripts the advice names other ways out than in Python.
const SYNTAX_ERROR: Rule = Rule { help: "correct the syntax at this place", ..syntax_error::RULE };
const TOO_DEEPLY_NESTED: Rule =
    Rule { help: "split the expression into named parts, or exclude the generated file", ..too_deeply_nested::RULE };
const NOT_UTF8: Rule = Rule { help: "save the file as UTF-8", ..not_utf8::RULE };

/// At most this many errors are told; what follows the first ones is mostly their echo.
const MAX_TOLD: usize = 20;

pub(super) fn not_utf8(source: &Source) -> Finding {
    let valid = std::str::from_utf8(source.bytes()).map_or_else(|error| error.valid_up_to(), str::len);
    let (line, column) = source.position(valid);
    place_finding(NOT_UTF8.finding("the file is not UTF-8 from here on"), source, (line, column, line))
}

pub(super) fn too_deep(source: &Source, positions: &Positions<'_>, offset: usize) -> Finding {
    let (line, column) = positions.line_and_column(u32::try_from(offset).unwrap_or(u32::MAX));
    let message = format!("nested deeper than {MAX_BRACKETS} brackets or {MAX_LEVELS} chained operators");
    place_finding(TOO_DEEPLY_NESTED.finding(message), source, (line, column, line))
}

pub(super) fn no_stack(source: &Source) -> Finding {
    let message = "the system gave no stack large enough to read this file";
    place_finding(TOO_DEEPLY_NESTED.finding(message), source, (1, 1, 1))
}

pub(super) fn errors(
    source: &Source,
    positions: &Positions<'_>,
    diagnostics: &Diagnostics,
    is_flow: bool,
) -> Vec<Finding> {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Level::Error);
    let mut findings: Vec<Finding> =
        errors.take(MAX_TOLD).map(|diagnostic| diagnostic_finding(source, positions, diagnostic, is_flow)).collect();
    if findings.is_empty() {
        findings.push(place_finding(SYNTAX_ERROR.finding("the file cannot be parsed"), source, (1, 1, 1)));
    }
    findings.sort_by(Finding::order);
    findings
}

fn diagnostic_finding(
    source: &Source,
    positions: &Positions<'_>,
    diagnostic: &OxcDiagnostic,
    is_flow: bool,
) -> Finding {
    let mut message = diagnostic.message.to_string();
    if let Some(help) = &diagnostic.help {
        message = format!("{message}: {help}");
    }
    if is_flow {
        message.push_str(" (the file says `@flow`; Flow's type annotations are not JavaScript)");
    }
    let label = diagnostic.labels.first();
    let start = label.map_or(0, |label| label.offset());
    let end = label.map_or(0, |label| label.offset() + label.len());
    let (line, column) = positions.line_and_column(start);
    let end_line = positions.last_line(end);
    place_finding(SYNTAX_ERROR.finding(message), source, (line, column, end_line))
}

fn place_finding(finding: Finding, source: &Source, (line, column, end_line): (u32, u32, u32)) -> Finding {
    let mut finding = finding.at(line, column, end_line);
    source.path().clone_into(&mut finding.file);
    finding
}
