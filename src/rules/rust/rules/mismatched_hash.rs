//! Equal values with different hashes.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "mismatched-hash",
    aliases: &["clippy:derived_hash_with_manual_eq"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 1000,
    blocking: false,
    summary: "`Hash` is derived and `PartialEq` is written by hand, so equal values may have different hashes.",
    help: "Write `Hash` by hand as well, over what `eq` compares.",
    explanation: "Maps and sets look a value up by its hash first: two values that are equal and hash differently \
        are both kept, and one of them is never found again. A derived `Hash` takes in all fields; an \
        `eq` by hand compares what it likes. Write both over the same fields, or derive both.",
    examples: &[Example {
        path: "example.rs",
        bad: "#[derive(Hash)]
pub struct Name {
    text: String,
    line: u32,
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}
",
        good: "pub struct Name {
    text: String,
    line: u32,
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["impl_item"], check_mismatched_hash);

fn check_mismatched_hash<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    // With other types it may be compared as it likes.
    let (Some(of_trait), Some(of)) = (field(node, "trait"), field(node, "type")) else { return };
    if context.text(of_trait) != "PartialEq" || context.is_aside(node) {
        return;
    }
    let name = context.text(of).split('<').next().unwrap_or_default().trim();
    let is_declared = |at: &Node<'c>| {
        matches!(at.kind(), "struct_item" | "enum_item")
            && field(*at, "name").is_some_and(|it| context.text(it) == name)
    };
    let Some(declared) = context.tree().all_nodes().find(is_declared) else { return };
    let derives_hash = context.attributes_of(declared).any(|one| {
        one.contains("derive")
            && one.split(|sign: char| !sign.is_alphanumeric() && sign != '_').any(|word| word == "Hash")
    });
    if derives_hash {
        out.push(context.report(&RULE, node, format!("`{name}` derives `Hash`, and compares by hand")).anchored(name));
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
            &["#[derive(Clone, Hash, Eq)]
enum A { B(u8) }
impl PartialEq for A { fn eq(&self, _: &A) -> bool { true } }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "#[derive(Clone, Hash, PartialEq, Eq)]
enum A { B(u8) }",
                "#[derive(Clone)]
enum A { B(u8) }
impl PartialEq for A { fn eq(&self, _: &A) -> bool { true } }",
                "#[derive(Hash, PartialEq)]
struct A(u8);
impl PartialEq<u8> for A { fn eq(&self, _: &u8) -> bool { true } }",
            ],
        );
    }
}
