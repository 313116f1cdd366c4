//! Values whose end never runs.

use super::prelude::*;
use crate::rust::calls::{arguments_of, is_call_of};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "forgotten-value",
    aliases: &["clippy:mem_forget"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "`mem::forget` keeps the end of a value from running: files stay open, memory is never freed.",
    help: "Use `ManuallyDrop`, `into_raw`, or a method that gives the value away.",
    explanation: "`forget` takes a value and does not drop it. What it owns is lost, and a panic between the \
        moment a part was taken out and the call drops it twice. `ManuallyDrop` says before the first \
        step that the value is not dropped; `into_raw` and its like hand over what is inside.",
    examples: &[Example {
        path: "example.rs",
        bad: "pub fn into_address(buffer: Vec<u8>) -> *const u8 {
    let address = buffer.as_ptr();
    std::mem::forget(buffer);
    address
}
",
        good: "use std::mem::ManuallyDrop;

pub fn into_address(buffer: Vec<u8>) -> *const u8 {
    ManuallyDrop::new(buffer).as_ptr()
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_forgotten_value);

fn check_forgotten_value<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    // A guard that is made to be disarmed is forgotten on purpose.
    let argument = arguments_of(node).first().map_or("", |argument| context.text(*argument));
    let is_guard = ["guard", "bomb", "abort", "defer", "self", "drop"]
        .iter()
        .any(|word| argument.to_ascii_lowercase().contains(word));
    // In unsafe code it is how ownership is taken over.
    let is_of_pointers = context.text_around(node).contains("unsafe");
    if is_call_of(context, node, &["mem::forget"])
        && !is_guard
        && !is_of_pointers
        && context.comment_above(node).is_empty()
        && !context.is_aside(node)
    {
        out.push(context.report(&RULE, node, format!("`{argument}` is never dropped")));
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
            &["use std::mem;
fn f(a: Vec<u8>) { mem::forget(a); }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn f(guard: Guard) { std::mem::forget(guard); }",
                "impl A { fn f(self) -> u8 { let a = self.0; std::mem::forget(self); a } }",
                "fn f(a: Vec<u8>) { forget(a); }",
            ],
        );
    }
}
