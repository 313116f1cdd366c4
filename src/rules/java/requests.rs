//! What comes from a request, and so from anybody.

use tapps_syntax::nodes::Node;

use super::calls::{called_method, simple_type};
use super::context::JavaContext;
use super::scopes::{declaration_of, declared_type, sources_of};
use crate::tree::nodes::children_of_kind;

/// Types of what a handler is handed.
const REQUESTS: &[&str] = &[
    "HttpServletRequest",
    "ServletRequest",
    "HttpServletRequestWrapper",
    "WebRequest",
    "NativeWebRequest",
    "ServerHttpRequest",
    "ServerRequest",
    "RoutingContext",
    "HttpServerRequest",
];
/// Methods that give what the caller sent.
const INPUTS: &[&str] = &[
    "getCookies",
    "getHeader",
    "getHeaders",
    "getParam",
    "getParameter",
    "getParameterMap",
    "getParameterValues",
    "getPathInfo",
    "getQueryString",
    "getReader",
    "getRequestURI",
    "getRequestURL",
    "pathParam",
    "pathVariable",
    "queryParam",
];
/// Annotations of parameters that a framework fills from the request.
const FILLED: &[&str] = &[
    "CookieParam",
    "CookieValue",
    "FormParam",
    "HeaderParam",
    "MatrixParam",
    "PathParam",
    "PathVariable",
    "QueryParam",
    "RequestHeader",
    "RequestParam",
];

/// True for an expression that is made from a text that a request brings.
pub(crate) fn stems_from_request<'c>(context: &JavaContext<'c>, node: Node<'c>) -> bool {
    let sources = sources_of(context, node);
    let mut parts = sources.iter().flat_map(|source| context.tree().subtree_of(*source));
    parts.any(|part| is_input(context, part))
}

fn is_input<'c>(context: &JavaContext<'c>, node: Node<'c>) -> bool {
    match node.kind() {
        "method_invocation" => called_method(context, node).is_some_and(|(receiver, name)| {
            let of = receiver.filter(|it| it.kind() == "identifier").and_then(|it| declared_type(context, it));
            INPUTS.contains(&name) && of.is_some_and(|of| REQUESTS.contains(&simple_type(of)))
        }),
        "identifier" => {
            let parameter = declaration_of(context, node).filter(|it| it.kind() == "formal_parameter");
            parameter.is_some_and(|parameter| {
                declared_type(context, node) == Some("String") && is_filled_from_request(context, parameter)
            })
        }
        _ => false,
    }
}

fn is_filled_from_request(context: &JavaContext<'_>, parameter: Node<'_>) -> bool {
    let modifiers = children_of_kind(parameter, "modifiers").map(|list| context.text(list));
    let mut words = modifiers.flat_map(|list| list.split('@').skip(1));
    words.any(|word| FILLED.contains(&word.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default()))
}
