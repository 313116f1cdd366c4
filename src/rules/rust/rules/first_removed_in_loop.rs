//! Lists that move all of their elements at each turn.

use super::prelude::*;
use crate::rust::calls::{arguments_of, called_method};
use crate::rust::scopes::{declared_type, local_declaration};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "first-removed-in-loop",
    aliases: &[],
    category: Category::Performance,
    severity: Severity::Medium,
    cost: 600,
    blocking: false,
    summary: "Taking the first element of a list moves all others, at each turn of the loop.",
    help: "Use a `VecDeque` and `pop_front`, or `drain(..)`.",
    explanation: "The elements of a `Vec` stand one behind the other: `remove(0)` and `insert(0, …)` move each of \
        the others by one place. In a loop over a thousand elements that is half a million moves. A \
        `VecDeque` takes and adds at both ends; `drain(..)` takes all in order.",
    examples: &[Example {
        path: "example.rs",
        bad: "pub fn run(mut jobs: Vec<Job>) {
    while !jobs.is_empty() {
        jobs.remove(0).run();
    }
}
",
        good: "pub fn run(mut jobs: VecDeque<Job>) {
    while let Some(job) = jobs.pop_front() {
        job.run();
    }
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_first_removed_in_loop);

fn check_first_removed_in_loop<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some((receiver, method)) = called_method(context, node) else { return };
    let arguments = arguments_of(node);
    let first = arguments.first().map_or("", |argument| context.text(*argument));
    let moves =
        first == "0" && (method == "remove" && arguments.len() == 1 || method == "insert" && arguments.len() == 2);
    let Some(around) = context.loop_around(node).filter(|_| moves && !context.is_aside(node)) else { return };
    // A list that is made at each turn, and one of another kind, are not meant.
    let name = context.text(receiver).trim_start_matches("self.");
    let declaration = (receiver.kind() == "identifier").then(|| local_declaration(context, receiver)).flatten();
    let is_of_turn = declaration.is_some_and(|declared| declared.start_byte() > around.start_byte());
    let of = declared_type(context, receiver).unwrap_or_default();
    let made = declaration.and_then(|declared| field(declared, "value")).map_or("", |value| context.text(value));
    let is_other = ["Deque", "Map", "Small", "Set"].iter().any(|kind| of.contains(kind) || made.contains(kind));
    if !is_of_turn && !is_other && leaves_no_turn(context, node, around) {
        out.push(context.report(&RULE, node, format!("all of `{name}` moves at each turn")));
    }
}

/// False where the loop ends with the call: it then happens once.
fn leaves_no_turn<'c>(context: &RustContext<'c>, node: Node<'c>, around: Node<'c>) -> bool {
    let block =
        context.tree().ancestors_of(node).take_while(|at| at.id() != around.id()).find(|at| at.kind() == "block");
    let mut statements = block.into_iter().flat_map(named_children).filter(|statement| {
        statement.start_byte() >= node.start_byte() || statement.byte_range().contains(&node.start_byte())
    });
    !statements.any(|statement| {
        let text = context.text(statement);
        text.starts_with("break") || text.starts_with("return")
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["fn f(mut a: Vec<u8>) { for b in c { a.insert(0, b); } }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn f(mut a: Vec<u8>) { a.remove(0); }",
                "fn f(mut a: VecDeque<u8>) { for b in c { a.insert(0, b); } }",
                "fn f(mut a: Vec<u8>) { loop { if g() { a.remove(0); break; } } }",
                "fn f(mut a: HashMap<u8, u8>) { for b in c { a.remove(0); } }",
            ],
        );
    }
}
