//! A new timer at each turn of a loop.

use super::prelude::*;
use crate::go::calls::is_call_of;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "timer-in-loop",
    aliases: &["staticcheck:SA1015"],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "`time.After` in a loop makes a timer at each turn, and before Go 1.23 each lives until it fires.",
    help: "Make one `time.Timer` before the loop and set it again with `Reset`.",
    explanation: "`select` with `time.After` inside a loop begins a new timer whenever another case was faster. \
        Before Go 1.23 each is kept until its time has come: with a timeout of an hour and a thousand \
        messages a second, memory fills. One timer, set again with `Reset`, does the same.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package feed

import "time"

func read(messages <-chan string) {
	for {
		select {
		case message := <-messages:
			use(message)
		case <-time.After(time.Hour):
			return
		}
	}
}
"#,
        good: r#"package feed

import "time"

func read(messages <-chan string) {
	idle := time.NewTimer(time.Hour)
	defer idle.Stop()
	for {
		select {
		case message := <-messages:
			use(message)
			idle.Reset(time.Hour)
		case <-idle.C:
			return
		}
	}
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_timer_in_loop);

fn check_timer_in_loop<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    // One that is kept under a name is waited for in later turns.
    let is_awaited = context.tree().parent_of(node).is_some_and(|parent| parent.kind() == "unary_expression");
    let is_timer =
        is_awaited && is_call_of(context, node, "time", &["After", "Tick"]) && !context.is_test_file();
    if !is_timer || context.loop_around(node).is_none() {
        return;
    }
    // Alone it is a pause, after which the timer is gone.
    let case = context.tree().ancestors_of(node).find(|at| at.kind() == "communication_case");
    let select = case.and_then(|case| context.tree().parent_of(case));
    let others = select.into_iter().flat_map(named_children).filter(|at| case.is_none_or(|case| case.id() != at.id()));
    // Where every other case ends the function, each timer is waited for.
    if others.into_iter().any(|case| !returns(context, case)) {
        out.push(context.report(&RULE, node, "each turn of the loop makes a timer"));
    }
}

fn returns(context: &GoContext<'_>, case: Node<'_>) -> bool {
    let lists = context.tree().subtree_of(case).find(|at| at.kind() == "statement_list");
    lists.and_then(|list| named_children(list).last()).is_some_and(|last| {
        last.kind() == "return_statement" || last.kind() == "break_statement" && last.named_child_count() == 1
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["import \"time\"\nfunc f() { for { select { case <-a: case <-time.After(1): } } }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"time\"\nfunc f() { select { case <-a: case <-time.After(1): } }",
                "import \"time\"\nfunc f() { for { <-time.After(1) } }",
                "import \"time\"\nfunc f() { all: for { select { case <-quit: break all; case <-time.After(1): } } }",
                "import \"time\"\nfunc f() { for { select { case <-ctx.Done(): return; case <-time.After(1): } } }",
                "import \"time\"\nfunc f() { for { select { case <-a: quiet = time.After(1); case <-quiet: g() } } }",
            ],
        );
    }
}
