//! Halstead's counts of a Go file, and the maintainability index that follows from them.
//!
//! They are taken as radon takes those of Python, so that the ranks of its index mean the same: operators are those of
//! binary and unary expressions and of assignments that compute; operands are what stands beside them, told apart by the
//! function they stand in and by their text.

use std::collections::HashSet;

use super::blocks::GoMeasures;
use super::tree::{GoTree, field, is_function, named_children};
use crate::python::metrics::halstead::Halstead;
use crate::python::metrics::maintainability;
use crate::python::metrics::raw::RawLineCounts;

pub(super) fn count_halstead(tree: &GoTree<'_>) -> Halstead {
    let (mut operators, mut operands) = (HashSet::new(), HashSet::new());
    let mut counts = Halstead::default();
    for node in tree.all_nodes() {
        let unary = node.kind() == "unary_expression";
        let operator = match node.kind() {
            "binary_expression" | "unary_expression" | "assignment_statement" => {
                field(node, "operator").map(|it| it.kind())
            }
            "inc_statement" => Some("++"),
            "dec_statement" => Some("--"),
            _ => None,
        };
        let Some(operator) = operator.filter(|operator| *operator != "=") else { continue };
        operators.insert((operator, unary));
        counts.n1 += 1;
        let function = tree.ancestors_of(node).find(|at| is_function(*at)).map(|at| at.id());
        for operand in named_children(node) {
            operands.insert((function, tree.text_of(operand)));
            counts.n2 += 1;
        }
    }
    counts.h1 = u32::try_from(operators.len()).unwrap_or(u32::MAX);
    counts.h2 = u32::try_from(operands.len()).unwrap_or(u32::MAX);
    counts
}

/// 0 to 100, 100 best, by radon's formula.
pub(super) fn index_of_file(text: &str, tree: &GoTree<'_>, measures: &GoMeasures<'_>) -> f64 {
    let comments = tree.all_nodes().filter(|node| node.kind() == "comment");
    let lines_of = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let raw = RawLineCounts {
        lloc: measures.logical_lines,
        sloc: lines_of(text.lines().filter(|line| !line.trim().is_empty()).count()),
        comments: lines_of(comments.map(|node| node.end_position().row - node.start_position().row + 1).sum()),
        ..RawLineCounts::default()
    };
    let complexity = measures.blocks.iter().map(|one| one.block.complexity).sum();
    maintainability::maintainability_index(count_halstead(tree), complexity, &raw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_base::language::Language;
    use tapps_syntax::tree::parse_syntax_tree;

    #[rstest::rstest]
    #[case("", [0, 0, 0, 0])]
    #[case("x := a + b", [1, 2, 1, 2])]
    #[case("x += -1\ny := x - 1", [3, 3, 3, 5])]
    #[case("x++\ny = x", [1, 1, 1, 1])]
    #[case("if !a && b {\n}", [2, 3, 2, 3])]
    fn counts(#[case] body: &str, #[case] expected: [u32; 4]) {
        let text = format!("package a\nfunc f() {{\n{body}\n}}\n");
        let parsed = parse_syntax_tree(Language::Go, &text).unwrap();
        let tree = GoTree::from_root(&text, parsed.root_node()).unwrap();
        let Halstead { h1, h2, n1, n2 } = count_halstead(&tree);
        assert_eq!([h1, h2, n1, n2], expected, "{body}");
    }
}
