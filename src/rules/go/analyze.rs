//! From the bytes of a Go file to its shape.

use tapps_syntax::tree::Node;

use super::blocks::{GoMeasures, measure_go_blocks, offset_of};
use super::context::GoContext;
use super::halstead::index_of_file;
use super::rules::run_go_rules;
use super::tree::{GoTree, MAX_DEPTH};
use crate::common::{not_utf8, syntax_error, too_deeply_nested};
use crate::shape::FileShape;
use crate::suppression::{self, Comment, Dialect, Suppression};
use tapps_base::finding::Finding;
use tapps_base::language::Language;
use tapps_base::source::Source;
use tapps_syntax::script::positions::Positions;
use tapps_syntax::tree::{describe_syntax_error, first_syntax_error, parse_syntax_tree};

/// Measures a Go file.
///
/// `logical_lines` counts statements, and declarations of functions, types, fields, constants and imports. A file that does
/// not parse has `syntax_errors` and nothing else.
#[must_use]
pub fn analyze_go(source: &Source) -> FileShape {
    let Some(text) = source.text() else {
        let valid = std::str::from_utf8(source.bytes()).map_or_else(|error| error.valid_up_to(), str::len);
        let place = source.position(valid);
        return unscored_shape(not_utf8::RULE.finding("the file is not UTF-8 from here on"), source, place);
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let positions = Positions::new(text);
    let place_of = |byte: usize| positions.line_and_column(offset_of(byte));
    let parsed = match parse_syntax_tree(Language::Go, text) {
        Ok(parsed) => parsed,
        Err(why) => return unscored_shape(syntax_error::RULE.finding(why.reason()), source, (1, 1)),
    };
    if let Some(error) = first_syntax_error(parsed.root_node()) {
        let finding = syntax_error::RULE.finding(describe_syntax_error(error));
        return unscored_shape(finding, source, place_of(error.start_byte()));
    }
    let tree = match GoTree::from_root(text, parsed.root_node()) {
        Ok(tree) => tree,
        Err(byte) => {
            let finding = too_deeply_nested::RULE.finding(format!("nested deeper than {MAX_DEPTH} levels of syntax"));
            return unscored_shape(finding, source, place_of(byte));
        }
    };
    shape_of_go_tree(source, text, &tree, &positions)
}

fn unscored_shape(finding: Finding, source: &Source, (line, column): (u32, u32)) -> FileShape {
    let mut finding = finding.at(line, column, line);
    source.path().clone_into(&mut finding.file);
    FileShape { syntax_errors: vec![finding], ..FileShape::default() }
}

fn shape_of_go_tree(source: &Source, text: &str, tree: &GoTree<'_>, positions: &Positions<'_>) -> FileShape {
    let measures = measure_go_blocks(tree, positions);
    let GoMeasures { logical_lines, .. } = measures;
    let index = index_of_file(text, tree, &measures);
    let blocks = measures.blocks.iter().map(|one| one.block.clone()).collect();
    let suppressions = go_suppressions(text, tree, positions);
    let findings = run_go_rules(&GoContext::new(source, tree, positions, measures));
    FileShape {
        blocks,
        logical_lines,
        maintainability_index: Some(index),
        findings,
        suppressions,
        syntax_errors: Vec::new(),
    }
}

/// The comments that hide findings of other checkers. Nearly no file has one, so it is asked first whether there can be any.
fn go_suppressions(text: &str, tree: &GoTree<'_>, positions: &Positions<'_>) -> Vec<Suppression> {
    if !suppression::may_suppress(text) {
        return Vec::new();
    }
    let code =
        tree.all_nodes().find(|node| node.kind() == "package_clause").map_or(usize::MAX, |node| node.start_byte());
    let to_comment = |node: Node<'_>| {
        let start = node.start_byte();
        let before = text.get(..start).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Comment {
            text: text.get(node.byte_range()).unwrap_or_default(),
            start,
            line: positions.line_and_column(offset_of(start)).0,
            last_line: positions.last_line(offset_of(node.end_byte())),
            alone: before.get(line_start..).is_some_and(|before| before.trim().is_empty()),
            first: start < code,
        }
    };
    let comments = tree.all_nodes().filter(|node| node.kind() == "comment").map(to_comment);
    suppression::read_comments(comments, Dialect::Go)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> FileShape {
        analyze_go(&Source::new("a.go", text.as_bytes()))
    }

    #[test]
    fn errors_stop_the_score_and_say_where() {
        for (text, line) in
            [("package a\nfunc f() { x := }\n", 2), ("package a\n\nfunc f( {\n}\n", 3), ("hello there", 1)]
        {
            let shape = shape(text);
            assert_eq!(shape.syntax_errors.len(), 1, "{text}");
            assert_eq!(
                (shape.syntax_errors[0].rule.as_str(), shape.syntax_errors[0].line),
                ("tapps:syntax-error", line)
            );
            assert!(shape.blocks.is_empty() && shape.findings.is_empty());
        }
        let bytes = analyze_go(&Source::new("a.go", &b"package a // \xff"[..]));
        assert_eq!(bytes.syntax_errors[0].rule, "tapps:not-utf8");
    }

    #[test]
    fn depth_is_bounded() {
        let nested = format!("package a\nvar x = {}1{}\n", "(".repeat(20_000), ")".repeat(20_000));
        assert_eq!(shape(&nested).syntax_errors[0].rule, "tapps:too-deeply-nested");
        let long = format!("package a\nvar x = {}1\n", "1 + ".repeat(3_000));
        assert_eq!(shape(&long).syntax_errors, []);
    }

    #[test]
    fn a_small_file_is_maintainable() {
        let index = shape("package a\n\nfunc f(a, b int) int { return a + b }\n").maintainability_index;
        assert!(index.is_some_and(|index| index > 60.0), "{index:?}");
    }

    #[test]
    fn comments_to_other_checkers_are_listed() {
        let text =
            "package a\n\nfunc f() {\n\tg() //nolint:errcheck // the result is of no use\n\th() // #nosec G204\n}\n";
        let told: Vec<String> = shape(text).suppressions.iter().map(Suppression::describe).collect();
        assert_eq!(told, ["line 4: nolint errcheck: the result is of no use", "line 5: nosec G204"]);
    }
}
