//! Errors that say nothing.

use super::prelude::*;
use crate::rust::context::CrateRole;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unit-error",
    aliases: &["clippy:result_unit_err"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "`Result<_, ()>` says that something failed and not what.",
    help: "Use an error type of its own, or `Option` where nothing more can be said.",
    explanation: "`()` is no error: it cannot be shown, does not work with `?` and `Box<dyn Error>`, and leaves \
        callers to guess. A type with one variant says what happened and can grow; where there is truly \
        nothing to say, `Option` says it shorter.",
    examples: &[Example {
        path: "example.rs",
        bad: "pub fn parse(text: &str) -> Result<Version, ()> {
    split(text).ok_or(())
}
",
        good: "pub fn parse(text: &str) -> Result<Version, ParseVersionError> {
    split(text).ok_or(ParseVersionError)
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["function_item"], check_unit_error);

fn check_unit_error<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(returns) = field(node, "return_type").filter(|_| context.is_public(node) && !context.is_of_trait(node))
    else {
        return;
    };
    let text: String = context.text(returns).split_whitespace().collect();
    let is_result = text.starts_with("Result<")
        || text.starts_with("std::result::Result<")
        || text.starts_with("core::result::Result<");
    if is_result && text.ends_with(",()>") && context.facts.role == CrateRole::Library && !context.is_aside(node) {
        let name = field(node, "name").map_or("", |name| context.text(name));
        out.push(context.report(&RULE, returns, format!("what fails in `{name}` is not said")).anchored(name));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["impl A { pub fn f(&self) -> std::result::Result<u8, ()> { Ok(1) } }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn f() -> Result<u8, ()> { Ok(1) }",
                "pub fn f() -> Result<(), Error> { Ok(()) }",
                "pub fn f() -> Result<()> { Ok(()) }",
            ],
        );
    }
}
