//! Values that are read before they are written.

use super::prelude::*;
use crate::rust::calls::{arguments_of, called_method, is_call_of};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "uninitialized-memory",
    aliases: &["clippy:uninit_assumed_init", "clippy:uninit_vec", "rustc:invalid_value"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3000,
    blocking: false,
    summary: "Memory that nothing was written to is taken for a value, which is undefined behaviour.",
    help: "Write the value first, or keep it in `MaybeUninit` until it is written.",
    explanation: "Whatever the memory held before is no value of the type: a `bool` of 17, a reference to nowhere, \
        the key of somebody else. The compiler assumes that this does not happen, and what it makes of \
        it is anything. `MaybeUninit` holds what is not yet written; `vec![0; n]` and `resize` write it \
        at the cost of one pass.",
    examples: &[Example {
        path: "example.rs",
        bad: "pub fn read_all(source: &mut impl Source, length: usize) -> Vec<u8> {
    let mut buffer = Vec::with_capacity(length);
    // SAFETY: the capacity was asked for.
    unsafe { buffer.set_len(length) };
    source.fill(&mut buffer);
    buffer
}
",
        good: "pub fn read_all(source: &mut impl Source, length: usize) -> Vec<u8> {
    let mut buffer = vec![0; length];
    source.fill(&mut buffer);
    buffer
}
",
    }],
    cwe: Some("CWE-908"),
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_uninitialized_memory);

fn check_uninitialized_memory<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if is_call_of(context, node, &["mem::uninitialized"]) {
        out.push(context.report(&RULE, node, "nothing was written to this value"));
        return;
    }
    match called_method(context, node) {
        Some((receiver, "assume_init"))
            if is_call_of(context, receiver, &["MaybeUninit::uninit"]) && !is_array_of_places(context, node) =>
        {
            out.push(context.report(&RULE, node, "nothing was written to this value"));
        }
        Some((receiver, "set_len")) if receiver.kind() == "identifier" && is_only_reserved(context, receiver, node) => {
            out.push(context.report(&RULE, node, format!("nothing was written to `{}`", context.text(receiver))));
        }
        _ => {}
    }
}

/// An array of `MaybeUninit` may hold anything.
fn is_array_of_places(context: &RustContext<'_>, call: Node<'_>) -> bool {
    let around = context.tree().ancestors_of(call).find(|at| matches!(at.kind(), "let_declaration" | "function_item"));
    context.text(call).contains("MaybeUninit<")
        || around
            .filter(|at| at.kind() == "let_declaration")
            .is_some_and(|at| field(at, "type").is_some_and(|of| context.text(of).contains("MaybeUninit")))
}

/// True for a vector that was made with a capacity and is not mentioned until its length is set.
fn is_only_reserved<'c>(context: &RustContext<'c>, name: Node<'c>, call: Node<'c>) -> bool {
    let Some(declaration) = local_declaration_of(context, name) else { return false };
    let is_reserved =
        field(declaration, "value").is_some_and(|value| is_call_of(context, value, &["Vec::with_capacity"]));
    let wanted = context.text(name);
    let between = context.tree().source_text().get(declaration.end_byte()..call.start_byte()).unwrap_or_default();
    let length = arguments_of(call).first().map_or("", |length| context.text(*length));
    is_reserved
        && length != "0"
        && !between.split(|sign: char| !sign.is_alphanumeric() && sign != '_').any(|word| word == wanted)
}

/// The `let` or `let mut` that declares a name before a place.
fn local_declaration_of<'c>(context: &RustContext<'c>, name: Node<'_>) -> Option<Node<'c>> {
    crate::rust::scopes::local_declaration(context, name)
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
                "fn f() -> A { unsafe { std::mem::uninitialized() } }",
                "use std::mem::MaybeUninit;
fn f() -> bool { unsafe { MaybeUninit::uninit().assume_init() } }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "use std::mem::MaybeUninit;
fn f() -> A { let mut a = MaybeUninit::uninit(); g(a.as_mut_ptr()); unsafe { a.assume_init() } }",
                "fn f(n: usize) -> Vec<u8> { let mut a = Vec::with_capacity(n); g(a.as_mut_ptr()); unsafe { a.set_len(n) }; a }",
                "fn f() { let a: [MaybeUninit<u8>; 4] = unsafe { MaybeUninit::uninit().assume_init() }; }",
            ],
        );
    }
}
