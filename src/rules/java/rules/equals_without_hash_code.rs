//! Objects that are equal and have different hashes.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "equals-without-hash-code",
    aliases: &["spotbugs:HE_EQUALS_NO_HASHCODE", "checkstyle:EqualsHashCode", "pmd:OverrideBothEqualsAndHashcode", "sonar:S1206"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "A class says when its objects are equal, and not what their hash is.",
    help: "Write `hashCode` from the same fields, or make the class a record.",
    explanation: "Hash maps and sets look for an object under its hash first. Two objects that are equal and \
        have different hashes are both kept, and one is not found by the other. Write `hashCode` from the fields \
        that `equals` compares.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"class Point {
    int x;

    @Override
    public boolean equals(Object other) {
        return other instanceof Point && ((Point) other).x == x;
    }
}
"#,
        good: r#"class Point {
    int x;

    @Override
    public boolean equals(Object other) {
        return other instanceof Point && ((Point) other).x == x;
    }

    @Override
    public int hashCode() {
        return Integer.hashCode(x);
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["class_body"], check_equals_without_hash_code);

fn check_equals_without_hash_code<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_class = context.tree().parent_of(node).is_some_and(|parent| parent.kind() == "class_declaration");
    if !is_class || context.is_test_file() {
        return;
    }
    let method = |wanted: &str, types: &[&str]| {
        children_of_kind(node, "method_declaration").find(|method| {
            let parameters = field(*method, "parameters").into_iter().flat_map(named_children);
            let of: Vec<&str> = parameters.filter_map(|one| field(one, "type")).map(|of| context.text(of)).collect();
            field(*method, "name").is_some_and(|name| context.text(name) == wanted) && of == types
        })
    };
    let Some(equals) = method("equals", &["Object"]) else { return };
    // One that only asks for identity, or the class above, changes nothing.
    let body = field(equals, "body").map_or("", |body| context.text(body));
    let is_plain = body.contains("super.equals(") || body.contains("throw ") || !body.contains("instanceof") && !body.contains("getClass");
    if method("hashCode", &[]).is_none() && !is_plain {
        out.push(context.report(&RULE, equals, "equal objects may have different hashes"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "public boolean equals(Object o) { return o instanceof A a && a.b == b; }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "public boolean equals(Object o) { return this == o; }",
            "public boolean equals(A o) { return o instanceof A; }",
            "public boolean equals(Object o) { return super.equals(o) && o instanceof A; }",
        ]);
    }
}
