//! The surface of a class: what its body and its methods bind.

use std::sync::Arc;

use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor};
use ruff_python_ast::{Decorator, Expr, ExprContext, Stmt, StmtClassDef, StmtFunctionDef};
use tapps_syntax::python::names::dotted_name;

use super::dynamic::find_dynamic;
use super::model::{BoundName, ClassSurface, FunctionKind, FunctionSurface, Openness};
use super::read::{Bindings, Made, bind_statements};
use super::signature::Signature;

/// Decorators of classes that add no name without underscores, by their last part.
const KEEP_MEMBERS: [&str; 10] = [
    "dataclass",
    "dataclass_transform",
    "deprecated",
    "final",
    "frozen",
    "define",
    "mutable",
    "runtime_checkable",
    "total_ordering",
    "unique",
];

/// Those of them that also leave the constructor as it is written.
const KEEP_CONSTRUCTOR: [&str; 5] = ["dataclass_transform", "final", "runtime_checkable", "total_ordering", "unique"];

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

/// A class, and what it makes by computing names.
pub(super) fn read_class(class: &StmtClassDef) -> (ClassSurface, Made) {
    let mut surface = ClassSurface::default();
    for decorator in &class.decorator_list {
        let name = last_part(&decorator.expression);
        if !name.as_deref().is_some_and(|name| KEEP_MEMBERS.contains(&name)) {
            surface.open = Some(Openness::Decorated);
        }
        surface.made_otherwise |= !name.is_some_and(|name| KEEP_CONSTRUCTOR.contains(&name.as_str()));
    }
    for base in class.arguments.iter().flat_map(|arguments| arguments.args.iter()) {
        let named = if let Expr::Subscript(generic) = base { &generic.value } else { base };
        surface.bases.push(dotted_name(named));
    }
    for keyword in class.arguments.iter().flat_map(|arguments| arguments.keywords.iter()) {
        let is_abstract = || last_part(&keyword.value).is_some_and(|name| name == "ABCMeta");
        match keyword.arg.as_ref().map(|name| name.as_str()) {
            Some("metaclass") if is_abstract() => surface.bind("register", BoundName::Value),
            Some("metaclass") | None => {
                surface.open = Some(Openness::Decorated);
                surface.made_otherwise = true;
            }
            // For `__init_subclass__` of a base, which is looked at there.
            Some(_) => {}
        }
    }
    let mut made = Made::default();
    bind_statements(&class.body, &mut surface, &mut made);
    if surface.members.contains_key("__getattr__") || surface.members.contains_key("__getattribute__") {
        surface.open = Some(Openness::Getattr);
    }
    (surface, made)
}

impl Bindings for ClassSurface {
    fn bind_name(&mut self, name: &str, bound: BoundName) {
        self.bind(name, bound);
    }

    fn bind_function(&mut self, function: &StmtFunctionDef, made: &mut Made) {
        let surface = read_function(function, true);
        if surface.kind != FunctionKind::Static
            && let Some(receiver) = first_parameter(function)
        {
            let mut attributes = Attributes { receiver, found: Vec::new() };
            attributes.visit_body(&function.body);
            for name in attributes.found {
                self.bind(name, BoundName::Value);
            }
        }
        let dynamic = find_dynamic(&function.body, first_parameter(function));
        made.add(&dynamic);
        // What was pickled has the names that the instance had.
        if dynamic.receiver && function.name.as_str() != "__setstate__" {
            self.open = Some(Openness::Dynamic);
        }
        self.bind(&function.name, BoundName::Function(surface));
    }

    fn bind_class(&mut self, class: &StmtClassDef, made: &mut Made) {
        let (surface, more) = read_class(class);
        made.join(more);
        self.bind(&class.name, BoundName::Class(Arc::new(surface)));
    }

    fn other(&mut self, stmt: &Stmt, made: &mut Made) {
        // `vars()[…]` and `locals()[…]` in the body of a class make members.
        let dynamic = find_dynamic(std::slice::from_ref(stmt), None);
        if dynamic.objects {
            self.open = Some(Openness::Dynamic);
        }
        made.add(&dynamic);
    }
}

fn first_parameter(function: &StmtFunctionDef) -> Option<&str> {
    let parameters = &function.parameters;
    parameters.posonlyargs.iter().chain(&parameters.args).next().map(|one| one.parameter.name.id.as_str())
}

/// A function of a module or class.
pub(super) fn read_function(function: &StmtFunctionDef, in_class: bool) -> FunctionSurface {
    let mut kind = FunctionKind::Plain;
    let mut kept = true;
    for decorator in &function.decorator_list {
        match last_part(&decorator.expression).as_deref() {
            Some("staticmethod") => kind = FunctionKind::Static,
            Some("classmethod") => kind = FunctionKind::Class,
            Some(name) if is_property(decorator, name) => kind = FunctionKind::Property,
            Some(name) => kept &= KEEP_ARGUMENTS.contains(&name),
            None => kept = false,
        }
    }
    if in_class && matches!(function.name.as_str(), "__new__" | "__init_subclass__" | "__class_getitem__") {
        kind = FunctionKind::Class;
    }
    FunctionSurface {
        kind,
        signature: kept.then(|| Signature::of_parameters(&function.parameters)),
        gives_self: gives_self(function),
    }
}

fn is_property(decorator: &Decorator, name: &str) -> bool {
    let setter = matches!(&decorator.expression, Expr::Attribute(_)) && matches!(name, "setter" | "deleter" | "getter");
    setter || name.to_ascii_lowercase().ends_with("property")
}

/// Whether every way out gives the first parameter.
fn gives_self(function: &StmtFunctionDef) -> bool {
    let Some(receiver) = first_parameter(function) else { return false };
    let of_receiver = function.parameters.iter().next().and_then(|one| one.annotation()).and_then(last_part);
    let gives = function.returns.as_deref().and_then(last_part);
    if gives.is_some_and(|name| name == "Self" || of_receiver.is_some_and(|own| own == name)) {
        return true;
    }
    let mut returns = Returns { receiver, all: true, any: false };
    returns.visit_body(&function.body);
    returns.all && returns.any
}

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

/// Attributes that a method assigns to its first parameter.
struct Attributes<'a, 'r> {
    receiver: &'r str,
    found: Vec<&'a str>,
}

impl<'a> SourceOrderVisitor<'a> for Attributes<'a, '_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Attribute(attribute) = expr
            && attribute.ctx == ExprContext::Store
            && matches!(&*attribute.value, Expr::Name(name) if name.id.as_str() == self.receiver)
        {
            self.found.push(attribute.attr.as_str());
        }
        source_order::walk_expr(self, expr);
    }
}

/// The last part of a decorator or type, called or not.
fn last_part(expr: &Expr) -> Option<String> {
    let named = expr.as_call_expr().map_or(expr, |call| &call.func);
    dotted_name(named).map(|name| name.rsplit('.').next().unwrap_or_default().to_owned())
}
