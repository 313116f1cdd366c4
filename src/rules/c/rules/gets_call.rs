//! Lines that are read without a bound.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "gets-call",
    aliases: &["cppcheck:getsCalled", "flawfinder:gets", "clang-tidy:clang-analyzer-security.insecureAPI.gets"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A line that is longer than its buffer overwrites what stands behind.",
    help: "Use `fgets` with the size of the buffer, or `getline`.",
    explanation: "Nothing tells `gets` how large its buffer is, so that whoever writes the line decides what it \
        overwrites. The function has been taken out of the language in 2011. Read with `fgets(buffer, sizeof \
        buffer, stdin)`.",
    examples: &[Example {
        path: "example.c",
        bad: r#"#include <stdio.h>

void ask(char *name) {
    gets(name);
}
"#,
        good: r#"#include <stdio.h>

void ask(char *name, int size) {
    fgets(name, size, stdin);
}
"#,
    }],
    cwe: Some("CWE-242"),
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["call_expression"], check_gets_call);

fn check_gets_call<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if is_library_call(context, node, &["gets", "_getws"]) && arguments_of(node).len() == 1 {
        out.push(context.report(&RULE, node, "the line may be longer than the buffer"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found_in(&RULE, "example.c", &["void f(char *a) { gets(a); }", "char *f(char *a) { return gets(a); }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.c",
            &["void f(char *a) { fgets(a, 10, stdin); }", "void f(Reader *r) { r->gets(r); }"],
        );
    }
}
