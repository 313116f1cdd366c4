//! Objects that exist already.

use super::prelude::*;
use crate::java::calls::{arguments_of, created_type};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "boxing-constructor",
    aliases: &["sonar:S2129", "pmd:PrimitiveWrapperInstantiation", "spotbugs:DM_NUMBER_CTOR", "spotbugs:DM_STRING_CTOR"],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 150,
    blocking: false,
    summary: "A new object is made of a value that is there already.",
    help: "Use `valueOf`, or the value itself.",
    explanation: "`new Integer(1)` and `new String(\"a\")` make an object at each call, and these constructors \
        are to be removed. `Integer.valueOf` takes small numbers from a table, and a literal is a text already.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"class Ids {
    Integer first() {
        return new Integer(1);
    }
}
"#,
        good: r#"class Ids {
    Integer first() {
        return 1;
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["object_creation_expression"], check_boxing_constructor);

const BOXES: &[&str] = &["Boolean", "Byte", "Character", "Double", "Float", "Integer", "Long", "Short"];

fn check_boxing_constructor<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(made) = created_type(context, node).filter(|_| !context.is_test_file()) else { return };
    // `Token.Character` is a class of somebody else.
    if field(node, "type").is_none_or(|of| of.kind() != "type_identifier") {
        return;
    }
    let arguments = arguments_of(node);
    let is_text = made == "String" && arguments.first().is_none_or(|first| first.kind() == "string_literal") && arguments.len() < 2;
    if BOXES.contains(&made) && arguments.len() == 1 || is_text {
        out.push(context.report(&RULE, node, format!("a new `{made}` of a value that is there already")));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "Object f() { return new String(\"a\"); }",
            "Object f(long a) { return new Long(a); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "Object f(char[] a) { return new String(a); }",
            "Object f() { return Integer.valueOf(1); }",
            "Object f(char a) { return new Token.Character(a); }",
        ]);
    }
}
