//! A handler of requests: by a decorator that names a method or a route, by a call such as `app.get("/", handler)`, or
//! by the name that a framework of routes in files asks for.

use crate::model::{Element, ElementKind, ExportKind};
use crate::patterns::syntax::FactKind;
use crate::patterns::{Evidence, PatternGroup, PatternRule, View};

pub(super) const RULE: PatternRule =
    PatternRule { id: "api-route", group: PatternGroup::Api, title: "handlers of requests", find: find_api_routes };

/// Last parts of decorators that make a function a handler, lower case.
const DECORATORS: [&str; 17] = [
    "all",
    "api_route",
    "api_view",
    "delete",
    "deletemapping",
    "get",
    "getmapping",
    "head",
    "options",
    "patch",
    "patchmapping",
    "post",
    "postmapping",
    "put",
    "putmapping",
    "requestmapping",
    "route",
];

const METHODS: [&str; 7] = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

fn find_api_routes(view: &View<'_>) -> Vec<Evidence> {
    let mut found = view.evidence_in_facts(FactKind::Route);
    found.extend(
        view.evidence_in_elements(|element| by_decorator(element).or_else(|| by_file(view, element)).map(Some)),
    );
    found
}

fn by_decorator(element: &Element) -> Option<String> {
    let handles = matches!(element.kind, ElementKind::Function | ElementKind::Method);
    let routes = |name: &&String| {
        let last = name.rsplit('.').next().unwrap_or(name).to_lowercase();
        // A bare `get` of Python is some decorator; of a router, or of a script, it is a route.
        let qualified = name.contains('.') || name.starts_with(char::is_uppercase) || last.starts_with("api_");
        qualified && DECORATORS.binary_search(&last.as_str()).is_ok()
    };
    element.decorators.iter().find(routes).filter(|_| handles).map(|name| format!("@{name}"))
}

/// An exported `GET` of a file named `route.ts`, or of a server file of SvelteKit.
fn by_file(view: &View<'_>, element: &Element) -> Option<String> {
    let file = view.path(element).rsplit('/').next().unwrap_or_default();
    let routes = file.starts_with("route.") || file.starts_with("+server.");
    let exported = element.export == ExportKind::Named && METHODS.contains(&element.name.as_str());
    (routes && exported).then(|| element.name.clone())
}
