//! What an element looks like from outside and by its tokens.

use tree_sitter::Node;

use crate::body::BodyHash;
use tapps_syntax::tree::node_text;

/// Characters of a signature or doc line.
const LONGEST: usize = 300;

/// The declaration without its body, on one line.
pub(super) fn signature(source: &str, node: Node<'_>) -> String {
    let start = skip_attributes(node).map_or(node.start_byte(), |first| first.start_byte());
    let inner = node.child_by_field_name("body").or_else(|| {
        let of = node
            .child_by_field_name("type")
            .or_else(|| node.named_child(node.named_child_count().checked_sub(1)? as u32));
        of.and_then(|of| of.child_by_field_name("body").or_else(|| (of.kind().ends_with("_list")).then_some(of)))
    });
    let end = inner.map_or(node.end_byte(), |body| body.start_byte()).max(start);
    let head = source.get(start..end).unwrap_or_default();
    let words: Vec<&str> = head.split_whitespace().collect();
    let line = words.join(" ");
    let line = line.trim_end_matches([';', '{', ' ']);
    if line.chars().count() > LONGEST {
        line.chars().take(LONGEST - 1).chain(['…']).collect()
    } else {
        line.to_owned()
    }
}

/// The first child that is neither an attribute nor an annotation.
fn skip_attributes(node: Node<'_>) -> Option<Node<'_>> {
    let first = node.child(0)?;
    if first.kind() != "modifiers" {
        return Some(first);
    }
    (0..first.child_count())
        .filter_map(|at| first.child(at))
        .find(|child| !child.kind().ends_with("annotation"))
        .or(node.child(1))
}

/// The first line with attributes and the comment directly above, and the first line of that comment.
pub(super) fn leading_doc_and_attributes(source: &str, node: Node<'_>) -> (usize, Option<String>, Vec<String>) {
    let mut row = node.start_position().row;
    let (mut doc, mut attributes) = (None, Vec::new());
    let mut at = node.prev_sibling();
    while let Some(before) = at {
        let is_comment = before.kind().contains("comment");
        let is_attribute = before.kind() == "attribute_item";
        // A line comment of Rust that documents ends with its newline.
        let end = before.end_position();
        let end_row = if end.column == 0 { end.row.saturating_sub(1) } else { end.row };
        if !(is_comment || is_attribute) || end_row + 1 < row || before.start_position().row == row {
            break;
        }
        let trailing = before.prev_sibling().is_some_and(|other| {
            other.end_position().row == before.start_position().row && other.end_position().column > 0
        });
        if trailing {
            break;
        }
        row = before.start_position().row;
        if is_comment {
            doc = doc_line(node_text(source, before)).or(doc);
        } else {
            attributes.insert(0, attribute(node_text(source, before)));
        }
        at = before.prev_sibling();
    }
    (row, doc, attributes)
}

fn doc_line(comment: &str) -> Option<String> {
    let lines =
        comment.lines().map(|line| line.trim().trim_start_matches(['/', '*', '!']).trim_end_matches("*/").trim());
    let line = lines.into_iter().find(|line| !line.is_empty())?;
    Some(line.chars().take(LONGEST).collect())
}

/// `#[tokio::test(x)]` → `tokio::test`.
fn attribute(text: &str) -> String {
    let inner = text.trim_start_matches("#[").trim_end_matches(']');
    inner.split(['(', '=', ' ']).next().unwrap_or(inner).trim().to_owned()
}

/// Annotations of a Java declaration.
pub(super) fn annotations(source: &str, node: Node<'_>) -> Vec<String> {
    let Some(modifiers) = node.child(0).filter(|first| first.kind() == "modifiers") else { return Vec::new() };
    let children = (0..modifiers.child_count()).filter_map(|at| modifiers.child(at));
    let annotations = children.filter(|child| child.kind().ends_with("annotation"));
    annotations.filter_map(|child| Some(node_text(source, child.child_by_field_name("name")?).to_owned())).collect()
}

/// The hash of a declaration's tokens without comments and its own name.
pub(super) fn hash(source: &str, node: Node<'_>, name: &str) -> u64 {
    let mut hash = BodyHash::default();
    let mut cursor = node.walk();
    loop {
        let at = cursor.node();
        let passed = at.kind().contains("comment") || at.kind() == "attribute_item";
        if !passed && cursor.goto_first_child() {
            continue;
        }
        if !passed {
            let token = node_text(source, at);
            hash.add_token(if token == name { b"\0name" } else { token.as_bytes() });
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() || cursor.node() == node {
                return hash.finish();
            }
        }
    }
}
