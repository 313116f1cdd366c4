//! Expressions in the form that linking works on. Each is noted once, whoever comes to it first.

use oxc_ast::ast::{
    Argument, ArrayExpressionElement, ArrowFunctionBody, ChainElement, Expression, ObjectExpression,
    ObjectPropertyKind, PropertyKind, TSType,
};
use oxc_span::GetSpan;
use oxc_syntax::operator::{BinaryOperator, UnaryOperator};

use super::reader::{ScriptFactsReader, This};
use crate::script::facts::{
    Expr, ExprId, ImportKind, Member, MemberValue, ObjectShape, Primitive, ShapeId, ShapeKind, Type, TypeId,
};
use crate::script::members::Members;

/// Without parentheses, `!`, and `satisfies`.
pub(super) fn strip_expression_wrappers<'e, 'a>(expression: &'e Expression<'a>) -> &'e Expression<'a> {
    match expression {
        Expression::ParenthesizedExpression(inner) => strip_expression_wrappers(&inner.expression),
        Expression::TSNonNullExpression(inner) => strip_expression_wrappers(&inner.expression),
        Expression::TSSatisfiesExpression(inner) => strip_expression_wrappers(&inner.expression),
        Expression::TSInstantiationExpression(inner) => strip_expression_wrappers(&inner.expression),
        _ => expression,
    }
}

/// Without type assertions either: the value itself.
pub(super) fn value_of<'e, 'a>(expression: &'e Expression<'a>) -> &'e Expression<'a> {
    match strip_expression_wrappers(expression) {
        Expression::TSAsExpression(inner) => value_of(&inner.expression),
        Expression::TSTypeAssertion(inner) => value_of(&inner.expression),
        other => other,
    }
}

