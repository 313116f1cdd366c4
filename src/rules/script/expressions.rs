//! Small questions about expressions that several rules ask.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, BindingPattern, CallExpression, Expression, IdentifierReference, ObjectExpression, ObjectPropertyKind,
};
use oxc_ast::ast::{ArrowFunctionExpression, Function, FunctionBody, VariableDeclarator};
use oxc_syntax::operator::BinaryOperator;

use super::context::ScriptContext;
use super::names::key_name;

/// How far constants are followed through declarations.
const MAX_STEPS: u32 = 8;

/// The expression without casts and `!`.
pub(crate) fn without_casts<'e, 'a>(expression: &'e Expression<'a>) -> &'e Expression<'a> {
    expression.get_inner_expression()
}

/// The last name of `a`, `a.b`, `a?.b` or `this.b`.
pub(crate) fn member_name<'e>(expression: &'e Expression<'_>) -> Option<&'e str> {
    match without_casts(expression) {
        Expression::Identifier(identifier) => Some(identifier.name.as_str()),
        Expression::PrivateFieldExpression(member) => Some(member.field.name.as_str()),
        Expression::ChainExpression(chain) => chain.expression.member_expression()?.static_property_name(),
        other => other.get_member_expr()?.static_property_name(),
    }
}

/// Object and property name of a member expression, also in an optional chain.
pub(crate) fn member_parts<'e, 'a>(expression: &'e Expression<'a>) -> Option<(&'e Expression<'a>, &'e str)> {
    let member = match without_casts(expression) {
        Expression::ChainExpression(chain) => chain.expression.member_expression()?,
        other => other.get_member_expr()?,
    };
    Some((without_casts(member.object()), member.static_property_name()?))
}

/// The call inside an expression, also in an optional chain.
pub(crate) fn call_of<'e, 'a>(expression: &'e Expression<'a>) -> Option<&'e CallExpression<'a>> {
    match without_casts(expression) {
        Expression::CallExpression(call) => Some(call),
        Expression::ChainExpression(chain) => match &chain.expression {
            oxc_ast::ast::ChainElement::CallExpression(call) => Some(call),
            _ => None,
        },
        _ => None,
    }
}

pub(crate) fn identifier_of<'e, 'a>(expression: &'e Expression<'a>) -> Option<&'e IdentifierReference<'a>> {
    match without_casts(expression) {
        Expression::Identifier(identifier) => Some(identifier),
        _ => None,
    }
}

/// The nth argument when it is not spread.
pub(crate) fn plain_argument<'e, 'a>(call: &'e [Argument<'a>], index: usize) -> Option<&'e Expression<'a>> {
    call.get(index).and_then(Argument::as_expression).map(without_casts)
}

/// The text of a string or of a template without expressions.
pub(crate) fn string_of<'e>(expression: &'e Expression<'_>) -> Option<&'e str> {
    match without_casts(expression) {
        Expression::StringLiteral(string) => Some(string.value.as_str()),
        Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
            template.quasis.first().and_then(|quasi| quasi.value.cooked).map(|text| text.as_str())
        }
        _ => None,
    }
}

/// The value of a property written out in an object.
pub(crate) fn property<'e, 'a>(object: &'e ObjectExpression<'a>, name: &str) -> Option<&'e Expression<'a>> {
    object.properties.iter().find_map(|property| match property {
        ObjectPropertyKind::ObjectProperty(property) if key_name(&property.key).as_deref() == Some(name) => {
            Some(without_casts(&property.value))
        }
        _ => None,
    })
}

/// True when the value is written in this file: literals, their concatenation, and names of such values.
pub(crate) fn is_constant(context: &ScriptContext<'_, '_>, expression: &Expression<'_>) -> bool {
    is_constant_within(context, expression, MAX_STEPS)
}

