//! The connections of the HTTP transport: how many there are at once, and how long each may take to say what it wants.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::limits::HttpLimits;
use super::refusal::refuse_with_status;
use super::request_rate::Peer;

/// Time for open connections to end once the server closes.
const LEAVE: Duration = Duration::from_millis(350);

/// Time before the next try when the system gives no connection, for example for want of descriptors.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves connections until `closing` fires; then answers that are nearly there still go out.
pub(super) async fn serve_connections(
    listener: TcpListener,
    router: Router,
    limits: HttpLimits,
    closing: CancellationToken,
) {
    let served = Arc::new(Semaphore::new(limits.connections));
    let open = Arc::new(Semaphore::new(limits.connections.saturating_mul(2)));
    let busy = Router::new().fallback(move || std::future::ready(say_busy(limits)));
    let mut connections = JoinSet::new();
    while let Some((stream, peer, held)) = next_connection(&listener, &open, &closing).await {
        while connections.try_join_next().is_some() {}
        let (turn, router) = match Arc::clone(&served).try_acquire_owned() {
            Ok(turn) => (Some(turn), router.clone().layer(Extension(peer))),
            Err(_) => (None, busy.clone()),
        };
        let closing = closing.clone();
        connections.spawn(async move {
            serve_connection(stream, router, limits.headers, closing).await;
            drop((turn, held));
        });
    }
    let ended = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(LEAVE, ended).await.is_err() {
        tracing::debug!("connections did not end in time");
    }
}

/// The next connection with its other end and its place among those that are open; none once the server closes.
async fn next_connection(
    listener: &TcpListener,
    open: &Arc<Semaphore>,
    closing: &CancellationToken,
) -> Option<(TcpStream, Peer, OwnedSemaphorePermit)> {
    let next = async {
        let held = Arc::clone(open).acquire_owned().await.ok()?;
        loop {
            match listener.accept().await {
                Ok((stream, from)) => return Some((stream, Peer(from.ip()), held)),
                Err(error) => {
                    tracing::debug!(%error, "a connection could not be taken");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    };
    tokio::select! {
        biased;
        () = closing.cancelled() => None,
        next = next => next,
    }
}

async fn serve_connection(stream: TcpStream, router: Router, headers: Duration, closing: CancellationToken) {
    // Events are small, and are to be there at once.
    stream.set_nodelay(true).ok();
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(headers);
    let mut connection = pin!(server.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = closing.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection broke off");
    }
}

fn say_busy(limits: HttpLimits) -> Result<Response, Infallible> {
    let message = format!("{} connections are open, as many as this server bears", limits.connections);
    let hint = "close connections that are done, or try again in a few seconds";
    let mut response = refuse_with_status(StatusCode::SERVICE_UNAVAILABLE, &Value::Null, &message, hint);
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    Ok(response)
}
