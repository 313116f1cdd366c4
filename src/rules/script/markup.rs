//! Which values can do no harm where they are put: sanitized, quoted, numbers.

use oxc_ast::ast::Expression;
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::{BinaryOperator, UnaryOperator};

use super::context::ScriptContext;
use super::expressions::{
    call_of, identifier_of, is_constant, member_name, member_parts, resolve_constant_name, without_casts,
};
use crate::words::{speaks_of, split_identifier_words};
use tapps_base::finding::{Finding, Severity};
use tapps_base::rule::Rule;

/// Words in the name of a function that makes text safe as markup.
const SANITIZERS: &[&str] =
    &["encode", "escape", "escaped", "htmlescape", "purify", "sanitize", "sanitized", "sanitizer", "trusted"];
/// Words in the name of a function that makes text safe in a shell command or a query.
const QUOTERS: &[&str] = &["escape", "escaped", "literal", "quote", "quoted", "sanitize", "shellescape", "shellquote"];
/// Functions whose results are numbers.
const NUMBERS: &[&str] =
    &["Number", "parseInt", "parseFloat", "BigInt", "floor", "ceil", "round", "max", "min", "now", "toFixed"];
/// Where a stranger's text comes from.
const UNTRUSTED: &[&str] = &[
    "document.URL",
    "document.cookie",
    "document.referrer",
    "event.data",
    "location.hash",
    "location.href",
    "location.search",
    "URLSearchParams",
    "searchParams",
    "req.body",
    "req.params",
    "req.query",
    "request.body",
    "window.name",
];

/// True when the value went through something that makes markup safe, or is built from such values.
pub(crate) fn is_safe(context: &ScriptContext<'_, '_>, value: &Expression<'_>) -> bool {
    is_made_by(context, value, SANITIZERS)
}

/// True when every part of a command that is not constant was quoted.
pub(crate) fn is_quoted(context: &ScriptContext<'_, '_>, value: &Expression<'_>) -> bool {
    is_made_by(context, value, QUOTERS)
}

/// True for values that cannot change the meaning of a query: numbers, quoted text, lists of placeholders.
pub(crate) fn is_harmless_in_query(context: &ScriptContext<'_, '_>, value: &Expression<'_>) -> bool {
    let value = resolve_constant_name(context, value);
    is_made_by(context, value, QUOTERS)
        || is_placeholders(context, value)
        || member_name(value).is_some_and(|name| {
            split_identifier_words(name).iter().any(|word| {
                matches!(
                    word.as_str(),
                    "placeholder" | "placeholders" | "params" | "sql" | "clause" | "where" | "conditions"
                )
            })
        })
}

/// `ids.map(() => '?').join(', ')`
fn is_placeholders(context: &ScriptContext<'_, '_>, value: &Expression<'_>) -> bool {
    let text = context.text(oxc_span::GetSpan::span(without_casts(value)));
    call_of(value).is_some()
        && text.contains(".join(")
        && (text.contains("'?'") || text.contains("\"?\"") || text.contains("`$"))
}

fn is_made_by(context: &ScriptContext<'_, '_>, value: &Expression<'_>, makers: &[&str]) -> bool {
    made_by(context, value, makers, 6)
}

fn made_by(context: &ScriptContext<'_, '_>, value: &Expression<'_>, makers: &[&str], steps: u32) -> bool {
    let Some(steps) = steps.checked_sub(1) else { return false };
    let fine = |part: &Expression<'_>| is_constant(context, part) || made_by(context, part, makers, steps);
    let value = resolve_constant_name(context, value);
    if let Some(call) = call_of(value) {
        let is_maker = |name: &str| speaks_of(name, makers);
        let object_is_maker =
            || member_parts(&call.callee).and_then(|(object, _)| member_name(object)).is_some_and(is_maker);
        let name = member_name(&call.callee);
        return name.is_some_and(|name| is_maker(name) || NUMBERS.contains(&name)) || object_is_maker();
    }
    match value {
        Expression::TemplateLiteral(template) => template.expressions.iter().all(fine),
        Expression::BinaryExpression(binary) if binary.operator == BinaryOperator::Addition => {
            fine(&binary.left) && fine(&binary.right)
        }
        Expression::BinaryExpression(binary) => binary.operator.is_arithmetic(),
        Expression::UnaryExpression(unary) => {
            matches!(
                unary.operator,
                UnaryOperator::UnaryPlus | UnaryOperator::UnaryNegation | UnaryOperator::LogicalNot
            )
        }
        Expression::ConditionalExpression(choice) => fine(&choice.consequent) && fine(&choice.alternate),
        Expression::LogicalExpression(logical) => fine(&logical.left) && fine(&logical.right),
        // `list.length`, and names that say the text is safe already.
        _ => {
            member_parts(value).is_some_and(|(_, name)| name == "length")
                || identifier_of(value).is_some_and(|name| speaks_of(&name.name, makers))
        }
    }
}

/// What there is to say of a value that becomes markup: nothing of one that is constant or safe.
pub(crate) fn report_open_markup(
    context: &ScriptContext<'_, '_>,
    rule: &Rule,
    span: Span,
    what: &str,
    value: &Expression<'_>,
) -> Option<Finding> {
    if is_constant(context, value) || is_safe(context, value) {
        return None;
    }
    let finding = context.report(rule, span, format!("`{what}` receives markup that is not constant"));
    Some(raise_if_untrusted(finding, context.text(value.span())))
}

/// Raises a finding when the value comes from where a stranger writes.
pub(crate) fn raise_if_untrusted(mut finding: Finding, text: &str) -> Finding {
    if UNTRUSTED.iter().any(|source| text.contains(source)) {
        finding.severity = Severity::High;
        finding.cost = finding.cost.max(3_000);
    }
    finding
}
