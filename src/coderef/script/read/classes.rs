//! Classes: their shape first, so that members can say `this`, then what is inside.

use oxc_ast::ast::{
    BindingPattern, Class, ClassElement, Decorator, Expression, MethodDefinition, MethodDefinitionKind,
    PropertyDefinition, PropertyKey, TSAccessibility, TSTypeAnnotation,
};
use oxc_span::{GetSpan, Span};

use super::elements::Draft;
use super::exprs::value_of;
use super::reader::{ScriptFactsReader, This};
use crate::model::{ElementKind, Modifiers};
use crate::script::facts::{Member, MemberValue, ObjectShape, ShapeId, ShapeKind, TypeId};

impl<'a> ScriptFactsReader<'a, '_> {
    /// The shape of a class; noted and filled in once.
    pub(super) fn class_shape(&mut self, class: &Class<'a>) -> ShapeId {
        if let Some(&id) = self.seen_shapes.get(&class.span) {
            return id;
        }
        let id = self.push_shape(ObjectShape { kind: ShapeKind::Class, ..ObjectShape::default() });
        self.seen_shapes.insert(class.span, id);
        let mut parameters = self.type_parameters(class.type_parameters.as_deref());
        parameters.extend(self.documented_templates(class.span));
        let (above, mut implements) = self.documented_heritage(class.span);
        let superclass = class.heritage.as_ref().map(|heritage| {
            let value = self.read_expr(&heritage.expression);
            let types = self.arguments_of(heritage.type_arguments.as_deref());
            let types = if types.is_empty() { above } else { types };
            (value, types, self.at(heritage.expression.span().start))
        });
        for it in &class.implements {
            let arguments = self.arguments_of(it.type_arguments.as_deref());
            implements.push((self.read_named_type(&it.expression, arguments), self.at(it.span.start)));
        }
        if let Some(shape) = self.shape_mut(id) {
            shape.parameters = parameters;
            shape.superclass = superclass;
            shape.implements = implements;
        }
        for member in &class.body.body {
            self.class_member(id, member);
        }
        id
    }

    fn class_member(&mut self, id: ShapeId, member: &ClassElement<'a>) {
        match member {
            ClassElement::MethodDefinition(it) => self.read_class_method(id, it),
            ClassElement::PropertyDefinition(it) => {
                let declared = self.annotated_field(id, it.r#static, it.type_annotation.as_deref(), it.span);
                self.read_class_field(id, it.r#static, &it.key, declared, it.value.as_ref());
            }
            ClassElement::AccessorProperty(it) => {
                let declared = self.annotated_field(id, it.r#static, it.type_annotation.as_deref(), it.span);
                self.read_class_field(id, it.r#static, &it.key, declared, it.value.as_ref());
            }
            ClassElement::TSIndexSignature(it) => {
                let ty = self.read_type(&it.type_annotation.type_annotation);
                if let Some(shape) = self.shape_mut(id) {
                    shape.index = ty;
                }
            }
            ClassElement::StaticBlock(_) => {}
        }
    }

    fn annotated_field(
        &mut self,
        id: ShapeId,
        is_static: bool,
        annotation: Option<&TSTypeAnnotation<'a>>,
        span: Span,
    ) -> TypeId {
        self.this.push(This::Shape(id, is_static));
        let ty = match self.read_annotation(annotation) {
            0 => self.documented_type(span),
            ty => ty,
        };
        self.this.pop();
        ty
    }

    fn read_class_field(
        &mut self,
        id: ShapeId,
        is_static: bool,
        key: &PropertyKey<'a>,
        ty: TypeId,
        value: Option<&Expression<'a>>,
    ) {
        let Some(name) = member_name(key) else { return };
        self.this.push(This::Shape(id, is_static));
        let value = value.map_or(0, |value| self.expr_in(value, ty));
        self.this.pop();
        self.add_class_member(id, is_static, name, MemberValue::Property(ty, value));
    }

    fn read_class_method(&mut self, id: ShapeId, it: &MethodDefinition<'a>) {
        self.receivers.insert(it.value.span, This::Shape(id, it.r#static));
        let function = self.read_function(&it.value);
        if it.kind == MethodDefinitionKind::Constructor {
            if let Some(shape) = self.shape_mut(id)
                && (shape.constructor.is_none() || it.value.body.is_some())
            {
                shape.constructor = Some(function);
            }
            for parameter in it.value.params.items.iter().filter(|item| item.accessibility.is_some() || item.readonly) {
                let BindingPattern::BindingIdentifier(name) = &parameter.pattern else { continue };
                self.this.push(This::Shape(id, false));
                let ty = self.read_annotation(parameter.type_annotation.as_deref());
                self.this.pop();
                self.add_class_member(id, false, name.name.to_string(), MemberValue::Property(ty, 0));
            }
            return;
        }
        let Some(name) = member_name(&it.key) else { return };
        let value = match it.kind {
            MethodDefinitionKind::Get => MemberValue::Getter(function),
            MethodDefinitionKind::Set => MemberValue::Setter,
            _ => MemberValue::Method(function),
        };
        self.add_class_member(id, it.r#static, name, value);
    }

    fn add_class_member(&mut self, id: ShapeId, is_static: bool, name: String, value: MemberValue) {
        let member = Member { name, element: None, value };
        if let Some(shape) = self.shape_mut(id) {
            if is_static { shape.statics.push(member) } else { shape.members.push(member) }
        }
    }

    /// Makes the element of a method and tells the shape; overloads share one.
    pub(super) fn method_element(&mut self, id: ShapeId, it: &MethodDefinition<'a>) -> Option<u32> {
        let is_constructor = it.kind == MethodDefinitionKind::Constructor;
        let name = if is_constructor { "constructor".to_owned() } else { member_name(&it.key)? };
        let head = it.value.body.as_ref().map_or(it.span.end, |body| body.span.start);
        let kind = match it.kind {
            MethodDefinitionKind::Constructor => ElementKind::Constructor,
            MethodDefinitionKind::Get | MethodDefinitionKind::Set => ElementKind::Accessor,
            MethodDefinitionKind::Method => ElementKind::Method,
        };
        let function = self.seen_functions.get(&it.value.span).copied();
        let known = self.known_member(id, it.r#static, &name, kind);
        let element = known.unwrap_or_else(|| {
            let mut new = Draft::new(kind, &name, it.key.span(), it.span, head);
            new.modifiers = Modifiers {
                asynchronous: it.value.r#async,
                generator: it.value.generator,
                abstract_: it.r#type == oxc_ast::ast::MethodDefinitionType::TSAbstractMethodDefinition,
                static_: it.r#static,
                private: name.starts_with('#') || it.accessibility == Some(TSAccessibility::Private),
            };
            self.apply_decorators(&mut new, &it.decorators);
            self.add_element(new)
        });
        if is_constructor {
            self.overloaded.insert((self.holder(), kind, name.clone()), element);
        }
        if let Some(place) = function.and_then(|function| self.function_mut(function)) {
            place.element = Some(element);
        }
        self.name_member(id, it.r#static, &name, element);
        if it.value.body.is_some() {
            self.extend_to(element, it.span, &it.key.span());
            self.entering.insert(it.value.span, element);
            let count = u32::try_from(it.value.params.parameters_count()).unwrap_or(u32::MAX);
            self.measured.push((element, it.value.span, count));
        }
        Some(element)
    }

    /// The element of an earlier overload, or of the other half of an accessor.
    fn known_member(&self, id: ShapeId, is_static: bool, name: &str, kind: ElementKind) -> Option<u32> {
        if kind == ElementKind::Constructor {
            return self.overloaded.get(&(self.holder(), kind, name.to_owned())).copied();
        }
        let shape = self.facts.shapes.get(id as usize)?;
        let members = if is_static { &shape.statics } else { &shape.members };
        members.named(name).find_map(|member| member.element)
    }

    fn name_member(&mut self, id: ShapeId, is_static: bool, name: &str, element: u32) {
        let Some(shape) = self.shape_mut(id) else { return };
        let members = if is_static { &mut shape.statics } else { &mut shape.members };
        members.each_named(name, |member| member.element = Some(element));
    }

    /// The implementation of overloads is what the element spans to and hashes.
    pub(super) fn extend_to(&mut self, element: u32, span: Span, name: &Span) {
        let body = self.text.hash(span, *name);
        let end_line = self.positions.last_line(span.end);
        if let Some(element) = self.elements.get_mut(element as usize) {
            element.span.bytes.end = element.span.bytes.end.max(span.end);
            element.span.end_line = element.span.end_line.max(end_line);
            element.body = body;
        }
    }

    /// Makes the element of a field.
    pub(super) fn field_element(&mut self, id: ShapeId, it: &PropertyDefinition<'a>) -> Option<u32> {
        let name = member_name(&it.key)?;
        let function = it.value.as_ref().map(value_of).filter(|value| value.is_function());
        let kind = if function.is_some() { ElementKind::Method } else { ElementKind::Property };
        let head = it.value.as_ref().map_or(it.span.end, |value| self.head_end(value));
        let mut new = Draft::new(kind, &name, it.key.span(), it.span, head);
        new.modifiers = Modifiers {
            static_: it.r#static,
            abstract_: it.r#type == oxc_ast::ast::PropertyDefinitionType::TSAbstractPropertyDefinition,
            private: name.starts_with('#') || it.accessibility == Some(TSAccessibility::Private),
            ..Modifiers::default()
        };
        self.apply_decorators(&mut new, &it.decorators);
        let element = self.add_element(new);
        self.name_member(id, it.r#static, &name, element);
        if let Some(function) = function {
            self.enter_function(element, function);
        }
        Some(element)
    }

    /// Makes the elements of constructor parameters that are fields too.
    pub(super) fn parameter_fields(&mut self, id: ShapeId, it: &MethodDefinition<'a>) {
        if it.kind != MethodDefinitionKind::Constructor || it.value.body.is_none() {
            return;
        }
        for parameter in it.value.params.items.iter().filter(|item| item.accessibility.is_some() || item.readonly) {
            let BindingPattern::BindingIdentifier(name) = &parameter.pattern else { continue };
            let mut new = Draft::new(ElementKind::Property, &name.name, name.span, parameter.span, parameter.span.end);
            new.modifiers.private = parameter.accessibility == Some(TSAccessibility::Private);
            let element = self.add_element(new);
            self.name_member(id, false, &name.name, element);
        }
    }

    pub(super) fn apply_decorators(&mut self, new: &mut Draft<'_>, decorators: &[Decorator<'a>]) {
        let Some((first, last)) = decorators.first().zip(decorators.last()) else { return };
        new.span.start = new.span.start.min(first.span.start);
        if new.after_decorators <= last.span.start {
            new.after_decorators = last.span.end;
        }
        new.decorators = decorators.iter().map(|decorator| self.decorator_name(decorator)).collect();
    }

    fn decorator_name(&self, decorator: &Decorator<'a>) -> String {
        let callee = match &decorator.expression {
            oxc_ast::ast::Expression::CallExpression(call) => call.callee.span(),
            other => other.span(),
        };
        self.text.text_in_span(callee).to_owned()
    }
}

/// The name of a member as elements have it: `#x` for a private one.
pub(super) fn member_name(key: &PropertyKey<'_>) -> Option<String> {
    match key {
        PropertyKey::PrivateIdentifier(it) => Some(format!("#{}", it.name)),
        other => other.static_name().map(std::borrow::Cow::into_owned),
    }
}
