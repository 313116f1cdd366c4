//! Variables, functions and classes that nothing reads.

use super::prelude::*;
use oxc_ast::ast::BindingPattern;
use oxc_semantic::{NodeId, SymbolId};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unused-variable",
    aliases: &["eslint:no-unused-vars", "typescript:TS6133"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 400,
    blocking: false,
    summary: "Code that nothing uses is read and maintained for nothing, and often shows a mistake.",
    help: "remove it, or begin its name with `_` when it must stay",
    explanation: "A variable or function that nothing reads costs attention, and often the mistake is that something \
        else is read in its place. Remove it. A parameter or part of a pattern that has to stay may begin with an \
        underscore.",
    examples: &[Example {
        path: "example.ts",
        bad: "export function total(prices: number[]): number {
  const count = prices.length;
  return prices.reduce((sum, price) => sum + price, 0);
}
",
        good: "export function total(prices: number[]): number {
  return prices.reduce((sum, price) => sum + price, 0);
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::File(check_unused_variable);

fn check_unused_variable(context: &ScriptContext<'_, '_>, out: &mut Vec<Finding>) {
    if context.is_declaration_file() {
        return;
    }
    for symbol in context.scoping().symbol_ids() {
        let node = context.declaration(symbol);
        let what = match node.kind() {
            AstKind::VariableDeclarator(declarator) if is_plain_place(context, symbol, &declarator.id) => "variable",
            AstKind::Function(function) if function.is_declaration() && function.body.is_some() => "function",
            AstKind::Class(class) if class.is_declaration() && !class.declare => "class",
            _ => continue,
        };
        let name = context.scoping().symbol_name(symbol);
        if name.starts_with('_') || is_read(context, symbol) || is_visible_elsewhere(context, symbol, node.id()) {
            continue;
        }
        let span = context.scoping().symbol_span(symbol);
        out.push(context.report(&RULE, span, format!("the {what} `{name}` is never used")));
    }
}

/// True when the value is read anywhere but in the declaration itself.
pub(super) fn is_read(context: &ScriptContext<'_, '_>, symbol: SymbolId) -> bool {
    if !context.scoping().symbol_redeclarations(symbol).is_empty() {
        return true;
    }
    let own = context.declaration(symbol);
    let is_own = |node: NodeId| {
        matches!(own.kind(), AstKind::Function(_)) && context.ancestors(node).any(|ancestor| ancestor.id() == own.id())
    };
    context.scoping().get_resolved_references(symbol).any(|reference| {
        (reference.is_read() || reference.is_type() || !reference.is_write()) && !is_own(reference.node_id())
    })
}

/// A name on its own, or in an object pattern that leaves nothing out: elements of arrays have to be counted off.
fn is_plain_place(context: &ScriptContext<'_, '_>, symbol: SymbolId, pattern: &BindingPattern<'_>) -> bool {
    let span = context.scoping().symbol_span(symbol);
    match pattern {
        BindingPattern::BindingIdentifier(_) => true,
        BindingPattern::ObjectPattern(object) => {
            object.rest.is_none()
                && object.properties.iter().any(|property| {
                    ScriptContext::is_within(span, property.value.span()) && is_plain_place(context, symbol, &property.value)
                })
        }
        BindingPattern::AssignmentPattern(assignment) => is_plain_place(context, symbol, &assignment.left),
        BindingPattern::ArrayPattern(_) => false,
    }
}

/// Exported, ambient, a loop's variable, or at the top of a script that shares its names with other files.
fn is_visible_elsewhere(context: &ScriptContext<'_, '_>, symbol: SymbolId, node: NodeId) -> bool {
    let is_top = context.scoping().symbol_scope_id(symbol) == context.scoping().root_scope_id();
    if is_top && !context.facts.is_module {
        return true;
    }
    for ancestor in context.ancestors(node) {
        match ancestor.kind() {
            AstKind::ExportDeclaration(_)
            | AstKind::ExportDefaultDeclaration(_)
            | AstKind::ForInStatement(_)
            | AstKind::ForOfStatement(_)
            | AstKind::TSGlobalDeclaration(_)
            | AstKind::TSExternalModuleDeclaration(_) => return true,
            AstKind::TSNamespaceDeclaration(namespace) if namespace.declare => return true,
            AstKind::VariableDeclaration(declaration) if declaration.declare || declaration.kind.is_using() => return true,
            // What a compiler makes of `const { a, ...rest } = o`.
            AstKind::VariableDeclaration(declaration) if context.text(declaration.span).contains("__rest(") => return true,
            AstKind::VariableDeclaration(_) | AstKind::ExportNamedDeclaration(_) => {}
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn what_nothing_reads() {
        assert_one_finding_each(
            &RULE,
            "a.ts",
            &[
                "export function f() { const a = 1; return 2 }",
                "export {}; let a = 1; a = 2;",
                "export {}; function f() { return f() }",
                "export {}; class A {}",
                "export const f = o => { const { a, b } = o; return a }",
            ],
        );
        assert_one_finding_each(&RULE, "a.js", &["function f() { var a = g(); }"]);
    }

    #[test]
    fn what_is_read_exported_or_meant_to_stay() {
        assert_no_findings(
            &RULE,
            "a.ts",
            &[
                "export const a = 1; export default function f() {}",
                "const a = 1; export { a }",
                "export const f = o => { const { a, ...rest } = o; return rest }",
                "export const f = ([a, b]) => { const [c, d] = b; return d }",
                "export const f = x => { for (const _ of x) n(); for (const y of x) n() }",
                "export function f(a, b) { try { a() } catch (e) {} }",
                "export {}; const _a = 1",
                "export {}; class A { static b = new A() } new A()",
                "export {}; const a = 1; type B = typeof a; export let b: B",
                "declare const x: number; export {}",
                "export {}; enum E { A } f(E.A)",
                "export {}; let n = 0; g(n++)",
            ],
        );
        assert_no_findings(&RULE, "a.js", &["function helper() {} var a = 1;", "function f(o) { var a = o.a, rest = __rest(o, ['a']); return rest }"]);
    }
}
