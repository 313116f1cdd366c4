//! Words that are read without a bound.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "scanf-without-width",
    aliases: &["cppcheck:invalidscanf", "flawfinder:scanf"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "A word that is longer than its target overwrites what stands behind.",
    help: "Write the width into the format, one less than the target holds: `%31s`.",
    explanation: "`%s` and `%[` read as long as there are letters, wherever the target ends. Only a width in the \
        format stops them: `char name[32]` takes `%31s`.",
    examples: &[Example {
        path: "example.c",
        bad: r#"#include <stdio.h>

int ask(char *name) {
    return scanf("%s", name);
}
"#,
        good: r#"#include <stdio.h>

int ask(char name[32]) {
    return scanf("%31s", name);
}
"#,
    }],
    cwe: Some("CWE-120"),
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["call_expression"], check_scanf_without_width);

fn check_scanf_without_width<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let at = match () {
        () if is_library_call(context, node, &["scanf", "vscanf"]) => 0,
        () if is_library_call(context, node, &["fscanf", "sscanf", "vsscanf"]) => 1,
        () => return,
    };
    let Some(format) = arguments_of(node).get(at).copied().filter(|format| is_literal_text(*format)) else { return };
    if reads_without_width(context.text(format)) && !context.is_test_file() {
        out.push(context.report(&RULE, node, "this reads as many letters as there are"));
    }
}

fn reads_without_width(format: &str) -> bool {
    let mut parts = format.split('%').skip(1).peekable();
    let mut is_sign = false;
    parts.any(|part| {
        // `%%` is a sign of itself.
        let is_written = std::mem::replace(&mut is_sign, part.is_empty());
        !is_written && (part.starts_with('s') || part.starts_with('['))
    })
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
                "int f(char *a) { return scanf(\"%s\", a); }",
                "int f(FILE *i, char *a) { return fscanf(i, \"%d %[a-z]\", &n, a); }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.c",
            &[
                "int f(char *a) { return scanf(\"%31s\", a); }",
                "int f(const char *t) { return sscanf(t, \"%d%%s\", &n); }",
                "int f(const char *t, char **a) { return sscanf(t, \"%ms\", a); }",
            ],
        );
    }
}
