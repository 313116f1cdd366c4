//! A component defined inside another one.

use super::prelude::*;
use crate::script::names::given_name;
use crate::script::react::is_component_name;
use oxc_ast::ast::JSXElementName;
use crate::script::context::is_function;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "component-in-render",
    aliases: &["eslint-plugin-react:no-unstable-nested-components"],
    category: Category::Performance,
    severity: Severity::Medium,
    cost: 600,
    blocking: false,
    summary: "Each render makes a new component, so React throws the old one's elements and state away.",
    help: "move the inner component to the top of the file and pass it what it needs as props",
    explanation: "A component that is defined inside another one is a new component on each render. React cannot match \
        it with the one before, so it throws away its elements and its state and builds everything again: text fields \
        lose their focus. Define it at the top of the file and pass what it needs as props.",
    examples: &[Example {
        path: "example.tsx",
        bad: r#"import { useState } from "react";

export function Counter({ label }: Props) {
  const [count, setCount] = useState(0);
  const Button = () => <button onClick={() => setCount(count + 1)}>{label}</button>;
  return <p>{count} <Button /></p>;
}
"#,
        good: r#"import { useState } from "react";

const Button = ({ label, onClick }: ButtonProps) => <button onClick={onClick}>{label}</button>;

export function Counter({ label }: Props) {
  const [count, setCount] = useState(0);
  return <p>{count} <Button label={label} onClick={() => setCount(count + 1)} /></p>;
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_component_in_render);

fn check_component_in_render<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let AstKind::JSXOpeningElement(element) = node.kind() else { return };
    let JSXElementName::IdentifierReference(name) = &element.name else { return };
    if !context.facts.is_react || !is_component_name(&name.name) {
        return;
    }
    let Some(symbol) = context.symbol(name) else { return };
    let declaration = context.declaration(symbol);
    let is_component = match declaration.kind() {
        AstKind::Function(_) => true,
        AstKind::VariableDeclarator(declarator) => {
            matches!(declarator.init, Some(Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_)))
        }
        AstKind::Class(_) => true,
        _ => false,
    };
    let Some(outer) = context.function_around(declaration.id()) else { return };
    let outer_is_component = is_function(outer.kind())
        && given_name(context.semantic(), outer.id()).is_some_and(|name| is_component_name(&name));
    let used_by_outer = context.function_around(node.id()).is_some_and(|user| user.id() == outer.id());
    if is_component && outer_is_component && used_by_outer {
        let message = format!("the component `{}` is made anew in each render", name.name);
        let finding = context.report(&RULE, context.scoping().symbol_span(symbol), message);
        if !out.contains(&finding) {
            out.push(finding);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn components_in_components() {
        assert_one_finding_each(
            &RULE,
            "a.jsx",
            &[
                "function A() { const B = () => <p />; return <div><B /><B /></div> }",
                "const A = () => { function B() { return <p /> } return <B /> }",
            ],
        );
    }

    #[test]
    fn components_at_the_top_and_plain_calls() {
        assert_no_findings(
            &RULE,
            "a.jsx",
            &[
                "const B = () => <p />; function A() { return <B /> }",
                "function A() { const row = () => <p />; return <div>{row()}</div> }",
                "function A() { const B = useMemo(() => () => <p />, []); return <B /> }",
                "function make() { const B = () => <p />; return () => <B /> }",
                "function A({ as }) { const B = as; return <B /> }",
                "test('x', () => { const B = () => <p />; render(<B />) })",
            ],
        );
    }
}
