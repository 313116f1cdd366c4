//! The result of an async function of this file left unawaited.

use super::prelude::*;
use crate::script::expressions::{Callback, identifier_of};
use crate::script::waiting::is_async;
use oxc_ast::ast::{FunctionBody, Statement};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "floating-promise",
    aliases: &["typescript-eslint:no-floating-promises"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "The work goes on unobserved: what follows does not wait for it, and its errors are lost.",
    help: "`await` the call, return it, or handle its errors with `.catch`",
    explanation: "Nobody waits for the promise: what follows runs before the work is done, and when it fails the error \
        reaches no handler and may end the process. `await` the call, return it, or attach `.catch`. Calls of \
        functions that this file declares as async are looked at, where the call stands in an async function itself.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"async function save(user: User): Promise<void> {
  await store(user);
}

export async function submit(user: User): Promise<void> {
  save(user);
  console.log("saved");
}
"#,
        good: r#"async function save(user: User): Promise<void> {
  await store(user);
}

export async function submit(user: User): Promise<void> {
  await save(user);
  console.log("saved");
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_floating_promise);

fn check_floating_promise<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let AstKind::ExpressionStatement(statement) = node.kind() else { return };
    let Expression::CallExpression(call) = &statement.expression else { return };
    let Some(symbol) = identifier_of(&call.callee).and_then(|name| context.symbol(name)) else { return };
    // Where `await` is possible its absence is a decision or a mistake; elsewhere there is no choice.
    if context.function_around(node.id()).is_none_or(|around| is_async(around.kind()) != Some(true)) || context.scoping().symbol_is_mutated(symbol) {
        return;
    }
    let body = match context.declaration(symbol).kind() {
        AstKind::Function(function) if function.r#async && !function.generator => function.body.as_deref(),
        AstKind::VariableDeclarator(declarator) => match declarator.init.as_ref().and_then(Callback::from_expression) {
            Some(callback) if callback.is_async() && !callback.is_generator() && declarator.id.is_binding_identifier() => callback.body(),
            _ => return,
        },
        _ => return,
    };
    if !body.is_some_and(handles_its_errors) {
        let name = context.scoping().symbol_name(symbol);
        out.push(context.report(&RULE, call.span, format!("the promise of `{name}` is neither awaited nor handled")));
    }
}

/// The body ends in a `try` with a `catch`, or loops for ever: it is made to be started and left.
fn handles_its_errors(body: &FunctionBody<'_>) -> bool {
    matches!(body.statements.last(), Some(Statement::TryStatement(attempt)) if attempt.handler.is_some())
        || matches!(body.statements.last(), Some(Statement::WhileStatement(_) | Statement::ForStatement(_)))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn promises_left_alone() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &["async function f() { await g() } async function h() { f(); await g() }", "const f = async () => { await g() }; const h = async () => { f() }"],
        );
    }

    #[test]
    fn promises_awaited_handled_or_meant() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "async function f() { await g() } async function h() { await f(); return f() }",
                "async function f() { await g() } async function h() { f().catch(log); void f() }",
                "async function main() { await g() } main()",
                "function f() { g() } async function h() { f() }",
                "async function f() { try { await g() } catch (e) { log(e) } } async function h() { f() }",
            ],
        );
    }
}
