//! Names that nothing declares.

use super::prelude::*;
use crate::script::globals;
use oxc_syntax::operator::UnaryOperator;
use std::collections::HashSet;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "undefined-name",
    aliases: &["eslint:no-undef", "typescript:TS2304"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 3_000,
    blocking: true,
    summary: "Reading a name that does not exist throws when the line is reached.",
    help: "declare or import the name, or correct its spelling; declare globals of the environment with `/* global name */`",
    explanation: "Nothing in the file declares or imports the name and it is no global of browsers, Node or a test \
        runner, so reading it throws a ReferenceError as soon as the line is reached. It blocks every gate. Declare or \
        import the name or correct its spelling; `/* global name */` declares what the environment brings.",
    examples: &[Example {
        path: "example.ts",
        bad: "export function total(prices: number[]): number {
  return prices.reduce(addUp, 0);
}
",
        good: "const addUp = (sum: number, price: number) => sum + price;

export function total(prices: number[]): number {
  return prices.reduce(addUp, 0);
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::File(check_undefined_name);

fn check_undefined_name(context: &ScriptContext<'_, '_>, out: &mut Vec<Finding>) {
    if context.is_declaration_file() || has_dynamic_scope(context) {
        return;
    }
    let declared = declared_in_comments(context);
    let tested = tested_by_typeof(context);
    let mut unresolved: Vec<(&str, u32, u32)> = Vec::new();
    for (name, references) in context.scoping().root_unresolved_references() {
        let name = name.as_str();
        if globals::is_known(name, context.is_test_file()) || declared.contains(name) || tested.contains(name) {
            continue;
        }
        // In a script other files of the page may declare the name.
        if !context.facts.is_module && !is_common_js(context) {
            continue;
        }
        let references: Vec<_> = references.iter().map(|&id| context.scoping().get_reference(id)).collect();
        // A name that the file assigns is a global that it makes itself.
        if references.iter().any(|reference| reference.is_write()) {
            continue;
        }
        let first = references
            .iter()
            .filter(|reference| reference.is_value() && reference.is_read() && !is_type_only(context, reference.node_id()))
            .map(|reference| context.span_of(reference.node_id()))
            .min_by_key(|span| span.start);
        unresolved.extend(first.map(|span| (name, span.start, span.end)));
    }
    unresolved.sort_unstable_by_key(|(_, start, _)| *start);
    for (name, start, end) in unresolved {
        out.push(context.report(&RULE, oxc_span::Span::new(start, end), format!("`{name}` is not defined")));
    }
}

/// `with` and direct `eval` can declare anything.
fn has_dynamic_scope(context: &ScriptContext<'_, '_>) -> bool {
    context.nodes().iter().any(|node| match node.kind() {
        AstKind::WithStatement(_) => true,
        AstKind::CallExpression(call) => call.callee.is_specific_id("eval"),
        _ => false,
    })
}

fn is_common_js(context: &ScriptContext<'_, '_>) -> bool {
    context.scoping().root_unresolved_references().iter().any(|(name, _)| matches!(name.as_str(), "require" | "module" | "exports"))
}

/// `/* global a, b:writable */`
fn declared_in_comments<'s>(context: &'s ScriptContext<'_, '_>) -> HashSet<&'s str> {
    let mut names = HashSet::new();
    for comment in context.semantic().comments() {
        let text = context.text(comment.content_span()).trim_start();
        let Some(list) = text.strip_prefix("globals").or_else(|| text.strip_prefix("global")) else { continue };
        names.extend(list.split([',', ' ', '\n', '\t']).filter_map(|name| name.split(':').next()).filter(|name| !name.is_empty()));
    }
    names
}

/// Names whose existence is tested before they are used.
fn tested_by_typeof<'s>(context: &'s ScriptContext<'_, '_>) -> HashSet<&'s str> {
    let tested = context.nodes().iter().filter_map(|node| match node.kind() {
        AstKind::UnaryExpression(unary) if unary.operator == UnaryOperator::Typeof => match &unary.argument {
            Expression::Identifier(name) => Some(name.name.as_str()),
            _ => None,
        },
        _ => None,
    });
    tested.collect()
}

/// In types, `declare`d code and hints to module loaders nothing is read.
fn is_type_only(context: &ScriptContext<'_, '_>, node: oxc_semantic::NodeId) -> bool {
    context.ancestors(node).any(|ancestor| match ancestor.kind() {
        AstKind::TSTypeQuery(_) | AstKind::TSInterfaceHeritage(_) | AstKind::TSClassImplements(_) | AstKind::TSGlobalDeclaration(_) => true,
        // `0 && (module.exports = { … })` tells Node what a module exports and is never run.
        AstKind::LogicalExpression(logical) => logical.left.is_number_0(),
        AstKind::TSNamespaceDeclaration(declaration) => declaration.declare,
        AstKind::TSExternalModuleDeclaration(declaration) => declaration.declare,
        AstKind::Class(class) => class.declare,
        AstKind::VariableDeclaration(declaration) => declaration.declare,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn names_that_nothing_declares() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "export const a = undefinedThing + 1",
                "import x from 'x'; x(missing); x(missing)",
                "module.exports = () => mising.call()",
                "export const A = () => <Missing />",
            ],
        );
        assert_one_finding_each(&RULE, "a.ts", &["export function f(x: Foo): Bar { return misspelt as Bar }"]);
        assert_eq!(findings(&RULE, "a.js", "export {};\nf(\n  missing);").iter().map(|f| f.line).collect::<Vec<_>>(), [2, 3]);
    }

    #[test]
    fn globals_types_and_names_that_are_tested_or_made() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "export const a = window.x + globalThis.y + process.env.Z + new URL('x') + structuredClone(b), b = 1",
                "export const a = typeof foo === 'undefined' ? 1 : foo",
                "/* global foo, bar:writable */ export const a = foo + bar",
                "foo(bar)",
                "export const a = __VERSION__ + DEBUG_MODE",
                "export const a = HTMLDialogElement, b = WebGL2RenderingContext, c = BeforeUnloadEvent",
                "counter = 1; export const a = counter",
                "export function f() { return arguments.length + NaN }",
                "export const a = eval('b') + c",
                "0 && (module.exports = { a, b })",
            ],
        );
        assert_no_findings(&RULE, "a.test.js", &["import x from 'x'; describe('x', () => { it('y', () => expect(x).toBe(jest.fn())) })"]);
        assert_no_findings(
            &RULE,
            "a.ts",
            &["declare const foo: number; export const a = foo", "export type A = typeof foo; export interface B extends Missing {}", "export let a: Foo<Bar> | NodeJS.Timeout"],
        );
    }
}
