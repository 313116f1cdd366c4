//! Functions and methods with their measurements.
//!
//! Complexity is one for the function, and one for each branch and each logical operator of the grammar's table. A function
//! that is written as a value counts for the one around it; one with a name is a block of its own.

use tapps_syntax::nodes::Node;

use super::cognitive::cognitive_complexity;
use super::nodes::{SyntaxTree, field, operator_of, to_count};
use super::roles::Role;
use crate::shape::BlockMetrics;
use tapps_syntax::script::positions::Positions;

/// One function and what is known about it beyond [`BlockMetrics`].
#[derive(Debug)]
pub(crate) struct MeasuredBlock<'t> {
    pub(crate) block: BlockMetrics,
    pub(crate) node: Node<'t>,
    /// Statements of its own, without those of functions inside.
    pub(crate) statements: u32,
    pub(crate) cognitive: u32,
}

/// The measurements of a file.
#[derive(Debug)]
pub(crate) struct TreeMeasures<'t> {
    pub(crate) blocks: Vec<MeasuredBlock<'t>>,
    /// Statements and declarations of the whole file.
    pub(crate) logical_lines: u32,
}

/// `unread_branches` are places of branches that the text has and the tree lacks.
pub(super) fn measure_blocks<'t>(
    tree: &SyntaxTree<'t>,
    positions: &Positions<'_>,
    unread_branches: &[usize],
) -> TreeMeasures<'t> {
    let grammar = tree.grammar();
    let is_statement = |node: Node<'t>| (grammar.is_statement)(tree, node);
    let mut blocks = Vec::new();
    let mut logical_lines = 0;
    for node in tree.all_nodes() {
        logical_lines += u32::from(is_statement(node) || tree.has_role(node, Role::Declaration));
        let Some((name, kind)) = tree.is_function(node).then(|| (grammar.block_name)(tree, node)).flatten() else {
            continue;
        };
        // What stands in no function has no body but the file.
        let is_file = tree.parent_of(node).is_none();
        let Some(body) = field(node, "body").or(is_file.then_some(node)) else { continue };
        let branches = tree.nodes_with_closures_of(body).filter(|at| is_branch(tree, *at)).count();
        let unread = unread_branches.iter().filter(|at| body.byte_range().contains(*at)).count();
        let own = tree.own_nodes_of(body).filter(|at| is_statement(*at)).count();
        let (line, column) = positions.line_and_column(offset_of(node.start_byte()));
        let block = BlockMetrics {
            name,
            kind,
            line,
            column,
            end_line: positions.last_line(offset_of(node.end_byte())),
            complexity: to_count(branches + unread) + 1,
            nesting: deepest_nesting(tree, body),
            parameters: (grammar.count_parameters)(tree, node),
        };
        let cognitive = cognitive_complexity(tree, body);
        blocks.push(MeasuredBlock { block, node, statements: to_count(own), cognitive });
    }
    TreeMeasures { blocks, logical_lines }
}

/// Offsets as positions take them; no file that is read is larger.
pub(super) fn offset_of(byte: usize) -> u32 {
    u32::try_from(byte).unwrap_or(u32::MAX)
}

/// True for one more path through a function.
fn is_branch<'t>(tree: &SyntaxTree<'t>, node: Node<'t>) -> bool {
    let grammar = tree.grammar();
    tree.has_role(node, Role::Branch)
        || tree.has_role(node, Role::BinaryExpression)
            && operator_of(node).is_some_and(|it| grammar.logical_operators.contains(&it))
            && !asks_preprocessor(tree, node)
        || (grammar.is_further_branch)(tree, node)
}

/// True in the condition of a directive.
pub(super) fn asks_preprocessor(tree: &SyntaxTree<'_>, node: Node<'_>) -> bool {
    let around = || tree.ancestors_of(node).find(|at| tree.has_role(*at, Role::Directive));
    let condition =
        (!tree.grammar().directives.is_empty()).then(around).flatten().and_then(|at| field(at, "condition"));
    condition.is_some_and(|condition| condition.byte_range().contains(&node.start_byte()))
}

/// True for an `if` that follows an `else`: as the alternative of another one, or in the clause that holds it.
pub(super) fn is_else_if(tree: &SyntaxTree<'_>, node: Node<'_>) -> bool {
    tree.has_role(node, Role::Conditional)
        && tree.parent_of(node).is_some_and(|parent| {
            parent.kind() == "else_clause"
                || tree.has_role(parent, Role::Conditional)
                    && field(parent, "alternative").is_some_and(|it| it.id() == node.id())
        })
}

/// Levels of control flow at the deepest place; functions inside begin anew.
fn deepest_nesting(tree: &SyntaxTree<'_>, body: Node<'_>) -> u32 {
    let mut open: Vec<(usize, u32)> = Vec::new();
    let mut deepest = 0;
    for node in tree.nodes_with_closures_of(body) {
        while open.last().is_some_and(|(end, _)| *end <= node.start_byte() && node.end_byte() > *end) {
            open.pop();
        }
        let level = open.last().map_or(0, |(_, level)| *level);
        if tree.has_role(node, Role::Closure) {
            open.push((node.end_byte(), 0));
        } else if tree.has_role(node, Role::Control) {
            let level = level + u32::from(!is_else_if(tree, node));
            deepest = deepest.max(level);
            open.push((node.end_byte(), level));
        }
    }
    deepest
}
