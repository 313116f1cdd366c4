//! The surface of a function: what it takes, and what it says that it gives.

use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor};
use ruff_python_ast::{Decorator, Expr, Operator, Stmt, StmtFunctionDef};
use tapps_syntax::python::names::{dotted_name, is_identifier};

use super::model::{FunctionKind, FunctionSurface, Gives};
use super::signature::Signature;

/// Decorators of functions that leave the arguments as they are, by their last part.
const KEEP_ARGUMENTS: [&str; 12] = [
    "abstractmethod",
    "asynccontextmanager",
    "cache",
    "contextmanager",
    "deprecated",
    "final",
    "lru_cache",
    "no_type_check",
    "overload",
    "override",
    "staticmethod",
    "classmethod",
];

/// Those of them that give something else than the function returns.
const GIVE_OTHERWISE: [&str; 2] = ["asynccontextmanager", "contextmanager"];

/// Properties that give what their function returns, by the last part of the decorator.
const PLAIN_PROPERTIES: [&str; 3] = ["abstractproperty", "cached_property", "property"];

/// A function of a module or class.
pub(super) fn read_function(function: &StmtFunctionDef, in_class: bool) -> FunctionSurface {
    let mut kind = FunctionKind::Plain;
    let (mut takes, mut gives, mut overload) = (true, true, false);
    for decorator in &function.decorator_list {
        match last_part(&decorator.expression).as_deref() {
            Some("staticmethod") => kind = FunctionKind::Static,
            Some("classmethod") => kind = FunctionKind::Class,
            Some(name) if is_setter(decorator, name) => kind = FunctionKind::Setter,
            Some(name) if name.to_ascii_lowercase().ends_with("property") || name == "getter" => {
                kind = FunctionKind::Property;
                gives &= PLAIN_PROPERTIES.contains(&name);
            }
            Some(name) => {
                takes &= KEEP_ARGUMENTS.contains(&name);
                gives &= !GIVE_OTHERWISE.contains(&name);
                overload |= name == "overload";
            }
            None => takes = false,
        }
    }
    if in_class && matches!(function.name.as_str(), "__new__" | "__init_subclass__" | "__class_getitem__") {
        kind = FunctionKind::Class;
    }
    FunctionSurface {
        kind,
        signature: takes.then(|| Signature::of_parameters(&function.parameters)),
        gives: if takes && gives { given_by(function, in_class.then_some(kind)) } else { Gives::Unknown },
        awaited: function.is_async,
        overload,
    }
}

fn is_setter(decorator: &Decorator, name: &str) -> bool {
    matches!(&decorator.expression, Expr::Attribute(_)) && matches!(name, "setter" | "deleter")
}

/// What a function gives; `kind` is that of a method.
fn given_by(function: &StmtFunctionDef, kind: Option<FunctionKind>) -> Gives {
    let named = function.returns.as_deref().and_then(named_classes);
    if let Some(kind) = kind.filter(|kind| *kind != FunctionKind::Static)
        && let Some(receiver) = first_parameter(function)
    {
        let of_receiver = function.parameters.iter().next().and_then(|one| one.annotation()).and_then(last_part);
        if let Some([name]) = named.as_deref() {
            let last = name.rsplit('.').next().unwrap_or(name);
            if last == "Self" || of_receiver.is_some_and(|own| own == last) {
                return Gives::Receiver;
            }
        }
        let mut returns = Returns { receiver, all: true, any: false };
        returns.visit_body(&function.body);
        // A method of the class that returns its first parameter gives the class.
        if returns.all && returns.any {
            return if kind == FunctionKind::Class { Gives::Unknown } else { Gives::Receiver };
        }
    }
    named.filter(|named| !named.is_empty()).map_or(Gives::Unknown, Gives::OneOf)
}

