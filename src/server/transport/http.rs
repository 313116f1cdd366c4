//! Many clients over streamable HTTP.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::token::Token;
use crate::protocol::Server;
use tapps_base::{Error, ErrorCode, Result};

/// The path at which the protocol is spoken.
const ENDPOINT: &str = "/mcp";

/// Time for open connections to end once the server closes.
const LEAVE: Duration = Duration::from_millis(350);

/// How to serve over HTTP.
#[derive(Debug, Clone)]
pub struct HttpOptions {
    pub address: SocketAddr,
    /// Required for any address that other machines can reach.
    pub token: Option<Token>,
    /// Host names accepted besides the loopback ones and the address itself.
    pub hosts: Vec<String>,
    /// Origins of web pages accepted besides those of this machine, for example `https://app.example.com:443`.
    pub origins: Vec<String>,
}

/// A server that listens.
#[derive(Debug)]
pub struct Listening {
    listener: TcpListener,
    router: Router,
    address: SocketAddr,
}

/// Listens at the address; nothing is answered before [`Listening::serve`].
///
/// # Errors
/// `config_error` for an address that others can reach without a token, or that cannot be listened at.
pub async fn bind(server: Server, options: HttpOptions, closing: CancellationToken) -> Result<Listening> {
    let loopback = options.address.ip().is_loopback();
    if !loopback && options.token.is_none() {
        return Err(Error::new(
            ErrorCode::ConfigError,
            format!("{} can be reached from other machines and needs a token", options.address),
        )
        .hint("set TAPPS_MCP_HTTP_TOKEN or --token-file, or listen at 127.0.0.1"));
    }
    let listener = TcpListener::bind(options.address).await.map_err(|error| {
        Error::new(ErrorCode::ConfigError, format!("cannot listen at {}: {error}", options.address))
            .hint("choose another address with --http HOST:PORT; port 0 takes a free one")
    })?;
    let address = listener.local_addr().map_err(|error| Error::io("cannot tell the address", &error))?;
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts(&options, address))
        .with_allowed_origins(origins(&options, loopback))
        .enforce_origin_validation()
        .with_cancellation_token(closing);
    let service =
        StreamableHttpService::new(move || Ok(server.clone()), Arc::new(LocalSessionManager::default()), config);
    let mut router = Router::new().nest_service(ENDPOINT, service);
    if let Some(token) = options.token {
        router = router.layer(from_fn_with_state(token, admit));
    }
    Ok(Listening { listener, router, address })
}

impl Listening {
    /// The address, with the real port.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where clients connect.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}{ENDPOINT}", self.address)
    }

    /// Answers until `closing` fires; then running calls are cancelled and open streams end.
    ///
    /// # Errors
    /// `internal` when the listener fails.
    pub async fn serve(self, closing: CancellationToken) -> Result<()> {
        let stop = closing.clone();
        let served = axum::serve(self.listener, self.router)
            .with_graceful_shutdown(async move { stop.cancelled().await })
            .into_future();
        tokio::select! {
            served = served => served.map_err(|error| Error::io("the HTTP server failed", &error)),
            () = async { closing.cancelled().await; tokio::time::sleep(LEAVE).await } => Ok(()),
        }
    }
}

fn hosts(options: &HttpOptions, address: SocketAddr) -> Vec<String> {
    let mut hosts = options.hosts.clone();
    match address.ip() {
        ip if ip.is_loopback() => hosts.extend(["localhost", "127.0.0.1", "::1"].map(str::to_owned)),
        // Listening everywhere has no name of its own: the names have to be given.
        IpAddr::V4(ip) if ip.is_unspecified() => {}
        IpAddr::V6(ip) if ip.is_unspecified() => {}
        ip => hosts.push(ip.to_string()),
    }
    if hosts.is_empty() {
        // An empty list would switch the check off.
        hosts.push("localhost".to_owned());
    }
    hosts
}

fn origins(options: &HttpOptions, loopback: bool) -> Vec<String> {
    let mut origins = options.origins.clone();
    if loopback {
        origins.extend(["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"].map(str::to_owned));
    }
    origins
}

/// Lets a request through when it carries the token.
async fn admit(State(token): State<Token>, request: Request, next: Next) -> Response {
    let header = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if token.admits(header) {
        return next.run(request).await;
    }
    (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Bearer")], "a bearer token is required\n").into_response()
}
