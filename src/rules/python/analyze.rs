//! The shape of one Python file.

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{ModModule, PythonVersion};
use ruff_python_parser::Parsed;
use ruff_text_size::{Ranged, TextSize};

use super::blocks::python_blocks;
use super::lines::SourceLines;
use super::metrics::measure_parsed;
use super::{rules, syntax};
use crate::common::not_utf8;
use crate::shape::FileShape;
use crate::suppression;
use crate::suppression::{Comment, Dialect, Suppression};
use tapps_base::source::Source;
use tapps_syntax::python::parse::parse_python;

/// Analyses one file for the Python it is meant for. Never fails: what cannot be read becomes a syntax error.
#[must_use]
pub fn analyze_python(source: &Source, target: PythonVersion) -> FileShape {
    let mut shape = match source.text() {
        Some(text) => analyze_text(text.trim_start_matches('\u{feff}'), target, source.path()),
        None => FileShape { syntax_errors: vec![not_utf8(source)], ..FileShape::default() },
    };
    for finding in shape.findings.iter_mut().chain(&mut shape.syntax_errors) {
        finding.file = source.path().to_owned();
    }
    shape.findings.sort_by(tapps_base::finding::Finding::order);
    shape
}

/// True for a file of which [`analyze_python`] finds no syntax errors.
#[must_use]
pub fn parses(source: &Source, target: PythonVersion) -> bool {
    let Some(text) = source.text() else { return false };
    let text = text.trim_start_matches('\u{feff}');
    let is_whole =
        |parsed: &Parsed<ModModule>| syntax::syntax_error_findings(&SourceLines::new(text), parsed).is_empty();
    parse_python(text, target, is_whole).unwrap_or(false)
}

fn not_utf8(source: &Source) -> tapps_base::finding::Finding {
    let offset = std::str::from_utf8(source.bytes()).map_or_else(|e| e.valid_up_to(), |_| 0);
    let (line, column) = source.position(offset);
    not_utf8::RULE.finding("the file is not valid UTF-8").at(line, column, line)
}

fn analyze_text(text: &str, target: PythonVersion, path: &str) -> FileShape {
    parse_python(text, target, |parsed| shape_of_tree(text, parsed, path)).unwrap_or_else(|why| FileShape {
        syntax_errors: vec![syntax::unparsed_finding(&SourceLines::new(text), why)],
        ..FileShape::default()
    })
}

fn shape_of_tree(text: &str, parsed: &Parsed<ModModule>, path: &str) -> FileShape {
    let lines = SourceLines::new(text);
    let syntax_errors = syntax::syntax_error_findings(&lines, parsed);
    if !syntax_errors.is_empty() {
        return FileShape { syntax_errors, ..FileShape::default() };
    }
    let metrics = measure_parsed(text, parsed.suite(), parsed.tokens());
    let blocks = python_blocks(&lines, &metrics.complexity);
    let view = rules::View { lines: &lines, body: parsed.suite(), tokens: parsed.tokens(), path };
    let findings = rules::run_python_rules(&view);
    FileShape {
        suppressions: python_suppressions(&lines, parsed),
        logical_lines: metrics.raw.lloc,
        maintainability_index: Some(metrics.maintainability_index),
        blocks,
        findings,
        syntax_errors,
    }
}

