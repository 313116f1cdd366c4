//! Requests that the HTTP transport answers itself, because they never reach the protocol.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};

/// The code of errors of a server's own making.
const SERVER_ERROR: i32 = -32_000;

/// When a client that met a bound should try again, in seconds.
const TRY_AGAIN: HeaderValue = HeaderValue::from_static("5");

/// An error of JSON-RPC under a status of HTTP, for the request `id` or for nobody in particular.
pub(super) fn refuse_with_status(status: StatusCode, id: &Value, message: &str, hint: &str) -> Response {
    let error = json!({"code": SERVER_ERROR, "message": message, "data": {"hint": hint}});
    let body = json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string();
    let mut response = (status, [(header::CONTENT_TYPE, "application/json")], body).into_response();
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, TRY_AGAIN);
    }
    response
}