fn is_constant_within(context: &ScriptContext<'_, '_>, expression: &Expression<'_>, steps: u32) -> bool {
    let Some(steps) = steps.checked_sub(1) else { return false };
    match without_casts(expression) {
        Expression::StringLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_)
        | Expression::BigIntLiteral(_)
        | Expression::RegExpLiteral(_) => true,
        Expression::TemplateLiteral(template) => {
            template.expressions.iter().all(|expression| is_constant_within(context, expression, steps))
        }
        Expression::BinaryExpression(binary) => {
            is_constant_within(context, &binary.left, steps + 1) && is_constant_within(context, &binary.right, steps)
        }
        Expression::ConditionalExpression(choice) => {
            is_constant_within(context, &choice.consequent, steps)
                && is_constant_within(context, &choice.alternate, steps)
        }
        Expression::LogicalExpression(logical) => {
            is_constant_within(context, &logical.left, steps) && is_constant_within(context, &logical.right, steps)
        }
        Expression::Identifier(identifier) => constant_name(context, identifier, steps),
        Expression::ArrayExpression(array) => array.elements.iter().all(|element| {
            element.as_expression().is_some_and(|expression| is_constant_within(context, expression, steps))
        }),
        Expression::StaticMemberExpression(member) => constant_member(context, &member.object, steps),
        Expression::ComputedMemberExpression(member) => constant_member(context, &member.object, steps),
        Expression::ObjectExpression(object) => object.properties.iter().all(|property| match property {
            ObjectPropertyKind::ObjectProperty(property) => is_constant_within(context, &property.value, steps),
            ObjectPropertyKind::SpreadProperty(_) => false,
        }),
        // `['a', 'b'].join('\n')`
        Expression::CallExpression(call) => member_parts(&call.callee).is_some_and(|(object, name)| {
            matches!(name, "join" | "trim" | "concat" | "repeat")
                && is_constant_within(context, object, steps)
                && (0..call.arguments.len()).all(|index| {
                    plain_argument(&call.arguments, index)
                        .is_some_and(|value| is_constant_within(context, value, steps))
                })
        }),
        _ => false,
    }
}

/// A member of an enum or of an object of constants.
fn constant_member(context: &ScriptContext<'_, '_>, object: &Expression<'_>, steps: u32) -> bool {
    let Some(identifier) = identifier_of(object) else { return false };
    let Some(symbol) = context.symbol(identifier) else { return false };
    context.scoping().symbol_flags(symbol).is_enum() || constant_name(context, identifier, steps)
}

fn constant_name(context: &ScriptContext<'_, '_>, identifier: &IdentifierReference<'_>, steps: u32) -> bool {
    let Some(symbol) = context.symbol(identifier) else { return identifier.name == "undefined" };
    if context.scoping().symbol_is_mutated(symbol) {
        return false;
    }
    let AstKind::VariableDeclarator(declarator) = context.declaration(symbol).kind() else { return false };
    matches!(declarator.id, BindingPattern::BindingIdentifier(_))
        && declarator.init.as_ref().is_some_and(|init| is_constant_within(context, init, steps))
}

/// True for a template with expressions or a concatenation, of which some part is not constant.
pub(crate) fn is_built(context: &ScriptContext<'_, '_>, expression: &Expression<'_>) -> bool {
    let built = match without_casts(expression) {
        Expression::TemplateLiteral(template) => !template.expressions.is_empty(),
        Expression::BinaryExpression(binary) => {
            binary.operator == BinaryOperator::Addition && (is_text(&binary.left) || is_text(&binary.right))
        }
        _ => false,
    };
    built && !is_constant(context, expression)
}

/// True when the expression is certainly a string.
pub(crate) fn is_text(expression: &Expression<'_>) -> bool {
    match without_casts(expression) {
        Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => true,
        Expression::BinaryExpression(binary) => {
            binary.operator == BinaryOperator::Addition && (is_text(&binary.left) || is_text(&binary.right))
        }
        _ => false,
    }
}

