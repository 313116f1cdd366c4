//! Requests over HTTP as they stand on the wire.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// An answer to a request.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) status: u16,
    /// Head and body, as they came.
    pub(crate) text: String,
}

impl Answered {
    /// The first message of the protocol in the body: the body itself, or the data of an event.
    pub(crate) fn message(&self) -> Value {
        let body = self.text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        let mut lines = body.lines().map(|line| line.strip_prefix("data: ").unwrap_or(line));
        lines.find_map(|line| serde_json::from_str::<Value>(line).ok().filter(Value::is_object)).unwrap_or_default()
    }

    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let head = self.text.split_once("\r\n\r\n").map_or("", |(head, _)| head);
        head.lines().find_map(|line| {
            let (found, value) = line.split_once(": ")?;
            found.eq_ignore_ascii_case(name).then_some(value)
        })
    }
}

/// Sends a request; the answer comes on the connection that is returned.
pub(crate) async fn begin(address: SocketAddr, method: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
    begin_at(address, (method, "/mcp"), headers, body).await
}

/// The same at another path.
pub(crate) async fn begin_at(
    address: SocketAddr,
    (method, path): (&str, &str),
    headers: &[(&str, &str)],
    body: &str,
) -> TcpStream {
    let host = format!("127.0.0.1:{}", address.port());
    let mut all = vec![
        ("Host", host.as_str()),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
        ("Connection", "close"),
    ];
    for (name, value) in headers {
        all.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        all.push((name, value));
    }
    let head: String = all.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("{method} {path} HTTP/1.1\r\n{head}Content-Length: {}\r\n\r\n{body}", body.len());
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// What comes until the other end closes.
pub(crate) async fn rest(mut stream: TcpStream) -> Answered {
    let mut bytes = Vec::new();
    tokio::time::timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.unwrap().ok();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let status = text.split_whitespace().nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
    Answered { status, text }
}

/// Sends a request and waits for the answer.
pub(crate) async fn ask(address: SocketAddr, method: &str, headers: &[(&str, &str)], body: &str) -> Answered {
    rest(begin(address, method, headers, body).await).await
}

/// Begins a session of the older era.
pub(crate) async fn initialize(address: SocketAddr, id: u64) -> Answered {
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}
    });
    let request = json!({"jsonrpc": "2.0", "id": id, "method": "initialize", "params": params});
    ask(address, "POST", &[], &request.to_string()).await
}

/// Calls a tool in a session of the older era.
pub(crate) async fn call_in(address: SocketAddr, session: &str, tool: &str, arguments: Value) -> Answered {
    let params = json!({"name": tool, "arguments": arguments});
    let request = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
    let headers = [("Mcp-Session-Id", session), ("MCP-Protocol-Version", "2025-11-25")];
    ask(address, "POST", &headers, &request.to_string()).await
}

/// Calls a tool in the newer era.
pub(crate) fn modern_call(tool: &str, arguments: &Value) -> String {
    let params = json!({
        "name": tool, "arguments": arguments,
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
            "io.modelcontextprotocol/clientCapabilities": {}
        }
    });
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string()
}

/// The headers that a call in the newer era carries.
pub(crate) fn modern_headers(tool: &str) -> [(&str, &str); 3] {
    [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", tool)]
}
