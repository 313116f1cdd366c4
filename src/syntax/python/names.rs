//! Names in expressions.

use ruff_python_ast::Expr;

/// `a.b.c` as text when the expression is that.
#[must_use]
pub fn dotted_name(expr: &Expr) -> Option<String> {
    let mut parts = Vec::new();
    let mut at = expr;
    while let Expr::Attribute(node) = at {
        parts.push(node.attr.as_str());
        at = &node.value;
    }
    let Expr::Name(name) = at else { return None };
    parts.push(name.id.as_str());
    parts.reverse();
    Some(parts.join("."))
}

/// The last part of a dotted name, of a call's callee, or of what is subscripted.
#[must_use]
pub fn last_name(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Name(name) => Some(name.id.as_str()),
        Expr::Attribute(node) => Some(node.attr.as_str()),
        Expr::Call(node) => last_name(&node.func),
        Expr::Subscript(node) => last_name(&node.value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::parse::parse_shallow_expression;

    #[test]
    fn names_are_read_from_the_left_and_from_the_right() {
        let names = |text: &str| {
            let parsed = parse_shallow_expression(text).unwrap();
            let expr = parsed.expr();
            (dotted_name(expr), last_name(expr).map(str::to_owned))
        };
        let both = |dotted: &str, last: &str| (Some(dotted.to_owned()), Some(last.to_owned()));
        assert_eq!(names("a"), both("a", "a"));
        assert_eq!(names("a.b.c"), both("a.b.c", "c"));
        assert_eq!(names("a.b(1)[2]"), (None, Some("b".to_owned())));
        assert_eq!(names("1"), (None, None));
    }
}
