//! What those who watch over a server ask: whether it lives, whether it can work, and its numbers.

use std::fmt;
use std::sync::Arc;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use serde_json::json;
use tapps_base::Result;

/// Answers as long as the process does; needs no token, and tells nothing else.
pub(super) const HEALTH: &str = "/health";
/// Answers 200 once calls need not wait for tools, else 503; needs no token.
pub(super) const READY: &str = "/ready";
/// The numbers of `tapps_stats` in the form of OpenMetrics.
const METRICS: &str = "/metrics";

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

type ReadyCheck = dyn Fn() -> Result<(), String> + Send + Sync;
type MetricsText = dyn Fn() -> Result<String> + Send + Sync;

/// Where the answers come from.
#[derive(Clone)]
pub struct Observed {
    ready: Arc<ReadyCheck>,
    metrics: Arc<MetricsText>,
}

impl fmt::Debug for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observed").finish_non_exhaustive()
    }
}

impl Observed {
    /// `ready` says why calls have to wait, `metrics` writes the numbers and may block.
    #[must_use]
    pub fn new(
        ready: impl Fn() -> Result<(), String> + Send + Sync + 'static,
        metrics: impl Fn() -> Result<String> + Send + Sync + 'static,
    ) -> Self {
        Self { ready: Arc::new(ready), metrics: Arc::new(metrics) }
    }

    pub(super) fn routes(self) -> Router {
        let Self { ready, metrics } = self;
        let ready = move || {
            let answer = match ready() {
                Ok(()) => json_response(StatusCode::OK, &json!({"status": "ready"})),
                Err(why) => {
                    json_response(StatusCode::SERVICE_UNAVAILABLE, &json!({"status": "waiting", "reason": why}))
                }
            };
            std::future::ready(answer)
        };
        let metrics = move || {
            let metrics = Arc::clone(&metrics);
            async move {
                match tokio::task::spawn_blocking(move || metrics()).await {
                    Ok(Ok(text)) => ([(header::CONTENT_TYPE, OPEN_METRICS)], text).into_response(),
                    Ok(Err(error)) => json_response(StatusCode::SERVICE_UNAVAILABLE, &json!({"error": error.body()})),
                    Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
                }
            }
        };
        let alive = || std::future::ready(json_response(StatusCode::OK, &json!({"status": "ok"})));
        Router::new().route(HEALTH, get(alive)).route(READY, get(ready)).route(METRICS, get(metrics))
    }
}

fn json_response(status: StatusCode, body: &serde_json::Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}
