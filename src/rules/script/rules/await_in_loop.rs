//! Independent waits done one after the other.

use super::prelude::*;
use crate::script::context::{is_function, is_loop};
use crate::script::expressions::{call_of, member_name};
use crate::words::speaks_of;
use oxc_ast::ast::{AssignmentTarget, ForStatementLeft};
use oxc_semantic::SymbolId;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "await-in-loop",
    aliases: &["eslint:no-await-in-loop"],
    category: Category::Performance,
    severity: Severity::Medium,
    cost: 600,
    blocking: false,
    summary: "Each round waits for the one before, although nothing in it needs the other's result.",
    help: "start the work for all elements and wait once with `Promise.all`",
    explanation: "Each turn waits for the one before, so ten requests of a second take ten seconds although they could \
        run side by side. Start all of them and wait once with `Promise.all`. Where the order matters (a stream, a \
        transaction, a rate limit) the rule keeps quiet or a comment can say so.",
    examples: &[Example {
        path: "example.ts",
        bad: "export async function load(urls: string[]): Promise<Response[]> {
  const pages: Response[] = [];
  for (const url of urls) {
    pages.push(await fetch(url));
  }
  return pages;
}
",
        good: "export async function load(urls: string[]): Promise<Response[]> {
  return Promise.all(urls.map((url) => fetch(url)));
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_await_in_loop);

/// Words of calls whose order matters: streams, timing, transactions, user interfaces.
const ORDERED: &[&str] = &[
    "acquire", "append", "click", "close", "commit", "delay", "drain", "emit", "exec", "execute", "fill", "flush", "hook",
    "insert",
    "raw", "lock", "middleware", "migrate",
    "next", "page", "pause", "plugin", "poll", "prompt", "query", "read", "receive", "retry", "rollback", "run", "send", "setup", "sleep",
    "step", "teardown", "tick", "timeout", "transaction", "type", "wait", "write",
];

fn check_await_in_loop<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let AstKind::AwaitExpression(wait) = node.kind() else { return };
    if context.is_test_file() {
        return;
    }
    let mut around = context.ancestors(node.id()).take_while(|ancestor| !is_function(ancestor.kind()));
    let Some(repeat) = around.find(|ancestor| is_loop(ancestor.kind())) else { return };
    // Only a walk over known elements could be done at once; `for await` and `while` depend on what comes.
    let AstKind::ForOfStatement(of) = repeat.kind() else { return };
    if of.r#await || !ScriptContext::is_within(wait.span, of.body.span()) || !names_element(context, node, &of.left) {
        return;
    }
    let named_order = call_of(&wait.argument)
        .and_then(|call| member_name(&call.callee))
        .is_none_or(|name| speaks_of(name, ORDERED));
    if named_order || depends_on_order(context, node, repeat) {
        return;
    }
    out.push(context.report(&RULE, wait.span, "each round of the loop waits for the one before"));
}

/// True when the awaited expression uses the element of this round.
fn names_element(context: &ScriptContext<'_, '_>, wait: &AstNode<'_>, left: &ForStatementLeft<'_>) -> bool {
    let ForStatementLeft::VariableDeclaration(declaration) = left else { return false };
    let span = declaration.span;
    context.subtree(wait.id()).any(|node| match node.kind() {
        AstKind::IdentifierReference(name) => context
            .symbol(name)
            .is_some_and(|symbol| ScriptContext::is_within(context.scoping().symbol_span(symbol), span)),
        _ => false,
    })
}

/// A loop that may stop early, that catches errors, or that hands something from round to round.
fn depends_on_order(context: &ScriptContext<'_, '_>, wait: &AstNode<'_>, repeat: &AstNode<'_>) -> bool {
    let span = repeat.kind().span();
    context.subtree(repeat.id()).any(|node| match node.kind() {
        AstKind::BreakStatement(_) | AstKind::ReturnStatement(_) | AstKind::ThrowStatement(_) | AstKind::TryStatement(_) | AstKind::YieldExpression(_) => true,
        AstKind::AssignmentExpression(assignment) => match &assignment.left {
            AssignmentTarget::AssignmentTargetIdentifier(name) => {
                context.symbol(name).is_none_or(|symbol| is_outside(context, symbol, span))
            }
            _ => false,
        },
        AstKind::UpdateExpression(_) => true,
        AstKind::AwaitExpression(_) => node.id() != wait.id(),
        _ => false,
    })
}

fn is_outside(context: &ScriptContext<'_, '_>, symbol: SymbolId, span: oxc_span::Span) -> bool {
    !ScriptContext::is_within(context.scoping().symbol_span(symbol), span)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn independent_rounds() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "async function f(ids) { for (const id of ids) { await load(id) } }",
                "async function f(ids) { const all = []; for (const id of ids) { all.push(await api.fetchUser(id)) } }",
            ],
        );
    }

    #[test]
    fn rounds_that_depend_on_each_other() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "async function f(ids) { await Promise.all(ids.map(id => load(id))) }",
                "async function f(ids) { for (const id of ids) { if (await check(id)) return id } }",
                "async function f(ids) { let x = 0; for (const id of ids) { x = await fold(x, id) } }",
                "async function f(ids) { for await (const id of ids) { await load(id) } }",
                "async function f(ids) { for (const id of ids) { await sleep(id) } }",
                "async function f(ids) { for (const id of ids) { await stream.write(id) } }",
                "async function f() { while (more()) { await load() } }",
                "async function f(ids) { for (const id of await list()) { g(async () => { await load(id) }) } }",
                "async function f(ids) { for (const id of ids) { try { await load(id) } catch { /* gone */ } } }",
            ],
        );
    }
}
