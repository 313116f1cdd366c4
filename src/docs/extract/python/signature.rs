//! Functions and annotations as one line of text.

use ruff_python_ast::{Expr, ParameterWithDefault, Parameters, StmtFunctionDef};
use ruff_text_size::Ranged;

use crate::text::{clip, squeeze};
use tapps_syntax::python::names::last_name;

/// Longest signature, in characters.
const SIGNATURE: usize = 1_500;
/// Longest annotation and default, in characters.
const ANNOTATION: usize = 200;
const DEFAULT: usize = 60;

/// `name(a: int, *, b=1) -> str`; the first parameter of a method is left out.
pub(super) fn function_signature(source: &str, function: &StmtFunctionDef, method: bool) -> String {
    let prefix = if function.is_async { "async " } else { "" };
    let mut text = format!("{prefix}{}({})", function.name, parameters(source, &function.parameters, method));
    if let Some(returns) = &function.returns {
        text.push_str(" -> ");
        text.push_str(&annotation(source, returns));
    }
    clip(&text, SIGNATURE)
}

/// The parameters between the brackets.
pub(super) fn parameters(source: &str, parameters: &Parameters, method: bool) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut skip = usize::from(method);
    for (given, last) in [(&parameters.posonlyargs, true), (&parameters.args, false)] {
        let before = parts.len();
        for parameter in given {
            if skip > 0 {
                skip -= 1;
            } else {
                parts.push(parameter_text(source, parameter));
            }
        }
        if last && parts.len() > before {
            parts.push("/".to_owned());
        }
    }
    let typed = |name: &str, annotated: Option<&Expr>| match annotated {
        Some(found) => format!("{name}: {}", annotation(source, found)),
        None => name.to_owned(),
    };
    match &parameters.vararg {
        Some(rest) => parts.push(typed(&format!("*{}", rest.name), rest.annotation.as_deref())),
        None if !parameters.kwonlyargs.is_empty() => parts.push("*".to_owned()),
        None => {}
    }
    parts.extend(parameters.kwonlyargs.iter().map(|parameter| parameter_text(source, parameter)));
    if let Some(rest) = &parameters.kwarg {
        parts.push(typed(&format!("**{}", rest.name), rest.annotation.as_deref()));
    }
    parts.join(", ")
}

fn parameter_text(source: &str, parameter: &ParameterWithDefault) -> String {
    let name = parameter.parameter.name.as_str();
    let annotated = parameter.parameter.annotation.as_deref().map(|found| annotation(source, found));
    match (annotated, &parameter.default) {
        (None, None) => name.to_owned(),
        (None, Some(value)) => format!("{name}={}", default(source, value)),
        (Some(annotated), None) => format!("{name}: {annotated}"),
        (Some(annotated), Some(value)) => format!("{name}: {annotated} = {}", default(source, value)),
    }
}

/// A default value; a long one as `...`.
pub(super) fn default(source: &str, value: &Expr) -> String {
    let text = squeeze(slice(source, value));
    if text.chars().count() > DEFAULT { "...".to_owned() } else { text }
}

/// An annotation without what `Annotated` adds for other programs.
pub(super) fn annotation(source: &str, annotated: &Expr) -> String {
    if let Expr::Subscript(subscript) = annotated
        && matches!(last_name(&subscript.value), Some("Annotated"))
        && let Expr::Tuple(parts) = &*subscript.slice
        && let Some(first) = parts.elts.first()
    {
        return annotation(source, first);
    }
    let text = squeeze(slice(source, annotated));
    // A quoted annotation means what it quotes.
    let unquoted = text.trim_matches(['"', '\'']);
    clip(if unquoted.contains(['"', '\'']) { &text } else { unquoted }, ANNOTATION)
}

/// The text of an expression.
pub(super) fn slice<'s>(source: &'s str, node: &impl Ranged) -> &'s str {
    let range = node.range();
    source.get(range.start().to_usize()..range.end().to_usize()).unwrap_or_default()
}
