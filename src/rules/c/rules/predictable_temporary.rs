//! Names of temporary files that can be guessed.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "predictable-temporary",
    aliases: &["flawfinder:tmpnam", "flawfinder:mktemp", "clang-tidy:clang-analyzer-security.insecureAPI.mktemp"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "Between the name and the file somebody else may put a file of that name.",
    help: "Use `mkstemp`, which makes the file and opens it at once.",
    explanation: "`tmpnam`, `tempnam` and `mktemp` only say a name that is free now. Until the file is opened, another \
        user can put a link there that leads to a file of yours. `mkstemp` and `tmpfile` make the file \
        themselves.",
    examples: &[Example {
        path: "example.c",
        bad: r#"#include <stdio.h>

FILE *scratch(void) {
    return fopen(tmpnam(NULL), "w");
}
"#,
        good: r#"#include <stdio.h>

FILE *scratch(void) {
    return tmpfile();
}
"#,
    }],
    cwe: Some("CWE-377"),
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["call_expression"], check_predictable_temporary);

fn check_predictable_temporary<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if is_library_call(context, node, &["tmpnam", "tmpnam_r", "tempnam", "mktemp", "_mktemp"])
        && !context.is_test_file()
    {
        out.push(context.report(&RULE, node, "the name can be taken before the file is there"));
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
            &["char *f(void) { return tmpnam(NULL); }", "char *f(char *a) { return mktemp(a); }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.c",
            &["int f(char *a) { return mkstemp(a); }", "FILE *f(void) { return tmpfile(); }"],
        );
    }
}
