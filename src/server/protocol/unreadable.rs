//! Requests that the protocol library reads as none of those it knows.

use rmcp::ErrorData;
use rmcp::model::ErrorCode;
use serde_json::json;
use tapps_base::nearest;

/// The requests that the server answers when their params fit.
const METHODS: [&str; 19] = [
    "completion/complete",
    "logging/setLevel",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/subscribe",
    "resources/templates/list",
    "resources/unsubscribe",
    "server/discover",
    "skills/get",
    "skills/list",
    "subscriptions/listen",
    "tasks/cancel",
    "tasks/get",
    "tasks/update",
    "tools/call",
    "tools/list",
];

/// Why such a request cannot be answered: its params do not fit, or nobody knows the method. `is_offered` says whether
/// a method that is known belongs to what this client was promised.
pub(super) fn unreadable_request_error(method: &str, is_offered: impl Fn(&str) -> bool) -> ErrorData {
    if METHODS.contains(&method) && is_offered(method) {
        let hint = match method {
            "tools/call" => "params needs `name`, and `arguments` as an object where the tool takes any",
            _ => "the protocol says which params the method needs",
        };
        let message = format!("the params of {method} are missing or do not fit");
        return ErrorData::invalid_params(message, Some(json!({ "hint": hint })));
    }
    let shown: String = method.chars().take(64).collect();
    let hint = nearest::hint(&shown, METHODS.into_iter().filter(|known| is_offered(known)));
    let message = format!("there is no method `{}`", tapps_base::log_text(&shown));
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, Some(json!({ "hint": hint })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_methods_have_wrong_params_and_unknown_ones_a_neighbour() {
        for method in METHODS {
            assert_eq!(unreadable_request_error(method, |_| true).code, ErrorCode::INVALID_PARAMS, "{method}");
            assert_eq!(unreadable_request_error(method, |_| false).code, ErrorCode::METHOD_NOT_FOUND, "{method}");
        }
        let unknown = unreadable_request_error("tools/cal", |_| true);
        assert_eq!(unknown.code, ErrorCode::METHOD_NOT_FOUND);
        let data = unknown.data.unwrap();
        assert!(data["hint"].as_str().unwrap().starts_with("did you mean tools/call"), "{data}");
    }
}
