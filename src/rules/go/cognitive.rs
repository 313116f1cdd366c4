//! Cognitive complexity, by the rules of G. Ann Campbell's paper "Cognitive Complexity" (2018).
//!
//! One for each break of the linear flow, and one more for each level it is nested in; an `else` costs one wherever it
//! stands; a run of one logical operator costs one. Functions inside add a level.

use tapps_syntax::tree::Node;

use super::blocks::{is_control, is_else_if};
use super::tree::{GoTree, field, without_parentheses};

pub(super) fn cognitive_complexity(tree: &GoTree<'_>, body: Node<'_>) -> u32 {
    let mut sum = 0;
    let mut open: Vec<(usize, u32)> = Vec::new();
    for node in tree.subtree_of(body) {
        while open.last().is_some_and(|(end, _)| *end <= node.start_byte() && node.end_byte() > *end) {
            open.pop();
        }
        let level = open.last().map_or(0, |(_, level)| *level);
        match node.kind() {
            "func_literal" => open.push((node.end_byte(), level + 1)),
            "if_statement" if is_else_if(tree, node) => sum += 1,
            _ if is_control(node) => {
                sum += 1 + level;
                open.push((node.end_byte(), level + 1));
            }
            // The `else` of an `else if` is counted with its `if`.
            "else" => sum += u32::from(ends_chain(tree, node)),
            "goto_statement" => sum += 1,
            "break_statement" | "continue_statement" => sum += u32::from(node.named_child_count() > 0),
            "binary_expression" => sum += u32::from(begins_run(tree, node)),
            _ => {}
        }
    }
    sum
}

fn ends_chain(tree: &GoTree<'_>, word: Node<'_>) -> bool {
    let holder = tree.parent_of(word).and_then(|parent| field(parent, "alternative"));
    holder.is_some_and(|alternative| alternative.kind() == "block")
}

/// True for the outermost of several expressions with the same logical operator.
fn begins_run(tree: &GoTree<'_>, node: Node<'_>) -> bool {
    let own = operator_of(node);
    if !matches!(own, Some("&&" | "||")) {
        return false;
    }
    let around = tree.ancestors_of(node).find(|at| at.kind() != "parenthesized_expression");
    around.is_none_or(|around| without_parentheses(around).kind() != "binary_expression" || operator_of(around) != own)
}

fn operator_of<'t>(node: Node<'t>) -> Option<&'t str> {
    field(node, "operator").map(|operator| operator.kind())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_base::language::Language;
    use tapps_syntax::tree::parse_syntax_tree;

    #[rstest::rstest]
    #[case("a()", 0)]
    #[case("if a { b() }", 1)]
    #[case("if a { b() } else if c { d() } else { e() }", 3)]
    #[case("for { if a { b() } }", 3)]
    #[case("switch a { case 1: b(); case 2: if c { d() } }", 3)]
    #[case("if a && b && c || d { e() }", 3)]
    #[case("f(func() { if a { b() } })", 2)]
    #[case("outer: for { for { continue outer } }", 4)]
    fn sums(#[case] body: &str, #[case] expected: u32) {
        let text = format!("package a\nfunc f() {{ {body} }}\n");
        let parsed = parse_syntax_tree(Language::Go, &text).unwrap();
        let tree = GoTree::from_root(&text, parsed.root_node()).unwrap();
        assert_eq!(cognitive_complexity(&tree, parsed.root_node()), expected, "{body}");
    }
}
