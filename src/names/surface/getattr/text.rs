//! Small questions to expressions and patterns.

use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor, TraversalSignal};
use ruff_python_ast::{AnyNodeRef, Expr, InterpolatedStringElement, Pattern, Stmt};
use tapps_syntax::python::names::{dotted_name, last_name};

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

/// Whether a pattern is of texts alone, and none of them this one.
pub(super) fn lacks_literal(pattern: &Pattern, text: &str) -> bool {
    match pattern {
        Pattern::MatchValue(value) => {
            value.value.as_string_literal_expr().is_some_and(|literal| literal.value.to_str() != text)
        }
        Pattern::MatchOr(any) => any.patterns.iter().all(|one| lacks_literal(one, text)),
        _ => false,
    }
}

/// Whether what is raised inside a block of this context may end there.
pub(super) fn suppresses(context: &Expr) -> bool {
    let Expr::Call(call) = context else { return false };
    dotted_name(&call.func).is_none_or(|name| name.ends_with("suppress"))
}

/// Whether a statement may put names into the table of a module: what it calls may, apart from warnings and from looking things
/// up, and so may an item that it sets.
pub(super) fn may_fill(stmt: &Stmt) -> bool {
    let (targets, value) = match stmt {
        Stmt::Expr(expr) => (&[][..], Some(&*expr.value)),
        Stmt::Assign(assign) => (&*assign.targets, Some(&*assign.value)),
        Stmt::AnnAssign(assign) => (std::slice::from_ref(&*assign.target), assign.value.as_deref()),
        _ => return false,
    };
    let calls = match value {
        Some(Expr::Call(call)) => !last_name(&call.func).is_some_and(|name| name == "get" || name.contains("warn")),
        _ => false,
    };
    calls || !targets.iter().all(Expr::is_name_expr)
}

/// The names that statements bind, in whatever way.
pub(super) fn stored_names(body: &[Stmt]) -> Vec<&str> {
    let mut found = Stored(Vec::new());
    found.visit_body(body);
    found.0
}

struct Stored<'a>(Vec<&'a str>);

impl<'a> SourceOrderVisitor<'a> for Stored<'a> {
    fn enter_node(&mut self, node: AnyNodeRef<'a>) -> TraversalSignal {
        match node {
            AnyNodeRef::ExprName(name) if !name.ctx.is_load() => self.0.push(name.id.as_str()),
            AnyNodeRef::Alias(alias) => self.0.push(alias.asname.as_ref().unwrap_or(&alias.name).as_str()),
            AnyNodeRef::ExceptHandlerExceptHandler(handler) => {
                self.0.extend(handler.name.as_ref().map(|name| name.as_str()))
            }
            AnyNodeRef::PatternMatchAs(pattern) => self.0.extend(pattern.name.as_ref().map(|name| name.as_str())),
            AnyNodeRef::PatternMatchStar(pattern) => self.0.extend(pattern.name.as_ref().map(|name| name.as_str())),
            AnyNodeRef::StmtFunctionDef(function) => {
                self.0.push(function.name.as_str());
                return TraversalSignal::Skip;
            }
            AnyNodeRef::StmtClassDef(class) => {
                self.0.push(class.name.as_str());
                return TraversalSignal::Skip;
            }
            _ => {}
        }
        TraversalSignal::Traverse
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
