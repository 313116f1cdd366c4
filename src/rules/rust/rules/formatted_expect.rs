//! Texts that are made in case something fails.

use super::prelude::*;
use crate::rust::calls::{arguments_of, called_method, without_borrows};
use crate::rust::macros::macro_name;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "formatted-expect",
    aliases: &["clippy:expect_fun_call"],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "The text is put together each time, and used only where the value is missing.",
    help: "Use `unwrap_or_else(|error| panic!(…))`, or a fixed text.",
    explanation: "The argument of `expect` is computed before the call: `format!` asks for memory and writes the \
        text, also where all is well, which is nearly always.",
    examples: &[Example {
        path: "example.rs",
        bad: r#"pub fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).expect(&format!("cannot read {}", path.display()))
}
"#,
        good: r#"pub fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_formatted_expect);

fn check_formatted_expect<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some((_, "expect" | "expect_err")) = called_method(context, node) else { return };
    let is_made = arguments_of(node)
        .first()
        .is_some_and(|text| macro_name(context, without_borrows(context, *text)) == Some("format"));
    if is_made && !context.is_aside(node) {
        out.push(context.report(&RULE, node, "this text is put together each time"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[r#"fn f(a: Option<u8>) -> u8 { a.expect(format!("{} is there", 1).as_str()) }"#]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"fn f(a: Option<u8>) -> u8 { a.expect("it is there") }"#,
                r#"#[test]
fn f() { a.expect(&format!("{b}")); }"#,
            ],
        );
    }
}
