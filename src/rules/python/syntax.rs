//! Reading a text into a tree, or saying why it cannot be read.

use ruff_python_ast::ModModule;
use ruff_python_parser::Parsed;
use ruff_text_size::TextSize;

use super::lines::SourceLines;
use crate::common::{syntax_error, too_deeply_nested};
use tapps_base::finding::Finding;
use tapps_syntax::python::parse::Unparsed;

/// At most so many errors are listed of one file; after the first few, one is mostly the consequence of another.
const MOST: usize = 10;

/// The errors of a parsed module in source order, at most ten.
#[must_use]
pub fn syntax_error_findings(lines: &SourceLines, parsed: &Parsed<ModModule>) -> Vec<Finding> {
    let mut found: Vec<(TextSize, TextSize, String)> = Vec::new();
    for error in parsed.errors() {
        found.push((error.location.start(), error.location.end(), error.error.to_string()));
    }
    for error in parsed.unsupported_syntax_errors() {
        found.push((error.range.start(), error.range.end(), error.to_string()));
    }
    if let Some(at) = nul(lines.text()) {
        found.push((at, at, "a NUL byte cannot stand in Python source".to_owned()));
    }
    found.sort();
    found.dedup_by_key(|(start, _, _)| *start);
    found.truncate(MOST);
    found
        .into_iter()
        .map(|(start, end, message)| {
            let end_line = lines.line(end.max(start));
            syntax_error::RULE.finding(message).at(lines.line(start), lines.column(start), end_line)
        })
        .collect()
}

fn nul(text: &str) -> Option<TextSize> {
    TextSize::try_from(text.find('\0')?).ok()
}

/// The finding for a text that has no tree.
#[must_use]
pub fn unparsed_finding(lines: &SourceLines, why: Unparsed) -> Finding {
    let rule = match why {
        Unparsed::TooDeep(_) | Unparsed::NoStack => &too_deeply_nested::RULE,
        Unparsed::NoModule => &syntax_error::RULE,
    };
    let (line, column) = (lines.line(why.offset()), lines.column(why.offset()));
    rule.finding(why.reason()).at(line, column, line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_syntax::python::parse::parse_python;

    fn shown(text: &str, target: (u8, u8)) -> Vec<(u32, u32, String)> {
        let found =
            parse_python(text, target.into(), |parsed| syntax_error_findings(&SourceLines::new(text), parsed)).unwrap();
        found.into_iter().map(|f| (f.line, f.column, f.message)).collect()
    }

    #[test]
    fn places_are_code_points() {
        let found = shown("é = 1\nüü = = 2\n", (3, 13));
        assert_eq!((found[0].0, found[0].1), (2, 6));
    }

    #[test]
    fn newer_syntax_names_its_version() {
        let text = "match x:\n    case 1: pass\n";
        let found = shown(text, (3, 9));
        assert_eq!((found[0].0, found.len()), (1, 1));
        assert!(found[0].2.contains("3.9") && found[0].2.contains("3.10"), "{}", found[0].2);
        assert!(shown(text, (3, 10)).is_empty());
        assert!(shown("type X = int\n", (3, 11))[0].2.contains("3.12"));
    }

    #[rstest::rstest]
    #[case("x = 1\0\n")]
    #[case("x = 1 # a\0b\n")]
    #[case("x = 'a\0b'\n")]
    #[case("\0")]
    fn nul_bytes_are_errors(#[case] text: &str) {
        assert!(!shown(text, (3, 13)).is_empty());
    }

    #[test]
    fn a_wholly_broken_file_is_listed_in_brief() {
        assert_eq!(shown(&"x = = 1\n".repeat(1000), (3, 13)).len(), MOST);
    }
}
