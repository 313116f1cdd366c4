//! Conversions that work in one direction.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "into-implementation",
    aliases: &["clippy:from_over_into"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "A type that implements `Into` cannot be used where `From` is asked for, and the other way round \
        it can.",
    help: "Implement `From` for the other type; `Into` comes with it.",
    explanation: "`From<A> for B` gives `Into<B> for A` for free; `Into<B> for A` gives nothing back. \
        `B::from(a)`, `?` and `map(B::from)` need `From`.",
    examples: &[Example {
        path: "example.rs",
        bad: "impl Into<String> for Name {
    fn into(self) -> String {
        self.text
    }
}
",
        good: "impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.text
    }
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["impl_item"], check_into_implementation);

fn check_into_implementation<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(of_trait) = field(node, "trait").map(|of| context.text(of)) else { return };
    let Some(target) = of_trait.strip_prefix("Into<").or_else(|| of_trait.strip_prefix("std::convert::Into<")) else {
        return;
    };
    // For one's own generic type over a foreign one, `From` may be forbidden.
    let is_generic = field(node, "type_parameters").is_some();
    if !is_generic && !context.is_aside(node) {
        out.push(context.report(&RULE, node, format!("`From` would give `Into<{target}` as well", target = target)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["impl Into<u8> for A { fn into(self) -> u8 { 1 } }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "impl From<A> for u8 { fn from(a: A) -> u8 { 1 } }",
                "impl<T> Into<Vec<T>> for A<T> { fn into(self) -> Vec<T> { self.0 } }",
            ],
        );
    }
}
