//! What is known about the size of what a loop runs over.

use ruff_python_ast::{Expr, ExprCall, Number};

/// A range up to here is small.
const SMALL: u64 = 64;

/// True when the number of iterations is small and fixed by the text: literals, constants by name, short ranges, and
/// what only wraps such.
pub(super) fn is_bounded(iterable: &Expr) -> bool {
    match iterable {
        Expr::Tuple(node) => node.elts.iter().all(|element| !element.is_starred_expr()),
        Expr::List(node) => node.elts.iter().all(|element| !element.is_starred_expr()),
        Expr::Set(node) => node.elts.iter().all(|element| !element.is_starred_expr()),
        Expr::Dict(node) => node.items.iter().all(|item| item.key.is_some()),
        Expr::StringLiteral(_) | Expr::BytesLiteral(_) => true,
        Expr::Name(name) => is_constant_name(&name.id),
        Expr::Attribute(attribute) => is_constant_name(&attribute.attr),
        Expr::Subscript(node) => match node.slice.as_ref() {
            Expr::Slice(slice) => slice.lower.is_none() && slice.upper.as_deref().is_some_and(is_small_number),
            _ => false,
        },
        Expr::Call(call) => is_bounded_call(call),
        _ => false,
    }
}

fn is_bounded_call(call: &ExprCall) -> bool {
    let args = &call.arguments.args;
    match call.func.as_ref() {
        Expr::Name(name) => match name.id.as_str() {
            "range" => args.iter().all(is_small_number),
            "enumerate" | "reversed" | "sorted" | "list" | "tuple" | "set" | "iter" => {
                args.first().is_some_and(is_bounded)
            }
            "zip" => args.iter().any(is_bounded),
            _ => false,
        },
        Expr::Attribute(method) => {
            matches!(method.attr.as_str(), "items" | "keys" | "values") && args.is_empty() && is_bounded(&method.value)
        }
        _ => false,
    }
}

fn is_small_number(expr: &Expr) -> bool {
    match expr {
        Expr::NumberLiteral(node) => {
            matches!(&node.value, Number::Int(int) if int.as_u64().is_some_and(|value| value <= SMALL))
        }
        Expr::UnaryOp(node) => is_small_number(&node.operand),
        _ => false,
    }
}

/// `NAMES_LIKE_THIS` are written for values that do not change.
fn is_constant_name(name: &str) -> bool {
    name.len() > 1 && name.chars().any(|c| c.is_ascii_uppercase()) && !name.chars().any(char::is_lowercase)
}

/// True when an expression calls something whose answer may depend on more than its arguments.
pub(super) fn is_opaque(expr: &Expr) -> bool {
    match expr {
        Expr::Call(call) => {
            let known = match call.func.as_ref() {
                Expr::Name(name) => matches!(
                    name.id.as_str(),
                    "range" | "enumerate" | "reversed" | "sorted" | "list" | "tuple" | "set" | "iter" | "zip" | "len"
                ),
                Expr::Attribute(method) => {
                    matches!(method.attr.as_str(), "items" | "keys" | "values") && !is_opaque(&method.value)
                }
                _ => false,
            };
            !known || call.arguments.args.iter().any(is_opaque)
        }
        Expr::Compare(node) => is_opaque(&node.left) || node.comparators.iter().any(is_opaque),
        Expr::BinOp(node) => is_opaque(&node.left) || is_opaque(&node.right),
        Expr::BoolOp(node) => node.values.iter().any(is_opaque),
        Expr::Attribute(node) => is_opaque(&node.value),
        Expr::Subscript(node) => is_opaque(&node.value) || is_opaque(&node.slice),
        Expr::Generator(_) | Expr::ListComp(_) | Expr::Await(_) | Expr::Lambda(_) => true,
        _ => false,
    }
}

/// `while True` and its like: a loop that waits or reads rather than one that runs over data.
pub(super) fn is_always_true(test: &Expr) -> bool {
    match test {
        Expr::BooleanLiteral(node) => node.value,
        Expr::NumberLiteral(node) => matches!(&node.value, Number::Int(int) if int.as_u64() == Some(1)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("(1, 2)", true)]
    #[case("[a, *b]", false)]
    #[case("range(3)", true)]
    #[case("range(-1, 8)", true)]
    #[case("range(1000)", false)]
    #[case("range(n)", false)]
    #[case("enumerate(MONTHS)", true)]
    #[case("self.FIELDS.items()", true)]
    #[case("items", false)]
    #[case("zip(items, 'abc')", true)]
    #[case("rows[:3]", true)]
    #[case("rows[3:]", false)]
    fn bounds(#[case] iterable: &str, #[case] expected: bool) {
        assert_eq!(is_bounded(ruff_python_parser::parse_expression(iterable).unwrap().expr()), expected);
    }
}
