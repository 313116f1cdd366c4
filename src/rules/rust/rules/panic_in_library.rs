//! Libraries that end the program of their users.

use super::prelude::*;
use crate::rust::context::CrateRole;
use crate::rust::macros::macro_name;

pub use crate::common::panic_in_library::RULE;

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["macro_invocation"], check_panic_in_library);

fn check_panic_in_library<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if macro_name(context, node) != Some("panic") || context.facts.role != CrateRole::Library || context.is_aside(node)
    {
        return;
    }
    let Some(function) = context.tree().ancestors_of(node).find(|at| at.kind() == "function_item") else { return };
    let returns = field(function, "return_type").map_or("", |of| context.text(of));
    // Documentation with a section about it tells callers what they must not do.
    let is_told = context.documentation_of(function).contains("# Panics");
    if returns.contains("Result<") && context.is_public(function) && !is_told {
        let name = field(function, "name").map_or("", |name| context.text(name));
        out.push(context.report(&RULE, node, format!("`{name}` returns errors and panics here")));
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
            &["impl A { pub fn f(&self) -> io::Result<()> { match self { A::B => Ok(()), _ => panic!() } } }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"fn f() -> Result<(), E> { panic!("no") }"#,
                r#"pub fn f() -> u8 { panic!("no") }"#,
                r#"/// Does it.
///
/// # Panics
/// When it is too late.
pub fn f() -> Result<(), E> { panic!("no") }"#,
                r#"#[cfg(test)]
mod tests { pub fn f() -> Result<(), E> { panic!("no") } }"#,
            ],
        );
    }
}
