//! Promises to the compiler that nobody wrote down.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unsafe-without-comment",
    aliases: &["clippy:undocumented_unsafe_blocks"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "An `unsafe` block without a `SAFETY` comment promises something and does not say what.",
    help: "Write `// SAFETY:` above it, and why what it needs holds here.",
    explanation: "In an `unsafe` block the writer promises what the compiler cannot see: that a pointer is valid, \
        that an index is in bounds, that nobody else writes. The next change breaks the promise unless \
        it is written down. The comment stands above the block or as its first line, and one comment may \
        speak for the blocks that follow it at once. Functions that are `unsafe` themselves are left to \
        their documentation.",
    examples: &[Example {
        path: "example.rs",
        bad: "pub fn first(bytes: &[u8]) -> u8 {
    unsafe { *bytes.get_unchecked(0) }
}
",
        good: "pub fn first(bytes: &[u8; 4]) -> u8 {
    // SAFETY: an array of four has a first byte.
    unsafe { *bytes.get_unchecked(0) }
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["unsafe_block", "impl_item"], check_unsafe_without_comment);

/// Lines above a block that a comment may stand on.
const REACH: usize = 8;

fn check_unsafe_without_comment<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_implementation = node.kind() == "impl_item";
    if is_implementation && !context.tree().children_of(node).any(|child| child.kind() == "unsafe") {
        return;
    }
    // What an `unsafe` function may do is said in its documentation.
    let function = context.tree().ancestors_of(node).find(|at| at.kind() == "function_item");
    let is_told =
        function.is_some_and(|function| is_unsafe_function(context, function)) || speaks_of_safety(context, node);
    if !is_told && !context.is_aside(node) {
        let what = if is_implementation { "this implementation" } else { "this block" };
        out.push(context.report(&RULE, node, format!("{what} does not say why it is safe")));
    }
}

fn is_unsafe_function(context: &RustContext<'_>, function: Node<'_>) -> bool {
    children_of_kind(function, "function_modifiers").any(|words| context.text(words).contains("unsafe"))
}

/// True when a comment above the block, above the statement it stands in, a few lines before, or at its beginning speaks of
/// safety. What stands right above an implementation is about it, whatever its words.
fn speaks_of_safety(context: &RustContext<'_>, node: Node<'_>) -> bool {
    const HOLDERS: &[&str] = &["block", "declaration_list", "source_file", "match_block"];
    let inside = context.tree().ancestors_of(node).take_while(|at| !HOLDERS.contains(&at.kind()));
    let statement = inside.last().unwrap_or(node);
    let above = [context.comment_above(node), context.comment_above(statement)];
    if node.kind() == "impl_item" && !above.concat().is_empty() {
        return true;
    }
    let before = context.tree().source_text().get(..node.start_byte()).unwrap_or_default();
    let first = before.lines().count().saturating_sub(REACH + 1);
    let near = before.lines().skip(first).chain(context.text(node).lines().take(4)).map(comment_of_line);
    let mut comments = above.iter().map(String::as_str).chain(near).map(str::to_ascii_lowercase);
    comments.any(|comment| comment.contains("safe") || comment.contains("sound"))
}

/// What a line says behind the sign of a comment.
fn comment_of_line(line: &str) -> &str {
    let is_within = line.trim_start().starts_with('*');
    let at = line.find("//").or_else(|| line.find("/*")).or(if is_within { Some(0) } else { None });
    at.and_then(|at| line.get(at..)).unwrap_or_default()
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
                "fn f(a: *const u8) -> u8 {
    unsafe { *a }
}",
                "unsafe impl Send for A {}",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn f(a: *const u8) -> u8 {
    // SAFETY: it is checked.
    unsafe { *a }
}",
                "/// # Safety
/// The pointer is valid.
unsafe fn f(a: *const u8) -> u8 { unsafe { *a } }",
                "// SAFETY: it holds nothing.
unsafe impl Send for A {}",
                "impl Send for A {}",
                "#[test]
fn f() { unsafe { g() } }",
            ],
        );
    }
}
