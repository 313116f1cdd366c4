//! What makes names that no text shows.

use ruff_python_ast::visitor::source_order::{SourceOrderVisitor, TraversalSignal};
use ruff_python_ast::{AnyNodeRef, Expr, ExprCall, Stmt};

use super::names::dotted_name;

/// What a piece of code makes by names that it computes.
#[derive(Debug, Default)]
pub struct Dynamic {
    /// Names of the module.
    pub names: bool,
    /// Attributes of some object, which may be a class of the module.
    pub objects: bool,
    /// Attributes of this name, the first parameter of a method.
    pub receiver: bool,
}

/// Looks for it in a block, functions in it included. `receiver` is the first parameter of the method that it is.
#[must_use]
pub fn find_dynamic(body: &[Stmt], receiver: Option<&str>) -> Dynamic {
    let mut finder = Finder { receiver, found: Dynamic::default() };
    finder.visit_body(body);
    finder.found
}

struct Finder<'a> {
    receiver: Option<&'a str>,
    found: Dynamic,
}

impl Finder<'_> {
    fn is_receiver(&self, expr: &Expr) -> bool {
        let name = match expr {
            Expr::Name(name) => name.id.as_str(),
            // `type(self)` and `self.__class__` stand for the class of the receiver.
            Expr::Call(call) => match (&*call.func, call.arguments.args.first()) {
                (Expr::Name(of), Some(Expr::Name(name))) if of.id.as_str() == "type" => name.id.as_str(),
                _ => return false,
            },
            Expr::Attribute(on) if on.attr.as_str() == "__class__" => return self.is_receiver(&on.value),
            _ => return false,
        };
        self.receiver == Some(name)
    }

    /// The table of the receiver's attributes: `self.__dict__` and `vars(self)`.
    fn is_table(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Attribute(on) => on.attr.as_str() == "__dict__" && self.is_receiver(&on.value),
            Expr::Call(call) => match (&*call.func, call.arguments.args.first()) {
                (Expr::Name(of), Some(first)) => of.id.as_str() == "vars" && self.is_receiver(first),
                _ => false,
            },
            _ => false,
        }
    }

    fn call(&mut self, call: &ExprCall) {
        let Some(called) = dotted_name(&call.func) else { return };
        let first = call.arguments.args.first();
        match called.as_str() {
            "exec" => self.found.names = true,
            "vars" if first.is_some_and(|first| self.is_receiver(first)) => self.found.receiver = true,
            "setattr" | "object.__setattr__" | "type.__setattr__" => {
                // A name that is written out is found by looking for its text.
                if call.arguments.args.get(1).is_some_and(Expr::is_string_literal_expr) {
                    return;
                }
                match first {
                    Some(first) if self.is_receiver(first) => self.found.receiver = true,
                    _ => self.found.objects = true,
                }
            }
            _ => {}
        }
    }
}

impl<'a> SourceOrderVisitor<'a> for Finder<'_> {
    fn enter_node(&mut self, node: AnyNodeRef<'a>) -> TraversalSignal {
        match node {
            // Looking into the table makes nothing.
            AnyNodeRef::ExprAttribute(on)
                if matches!(on.attr.as_str(), "copy" | "get" | "items" | "keys" | "values")
                    && self.is_table(&on.value) =>
            {
                return TraversalSignal::Skip;
            }
            AnyNodeRef::ExprCall(call) => self.call(call),
            AnyNodeRef::ExprAttribute(attribute) if attribute.attr.as_str() == "__dict__" => {
                self.found.receiver |= self.is_receiver(&attribute.value);
            }
            // The module itself, by the table of modules.
            AnyNodeRef::ExprSubscript(item) if matches!(&*item.slice, Expr::Name(name) if name.id.as_str() == "__name__") =>
            {
                self.found.names |= dotted_name(&item.value).is_some_and(|name| name.ends_with("modules"));
            }
            _ => {}
        }
        TraversalSignal::Traverse
    }
}
