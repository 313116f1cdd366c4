//! Which values a stranger writes: what a request brings, and what stands in the address of a page.

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, BindingPattern, CallExpression, Expression, IdentifierReference};
use oxc_semantic::NodeId;
use oxc_span::GetSpan;
use oxc_syntax::operator::{BinaryOperator, LogicalOperator};

use super::context::ScriptContext;
use super::expressions::{
    call_of, identifier_of, member_name, member_parts, plain_argument, resolve_constant_name, string_of,
    unchanged_declarator, without_casts,
};
use super::names::key_name;
use crate::words::speaks_of;

/// Says of one expression that a stranger wrote it.
pub(crate) type UntrustedSource = fn(&ScriptContext<'_, '_>, &Expression<'_>) -> bool;

/// How far a value is followed through declarations and operators.
const MAX_STEPS: u32 = 8;
/// What a request brings, as servers name it.
const REQUEST_PARTS: &[&str] = &["body", "cookies", "headers", "params", "query"];
/// Methods whose result holds the text that they were called on.
const KEEPING: &[&str] = &[
    "concat",
    "get",
    "getAll",
    "join",
    "replace",
    "replaceAll",
    "slice",
    "split",
    "substr",
    "substring",
    "toLowerCase",
    "toString",
    "toUpperCase",
    "trim",
    "valueOf",
];
/// Functions whose result holds the text of their first argument.
const HANDING_ON: &[&str] = &["String", "decodeURI", "decodeURIComponent", "atob", "unescape"];
/// Words in the name of a function that looks at a value before it is used.
const CHECKING: &[&str] = &[
    "allow",
    "allowed",
    "assert",
    "check",
    "ensure",
    "every",
    "has",
    "includes",
    "is",
    "match",
    "matches",
    "safe",
    "sanitize",
    "some",
    "test",
    "valid",
    "validate",
    "verify",
    "indexof",
    "startswith",
    "endswith",
];

/// A piece of a text that is put together.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BuiltPart<'e, 'a> {
    Text(&'e str),
    Value(&'e Expression<'a>),
}

/// True when the value is what a request to a server brought, or is built from it.
pub(crate) fn is_from_request(context: &ScriptContext<'_, '_>, value: &Expression<'_>) -> bool {
    derives_from(context, value, is_request_part, MAX_STEPS)
}

/// `req.query`, `request.body`, `ctx.request.body`, `ctx.query`, `c.req.param`.
pub(crate) fn is_request_part(context: &ScriptContext<'_, '_>, value: &Expression<'_>) -> bool {
    let Some((object, name)) = member_parts(value) else { return is_taken_from_request(context, value) };
    match name {
        "param" => is_request_object(context, object),
        "query" | "params" if is_parameter_named(context, object, &["ctx"]) => true,
        _ => REQUEST_PARTS.contains(&name) && is_request_object(context, object),
    }
}

/// `body` after `const { body } = req`.
fn is_taken_from_request(context: &ScriptContext<'_, '_>, value: &Expression<'_>) -> bool {
    let Some(symbol) = identifier_of(value).and_then(|name| context.symbol(name)) else { return false };
    let AstKind::VariableDeclarator(declarator) = context.declaration(symbol).kind() else { return false };
    let BindingPattern::ObjectPattern(pattern) = &declarator.id else { return false };
    let span = context.scoping().symbol_span(symbol);
    declarator.init.as_ref().is_some_and(|init| is_request_object(context, init))
        && pattern.properties.iter().any(|property| {
            ScriptContext::is_within(span, property.value.span())
                && key_name(&property.key).is_some_and(|key| REQUEST_PARTS.contains(&key.as_ref()))
        })
}

/// `location.hash`, `location.search`, `document.referrer`, the `searchParams` of the page's own address.
pub(crate) fn is_page_address(context: &ScriptContext<'_, '_>, value: &Expression<'_>) -> bool {
    let Some((object, name)) = member_parts(value) else { return false };
    match name {
        "hash" | "search" => is_location(context, object),
        "referrer" => is_global_named(context, object, "document"),
        "searchParams" => match resolve_constant_name(context, object) {
            Expression::NewExpression(new) => plain_argument(&new.arguments, 0).is_some_and(|address| {
                is_location(context, address)
                    || member_parts(address)
                        .is_some_and(|(object, name)| name == "href" && is_location(context, object))
            }),
            _ => false,
        },
        _ => false,
    }
}

/// True when the beginning of an address, and with it the host, is a stranger's.
pub(crate) fn decides_address(
    context: &ScriptContext<'_, '_>,
    value: &Expression<'_>,
    source: UntrustedSource,
) -> bool {
    decides_address_within(context, value, source, MAX_STEPS)
}

fn decides_address_within(
    context: &ScriptContext<'_, '_>,
    value: &Expression<'_>,
    source: UntrustedSource,
    steps: u32,
) -> bool {
    let Some(steps) = steps.checked_sub(1) else { return false };
    if is_checked(context, value) {
        return false;
    }
    let value = resolve_constant_name(context, value);
    match value {
        Expression::ConditionalExpression(choice) => {
            decides_address_within(context, &choice.consequent, source, steps)
                || decides_address_within(context, &choice.alternate, source, steps)
        }
        Expression::LogicalExpression(logical) => {
            (logical.operator != LogicalOperator::And && decides_address_within(context, &logical.left, source, steps))
                || decides_address_within(context, &logical.right, source, steps)
        }
        Expression::NewExpression(new) if new.arguments.len() == 1 && member_name(&new.callee) == Some("URL") => {
            plain_argument(&new.arguments, 0)
                .is_some_and(|address| decides_address_within(context, address, source, steps))
        }
        _ => match built_parts(context, value).as_slice() {
            [BuiltPart::Value(first), ..] => derives_from(context, first, source, steps),
            [BuiltPart::Text("http://" | "https://" | "//"), BuiltPart::Value(host), ..] => {
                derives_from(context, host, source, steps)
            }
            _ => false,
        },
    }
}

/// The pieces of a template or a concatenation, in order, without empty texts; any other value is one piece.
pub(crate) fn built_parts<'e, 'a: 'e>(
    context: &ScriptContext<'e, 'a>,
    value: &'e Expression<'a>,
) -> Vec<BuiltPart<'e, 'a>> {
    let mut pieces = Vec::new();
    let mut left = resolve_constant_name(context, value);
    // The left side of `+` is followed in a loop, for a concatenation can be long.
    while let Expression::BinaryExpression(sum) = left {
        if sum.operator != BinaryOperator::Addition {
            break;
        }
        pieces.push(&sum.right);
        left = without_casts(&sum.left);
    }
    pieces.push(left);
    let mut parts = Vec::new();
    for piece in pieces.into_iter().rev() {
        if let Expression::TemplateLiteral(template) = without_casts(piece) {
            for (index, quasi) in template.quasis.iter().enumerate() {
                parts.push(BuiltPart::Text(quasi.value.raw.as_str()));
                parts.extend(template.expressions.get(index).map(BuiltPart::Value));
            }
        } else {
            let known = string_of(resolve_constant_name(context, piece));
            parts.push(known.map_or(BuiltPart::Value(piece), BuiltPart::Text));
        }
    }
    parts.retain(|part| !matches!(part, BuiltPart::Text("")));
    parts
}

