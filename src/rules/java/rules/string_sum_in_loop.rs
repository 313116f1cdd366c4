//! Texts that grow by a copy of themselves.

use super::prelude::*;
use crate::java::scopes::{declared_type, local_declaration};
use crate::tree::nodes::operator_of;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "string-sum-in-loop",
    aliases: &["spotbugs:SBSC_USE_STRINGBUFFER_CONCATENATION", "sonar:S1643", "pmd:UseStringBufferForStringAppends"],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "A text that grows by `+=` in a loop is copied whole at each turn.",
    help: "Use a `StringBuilder`.",
    explanation: "Texts cannot be changed, so each `+=` makes a new one and copies what was there. Over a \
        thousand turns that is half a million copies of the parts. A `StringBuilder` grows in place; \
        `String.join` does for what is in a collection already.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"class Lines {
    String join(java.util.List<String> parts) {
        String text = "";
        for (String part : parts) {
            text += part + ";";
        }
        return text;
    }
}
"#,
        good: r#"class Lines {
    String join(java.util.List<String> parts) {
        StringBuilder text = new StringBuilder();
        for (String part : parts) {
            text.append(part).append(';');
        }
        return text.toString();
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["assignment_expression"], check_string_sum_in_loop);

fn check_string_sum_in_loop<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let (Some(around), Some(name)) = (context.loop_around(node), field(node, "left").filter(|left| left.kind() == "identifier")) else {
        return;
    };
    let grows = operator_of(node) == Some("+=") || operator_of(node) == Some("=") && begins_with(context, node, context.text(name));
    let declaration = local_declaration(context, name, context.text(name));
    // One that begins anew at each turn stays short.
    let is_outer = declaration.is_some_and(|declaration| declaration.start_byte() < around.start_byte());
    if grows && is_outer && declared_type(context, name) == Some("String") && !ends_loop(context, node) && !context.is_test_file() {
        out.push(context.report(&RULE, node, format!("`{}` is copied at each turn", context.text(name))));
    }
}

/// `text = text + …`.
fn begins_with(context: &JavaContext<'_>, assignment: Node<'_>, name: &str) -> bool {
    let mut at = field(assignment, "right");
    while let Some(sum) = at.filter(|sum| sum.kind() == "binary_expression" && operator_of(*sum) == Some("+")) {
        at = field(sum, "left");
        if at.is_some_and(|left| context.text(left) == name) {
            return true;
        }
    }
    false
}

/// True when the loop ends behind the statement, so that it runs once.
fn ends_loop(context: &JavaContext<'_>, node: Node<'_>) -> bool {
    let statement = context.tree().parent_of(node);
    let next = statement.and_then(|statement| statement.next_named_sibling());
    next.is_some_and(|next| matches!(next.kind(), "break_statement" | "return_statement"))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "String f(int n) { String s = \"\"; while (n > 0) { s = s + \"a\"; n--; } return s; }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "int f(int[] a) { int n = 0; for (int b : a) { n += b; } return n; }",
            "void f(String[] a) { for (String b : a) { String s = \"\"; s += b; g(s); } }",
            "void f() { String s = \"a\"; s += \"b\"; g(s); }",
        ]);
    }
}
