//! Halstead's counts of a file, and the maintainability index that follows from them.
//!
//! They are taken as radon takes those of Python, so that the ranks of its index mean the same: operators are those of
//! binary and unary expressions and of assignments that compute; operands are what stands beside them, told apart by the
//! function they stand in and by their text.

use std::collections::HashSet;

use super::blocks::TreeMeasures;
use super::nodes::{SyntaxTree, is_comment, named_children, to_count};
use crate::python::metrics::halstead::Halstead;
use crate::python::metrics::maintainability;
use crate::python::metrics::raw::RawLineCounts;

pub(crate) fn count_halstead(tree: &SyntaxTree<'_>) -> Halstead {
    let (mut operators, mut operands) = (HashSet::new(), HashSet::new());
    let mut counts = Halstead::default();
    for node in tree.all_nodes() {
        let Some(operator) = (tree.grammar().halstead_operator)(node) else { continue };
        operators.insert(operator);
        counts.n1 += 1;
        let function = tree.ancestors_of(node).find(|at| tree.is_function(*at)).map(|at| at.id());
        for operand in named_children(node) {
            operands.insert((function, tree.text_of(operand)));
            counts.n2 += 1;
        }
    }
    counts.h1 = to_count(operators.len());
    counts.h2 = to_count(operands.len());
    counts
}

/// 0 to 100, 100 best, by radon's formula.
pub(super) fn index_of_file(text: &str, tree: &SyntaxTree<'_>, measures: &TreeMeasures<'_>) -> f64 {
    let comments = tree.all_nodes().filter(|node| is_comment(*node));
    let raw = RawLineCounts {
        lloc: measures.logical_lines,
        sloc: to_count(text.lines().filter(|line| !line.trim().is_empty()).count()),
        comments: to_count(comments.map(|node| node.end_row() - node.start_row() + 1).sum()),
        ..RawLineCounts::default()
    };
    let complexity = measures.blocks.iter().map(|one| one.block.complexity).sum();
    maintainability::maintainability_index(count_halstead(tree), complexity, &raw)
}
