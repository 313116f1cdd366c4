//! Unsafe functions that do not say what they ask for.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "missing-safety-section",
    aliases: &["clippy:missing_safety_doc"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 400,
    blocking: false,
    summary: "A public `unsafe fn` without a section about safety asks its callers for a promise they cannot \
        know.",
    help: "Add `# Safety` to its documentation, and what callers have to see to.",
    explanation: "Who calls an `unsafe` function promises that what it needs holds. Without a section `# Safety` \
        in its documentation they can only read the body, and the next change of the body breaks a \
        promise that nobody remembers.",
    examples: &[Example {
        path: "example.rs",
        bad: "/// Reads the number at a place.
pub unsafe fn read_at(place: *const u32) -> u32 {
    // SAFETY: the caller sees to it.
    unsafe { place.read() }
}
",
        good: "/// Reads the number at a place.
///
/// # Safety
/// `place` is valid for reads and aligned.
pub unsafe fn read_at(place: *const u32) -> u32 {
    // SAFETY: the caller sees to it.
    unsafe { place.read() }
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["function_item"], check_missing_safety_section);

fn check_missing_safety_section<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let modifiers = children_of_kind(node, "function_modifiers").next().map_or("", |words| context.text(words));
    let is_open = modifiers.contains("unsafe")
        && context.is_public(node)
        && !context.is_of_trait(node)
        && !context.is_aside(node);
    // What a compiler's intrinsic needs, its name says; what C calls, its header does.
    let is_foreign = modifiers.contains("extern")
        || context.attributes_of(node).any(|one| one.contains("doc(hidden)") || one.contains("target_feature"));
    // A function without any documentation is one that nobody outside is meant to call.
    let documentation = context.documentation_of(node).to_ascii_lowercase();
    let is_told = documentation.is_empty()
        || documentation.contains("safety")
        || context.comment_above(node).to_ascii_lowercase().contains("safety");
    if is_open && !is_foreign && !is_told {
        let name = field(node, "name").map_or("", |name| context.text(name));
        out.push(context.report(&RULE, node, format!("`{name}` does not say what its callers promise")).anchored(name));
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
            &[
                "/// Does it.
pub unsafe fn f(a: *const u8) {}",
                "impl A { /// Does it.
pub unsafe fn f(&self) {} }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "unsafe fn f(a: *const u8) {}",
                "pub(crate) unsafe fn f(a: *const u8) {}",
                "pub unsafe fn f(a: *const u8) {}",
                "/// Does it.
///
/// # Safety
///
/// It is valid.
#[inline]
pub unsafe fn f(a: *const u8) {}",
                "pub fn f() {}",
            ],
        );
    }
}
