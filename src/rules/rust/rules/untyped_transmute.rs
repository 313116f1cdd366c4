//! Bits that are taken for whatever type is asked for.

use super::prelude::*;
use crate::rust::calls::is_call_of;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "untyped-transmute",
    aliases: &["clippy:missing_transmute_annotations"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1000,
    blocking: false,
    summary: "A `transmute` without its types turns into another one when a type near it changes.",
    help: "Write both types (`transmute::<From, To>`), or use a cast, `to_bits`, `from_ne_bytes` or \
        `cast()`.",
    explanation: "`transmute` takes the bits of a value for a value of another type, and only their sizes are \
        compared. When its types are inferred, a change somewhere else makes it another conversion, and \
        the compiler says nothing. With both types beside it, such a change is an error. For most \
        conversions there is a function that needs no `unsafe`.",
    examples: &[Example {
        path: "example.rs",
        bad: "use std::mem;

pub fn state_of(number: u8) -> State {
    // SAFETY: every number below four is a state.
    unsafe { mem::transmute(number & 3) }
}
",
        good: "pub fn state_of(number: u8) -> State {
    match number & 3 {
        0 => State::Idle,
        1 => State::Ready,
        2 => State::Running,
        _ => State::Done,
    }
}
",
    }],
    cwe: Some("CWE-704"),
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_untyped_transmute);

fn check_untyped_transmute<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let has_types = field(node, "function").is_some_and(|function| function.kind() == "generic_function");
    // A `let` with a type says at least what it becomes.
    let mut around = context.tree().ancestors_of(node).take_while(|at| {
        at.kind() != "block" || context.tree().parent_of(*at).is_some_and(|of| of.kind() == "unsafe_block")
    });
    let is_declared = around.any(|at| at.kind() == "let_declaration" && field(at, "type").is_some());
    if is_call_of(context, node, &["mem::transmute"]) && !has_types && !is_declared && !context.is_test_code(node) {
        out.push(context.report(&RULE, node, "the types of this `transmute` are inferred"));
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
            &["use std::mem::transmute;
fn f(a: &A) -> &'static A { unsafe { transmute(a) } }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn f(a: &A) -> &'static A { unsafe { std::mem::transmute::<&A, &'static A>(a) } }",
                "fn f(a: [u8; 4]) { let b: u32 = unsafe { std::mem::transmute(a) }; }",
            ],
        );
    }
}
