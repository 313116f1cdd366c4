//! React hooks called in a different order from render to render.

use super::prelude::*;
use oxc_ast::ast::{JSXAttribute, JSXAttributeName};

use crate::script::context::is_loop;
use crate::script::expressions::member_name;
use crate::script::react::{BUILT_IN_HOOKS, is_component_name, is_hook_name};
use crate::script::names::given_name;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "hook-order",
    aliases: &["eslint-plugin-react-hooks:rules-of-hooks"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "React tells hooks apart by the order of their calls; a hook that is sometimes skipped gets another one's state.",
    help: "call hooks at the top of a component or hook, before any return and outside of conditions, loops and callbacks",
    explanation: "React knows hooks by the order of their calls alone. When a condition, a loop or an early return \
        skips one, each hook after it gets the state of its neighbour, and the component shows foreign data or \
        crashes. Call all hooks at the top of the component, and put the condition inside them.",
    examples: &[Example {
        path: "example.tsx",
        bad: r#"import { useState } from "react";

export function Field({ enabled }: Props) {
  if (!enabled) {
    return null;
  }
  const [value, setValue] = useState("");
  return <input value={value} onChange={(event) => setValue(event.target.value)} />;
}
"#,
        good: r#"import { useState } from "react";

export function Field({ enabled }: Props) {
  const [value, setValue] = useState("");
  if (!enabled) {
    return null;
  }
  return <input value={value} onChange={(event) => setValue(event.target.value)} />;
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_hook_order);

fn check_hook_order<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let AstKind::CallExpression(call) = node.kind() else { return };
    let Some(hook) = member_name(&call.callee) else { return };
    if !context.facts.is_react || !is_hook_name(hook) || !is_plain_callee(&call.callee) {
        return;
    }
    let Some(function) = context.function_around(node.id()) else { return };
    let name = given_name(context.semantic(), function.id());
    let told = match &name {
        _ if is_wrapped(context, function) => why_conditional(context, node, function),
        Some(name) if is_component_name(name) || is_hook_name(name) => why_conditional(context, node, function),
        // Names of local callbacks and of plain functions: certain only for React's own hooks.
        _ if !BUILT_IN_HOOKS.contains(&hook) => None,
        Some(_) if is_method(context, function) => Some("in a method"),
        // A leading underscore hides whether the name means a component.
        Some(name) if name == "default" || name.starts_with('_') || context.is_test_file() => None,
        Some(_) => Some("in a function that is neither a component nor a hook"),
        None => why_callback(context, function),
    };
    if let Some(place) = told {
        out.push(context.report(&RULE, call.span, format!("the hook `{hook}` is called {place}")));
    }
}

/// `useState()` or `React.useState()`, not a method of some object.
fn is_plain_callee(callee: &Expression<'_>) -> bool {
    match callee {
        Expression::Identifier(_) => true,
        Expression::StaticMemberExpression(member) => member.object.is_specific_id("React"),
        _ => false,
    }
}

/// `forwardRef(function render() {})`
fn is_wrapped(context: &ScriptContext<'_, '_>, function: &AstNode<'_>) -> bool {
    matches!(context.parent(function.id()).kind(), AstKind::CallExpression(call)
        if member_name(&call.callee).is_some_and(|name| matches!(name, "forwardRef" | "memo" | "observer")))
}

fn is_method(context: &ScriptContext<'_, '_>, function: &AstNode<'_>) -> bool {
    matches!(context.parent(function.id()).kind(), AstKind::MethodDefinition(_))
}

/// Functions to which a callback is handed that is not called during the render, or called any number of times.
const CALLBACK_TAKERS: &[&str] = &[
    "addEventListener", "every", "filter", "find", "flatMap", "forEach", "map", "reduce", "setInterval", "setTimeout", "some", "then",
    "useCallback", "useEffect", "useInsertionEffect", "useLayoutEffect", "useMemo", "useReducer", "useState",
];

fn why_callback(context: &ScriptContext<'_, '_>, function: &AstNode<'_>) -> Option<&'static str> {
    match context.parent(function.id()).kind() {
        AstKind::CallExpression(call) => {
            let taker = member_name(&call.callee)?;
            CALLBACK_TAKERS.contains(&taker).then_some("in a callback")
        }
        AstKind::JSXExpressionContainer(container) => {
            let AstKind::JSXAttribute(attribute) = context.nodes().parent_kind(container.node_id.get()) else { return None };
            is_event_handler(attribute).then_some("in an event handler")
        }
        _ => None,
    }
}

/// `onClick` and its kin.
fn is_event_handler(attribute: &JSXAttribute<'_>) -> bool {
    let JSXAttributeName::Identifier(name) = &attribute.name else { return false };
    name.name.strip_prefix("on").is_some_and(|rest| rest.starts_with(|first: char| first.is_uppercase()))
}

/// Why a call within a component or hook is not made on every render.
fn why_conditional(context: &ScriptContext<'_, '_>, call: &AstNode<'_>, function: &AstNode<'_>) -> Option<&'static str> {
    let mut inner = call.kind().span();
    for ancestor in context.ancestors(call.id()) {
        if ancestor.id() == function.id() {
            break;
        }
        let is_in = |span: oxc_span::Span| ScriptContext::is_within(inner, span);
        let place = match ancestor.kind() {
            AstKind::IfStatement(branch) if !is_in(branch.test.span()) && !is_fixed(context, &branch.test) => {
                Some("conditionally")
            }
            AstKind::ConditionalExpression(choice) if !is_in(choice.test.span()) && !is_fixed(context, &choice.test) => {
                Some("conditionally")
            }
            AstKind::LogicalExpression(logical) if is_in(logical.right.span()) && !is_fixed(context, &logical.left) => {
                Some("conditionally")
            }
            AstKind::SwitchCase(case) if !case.test.as_ref().is_some_and(|test| is_in(test.span())) => Some("conditionally"),
            AstKind::ForOfStatement(of) if is_in(of.right.span()) => None,
            kind if is_loop(kind) => Some("in a loop"),
            _ => None,
        };
        if place.is_some() {
            return place;
        }
        inner = ancestor.kind().span();
    }
    returns_before(context, function, call.kind().span().start).then_some("after an early return")
}

/// Conditions that a build or a platform decides once.
fn is_fixed(context: &ScriptContext<'_, '_>, test: &Expression<'_>) -> bool {
    let text = context.text(test.span());
    ["NODE_ENV", "__DEV__", "import.meta", "typeof window", "typeof document"].iter().any(|word| text.contains(word))
        || text.chars().all(|letter| letter.is_uppercase() || matches!(letter, '_' | '!' | '0'..='9'))
}

fn returns_before(context: &ScriptContext<'_, '_>, function: &AstNode<'_>, offset: u32) -> bool {
    context
        .own_nodes(function.id())
        .take_while(|node| node.kind().span().start <= offset)
        .any(|node| matches!(node.kind(), AstKind::ReturnStatement(statement) if statement.span.end <= offset))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn hooks_that_are_sometimes_skipped() {
        assert_one_finding_each(
            &RULE,
            "a.jsx",
            &[
                "import { useState } from 'react'; function A() { if (x) { useState(0) } }",
                "import { useState } from 'react'; const A = () => { x && useState(0) }",
                "import { useState } from 'react'; function A() { const a = x ? useState(0) : 1 }",
                "import { useMine } from './m'; function A({ list }) { for (const x of list) useMine(x); return <p /> }",
                "import { useEffect } from 'react'; function useB(a) { if (!a) return null; useEffect(() => {}, []) }",
                "import React from 'react'; const A = () => { list.map(() => React.useRef()) }",
                "import { useState } from 'react'; class A { render() { const [a] = useState(0) } }",
                "import { useState } from 'react'; function load() { useState(0) }",
                "import { useState } from 'react'; const A = () => <a onClick={() => useState(0)} />",
                "import { useState, memo } from 'react'; const A = memo(() => { if (a) useState(0) })",
                "import { useMemo } from 'react'; function A() { switch (a) { case 1: useMemo(f, []) } }",
            ],
        );
    }

    #[test]
    fn hooks_called_on_every_render() {
        assert_no_findings(
            &RULE,
            "a.jsx",
            &[
                "import { useState } from 'react'; function A() { const [a] = useState(0); if (a) return null; return <p /> }",
                "import { useState } from 'react'; function useA() { if (useState(0)[0]) { f() } }",
                "import { forwardRef, useRef } from 'react'; export default forwardRef((p, r) => { useRef(); return <p /> })",
                "import { useEffect } from 'react'; function A() { list.map(x => { if (x) return 1; return 2 }); useEffect(f) }",
                "import { useDebugValue } from 'react'; function useA() { if (process.env.NODE_ENV !== 'production') useDebugValue(1) }",
                "function f() { if (x) { useFakeTimers() } }",
                "import React from 'react'; const A = React.forwardRef(function render() { React.useState(0) })",
                "import React from 'react'; function __experimentalA() { React.useState(0) }",
                "import { useFoo } from 'react'; function setup() { app.useFoo(1); if (a) jest.useFakeTimers() }",
                "import React from 'react'; renderHook(() => useState(0))",
            ],
        );
    }
}
