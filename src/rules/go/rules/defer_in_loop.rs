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
    let Some(around) = context.loop_around(node) else { return };
    // Over a list and with nothing else in it, a loop is there to have all of them run at the end.
    let is_alone = children_of_kind(around, "range_clause").next().is_some()
        && field(around, "body").is_some_and(|body| {
            let mut lists = context.tree().subtree_of(body).filter(|at| at.kind() == "statement_list");
            lists.all(|list| list.named_child_count() == 1)
        });
    if !(is_alone || context.is_test_file() || ends_function(context, node)) {
        out.push(context.report(&RULE, node, "this runs when the function ends, once for each turn of the loop"));
    }
}

/// True where the statements around end with `return`: there is no further turn.
fn ends_function(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let block = context.tree().parent_of(node);
    let last = block.and_then(|block| named_children(block).last());
    last.is_some_and(|last| last.kind() == "return_statement")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &["func f() { for { defer g() } }", "func f() { for _, a := range b { if a { h(); defer g(a) } } }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &["func f() { defer g() }", "func f() { for { func() { defer g() }() } }", "func f() { for { if a() { defer g(); return } } }",
                "func f(all []io.Closer) { for _, one := range all { defer one.Close() } }"]);
    }
}
