//! What one HTTP server bears: how much at once, and how long it waits.

use std::time::Duration;

/// Bounds of the HTTP transport. A client that meets one is told so with a status and an error of JSON-RPC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HttpLimits {
    /// Connections that are served at once. As many again are told that the server is busy; further ones wait unopened.
    pub connections: usize,
    /// Sessions of the older protocol versions that are open at once.
    pub sessions: usize,
    /// How long a session may be without a message before it ends by itself. A person may think for a while between two
    /// questions to a model.
    pub session_idle: Duration,
    /// How long the headers of a request may take, and how long a connection may be kept without one.
    pub headers: Duration,
    /// How long the body of a request may take once its headers are there.
    pub body: Duration,
    /// Largest body of a request, in bytes.
    pub body_bytes: usize,
    /// Requests of one client in a minute, a quarter of which may come at once; 0 is no limit.
    pub requests_per_minute: u32,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            connections: 256,
            sessions: 256,
            session_idle: Duration::from_mins(30),
            headers: Duration::from_secs(20),
            body: Duration::from_secs(30),
            body_bytes: 4 << 20,
            requests_per_minute: 0,
        }
    }
}
