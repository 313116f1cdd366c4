//! Keys from elsewhere that reach the prototype of all objects.

use super::prelude::*;
use crate::script::expressions::{identifier_of, member_name, plain_argument, without_casts};
use crate::script::names::given_name;
use crate::script::options::is_switch;
use crate::script::origins::import_origin;
use crate::script::untrusted::is_from_request;
use oxc_ast::ast::{AssignmentTarget, CallExpression, ForStatementLeft};
use oxc_semantic::SymbolId;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "prototype-pollution",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A key `__proto__` in the data changes every object of the program.",
    help: "leave out `__proto__`, `constructor` and `prototype`, or build on `Object.create(null)` or a `Map`",
    explanation: "`JSON.parse` makes `__proto__` an ordinary key, and a merge that goes down into objects then writes to the \
        prototype that all objects share: suddenly every object is an administrator. Leave out the keys `__proto__`, \
        `constructor` and `prototype`, merge into objects without a prototype, or check the data with a schema \
        first.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"export function merge(target: any, source: any): any {
  for (const key in source) {
    if (typeof source[key] === "object") merge(target[key], source[key]);
    else target[key] = source[key];
  }
  return target;
}
"#,
        good: r#"export function merge(target: any, source: any): any {
  for (const key in source) {
    if (key === "__proto__" || key === "constructor" || key === "prototype") continue;
    if (typeof source[key] === "object") merge(target[key], source[key]);
    else target[key] = source[key];
  }
  return target;
}
"#,
    }],
    cwe: Some("CWE-1321"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_prototype_pollution);

fn check_prototype_pollution<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    if context.is_test_file() {
        return;
    }
    match node.kind() {
        AstKind::CallExpression(call) if merges_request(context, call) => {
            out.push(context.report(&RULE, call.span, "a request is merged into an object with all its keys"));
        }
        // `target[req.body.key][name] = value`
        AstKind::AssignmentExpression(assignment) => {
            let AssignmentTarget::ComputedMemberExpression(member) = &assignment.left else { return };
            let Expression::ComputedMemberExpression(outer) = without_casts(&member.object) else { return };
            if is_from_request(context, &outer.expression) {
                out.push(context.report(&RULE, assignment.span, "a request decides which object is changed"));
            }
        }
        AstKind::ForInStatement(statement) => {
            let ForStatementLeft::VariableDeclaration(declaration) = &statement.left else { return };
            let key = declaration.declarations.first().and_then(|first| first.id.get_binding_identifier());
            let Some(key) = key.and_then(|key| key.symbol_id.get()) else { return };
            if is_open_merge(context, node, key) {
                out.push(context.report(&RULE, statement.span, "a merge goes down into objects by any key"));
            }
        }
        _ => {}
    }
}

/// `_.merge(target, req.body)`, `$.extend(true, target, req.body)`, `_.set(target, req.body.path, value)`
fn merges_request(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>) -> bool {
    let sources = |from: usize, to: usize| {
        (from..to.min(call.arguments.len()))
            .any(|index| plain_argument(&call.arguments, index).is_some_and(|value| is_from_request(context, value)))
    };
    let Some(name) = member_name(&call.callee) else { return false };
    if name == "extend" {
        return plain_argument(&call.arguments, 0).is_some_and(|deep| is_switch(deep, true)) && sources(2, usize::MAX);
    }
    let is_known = import_origin(context, &call.callee).is_some_and(|origin| {
        let module = origin.module.as_str();
        matches!(
            module,
            "lodash" | "lodash-es" | "deepmerge" | "defaults-deep" | "dot-prop" | "object-path" | "set-value"
        ) || module.starts_with("lodash/")
            || module.starts_with("lodash.")
    });
    is_known
        && match name {
            "merge" | "mergeWith" | "defaultsDeep" => sources(1, usize::MAX),
            "set" | "setWith" => sources(1, 2),
            _ => false,
        }
}

/// The loop calls the function it stands in with two members of the key, writes by the key, and looks at no key.
fn is_open_merge(context: &ScriptContext<'_, '_>, looped: &AstNode<'_>, key: SymbolId) -> bool {
    let Some(function) = context.function_around(looped.id()) else { return false };
    let text = context.text(function.kind().span());
    if ["__proto__", "prototype", "constructor", "Object.create(null)"].iter().any(|look| text.contains(look)) {
        return false;
    }
    let Some(name) = given_name(context.semantic(), function.id()) else { return false };
    let is_by_key = |index: &Expression<'_>| identifier_of(index).and_then(|index| context.symbol(index)) == Some(key);
    let (mut goes_down, mut writes) = (false, false);
    for node in context.subtree(looped.id()) {
        match node.kind() {
            AstKind::CallExpression(call) if member_name(&call.callee) == Some(name.as_str()) => {
                let members = call.arguments.iter().filter(|argument| {
                    matches!(argument.as_expression().map(without_casts),
                        Some(Expression::ComputedMemberExpression(member)) if is_by_key(&member.expression))
                });
                goes_down |= members.count() >= 2;
            }
            AstKind::AssignmentExpression(assignment) => {
                writes |= matches!(&assignment.left, AssignmentTarget::ComputedMemberExpression(member) if is_by_key(&member.expression));
            }
            _ => {}
        }
    }
    goes_down && writes
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn keys_from_elsewhere() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "import _ from 'lodash'; const f = (req) => _.merge(settings, req.body)",
                "const f = (req) => $.extend(true, {}, req.body.options)",
                "const f = (req) => { store[req.body.section][req.body.name] = req.body.value }",
                "function deep(a, b) { for (var k in b) { if (isObject(b[k])) { a[k] = deep(a[k] || {}, b[k]); deep(a[k], b[k]) } else a[k] = b[k] } }",
                "import { set } from 'lodash'; const f = (req) => set(options, req.body.path, 1)",
            ],
        );
    }

    #[test]
    fn keys_that_are_known() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "import _ from 'lodash'; const f = (options) => _.merge({}, DEFAULTS, options)",
                "const f = (req) => Object.assign({}, req.body)",
                "function copy(a, b) { for (const k in b) a[k] = b[k] }",
                "function deep(a, b) { for (const k in b) { if (k === '__proto__') continue; if (isObject(b[k])) deep(a[k], b[k]); else a[k] = b[k] } }",
                "function walk(a, b) { for (const k in b) walk(a[k], b[k]) }",
                "const f = (req) => { table[req.params.id] = req.body }",
                "rows[i][j] = value",
            ],
        );
    }
}
