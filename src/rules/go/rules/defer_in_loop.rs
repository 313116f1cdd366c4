//! Deferred calls that pile up until a function ends.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "defer-in-loop",
    aliases: &["revive:defer", "gocritic:deferInLoop"],
    category: Category::Performance,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "A deferred call in a loop runs when the function ends, not when the turn does.",
    help: "Move the body of the loop into a function, so that each turn cleans up after itself.",
    explanation: "`defer` belongs to the function, not to the block. In a loop over a thousand files all of them \
        stay open until the function returns, and the limit of the system may come first. Give the body of \
        the loop a function of its own, or close without `defer`.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package merge

import "os"

func Read(paths []string) error {
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		use(file)
	}
	return nil
}
"#,
        good: r#"package merge

import "os"

func Read(paths []string) error {
	for _, path := range paths {
		if err := readOne(path); err != nil {
			return err
		}
	}
	return nil
}

func readOne(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return use(file)
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["defer_statement"], check_defer_in_loop);

fn check_defer_in_loop<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    // A test ends soon, and everything that it opened with it.
    if node.kind() == "defer_statement" && context.loop_around(node).is_some() && !context.is_test_file() {
        out.push(context.report(&RULE, node, "this runs when the function ends, once for each turn of the loop"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &["func f() { for { defer g() } }", "func f() { for _, a := range b { if a { defer g(a) } } }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &["func f() { defer g() }", "func f() { for { func() { defer g() }() } }"]);
    }
}
