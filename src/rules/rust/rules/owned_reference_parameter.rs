//! References to what is a reference already.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "owned-reference-parameter",
    aliases: &["clippy:ptr_arg"],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "A function that takes `&Vec<T>`, `&String` or `&PathBuf` makes its callers own one.",
    help: "Take `&[T]`, `&str` or `&Path`.",
    explanation: "Whoever has a part of a list, or a text that is written down, has to copy it to call the \
        function, which could have read it where it is. A slice takes in all of them, and saves one step \
        to the data.",
    examples: &[Example {
        path: "example.rs",
        bad: "pub fn total(prices: &Vec<u32>) -> u32 {
    prices.iter().sum()
}
",
        good: "pub fn total(prices: &[u32]) -> u32 {
    prices.iter().sum()
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["parameter"], check_owned_reference_parameter);

/// Methods that only the owned type has.
/// Attributes that ask for nothing in particular.
const ASIDE: [&str; 3] = ["inline", "must_use", "allow"];
const OWNED: &[&str] = &[".capacity()", ".clone()", ".as_string()"];

fn check_owned_reference_parameter<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(of) = field(node, "type").filter(|of| of.kind() == "reference_type") else { return };
    if children_of_kind(of, "mutable_specifier").next().is_some() {
        return;
    }
    let inner = field(of, "type").map_or("", |inner| context.text(inner));
    let better = match inner.split('<').next().unwrap_or(inner) {
        "Vec" => "&[T]",
        "String" => "&str",
        "PathBuf" => "&Path",
        _ => return,
    };
    let function = context.tree().ancestors_of(node).nth(1).filter(|function| function.kind() == "function_item");
    let Some(function) = function.filter(|function| !context.is_of_trait(*function) && !context.is_aside(*function))
    else {
        return;
    };
    let name = field(node, "pattern").map_or("", |pattern| context.text(pattern));
    let body = field(function, "body").map_or("", |body| context.text(body));
    // Derived code and macros of others ask for a function with this very type.
    let name_of_function = field(function, "name").map_or("", |name| context.text(name));
    let text = context.tree().source_text();
    let is_asked_for = text.contains(&format!("\"{name_of_function}\""))
        || text.contains(&format!("= {name_of_function}"))
        || !context
            .attributes_of(function)
            .all(|one| ASIDE.iter().any(|name| one.strip_prefix("#[").is_some_and(|rest| rest.starts_with(name))));
    let needs_owned = OWNED.iter().any(|method| body.contains(&format!("{name}{method}")));
    if !is_asked_for && !needs_owned {
        out.push(context.report(&RULE, of, format!("`{better}` would take in more")));
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
            &["fn f(a: &String) -> usize { a.len() }", "impl A { fn f(&self, a: &PathBuf) -> bool { a.exists() } }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn f(a: &str) -> usize { a.len() }",
                "impl T for A { fn f(&self, a: &String) -> usize { a.len() } }",
                "fn f(a: &mut Vec<u8>) { a.push(1) }",
                "fn f(a: &Vec<u8>) -> usize { a.capacity() }",
                r#"#[derive(Serialize)]
struct A { #[serde(skip_serializing_if = "is_empty")] b: Vec<u8> }
fn is_empty(a: &Vec<u8>) -> bool { a.len() == 0 }"#,
            ],
        );
    }
}
