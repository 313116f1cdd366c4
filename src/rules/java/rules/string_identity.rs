//! Texts compared by where they lie in memory.

use super::prelude::*;
use crate::java::scopes::{declared_type, is_constant_name};
use crate::tree::nodes::operator_of;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "string-identity",
    aliases: &["spotbugs:ES_COMPARING_STRINGS_WITH_EQ", "pmd:UseEqualsToCompareStrings", "sonar:S4973", "errorprone:ReferenceEquality"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 1_500,
    blocking: false,
    summary: "`==` asks whether two texts are one object, not whether they say the same.",
    help: "Use `equals`, or `Objects.equals` where one may be null.",
    explanation: "Two texts with the same letters are often two objects, and then `==` says no: it works in a \
        test with literals and fails with what a user types. Use `equals`. A look at identity before `equals` in \
        the same condition is left alone.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"class Door {
    boolean opens(String word) {
        return word == "sesame";
    }
}
"#,
        good: r#"class Door {
    boolean opens(String word) {
        return "sesame".equals(word);
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["binary_expression"], check_string_identity);

fn check_string_identity<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !matches!(operator_of(node), Some("==" | "!=")) || context.is_test_file() {
        return;
    }
    let sides: Vec<Node<'c>> = ["left", "right"].into_iter().filter_map(|side| field(node, side)).collect();
    let is_literal = |side: &Node<'c>| side.kind() == "string_literal";
    let is_text = |side: &Node<'c>| {
        is_literal(side) || side.kind() == "identifier" && declared_type(context, *side) == Some("String")
    };
    let compares = sides.iter().any(is_literal) && sides.iter().all(|side| side.kind() != "null_literal") || sides.len() == 2 && sides.iter().all(is_text);
    // Identity first is quick, and `equals` decides. A constant may stand for what no caller has.
    let around = context.text_around(node);
    let decides = sides.iter().any(|side| {
        let name = context.text(*side);
        let is_asked = [".equals", ".compareTo"].iter().any(|method| around.contains(&format!("{name}{method}")));
        is_asked || ["equals(", "equalsIgnoreCase("].iter().any(|call| around.contains(&format!("{call}{name}")))
            // Whoever asks for null as well knows that these are references.
            || around.contains(&format!("{name} == null"))
    });
    let is_sentinel = sides.iter().any(|side| !is_literal(side) && is_constant_name(context.text(*side)));
    if compares && !decides && !is_sentinel {
        out.push(context.report(&RULE, node, "this compares two objects, not what they say"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "boolean f(String a, String b) { return a == b; }",
            "String name;\nvoid f() { if (name != \"x\") { g(); } }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "boolean f(String a) { return a == null; }",
            "boolean f(String a, String b) { return a == b || a != null && a.equals(b); }",
            "boolean f(int a, int b) { return a == b; }",
            "static final String NONE = \"\";\nboolean f(String a) { return a == NONE; }",
            "boolean f(String a, String b) { if (a == b) { return true; } return a != null && a.equals(b); }",
            "boolean f(String a, Object b) { return a == b; }",
        ]);
    }
}
