//! Requests that the protocol library reads as none of those it knows.

use rmcp::ErrorData;
use rmcp::model::ErrorCode;
use serde_json::json;
use tapps_base::nearest;

/// The requests that the server answers in every revision of the protocol when their params fit. Those that a revision has
/// taken away (`logging/setLevel`, `resources/subscribe`, `resources/unsubscribe`) have to be unknown there.
const METHODS: [&str; 13] = [
    "completion/complete",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "server/discover",
    "skills/get",
    "skills/list",
    "subscriptions/listen",
    "tools/call",
    "tools/list",
];

/// Why such a request cannot be answered: its params do not fit, or nobody knows the method.
pub(super) fn unreadable_request_error(method: &str) -> ErrorData {
    if METHODS.contains(&method) {
        let hint = match method {
            "tools/call" => "params needs `name`, and `arguments` as an object where the tool takes any",
            _ => "the protocol says which params the method needs",
        };
        let message = format!("the params of {method} are missing or do not fit");
        return ErrorData::invalid_params(message, Some(json!({ "hint": hint })));
    }
    let shown: String = method.chars().take(64).collect();
    let hint = nearest::hint(&shown, METHODS);
    let message = format!("there is no method `{}`", tapps_base::log_text(&shown));
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, Some(json!({ "hint": hint })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_methods_have_wrong_params_and_unknown_ones_a_neighbour() {
        for method in METHODS {
            assert_eq!(unreadable_request_error(method).code, ErrorCode::INVALID_PARAMS, "{method}");
        }
        let unknown = unreadable_request_error("tools/cal");
        assert_eq!(unknown.code, ErrorCode::METHOD_NOT_FOUND);
        let data = unknown.data.unwrap();
        assert!(data["hint"].as_str().unwrap().starts_with("did you mean tools/call"), "{data}");
    }
}
