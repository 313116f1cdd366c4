//! Small questions to expressions and patterns.

use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor};
use ruff_python_ast::{Expr, InterpolatedStringElement, Pattern};

/// What `table.items()` and its like go through.
pub(super) fn items_of(expr: &Expr) -> &Expr {
    match expr {
        Expr::Call(call) if call.arguments.is_empty() => match &*call.func {
            Expr::Attribute(of) if matches!(of.attr.as_str(), "items" | "keys" | "values") => &of.value,
            _ => expr,
        },
        _ => expr,
    }
}

pub(super) fn collect_names<'a>(target: &'a Expr, into: &mut Vec<&'a str>) {
    match target {
        Expr::Name(name) => into.push(name.id.as_str()),
        Expr::Tuple(each) => each.elts.iter().for_each(|one| collect_names(one, into)),
        Expr::List(each) => each.elts.iter().for_each(|one| collect_names(one, into)),
        _ => {}
    }
}

pub(super) fn is_literal(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::MatchValue(_) | Pattern::MatchSingleton(_) => true,
        Pattern::MatchOr(any) => any.patterns.iter().all(is_literal),
        _ => false,
    }
}

/// What a text that is put together begins with.
pub(super) enum Leftmost<'a> {
    Text(&'a str),
    Name(&'a str),
    Other,
}

pub(super) fn leftmost(expr: &Expr) -> Leftmost<'_> {
    match expr {
        Expr::StringLiteral(text) => Leftmost::Text(text.value.to_str()),
        Expr::Name(name) => Leftmost::Name(name.id.as_str()),
        Expr::BinOp(both) => leftmost(&both.left),
        Expr::FString(text) => match text.value.elements().next() {
            Some(InterpolatedStringElement::Literal(literal)) => Leftmost::Text(&literal.value),
            Some(InterpolatedStringElement::Interpolation(of)) => leftmost(&of.expression),
            None => Leftmost::Other,
        },
        _ => Leftmost::Other,
    }
}

/// Whether a name stands anywhere in an expression.
pub(super) fn mentions(expr: &Expr, name: &str) -> bool {
    let mut found = Mentions { name, found: false };
    found.visit_expr(expr);
    found.found
}

struct Mentions<'n> {
    name: &'n str,
    found: bool,
}

impl<'a> SourceOrderVisitor<'a> for Mentions<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        self.found |= matches!(expr, Expr::Name(name) if name.id.as_str() == self.name);
        source_order::walk_expr(self, expr);
    }
}
