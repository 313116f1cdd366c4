//! Effects that run too often or see old values.

use super::prelude::*;
use crate::script::expressions::{Callback, plain_argument, call_of, identifier_of};
use crate::script::react::{is_effect, StateOf};
use oxc_ast::ast::{ArrayExpression, BindingPattern};
use oxc_semantic::{NodeId, SymbolId};
use crate::script::context::is_function;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "effect-deps",
    aliases: &["eslint-plugin-react-hooks:exhaustive-deps"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 600,
    blocking: false,
    summary: "An effect that sets state after every render never settles; one that leaves out a value it reads keeps seeing the old one.",
    help: "list every prop and state value that the effect reads in its second argument",
    explanation: "The second argument says when the effect runs again. A prop or state value that is missing there \
        keeps the value of the first render for ever; without the argument, an effect that sets state runs after each \
        render and never comes to rest. List every prop and state value that the effect reads.",
    examples: &[Example {
        path: "example.tsx",
        bad: r#"import { useEffect } from "react";

export function Title({ text }: Props) {
  useEffect(() => {
    document.title = text;
  }, []);
  return <h1>{text}</h1>;
}
"#,
        good: r#"import { useEffect } from "react";

export function Title({ text }: Props) {
  useEffect(() => {
    document.title = text;
  }, [text]);
  return <h1>{text}</h1>;
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_effect_deps);

fn check_effect_deps<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let AstKind::CallExpression(call) = node.kind() else { return };
    if !context.facts.is_react || !is_effect(context, &call.callee) {
        return;
    }
    let Some(callback) = plain_argument(&call.arguments, 0).and_then(Callback::from_expression) else { return };
    match plain_argument(&call.arguments, 1) {
        None if call.arguments.len() == 1 && sets_state_at_once(context, callback) => {
            let message = "an effect without dependencies sets state after every render";
            out.push(context.report(&RULE, call.callee.span(), message));
        }
        Some(Expression::ArrayExpression(deps)) if !is_waived(context, node) => {
            if let Some(name) = missing_dependency(context, node, callback, deps) {
                let message = format!("the effect reads `{name}` but does not list it");
                out.push(context.report(&RULE, deps.span, message));
            }
        }
        _ => {}
    }
}

/// A statement of the effect itself, outside conditions, that calls a state setter.
fn sets_state_at_once(context: &ScriptContext<'_, '_>, callback: Callback<'_, '_>) -> bool {
    let sets = |expression: &Expression<'_>| {
        call_of(expression)
            .and_then(|call| identifier_of(&call.callee))
            .and_then(|name| context.symbol(name))
            .is_some_and(|symbol| StateOf::of_symbol(context, symbol).is_some_and(|state| state.is_setter))
    };
    let statements = callback.body().map(|body| body.statements.as_slice()).unwrap_or_default();
    callback.expression().is_some_and(sets)
        || statements.iter().any(|statement| {
            matches!(statement, oxc_ast::ast::Statement::ExpressionStatement(statement) if sets(&statement.expression))
        })
}

/// A comment that turns the same check off in another tool.
fn is_waived(context: &ScriptContext<'_, '_>, node: &AstNode<'_>) -> bool {
    let span = node.kind().span();
    context.semantic().comments_range(span.start.saturating_sub(300)..span.end + 200).any(|comment| {
        let text = context.text(comment.span);
        text.contains("exhaustive-deps") || text.contains("useExhaustiveDependencies")
    })
}

/// A state value or a destructured prop that the callback reads and the list leaves out.
fn missing_dependency(context: &ScriptContext<'_, '_>, effect: &AstNode<'_>, callback: Callback<'_, '_>, deps: &ArrayExpression<'_>) -> Option<String> {
    if deps.elements.iter().any(|element| element.as_expression().is_none()) {
        return None;
    }
    let component = context.function_around(effect.id())?;
    let listed: Vec<SymbolId> = references(context, deps.node_id.get()).collect();
    references(context, callback.node_id())
        .find(|&symbol| !listed.contains(&symbol) && is_reactive(context, symbol, component))
        .map(|symbol| context.scoping().symbol_name(symbol).to_owned())
}

fn references(context: &ScriptContext<'_, '_>, root: NodeId) -> impl Iterator<Item = SymbolId> {
    context.subtree(root).filter_map(move |node| match node.kind() {
        AstKind::IdentifierReference(name) => {
            let reference = context.reference(name)?;
            reference.is_value().then(|| reference.symbol_id()).flatten()
        }
        _ => None,
    })
}

/// A state value of this component, or a parameter taken apart in its head.
fn is_reactive(context: &ScriptContext<'_, '_>, symbol: SymbolId, component: &AstNode<'_>) -> bool {
    if let Some(state) = StateOf::of_symbol(context, symbol) {
        return !state.is_setter
            && context.function_around(context.declaration(symbol).id()).is_some_and(|owner| owner.id() == component.id());
    }
    let params = match component.kind() {
        AstKind::Function(function) => &function.params,
        AstKind::ArrowFunctionExpression(arrow) => &arrow.params,
        _ => return false,
    };
    let span = context.scoping().symbol_span(symbol);
    is_function(component.kind())
        && params.items.iter().any(|item| {
            matches!(item.pattern, BindingPattern::ObjectPattern(_)) && ScriptContext::is_within(span, item.pattern.span())
        })
        && !context.scoping().symbol_name(symbol).ends_with("Ref")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn effects_without_what_they_read() {
        assert_one_finding_each(
            &RULE,
            "a.jsx",
            &[
                "import { useEffect, useState } from 'react'; function A() { const [n, setN] = useState(0); useEffect(() => { setN(n + 1) }) }",
                "import { useEffect, useState } from 'react'; function A() { const [n, setN] = useState(0); useEffect(() => { log(n) }, []) }",
                "import { useEffect } from 'react'; function A({ id }) { useEffect(() => { load(id) }, []) }",
                "import React from 'react'; const A = ({ id, x }) => { React.useLayoutEffect(() => { load(id, x) }, [id]) }",
            ],
        );
    }

    #[test]
    fn complete_lists_setters_and_waivers() {
        assert_no_findings(
            &RULE,
            "a.jsx",
            &[
                "import { useEffect, useState } from 'react'; function A({ id }) { const [n, setN] = useState(0); useEffect(() => { setN(id) }, [id]) }",
                "import { useEffect } from 'react'; function A({ user }) { useEffect(() => { load(user.id) }, [user.id]) }",
                "import { useEffect } from 'react'; function A({ id }) { // eslint-disable-next-line react-hooks/exhaustive-deps\n useEffect(() => { load(id) }, []) }",
                "import { useEffect } from 'react'; function A() { useEffect(() => { document.title = 'a' }) }",
                "import { useEffect, useState } from 'react'; function A() { const [n, setN] = useState(0); useEffect(() => { if (n > 3) setN(0) }) }",
                "function useEffect(f) {} function A({ id }) { useEffect(() => { load(id) }, []) }",
            ],
        );
    }
}
