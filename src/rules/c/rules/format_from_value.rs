//! Formats that are values.

use super::prelude::*;
use crate::c::calls::{is_constant_name, without_casts};
use crate::c::scopes::declared_in_function;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "format-from-value",
    aliases: &["gcc:-Wformat-security", "flawfinder:printf"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "A text that is used as a format can read and write the stack.",
    help: "Write the format out: `printf(\"%s\", text)`.",
    explanation: "A `%` in the text makes `printf` take arguments that nobody has handed over: it prints what lies on \
        the stack, and with `%n` it writes. Hand the text over as an argument of a format that stands in the \
        source.",
    examples: &[Example {
        path: "example.c",
        bad: r#"#include <stdio.h>

void tell(const char *text) {
    printf(text);
}
"#,
        good: r#"#include <stdio.h>

void tell(const char *text) {
    printf("%s", text);
}
"#,
    }],
    cwe: Some("CWE-134"),
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["call_expression"], check_format_from_value);

fn check_format_from_value<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let at = match () {
        () if is_library_call(context, node, &["printf", "wprintf"]) => 0,
        () if is_library_call(context, node, &["fprintf", "sprintf", "dprintf", "syslog"]) => 1,
        () if is_library_call(context, node, &["snprintf"]) => 2,
        () => return,
    };
    let arguments = arguments_of(node);
    // With further arguments it is a format that somebody has thought about.
    let Some(format) = arguments.get(at).filter(|_| arguments.len() == at + 1) else { return };
    if is_open(context, *format) && !context.is_test_file() {
        out.push(context.report(&RULE, node, "a value is the format of this call"));
    }
}

fn is_open(context: &CContext<'_>, format: Node<'_>) -> bool {
    let format = without_casts(format);
    match format.kind() {
        "identifier" => !is_constant_name(context.text(format)) && !is_given_literal(context, format),
        "conditional_expression" => ["consequence", "alternative"]
            .iter()
            .filter_map(|side| field(format, side))
            .any(|side| is_open(context, side)),
        // What translates a text keeps its formats.
        "call_expression" => !arguments_of(format).iter().any(|argument| is_literal_text(*argument)),
        "field_expression" | "subscript_expression" => true,
        _ => false,
    }
}

fn is_given_literal(context: &CContext<'_>, name: Node<'_>) -> bool {
    let declared = declared_in_function(context, name, context.text(name));
    declared.and_then(|declared| declared.value()).is_some_and(is_literal_text)
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
            &[
                "void f(const char *a) { printf(a); }",
                "void f(struct m *a) { fprintf(stderr, a->text); }",
                "void f(char *b, const char *a) { snprintf(b, 10, a); }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.c",
            &[
                "void f(const char *a) { printf(\"%s\", a); }",
                "void f(void) { printf(GREETING); printf(_(\"hello\")); }",
                "void f(void) { const char *a = \"hello\"; printf(a); }",
                "void f(const char *a, int b) { printf(a, b); }",
                "void f(int a) { printf(a ? \"x\" : \"y\"); }",
            ],
        );
    }
}
