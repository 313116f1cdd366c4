//! What happens to a request over HTTP before the protocol sees it.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use rmcp::transport::common::http_header::HEADER_SESSION_ID;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::Mutex;

use super::authority::AllowedAuthorities;
use super::limits::HttpLimits;
use super::observe::{HEALTH, READY};
use super::refusal::refuse_with_status;
use super::request_rate::{Peer, RequestRates, whole_seconds};
use super::token::Token;

/// Who is let through, and how much of it.
#[derive(Debug)]
pub(super) struct Admission {
    pub(super) authorities: AllowedAuthorities,
    pub(super) token: Option<Token>,
    pub(super) sessions: Arc<LocalSessionManager>,
    /// Held while a session is opened, so that two at once cannot both be the last.
    pub(super) opening: Mutex<()>,
    pub(super) limits: HttpLimits,
    /// None where clients may send as much as they like.
    pub(super) rates: Option<RequestRates>,
}

/// The part of a first message that matters here.
#[derive(Deserialize)]
struct FirstMessage {
    method: String,
    #[serde(default)]
    id: Value,
}

/// Lets a request through to the protocol, or answers it.
pub(super) async fn admit(State(admission): State<Arc<Admission>>, request: Request, next: Next) -> Response {
    if let Some(why) = admission.authorities.refusal_reason(request.uri(), request.headers()) {
        let hint = "call it by the address it listens at; serve --allowed-host and --allowed-origin allow others";
        return refuse_with_status(StatusCode::FORBIDDEN, &Value::Null, why, hint);
    }
    if let Some(refused) = admission.refuse_haste(&request) {
        return refused;
    }
    let is_open = *request.method() == Method::GET && [HEALTH, READY].contains(&request.uri().path());
    if let Some(token) = admission.token.as_ref().filter(|_| !is_open)
        && !token.admits(request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()))
    {
        let hint = "send the header Authorization: Bearer TOKEN";
        let mut response =
            refuse_with_status(StatusCode::UNAUTHORIZED, &Value::Null, "a bearer token is required", hint);
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        return response;
    }
    match *request.method() {
        Method::POST => admission.post(request, next).await,
        Method::DELETE => admission.delete(request, next).await,
        _ => next.run(request).await,
    }
}

impl Admission {
    /// The answer to a request that comes too soon after others of its client. What watches over the server is not counted.
    fn refuse_haste(&self, request: &Request) -> Option<Response> {
        let (rates, Peer(client)) = (self.rates.as_ref()?, *request.extensions().get::<Peer>()?);
        if [HEALTH, READY].contains(&request.uri().path()) {
            return None;
        }
        let seconds = whole_seconds(rates.count_request(client).err()?);
        let message = format!("requests came from {client} faster than {} a minute", self.limits.requests_per_minute);
        let hint = format!("wait {seconds} seconds and send the request again; nothing was done");
        let mut response = refuse_with_status(StatusCode::TOO_MANY_REQUESTS, &Value::Null, &message, &hint);
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        Some(response)
    }

    /// Reads the body within its bounds, and opens a session only while there is room for one.
    async fn post(&self, request: Request, next: Next) -> Response {
        let (parts, body) = request.into_parts();
        let limits = &self.limits;
        let bytes = match tokio::time::timeout(limits.body, to_bytes(body, limits.body_bytes)).await {
            Ok(Ok(bytes)) => bytes,
            Ok(Err(_)) => {
                let message = format!("the body has more than {} bytes, or broke off", limits.body_bytes);
                return refuse_with_status(StatusCode::PAYLOAD_TOO_LARGE, &Value::Null, &message, "send less at once");
            }
            Err(_) => {
                let message = format!("the body did not arrive within {} seconds", limits.body.as_secs());
                return refuse_with_status(
                    StatusCode::REQUEST_TIMEOUT,
                    &Value::Null,
                    &message,
                    "send the body at once",
                );
            }
        };
        let first_message = match parts.headers.contains_key(HEADER_SESSION_ID) {
            true => None,
            false => serde_json::from_slice::<FirstMessage>(&bytes)
                .ok()
                .filter(|first_message| first_message.method == "initialize"),
        };
        let request = Request::from_parts(parts, Body::from(bytes));
        let Some(first_message) = first_message else { return next.run(request).await };
        let _turn = self.opening.lock().await;
        if self.sessions.sessions.read().await.len() >= limits.sessions {
            let message = format!("{} sessions are open, as many as this server bears", limits.sessions);
            let hint = "end sessions that are done with DELETE, or try again later: unused ones end by themselves";
            return refuse_with_status(StatusCode::SERVICE_UNAVAILABLE, &first_message.id, &message, hint);
        }
        next.run(request).await
    }

    /// Ends a session; one that is not there cannot be ended.
    async fn delete(&self, request: Request, next: Next) -> Response {
        let known = match session_of(request.headers()) {
            Some(session) => self.sessions.sessions.read().await.contains_key(session),
            None => false,
        };
        let response = next.run(request).await;
        match (response.status(), known) {
            (StatusCode::ACCEPTED, true) => StatusCode::NO_CONTENT.into_response(),
            (StatusCode::ACCEPTED, false) => {
                let hint = "it has ended already; begin another with initialize";
                refuse_with_status(StatusCode::NOT_FOUND, &Value::Null, "there is no such session", hint)
            }
            _ => response,
        }
    }
}

fn session_of(headers: &HeaderMap) -> Option<&str> {
    headers.get(HEADER_SESSION_ID)?.to_str().ok()
}
