//! Who may speak to the server over HTTP, and what happens when they leave.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use tapps_base::ErrorCode;
use tapps_server::dispatch::{DispatchLimits, Dispatcher, Reply};
use tapps_server::protocol::{Features, Identity, McpServer, ServerParts, Updates};
use tapps_server::resources::Catalogue;
use tapps_server::tool::{Selection, Tool, ToolContext, ToolTable, Toolset};
use tapps_server::transport::{HttpLimits, HttpOptions, Observed, Token, bind};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use crate::http_wire;

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

fn server(closing: &CancellationToken, dropped: &Arc<AtomicUsize>) -> McpServer {
    let dropped = dropped.clone();
    let whoami = Tool::new(Toolset::Quality, "whoami", "Who", |_: Nothing, context: ToolContext| async move {
        Reply::from_serializable(&json!({"session": context.require_session()?}))
    });
    let wait = Tool::new(Toolset::Quality, "wait", "Wait", move |_: Nothing, _| {
        let watch = Dropped(dropped.clone());
        async move {
            std::future::pending::<()>().await;
            drop(watch);
            Reply::from_serializable(&json!({}))
        }
    });
    McpServer::new(ServerParts {
        identity: Identity::product(""),
        features: Features::default(),
        table: ToolTable::select(vec![whoami, wait], &Selection::default()).unwrap(),
        catalogue: Catalogue::default(),
        prompts: Vec::new(),
        dispatcher: Dispatcher::new(DispatchLimits::default(), closing.clone()),
        updates: Updates::default(),
    })
}

fn options(address: &str, token: bool) -> HttpOptions {
    HttpOptions { token: token.then(|| Token::new(SECRET).unwrap()), ..HttpOptions::at(address.parse().unwrap()) }
}

/// Sends a call with extra headers; the connection stays open in what is returned.
async fn begin(address: SocketAddr, tool: &str, headers: &[(&str, &str)]) -> TcpStream {
    let headers = [&http_wire::modern_headers(tool), headers].concat();
    http_wire::begin(address, "POST", &headers, &http_wire::modern_call(tool, &json!({}))).await
}

/// The status and the text of the answer.
async fn post(address: SocketAddr, tool: &str, headers: &[(&str, &str)]) -> (u16, String) {
    let answered = http_wire::rest(begin(address, tool, headers).await).await;
    (answered.status, answered.text)
}

#[tokio::test]
async fn whether_a_server_lives_needs_no_token_and_its_numbers_do() {
    let closing = CancellationToken::new();
    let observed = Observed::new(|| Err("not yet".to_owned()), || Ok("# EOF\n".to_owned()));
    let options = HttpOptions { observed: Some(observed), ..options("127.0.0.1:0", true) };
    let listening = bind(server(&closing, &Arc::default()), options, closing.clone()).await.unwrap();
    let address = listening.address();
    let served = tokio::spawn(listening.serve(closing.clone()));
    let bearer = format!("Bearer {SECRET}");
    for (path, headers, status) in [
        ("/health", &[][..], 200),
        ("/ready", &[], 503),
        ("/metrics", &[], 401),
        ("/metrics", &[("Authorization", bearer.as_str())], 200),
        ("/health", &[("Host", "elsewhere.example")], 403),
        ("/other", &[("Authorization", bearer.as_str())], 404),
    ] {
        let answered = http_wire::rest(http_wire::begin_at(address, ("GET", path), headers, "").await).await;
        assert_eq!(answered.status, status, "{path} {headers:?}: {}", answered.text);
    }
    closing.cancel();
    served.await.unwrap();
}

