//! The surface of a class: what its body and its methods bind.

use std::sync::Arc;

use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor};
use ruff_python_ast::{Decorator, Expr, ExprContext, Stmt, StmtAnnAssign, StmtClassDef, StmtFunctionDef};
use tapps_syntax::python::names::dotted_name;

use super::fields::truth_of;
use super::function::{first_parameter, last_part, read_function};
use super::model::{BoundName, ClassSurface, Constructor, FunctionKind, Openness};
use super::read::{Bindings, Made, bind_statements, bind_target};
use tapps_syntax::python::dynamic::find_dynamic;

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

/// A class, and what it makes by computing names.
pub(super) fn read_class(class: &StmtClassDef) -> (ClassSurface, Made) {
    let mut surface = ClassSurface::default();
    for decorator in &class.decorator_list {
        let name = last_part(&decorator.expression);
        if !name.as_deref().is_some_and(|name| KEEP_MEMBERS.contains(&name)) {
            surface.open = Some(Openness::Decorated);
        }
        if !name.is_some_and(|name| KEEP_CONSTRUCTOR.contains(&name.as_str())) {
            surface.constructor = match surface.constructor {
                Constructor::Written => constructor_by(decorator),
                Constructor::Dataclass { .. } | Constructor::Unknown => Constructor::Unknown,
            };
        }
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
                surface.constructor = Constructor::Unknown;
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

/// How a decorator that is no harmless one makes the constructor.
fn constructor_by(decorator: &Decorator) -> Constructor {
    let (named, keywords) = match &decorator.expression {
        Expr::Call(call) => (&*call.func, &*call.arguments.keywords),
        named => (named, [].as_slice()),
    };
    let Some(name) = dotted_name(named).filter(|name| name.rsplit('.').next() == Some("dataclass")) else {
        return Constructor::Unknown;
    };
    let mut keyword_only = false;
    for keyword in keywords {
        match (keyword.arg.as_ref().map(|name| name.as_str()), truth_of(&keyword.value)) {
            (Some("init"), Some(true)) => {}
            (Some("kw_only"), Some(value)) => keyword_only = value,
            (Some("init" | "kw_only") | None, _) => return Constructor::Unknown,
            (Some(_), _) => {}
        }
    }
    Constructor::Dataclass { decorator: name, keyword_only }
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

    fn bind_annotated(&mut self, assign: &StmtAnnAssign) {
        self.fields.add(assign);
        bind_target(&assign.target, self);
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
