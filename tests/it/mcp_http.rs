//! Who may speak to the server over HTTP, and what happens when they leave.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tapps_base::ErrorCode;
use tapps_server::dispatch::{Dispatcher, Limits, Reply};
use tapps_server::protocol::{Features, Identity, Server, ServerParts, Updates};
use tapps_server::resources::Catalogue;
use tapps_server::tool::{Context, Selection, Table, Tool, Toolset};
use tapps_server::transport::{HttpOptions, Token, bind};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

/// Where a request goes, its extra headers, and the status of the answer.
type Case<'a> = (SocketAddr, &'a [(&'a str, &'a str)], u16);

const SECRET: &str = "a-token-for-these-tests";

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Nothing {}

/// Counts calls that were dropped before they were done.
struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

fn server(closing: &CancellationToken, dropped: &Arc<AtomicUsize>) -> Server {
    let dropped = dropped.clone();
    let whoami = Tool::new(Toolset::Quality, "whoami", "Who", |_: Nothing, context: Context| async move {
        Reply::of(&json!({"session": context.session()?}))
    });
    let wait = Tool::new(Toolset::Quality, "wait", "Wait", move |_: Nothing, _| {
        let watch = Dropped(dropped.clone());
        async move {
            std::future::pending::<()>().await;
            drop(watch);
            Reply::of(&json!({}))
        }
    });
    Server::new(ServerParts {
        identity: Identity::product(""),
        features: Features::default(),
        table: Table::select(vec![whoami, wait], &Selection::default()).unwrap(),
        catalogue: Catalogue::default(),
        prompts: Vec::new(),
        dispatcher: Dispatcher::new(Limits::default(), closing.clone()),
        updates: Updates::default(),
    })
}

fn options(address: &str, token: bool) -> HttpOptions {
    HttpOptions {
        address: address.parse().unwrap(),
        token: token.then(|| Token::new(SECRET).unwrap()),
        hosts: Vec::new(),
        origins: Vec::new(),
    }
}

/// A call of `tool` in the newer era.
fn call_of(tool: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": tool, "arguments": {},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
            "io.modelcontextprotocol/clientCapabilities": {}
        }
    }})
}

/// Sends a call with extra headers; the connection stays open in what is returned.
async fn begin(address: SocketAddr, tool: &str, headers: &[(&str, &str)]) -> TcpStream {
    let body = call_of(tool).to_string();
    let host = format!("127.0.0.1:{}", address.port());
    let mut all = vec![
        ("Host", host.as_str()),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", tool),
        ("Connection", "close"),
    ];
    for (name, value) in headers {
        all.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        all.push((name, value));
    }
    let head: String = all.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("POST /mcp HTTP/1.1\r\n{head}Content-Length: {}\r\n\r\n{body}", body.len());
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// The status and the text of the answer.
async fn post(address: SocketAddr, tool: &str, headers: &[(&str, &str)]) -> (u16, String) {
    let mut stream = begin(address, tool, headers).await;
    let mut text = String::new();
    tokio::time::timeout(Duration::from_secs(30), stream.read_to_string(&mut text)).await.unwrap().unwrap();
    let status = text.split_whitespace().nth(1).unwrap().parse().unwrap();
    (status, text)
}

#[tokio::test(flavor = "multi_thread")]
async fn hosts_origins_and_tokens_are_checked() {
    let closing = CancellationToken::new();
    let dropped = Arc::default();
    let open = bind(server(&closing, &dropped), options("127.0.0.1:0", false), closing.clone()).await.unwrap();
    let locked = bind(server(&closing, &dropped), options("127.0.0.1:0", true), closing.clone()).await.unwrap();
    let (open_at, locked_at) = (open.address(), locked.address());
    let serving = [tokio::spawn(open.serve(closing.clone())), tokio::spawn(locked.serve(closing.clone()))];
    let bearer = format!("Bearer {SECRET}");
    let cases: [Case<'_>; 10] = [
        (open_at, &[], 200),
        (open_at, &[("Origin", "http://localhost:5173")], 200),
        (open_at, &[("Origin", "http://127.0.0.1:80")], 200),
        (open_at, &[("Origin", "https://evil.example")], 403),
        (open_at, &[("Origin", "null")], 403),
        (open_at, &[("Host", "evil.example")], 403),
        (locked_at, &[], 401),
        (locked_at, &[("Authorization", "Bearer wrong-token-for-tests")], 401),
        (locked_at, &[("Authorization", &bearer)], 200),
        (locked_at, &[("Authorization", &bearer), ("Host", "evil.example")], 403),
    ];
    for (address, headers, expected) in cases {
        let (status, text) = post(address, "whoami", headers).await;
        assert_eq!(status, expected, "{headers:?}: {text}");
        assert_eq!(text.to_lowercase().contains("www-authenticate: bearer"), expected == 401, "{text}");
    }
    closing.cancel();
    for served in serving {
        served.await.unwrap().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_without_a_session_says_how_to_get_one() {
    let closing = CancellationToken::new();
    let listening =
        bind(server(&closing, &Arc::default()), options("127.0.0.1:0", false), closing.clone()).await.unwrap();
    let address = listening.address();
    let serving = tokio::spawn(listening.serve(closing.clone()));
    let (_, text) = post(address, "whoami", &[]).await;
    assert!(text.contains("invalid_session") && text.contains("tapps_server_info"), "{text}");
    closing.cancel();
    serving.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_hangs_up_and_a_server_that_closes_let_the_work_go() {
    let closing = CancellationToken::new();
    let dropped: Arc<AtomicUsize> = Arc::default();
    let listening = bind(server(&closing, &dropped), options("127.0.0.1:0", false), closing.clone()).await.unwrap();
    let address = listening.address();
    let serving = tokio::spawn(listening.serve(closing.clone()));
    let until = async |count: usize| {
        while dropped.load(Ordering::SeqCst) < count {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let first = begin(address, "wait", &[]).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    drop(first);
    tokio::time::timeout(Duration::from_secs(20), until(1)).await.unwrap();
    let second = begin(address, "wait", &[]).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    closing.cancel();
    tokio::time::timeout(Duration::from_secs(20), until(2)).await.unwrap();
    tokio::time::timeout(Duration::from_secs(20), serving).await.unwrap().unwrap().unwrap();
    drop(second);
}

#[tokio::test]
async fn an_address_that_others_can_reach_needs_a_token() {
    let closing = CancellationToken::new();
    let refused =
        bind(server(&closing, &Arc::default()), options("0.0.0.0:0", false), closing.clone()).await.unwrap_err();
    assert_eq!(refused.code(), ErrorCode::ConfigError);
    assert!(refused.body().hint.as_deref().unwrap().contains("TAPPS_MCP_HTTP_TOKEN"), "{refused:?}");
    let taken = bind(server(&closing, &Arc::default()), options("127.0.0.1:0", false), closing.clone()).await.unwrap();
    let again = options(&taken.address().to_string(), false);
    let refused = bind(server(&closing, &Arc::default()), again, closing).await.unwrap_err();
    assert!(refused.message().starts_with("cannot listen at 127.0.0.1:"), "{refused}");
}
