//! From expressions to what they may mean.

use ruff_python_ast::{Expr, Number, Operator};
use ruff_text_size::Ranged as _;

use super::facts::Value;
use tapps_syntax::python::parse::parse_shallow_expression;

/// Links of one expression that are followed.
const DEEPEST: u32 = 24;

/// The meaning of an expression standing in a block.
#[must_use]
pub(super) fn value_of_expr(expr: &Expr, block: u32) -> Value {
    value_within_depth(expr, block, DEEPEST, false)
}

/// The meaning of an annotation; text in it is read as an expression.
#[must_use]
pub(super) fn annotation(expr: &Expr, block: u32) -> Value {
    value_within_depth(expr, block, DEEPEST, true)
}

fn value_within_depth(expr: &Expr, block: u32, left: u32, typing: bool) -> Value {
    if left == 0 {
        return Value::Unknown;
    }
    let inner = |expr: &Expr| value_within_depth(expr, block, left - 1, typing);
    match expr {
        Expr::Name(name) => Value::Name((&name.id).into(), u32::from(name.start()), block),
        Expr::Attribute(node) => Value::Attribute(Box::new(inner(&node.value)), (&node.attr.id).into()),
        Expr::Call(node) => {
            let first = node.arguments.args.first().or_else(|| node.arguments.keywords.first().map(|k| &k.value));
            Value::Call(Box::new(inner(&node.func)), first.map(|first| Box::new(inner(first))))
        }
        Expr::Subscript(node) => {
            let slots = match &*node.slice {
                Expr::Tuple(tuple) => tuple.elts.iter().map(inner).collect(),
                one => vec![inner(one)],
            };
            Value::Subscript(Box::new(inner(&node.value)), slots)
        }
        Expr::StringLiteral(text) if typing => {
            let text = text.value.to_str();
            let parsed = (text.len() < 500).then(|| parse_shallow_expression(text)).flatten();
            parsed.map_or(Value::Unknown, |parsed| {
                defer_name_lookup(value_within_depth(parsed.expr(), block, left - 1, true))
            })
        }
        Expr::BinOp(node) if node.op == Operator::BitOr && typing => {
            Value::Either(vec![inner(&node.left), inner(&node.right)])
        }
        Expr::BinOp(node) if node.op == Operator::Mod && is_text(&node.left) => inner(&node.left),
        Expr::BoolOp(node) => Value::Either(node.values.iter().map(inner).collect()),
        Expr::If(node) => Value::Either(vec![inner(&node.body), inner(&node.orelse)]),
        Expr::Named(node) => inner(&node.value),
        Expr::Await(node) => inner(&node.value),
        Expr::NoneLiteral(_) => Value::None,
        // In a list of alternatives: `except (A, B)`; anywhere else a tuple is a tuple.
        Expr::Tuple(node) if typing => Value::Either(node.elts.iter().map(inner).collect()),
        _ => builtin_type_name(expr).map_or(Value::Unknown, |name| Value::Builtin(name.to_owned())),
    }
}

/// A name in quotes is looked up when the whole module is known.
fn defer_name_lookup(value: Value) -> Value {
    match value {
        Value::Name(name, _, block) => Value::Name(name, u32::MAX, block),
        Value::Attribute(on, name) => Value::Attribute(Box::new(defer_name_lookup(*on)), name),
        Value::Subscript(on, slots) => {
            Value::Subscript(Box::new(defer_name_lookup(*on)), slots.into_iter().map(defer_name_lookup).collect())
        }
        Value::Either(each) => Value::Either(each.into_iter().map(defer_name_lookup).collect()),
        other => other,
    }
}

fn is_text(expr: &Expr) -> bool {
    matches!(expr, Expr::StringLiteral(_) | Expr::FString(_) | Expr::BytesLiteral(_))
}

fn builtin_type_name(expr: &Expr) -> Option<&'static str> {
    Some(match expr {
        Expr::StringLiteral(_) | Expr::FString(_) => "str",
        Expr::BytesLiteral(_) => "bytes",
        Expr::BooleanLiteral(_) | Expr::Compare(_) => "bool",
        Expr::NumberLiteral(node) => match node.value {
            Number::Int(_) => "int",
            Number::Float(_) => "float",
            Number::Complex { .. } => "complex",
        },
        Expr::List(_) | Expr::ListComp(_) => "list",
        Expr::Dict(_) | Expr::DictComp(_) => "dict",
        Expr::Set(_) | Expr::SetComp(_) => "set",
        Expr::Tuple(_) => "tuple",
        Expr::Generator(_) => "generator",
        _ => return None,
    })
}
