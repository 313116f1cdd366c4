//! Declarations: variables, functions, classes, interfaces, types, enums, namespaces.

use oxc_ast::ast::{
    Argument, BindingIdentifier, BindingPattern, Class, Declaration as Node, ExportDeclaration,
    ExportDefaultDeclaration, ExportDefaultDeclarationKind, Expression, Function, ObjectProperty, PropertyKind,
    TSEnumDeclaration, TSInterfaceDeclaration, TSNamespaceDeclaration, TSSignature, TSType, TSTypeAliasDeclaration,
    VariableDeclarator,
};
use oxc_span::{GetSpan, Span};

use super::elements::Draft;
use super::exprs::{strip_expression_wrappers, value_of};
use super::reader::{Outer, ScriptFactsReader};
use crate::model::{ElementKind, ExportKind as Exporting};
use crate::script::facts::{
    Declaration, FunctionId, Member, MemberValue, ObjectShape, Primitive, ShapeId, ShapeKind, SymbolId, Type,
};

impl<'a> ScriptFactsReader<'a, '_> {
    pub(super) fn exported_declaration(&mut self, it: &ExportDeclaration<'a>) {
        self.outer = Some(Outer { export: Exporting::Named, start: it.span.start });
        let mut names: Vec<(String, SymbolId)> = Vec::new();
        match &it.declaration {
            Node::VariableDeclaration(declaration) => {
                for declarator in &declaration.declarations {
                    for id in declarator.id.get_binding_identifiers() {
                        names.extend(self.declared_symbol(id).map(|symbol| (id.name.to_string(), symbol)));
                    }
                }
            }
            other => {
                if let Some(id) = other.id() {
                    names.extend(self.declared_symbol(id).map(|symbol| (id.name.to_string(), symbol)));
                }
            }
        }
        for (name, symbol) in names {
            match self.spaces.last().copied() {
                Some(space) => {
                    self.add_member(space, Member { name, element: None, value: MemberValue::Symbol(symbol) });
                }
                None => self.export_symbol(&name, symbol, it.span.start),
            }
        }
    }

    pub(super) fn exported_default(&mut self, it: &ExportDefaultDeclaration<'a>) {
        self.facts.module = true;
        self.outer = Some(Outer { export: Exporting::Default, start: it.span.start });
        let start = it.span.start;
        match &it.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                match function.id.as_ref().and_then(|id| self.declared_symbol(id)) {
                    Some(symbol) => self.export_symbol("default", symbol, start),
                    None => {
                        let id = self.read_function(function);
                        let value = self.push_expr(crate::script::facts::Expr::Function(id));
                        self.export_expr("default", value, start);
                    }
                }
            }
            ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                match class.id.as_ref().and_then(|id| self.declared_symbol(id)) {
                    Some(symbol) => self.export_symbol("default", symbol, start),
                    None => {
                        let id = self.class_shape(class);
                        let value = self.push_expr(crate::script::facts::Expr::Class(id));
                        self.export_expr("default", value, start);
                    }
                }
            }
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(it) => {
                if let Some(symbol) = self.declared_symbol(&it.id) {
                    self.export_symbol("default", symbol, start);
                }
            }
            other => {
                if let Some(value) = other.as_expression() {
                    let id = self.read_expr(value);
                    self.export_expr("default", id, start);
                    self.default_value(it.span, value);
                }
            }
        }
    }

    /// An exported expression without a name is the element `default`.
    fn default_value(&mut self, span: Span, value: &Expression<'a>) {
        if matches!(strip_expression_wrappers(value), Expression::Identifier(_)) {
            return;
        }
        let inner = value_of(value);
        let kind = match inner {
            _ if inner.is_function() => ElementKind::Function,
            Expression::ClassExpression(_) => ElementKind::Class,
            _ => ElementKind::Constant,
        };
        let name = Span::new(value.span().start, value.span().start);
        let new = Draft::new(kind, "default", name, span, self.head_end(value)).with_outer(self.outer);
        let element = self.add_element(new);
        match kind {
            ElementKind::Function => self.enter_function(element, inner),
            ElementKind::Class => _ = self.entering.insert(inner.span(), element),
            // What the value is made of stands inside this element.
            _ => {
                let path = self.elements.get(element as usize).map(|it| it.path.clone()).unwrap_or_default();
                self.holders.push(super::reader::Holder { element: Some(element), path });
            }
        }
    }

    /// Declares a variable; gives the element that its initialiser belongs to.
    pub(super) fn read_variable(&mut self, it: &VariableDeclarator<'a>) -> Option<u32> {
        let start = self.statement_start.take().unwrap_or(it.span.start);
        let ty = match self.read_annotation(it.type_annotation.as_deref()) {
            0 => self.documented_type(it.span),
            ty => ty,
        };
        let value = it.init.as_ref().map_or(0, |init| self.expr_in(init, ty));
        let each = |symbol: &Self, id: &oxc_ast::ast::BindingIdentifier<'a>| {
            let known = symbol.declared_symbol(id).and_then(|id| symbol.facts.symbols.get(id as usize));
            known.is_some_and(|known| matches!(known.declarations.last(), Some(Declaration::Each(_))))
        };
        let is_each = it.id.get_binding_identifiers().iter().any(|id| each(self, id));
        if !is_each {
            self.declare_pattern(&it.id, Declaration::Variable { ty, value });
        }
        let top = self.functions.is_empty() && self.classes.is_empty();
        let BindingPattern::BindingIdentifier(id) = &it.id else {
            if top && !self.is_require(it) {
                self.destructured_elements(it, start);
            }
            return None;
        };
        let inner = it.init.as_ref().map(|init| self.unwrap_component_call(value_of(init)));
        let is_function = inner.is_some_and(Expression::is_function);
        let is_class = inner.is_some_and(|inner| matches!(inner, Expression::ClassExpression(_)));
        if !(is_function || is_class || top) || self.is_require(it) {
            return None;
        }
        let kind = match () {
            () if is_class => ElementKind::Class,
            () if is_function => function_kind(&id.name),
            () => ElementKind::Constant,
        };
        let head = it.init.as_ref().map_or(it.span.end, |init| self.head_end(init));
        let span = Span::new(start, it.span.end);
        let mut new = Draft::new(kind, &id.name, id.span, span, head).with_outer(self.outer);
        new.export = self.export_of(self.declared_symbol(id), new.export);
        let element = self.add_element(new);
        if let Some(symbol) = self.declared_symbol(id)
            && let Some(symbol) = self.facts.symbols.get_mut(symbol as usize)
        {
            symbol.element = Some(element);
        }
        match inner {
            Some(function) if is_function => {
                self.enter_function(element, function);
                // A wrapped function is called by the wrapper; what else stands in the initialiser is the element's.
                Some(element)
            }
            Some(class) if is_class => {
                self.entering.insert(class.span(), element);
                None
            }
            _ => Some(element),
        }
    }

    /// The function that a wrapper of components is handed.
    fn unwrap_component_call<'e>(&self, value: &'e Expression<'a>) -> &'e Expression<'a> {
        let Expression::CallExpression(call) = value else { return value };
        let name = match &call.callee {
            Expression::Identifier(id) => id.name.as_str(),
            Expression::StaticMemberExpression(member) => member.property.name.as_str(),
            _ => return value,
        };
        let inner = call.arguments.first().and_then(Argument::as_expression).filter(|inner| inner.is_function());
        inner.filter(|_| matches!(name, "memo" | "forwardRef" | "observer" | "useCallback")).unwrap_or(value)
    }

    fn is_require(&self, it: &VariableDeclarator<'a>) -> bool {
        matches!(it.init.as_ref().map(strip_expression_wrappers), Some(Expression::CallExpression(call)) if self.is_global(&call.callee, "require"))
    }

    fn destructured_elements(&mut self, it: &VariableDeclarator<'a>, start: u32) {
        for id in it.id.get_binding_identifiers() {
            let span = Span::new(start, it.span.end);
            let new =
                Draft::new(ElementKind::Constant, &id.name, id.span, span, it.id.span().end).with_outer(self.outer);
            let element = self.add_element(new);
            if let Some(symbol) = self.declared_symbol(id).and_then(|id| self.facts.symbols.get_mut(id as usize)) {
                symbol.element = Some(element);
            }
        }
    }

    fn export_of(&self, symbol: Option<SymbolId>, known: Exporting) -> Exporting {
        let top = self.holders.len() == 1;
        symbol.filter(|_| top && known == Exporting::No).and_then(|id| self.exported.get(&id).copied()).unwrap_or(known)
    }

    /// Joins an element with the function expression that it is.
    pub(super) fn enter_function(&mut self, element: u32, value: &Expression<'a>) {
        let (id, count, span, asynchronous, generator) = match value {
            Expression::FunctionExpression(it) => {
                (self.read_function(it), it.params.parameters_count(), it.span, it.r#async, it.generator)
            }
            Expression::ArrowFunctionExpression(it) => {
                (self.read_arrow_function(it), it.params.parameters_count(), it.span, it.r#async, false)
            }
            _ => return,
        };
        if let Some(function) = self.function_mut(id) {
            function.element = Some(element);
        }
        if let Some(element) = self.elements.get_mut(element as usize) {
            element.modifiers.asynchronous = asynchronous;
            element.modifiers.generator = generator;
        }
        self.entering.insert(span, element);
        self.measured.push((element, span, u32::try_from(count).unwrap_or(u32::MAX)));
    }

    /// A function of its own; overloads share one element.
    pub(super) fn declared_function(&mut self, it: &Function<'a>, id: FunctionId) -> Option<u32> {
        let symbol = it.id.as_ref().and_then(|id| self.declared_symbol(id));
        if let Some(symbol) = symbol {
            self.declare(symbol, Declaration::Function(id));
        }
        if it.is_expression() {
            return None;
        }
        let (name, name_span) = declared_name(it.id.as_ref(), it.span);
        let head = it.body.as_ref().map_or(it.span.end, |body| body.span.start);
        let element = self.earlier_overload(symbol).unwrap_or_else(|| {
            let mut new = Draft::new(function_kind(name), name, name_span, it.span, head).with_outer(self.outer);
            new.export = self.export_of(symbol, new.export);
            new.modifiers.asynchronous = it.r#async;
            new.modifiers.generator = it.generator;
            self.add_element(new)
        });
        if let Some(function) = self.function_mut(id) {
            function.element = Some(element);
        }
        if let Some(body) = &it.body {
            self.extend_to(element, it.span, &name_span);
            if let Some(element) = self.elements.get_mut(element as usize) {
                element.modifiers.asynchronous = it.r#async;
                element.modifiers.generator = it.generator;
            }
            let count = u32::try_from(it.params.parameters_count()).unwrap_or(u32::MAX);
            self.measured.push((element, it.span, count));
            debug_assert!(body.span.end <= it.span.end, "a body ends with its function");
        }
        Some(element)
    }

    fn earlier_overload(&self, symbol: Option<SymbolId>) -> Option<u32> {
        let symbol = self.facts.symbols.get(symbol? as usize)?;
        symbol.declarations.iter().find_map(|declaration| match declaration {
            Declaration::Function(id) => self.facts.functions.get(*id as usize)?.element,
            _ => None,
        })
    }

    pub(super) fn declared_class(&mut self, it: &Class<'a>) -> Option<u32> {
        if it.is_expression() {
            return None;
        }
        let (name, name_span) = declared_name(it.id.as_ref(), it.span);
        let mut new =
            Draft::new(ElementKind::Class, name, name_span, it.span, it.body.span.start).with_outer(self.outer);
        new.modifiers.abstract_ = it.r#abstract;
        self.apply_decorators(&mut new, &it.decorators);
        new.export = self.export_of(it.id.as_ref().and_then(|id| self.declared_symbol(id)), new.export);
        Some(self.add_element(new))
    }

    /// A function in an object literal is an element.
    pub(super) fn object_member(&mut self, it: &ObjectProperty<'a>) {
        let Some(name) = it.key.static_name() else { return };
        let value = value_of(&it.value);
        if !value.is_function() || self.entering.contains_key(&value.span()) {
            return;
        }
        let kind = if it.kind == PropertyKind::Init { ElementKind::Method } else { ElementKind::Accessor };
        let new = Draft::new(kind, &name, it.key.span(), it.span, self.head_end(value));
        let element = self.add_element(new);
        self.enter_function(element, value);
        let function = self.seen_functions.get(&value.span()).copied();
        let holds = |member: &Member| match member.value {
            MemberValue::Method(id) | MemberValue::Getter(id) => Some(id) == function,
            MemberValue::Property(..) => member.element.is_none(),
            _ => false,
        };
        let object = self.objects.last().copied();
        if let Some(shape) = object.and_then(|id| self.shape_mut(id))
            && let Some(member) = shape.members.first_named(&name, holds)
        {
            member.element = Some(element);
        }
    }

    /// An element that is exported as what stands around it says, or its symbol.
    fn add_declared(&mut self, symbol: Option<SymbolId>, new: Draft<'_>) -> u32 {
        let mut new = new.with_outer(self.outer);
        new.export = self.export_of(symbol, new.export);
        self.add_element(new)
    }

    pub(super) fn read_interface(&mut self, it: &TSInterfaceDeclaration<'a>) {
        let symbol = self.declared_symbol(&it.id);
        let known = symbol.and_then(|id| self.facts.symbols.get(id as usize)).and_then(|symbol| {
            symbol.declarations.iter().find_map(|declaration| match declaration {
                Declaration::Interface(shape) => self.facts.shapes.get(*shape as usize)?.element,
                _ => None,
            })
        });
        let element = known.unwrap_or_else(|| {
            self.add_declared(
                symbol,
                Draft::new(ElementKind::Interface, &it.id.name, it.id.span, it.span, it.body.span.start),
            )
        });
        let parameters = self.type_parameters(it.type_parameters.as_deref());
        let mut shape = 0;
        self.read_inside_element(element, |this| {
            shape = this.read_type_members(&it.body.body, ShapeKind::Interface, Some(Self::signature_element));
        });
        let mut extends = Vec::new();
        for parent in &it.extends {
            let arguments = self.arguments_of(parent.type_arguments.as_deref());
            extends.push((self.read_named_type(&parent.type_name, arguments), self.at(parent.span.start)));
        }
        if let Some(place) = self.shape_mut(shape) {
            place.element = Some(element);
            place.parameters = parameters;
            place.extends = extends;
        }
        if let Some(symbol) = symbol {
            self.declare(symbol, Declaration::Interface(shape));
        }
    }

    fn signature_element(&mut self, member: &TSSignature<'a>) -> Option<u32> {
        let (kind, key, span) = match member {
            TSSignature::TSMethodSignature(it) => (ElementKind::Method, &it.key, it.span),
            TSSignature::TSPropertySignature(it) => (ElementKind::Property, &it.key, it.span),
            _ => return None,
        };
        let name = key.static_name()?;
        // Overloads of a method are one element.
        let known = (self.holder(), kind, name.to_string());
        if let Some(&element) = self.overloaded.get(&known) {
            return Some(element);
        }
        let element = self.add_element(Draft::new(kind, &name, key.span(), span, span.end));
        self.overloaded.insert(known, element);
        Some(element)
    }

    pub(super) fn read_type_alias(&mut self, it: &TSTypeAliasDeclaration<'a>) {
        let symbol = self.declared_symbol(&it.id);
        let head = it.type_annotation.span().start;
        let new = Draft::new(ElementKind::Type, &it.id.name, it.id.span, it.span, head);
        let element = self.add_declared(symbol, new);
        let parameters = self.type_parameters(it.type_parameters.as_deref());
        let ty = match &it.type_annotation {
            TSType::TSTypeLiteral(literal) => {
                let mut shape = 0;
                self.read_inside_element(element, |this| {
                    shape =
                        this.read_type_members(&literal.members, ShapeKind::TypeLiteral, Some(Self::signature_element));
                });
                self.push_type(Type::Literal(shape))
            }
            other => self.read_type(other),
        };
        if let Some(symbol) = symbol {
            self.declare(symbol, Declaration::Alias { ty, parameters });
            if let Some(symbol) = self.facts.symbols.get_mut(symbol as usize) {
                symbol.element.get_or_insert(element);
            }
        }
    }

    pub(super) fn read_enum(&mut self, it: &TSEnumDeclaration<'a>) {
        let symbol = self.declared_symbol(&it.id);
        let new = Draft::new(ElementKind::Enum, &it.id.name, it.id.span, it.span, it.body.span.start);
        let element = self.add_declared(symbol, new);
        let number = self.push_type(Type::Primitive(Primitive::Number));
        let members = it.body.members.iter().map(|member| Member {
            name: member.id.static_name().to_string(),
            element: None,
            value: MemberValue::Property(number, 0),
        });
        let shape = ObjectShape {
            kind: ShapeKind::Enum,
            element: Some(element),
            members: members.collect(),
            ..ObjectShape::default()
        };
        let shape = self.push_shape(shape);
        if let Some(symbol) = symbol {
            self.declare(symbol, Declaration::Enum(shape));
        }
    }

    pub(super) fn read_namespace(&mut self, it: &TSNamespaceDeclaration<'a>) -> (u32, ShapeId) {
        let symbol = self.declared_symbol(&it.id);
        let head = it.id.span.end;
        let new = Draft::new(ElementKind::Namespace, &it.id.name, it.id.span, it.span, head);
        let element = self.add_declared(symbol, new);
        let shape = self.push_shape(ObjectShape {
            kind: ShapeKind::Namespace,
            element: Some(element),
            ..ObjectShape::default()
        });
        if let Some(symbol) = symbol {
            self.declare(symbol, Declaration::Namespace(shape));
        }
        if let oxc_ast::ast::TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) = &it.body
            && let Some(inner_symbol) = self.declared_symbol(&inner.id)
        {
            let name = inner.id.name.to_string();
            self.add_member(shape, Member { name, element: None, value: MemberValue::Symbol(inner_symbol) });
        }
        (element, shape)
    }
}

/// The name of a declaration and its place; what has none is exported as `default`.
fn declared_name<'n>(id: Option<&'n BindingIdentifier<'_>>, span: Span) -> (&'n str, Span) {
    id.map_or(("default", Span::new(span.start, span.start)), |id| (id.name.as_str(), id.span))
}

/// `useThing` is a hook.
fn function_kind(name: &str) -> ElementKind {
    let rest = name.strip_prefix("use");
    if rest.is_some_and(|rest| rest.starts_with(char::is_uppercase)) {
        ElementKind::Hook
    } else {
        ElementKind::Function
    }
}
