//! Statements after one that always leaves.

use super::prelude::*;
use crate::script::flow::{never_falls_through, statement_list};
use oxc_ast::ast::Statement;

pub use crate::common::unreachable_code::RULE;

/// What differs in scripts.
const IN_SCRIPTS: Rule = Rule {
    help: "remove the statements or the one that leaves before them",
    ..RULE
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_unreachable_code);

fn check_unreachable_code<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let Some(statements) = statement_list(node.kind()) else { return };
    let Some(index) = statements.iter().position(never_falls_through) else { return };
    let rest = statements.get(index + 1..).unwrap_or_default();
    let mut does_something = rest.iter().filter(|statement| !is_inert(statement));
    if let Some(first) = does_something.next() {
        let end = statements.last().map_or(first.span().end, |last| last.span().end);
        out.push(context.report(&IN_SCRIPTS, oxc_span::Span::new(first.span().start, end), "this code is never reached"));
    }
}

/// Declarations that are hoisted, types, and a `break` or a bare `return` written for good order.
fn is_inert(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::FunctionDeclaration(_)
        | Statement::EmptyStatement(_)
        | Statement::BreakStatement(_)
        | Statement::TSTypeAliasDeclaration(_)
        | Statement::TSInterfaceDeclaration(_) => true,
        Statement::ReturnStatement(statement) => statement.argument.is_none(),
        Statement::VariableDeclaration(declaration) => {
            declaration.kind.is_var() && declaration.declarations.iter().all(|declarator| declarator.init.is_none())
        }
        _ => statement.is_module_declaration(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn code_after_leaving() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "function f() { return 1; g() }",
                "function f() { throw e\n g() }",
                "for (;;) { break; g() }",
                "for (;;) { if (a) { continue } else { break } g() }",
                "switch (a) { case 1: return2(); break; g() }",
                "function f() { try { return a } catch { return b } g() }",
                "const f = () => { return\n 1 }",
            ],
        );
    }

    #[test]
    fn code_that_is_reached() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "function f() { return g(); function g() {} }",
                "function f() { if (a) return; g() }",
                "function f() { switch (a) { case 1: return 1; break; default: return 2 } }",
                "function f() { try { return a } finally { g() } }",
                "function f() { a: { break a } g() }",
                "function f() { return a; var a }",
                "function f() { throw a; return }",
                "function f() { switch (a) { case 1: break } g() }",
            ],
        );
    }
}
