//! A model that follows a script, behind the formats in which clients speak to models.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{Uri, header};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};

/// How a client speaks to its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wire {
    Anthropic,
    Gemini,
    /// OpenAI's chat completions.
    Chat,
    /// OpenAI's responses.
    Responses,
}

/// A use of one of the client's tools. Arguments that are a text are handed over as they are.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) tool: &'static str,
    pub(crate) arguments: Value,
}

/// A model that does one thing, says that it is done, and does another thing once it is told that the first was not good.
#[derive(Clone)]
struct Script {
    wire: Wire,
    first: Step,
    /// What is done once the conversation has this text.
    after: (&'static str, Step),
    asked: Arc<Mutex<Vec<Value>>>,
}

/// A model that listens.
pub(crate) struct ScriptedModel {
    pub(crate) address: String,
    asked: Arc<Mutex<Vec<Value>>>,
    serving: tokio::task::JoinHandle<()>,
}

impl ScriptedModel {
    pub(crate) async fn start(wire: Wire, first: Step, after: (&'static str, Step)) -> Self {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let script = Script { wire, first, after, asked: Arc::clone(&asked) };
        let router = Router::new().fallback(answer).with_state(script);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { address, asked, serving }
    }

    /// All that the model was asked.
    pub(crate) fn asked(&self) -> Vec<Value> {
        self.asked.lock().unwrap().clone()
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// The names of the tools that a request offers, of whatever is called a tool there.
pub(crate) fn offered_tools(request: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect_names(&request["tools"], &mut found);
    found
}

fn collect_names(tools: &Value, found: &mut Vec<String>) {
    for tool in tools.as_array().into_iter().flatten() {
        let inner = tool.get("function").unwrap_or(tool);
        found.extend(inner["name"].as_str().map(str::to_owned));
        // Gemini lists declarations, Codex tools in a namespace.
        collect_names(&tool["functionDeclarations"], found);
        collect_names(&tool["tools"], found);
    }
}

/// How often an object within has the field, with the value.
fn count(value: &Value, field: &str, wanted: Option<&str>) -> usize {
    match value {
        Value::Array(items) => items.iter().map(|item| count(item, field, wanted)).sum(),
        Value::Object(entries) => {
            let here = entries.get(field).is_some_and(|found| wanted.is_none_or(|wanted| found == wanted));
            usize::from(here) + entries.values().map(|value| count(value, field, wanted)).sum::<usize>()
        }
        _ => 0,
    }
}

impl Script {
    /// What the conversation is, and how many results of tools are in it.
    fn results(&self, request: &Value) -> usize {
        match self.wire {
            Wire::Anthropic => count(&request["messages"], "type", Some("tool_result")),
            Wire::Gemini => count(&request["contents"], "functionResponse", None),
            Wire::Chat => count(&request["messages"], "role", Some("tool")),
            Wire::Responses => ["function_call_output", "custom_tool_call_output"]
                .map(|kind| count(&request["input"], "type", Some(kind)))
                .iter()
                .sum(),
        }
    }

    fn next(&self, request: &Value) -> (usize, Option<&Step>) {
        let results = self.results(request);
        let (told, then) = &self.after;
        let step = match results {
            0 => Some(&self.first),
            1 if request.to_string().contains(told) => Some(then),
            _ => None,
        };
        // Titles and summaries are asked for without tools.
        (results, step.filter(|_| offered_tools(request).len() > 1))
    }
}

async fn answer(State(script): State<Script>, uri: Uri, body: Bytes) -> Response {
    let request: Value = serde_json::from_slice(&body).unwrap_or_default();
    let path = uri.path();
    if path.contains("count_tokens") || path.contains("countTokens") {
        return json_response(&json!({"input_tokens": 10, "totalTokens": 10}));
    }
    let is_question = ["/messages", "enerateContent", "/chat/completions", "/responses"];
    if !is_question.iter().any(|part| path.contains(part)) {
        return json_response(&json!({"data": [], "models": []}));
    }
    let (results, step) = script.next(&request);
    script.asked.lock().unwrap().push(request.clone());
    match script.wire {
        Wire::Anthropic => anthropic(results, step),
        Wire::Gemini => gemini(step, path.contains("stream")),
        Wire::Chat => chat(results, step, request["stream"] == true),
        Wire::Responses => responses(results, step),
    }
}

fn json_response(value: &Value) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

/// Events as they are sent to who listens for them; `named` adds a line with the type.
fn stream(events: &[Value], named: bool, end: &str) -> Response {
    let line = |event: &Value| {
        let name = if named { format!("event: {}\n", event["type"].as_str().unwrap()) } else { String::new() };
        format!("{name}data: {event}\n\n")
    };
    let text = events.iter().map(line).collect::<String>() + end;
    ([(header::CONTENT_TYPE, "text/event-stream")], text).into_response()
}

fn anthropic(results: usize, step: Option<&Step>) -> Response {
    let (block, delta, stop) = match step {
        Some(step) => (
            json!({"type": "tool_use", "id": format!("toolu_{results:04}"), "name": step.tool, "input": {}}),
            json!({"type": "input_json_delta", "partial_json": step.arguments.to_string()}),
            "tool_use",
        ),
        None => (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": "done"}), "end_turn"),
    };
    let usage = json!({"input_tokens": 10, "output_tokens": 5});
    let message = json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": null,
        "stop_sequence": null, "usage": usage
    });
    let events = [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": block}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null}, "usage": usage}),
        json!({"type": "message_stop"}),
    ];
    stream(&events, true, "")
}

fn gemini(step: Option<&Step>, streams: bool) -> Response {
    let part = match step {
        Some(step) => json!({"functionCall": {"name": step.tool, "args": step.arguments}}),
        None => json!({"text": "done"}),
    };
    let answer = json!({
        "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
        "modelVersion": "m"
    });
    if streams { stream(&[answer], false, "") } else { json_response(&answer) }
}

fn chat(results: usize, step: Option<&Step>, streams: bool) -> Response {
    let (message, reason) = match step {
        Some(step) => {
            let call = json!({"name": step.tool, "arguments": step.arguments.to_string()});
            let call = json!({"index": 0, "id": format!("call_{results}"), "type": "function", "function": call});
            (json!({"role": "assistant", "content": null, "tool_calls": [call]}), "tool_calls")
        }
        None => (json!({"role": "assistant", "content": "done"}), "stop"),
    };
    let usage = json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15});
    let with = |kind: &str, choice: Value| json!({"id": "c", "object": kind, "created": 1, "model": "m", "choices": [choice], "usage": usage});
    if !streams {
        return json_response(&with(
            "chat.completion",
            json!({"index": 0, "message": message, "finish_reason": reason}),
        ));
    }
    let kind = "chat.completion.chunk";
    let events = [
        with(kind, json!({"index": 0, "delta": message, "finish_reason": null})),
        with(kind, json!({"index": 0, "delta": {}, "finish_reason": reason})),
    ];
    stream(&events, false, "data: [DONE]\n\n")
}

fn responses(results: usize, step: Option<&Step>) -> Response {
    let call = format!("call_{results}");
    let item = match step {
        Some(Step { tool, arguments: Value::String(text) }) => json!({
            "type": "custom_tool_call", "id": "item_1", "call_id": call, "name": tool, "input": text, "status": "completed"
        }),
        Some(Step { tool, arguments }) => json!({
            "type": "function_call", "id": "item_1", "call_id": call, "name": tool, "arguments": arguments.to_string(),
            "status": "completed"
        }),
        None => json!({
            "type": "message", "id": "item_1", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": "done", "annotations": []}]
        }),
    };
    let usage = json!({
        "input_tokens": 10, "output_tokens": 5, "total_tokens": 15, "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0}
    });
    let begun = json!({"id": "resp_1", "object": "response", "status": "in_progress", "output": []});
    let ended = json!({
        "id": "resp_1", "object": "response", "status": "completed", "output": [item], "usage": usage
    });
    let events = [
        json!({"type": "response.created", "response": begun}),
        json!({"type": "response.output_item.added", "output_index": 0, "item": item}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.completed", "response": ended}),
    ];
    stream(&events, true, "")
}
