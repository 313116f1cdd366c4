//! Texts of a value that ask for the text of the value.

use super::prelude::*;
use crate::rust::calls::called_method;
use crate::rust::macros::{formatted_text, macro_name};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "recursive-display",
    aliases: &["clippy:recursive_format_impl"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 2000,
    blocking: false,
    summary: "Showing the value calls itself without end.",
    help: "Show the fields, or what the value wraps.",
    explanation: "`write!(f, \"{}\", self)` in `Display` calls the same `fmt` again, until the stack is full. So \
        does `self.to_string()`. Show a field, or what `self` leads to (`**self`).",
    examples: &[Example {
        path: "example.rs",
        bad: r#"impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self)
    }
}
"#,
        good: r#"impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.text)
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["macro_invocation", "call_expression"], check_recursive_display);

fn check_recursive_display<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let mut around = context.tree().ancestors_of(node);
    let Some(implementation) = around.find(|at| matches!(at.kind(), "impl_item" | "closure_expression")) else {
        return;
    };
    let of_trait = field(implementation, "trait").map_or("", |of| context.text(of));
    let is_debug = of_trait.ends_with("Debug");
    if !is_debug && !of_trait.ends_with("Display") {
        return;
    }
    let calls_itself = match called_method(context, node) {
        Some((receiver, "to_string")) => !is_debug && context.text(receiver) == "self",
        _ => {
            matches!(macro_name(context, node), Some("write" | "writeln" | "format"))
                && shows_itself(context, node, is_debug)
        }
    };
    if calls_itself {
        out.push(context.report(&RULE, node, "this calls itself without end"));
    }
}

/// True for a format that shows `self` by the trait at hand: `{}` of `Display`, `{:?}` of `Debug`.
fn shows_itself(context: &RustContext<'_>, node: Node<'_>, is_debug: bool) -> bool {
    let Some(text) =
        formatted_text(context, node).filter(|text| text.values.iter().any(|value| matches!(*value, "self" | "&self")))
    else {
        return false;
    };
    let literal = context.text(node);
    let debug_places = literal.matches(":?}").count() + literal.matches(":#?}").count();
    // With places of both kinds it is not told which one shows it.
    if is_debug { debug_places == text.values.len() } else { debug_places == 0 && !literal.contains(":x") }
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
                "impl Display for A { fn fmt(&self, f: &mut F) -> R { f.write_str(&self.to_string()) } }",
                r#"impl fmt::Debug for A { fn fmt(&self, f: &mut F) -> R { write!(f, "{self:?}") } }"#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"impl Display for A { fn fmt(&self, f: &mut F) -> R { write!(f, "{:?}", self) } }"#,
                r#"impl Debug for A { fn fmt(&self, f: &mut F) -> R { write!(f, "{}", self) } }"#,
                r#"impl Display for A { fn fmt(&self, f: &mut F) -> R { write!(f, "{}", self.0) } }"#,
            ],
        );
    }
}
