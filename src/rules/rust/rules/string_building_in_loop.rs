//! Texts that grow by a copy of themselves.

use super::prelude::*;
use crate::rust::macros::{formatted_text, macro_name};
use crate::rust::scopes::local_declaration;

pub use crate::common::string_building_in_loop::RULE;

/// What differs in Rust.
const IN_RUST: Rule = Rule { help: "Use `push_str`, or `write!` into the text.", ..RULE };

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["assignment_expression"], check_string_building_in_loop);

fn check_string_building_in_loop<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let (Some(left), Some(right)) = (field(node, "left"), field(node, "right")) else { return };
    let Some(around) = context.loop_around(node).filter(|_| left.kind() == "identifier" && !context.is_aside(node))
    else {
        return;
    };
    // One that begins anew at each turn stays short.
    let is_of_turn =
        local_declaration(context, left).is_some_and(|declared| declared.start_byte() > around.start_byte());
    let name = context.text(left);
    let Some(text) = formatted_text(context, right).filter(|_| macro_name(context, right) == Some("format")) else {
        return;
    };
    if !is_of_turn && text.pieces.first().is_some_and(String::is_empty) && text.values.first() == Some(&name) {
        out.push(context.report(&IN_RUST, node, format!("`{name}` is copied at each turn")));
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
                r#"fn f(a: &[&str]) -> String { let mut s = String::new(); while let Some(b) = g() { s = format!("{}{}", s, b); } s }"#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn f(a: &[&str]) -> String { let mut s = String::new(); for b in a { s += b; } s }",
                r#"fn f(a: &[&str]) { for b in a { let mut s = String::new(); s = format!("{s}{b}"); g(s); } }"#,
                r#"fn f(a: &[&str]) { let mut s = String::new(); for b in a { s = format!("{b}"); g(&s); } }"#,
            ],
        );
    }
}
