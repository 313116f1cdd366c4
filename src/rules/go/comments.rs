//! What comments say of the code beside and below them.

use tapps_syntax::nodes::Node;

use super::context::GoContext;

/// Lines that a comment speaks for.
const PARAGRAPH: usize = 8;

/// Beginnings of comments that are orders to another checker.
const ORDERS: &[&str] = &["nolint", "nosec", "#nosec", "lint:", "revive:"];

/// The comments above a statement, back to the last empty line: one speaks for the lines below it.
pub(super) fn comments_of_paragraph(context: &GoContext<'_>, statement: Node<'_>) -> String {
    let before = context.tree().source_text().get(..statement.start_byte()).unwrap_or_default();
    let lines = before.rsplit('\n').skip(1).take(PARAGRAPH).map(str::trim).take_while(|line| !line.is_empty());
    lines.filter(|line| line.starts_with("//")).collect::<Vec<_>>().join(" ")
}

/// True for an order to another checker that gives no reason. `//nolint:errcheck // it is only a hint` gives one.
pub(super) fn is_mere_order(comment: &str) -> bool {
    let words = comment.trim_start_matches(['/', '*', ' ']);
    ORDERS.iter().any(|order| words.starts_with(order)) && !words.contains("//") && !words.contains(" -- ")
}

#[cfg(test)]
mod tests {
    use super::is_mere_order;

    #[test]
    fn an_order_with_a_reason_explains() {
        assert!(is_mere_order("// nolint:errcheck") && is_mere_order("//#nosec G104"));
        assert!(!is_mere_order("//nolint:errcheck // it is only a hint") && !is_mere_order("// It is only a hint."));
    }
}