/// A server with narrow limits that serves until the token fires.
async fn serving(limits: HttpLimits) -> (SocketAddr, CancellationToken) {
    let closing = CancellationToken::new();
    let options = HttpOptions { limits, ..options("127.0.0.1:0", false) };
    let listening = bind(server(&closing, &Arc::default()), options, closing.clone()).await.unwrap();
    let address = listening.address();
    tokio::spawn(listening.serve(closing.clone()));
    (address, closing)
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
    let other_port = format!("localhost:{}", if open_at.port() == 1 { 2 } else { 1 });
    let named_after = format!("http://localhost:{}.evil.com", open_at.port());
    let [shorter, longer] = [&SECRET[1..], &format!("{SECRET}s")].map(|token| format!("Bearer {token}"));
    let cases: [Case<'_>; 17] = [
        (open_at, &[("Host", &other_port)], 403),
        (open_at, &[("Host", "[::1]evil")], 403),
        (open_at, &[("Origin", "http://[::1].evil")], 403),
        (open_at, &[("Origin", &named_after)], 403),
        (open_at, &[("Origin", "http://[::1]:5173")], 200),
        (open_at, &[], 200),
        (open_at, &[("Origin", "http://localhost:5173")], 200),
        (open_at, &[("Origin", "http://127.0.0.1:80")], 200),
        (open_at, &[("Origin", "https://evil.example")], 403),
        (open_at, &[("Origin", "null")], 403),
        (open_at, &[("Host", "evil.example")], 403),
        (locked_at, &[], 401),
        (locked_at, &[("Authorization", "Bearer wrong-token-for-tests")], 401),
        (locked_at, &[("Authorization", &shorter)], 401),
        (locked_at, &[("Authorization", &longer)], 401),
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
        served.await.unwrap();
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
    serving.await.unwrap();
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
    tokio::time::timeout(Duration::from_secs(20), serving).await.unwrap().unwrap();
    drop(second);
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_and_bodies_that_do_not_come_are_not_waited_for() {
    let short = Duration::from_secs(1);
    let (address, closing) = serving(HttpLimits { headers: short, body: short, ..HttpLimits::default() }).await;
    for begun in ["", "POST /mcp HT", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: "] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(begun.as_bytes()).await.unwrap();
        http_wire::rest(stream).await;
    }
    let head = format!("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: 100\r\n\r\n{{", address.port());
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    let answered = http_wire::rest(stream).await;
    assert_eq!(answered.status, 408, "{answered:?}");
    assert!(answered.message()["error"]["data"]["hint"].is_string(), "{answered:?}");
    assert_eq!(post(address, "whoami", &[]).await.0, 200);
    closing.cancel();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_sends_too_much_is_told_when_to_go_on() {
    // Six a minute: one at once, the next some seconds later.
    let (address, closing) = serving(HttpLimits { requests_per_minute: 6, ..HttpLimits::default() }).await;
    assert_eq!(post(address, "whoami", &[]).await.0, 200);
    let answered = http_wire::rest(begin(address, "whoami", &[]).await).await;
    assert_eq!(answered.status, 429, "{answered:?}");
    let seconds: u64 = answered.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=10).contains(&seconds), "{answered:?}");
    let error = &answered.message()["error"];
    assert_eq!(error["message"], "requests came from 127.0.0.1 faster than 6 a minute");
    assert_eq!(error["data"]["hint"], format!("wait {seconds} seconds and send the request again; nothing was done"));
    closing.cancel();
    let (address, closing) = serving(HttpLimits::default()).await;
    for _ in 0..60 {
        assert_eq!(post(address, "whoami", &[]).await.0, 200, "without the setting nobody is counted");
    }
    closing.cancel();
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_beyond_the_bound_are_told_so() {
    let (address, closing) = serving(HttpLimits { connections: 2, ..HttpLimits::default() }).await;
    let first = begin(address, "wait", &[]).await;
    let second = begin(address, "wait", &[]).await;
    let answered = http_wire::rest(begin(address, "whoami", &[]).await).await;
    assert_eq!((answered.status, answered.header("retry-after")), (503, Some("5")), "{answered:?}");
    let error = &answered.message()["error"];
    assert!(error["message"].as_str().unwrap().starts_with("2 connections are open"), "{error}");
    assert!(error["data"]["hint"].as_str().unwrap().contains("try again"), "{error}");
    drop((first, second));
    while post(address, "whoami", &[]).await.0 == 503 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(post(address, "whoami", &[]).await.0, 200);
    closing.cancel();
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_bounded_and_end_once() {
    let (address, closing) = serving(HttpLimits { sessions: 1, ..HttpLimits::default() }).await;
    let opened = http_wire::initialize(address, 1).await;
    let session = opened.header("mcp-session-id").unwrap().to_owned();
    let refused = http_wire::initialize(address, 7).await;
    let message = refused.message();
    assert_eq!((refused.status, &message["id"]), (503, &json!(7)), "{refused:?}");
    assert!(message["error"]["data"]["hint"].as_str().unwrap().contains("DELETE"), "{message}");
    let end = async || http_wire::ask(address, "DELETE", &[("Mcp-Session-Id", &session)], "").await;
    assert_eq!(end().await.status, 204);
    let again = end().await;
    assert_eq!(again.status, 404, "{again:?}");
    assert_eq!(http_wire::initialize(address, 1).await.status, 200);
    closing.cancel();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_opens_to_its_whole_name_alone() {
    let (address, closing) = serving(HttpLimits::default()).await;
    let [own, other] = [http_wire::initialize(address, 1).await, http_wire::initialize(address, 2).await]
        .map(|opened| opened.header("mcp-session-id").unwrap().to_owned());
    assert_ne!(own, other);
    assert!(own.len() >= 32, "{own} has too few characters to be out of reach of guessing");
    let stream = [("Accept", "text/event-stream"), ("Last-Event-Id", "0")];
    let guesses =
        [&own[..own.len() - 1], &format!("{own}0"), &own.to_uppercase(), "*", "00000000-0000-4000-8000-000000000000"];
    for guess in guesses.map(|guess| ("Mcp-Session-Id", guess)) {
        let called = http_wire::call_in(address, guess.1, "whoami", json!({})).await.status;
        let listened = http_wire::ask(address, "GET", &[&[guess][..], &stream].concat(), "").await.status;
        let ended = http_wire::ask(address, "DELETE", &[guess], "").await.status;
        assert_eq!([called, listened, ended], [404; 3], "{guess:?}");
    }
    for session in [own, other] {
        assert_eq!(http_wire::call_in(address, &session, "whoami", json!({})).await.status, 200);
    }
    closing.cancel();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_nobody_uses_ends() {
    let limits = HttpLimits { sessions: 1, session_idle: Duration::from_millis(100), ..HttpLimits::default() };
    let (address, closing) = serving(limits).await;
    let opened = http_wire::initialize(address, 1).await;
    let session = opened.header("mcp-session-id").unwrap().to_owned();
    while http_wire::call_in(address, &session, "whoami", json!({})).await.status != 404 {
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    assert_eq!(http_wire::initialize(address, 1).await.status, 200, "its place is free");
    closing.cancel();
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
