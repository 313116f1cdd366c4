//! An async function handed to an effect.

use super::prelude::*;
use crate::script::expressions::{Callback, plain_argument};
use crate::script::react::is_effect;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "effect-async",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 600,
    blocking: false,
    summary: "React expects a clean-up function or nothing; the promise of an async effect is neither, and its errors are lost.",
    help: "define the async function inside the effect, call it there, and handle its errors",
    explanation: "React takes what an effect returns as its clean-up function. An async function returns a promise \
        instead: nothing is ever cleaned up, and an error inside it is lost. Define the async function within the \
        effect, call it there and handle its errors.",
    examples: &[Example {
        path: "example.tsx",
        bad: r#"import { useEffect, useState } from "react";

export function User({ id }: Props) {
  const [user, setUser] = useState(null);
  useEffect(async () => {
    setUser(await load(id));
  }, [id]);
  return <p>{user}</p>;
}
"#,
        good: r#"import { useEffect, useState } from "react";

export function User({ id }: Props) {
  const [user, setUser] = useState(null);
  useEffect(() => {
    load(id).then(setUser, report);
  }, [id]);
  return <p>{user}</p>;
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_effect_async);

fn check_effect_async<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let AstKind::CallExpression(call) = node.kind() else { return };
    if !context.facts.is_react || !is_effect(context, &call.callee) {
        return;
    }
    if plain_argument(&call.arguments, 0).and_then(Callback::from_expression).is_some_and(Callback::is_async) {
        out.push(context.report(&RULE, call.span, "an effect is an async function"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn async_effects() {
        assert_one_finding_each(&RULE, "a.jsx", &["import { useEffect } from 'react'; function A() { useEffect(async () => { await f() }, []) }"]);
    }

    #[test]
    fn async_functions_inside_effects() {
        assert_no_findings(
            &RULE,
            "a.jsx",
            &[
                "import { useEffect } from 'react'; function A() { useEffect(() => { void (async () => { await f() })() }, []) }",
                "import { useCallback } from 'react'; function A() { useCallback(async () => { await f() }, []) }",
            ],
        );
    }
}
