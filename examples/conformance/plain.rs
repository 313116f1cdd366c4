//! Tools that answer at once, and those that report or log on the way.
#![expect(deprecated, reason = "the older era has log notifications and sampling")]

use std::sync::Arc;
use std::time::Duration;

use rmcp::ErrorData;
use rmcp::model::{
    CallToolResponse, CallToolResult, ContentBlock, CreateMessageRequestParams, LoggingLevel,
    LoggingMessageNotificationParam, ResourceContents, SamplingMessage,
};
use serde_json::{Map, Value, json};
use tapps_base::{Error, Result as ToolResult};
use tapps_server::dispatch::Reply;
use tapps_server::tool::{Handler, ProtocolCall, Tool, ToolContext, Toolset};

use crate::{PNG, WAV};

/// A tool that answers in protocol terms.
pub(crate) fn protocol<W>(
    name: &'static str,
    input: Value,
    run: impl Fn(ProtocolCall) -> W + Send + Sync + 'static,
) -> Tool
where
    W: Future<Output = Result<CallToolResponse, ErrorData>> + Send + 'static,
{
    let input = input.as_object().cloned().unwrap_or_default();
    let handler = Handler::Protocol(Arc::new(move |call| Box::pin(run(call))));
    Tool::with_handler(Toolset::Quality, name, name, input, handler).describe("A fixture.")
}

/// The input schema of a tool without arguments.
pub(crate) fn nothing() -> Value {
    json!({"type": "object", "properties": {}})
}

/// A text argument of a call, empty when absent.
pub(crate) fn text_argument(call: &ProtocolCall, name: &str) -> String {
    let arguments: Option<&Map<String, Value>> = call.request.arguments.as_ref();
    arguments.and_then(|all| all.get(name)).and_then(Value::as_str).unwrap_or_default().to_owned()
}

pub(crate) fn says(text: impl Into<String>) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text)]).into()
}

fn fixed(name: &'static str, content: Vec<ContentBlock>) -> Tool {
    protocol(name, nothing(), move |_| {
        let result = CallToolResult::success(content.clone()).into();
        async move { Ok(result) }
    })
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Nothing {}

pub(crate) fn tools() -> Vec<Tool> {
    let embedded = |uri: &str, mime: &str, text: &str| {
        ContentBlock::resource(ResourceContents::text(text, uri).with_mime_type(mime))
    };
    vec![
        fixed("test_simple_text", vec![ContentBlock::text("This is a simple text response for testing.")]),
        fixed("test_image_content", vec![ContentBlock::image(PNG, "image/png")]),
        fixed("test_audio_content", vec![ContentBlock::audio(WAV, "audio/wav")]),
        fixed(
            "test_embedded_resource",
            vec![embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
        ),
        fixed(
            "test_multiple_content_types",
            vec![
                ContentBlock::text("Multiple content types test:"),
                ContentBlock::image(PNG, "image/png"),
                embedded("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#),
            ],
        ),
        protocol("json_schema_2020_12_tool", schema_2020_12(), |_| async { Ok(says("seen")) }),
        protocol("test_header_parameters", headers(), |_| async { Ok(says("seen")) }),
        Tool::new(Toolset::Quality, "test_error_handling", "Error", |_: Nothing, _| async {
            Err::<Reply, _>(Error::internal("This tool intentionally returns an error for testing"))
        })
        .describe("Always fails."),
        Tool::new(Toolset::Quality, "test_tool_with_progress", "Progress", progress).describe("Reports progress."),
        protocol("test_tool_with_logging", nothing(), logging),
        protocol("test_sampling", string_argument("prompt"), sampling),
        protocol("test_missing_capability", nothing(), missing_capability),
        protocol("test_logging_tool", nothing(), |call| async move {
            // The newer era logs only to those who say how much they want to hear.
            if call.context.meta.log_level().is_some() { logging(call).await } else { Ok(says("Nothing was logged.")) }
        }),
    ]
}

pub(crate) fn string_argument(name: &str) -> Value {
    json!({"type": "object", "properties": {name: {"type": "string"}}, "required": [name]})
}

async fn progress(_: Nothing, context: ToolContext) -> ToolResult<Reply> {
    // Calls that end within a second report nothing.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    for done in [25, 50, 75, 100] {
        context.call.progress.report("work", done, 100);
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    Reply::from_serializable(&json!({"done": true}))
}

async fn logging(call: ProtocolCall) -> Result<CallToolResponse, ErrorData> {
    for line in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        let note = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(line));
        call.context.peer.notify_logging_message(note).await.map_err(refused)?;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(says("Three lines were logged."))
}

async fn sampling(call: ProtocolCall) -> Result<CallToolResponse, ErrorData> {
    let prompt = SamplingMessage::user_text(text_argument(&call, "prompt"));
    let request = CreateMessageRequestParams::new(vec![prompt], 100);
    let answer = call.context.peer.create_message(request).await.map_err(refused)?;
    let text = answer.message.content.first().and_then(|content| content.as_text()).map(|text| text.text.clone());
    Ok(says(format!("LLM response: {}", text.unwrap_or_default())))
}

async fn missing_capability(call: ProtocolCall) -> Result<CallToolResponse, ErrorData> {
    let capabilities = call.context.client_capabilities().unwrap_or_default();
    if capabilities.sampling.is_some() {
        return Ok(says("The client can sample."));
    }
    let required = rmcp::model::ClientCapabilities::builder().enable_sampling().build();
    Err(ErrorData::missing_required_client_capability(required))
}

pub(crate) fn refused(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

fn headers() -> Value {
    json!({
        "type": "object",
        "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "query": {"type": "string"}
        },
        "required": ["region"]
    })
}

fn schema_2020_12() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
        }},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"}
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false
    })
}
