//! Expectations that say nothing.

use super::prelude::*;
use crate::rust::calls::{arguments_of, called_method, string_literal};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "expect-without-reason",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "The text of an `expect` is all that is told when it fails, and this one tells nothing.",
    help: "Say why the value is there, as a sentence.",
    explanation: "`expect` exists for its text: it is what the user sends in and what the reader of the code \
        needs. An empty text, or a word such as \"failed\", makes it an `unwrap` that is longer. Say what \
        holds and why: \"the manifest was checked when it was read\".",
    examples: &[Example {
        path: "example.rs",
        bad: r#"pub fn manifest(files: &Files) -> &Manifest {
    files.manifest().expect("failed")
}
"#,
        good: r#"pub fn manifest(files: &Files) -> &Manifest {
    files.manifest().expect("the manifest was checked when the files were opened")
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_expect_without_reason);

/// Texts that say no more than that something failed.
const EMPTY: &[&str] = &[
    "",
    "error",
    "expect",
    "fail",
    "failed",
    "failure",
    "fixme",
    "impossible",
    "oops",
    "todo",
    "unexpected",
    "unwrap",
    "xxx",
    "wtf",
];

fn check_expect_without_reason<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some((_, "expect")) = called_method(context, node) else { return };
    let arguments = arguments_of(node);
    let [text] = arguments.as_slice() else { return };
    let said =
        string_literal(context, *text).map(|text| text.trim().trim_end_matches(['.', '!', '?']).to_ascii_lowercase());
    if said.is_some_and(|said| EMPTY.contains(&said.as_str())) && !context.is_aside(node) {
        out.push(context.report(&RULE, *text, "this text says nothing of why the value is there"));
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
            &[r#"fn f(a: Option<u8>) -> u8 { a.expect("") }"#, r#"fn f(a: Option<u8>) -> u8 { a.expect("Error!") }"#],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"fn f(a: Option<u8>) -> u8 { a.expect("the caller asks for a number first") }"#,
                "fn f(a: &mut Parser) -> u8 { a.expect(Token::Comma) }",
                r#"#[test]
fn f() { a.expect("failed"); }"#,
            ],
        );
    }
}
