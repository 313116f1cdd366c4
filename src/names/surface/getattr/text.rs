//! Small questions to expressions and patterns.

use ruff_python_ast::helpers::any_over_expr;
use ruff_python_ast::visitor::source_order::{SourceOrderVisitor, TraversalSignal};
use ruff_python_ast::{AnyNodeRef, Expr, InterpolatedStringElement, Pattern, Stmt};
use tapps_syntax::python::names::last_name;

use super::super::written::single_assignment;

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

/// What only looks at what it is given.
const LOOKS: [&str; 16] = [
    "dict",
    "endswith",
    "frozenset",
    "get",
    "globals",
    "isinstance",
    "items",
    "keys",
    "list",
    "lower",
    "set",
    "sorted",
    "startswith",
    "tuple",
    "upper",
    "values",
];

/// Whether all that a statement does is known: it neither calls what may do more than look, nor changes anything but names.
pub(super) fn is_followed(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Return(_)
        | Stmt::Raise(_)
        | Stmt::Pass(_)
        | Stmt::Try(_)
        | Stmt::Import(_)
        | Stmt::ImportFrom(_)
        | Stmt::FunctionDef(_)
        | Stmt::ClassDef(_) => true,
        Stmt::Expr(expr) => match &*expr.value {
            Expr::StringLiteral(_) => true,
            Expr::Call(call) => {
                let warns = last_name(&call.func).is_some_and(|name| name.contains("warn"));
                warns && call.arguments.args.iter().all(only_looks)
            }
            _ => false,
        },
        Stmt::If(branch) => {
            let tests = branch.elif_else_clauses.iter().filter_map(|clause| clause.test.as_ref());
            std::iter::once(&*branch.test).chain(tests).all(test_only_looks)
        }
        Stmt::Assign(_) | Stmt::AnnAssign(_) => single_assignment(stmt).is_some_and(|(_, value)| only_looks(value)),
        _ => false,
    }
}

/// The same of a test, which may bind a name where that is seen: `(found := …) is None`.
fn test_only_looks(test: &Expr) -> bool {
    match test {
        Expr::Named(named) => named.target.is_name_expr() && only_looks(&named.value),
        Expr::UnaryOp(operation) => test_only_looks(&operation.operand),
        Expr::Compare(compare) => test_only_looks(&compare.left) && compare.comparators.iter().all(only_looks),
        _ => only_looks(test),
    }
}

fn only_looks(expr: &Expr) -> bool {
    !any_over_expr(expr, |part| match part {
        Expr::Call(call) => !last_name(&call.func).is_some_and(|name| LOOKS.contains(&name)),
        Expr::Named(_) | Expr::Await(_) | Expr::Yield(_) | Expr::YieldFrom(_) | Expr::Lambda(_) => true,
        _ => false,
    })
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

/// Whether a function with this body gives its values one by one, and runs when they are asked for.
pub(super) fn yields(body: &[Stmt]) -> bool {
    let mut found = Yields(false);
    found.visit_body(body);
    found.0
}

struct Yields(bool);

impl<'a> SourceOrderVisitor<'a> for Yields {
    fn enter_node(&mut self, node: AnyNodeRef<'a>) -> TraversalSignal {
        self.0 |= matches!(node, AnyNodeRef::ExprYield(_) | AnyNodeRef::ExprYieldFrom(_));
        match node {
            AnyNodeRef::StmtFunctionDef(_) | AnyNodeRef::ExprLambda(_) => TraversalSignal::Skip,
            _ => TraversalSignal::Traverse,
        }
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
    any_over_expr(expr, |part| matches!(part, Expr::Name(one) if one.id.as_str() == name))
}