/// True when a value that is put together has a stranger's text in it.
pub(crate) fn derives_from(
    context: &ScriptContext<'_, '_>,
    value: &Expression<'_>,
    source: UntrustedSource,
    steps: u32,
) -> bool {
    let Some(steps) = steps.checked_sub(1) else { return false };
    let again = |part: &Expression<'_>| derives_from(context, part, source, steps);
    if is_checked(context, value) {
        return false;
    }
    if source(context, value) {
        return true;
    }
    if let Some(name) = identifier_of(value) {
        return initial_source(context, name).is_some_and(again);
    }
    if let Some(call) = call_of(value) {
        return call_hands_on(context, call, source, &again);
    }
    match without_casts(value) {
        Expression::TemplateLiteral(_) | Expression::BinaryExpression(_) => {
            built_parts(context, value).iter().any(|part| match part {
                // A value that is no sum is one piece, itself.
                BuiltPart::Value(part) => part.span() != without_casts(value).span() && again(part),
                BuiltPart::Text(_) => false,
            })
        }
        Expression::ConditionalExpression(choice) => again(&choice.consequent) || again(&choice.alternate),
        Expression::LogicalExpression(logical) => again(&logical.left) || again(&logical.right),
        Expression::AwaitExpression(wait) => again(&wait.argument),
        Expression::NewExpression(new) => {
            matches!(member_name(&new.callee), Some("URL" | "URLSearchParams"))
                && plain_argument(&new.arguments, 0).is_some_and(again)
        }
        other => other.get_member_expr().is_some_and(|member| {
            !matches!(member.static_property_name(), Some("length" | "size")) && again(member.object())
        }),
    }
}

fn call_hands_on(
    context: &ScriptContext<'_, '_>,
    call: &CallExpression<'_>,
    source: UntrustedSource,
    again: &dyn Fn(&Expression<'_>) -> bool,
) -> bool {
    if source(context, &call.callee) {
        return true;
    }
    if let Some(name) = identifier_of(&call.callee) {
        return HANDING_ON.contains(&name.name.as_str())
            && context.is_global(name)
            && plain_argument(&call.arguments, 0).is_some_and(again);
    }
    // What replaces or looks up by a pattern may be a check, so a pattern ends the trail.
    let has_pattern = matches!(plain_argument(&call.arguments, 0), Some(Expression::RegExpLiteral(_)));
    member_parts(&call.callee).is_some_and(|(object, name)| !has_pattern && KEEPING.contains(&name) && again(object))
}

/// What a name that is never assigned again was taken from, also in `const { file } = req.query`.
fn initial_source<'e, 'a: 'e>(
    context: &ScriptContext<'e, 'a>,
    name: &IdentifierReference<'a>,
) -> Option<&'e Expression<'a>> {
    let declarator = unchanged_declarator(context, name)?;
    let is_followed = matches!(declarator.id, BindingPattern::BindingIdentifier(_) | BindingPattern::ObjectPattern(_));
    declarator.init.as_ref().filter(|_| is_followed)
}

