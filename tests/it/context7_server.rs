//! A server on this machine that speaks Context7's API, or does not keep to it.

use std::collections::BTreeMap;
use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use futures::StreamExt as _;
use serde_json::{Value, json};
use tapps_base::clock::Clock;
use tapps_docs::context7::{Context7Client, Context7Settings};

/// A key that must turn up nowhere but in the header of a request to the right server.
pub(crate) const CANARY: &str = "ctx7sk-canary-5b1f9a7e2c";

/// What the server answers with.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    Json(u16, Value),
    /// To a search the one, to everything else the other.
    Speaks(Value, Value),
    Text(u16, &'static str),
    Headed(u16, &'static [(&'static str, &'static str)], Value),
    /// So many bytes, and no length said in advance.
    Endless(usize),
    Hangs,
    /// A head and half a body.
    BreaksOff,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) path: String,
    pub(crate) query: BTreeMap<String, String>,
    pub(crate) authorization: Option<String>,
    pub(crate) agent: String,
}

#[derive(Debug, Default)]
struct Script {
    answers: Mutex<Vec<Answer>>,
    seen: Mutex<Vec<Seen>>,
}

/// A server that gives its answers in turn, the last one for ever.
pub(crate) struct Server {
    pub(crate) url: String,
    script: Arc<Script>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    pub(crate) async fn with(answers: Vec<Answer>) -> Self {
        let script = Arc::new(Script { answers: Mutex::new(answers), seen: Mutex::default() });
        let router = Router::new().fallback(answer).with_state(Arc::clone(&script));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/api", listener.local_addr().unwrap());
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, script, task }
    }

    pub(crate) fn settings(&self) -> Context7Settings {
        Context7Settings {
            base_url: self.url.clone(),
            key: Some(CANARY.to_owned().into()),
            deadline: Duration::from_secs(20),
            ..Context7Settings::default()
        }
    }

    pub(crate) fn client(&self) -> Context7Client {
        Context7Client::new(self.settings()).unwrap()
    }

    /// Answers otherwise from now on.
    pub(crate) fn answers(&self, answer: Answer) {
        *self.script.answers.lock().unwrap() = vec![answer];
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.script.seen.lock().unwrap().clone()
    }
}

async fn answer(State(script): State<Arc<Script>>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    script.seen.lock().unwrap().push(seen(&request));
    let answer = {
        let mut answers = script.answers.lock().unwrap();
        if answers.len() > 1 { answers.remove(0) } else { answers[0].clone() }
    };
    let response = |status: u16, body: Body| {
        let mut response = Response::new(body);
        *response.status_mut() = StatusCode::from_u16(status).unwrap();
        response
    };
    match answer {
        Answer::Json(status, value) => response(status, Body::from(value.to_string())),
        Answer::Speaks(search, context) => {
            let answer = if path.ends_with("/search") { search } else { context };
            response(200, Body::from(answer.to_string()))
        }
        Answer::Text(status, text) => response(status, Body::from(text)),
        Answer::Headed(status, headers, value) => {
            let mut response = response(status, Body::from(value.to_string()));
            for (name, value) in headers {
                response.headers_mut().insert(*name, HeaderValue::from_static(value));
            }
            response
        }
        Answer::Endless(bytes) => {
            let chunk = Bytes::from(vec![b' '; 1 << 16]);
            let chunks = futures::stream::iter(0..bytes >> 16).map(move |_| Ok::<_, std::io::Error>(chunk.clone()));
            response(200, Body::from_stream(chunks))
        }
        Answer::Hangs => pending().await,
        Answer::BreaksOff => {
            let parts = vec![Ok(Bytes::from("{\"codeSnippets\": [")), Err(std::io::Error::other("gone"))];
            response(200, Body::from_stream(futures::stream::iter(parts)))
        }
    }
}

fn seen(request: &Request) -> Seen {
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    Seen {
        path: request.uri().path().to_owned(),
        query: pairs(request.uri().query().unwrap_or_default()),
        authorization: header("authorization"),
        agent: header("user-agent").unwrap_or_default(),
    }
}

fn pairs(query: &str) -> BTreeMap<String, String> {
    let url = reqwest::Url::parse(&format!("http://x/?{query}")).unwrap();
    url.query_pairs().into_owned().collect()
}

pub(crate) fn context() -> Value {
    json!({
        "codeSnippets": [
            {"codeTitle": "Stream a response", "codeDescription": "Yields parts.", "codeLanguage": "python",
             "codeTokens": 12, "codeId": "https://docs.example/stream", "pageTitle": "Streaming",
             "codeList": [{"language": "python", "code": "return StreamingResponse(parts())"}]},
            {"codeTitle": "Long", "codeDescription": "x".repeat(4_000), "codeList": [{"language": "python", "code": "pass"}]},
            {"codeTitle": "Short", "codeList": [{"language": "python", "code": "pass"}]}
        ],
        "infoSnippets": [{"pageId": "p1", "breadcrumb": "Guide > Streams", "content": "Streams are sent in parts."}],
        "unknownField": {"a": 1}
    })
}

pub(crate) fn search() -> Value {
    json!({"results": [
        {"id": "/fastapi/fastapi", "title": "FastAPI", "description": "Web framework", "branch": "main",
         "lastUpdateDate": "2026-01-01", "state": "finalized", "totalTokens": 1000, "totalSnippets": 700, "stars": -1,
         "trustScore": 9.9, "benchmarkScore": 87.5, "versions": ["0.115.12", "0_116_1", "v0.118.2"], "source": "x"},
        {"id": "/x/half", "title": "Half read", "state": "initial", "totalSnippets": -1},
        {"id": "/x/gone", "title": "Gone", "state": "delete"},
        {"id": "/x/../../admin", "title": "A trap", "state": "finalized"}
    ], "searchFilterApplied": false})
}

/// Collects what is logged.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log(pub(crate) Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> tracing_subscriber::fmt::MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// A clock that only moves when told to.
#[derive(Debug)]
pub(crate) struct HandClock {
    start: std::time::Instant,
    passed: Mutex<Duration>,
}

impl Default for HandClock {
    fn default() -> Self {
        Self { start: std::time::Instant::now(), passed: Mutex::default() }
    }
}

impl HandClock {
    pub(crate) fn advance(&self, by: Duration) {
        *self.passed.lock().unwrap() += by;
    }
}

impl Clock for HandClock {
    fn now(&self) -> Duration {
        Duration::from_secs(1_800_000_000) + *self.passed.lock().unwrap()
    }

    fn instant(&self) -> std::time::Instant {
        self.start + *self.passed.lock().unwrap()
    }

    fn fresh_id(&self) -> String {
        "00000000-0000-4000-8000-000000000000".to_owned()
    }
}
