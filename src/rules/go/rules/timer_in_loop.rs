//! A new timer at each turn of a loop.

use super::prelude::*;
use crate::go::calls::is_call_of;
use crate::words::split_identifier_words;

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
        messages a second, memory fills. One timer, set again with `Reset`, does the same. Said only where a \
        `go.mod` above the file asks for a version before 1.23.",
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

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["select_statement"], check_timer_in_loop);

/// Words of what is waited for once, at the end.
const ENDINGS: &[&str] = &[
    "abort", "cancel", "canceled", "cancelled", "close", "closed", "ctx", "die", "done", "end", "ended", "exit",
    "finish", "finished", "kill", "killed", "quit", "shutdown", "stop", "stopped", "stopping", "term",
];

fn check_timer_in_loop<'c>(context: &GoContext<'c>, select: Node<'c>, out: &mut Vec<Finding>) {
    if context.is_beyond_advice() || !context.loop_around(select).is_some_and(may_go_on) {
        return;
    }
    if leads_out(context, select) {
        return;
    }
    let cases: Vec<Node<'c>> = children_of_kind(select, "communication_case").collect();
    // Alone it is a pause, and where every other case ends the wait, each timer is waited for.
    let busy: Vec<usize> = cases.iter().filter(|case| !ends_wait(context, **case)).map(Node::id).take(2).collect();
    for case in &cases {
        let timer = awaited_timer(context, *case);
        if let Some(timer) = timer.filter(|_| busy.iter().any(|other| *other != case.id())) {
            out.push(context.report(&RULE, timer, "each turn of the loop makes a timer"));
        }
    }
}

/// The timer that a case makes and waits for. One that is kept under a name is waited for in later turns.
fn awaited_timer<'c>(context: &GoContext<'c>, case: Node<'c>) -> Option<Node<'c>> {
    let communication = field(case, "communication")?;
    let mut parts = context.tree().subtree_of(communication);
    parts.find(|at| {
        let is_awaited = context.tree().parent_of(*at).is_some_and(|parent| parent.kind() == "unary_expression");
        is_awaited && is_call_of(context, *at, "time", &["After", "Tick"])
    })
}

/// True for loops that turn as long as there is something to do; those over a list, and those that count, turn a few times.
fn may_go_on(around: Node<'_>) -> bool {
    let counts = |head: Node<'_>| head.kind() == "for_clause" && field(head, "update").is_some();
    let mut heads = named_children(around);
    !heads.any(|head| head.kind() == "range_clause" || counts(head))
}

/// True where what follows a statement, in a list inside of the loop, ends the function or the loop.
fn leads_out(context: &GoContext<'_>, select: Node<'_>) -> bool {
    let mut lists = context.tree().ancestors_of(select).take_while(|at| at.kind() != "for_statement");
    lists.any(|list| context.mentions().returning.contains(&list.id()))
}

/// True for a case after which the loop is over, or that comes once: it returns, or waits for an end.
fn ends_wait(context: &GoContext<'_>, case: Node<'_>) -> bool {
    let awaited = field(case, "communication").map_or("", |it| context.text(it));
    let words = awaited.split(|c: char| !c.is_ascii_alphanumeric()).flat_map(split_identifier_words);
    words.into_iter().any(|word| ENDINGS.contains(&word.as_str())) || returns(context, case)
}

fn returns(context: &GoContext<'_>, case: Node<'_>) -> bool {
    let lists = context.tree().children_of(case).find(|at| at.kind() == "statement_list");
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
        assert_found(
            &RULE,
            &[
                "import \"time\"\nfunc f() { for { select { case <-a: case <-time.After(1): } } }",
                "import \"time\"\nfunc f() { for g() { select { case b := <-a: h(b); case <-time.After(1): return } } }",
                "import \"time\"\nfunc f() { for { b := <-a; select { case c <- b: case <-time.After(1): case <-quit: } } }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"time\"\nfunc f() { select { case <-a: case <-time.After(1): } }",
                "import \"time\"\nfunc f() { for { <-time.After(1) } }",
                "import \"time\"\nfunc f() { for { if g() { select { case <-s.stopCh: case <-time.After(1): } } } }",
                "import \"time\"\nfunc f() { for _, b := range all { select { case <-b: case <-time.After(1): } } }",
                "import \"time\"\nfunc f() { for i := 0; i < 9; i++ { select { case <-a: case <-time.After(1): } } }",
                "import \"time\"\nfunc f() { for { if g() { select { case <-a: case <-time.After(1): }; return } } }",
                "import \"time\"\nfunc f() { all: for { select { case <-quit: break all; case <-time.After(1): } } }",
                "import \"time\"\nfunc f() { for { select { case <-ctx.Done(): return; case <-time.After(1): } } }",
                "import \"time\"\nfunc f() { for { select { case <-a: quiet = time.After(1); case <-quiet: g() } } }",
            ],
        );
    }
}
