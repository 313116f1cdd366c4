//! Changes that are made to nothing.

use super::prelude::*;
use crate::java::calls::called_method;
use crate::java::scopes::declared_type;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "discarded-result",
    aliases: &["spotbugs:RV_RETURN_VALUE_IGNORED", "sonar:S2201", "errorprone:ReturnValueIgnored"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 1_500,
    blocking: false,
    summary: "What this call gives is thrown away, and it does nothing else.",
    help: "Assign the result.",
    explanation: "Texts and big numbers never change: `trim`, `replace` or `add` give a new value and leave the \
        old one as it was. A call whose result nobody takes does nothing.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"class Names {
    String clean(String name) {
        name.trim();
        return name;
    }
}
"#,
        good: r#"class Names {
    String clean(String name) {
        return name.trim();
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["expression_statement"], check_discarded_result);

const OF_TEXT: &[&str] = &[
    "concat", "repeat", "replace", "replaceAll", "replaceFirst", "strip", "substring", "toLowerCase", "toUpperCase", "trim",
];
const OF_NUMBER: &[&str] = &["abs", "add", "divide", "multiply", "negate", "pow", "setScale", "subtract"];

fn check_discarded_result<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let called = named_children(node).next().and_then(|call| called_method(context, call));
    let Some((Some(receiver), name)) = called.filter(|_| !context.is_test_file()) else { return };
    let of = if receiver.kind() == "identifier" { declared_type(context, receiver) } else { None };
    let is_lost = match of {
        Some("String") => OF_TEXT.contains(&name),
        Some("BigDecimal" | "BigInteger") => OF_NUMBER.contains(&name),
        _ => false,
    };
    // In a `try` the call may be there for the exception.
    let is_probe = context.tree().ancestors_of(node).any(|at| at.kind().starts_with("try_"));
    if is_lost && !is_probe {
        out.push(context.report(&RULE, node, format!("`{name}` changes nothing, and its result is lost")));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f(BigDecimal a) { a.add(b); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "void f(StringBuilder a) { a.replace(1, 2, \"b\"); }",
            "void f(List<String> a) { a.add(b); }",
            "void f(String a) { try { a.substring(3); } catch (X e) { g(); } }",
        ]);
    }
}
