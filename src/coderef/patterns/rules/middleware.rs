//! Code that stands between a request and its handler: registered by a call or a decorator, or a class of that kind.

use crate::model::ElementKind;
use crate::patterns::syntax::FactKind;
use crate::patterns::{Evidence, PatternGroup, PatternRule, View};

pub(super) const RULE: PatternRule = PatternRule {
    id: "middleware",
    group: PatternGroup::Middleware,
    title: "code between requests and handlers",
    find: find_middleware,
};

const DECORATORS: [&str; 7] = [
    "after_request",
    "before_request",
    "context_processor",
    "errorhandler",
    "exception_handler",
    "middleware",
    "teardown_request",
];

/// Methods by which frameworks call a middleware.
const ENTRIES: [&str; 6] = ["__call__", "dispatch", "process_request", "process_response", "process_view", "use"];

fn find_middleware(view: &View<'_>) -> Vec<Evidence> {
    let mut found = view.evidence_in_facts(FactKind::Middleware);
    found.extend(view.evidence_in_elements(|element| {
        let registered = element
            .decorators
            .iter()
            .find(|name| name.rsplit_once('.').is_some_and(|(_, last)| DECORATORS.binary_search(&last).is_ok()));
        registered.map(|name| Some(format!("@{name}")))
    }));
    for (id, element) in (0..).zip(&view.index.elements) {
        let named = element.kind == ElementKind::Class && element.name.ends_with("Middleware");
        let entry = |of: &&crate::model::Element| {
            of.parent.is_some_and(|parent| parent.0 == id) && ENTRIES.contains(&of.name.as_str())
        };
        if let Some(entry) = view.index.elements.iter().filter(|_| named).find(entry) {
            found.push(view.evidence_of(element, Some(entry.name.clone())));
        }
    }
    found
}
