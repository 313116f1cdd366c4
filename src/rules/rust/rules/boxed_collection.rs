//! Boxes around what is on the heap already.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "boxed-collection",
    aliases: &["clippy:box_collection"],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "A `Box` around a `Vec`, `String` or map is a second step to the same data.",
    help: "Leave the `Box` out, or use `Box<[T]>` or `Box<str>`.",
    explanation: "A `Vec` is a pointer to its elements; a box of it is a pointer to that pointer. Each use takes \
        one step more, and making it asks for memory twice. `Box<[T]>` and `Box<str>` are smaller than \
        the owned type, where that is the aim.",
    examples: &[Example {
        path: "example.rs",
        bad: "pub struct Page {
    lines: Box<Vec<String>>,
}
",
        good: "pub struct Page {
    lines: Vec<String>,
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["generic_type"], check_boxed_collection);

const OWNING: &[&str] = &["BTreeMap", "BTreeSet", "HashMap", "HashSet", "String", "Vec", "VecDeque"];

fn check_boxed_collection<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_box = field(node, "type").is_some_and(|of| context.text(of) == "Box");
    let Some(inner) = field(node, "type_arguments").filter(|_| is_box).and_then(|list| named_children(list).next())
    else {
        return;
    };
    let name = if inner.kind() == "generic_type" { field(inner, "type") } else { Some(inner) };
    let name = name.map_or("", |name| context.text(name));
    // In a variant of an enum, the box keeps the others small; a parameter is what a caller has.
    let mut around = context.tree().ancestors_of(node);
    let holder =
        around.find(|at| matches!(at.kind(), "field_declaration" | "enum_variant" | "function_item" | "impl_item"));
    let is_field = holder.is_some_and(|holder| {
        holder.kind() == "field_declaration"
            && !context.tree().ancestors_of(holder).any(|at| at.kind() == "enum_variant")
    });
    if OWNING.contains(&name) && is_field && !context.is_aside(node) {
        out.push(context.report(&RULE, node, format!("`{name}` is on the heap already")));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["struct A { b: Option<Box<String>> }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "struct A { b: Box<str>, c: Vec<u8> }",
                "enum A { B(Box<Vec<u8>>), C { d: Box<String> } }",
                "fn f(a: Box<Vec<u8>>) {}",
            ],
        );
    }
}
