//! Options: the properties of objects that calls are handed.

use oxc_ast::ast::{Argument, Expression};

use super::context::ScriptContext;
use super::expressions::{plain_argument, property, resolve_constant_name, without_casts};

/// The option at the end of a path of names, in any object that a call is handed.
pub(crate) fn option_of<'e, 'a: 'e>(
    context: &ScriptContext<'e, 'a>,
    arguments: &'e [Argument<'a>],
    path: &[&str],
) -> Option<&'e Expression<'a>> {
    (0..arguments.len()).find_map(|index| option_within(context, plain_argument(arguments, index)?, path))
}

/// The option at the end of a path of names, in one object.
pub(crate) fn option_within<'e, 'a: 'e>(
    context: &ScriptContext<'e, 'a>,
    options: &'e Expression<'a>,
    path: &[&str],
) -> Option<&'e Expression<'a>> {
    path.iter().try_fold(resolve_constant_name(context, options), |value, name| match value {
        Expression::ObjectExpression(object) => {
            property(object, name).map(|found| resolve_constant_name(context, found))
        }
        _ => None,
    })
}

/// True for `true` or for `false`, whichever is asked.
pub(crate) fn is_switch(value: &Expression<'_>, on: bool) -> bool {
    matches!(without_casts(value), Expression::BooleanLiteral(switch) if switch.value == on)
}

/// The number that is written there.
pub(crate) fn number_of(value: &Expression<'_>) -> Option<f64> {
    match without_casts(value) {
        Expression::NumericLiteral(number) => Some(number.value),
        _ => None,
    }
}
