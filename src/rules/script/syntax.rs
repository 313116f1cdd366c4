//! Findings about files that cannot be read as a script.

use oxc_diagnostics::{Diagnostics, OxcDiagnostic, Severity as Level};

use tapps_base::finding::{Category, Finding, Severity, Tool};
use tapps_base::rule::Rule;
use tapps_base::source::Source;
use tapps_syntax::script::depth::{MAX_BRACKETS, MAX_LEVELS};
use tapps_syntax::script::positions::Positions;

/// The parser's own errors.
pub const SYNTAX_ERROR: Rule = Rule {
    tool: Tool::Tapps,
    code: "syntax-error",
    category: Category::Maintainability,
    severity: Severity::Critical,
    cost: 10_000,
    summary: "The file cannot be parsed, so nothing else about it can be measured.",
    help: "correct the syntax at this place",
    cwe: None,
};

/// Nesting that no stack is large enough for.
pub const TOO_DEEPLY_NESTED: Rule = Rule {
    tool: Tool::Tapps,
    code: "too-deeply-nested",
    summary: "The code nests deeper than the analyzer can follow safely.",
    help: "split the expression into named parts, or exclude the generated file",
    ..SYNTAX_ERROR
};

/// Bytes that are not text.
pub const NOT_UTF8: Rule = Rule {
    tool: Tool::Tapps,
    code: "not-utf8",
    summary: "The file is not UTF-8, so it cannot be read as source code.",
    help: "save the file as UTF-8",
    ..SYNTAX_ERROR
};

/// At most this many errors are told; what follows the first ones is mostly their echo.
const MAX_TOLD: usize = 20;

pub(super) fn not_utf8(source: &Source) -> Finding {
    let valid = std::str::from_utf8(source.bytes()).map_or_else(|error| error.valid_up_to(), str::len);
    let (line, column) = source.position(valid);
    placed(NOT_UTF8.finding("the file is not UTF-8 from here on"), source, (line, column, line))
}

pub(super) fn too_deep(source: &Source, positions: &Positions<'_>, offset: usize) -> Finding {
    let (line, column) = positions.of(u32::try_from(offset).unwrap_or(u32::MAX));
    let message = format!("nested deeper than {MAX_BRACKETS} brackets or {MAX_LEVELS} chained operators");
    placed(TOO_DEEPLY_NESTED.finding(message), source, (line, column, line))
}

pub(super) fn no_stack(source: &Source) -> Finding {
    let message = "the system gave no stack large enough to read this file";
    placed(TOO_DEEPLY_NESTED.finding(message), source, (1, 1, 1))
}

pub(super) fn errors(
    source: &Source,
    positions: &Positions<'_>,
    diagnostics: &Diagnostics,
    is_flow: bool,
) -> Vec<Finding> {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Level::Error);
    let mut findings: Vec<Finding> =
        errors.take(MAX_TOLD).map(|diagnostic| told(source, positions, diagnostic, is_flow)).collect();
    if findings.is_empty() {
        findings.push(placed(SYNTAX_ERROR.finding("the file cannot be parsed"), source, (1, 1, 1)));
    }
    findings.sort_by(Finding::order);
    findings
}

fn told(source: &Source, positions: &Positions<'_>, diagnostic: &OxcDiagnostic, is_flow: bool) -> Finding {
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
    let (line, column) = positions.of(start);
    let end_line = positions.last_line(end);
    placed(SYNTAX_ERROR.finding(message), source, (line, column, end_line))
}

fn placed(finding: Finding, source: &Source, (line, column, end_line): (u32, u32, u32)) -> Finding {
    let mut finding = finding.at(line, column, end_line);
    source.path().clone_into(&mut finding.file);
    finding
}
