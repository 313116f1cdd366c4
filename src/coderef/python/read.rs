//! From the text of one Python file to its elements and facts.

use ruff_python_ast::visitor::Visitor as _;
use ruff_python_ast::{ModModule, PythonVersion};
use ruff_python_parser::Parsed;

use super::facts::PythonFacts;
use super::head::TokenizedCode;
use super::walk::{PythonFileWalker, complexity_by_offset};
use crate::family;
use crate::family::{FileRole, ParsedFile};
use crate::model::{Element, ElementKind, Parse};
use tapps_syntax::python::complexity::measure_complexity;
use tapps_syntax::python::entry::is_entry;
use tapps_syntax::python::lines::SourceLines;
use tapps_syntax::python::parse::parse_python;

/// Reads one file; what the parser could make sense of is there even when it reports errors.
#[must_use]
pub fn parse_python_file(_path: &str, text: &str) -> ParsedFile {
    let code = text.strip_prefix('\u{feff}').unwrap_or(text);
    let shift = u32::try_from(text.len() - code.len()).unwrap_or_default();
    let read = parse_python(code, PythonVersion::latest(), |parsed| reading_of_tree(code, parsed, shift));
    read.unwrap_or_else(|why| ParsedFile {
        parse: Parse::Skipped { reason: why.reason() },
        lines: u32::try_from(code.lines().count()).unwrap_or(u32::MAX),
        role: FileRole::default(),
        elements: Vec::new(),
        facts: family::LanguageFacts::None,
    })
}

fn reading_of_tree(text: &str, parsed: &Parsed<ModModule>, shift: u32) -> ParsedFile {
    let lines = SourceLines::new(text);
    let count = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
    let parse = parsed.errors().iter().min_by_key(|error| error.location.start()).map_or(Parse::Whole, |error| {
        Parse::Broken { line: lines.line(error.location.start()), message: error.error.to_string() }
    });
    let metrics = complexity_by_offset(&measure_complexity(text, parsed.suite()));
    let mut walk = PythonFileWalker::new(TokenizedCode { text, tokens: parsed.tokens() }, &lines, shift, metrics);
    walk.visit_body(parsed.suite());
    walk.apply_all();
    walk.facts.prepare_for_linking(std::mem::take(&mut walk.assigned));
    walk.elements.shrink_to_fit();
    let role = FileRole {
        test: is_test(&walk.elements, &walk.facts),
        cases: walk.elements.iter().any(|element| is_case(element, "test") || element.name == "runTest"),
        runs: parsed.suite().iter().any(is_entry),
    };
    ParsedFile {
        parse,
        lines: count,
        role,
        elements: walk.elements,
        facts: family::LanguageFacts::Python(Box::new(walk.facts)),
    }
}

/// By its content a file of tests: it has tests and a library that runs them.
fn is_test(elements: &[Element], facts: &PythonFacts) -> bool {
    let runner = facts.imports.iter().any(|import| {
        matches!(import.module.split('.').next(), Some("pytest" | "unittest"))
            || import.names.iter().any(|name| name.name.ends_with("TestCase"))
    });
    runner && elements.iter().any(|element| is_case(element, "test_"))
}

fn is_case(element: &Element, prefix: &str) -> bool {
    matches!(element.kind, ElementKind::Function | ElementKind::Method) && element.name.starts_with(prefix)
}