impl<'a> ScriptFactsReader<'a, '_> {
    /// The expression where `context` is asked for.
    pub(super) fn expr_in(&mut self, expression: &Expression<'a>, context: TypeId) -> ExprId {
        let id = self.read_expr(expression);
        self.give_context(expression, context);
        id
    }

    /// Tells function and object literals what their place asks for.
    pub(super) fn give_context(&mut self, expression: &Expression<'a>, context: TypeId) {
        if context == 0 {
            return;
        }
        match expression {
            Expression::TSAsExpression(_) | Expression::TSTypeAssertion(_) => {}
            Expression::ConditionalExpression(it) => {
                self.give_context(&it.consequent, context);
                self.give_context(&it.alternate, context);
            }
            Expression::LogicalExpression(it) => self.give_context(&it.right, context),
            other => {
                let span = strip_expression_wrappers(other).span();
                if let Some(&id) = self.seen_functions.get(&span) {
                    if let Some(function) = self.function_mut(id).filter(|function| function.context == 0) {
                        function.context = context;
                    }
                } else if let Some(&id) = self.seen_shapes.get(&span)
                    && let Some(shape) = self.shape_mut(id).filter(|shape| shape.context == 0)
                {
                    shape.context = context;
                }
            }
        }
    }

    pub(super) fn read_expr(&mut self, expression: &Expression<'a>) -> ExprId {
        let expression = strip_expression_wrappers(expression);
        if !self.docs.is_plain()
            && let Some(id) = self.documented_cast(expression)
        {
            return id;
        }
        self.expr_without_cast(expression)
    }

    /// The expression as it is, whatever a comment before it says.
    pub(super) fn expr_without_cast(&mut self, expression: &Expression<'a>) -> ExprId {
        let span = expression.span();
        if let Some(&id) = self.seen_exprs.get(&span) {
            return id;
        }
        let id = self.build_expr(expression);
        self.seen_exprs.insert(span, id);
        id
    }

    fn build_expr(&mut self, expression: &Expression<'a>) -> ExprId {
        let expr = match expression {
            Expression::Identifier(id) => match self.referenced_symbol(id) {
                Some(symbol) => Expr::Symbol(symbol),
                None if id.name == "undefined" => Expr::Primitive(Primitive::Nothing),
                None => Expr::Global(id.name.to_string()),
            },
            Expression::ThisExpression(_) => match self.this.last() {
                Some(This::Shape(shape, is_static)) => Expr::This(*shape, *is_static),
                Some(This::Function(function)) => Expr::ThisOf(*function),
                _ => return 0,
            },
            Expression::Super(_) => match self.this.last() {
                Some(This::Shape(shape, is_static)) => Expr::Super(*shape, *is_static),
                _ => return 0,
            },
            Expression::StaticMemberExpression(it) => {
                let object = self.read_expr(&it.object);
                Expr::Member(object, it.property.name.to_string())
            }
            Expression::PrivateFieldExpression(it) => {
                let object = self.read_expr(&it.object);
                Expr::Member(object, format!("#{}", it.field.name))
            }
            Expression::ComputedMemberExpression(it) => {
                let object = self.read_expr(&it.object);
                match &it.expression {
                    Expression::StringLiteral(key) => Expr::Member(object, key.value.to_string()),
                    Expression::NumericLiteral(key) => Expr::Index(object, small_whole_number(key.value)),
                    _ => Expr::Index(object, None),
                }
            }
            Expression::ChainExpression(it) => match &it.expression {
                ChainElement::CallExpression(call) => return self.read_call(call),
                ChainElement::TSNonNullExpression(inner) => return self.read_expr(&inner.expression),
                ChainElement::StaticMemberExpression(it) => {
                    let object = self.read_expr(&it.object);
                    Expr::Member(object, it.property.name.to_string())
                }
                ChainElement::PrivateFieldExpression(it) => {
                    let object = self.read_expr(&it.object);
                    Expr::Member(object, format!("#{}", it.field.name))
                }
                ChainElement::ComputedMemberExpression(it) => {
                    let object = self.read_expr(&it.object);
                    Expr::Index(object, None)
                }
            },
            Expression::CallExpression(call) => return self.read_call(call),
            Expression::NewExpression(new) => return self.new_call(new),
            Expression::ImportExpression(it) => {
                return self.dynamic_import(it);
            }
            Expression::FunctionExpression(function) => {
                let id = self.read_function(function);
                Expr::Function(id)
            }
            Expression::ArrowFunctionExpression(arrow) => {
                let id = self.read_arrow_function(arrow);
                Expr::Function(id)
            }
            Expression::ClassExpression(class) => Expr::Class(self.class_shape(class)),
            Expression::ObjectExpression(object) => Expr::Object(self.read_object_literal(object)),
            Expression::ArrayExpression(array) => {
                let items = array.elements.iter().map(|item| self.array_item(item)).collect();
                Expr::Array(items)
            }
            Expression::AwaitExpression(it) => {
                let inner = self.read_expr(&it.argument);
                Expr::Await(inner)
            }
            Expression::TSAsExpression(it) => return self.read_cast(&it.expression, &it.type_annotation),
            Expression::TSTypeAssertion(it) => return self.read_cast(&it.expression, &it.type_annotation),
            Expression::ConditionalExpression(it) => {
                let (yes, no) = (self.read_expr(&it.consequent), self.read_expr(&it.alternate));
                Expr::Either(yes, no)
            }
            Expression::LogicalExpression(it) => {
                let (left, right) = (self.read_expr(&it.left), self.read_expr(&it.right));
                if it.operator.is_and() { return right } else { Expr::Either(left, right) }
            }
            Expression::AssignmentExpression(it) => return self.read_expr(&it.right),
            Expression::SequenceExpression(it) => {
                return it.expressions.last().map_or(0, |last| self.read_expr(last));
            }
            Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => Expr::Primitive(Primitive::String),
            Expression::NumericLiteral(_) | Expression::UpdateExpression(_) => Expr::Primitive(Primitive::Number),
            Expression::BooleanLiteral(_) | Expression::PrivateInExpression(_) => Expr::Primitive(Primitive::Boolean),
            Expression::BigIntLiteral(_) => Expr::Primitive(Primitive::BigInt),
            Expression::NullLiteral(_) => Expr::Primitive(Primitive::Nothing),
            Expression::RegExpLiteral(_) => Expr::Primitive(Primitive::RegExp),
            Expression::UnaryExpression(it) => Expr::Primitive(match it.operator {
                UnaryOperator::Typeof => Primitive::String,
                UnaryOperator::LogicalNot | UnaryOperator::Delete => Primitive::Boolean,
                UnaryOperator::Void => Primitive::Nothing,
                _ => Primitive::Number,
            }),
            Expression::BinaryExpression(it) => {
                let text = |this: &mut Self, side: &Expression<'a>| {
                    let id = this.read_expr(side);
                    this.facts.exprs.get(id as usize) == Some(&Expr::Primitive(Primitive::String))
                };
                Expr::Primitive(match it.operator {
                    BinaryOperator::Addition if text(self, &it.left) || text(self, &it.right) => Primitive::String,
                    BinaryOperator::Addition => return 0,
                    operator if operator.is_compare() || operator.is_equality() || operator.is_relational() => {
                        Primitive::Boolean
                    }
                    _ => Primitive::Number,
                })
            }
            _ => return 0,
        };
        self.push_expr(expr)
    }

    fn array_item(&mut self, item: &ArrayExpressionElement<'a>) -> ExprId {
        match item {
            ArrayExpressionElement::SpreadElement(spread) => {
                let inner = self.read_expr(&spread.argument);
                self.push_expr(Expr::Spread(inner))
            }
            ArrayExpressionElement::Elision(_) => 0,
            other => other.as_expression().map_or(0, |item| self.read_expr(item)),
        }
    }

    /// `value as T`; `as const` says nothing new.
    fn read_cast(&mut self, value: &Expression<'a>, ty: &TSType<'a>) -> ExprId {
        let inner = self.read_expr(value);
        let is_const = matches!(ty, TSType::TSTypeReference(it)
            if matches!(&it.type_name, oxc_ast::ast::TSTypeName::IdentifierReference(name) if name.name == "const"));
        if is_const {
            return inner;
        }
        let ty = self.read_type(ty);
        self.give_context(value, ty);
        self.push_expr(Expr::Cast(ty))
    }

    pub(super) fn read_argument(&mut self, argument: &Argument<'a>) -> ExprId {
        match argument {
            Argument::SpreadElement(spread) => {
                let inner = self.read_expr(&spread.argument);
                self.push_expr(Expr::Spread(inner))
            }
            other => other.as_expression().map_or(0, |argument| self.read_expr(argument)),
        }
    }

    /// An object literal with its members.
    pub(super) fn read_object_literal(&mut self, object: &ObjectExpression<'a>) -> ShapeId {
        if let Some(&id) = self.seen_shapes.get(&object.span) {
            return id;
        }
        let id = self.push_shape(ObjectShape { kind: ShapeKind::Object, ..ObjectShape::default() });
        self.seen_shapes.insert(object.span, id);
        let (mut members, mut spreads) = (Members::default(), Vec::new());
        let expected = self.push_type(Type::Literal(id));
        for property in &object.properties {
            match property {
                ObjectPropertyKind::SpreadProperty(spread) => {
                    let value = self.read_expr(&spread.argument);
                    spreads.push(value);
                }
                ObjectPropertyKind::ObjectProperty(property) => {
                    let Some(name) = property.key.static_name() else { continue };
                    // The function of a member has the object as its `this`; of an arrow it is that around the object.
                    let is_function = matches!(property.value, Expression::FunctionExpression(_));
                    if is_function {
                        self.receivers.insert(property.value.span(), This::Shape(id, false));
                    }
                    let value = self.read_expr(&property.value);
                    let declared = self.documented_type(property.span);
                    let context = if declared == 0 {
                        self.push_type(Type::MemberOf(expected, name.to_string()))
                    } else {
                        declared
                    };
                    self.give_context(&property.value, context);
                    let function = self.seen_functions.get(&strip_expression_wrappers(&property.value).span()).copied();
                    let value = match (property.kind, function) {
                        (PropertyKind::Get, Some(function)) => MemberValue::Getter(function),
                        (PropertyKind::Set, _) => MemberValue::Setter,
                        (_, Some(function)) if property.method => MemberValue::Method(function),
                        (_, Some(_)) => MemberValue::Property(0, value),
                        _ => MemberValue::Property(declared, value),
                    };
                    members.push(Member { name: name.into_owned(), element: None, value });
                }
            }
        }
        if let Some(shape) = self.shape_mut(id) {
            shape.members = members;
            shape.spreads = spreads;
        }
        id
    }

    /// The values that a function body gives back.
    pub(super) fn arrow_value(&mut self, body: &ArrowFunctionBody<'a>) -> Option<ExprId> {
        body.as_expression().map(|value| self.read_expr(value))
    }

    /// The expression of `module.exports` and its kin, or `None`.
    pub(super) fn is_global(&self, expression: &Expression<'_>, name: &str) -> bool {
        matches!(expression, Expression::Identifier(id) if id.name == name && self.referenced_symbol(id).is_none())
    }

    pub(super) fn string_of(expression: &Expression<'_>) -> Option<String> {
        match expression {
            Expression::StringLiteral(text) => Some(text.value.to_string()),
            Expression::TemplateLiteral(text) if text.expressions.is_empty() => {
                text.quasis.first().and_then(|part| part.value.cooked.as_ref()).map(ToString::to_string)
            }
            _ => None,
        }
    }

    pub(super) fn dynamic_import(&mut self, it: &oxc_ast::ast::ImportExpression<'a>) -> ExprId {
        let import = self.add_module_request(Self::string_of(&it.source), ImportKind::Dynamic, it.span);
        let module = self.push_expr(Expr::Module(import));
        // `import()` promises the module: awaiting anything that is no promise gives the thing itself.
        module
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be a small whole number")]
fn small_whole_number(value: f64) -> Option<u32> {
    (value.fract() == 0.0 && (0.0..1000.0).contains(&value)).then_some(value as u32)
}
