//! From the bytes of a file to its shape.

use tapps_syntax::nodes::{Node, NodeRow};

use super::blocks::{TreeMeasures, measure_blocks, offset_of};
use super::context::TreeContext;
use super::grammar::TreeLanguage;
use super::halstead::index_of_file;
use super::nodes::{MAX_DEPTH, SyntaxTree, is_comment};
use crate::common::{not_utf8, syntax_error, too_deeply_nested};
use crate::shape::FileShape;
use crate::suppression::{self, Comment, Dialect, Suppression};
use tapps_base::finding::Finding;
use tapps_base::source::Source;
use tapps_syntax::script::positions::Positions;
use tapps_syntax::tree::{ParsedText, describe_syntax_error, first_syntax_error};

/// Measures a file, and runs the rules of its language.
///
/// `logical_lines` counts statements, and the declarations that the grammar's table names. A file that does not parse has
/// `syntax_errors` and nothing else.
pub(crate) fn analyze_tree_language<L: TreeLanguage>(source: &Source) -> FileShape {
    let Some(text) = source.text() else {
        let valid = std::str::from_utf8(source.bytes()).map_or_else(|error| error.valid_up_to(), str::len);
        let place = source.position(valid);
        return unscored_shape(not_utf8::RULE.finding("the file is not UTF-8 from here on"), source, place);
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let positions = Positions::new(text);
    let place_of = |byte: usize| positions.line_and_column(offset_of(byte));
    let parsed = match (L::grammar().parse)(source.path(), text) {
        Ok(parsed) => parsed,
        Err(why) => return unscored_shape(syntax_error::RULE.finding(why.reason()), source, (1, 1)),
    };
    if L::grammar().knows_whole_language
        && let Some(error) = first_syntax_error(parsed.tree.root_node())
    {
        let finding = syntax_error::RULE.finding(describe_syntax_error(error));
        return unscored_shape(finding, source, place_of(error.start_byte()));
    }
    let row = match NodeRow::from_parsed(&parsed, MAX_DEPTH) {
        Ok(row) => row,
        Err(byte) => {
            let finding = too_deeply_nested::RULE.finding(format!("nested deeper than {MAX_DEPTH} levels of syntax"));
            return unscored_shape(finding, source, place_of(byte));
        }
    };
    let ParsedText { tree, unread_branches, .. } = parsed;
    // All that is asked of it stands in the row.
    drop(tree);
    let tree = SyntaxTree::of_row(L::grammar(), text, &row);
    shape_of_tree::<L>(source, &unread_branches, &tree, &positions)
}

fn unscored_shape(finding: Finding, source: &Source, (line, column): (u32, u32)) -> FileShape {
    let mut finding = finding.at(line, column, line);
    source.path().clone_into(&mut finding.file);
    FileShape { syntax_errors: vec![finding], ..FileShape::default() }
}

fn shape_of_tree<L: TreeLanguage>(
    source: &Source,
    unread_branches: &[usize],
    tree: &SyntaxTree<'_>,
    positions: &Positions<'_>,
) -> FileShape {
    let text = tree.source_text();
    let measures = measure_blocks(tree, positions, unread_branches);
    let TreeMeasures { logical_lines, .. } = measures;
    let index = index_of_file(text, tree, &measures);
    let blocks = measures.blocks.iter().map(|one| one.block.clone()).collect();
    let in_comments = comments_to_checkers(text, tree, positions, L::grammar().dialect);
    let context = TreeContext::<L>::new(source, tree, positions, measures, in_comments);
    let findings = L::rules().run(&context);
    let in_attributes = L::read_attributes(&context);
    let mut suppressions = context.suppressions;
    suppressions.extend(in_attributes);
    suppressions.sort_by_key(|one| one.bytes.start);
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
fn comments_to_checkers(
    text: &str,
    tree: &SyntaxTree<'_>,
    positions: &Positions<'_>,
    dialect: Dialect,
) -> Vec<Suppression> {
    if !suppression::may_suppress(text) {
        return Vec::new();
    }
    let code = tree.all_nodes().skip(1).find(|node| !is_comment(*node)).map_or(usize::MAX, |node| node.start_byte());
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
    let comments = tree.all_nodes().filter(|node| is_comment(*node)).map(to_comment);
    suppression::read_comments(comments, dialect)
}