/// A function written as an expression.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Callback<'e, 'a> {
    Arrow(&'e ArrowFunctionExpression<'a>),
    Function(&'e Function<'a>),
}

impl<'e, 'a> Callback<'e, 'a> {
    pub(crate) fn from_expression(expression: &'e Expression<'a>) -> Option<Self> {
        match without_casts(expression) {
            Expression::ArrowFunctionExpression(arrow) => Some(Self::Arrow(arrow)),
            Expression::FunctionExpression(function) => Some(Self::Function(function)),
            _ => None,
        }
    }

    pub(crate) fn node_id(self) -> oxc_semantic::NodeId {
        match self {
            Self::Arrow(arrow) => arrow.node_id.get(),
            Self::Function(function) => function.node_id.get(),
        }
    }

    pub(crate) fn is_async(self) -> bool {
        match self {
            Self::Arrow(arrow) => arrow.r#async,
            Self::Function(function) => function.r#async,
        }
    }

    pub(crate) fn is_generator(self) -> bool {
        matches!(self, Self::Function(function) if function.generator)
    }

    /// The statements; `None` for an arrow that is one expression.
    pub(crate) fn body(self) -> Option<&'e FunctionBody<'a>> {
        match self {
            Self::Arrow(arrow) => arrow.body.as_function_body(),
            Self::Function(function) => function.body.as_deref(),
        }
    }

    /// The expression that an arrow without braces returns.
    pub(crate) fn expression(self) -> Option<&'e Expression<'a>> {
        match self {
            Self::Arrow(arrow) => arrow.get_expression().map(without_casts),
            Self::Function(_) => None,
        }
    }

    pub(crate) fn parameter(self, index: usize) -> Option<&'e BindingPattern<'a>> {
        let params = match self {
            Self::Arrow(arrow) => &arrow.params,
            Self::Function(function) => &function.params,
        };
        params.items.get(index).map(|parameter| &parameter.pattern)
    }
}

/// What a name that is never assigned again was given; any other expression is itself.
pub(crate) fn resolve_constant_name<'e, 'a: 'e>(
    context: &ScriptContext<'e, 'a>,
    expression: &'e Expression<'a>,
) -> &'e Expression<'a> {
    let mut value = without_casts(expression);
    for _ in 0..MAX_STEPS {
        let Some(init) = identifier_of(value).and_then(|name| initial_value(context, name)) else { break };
        value = without_casts(init);
    }
    value
}

/// The initial value of a variable that is never assigned again.
pub(crate) fn initial_value<'e, 'a: 'e>(
    context: &ScriptContext<'e, 'a>,
    name: &IdentifierReference<'a>,
) -> Option<&'e Expression<'a>> {
    let declarator = unchanged_declarator(context, name)?;
    matches!(declarator.id, BindingPattern::BindingIdentifier(_)).then_some(declarator.init.as_ref()).flatten()
}

/// Where a variable that is never assigned again is declared, alone or in a pattern.
pub(crate) fn unchanged_declarator<'e, 'a: 'e>(
    context: &ScriptContext<'e, 'a>,
    name: &IdentifierReference<'a>,
) -> Option<&'e VariableDeclarator<'a>> {
    let symbol = context.symbol(name)?;
    if context.scoping().symbol_is_mutated(symbol) {
        return None;
    }
    match context.declaration(symbol).kind() {
        AstKind::VariableDeclarator(declarator) => Some(declarator),
        _ => None,
    }
}

/// What is called, with what: of a call and of `new`.
pub(crate) fn called_parts<'a>(kind: AstKind<'a>) -> Option<(&'a Expression<'a>, &'a [Argument<'a>])> {
    match kind {
        AstKind::CallExpression(call) => Some((&call.callee, &call.arguments)),
        AstKind::NewExpression(new) => Some((&new.callee, &new.arguments)),
        _ => None,
    }
}
