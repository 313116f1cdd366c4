//! Cognitive complexity, by the rules of G. Ann Campbell's paper "Cognitive Complexity" (2018).
//!
//! One for each break of the linear flow, and one more for each level it is nested in; an `else` costs one wherever it
//! stands; a run of one logical operator costs one. Functions inside add a level, unless they have a name of their own.

use tapps_syntax::nodes::Node;

use super::blocks::{asks_preprocessor, is_else_if};
use super::nodes::{SyntaxTree, field, named_children, operator_of, without_parentheses};
use super::roles::Role;

pub(super) fn cognitive_complexity(tree: &SyntaxTree<'_>, body: Node<'_>) -> u32 {
    let mut sum = 0;
    let mut open: Vec<(usize, u32)> = Vec::new();
    for node in tree.nodes_with_closures_of(body) {
        while open.last().is_some_and(|(end, _)| *end <= node.start_byte() && node.end_byte() > *end) {
            open.pop();
        }
        let level = open.last().map_or(0, |(_, level)| *level);
        if tree.has_role(node, Role::Closure) {
            open.push((node.end_byte(), level + 1));
        } else if is_else_if(tree, node) {
            sum += 1;
        } else if tree.has_role(node, Role::Control) {
            sum += 1 + level;
            open.push((node.end_byte(), level + 1));
        } else if node.kind() == "else" {
            // The `else` of an `else if` is counted with its `if`.
            sum += u32::from(ends_chain(tree, node));
        } else if tree.has_role(node, Role::Jump) {
            sum += 1;
        } else if tree.has_role(node, Role::LabelledJump) {
            sum += u32::from(named_children(node).any(|child| tree.has_role(child, Role::Label)));
        } else if tree.has_role(node, Role::BinaryExpression) {
            sum += u32::from(begins_run(tree, node) && !asks_preprocessor(tree, node));
        }
    }
    sum
}

/// True where no further condition follows.
fn ends_chain(tree: &SyntaxTree<'_>, word: Node<'_>) -> bool {
    let Some(parent) = tree.parent_of(word) else { return false };
    let follows = field(parent, "alternative").or_else(|| named_children(parent).last());
    follows.is_some_and(|alternative| !tree.has_role(alternative, Role::Conditional))
}

/// True for the outermost of several expressions with the same logical operator.
fn begins_run(tree: &SyntaxTree<'_>, node: Node<'_>) -> bool {
    let grammar = tree.grammar();
    let own = operator_of(node);
    if !own.is_some_and(|own| grammar.logical_operators.contains(&own)) {
        return false;
    }
    let around = tree.ancestors_of(node).find(|at| at.kind() != "parenthesized_expression");
    around.is_none_or(|around| {
        !tree.has_role(without_parentheses(around), Role::BinaryExpression) || operator_of(around) != own
    })
}
