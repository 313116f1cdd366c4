//! Loops within loops over data that does not belong together.

use super::prelude::*;
use crate::script::context::{is_function, is_loop};
use crate::script::expressions::is_constant;
use oxc_ast::ast::ForStatementLeft;
use oxc_semantic::NodeId;

pub use crate::common::nested_loop::RULE;

/// What differs in scripts.
const IN_SCRIPTS: Rule = Rule {
    severity: Severity::Medium,
    help: "look things up in a `Map` or `Set` built before the loop, or say why the data is small",
    ..RULE
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_nested_loop);

/// What a third level costs.
const CUBIC_COST: u32 = 1_500;

fn check_nested_loop<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    if !is_loop(node.kind()) || is_bounded(context, node.kind()) {
        return;
    }
    let outer: Vec<&AstNode<'_>> = context
        .ancestors(node.id())
        .take_while(|ancestor| !is_function(ancestor.kind()))
        .filter(|ancestor| is_loop(ancestor.kind()) && !is_bounded(context, ancestor.kind()))
        // Three levels are told; asking about more would be quadratic in the nesting.
        .take(3)
        .collect();
    // A walk over what the outer loop came upon visits each thing once.
    let independent = outer.iter().filter(|around| !walks_part_of(context, node, around)).count();
    let span = oxc_span::Span::new(node.kind().span().start, node.kind().span().start + 1);
    match independent {
        0 => {}
        1 if outer.len() == 1 && is_counted(node.kind()) => {
            out.push(context.report(&IN_SCRIPTS, span, "a loop within a loop over independent data"));
        }
        2 => {
            let mut finding = context.report(&IN_SCRIPTS, span, "three loops within each other");
            finding.severity = Severity::High;
            out.push(finding.costing(CUBIC_COST));
        }
        _ => {}
    }
}

/// `for` loops; an inner `while` usually goes on where it stopped before.
fn is_counted(kind: AstKind<'_>) -> bool {
    match kind {
        AstKind::ForStatement(repeat) => repeat.test.is_some(),
        AstKind::ForOfStatement(_) | AstKind::ForInStatement(_) => true,
        _ => false,
    }
}

/// A loop over something written out, or up to a written number.
fn is_bounded(context: &ScriptContext<'_, '_>, kind: AstKind<'_>) -> bool {
    match kind {
        AstKind::ForOfStatement(of) => is_constant(context, &of.right),
        AstKind::ForInStatement(within) => is_constant(context, &within.right),
        AstKind::ForStatement(repeat) => match &repeat.test {
            Some(Expression::BinaryExpression(test)) => is_constant(context, &test.right) || is_constant(context, &test.left),
            _ => false,
        },
        AstKind::DoWhileStatement(repeat) => matches!(&repeat.test, Expression::BooleanLiteral(test) if !test.value),
        _ => false,
    }
}

/// True when the inner loop's head, or what it is computed from, names something the outer loop sets.
fn walks_part_of(context: &ScriptContext<'_, '_>, inner: &AstNode<'_>, outer: &AstNode<'_>) -> bool {
    let head: NodeId = match inner.kind() {
        AstKind::ForOfStatement(of) => of.right.node_id(),
        AstKind::ForInStatement(within) => within.right.node_id(),
        _ => return head_names(context, inner).any(|symbol| is_set_by(context, symbol, outer)),
    };
    names_in(context, head).any(|symbol| is_set_by(context, symbol, outer))
}

fn head_names<'c>(context: &'c ScriptContext<'_, '_>, node: &AstNode<'_>) -> impl Iterator<Item = oxc_semantic::SymbolId> + 'c {
    let (test, init) = match node.kind() {
        AstKind::ForStatement(repeat) => (
            repeat.test.as_ref().map(Expression::node_id),
            repeat.init.as_ref().map(oxc_ast::ast::ForStatementInit::node_id),
        ),
        AstKind::WhileStatement(repeat) => (Some(repeat.test.node_id()), None),
        AstKind::DoWhileStatement(repeat) => (Some(repeat.test.node_id()), None),
        _ => (None, None),
    };
    let own = node.kind().span();
    // The inner loop's own counter says nothing about the outer loop.
    test.into_iter().chain(init).flat_map(|root| names_in(context, root)).filter(move |&symbol| {
        !ScriptContext::is_within(context.scoping().symbol_span(symbol), own)
    })
}

fn names_in<'c>(context: &'c ScriptContext<'_, '_>, root: NodeId) -> impl Iterator<Item = oxc_semantic::SymbolId> + 'c {
    context.subtree(root).filter_map(|node| match node.kind() {
        AstKind::IdentifierReference(name) => context.symbol(name),
        _ => None,
    })
}

/// Declared in the outer loop, or its loop variable, or assigned in its body.
fn is_set_by(context: &ScriptContext<'_, '_>, symbol: oxc_semantic::SymbolId, outer: &AstNode<'_>) -> bool {
    let span = outer.kind().span();
    if ScriptContext::is_within(context.scoping().symbol_span(symbol), span) {
        return true;
    }
    if let AstKind::ForOfStatement(of) = outer.kind()
        && !matches!(of.left, ForStatementLeft::VariableDeclaration(_))
    {
        return true;
    }
    context
        .scoping()
        .get_resolved_references(symbol)
        .any(|reference| reference.is_write() && ScriptContext::is_within(context.span_of(reference.node_id()), span))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn products_of_independent_data() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "function f(a, b) { for (const x of a) for (const y of b) g(x, y) }",
                "function f(a, b) { for (let i = 0; i < a.length; i++) { for (let j = 0; j < b.length; j++) g(i, j) } }",
                "function f(a, b) { while (a.next()) { for (const k in b) g(k) } }",
            ],
        );
        let cubic = findings(&RULE, "a.js", "function f(a, b, c) { for (const x of a) { for (const y of b) { for (const z of c) { g(x, y, z) } } } }");
        assert_eq!(cubic.iter().map(|finding| finding.cost).collect::<Vec<_>>(), [300, 1_500]);
    }

    #[test]
    fn nested_data_small_data_and_functions() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "function f(a) { for (const x of a) for (const y of x.items) g(y) }",
                "function f(a) { for (let i = 0; i < a.length; i++) for (let j = 0; j < a[i].length; j++) g(a[i][j]) }",
                "function f(a) { for (const x of a) { const l = x.items; for (const y of l) g(y) } }",
                "function f(a) { for (const x of a) for (const y of ['p', 'q']) g(x, y) }",
                "function f(a) { for (const x of a) for (let i = 0; i < 4; i++) g(x, i) }",
                "function f(a) { for (const x of a) h(() => { for (const y of b) g(y) }) }",
                "function f(a) { let i = 0; for (const x of a) { while (b[i] < x) i++ } }",
                "function f(a) { for (let i = 0; i < a.length; i++) for (let j = i + 1; j < a.length; j++) g(i, j) }",
            ],
        );
    }
}
