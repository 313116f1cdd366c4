//! Many clients over streamable HTTP.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use super::admission::{Admission, admit};
use super::authority::AllowedAuthorities;
use super::connections::serve_connections;
use super::limits::HttpLimits;
use super::observe::Observed;
use super::request_rate::RequestRates;
use super::token::Token;
use crate::protocol::McpServer;
use tapps_base::{Error, ErrorCode, Result};

/// The path at which the protocol is spoken.
const ENDPOINT: &str = "/mcp";

/// How to serve over HTTP.
#[derive(Debug, Clone)]
pub struct HttpOptions {
    pub address: SocketAddr,
    /// Required for any address that other machines can reach.
    pub token: Option<Token>,
    /// Host names accepted besides the loopback ones and the address itself; with a port only at that port.
    pub hosts: Vec<String>,
    /// Origins of web pages accepted besides those of this machine, for example `https://app.example.com`.
    pub origins: Vec<String>,
    pub limits: HttpLimits,
    /// Answers for those who watch over the server; without it there is nothing to ask.
    pub observed: Option<Observed>,
}

impl HttpOptions {
    /// Serving at an address, with no names, origins or token but the usual ones.
    #[must_use]
    pub fn at(address: SocketAddr) -> Self {
        Self {
            address,
            token: None,
            hosts: Vec::new(),
            origins: Vec::new(),
            limits: HttpLimits::default(),
            observed: None,
        }
    }
}

/// A server that listens.
#[derive(Debug)]
pub struct Listening {
    listener: TcpListener,
    router: Router,
    address: SocketAddr,
    limits: HttpLimits,
}

/// Listens at the address; nothing is answered before [`Listening::serve`].
///
/// # Errors
/// `config_error` for an address that others can reach without a token, or that cannot be listened at, and for names and
/// origins that are none.
pub async fn bind(server: McpServer, options: HttpOptions, closing: CancellationToken) -> Result<Listening> {
    if !options.address.ip().is_loopback() && options.token.is_none() {
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
    let limits = options.limits;
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(limits.session_idle);
    let sessions = Arc::new(sessions);
    let admission = Admission {
        authorities: AllowedAuthorities::new(address, &options.hosts, &options.origins)?,
        token: options.token,
        sessions: Arc::clone(&sessions),
        opening: Mutex::new(()),
        rates: RequestRates::per_minute(limits.requests_per_minute),
        limits,
    };
    // Hosts and origins have been checked, more strictly, when a request gets that far.
    let config = StreamableHttpServerConfig::default().disable_allowed_hosts().with_cancellation_token(closing);
    let service = StreamableHttpService::new(move || Ok(server.for_client()), sessions, config);
    let observed = options.observed.map_or_else(Router::new, Observed::routes);
    let router = observed.nest_service(ENDPOINT, service).layer(from_fn_with_state(Arc::new(admission), admit));
    Ok(Listening { listener, router, address, limits })
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
    pub async fn serve(self, closing: CancellationToken) {
        serve_connections(self.listener, self.router, self.limits, closing).await;
    }
}
