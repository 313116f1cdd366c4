//! What assignments declare: CommonJS exports (`module.exports = …`, `exports.name = …`) and functions that are given to
//! something after it was made (`app.use = function …`, `Query.prototype.run = function …`).

use oxc_ast::ast::{AssignmentExpression, AssignmentTarget, Expression};
use oxc_span::GetSpan;

use super::elements::Draft;
use super::exprs::{strip_expression_wrappers, value_of};
use super::reader::{Holder, ScriptFactsReader, This};
use crate::model::{ElementKind, ExportKind as Exporting};
use crate::script::facts::{Declaration, Expr, Member, MemberValue, ObjectShape, ShapeId, ShapeKind, SymbolId};

impl<'a> ScriptFactsReader<'a, '_> {
    /// Notes what an assignment declares.
    pub(super) fn read_assignment(&mut self, it: &AssignmentExpression<'a>) {
        let Some(name) = self.exported_by(&it.left) else {
            self.given_function(it);
            return;
        };
        // `exports = module.exports = f`: the value is the innermost one.
        let mut value = &it.right;
        while let Expression::AssignmentExpression(inner) = value {
            value = &inner.right;
        }
        let whole = name == "=";
        self.named_value(if whole { "default" } else { &name }, it, value, whole);
        let id = self.read_expr(value);
        self.export_expr(&name, id, it.span.start);
    }

    /// A function takes the name of the export.
    fn named_value(&mut self, name: &str, it: &AssignmentExpression<'a>, value: &Expression<'a>, whole: bool) {
        let value = value_of(value);
        let place = match &it.left {
            AssignmentTarget::StaticMemberExpression(member) if !whole => member.property.span,
            left => left.span(),
        };
        // A name of its own says more than `default`.
        let (name, place) = match value {
            Expression::FunctionExpression(function) if whole => {
                function.id.as_ref().map_or((name, place), |id| (id.name.as_str(), id.span))
            }
            Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_) => (name, place),
            _ => return,
        };
        if self.entering.contains_key(&value.span()) || self.holder().is_some() {
            return;
        }
        let head = self.head_end(value);
        let mut new = Draft::new(ElementKind::Function, name, place, it.span, head);
        new.export = if whole { Exporting::Default } else { Exporting::Named };
        let element = self.add_element(new);
        self.read_expr(value);
        self.enter_function(element, value);
    }

    /// A function that is made a member of something declared at the top of the file.
    fn given_function(&mut self, it: &AssignmentExpression<'a>) {
        let AssignmentTarget::StaticMemberExpression(member) = &it.left else { return };
        let value = value_of(&it.right);
        if !self.functions.is_empty() || !value.is_function() || self.entering.contains_key(&value.span()) {
            return;
        }
        let (owner, of_instances) = match strip_expression_wrappers(&member.object) {
            Expression::Identifier(id) => (self.referenced_symbol(id), false),
            Expression::StaticMemberExpression(inner) if inner.property.name == "prototype" => match &inner.object {
                Expression::Identifier(id) => (self.referenced_symbol(id), true),
                _ => return,
            },
            _ => return,
        };
        let Some(owner) = owner else { return };
        let shape = self.expando_shape(owner, of_instances);
        if matches!(value, Expression::FunctionExpression(_)) {
            self.receivers.insert(value.span(), This::Shape(shape, false));
        }
        let name = member.property.name.as_str();
        let (parent, path) = match self.facts.symbols.get(owner as usize) {
            Some(symbol) => (symbol.element, symbol.name.clone()),
            None => return,
        };
        self.holders.push(Holder { element: parent, path });
        let element = self.add_element(Draft::new(
            ElementKind::Method,
            name,
            member.property.span,
            it.span,
            self.head_end(value),
        ));
        self.holders.pop();
        self.enter_function(element, value);
        let id = self.read_expr(value);
        let value = MemberValue::Property(0, id);
        self.add_member(shape, Member { name: name.to_owned(), element: Some(element), value });
    }

    /// The shape of what is added to a name, or to what it makes with `new`.
    fn expando_shape(&mut self, owner: SymbolId, of_instances: bool) -> ShapeId {
        if let Some(&shape) = self.additions.get(&(owner, of_instances)) {
            return shape;
        }
        let whole = self.push_expr(Expr::Symbol(owner));
        let (kind, spreads) =
            if of_instances { (ShapeKind::Class, Vec::new()) } else { (ShapeKind::Object, vec![whole]) };
        let shape = self.push_shape(ObjectShape { kind, spreads, ..ObjectShape::default() });
        self.declare(owner, if of_instances { Declaration::Class(shape) } else { Declaration::Namespace(shape) });
        self.additions.insert((owner, of_instances), shape);
        shape
    }

    /// The name under which a target exports; `=` for the whole module.
    fn exported_by(&self, target: &AssignmentTarget<'a>) -> Option<String> {
        let AssignmentTarget::StaticMemberExpression(member) = target else { return None };
        let object = strip_expression_wrappers(&member.object);
        if self.is_global(object, "module") {
            return (member.property.name == "exports").then(|| "=".to_owned());
        }
        let of_module = matches!(object, Expression::StaticMemberExpression(inner)
            if inner.property.name == "exports" && self.is_global(&inner.object, "module"));
        (of_module || self.is_global(object, "exports")).then(|| member.property.name.to_string())
    }
}
