//! Pointers into values that are gone.

use super::prelude::*;
use crate::rust::calls::{called_method, is_call_of, is_method_of};
use crate::rust::macros::macro_name;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "dangling-pointer",
    aliases: &["rustc:dangling_pointers_from_temporaries"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3000,
    blocking: false,
    summary: "The pointer leads into a value that is freed at the end of its statement.",
    help: "Keep the value in a variable for as long as the pointer is used.",
    explanation: "A value that has no name lives until the end of its statement. A pointer taken from it leads to \
        freed memory from then on: C reads what stands there by then. Give the value a name, so that it \
        lives to the end of the block.",
    examples: &[Example {
        path: "example.rs",
        bad: "use std::ffi::CString;

pub fn open(name: &str) -> Handle {
    let name = CString::new(name).unwrap_or_default().as_ptr();
    // SAFETY: the name ends with a zero.
    unsafe { open_handle(name) }
}
",
        good: "use std::ffi::CString;

pub fn open(name: &str) -> Handle {
    let name = CString::new(name).unwrap_or_default();
    // SAFETY: the name ends with a zero and lives until the call is over.
    unsafe { open_handle(name.as_ptr()) }
}
",
    }],
    cwe: Some("CWE-416"),
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["let_declaration"], check_dangling_pointer);

const MAKERS: &[&str] = &["CString::new", "String::from", "Vec::from", "Box::new"];

fn check_dangling_pointer<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(value) = field(node, "value") else { return };
    let Some((receiver, "as_ptr" | "as_mut_ptr")) = called_method(context, value) else { return };
    // Behind `unwrap` and its like the value is still the one that was made there.
    let mut made = receiver;
    while let Some((inner, "unwrap" | "expect" | "unwrap_or_default")) = called_method(context, made) {
        made = inner;
    }
    let is_fresh = is_call_of(context, made, MAKERS)
        || is_method_of(context, made, &["to_string", "to_vec", "to_owned", "into_bytes"])
        || matches!(macro_name(context, made), Some("format" | "vec"));
    if is_fresh {
        out.push(context.report(&RULE, value, "what this points into is freed at the end of the statement"));
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
                r#"fn f() { let p = format!("{}\0", a).as_ptr(); g(p); }"#,
                r#"use std::ffi::CString;
fn f() { let p = CString::new("a").unwrap().as_ptr(); g(p); }"#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn f(a: &CString) { let p = a.as_ptr(); g(p); }",
                r#"fn f() { g(CString::new("a").unwrap().as_ptr()); }"#,
            ],
        );
    }
}
