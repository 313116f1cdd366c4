//! Calls as spans of OpenTelemetry, sent to a collector by OTLP over HTTP.
//!
//! Nothing is sent unless the environment names a collector. A span says which tool was called, when, for how long, how it
//! ended and in which trace; what the call was about stays here.

use std::env;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

use opentelemetry::trace::{
    Span as _, SpanContext, SpanId, SpanKind, Status, TraceContextExt as _, TraceFlags, TraceId, TraceState,
    Tracer as _, TracerProvider as _,
};
use opentelemetry::{Context, KeyValue};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{SpanExporter, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use tokio::runtime::Handle;

use crate::dispatch::{ToolCallJournal, ToolCallOutcome, ToolCallRecord};
use tapps_base::{Error, ErrorCode, Result, clock};
use tapps_session::TraceParent;

/// By one of these a collector is named, as everywhere.
const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];

/// Switches everything off.
const DISABLED: &str = "OTEL_SDK_DISABLED";

/// What this program is called where the environment does not say otherwise.
const SERVICE: &str = "tapps-mcp";

/// A collector that does not answer by then gets its spans later, or never.
const TRIAL: Duration = Duration::from_secs(10);

/// How long the end of the server waits for a collector.
const FAREWELL: Duration = Duration::from_secs(2);

/// What the process sends, once it has begun; one for all projects.
static EXPORT: OnceLock<SdkTracerProvider> = OnceLock::new();

/// Begins to send spans where the environment names a collector, and connections are allowed. Must be called within a
/// runtime of tokio.
///
/// # Errors
/// `config_error` for a variable that cannot be used.
pub fn begin(offline: bool) -> Result<()> {
    if let Some(provider) = provider_of_environment()?.filter(|_| !offline) {
        // A second server of the process goes on with what there is.
        let _ = EXPORT.set(provider);
    }
    Ok(())
}

/// Sends what has not been sent yet; blocks for a moment at most.
pub fn end() {
    let ended = EXPORT.get().map(|provider| provider.shutdown_with_timeout(FAREWELL));
    if let Some(Err(error)) = ended {
        tracing::debug!(%error, "the last spans could not be sent");
    }
}

/// A journal that makes a span of each call as well, where spans are sent.
pub(crate) fn observe_calls(journal: Arc<dyn ToolCallJournal>) -> Arc<dyn ToolCallJournal> {
    match EXPORT.get() {
        Some(provider) => Arc::new(SpanJournal { journal, tracer: provider.tracer(SERVICE) }),
        None => journal,
    }
}

fn provider_of_environment() -> Result<Option<SdkTracerProvider>> {
    let is_set = |name: &&str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let disabled = env::var(DISABLED).is_ok_and(|value| value.eq_ignore_ascii_case("true"));
    if disabled || !ENDPOINTS.iter().any(&is_set) {
        return Ok(None);
    }
    let exporter = SpanExporter::builder().with_http().with_http_client(CollectorClient::new()?).build();
    let exporter = exporter.map_err(|error| {
        Error::new(ErrorCode::ConfigError, format!("spans cannot be sent: {error}"))
            .hint(format!("mend the variables that begin with OTEL_, or set {DISABLED}=true"))
    })?;
    let mut resource = Resource::builder();
    if !is_set(&"OTEL_SERVICE_NAME") {
        resource = resource.with_service_name(SERVICE);
    }
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_resource(resource.with_attribute(version).build())
        .build();
    Ok(Some(provider))
}

struct SpanJournal {
    journal: Arc<dyn ToolCallJournal>,
    tracer: SdkTracer,
}

impl ToolCallJournal for SpanJournal {
    fn record(&self, entry: &ToolCallRecord<'_>) -> Result<()> {
        let ended = SystemTime::UNIX_EPOCH + clock::system().now();
        let begun = ended.checked_sub(Duration::from_millis(entry.elapsed_ms)).unwrap_or(ended);
        let outcome = match entry.outcome {
            ToolCallOutcome::Passed => "passed",
            ToolCallOutcome::Failed => "failed",
            ToolCallOutcome::Errored => "errored",
        };
        let builder = self
            .tracer
            .span_builder(format!("tools/call {}", entry.tool))
            .with_kind(SpanKind::Server)
            .with_start_time(begun)
            .with_attributes([
                KeyValue::new("mcp.method.name", "tools/call"),
                KeyValue::new("gen_ai.tool.name", entry.tool),
                KeyValue::new("tapps.outcome", outcome),
                KeyValue::new("tapps.reply_bytes", i64::try_from(entry.reply_bytes).unwrap_or(i64::MAX)),
            ]);
        let parent = entry.trace.and_then(remote_parent).unwrap_or_default();
        let mut span = self.tracer.build_with_context(builder, &parent);
        if entry.outcome == ToolCallOutcome::Errored {
            span.set_status(Status::error("the call could not do its work"));
        }
        span.end_with_timestamp(ended);
        self.journal.record(entry)
    }

    fn ensure_session_exists(&self, session: &str) -> Result<()> {
        self.journal.ensure_session_exists(session)
    }
}

/// The span that called, as a parent.
fn remote_parent(trace: &TraceParent) -> Option<Context> {
    let (trace_id, span) = (TraceId::from_hex(&trace.trace_id).ok()?, SpanId::from_hex(&trace.parent_id).ok()?);
    let flags = if trace.sampled { TraceFlags::SAMPLED } else { TraceFlags::NOT_SAMPLED };
    let parent = SpanContext::new(trace_id, span, flags, true, TraceState::NONE);
    Some(Context::new().with_remote_span_context(parent))
}

/// Sends what the exporter has, from its own thread, on the runtime of the server.
struct CollectorClient {
    client: reqwest::Client,
    runtime: Handle,
}

impl fmt::Debug for CollectorClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CollectorClient")
    }
}

impl CollectorClient {
    fn new() -> Result<Self> {
        // An error only says that a provider is there already.
        rustls::crypto::ring::default_provider().install_default().ok();
        let client = reqwest::Client::builder().timeout(TRIAL).redirect(reqwest::redirect::Policy::none()).build();
        let client = client.map_err(|error| Error::internal(format!("no connection can be prepared: {error}")))?;
        Ok(Self { client, runtime: Handle::current() })
    }
}

type Sending<'a> = Pin<Box<dyn Future<Output = std::result::Result<Response<Bytes>, HttpError>> + Send + 'a>>;

impl HttpClient for CollectorClient {
    fn send_bytes<'own, 'sending>(&'own self, request: Request<Bytes>) -> Sending<'sending>
    where
        'own: 'sending,
        Self: 'sending,
    {
        let client = self.client.clone();
        let sent = self.runtime.spawn(async move {
            let answered = client.execute(request.try_into()?).await?;
            let mut response = Response::builder().status(answered.status());
            if let Some(headers) = response.headers_mut() {
                headers.clone_from(answered.headers());
            }
            Ok::<_, HttpError>(response.body(answered.bytes().await?)?)
        });
        Box::pin(async move { sent.await? })
    }
}
