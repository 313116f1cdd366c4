//! The shape of one Python file.

use ruff_python_ast::PythonVersion;

use super::blocks::blocks;
use super::depth::{Depth, STACK_BYTES, depth};
use super::lines::Lines;
use super::metrics::measure;
use super::{rules, syntax};
use crate::base::source::Source;
use crate::quality::shape::Shape;

/// Analyses one file for the Python it is meant for. Never fails: what cannot be read becomes a syntax error.
#[must_use]
pub fn analyze(source: &Source, target: PythonVersion) -> Shape {
    let mut shape = match source.text() {
        Some(text) => analyze_text(text.trim_start_matches('\u{feff}'), target, source.path()),
        None => Shape { syntax_errors: vec![not_utf8(source)], ..Shape::default() },
    };
    for finding in shape.findings.iter_mut().chain(&mut shape.syntax_errors) {
        finding.file = source.path().to_owned();
    }
    shape.findings.sort_by(crate::base::finding::Finding::order);
    shape
}

fn not_utf8(source: &Source) -> crate::base::finding::Finding {
    let offset = std::str::from_utf8(source.bytes()).map_or_else(|e| e.valid_up_to(), |_| 0);
    let (line, column) = source.position(offset);
    syntax::NOT_UTF8.finding("the file is not valid UTF-8").at(line, column, line)
}

fn analyze_text(text: &str, target: PythonVersion, path: &str) -> Shape {
    match depth(text) {
        Depth::Shallow => read(text, target, path),
        Depth::Deep => on_a_deep_stack(|| read(text, target, path)).unwrap_or_else(|| too_deep(text)),
        Depth::Excessive(excess) => {
            Shape { syntax_errors: vec![syntax::too_deep(&Lines::new(text), excess)], ..Shape::default() }
        }
    }
}

/// The answer when the system grants no stack for a deep text.
fn too_deep(text: &str) -> Shape {
    let excess =
        super::depth::Excess { offset: 0.into(), what: "links in one expression", limit: super::depth::MAX_LINKS };
    Shape { syntax_errors: vec![syntax::too_deep(&Lines::new(text), excess)], ..Shape::default() }
}

/// Runs `work` on a thread whose stack suffices for every text that [`depth`] calls deep.
fn on_a_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("deep-python".to_owned()).stack_size(STACK_BYTES);
        builder.spawn_scoped(scope, work).ok().and_then(|thread| thread.join().ok())
    })
}

fn read(text: &str, target: PythonVersion, path: &str) -> Shape {
    let lines = Lines::new(text);
    let Some(parsed) = syntax::parse(text, target) else { return Shape::default() };
    let syntax_errors = syntax::errors(&lines, &parsed);
    if !syntax_errors.is_empty() {
        return Shape { syntax_errors, ..Shape::default() };
    }
    let metrics = measure(text, parsed.suite(), parsed.tokens());
    let blocks = blocks(&lines, &metrics.complexity);
    let view = rules::View { lines: &lines, body: parsed.suite(), tokens: parsed.tokens(), path };
    let findings = rules::check(&view);
    Shape {
        logical_lines: metrics.raw.lloc,
        maintainability_index: Some(metrics.maintainability_index),
        blocks,
        findings,
        syntax_errors,
    }
}
