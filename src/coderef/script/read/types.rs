//! Types in the form that linking works on.

use oxc_ast::ast::{
    FormalParameters, TSImportType, TSLiteral, TSSignature, TSTupleElement, TSType, TSTypeAnnotation, TSTypeName,
    TSTypeOperatorOperator, TSTypeParameterDeclaration, TSTypeParameterInstantiation, TSTypeQueryExprName,
};

use super::reader::{ScriptFactsReader, This};
use crate::script::facts::{
    Declaration, Expr, ExprId, Function, ImportKind, Member, MemberValue, ObjectShape, Parameter, Primitive, ShapeId,
    ShapeKind, SymbolId, Type, TypeId,
};

/// Makes the element of a member, when it is to have one.
type MakeElement<R, M> = fn(&mut R, &M) -> Option<u32>;

impl<'a> ScriptFactsReader<'a, '_> {
    pub(super) fn read_annotation(&mut self, annotation: Option<&TSTypeAnnotation<'a>>) -> TypeId {
        annotation.map_or(0, |annotation| self.read_type(&annotation.type_annotation))
    }

    pub(super) fn arguments_of(&mut self, arguments: Option<&TSTypeParameterInstantiation<'a>>) -> Vec<TypeId> {
        arguments.map(|arguments| arguments.params.iter().map(|ty| self.read_type(ty)).collect()).unwrap_or_default()
    }

    pub(super) fn read_type(&mut self, ty: &TSType<'a>) -> TypeId {
        let found = match ty {
            TSType::TSStringKeyword(_) | TSType::TSTemplateLiteralType(_) => Type::Primitive(Primitive::String),
            TSType::TSNumberKeyword(_) => Type::Primitive(Primitive::Number),
            TSType::TSBooleanKeyword(_) | TSType::TSTypePredicate(_) => Type::Primitive(Primitive::Boolean),
            TSType::TSBigIntKeyword(_) => Type::Primitive(Primitive::BigInt),
            TSType::TSSymbolKeyword(_) => Type::Primitive(Primitive::Symbol),
            TSType::TSNullKeyword(_)
            | TSType::TSUndefinedKeyword(_)
            | TSType::TSVoidKeyword(_)
            | TSType::TSNeverKeyword(_) => Type::Primitive(Primitive::Nothing),
            TSType::TSAnyKeyword(_) | TSType::TSUnknownKeyword(_) => Type::Primitive(Primitive::Any),
            TSType::TSArrayType(it) => Type::Array(self.read_type(&it.element_type)),
            TSType::TSTupleType(it) => Type::Tuple(it.element_types.iter().map(|item| self.tuple_item(item)).collect()),
            TSType::TSUnionType(it) => Type::Union(it.types.iter().map(|part| self.read_type(part)).collect()),
            TSType::TSIntersectionType(it) => {
                Type::Intersection(it.types.iter().map(|part| self.read_type(part)).collect())
            }
            TSType::TSParenthesizedType(it) => return self.read_type(&it.type_annotation),
            TSType::TSTypeOperatorType(it) if it.operator == TSTypeOperatorOperator::Readonly => {
                return self.read_type(&it.type_annotation);
            }
            TSType::TSTypeOperatorType(_) => Type::Primitive(Primitive::String),
            TSType::TSThisType(_) => match self.this.last() {
                Some(This::Shape(shape, _)) => Type::This(*shape),
                _ => return 0,
            },
            TSType::TSTypeReference(it) => {
                let arguments = self.arguments_of(it.type_arguments.as_deref());
                return self.read_named_type(&it.type_name, arguments);
            }
            TSType::TSTypeLiteral(it) => {
                Type::Literal(self.read_type_members(&it.members, ShapeKind::TypeLiteral, None))
            }
            TSType::TSFunctionType(it) => {
                Type::Function(self.read_signature(&it.params, it.type_parameters.as_deref(), Some(&it.return_type)))
            }
            TSType::TSConstructorType(it) => {
                Type::Constructor(self.read_signature(&it.params, it.type_parameters.as_deref(), Some(&it.return_type)))
            }
            TSType::TSTypeQuery(it) => match &it.expr_name {
                TSTypeQueryExprName::TSImportType(it) => Type::Typeof(self.imported_value(it)),
                other => match other.as_ts_type_name().map(|name| self.value_name(name)) {
                    Some(value) => Type::Typeof(value),
                    None => return 0,
                },
            },
            TSType::TSIndexedAccessType(it) => {
                let (object, index) = (self.read_type(&it.object_type), self.read_type(&it.index_type));
                Type::Indexed(object, index)
            }
            TSType::TSLiteralType(it) => match &it.literal {
                TSLiteral::StringLiteral(text) => Type::Text(text.value.to_string()),
                TSLiteral::BooleanLiteral(_) => Type::Primitive(Primitive::Boolean),
                TSLiteral::BigIntLiteral(_) => Type::Primitive(Primitive::BigInt),
                TSLiteral::TemplateLiteral(_) => Type::Primitive(Primitive::String),
                _ => Type::Primitive(Primitive::Number),
            },
            TSType::TSImportType(it) => return self.import_type(it),
            TSType::TSConditionalType(it) => {
                let (yes, no) = (self.read_type(&it.true_type), self.read_type(&it.false_type));
                Type::Conditional(yes, no)
            }
            TSType::TSMappedType(it) => {
                let inner = it.type_annotation.as_ref().map_or(0, |ty| self.read_type(ty));
                Type::Mapped(inner)
            }
            TSType::TSNamedTupleMember(it) => return self.tuple_item(&it.element_type),
            TSType::JSDocNullableType(it) => return self.read_type(&it.type_annotation),
            TSType::JSDocNonNullableType(it) => return self.read_type(&it.type_annotation),
            _ => return 0,
        };
        self.push_type(found)
    }

    fn tuple_item(&mut self, item: &TSTupleElement<'a>) -> TypeId {
        match item {
            TSTupleElement::TSOptionalType(it) => self.read_type(&it.type_annotation),
            TSTupleElement::TSRestType(it) => self.read_type(&it.type_annotation),
            other => other.as_ts_type().map_or(0, |ty| self.read_type(ty)),
        }
    }

    fn import_type(&mut self, it: &TSImportType<'a>) -> TypeId {
        let (import, names) = self.requested_type(it);
        self.push_type(Type::Import(import, names))
    }

    /// `typeof import("…").a`.
    fn imported_value(&mut self, it: &TSImportType<'a>) -> ExprId {
        let (import, names) = self.requested_type(it);
        let module = self.push_expr(Expr::Module(import));
        names.into_iter().fold(module, |object, name| self.push_expr(Expr::Member(object, name)))
    }

    /// The module that a type asks for, and the names behind it.
    fn requested_type(&mut self, it: &TSImportType<'a>) -> (u32, Vec<String>) {
        use oxc_ast::ast::TSImportTypeQualifier as Qualifier;
        let import = self.add_module_request(Some(it.source.value.to_string()), ImportKind::Static, it.span);
        if let Some(import) = self.facts.imports.get_mut(import as usize) {
            import.type_only = true;
        }
        let mut names = Vec::new();
        let mut part = it.qualifier.as_ref();
        while let Some(qualifier) = part {
            match qualifier {
                Qualifier::Identifier(name) => {
                    names.push(name.name.to_string());
                    part = None;
                }
                Qualifier::QualifiedName(name) => {
                    names.push(name.right.name.to_string());
                    part = Some(&name.left);
                }
            }
        }
        names.reverse();
        (import, names)
    }

    /// A type by its name.
    pub(super) fn read_named_type(&mut self, name: &TSTypeName<'a>, arguments: Vec<TypeId>) -> TypeId {
        let found = match name {
            TSTypeName::IdentifierReference(id) => match self.referenced_symbol(id) {
                Some(symbol) => Type::Symbol(symbol, arguments),
                None => Type::Global(id.name.to_string(), arguments),
            },
            TSTypeName::QualifiedName(it) => {
                let left = self.read_named_type(&it.left, Vec::new());
                Type::Member(left, it.right.name.to_string(), arguments)
            }
            TSTypeName::ThisExpression(_) => return 0,
        };
        self.push_type(found)
    }

    /// A value by a name that stands in a type: `typeof a.b`.
    pub(super) fn value_name(&mut self, name: &TSTypeName<'a>) -> ExprId {
        let found = match name {
            TSTypeName::IdentifierReference(id) => match self.referenced_symbol(id) {
                Some(symbol) => Expr::Symbol(symbol),
                None => Expr::Global(id.name.to_string()),
            },
            TSTypeName::QualifiedName(it) => {
                let left = self.value_name(&it.left);
                Expr::Member(left, it.right.name.to_string())
            }
            TSTypeName::ThisExpression(_) => match self.this.last() {
                Some(This::Shape(shape, is_static)) => Expr::This(*shape, *is_static),
                _ => return 0,
            },
        };
        self.push_expr(found)
    }

    /// Declares type parameters.
    pub(super) fn type_parameters(&mut self, declaration: Option<&TSTypeParameterDeclaration<'a>>) -> Vec<SymbolId> {
        let mut found = Vec::new();
        for parameter in declaration.iter().flat_map(|declaration| &declaration.params) {
            let Some(symbol) = self.declared_symbol(&parameter.name) else { continue };
            found.push(symbol);
            let constraint = parameter.constraint.as_ref().map_or(0, |ty| self.read_type(ty));
            let default = parameter.default.as_ref().map_or(0, |ty| self.read_type(ty));
            let known = self.facts.symbols.get(symbol as usize).is_some_and(|symbol| !symbol.declarations.is_empty());
            if !known {
                self.declare(symbol, Declaration::TypeParameter { constraint, default });
            }
        }
        found
    }

    pub(super) fn parameter_types(&mut self, parameters: &FormalParameters<'a>) -> Vec<Parameter> {
        let mut found: Vec<Parameter> = Vec::new();
        for item in &parameters.items {
            let ty = self.read_annotation(item.type_annotation.as_deref());
            found.push(Parameter { ty, optional: item.optional || item.initializer.is_some(), rest: false });
        }
        if let Some(rest) = &parameters.rest {
            let ty = self.read_annotation(rest.type_annotation.as_deref());
            found.push(Parameter { ty, optional: true, rest: true });
        }
        found
    }

    /// A function without a body.
    pub(super) fn read_signature(
        &mut self,
        parameters: &FormalParameters<'a>,
        type_parameters: Option<&TSTypeParameterDeclaration<'a>>,
        result: Option<&TSTypeAnnotation<'a>>,
    ) -> u32 {
        let type_parameters = self.type_parameters(type_parameters);
        let parameters = self.parameter_types(parameters);
        let result = self.read_annotation(result);
        self.push_function(Function { parameters, type_parameters, result, signature: true, ..Function::default() })
    }

    /// The members of an interface or a type literal; `element` makes each of them, when they are to be elements.
    pub(super) fn read_type_members(
        &mut self,
        members: &[TSSignature<'a>],
        kind: ShapeKind,
        element: Option<MakeElement<Self, TSSignature<'a>>>,
    ) -> ShapeId {
        let id = self.push_shape(ObjectShape { kind, ..ObjectShape::default() });
        self.this.push(This::Shape(id, false));
        for member in members {
            let own = element.and_then(|element| element(self, member));
            self.signature_member(id, member, own);
        }
        self.this.pop();
        id
    }

    fn signature_member(&mut self, id: ShapeId, member: &TSSignature<'a>, element: Option<u32>) {
        match member {
            TSSignature::TSPropertySignature(it) => {
                let Some(name) = it.key.static_name() else { return };
                let ty = self.read_annotation(it.type_annotation.as_deref());
                self.add_member(id, Member { name: name.into_owned(), element, value: MemberValue::Property(ty, 0) });
            }
            TSSignature::TSMethodSignature(it) => {
                let Some(name) = it.key.static_name() else { return };
                let function =
                    self.read_signature(&it.params, it.type_parameters.as_deref(), it.return_type.as_deref());
                if let Some(function) = self.function_mut(function) {
                    function.element = element;
                }
                let value = match it.kind {
                    oxc_ast::ast::TSMethodSignatureKind::Method => MemberValue::Method(function),
                    oxc_ast::ast::TSMethodSignatureKind::Get => MemberValue::Getter(function),
                    oxc_ast::ast::TSMethodSignatureKind::Set => MemberValue::Setter,
                };
                self.add_member(id, Member { name: name.into_owned(), element, value });
            }
            TSSignature::TSCallSignatureDeclaration(it) => {
                let function =
                    self.read_signature(&it.params, it.type_parameters.as_deref(), it.return_type.as_deref());
                if let Some(shape) = self.shape_mut(id) {
                    shape.calls.push(function);
                }
            }
            TSSignature::TSConstructSignatureDeclaration(it) => {
                let function =
                    self.read_signature(&it.params, it.type_parameters.as_deref(), it.return_type.as_deref());
                if let Some(shape) = self.shape_mut(id) {
                    shape.news.push(function);
                }
            }
            TSSignature::TSIndexSignature(it) => {
                let ty = self.read_type(&it.type_annotation.type_annotation);
                if let Some(shape) = self.shape_mut(id) {
                    shape.index = ty;
                }
            }
        }
    }

    pub(super) fn add_member(&mut self, id: ShapeId, member: Member) {
        if let Some(shape) = self.shape_mut(id) {
            shape.members.push(member);
        }
    }
}