/// The comments that hide findings. Nearly no file has one, so it is asked first whether there can be any.
fn python_suppressions(lines: &SourceLines<'_>, parsed: &Parsed<ModModule>) -> Vec<Suppression> {
    if !suppression::may_suppress(lines.text()) {
        return Vec::new();
    }
    let code = parsed.suite().first().map_or(TextSize::from(u32::MAX), Ranged::start);
    let mut last_code_line = 0;
    let mut comments = Vec::new();
    for token in parsed.tokens() {
        match token.kind() {
            TokenKind::Comment => {
                let line = lines.line(token.start());
                comments.push(Comment {
                    text: lines.slice(token.range()),
                    start: token.start().to_usize(),
                    line,
                    last_line: line,
                    alone: last_code_line != line,
                    first: token.start() < code,
                });
            }
            kind if kind.is_trivia() => {}
            TokenKind::Newline | TokenKind::Indent | TokenKind::Dedent => {}
            _ => last_code_line = lines.last_line(token.range()),
        }
    }
    suppression::read_comments(comments.into_iter(), Dialect::Python)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: impl AsRef<[u8]>) -> FileShape {
        analyze_python(&Source::new("pkg/a.py", text.as_ref()), (3, 13).into())
    }

    fn syntax_rules(text: impl AsRef<[u8]>) -> Vec<String> {
        shape(text).syntax_errors.into_iter().map(|finding| finding.rule).collect()
    }

    #[rstest::rstest]
    #[case("")]
    #[case("'''Only a docstring.'''\n")]
    #[case("A = 1\nB = 'x'\n")]
    #[case("\u{feff}def f(): pass\n")]
    #[case("def f():\r\n    return 1\r\n")]
    #[case("def f():\r    return 1\r")]
    #[case("import os\n\u{c}\ndef f(): pass\n")]
    #[case("if x:\n\treturn_ = 1\n")]
    #[case("s = '\\ud800'\n")]
    #[case("x = 1")]
    #[case("x = \\\n    1\n")]
    fn unusual_files_are_complete(#[case] text: &str) {
        let shape = shape(text);
        assert_eq!(shape.syntax_errors, []);
        assert_eq!(shape.findings, []);
        assert!(shape.maintainability_index.is_some());
    }

    #[test]
    fn a_byte_order_mark_is_no_column() {
        let shape = shape("\u{feff}def f(): pass\n");
        assert_eq!((shape.blocks[0].line, shape.blocks[0].column), (1, 1));
    }

    #[rstest::rstest]
    #[case(b"x = 1\xff\n".as_slice(), "tapps:not-utf8")]
    #[case(b"x = (\n".as_slice(), "tapps:syntax-error")]
    #[case(b"x = 'a\0'\n".as_slice(), "tapps:syntax-error")]
    #[case(b"if x:\n\ty\n        z\n".as_slice(), "tapps:syntax-error")]
    fn broken_files_say_so(#[case] bytes: &[u8], #[case] rule: &str) {
        let shape = shape(bytes);
        assert_eq!(shape.syntax_errors[0].rule, rule);
        assert_eq!((shape.syntax_errors[0].file.as_str(), shape.maintainability_index), ("pkg/a.py", None));
    }

    #[rstest::rstest]
    #[case("(", ")")]
    #[case("[", "]")]
    #[case("{", "}")]
    #[case("f(", ")")]
    #[case("-", "")]
    #[case("not ", "")]
    #[case("lambda: ", "")]
    #[case("a if b else ", "")]
    #[case("a ** ", "")]
    #[case("[a for a in ", "]")]
    fn ten_thousand_levels_are_a_finding(#[case] open: &str, #[case] close: &str) {
        let text = format!("x = {}1{}\n", open.repeat(10_001), close.repeat(10_001));
        assert_eq!(syntax_rules(text), ["tapps:too-deeply-nested"]);
    }

    #[test]
    fn thousands_of_nested_blocks_are_a_finding() {
        let text: String = (0..5_000).map(|level| format!("{}if x:\n", " ".repeat(level))).collect();
        assert_eq!(syntax_rules(text), ["tapps:too-deeply-nested"]);
    }

    #[rstest::rstest]
    #[case("(", ")", 199)]
    #[case("[[a for a in b] for c in ", "]", 99)]
    #[case("f(lambda: ", ")", 190)]
    #[case("-", "", 9_999)]
    #[case("not ", "", 9_999)]
    #[case("lambda: ", "", 9_999)]
    #[case("a if b else ", "", 4_900)]
    #[case("a ** ", "", 9_999)]
    #[case("a + ", "", 9_999)]
    #[case("a.", "", 9_999)]
    #[case("(", ")", 40)]
    #[case("-", "", 59)]
    #[case("lambda: ", "", 59)]
    fn below_the_limits_everything_is_measured(#[case] open: &str, #[case] close: &str, #[case] times: usize) {
        let text = format!("def f():\n    return {}b{}\n", open.repeat(times), close.repeat(times));
        let shape = shape(&text);
        assert_eq!(shape.syntax_errors, []);
        assert_eq!(shape.blocks.len(), 1);
    }

    #[test]
    fn big_files_are_measured() {
        let dict = format!("x = {{{}}}\n", (0..90_000).map(|n| format!("'k{n}': {n}, ")).collect::<String>());
        assert!(dict.len() > 1_000_000);
        assert_eq!(shape(&dict).logical_lines, 2);
        let long = "def f(a):\n    return a\n".repeat(10_000);
        assert_eq!((shape(&long).blocks.len(), shape(&long).logical_lines), (10_000, 20_000));
        let chain = format!("if x: y\n{}", "elif x: y\n".repeat(5_000));
        assert_eq!(shape(&chain).syntax_errors, []);
    }

    #[test]
    fn the_same_bytes_give_the_same_shape() {
        let text = "\
def f(xs):
    for x in xs:
        for y in xs:
            re.compile('a')
    return 1
    g()
";
        let rules: Vec<String> = shape(text).findings.iter().map(|f| format!("{}:{}", f.rule, f.line)).collect();
        assert_eq!(rules, ["tapps:nested-loop:3", "tapps:repeated-compile:4", "tapps:unreachable-code:6"]);
        assert_eq!(shape(text), shape(text));
    }
}
