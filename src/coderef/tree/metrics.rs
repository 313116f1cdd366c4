//! Complexity of a function, counted on the syntax tree alike for all languages.

use tree_sitter::Node;

use crate::model::ElementMetrics;
use tapps_syntax::tree::node_text;

/// Counts a function's own body; closures in it belong to it.
pub(super) fn metrics(source: &str, node: Node<'_>) -> ElementMetrics {
    let mut count = TreeSitterMetricsCounter { source, cyclomatic: 1, cognitive: 0, nesting: 0 };
    if let Some(body) = node.child_by_field_name("body") {
        count.walk(body, 0, 0);
    }
    let rows = node.end_position().row - node.start_position().row;
    ElementMetrics {
        cyclomatic: count.cyclomatic,
        cyclomatic_total: count.cyclomatic,
        cognitive: count.cognitive,
        nesting: count.nesting,
        parameters: parameters(node),
        lines: u32::try_from(rows + 1).unwrap_or(u32::MAX),
    }
}

fn parameters(node: Node<'_>) -> u32 {
    let mut at = Some(node);
    while let Some(holder) = at {
        if let Some(list) = holder.child_by_field_name("parameters") {
            let each = (0..list.child_count()).filter_map(|at| list.child(at));
            let named = each.filter(|child| {
                child.is_named() && !child.kind().contains("comment") && child.kind() != "self_parameter"
            });
            return u32::try_from(named.count()).unwrap_or(u32::MAX);
        }
        at = holder.child_by_field_name("declarator");
    }
    0
}

/// Levels of syntax that are looked into.
const DEEPEST: u32 = 500;

struct TreeSitterMetricsCounter<'a> {
    source: &'a str,
    cyclomatic: u32,
    cognitive: u32,
    nesting: u32,
}

impl TreeSitterMetricsCounter<'_> {
    fn walk(&mut self, node: Node<'_>, nesting: u32, depth: u32) {
        if depth > DEEPEST {
            return;
        }
        for child in (0..node.child_count()).filter_map(|at| node.child(at)) {
            let branch = is_branch(child);
            let continued = child.kind().starts_with("if_")
                && matches!(node.kind(), "else_clause" | "if_statement" | "if_expression")
                && node.child_by_field_name("condition") != Some(child)
                && is_else(node, child);
            let nests = branch
                || matches!(
                    child.kind(),
                    "switch_statement"
                        | "switch_expression"
                        | "match_expression"
                        | "expression_switch_statement"
                        | "type_switch_statement"
                        | "select_statement"
                );
            let inner = nesting + u32::from(nests && !continued && !is_case(child));
            if branch {
                self.cyclomatic += 1;
            }
            if nests && !is_case(child) {
                self.cognitive += if continued { 1 } else { 1 + nesting };
            }
            if is_operator(child, self.source) {
                self.cyclomatic += 1;
                self.cognitive += u32::from(
                    !node.kind().starts_with("binary") || operator(node, self.source) != operator(child, self.source),
                );
            }
            self.nesting = self.nesting.max(inner);
            self.walk(child, inner, depth + 1);
        }
    }
}

fn is_else(holder: Node<'_>, child: Node<'_>) -> bool {
    holder.kind() == "else_clause" || holder.child_by_field_name("alternative") == Some(child)
}

fn is_case(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "match_arm"
            | "case_statement"
            | "expression_case"
            | "type_case"
            | "communication_case"
            | "switch_block_statement_group"
            | "switch_rule"
    )
}

fn is_branch(node: Node<'_>) -> bool {
    match node.kind() {
        "if_expression"
        | "if_statement"
        | "while_expression"
        | "while_statement"
        | "for_expression"
        | "for_statement"
        | "for_range_loop"
        | "enhanced_for_statement"
        | "do_statement"
        | "loop_expression"
        | "catch_clause"
        | "ternary_expression"
        | "conditional_expression"
        | "elif_clause"
        | "c_style_for_statement" => true,
        "case_item" => true,
        "match_arm" => node.child_by_field_name("pattern").is_some_and(|pattern| {
            pattern.child_count() != 1 || pattern.child(0).is_some_and(|only| only.kind() != "_")
        }),
        "case_statement" => node.child_by_field_name("value").is_some(),
        "expression_case" | "type_case" | "communication_case" => true,
        "switch_block_statement_group" | "switch_rule" => {
            node.child(0).and_then(|label| label.child(0)).is_some_and(|word| word.kind() == "case")
        }
        _ => false,
    }
}

fn operator<'a>(node: Node<'_>, source: &'a str) -> &'a str {
    node.child_by_field_name("operator").map_or("", |operator| node_text(source, operator))
}

fn is_operator(node: Node<'_>, source: &str) -> bool {
    node.kind().starts_with("binary") && matches!(operator(node, source), "&&" | "||")
}
