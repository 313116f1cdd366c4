//! Values that are taken for granted.

use super::prelude::*;
use crate::rust::calls::{arguments_of, called_method, is_call_of, string_literal};
use crate::rust::macros::macro_name;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unwrap-call",
    aliases: &["clippy:unwrap_used"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "`unwrap` ends the program where a value is missing, and says nothing of why it had to be there.",
    help: "Hand the error on with `?`, or say with `expect` why the value is always there.",
    explanation: "Where the value is missing, the user sees a line of this file and no reason. A function that can \
        fail hands the error on with `?`; where nothing can fail, `expect(\"…\")` says why, and that text \
        is what a reader needs when it does. Left alone are tests, benchmarks, examples and build \
        scripts; locks, which fail only after another panic; and what is decided by the text of the \
        program: patterns, numbers and parts of arrays that are written down.",
    examples: &[Example {
        path: "example.rs",
        bad: r#"pub fn port(settings: &Settings) -> u16 {
    settings.get("port").unwrap().parse().unwrap()
}
"#,
        good: r#"pub fn port(settings: &Settings) -> Result<u16, SettingsError> {
    let text = settings.get("port").ok_or(SettingsError::Missing("port"))?;
    text.parse().map_err(|_| SettingsError::NoNumber("port"))
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_unwrap_call);

/// They fail only when another thread has panicked, or when the text of the program is wrong.
const CERTAIN_METHODS: &[&str] = &[
    "lock",
    "read",
    "write",
    "join",
    "try_into",
    "wait",
    "into_inner",
    "get_mut",
    "write_str",
    "write_fmt",
    "write_char",
    "to_str",
    "fmt",
];
const CERTAIN_CALLS: &[&str] = &[
    "Regex::new",
    "Url::parse",
    "NonZeroU8::new",
    "NonZeroU16::new",
    "NonZeroU32::new",
    "NonZeroU64::new",
    "NonZeroUsize::new",
    "NonZero::new",
    "Layout::from_size_align",
    "Layout::array",
    "Selector::parse",
    "HeaderValue::from_static",
];

fn check_unwrap_call<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some((receiver, "unwrap")) = called_method(context, node) else { return };
    if context.is_aside(node)
        || !arguments_of(node).is_empty()
        || is_certain(context, receiver)
        || is_explained(context, node)
    {
        return;
    }
    let name = field(node, "function").and_then(|function| field(function, "field")).unwrap_or(node);
    out.push(context.report(&RULE, name, "this ends the program without a reason"));
}

fn is_certain<'c>(context: &RustContext<'c>, receiver: Node<'c>) -> bool {
    if let Some((of, method)) = called_method(context, receiver) {
        let takes_literal = arguments_of(receiver).iter().any(|argument| string_literal(context, *argument).is_some());
        let of_literal = string_literal(context, of).is_some() || method == "build" && takes_literal;
        // Locks are taken without an argument; the others with one are other methods.
        let is_lock =
            CERTAIN_METHODS.contains(&method) && (arguments_of(receiver).is_empty() || method.starts_with("write"));
        return is_lock || of_literal;
    }
    match macro_name(context, receiver) {
        // Into a text nothing fails.
        Some("write" | "writeln") => true,
        _ => {
            let arguments = arguments_of(receiver);
            let is_literal = |argument: &Node<'c>| {
                argument.kind().ends_with("_literal") || string_literal(context, *argument).is_some()
            };
            is_call_of(context, receiver, CERTAIN_CALLS) && arguments.iter().any(is_literal)
        }
    }
}

/// True where a comment beside or above says something of the value.
fn is_explained(context: &RustContext<'_>, node: Node<'_>) -> bool {
    let behind =
        context.tree().source_text().get(node.end_byte()..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    behind.contains("//") || !context.comment_above(node).is_empty()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &["fn f(a: Option<u8>) -> u8 { a.unwrap() }", "fn f(a: &str) -> u8 { a.parse::<u8>().unwrap() }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn f(a: &Mutex<u8>) -> u8 { *a.lock().unwrap() }",
                r#"fn f() -> Regex { Regex::new("a+").unwrap() }"#,
                "fn f(a: &[u8]) -> u32 { u32::from_le_bytes(a[..4].try_into().unwrap()) }",
                "#[cfg(test)]
mod tests { fn f(a: Option<u8>) -> u8 { a.unwrap() } }",
                "fn f(a: Option<u8>) -> u8 {
    // The caller has asked before.
    a.unwrap()
}",
                "fn f(a: Option<u8>) -> u8 { a.unwrap_or(1) }",
            ],
        );
    }
}
