//! Answers that every page may read.

use super::prelude::*;
use crate::rust::calls::is_call_of;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "cors-any-origin",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1000,
    blocking: false,
    summary: "A permissive CORS layer lets the pages of every site read what this service answers.",
    help: "Name the origins that may read the answers.",
    explanation: "Browsers let a page read only the answers of its own site, unless the answer names others. A \
        permissive layer names all of them, and with credentials also those of users who are signed in. \
        Name the origins; a public service without users may allow any origin, but then says so by \
        `allow_origin(Any)` and lists its methods.",
    examples: &[Example {
        path: "example.rs",
        bad: "use tower_http::cors::CorsLayer;

pub fn layer() -> CorsLayer {
    CorsLayer::very_permissive()
}
",
        good: "use tower_http::cors::CorsLayer;

pub fn layer(origin: HeaderValue) -> CorsLayer {
    CorsLayer::new().allow_origin(origin).allow_methods([Method::GET])
}
",
    }],
    cwe: Some("CWE-942"),
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_cors_any_origin);

fn check_cors_any_origin<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_open = is_call_of(
        context,
        node,
        &["CorsLayer::permissive", "CorsLayer::very_permissive", "actix_cors::Cors::permissive"],
    );
    if is_open && !context.is_aside(node) {
        out.push(context.report(&RULE, node, "the pages of every site may read the answers"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &["use actix_cors::Cors;
fn f() -> Cors { Cors::permissive() }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &["use tower_http::cors::CorsLayer;
fn f() -> CorsLayer { CorsLayer::new() }"],
        );
    }
}