/// The classes that an annotation names, of which nothing is left out but `None`.
fn named_classes(annotation: &Expr) -> Option<Vec<String>> {
    match annotation {
        Expr::NoneLiteral(_) => Some(Vec::new()),
        Expr::Name(_) | Expr::Attribute(_) => Some(vec![dotted_name(annotation)?]),
        Expr::StringLiteral(text) => {
            let parts = text.value.to_str().split('|').map(str::trim).filter(|part| *part != "None");
            let is_name = |part: &&str| part.split('.').all(is_identifier);
            parts.map(|part| Some(part).filter(is_name).map(str::to_owned)).collect()
        }
        Expr::BinOp(both) if both.op == Operator::BitOr => {
            let (left, right) = (named_classes(&both.left)?, named_classes(&both.right)?);
            Some(left.into_iter().chain(right).collect())
        }
        Expr::Subscript(of) => match (dotted_name(&of.value)?.rsplit('.').next(), &*of.slice) {
            (Some("Optional"), one) => named_classes(one),
            (Some("Union"), Expr::Tuple(each)) => {
                let each: Option<Vec<Vec<String>>> = each.elts.iter().map(named_classes).collect();
                Some(each?.concat())
            }
            // With its parameters it is the same class.
            _ => Some(vec![dotted_name(&of.value)?]),
        },
        _ => None,
    }
}

pub(super) fn first_parameter(function: &StmtFunctionDef) -> Option<&str> {
    let parameters = &function.parameters;
    parameters.posonlyargs.iter().chain(&parameters.args).next().map(|one| one.parameter.name.id.as_str())
}

/// The last part of a decorator or type, called or not.
pub(super) fn last_part(expr: &Expr) -> Option<String> {
    let named = expr.as_call_expr().map_or(expr, |call| &call.func);
    dotted_name(named).map(|name| name.rsplit('.').next().unwrap_or_default().to_owned())
}

/// Whether every way out gives the first parameter.
struct Returns<'r> {
    receiver: &'r str,
    all: bool,
    any: bool,
}

impl<'a> SourceOrderVisitor<'a> for Returns<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Return(gives) => {
                self.any = true;
                self.all &=
                    matches!(gives.value.as_deref(), Some(Expr::Name(name)) if name.id.as_str() == self.receiver);
            }
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            _ => source_order::walk_stmt(self, stmt),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_project::parse;

    fn one_of(names: &[&str]) -> Gives {
        Gives::OneOf(names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[rstest::rstest]
    #[case("def f() -> Response: ...", one_of(&["Response"]))]
    #[case("def f() -> http.Response[int]: ...", one_of(&["http.Response"]))]
    #[case("def f() -> Optional['Response']: ...", one_of(&["Response"]))]
    #[case("def f() -> 'Response | None': ...", one_of(&["Response"]))]
    #[case("def f() -> Union[A, b.B, None]: ...", one_of(&["A", "b.B"]))]
    #[case("def f() -> A | 'B': ...", one_of(&["A", "B"]))]
    #[case("def f() -> None: ...", Gives::Unknown)]
    #[case("def f() -> 'list[A]': ...", Gives::Unknown)]
    #[case("def f(): return A()", Gives::Unknown)]
    #[case("@wrapped\ndef f() -> A: ...", Gives::Unknown)]
    #[case("@contextmanager\ndef f() -> A: ...", Gives::Unknown)]
    #[case("@cache\ndef f() -> A: ...", one_of(&["A"]))]
    fn a_function_gives_what_it_says(#[case] text: &str, #[case] expected: Gives) {
        let given = |in_class| {
            parse::read_python(text, |parsed| {
                read_function(parsed.suite()[0].as_function_def_stmt().unwrap(), in_class).gives
            })
        };
        assert_eq!(given(false), Some(expected), "{text}");
    }

    #[rstest::rstest]
    #[case("def f(self): return self", Gives::Receiver)]
    #[case("def f(self, x):\n    if x:\n        return None\n    return self", Gives::Unknown)]
    #[case("def f(self) -> Self: ...", Gives::Receiver)]
    #[case("def f(self: T) -> T: ...", Gives::Receiver)]
    #[case("def f(self) -> 'Base': return self", Gives::Receiver)]
    #[case("@classmethod\ndef f(cls) -> 'Self': ...", Gives::Receiver)]
    #[case("@classmethod\ndef f(cls): return cls", Gives::Unknown)]
    #[case("@staticmethod\ndef f(a): return a", Gives::Unknown)]
    #[case("@property\ndef f(self) -> A: ...", one_of(&["A"]))]
    #[case("@hybrid_property\ndef f(self) -> A: ...", Gives::Unknown)]
    fn a_method_gives_its_receiver_or_what_it_says(#[case] text: &str, #[case] expected: Gives) {
        let given = parse::read_python(text, |parsed| {
            read_function(parsed.suite()[0].as_function_def_stmt().unwrap(), true).gives
        });
        assert_eq!(given, Some(expected), "{text}");
    }
}
