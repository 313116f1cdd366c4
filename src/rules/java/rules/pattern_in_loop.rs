//! Patterns that are compiled again and again.

use super::prelude::*;
use crate::java::calls::{arguments_of, is_static_call};
use crate::java::scopes::is_constant;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "pattern-in-loop",
    aliases: &["sonar:S4248", "errorprone:UnnecessaryPattern"],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 400,
    blocking: false,
    summary: "The same pattern is compiled at each turn of a loop.",
    help: "Compile it once, in a `static final` field.",
    explanation: "Compiling a pattern costs far more than matching a short text. One that never changes is \
        compiled once, into a `private static final Pattern`.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"import java.util.regex.Pattern;

class Lines {
    int numbers(java.util.List<String> lines) {
        int count = 0;
        for (String line : lines) {
            if (Pattern.compile("[0-9]+").matcher(line).matches()) {
                count++;
            }
        }
        return count;
    }
}
"#,
        good: r#"import java.util.regex.Pattern;

class Lines {
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    int numbers(java.util.List<String> lines) {
        int count = 0;
        for (String line : lines) {
            if (NUMBER.matcher(line).matches()) {
                count++;
            }
        }
        return count;
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["method_invocation"], check_pattern_in_loop);

fn check_pattern_in_loop<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let compiles = is_static_call(context, node, "Pattern", &["compile", "matches"]);
    let pattern = arguments_of(node).first().copied().filter(|_| compiles && !context.is_test_file());
    if pattern.is_some_and(|pattern| is_constant(context, pattern)) && context.loop_around(node).is_some() {
        out.push(context.report(&RULE, node, "this pattern is compiled at each turn"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f() { while (a) { b(Pattern.matches(\"x+\", c)); } }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "void f() { Pattern p = Pattern.compile(\"x\"); while (a) { p.matcher(b); } }",
            "void f(List<String> all) { for (String one : all) { g(Pattern.compile(one)); } }",
        ]);
    }
}
