//! React state changed in place.

use super::prelude::*;
use crate::script::expressions::{identifier_of, member_parts};
use crate::script::react::StateOf;
use oxc_ast::ast::{AssignmentTarget, IdentifierReference, SimpleAssignmentTarget};
use oxc_syntax::operator::UnaryOperator;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "state-mutation",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "React compares state by identity: a change in place is not rendered and shows in old renders.",
    help: "make a changed copy and hand it to the setter",
    explanation: "React asks whether state is another object than before. A list that was changed in place is the same \
        object, so nothing is rendered, and earlier renders that still hold it show the new content. Make a changed \
        copy and hand that to the setter.",
    examples: &[Example {
        path: "example.tsx",
        bad: r#"import { useState } from "react";

export function Basket() {
  const [items, setItems] = useState<string[]>([]);
  const add = (item: string) => {
    items.push(item);
    setItems(items);
  };
  return <button onClick={() => add("book")}>{items.length}</button>;
}
"#,
        good: r#"import { useState } from "react";

export function Basket() {
  const [items, setItems] = useState<string[]>([]);
  const add = (item: string) => {
    setItems([...items, item]);
  };
  return <button onClick={() => add("book")}>{items.length}</button>;
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_state_mutation);

const MUTATORS: &[&str] = &["copyWithin", "fill", "pop", "push", "reverse", "shift", "sort", "splice", "unshift"];

fn check_state_mutation<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    if !context.facts.is_react {
        return;
    }
    let name = match node.kind() {
        AstKind::CallExpression(call) => {
            let Some((object, method)) = member_parts(&call.callee) else { return };
            if !MUTATORS.contains(&method) {
                return;
            }
            identifier_of(object)
        }
        AstKind::AssignmentExpression(assignment) => match &assignment.left {
            AssignmentTarget::StaticMemberExpression(member) => identifier_of(&member.object),
            AssignmentTarget::ComputedMemberExpression(member) => identifier_of(&member.object),
            _ => None,
        },
        AstKind::UpdateExpression(update) => match &update.argument {
            SimpleAssignmentTarget::StaticMemberExpression(member) => identifier_of(&member.object),
            SimpleAssignmentTarget::ComputedMemberExpression(member) => identifier_of(&member.object),
            _ => None,
        },
        AstKind::UnaryExpression(unary) if unary.operator == UnaryOperator::Delete => {
            unary.argument.get_member_expr().and_then(|member| identifier_of(member.object()))
        }
        _ => None,
    };
    if let Some(name) = name.filter(|name| is_state(context, name)) {
        let message = format!("the state `{}` is changed in place", name.name);
        out.push(context.report(&RULE, node.kind().span(), message));
    }
}

/// A value of `useState`, unless it holds an object with methods of its own.
fn is_state(context: &ScriptContext<'_, '_>, name: &IdentifierReference<'_>) -> bool {
    context.symbol(name).and_then(|symbol| StateOf::of_symbol(context, symbol)).is_some_and(|state| state.is_plain && !state.is_setter)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn changes_in_place() {
        assert_one_finding_each(
            &RULE,
            "a.jsx",
            &[
                "import { useState } from 'react'; function A() { const [list, setList] = useState([]); list.push(1) }",
                "import { useState } from 'react'; function A() { const [user, setUser] = useState({}); user.name = 'x' }",
                "import React from 'react'; function A() { const [n] = React.useState({}); delete n.a }",
                "import { useState } from 'react'; function A() { const [n, set] = useState({}); n.count++ }",
                "import { useState } from 'react'; function A() { const [l, set] = useState([]); const s = l.sort() }",
            ],
        );
    }

    #[test]
    fn copies_and_other_objects() {
        assert_no_findings(
            &RULE,
            "a.jsx",
            &[
                "import { useState } from 'react'; function A() { const [list, set] = useState([]); set([...list, 1]) }",
                "import { useState } from 'react'; function A() { const [list, set] = useState([]); const c = [...list]; c.push(1) }",
                "import { useState } from 'react'; function A() { const [store] = useState(() => new Store()); store.x = 1 }",
                "import { useRef } from 'react'; function A() { const list = useRef([]); list.current.push(1) }",
                "import { useState } from 'react'; function A() { const [l, set] = useState([]); l.slice().sort() }",
            ],
        );
    }
}
