//! Texts that are compared by where they stand.

use super::prelude::*;
use crate::c::scopes::declared_in_function;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "text-compared-by-address",
    aliases: &["gcc:-Waddress", "cppcheck:literalWithCharPtrCompare"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "This compares addresses; texts with the same letters are not equal.",
    help: "Use `strcmp(a, b) == 0`.",
    explanation: "A text in quotes is an address. `name == \"all\"` asks whether `name` stands at the very place where \
        the compiler has put that text, which is true by chance at most.",
    examples: &[Example {
        path: "example.c",
        bad: r#"int wants_all(const char *name) {
    return name == "all";
}
"#,
        good: r#"#include <string.h>

int wants_all(const char *name) {
    return strcmp(name, "all") == 0;
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["binary_expression"], check_text_compared_by_address);

fn check_text_compared_by_address<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !matches!(operator_of(node), Some("==" | "!=")) {
        return;
    }
    let (Some(left), Some(right)) = (field(node, "left"), field(node, "right")) else { return };
    let other = match (is_literal_text(left), is_literal_text(right)) {
        (true, false) => right,
        (false, true) => left,
        _ => return,
    };
    // In C++ objects compare their letters.
    let is_address = || {
        let name = context.text(other);
        let declared = declared_in_function(context, other, name);
        declared.is_some_and(|declared| {
            (declared.is_pointer() || declared.is_array()) && declared.type_text(context).contains("char")
        })
    };
    if other.kind() == "identifier" && is_address() {
        out.push(context.report(&RULE, node, "this compares addresses, not letters"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found_in(
            &RULE,
            "example.c",
            &["int f(const char *a) { return a == \"x\"; }", "int f(void) { char a[9]; g(a); return \"x\" != a; }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.c",
            &[
                "int f(const char *a) { return strcmp(a, \"x\") == 0; }",
                "int f(const char *a) { return a == NULL; }",
                "int f(int a) { return a == B; }",
            ],
        );
    }
}
