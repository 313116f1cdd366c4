//! An async function handed to an effect.

use super::prelude::*;
use crate::script::expressions::{Callback, argument};
use crate::script::react::is_effect;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "effect-async",
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 600,
    summary: "React expects a clean-up function or nothing; the promise of an async effect is neither, and its errors are lost.",
    help: "define the async function inside the effect, call it there, and handle its errors",
    cwe: None,
};

pub(super) const RUN: Run = Run::Node(check);

fn check<'c, 'a>(context: &Context<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let AstKind::CallExpression(call) = node.kind() else { return };
    if !context.facts.is_react || !is_effect(context, &call.callee) {
        return;
    }
    if argument(&call.arguments, 0).and_then(Callback::of).is_some_and(Callback::is_async) {
        out.push(context.report(&RULE, call.span, "an effect is an async function"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{clean, found};
    use super::*;

    #[test]
    fn async_effects() {
        found(&RULE, "a.jsx", &["import { useEffect } from 'react'; function A() { useEffect(async () => { await f() }, []) }"]);
    }

    #[test]
    fn async_functions_inside_effects() {
        clean(
            &RULE,
            "a.jsx",
            &[
                "import { useEffect } from 'react'; function A() { useEffect(() => { void (async () => { await f() })() }, []) }",
                "import { useCallback } from 'react'; function A() { useCallback(async () => { await f() }, []) }",
            ],
        );
    }
}