/// True when a name is handed to a function that looks at it, or is itself looked at, before whatever it is used for.
fn is_checked(context: &ScriptContext<'_, '_>, value: &Expression<'_>) -> bool {
    let Some(symbol) = identifier_of(value).and_then(|name| context.symbol(name)) else { return false };
    context.scoping().get_resolved_references(symbol).any(|reference| is_check_of(context, reference.node_id()))
}

fn is_check_of(context: &ScriptContext<'_, '_>, used: NodeId) -> bool {
    let span = context.span_of(used);
    let parent = context.parent(used);
    match parent.kind() {
        AstKind::CallExpression(call) => call.callee.span() != span && is_checking_call(call),
        AstKind::StaticMemberExpression(member) => matches!(
            context.parent(parent.id()).kind(),
            AstKind::CallExpression(call) if call.callee.span() == member.span && is_checking_call(call)
        ),
        AstKind::BinaryExpression(comparison) => {
            comparison.operator == BinaryOperator::In
                || (comparison.operator.is_equality()
                    && (is_plain_text(&comparison.left) || is_plain_text(&comparison.right)))
        }
        AstKind::SwitchStatement(_) => true,
        _ => false,
    }
}

/// Equal to a text that says something: a comparison with the empty text lets everything else through.
fn is_plain_text(side: &Expression<'_>) -> bool {
    string_of(side).is_some_and(|text| !text.is_empty())
}

fn is_checking_call(call: &CallExpression<'_>) -> bool {
    member_name(&call.callee)
        .is_some_and(|name| CHECKING.contains(&name.to_ascii_lowercase().as_str()) || speaks_of(name, CHECKING))
}

fn is_request_object(context: &ScriptContext<'_, '_>, object: &Expression<'_>) -> bool {
    is_parameter_named(context, object, &["req", "request", "_req"])
        || member_parts(object).is_some_and(|(outer, name)| {
            matches!(name, "req" | "request") && is_parameter_named(context, outer, &["c", "context", "ctx"])
        })
}

fn is_parameter_named(context: &ScriptContext<'_, '_>, value: &Expression<'_>, names: &[&str]) -> bool {
    identifier_of(value).is_some_and(|name| {
        names.contains(&name.name.as_str())
            && context.symbol(name).is_some_and(|symbol| {
                matches!(context.declaration(symbol).kind(), AstKind::FormalParameter(_) | AstKind::FormalParameters(_))
            })
    })
}

fn is_location(context: &ScriptContext<'_, '_>, value: &Expression<'_>) -> bool {
    is_global_named(context, value, "location")
        || member_parts(value).is_some_and(|(object, name)| {
            name == "location"
                && ["window", "document", "globalThis", "self"]
                    .iter()
                    .any(|page| is_global_named(context, object, page))
        })
}

/// True for the global of this name, not a declaration of the file.
pub(crate) fn is_global_named(context: &ScriptContext<'_, '_>, value: &Expression<'_>, name: &str) -> bool {
    identifier_of(value).is_some_and(|found| found.name == name && context.is_global(found))
}

/// What a page is sent to: `location = …`, `location.href = …`, `location.assign(…)`, `window.open(…)`.
pub(crate) fn page_destination<'a>(context: &ScriptContext<'_, '_>, kind: AstKind<'a>) -> Option<&'a Expression<'a>> {
    match kind {
        AstKind::AssignmentExpression(assignment) => {
            let told = match &assignment.left {
                AssignmentTarget::AssignmentTargetIdentifier(name) => {
                    name.name == "location" && context.is_global(name)
                }
                AssignmentTarget::StaticMemberExpression(member) => match member.property.name.as_str() {
                    "href" => is_location(context, &member.object),
                    "location" => is_global_named(context, &member.object, "window"),
                    _ => false,
                },
                _ => false,
            };
            told.then_some(&assignment.right)
        }
        AstKind::CallExpression(call) => {
            let (object, name) = member_parts(&call.callee)?;
            let told = match name {
                "assign" | "replace" => is_location(context, object),
                "open" => is_global_named(context, object, "window"),
                _ => false,
            };
            told.then(|| plain_argument(&call.arguments, 0)).flatten()
        }
        _ => None,
    }
}
