//! Calls as spans at a collector, which gets them by OTLP.

use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value};
use opentelemetry_proto::tonic::trace::v1::{Span, span::SpanKind, status::StatusCode};
use prost::Message as _;
use serde_json::{Value, json};

use crate::mcp_process::Process;
use crate::toolchain_support::{program, settings, toolchain};
use crate::traces::{call_in_trace, traceparent};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// What was sent: where, with which headers, what.
type Sent = Arc<Mutex<Vec<(String, HeaderMap, Bytes)>>>;

/// Something that listens as a collector does.
struct Collector {
    address: String,
    sent: Sent,
}

impl Collector {
    async fn start() -> Self {
        let sent = Sent::default();
        let take = |State(sent): State<Sent>, uri: Uri, headers: HeaderMap, body: Bytes| async move {
            sent.lock().unwrap().push((uri.path().to_owned(), headers, body));
            // An empty answer is an empty message, which means that all of it was taken.
            ([("content-type", "application/x-protobuf")], "")
        };
        let router = Router::new().fallback(take).with_state(Arc::clone(&sent));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { address, sent }
    }

    fn requests(&self) -> Vec<ExportTraceServiceRequest> {
        let sent = self.sent.lock().unwrap();
        let read = sent.iter().map(|(path, headers, body)| {
            assert_eq!(
                (path.as_str(), &headers["content-type"]),
                ("/v1/traces", &"application/x-protobuf".parse().unwrap())
            );
            ExportTraceServiceRequest::decode(body.clone()).unwrap()
        });
        read.collect()
    }

    fn spans(&self) -> Vec<Span> {
        let resources = self.requests().into_iter().flat_map(|request| request.resource_spans);
        resources.flat_map(|resource| resource.scope_spans).flat_map(|scope| scope.spans).collect()
    }
}

fn text_of(attributes: &[KeyValue], key: &str) -> Option<String> {
    let found = attributes.iter().find(|attribute| attribute.key == key)?;
    match found.value.as_ref()?.value.as_ref()? {
        any_value::Value::StringValue(text) => Some(text.clone()),
        other => Some(format!("{other:?}")),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Calls a server that has the given environment, and ends it.
fn calls(folder: &Path, environment: &[(&str, &str)], arguments: &[&str]) {
    let mut command: Command = program(&settings());
    command.env_remove("TAPPS_MCP_PROJECT_ROOT").envs(environment.iter().copied());
    command.current_dir(folder).args(arguments).args(["serve", "--workers", "off"]);
    let mut server = Process::start(command);
    server.handshake();
    let profile = call_in_trace(&mut server, "tapps_project_profile", &json!({}), &json!(traceparent(TRACE)));
    assert_eq!(profile["isError"], false, "{profile}");
    call_in_trace(&mut server, "tapps_list_experts", &json!({}), &json!(format!("00-{TRACE}-00f067aa0ba902b7-00")));
    let failed = server.call("tapps_lookup_docs", json!({"library": "no-such-library-here"}));
    assert_eq!(failed["isError"], true, "{failed}");
    assert!(server.end().1.success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_is_told_of_calls_in_their_traces() {
    toolchain();
    let (collector, folder) = (Collector::start().await, tempfile::tempdir().unwrap());
    let address = collector.address.clone();
    tokio::task::spawn_blocking(move || {
        let environment = [
            ("OTEL_EXPORTER_OTLP_ENDPOINT", address.as_str()),
            ("OTEL_EXPORTER_OTLP_HEADERS", "x-tenant=mine"),
            ("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test"),
        ];
        calls(folder.path(), &environment, &[]);
    })
    .await
    .unwrap();
    let spans = collector.spans();
    let names: Vec<&str> = spans.iter().map(|span| span.name.as_str()).collect();
    assert_eq!(
        names,
        ["tools/call tapps_project_profile", "tools/call tapps_lookup_docs"],
        "what its caller does not record is not sent"
    );
    let [profile, lookup] = spans.as_slice() else { panic!("{spans:?}") };
    assert_eq!((hex(&profile.trace_id).as_str(), hex(&profile.parent_span_id).as_str()), (TRACE, "00f067aa0ba902b7"));
    assert_eq!(profile.kind, i32::from(SpanKind::Server));
    assert_eq!(text_of(&profile.attributes, "gen_ai.tool.name").as_deref(), Some("tapps_project_profile"));
    assert_eq!(text_of(&profile.attributes, "tapps.outcome").as_deref(), Some("passed"));
    assert!(profile.start_time_unix_nano <= profile.end_time_unix_nano && profile.start_time_unix_nano > 0);
    // A call without a trace begins one.
    assert!(lookup.parent_span_id.is_empty() && lookup.trace_id.len() == 16 && hex(&lookup.trace_id) != TRACE);
    assert_eq!(lookup.status.as_ref().map(|status| status.code), Some(i32::from(StatusCode::Error)));
    assert_eq!(text_of(&lookup.attributes, "tapps.outcome").as_deref(), Some("errored"));
    let resource = collector.requests()[0].resource_spans[0].resource.clone().unwrap();
    for (key, value) in [
        ("service.name", "tapps-mcp"),
        ("service.version", env!("CARGO_PKG_VERSION")),
        ("deployment.environment", "test"),
    ] {
        assert_eq!(text_of(&resource.attributes, key).as_deref(), Some(value), "{resource:?}");
    }
    assert!(collector.sent.lock().unwrap().iter().all(|(_, headers, _)| headers["x-tenant"] == "mine"));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_sent_that_nobody_asked_for_and_a_collector_that_is_gone_holds_up_nobody() {
    toolchain();
    let (collector, folder) = (Collector::start().await, tempfile::tempdir().unwrap());
    let address = collector.address.clone();
    tokio::task::spawn_blocking(move || {
        let named = ("OTEL_EXPORTER_OTLP_ENDPOINT", address.as_str());
        calls(folder.path(), &[], &[]);
        calls(folder.path(), &[named, ("OTEL_SDK_DISABLED", "true")], &[]);
        calls(folder.path(), &[named], &["--offline"]);
        // Nobody listens there.
        calls(folder.path(), &[("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://127.0.0.1:9/v1/traces")], &[]);
    })
    .await
    .unwrap();
    assert_eq!(collector.spans(), []);
}

#[test]
fn an_address_that_is_none_is_told_before_anything_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = program(&settings());
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", "no address").current_dir(folder.path()).arg("serve");
    let output = command.stdin(std::process::Stdio::null()).output().unwrap();
    let said: Value = String::from_utf8_lossy(&output.stderr).into();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.as_str().unwrap().contains("OTEL_"), "{said}");
}
