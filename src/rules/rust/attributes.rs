//! Attributes and documentation before items, and the attributes that silence lints.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use tapps_syntax::nodes::Node;

use super::context::RustContext;
use crate::suppression::{Suppression, SuppressionKind, SuppressionScope, reason_of_words};
use crate::tree::nodes::{SyntaxTree, field, is_comment};

/// What stands before an item.
#[derive(Debug)]
pub(crate) struct ItemHead<'t> {
    pub(crate) item: Node<'t>,
    pub(crate) attributes: Vec<Node<'t>>,
    /// Bytes of the comments of documentation.
    pub(crate) documentation: Option<Range<usize>>,
}

/// The heads of all items, fields, variants, arms and statements that have one.
pub(super) fn read_item_heads<'t>(tree: &SyntaxTree<'t>) -> HashMap<usize, ItemHead<'t>> {
    let mut heads = HashMap::new();
    for holder in tree.all_nodes().filter(|node| node.named_child_count() > 1) {
        let (mut attributes, mut documentation): (Vec<Node<'t>>, Option<Range<usize>>) = (Vec::new(), None);
        for child in tree.children_of(holder).filter(Node::is_named) {
            if child.kind() == "attribute_item" {
                attributes.push(child);
            } else if is_comment(child) {
                if field(child, "outer").is_some() {
                    let start = documentation.map_or(child.start_byte(), |known| known.start);
                    documentation = Some(start..child.end_byte());
                }
            } else {
                let (attributes, documentation) = (std::mem::take(&mut attributes), documentation.take());
                if !attributes.is_empty() || documentation.is_some() {
                    heads.insert(child.id(), ItemHead { item: child, attributes, documentation });
                }
            }
        }
    }
    heads
}

/// True for an attribute that makes its item a test or something that only tests compile.
pub(super) fn is_test_attribute(attribute: &str) -> bool {
    let inside = attribute.trim_start_matches(['#', '!', '[']).trim();
    let name = inside.split(['(', ']', ' ', '=']).next().unwrap_or_default();
    let last = name.rsplit("::").next().unwrap_or(name);
    if name == "cfg" {
        return TEST_CONDITION.as_ref().is_some_and(|condition| condition.is_match(inside))
            && !inside.contains("not(test");
    }
    matches!(last, "test" | "bench" | "rstest" | "test_case" | "quickcheck" | "wasm_bindgen_test" | "proptest")
}

/// `test` as a condition of its own, or a feature that is named after tests.
static TEST_CONDITION: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"[(,\s]test\s*[),]|feature\s*=\s*"[^"]*\btest|\b(?:fuzzing|kani|loom|miri)\b"#).ok());

/// `allow(a, b, reason = "c")` and `expect(…)`, with the lints and the reason.
static LINT_ATTRIBUTE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"\b(?:allow|expect)\s*\((?<lints>[\w:\s,]*?)(?:,?\s*reason\s*=\s*"(?<reason>[^"]*)")?\s*,?\s*\)"#).ok()
});

/// The attributes that silence lints of rustc and clippy.
pub(super) fn lint_attributes(context: &RustContext<'_>) -> Vec<Suppression> {
    let Some(pattern) = LINT_ATTRIBUTE.as_ref() else { return Vec::new() };
    let kinds = ["attribute_item", "inner_attribute_item"];
    let attributes = context.tree().all_nodes().filter(|node| kinds.contains(&node.kind()));
    let to_suppression = |attribute: Node<'_>| {
        let found = pattern.captures(context.text(attribute))?;
        let is_inner = attribute.kind() == "inner_attribute_item";
        let is_of_file = is_inner && context.tree().parent_of(attribute).is_some_and(|at| at.kind() == "source_file");
        let lints = found.name("lints").map_or("", |lints| lints.as_str()).split(',').map(str::trim);
        // Those name no lint: they hide whatever there is.
        let is_named = |lint: &&str| !matches!(*lint, "" | "warnings" | "clippy::all");
        let said = found.name("reason").map(|reason| reason.as_str().to_owned());
        let above = || reason_of_words(&context.comment_above(attribute));
        let start = attribute.start_byte();
        Some(Suppression {
            kind: SuppressionKind::LintAttribute,
            tool: None,
            scope: if is_of_file { SuppressionScope::File } else { SuppressionScope::Line },
            line: context.place_of(attribute).0,
            rules: lints.filter(is_named).map(str::to_owned).collect(),
            reason: said.filter(|said| !said.is_empty()).or_else(above),
            // No rule that is asked here listens to it, so there is nothing to silence.
            bytes: start..start,
        })
    };
    attributes.filter_map(to_suppression).collect()
}

#[cfg(test)]
mod tests {
    use super::is_test_attribute;

    #[test]
    fn attributes_of_tests() {
        for (attribute, expected) in [
            ("#[test]", true),
            ("#[tokio::test(flavor = \"multi_thread\")]", true),
            ("#[rstest]", true),
            ("#[cfg(test)]", true),
            ("#![cfg(test)]", true),
            ("#[cfg(any(test, feature = \"x\"))]", true),
            ("#[cfg(all(test, unix))]", true),
            ("#[cfg(feature = \"test-util\")]", true),
            ("#[cfg(not(test))]", false),
            ("#[cfg(unix)]", false),
            ("#[cfg(feature = \"latest\")]", false),
            ("#[derive(Debug)]", false),
            ("#[test_attribute_of_others]", false),
        ] {
            assert_eq!(is_test_attribute(attribute), expected, "{attribute}");
        }
    }
}
