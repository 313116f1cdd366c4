//! What comes from a request, and so from anybody.

use tapps_syntax::nodes::Node;

use super::context::RustContext;
use super::scopes::{declared_type, sources_of};

/// Types by which frameworks hand what the caller sent to a handler: axum, actix, warp, poem, salvo, Rocket.
const EXTRACTORS: &[&str] = &["Path", "Query", "Form", "Json", "RawQuery", "Multipart", "HttpRequest", "HeaderMap"];
/// Modules whose types have these names too and mean something else.
const OTHERS: &[&str] = &["std::path", "camino"];
const FRAMEWORKS: &[&str] = &["axum", "actix_web", "axum_extra", "poem", "salvo", "warp", "rocket"];

/// True for an expression that is made from what a request brings.
pub(crate) fn stems_from_request<'c>(context: &RustContext<'c>, node: Node<'c>) -> bool {
    if !FRAMEWORKS.iter().any(|framework| context.imports_below(framework)) {
        return false;
    }
    let sources = sources_of(context, node);
    let mut parts = sources.iter().flat_map(|source| context.tree().subtree_of(*source));
    parts.any(|part| part.kind() == "identifier" && is_from_request(context, part))
}

/// True for a name that a parameter of an extracting type brings.
fn is_from_request(context: &RustContext<'_>, name: Node<'_>) -> bool {
    let Some(of) = declared_type(context, name) else { return false };
    let written = of.split('<').next().unwrap_or(of).trim();
    let last = written.rsplit("::").next().unwrap_or(written);
    let inner = of.split_once('<').map_or("", |(_, inner)| inner);
    // A number or an identifier that is read from text is checked by that.
    let holds_text = last != "Path" || ["String", "str", "HashMap"].iter().any(|text| inner.contains(text));
    EXTRACTORS.contains(&last)
        && of.contains('<')
        && holds_text
        && !OTHERS.iter().any(|other| written.starts_with(other))
}

/// True for a name in the text of a format, in a function that gets it from a request.
pub(crate) fn names_parameter_of_request<'c>(context: &RustContext<'c>, near: Node<'c>, name: &str) -> bool {
    let Some(function) = context.outermost_function(near) else { return false };
    let first = name.split(['.', '(']).next().unwrap_or(name).trim_start_matches('&');
    let mut names =
        context.tree().subtree_of(function).filter(|at| at.kind() == "identifier" && context.text(*at) == first);
    names.any(|at| stems_from_request(context, at))
}
