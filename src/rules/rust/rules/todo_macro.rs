//! Code that is not there yet.

use super::prelude::*;
use crate::rust::macros::{macro_arguments, macro_name};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "todo-macro",
    aliases: &["clippy:todo", "clippy:unimplemented"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "`todo!()` ends the program wherever it is reached.",
    help: "Write the code, or return an error that says that it is not supported.",
    explanation: "`todo!()` compiles as whatever type is asked for, so nothing tells that a part is missing until \
        a user gets there. Write the part, or return an error. A reason in the call \
        (`unimplemented!(\"windows only\")`) says that it is missing on purpose, and is left alone.",
    examples: &[Example {
        path: "example.rs",
        bad: "pub fn area(shape: &Shape) -> f64 {
    match shape {
        Shape::Square(side) => side * side,
        Shape::Circle(_) => todo!(),
    }
}
",
        good: "pub fn area(shape: &Shape) -> f64 {
    match shape {
        Shape::Square(side) => side * side,
        Shape::Circle(radius) => radius * radius * std::f64::consts::PI,
    }
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["macro_invocation"], check_todo_macro);

fn check_todo_macro<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_missing = match macro_name(context, node) {
        Some("todo") => true,
        Some("unimplemented") => macro_arguments(context, node).is_empty(),
        _ => false,
    };
    if is_missing && !context.is_aside(node) {
        out.push(context.report(&RULE, node, "the code that belongs here is not written"));
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
            &["fn f() -> u8 { todo!() }", r#"fn f() -> u8 { todo!("the rest") }"#, "fn f() -> u8 { unimplemented!() }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"fn f() -> u8 { unimplemented!("on Windows") }"#,
                "#[cfg(test)]
mod tests { fn f() -> u8 { todo!() } }",
            ],
        );
    }
}
