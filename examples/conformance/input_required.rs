//! Tools of the newer era that end a round by asking for input and go on in the next.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rmcp::ErrorData;
use rmcp::model::RequestStateCodec;
use rmcp::model::{CallToolResponse, InputRequest, InputRequests, InputRequiredResult};
use serde_json::{Value, json};
use tapps_server::tool::{ProtocolCall, Tool};

use crate::plain::{nothing, protocol, refused, says};

/// Seals what travels through the client between rounds.
static SEAL: LazyLock<RequestStateCodec> =
    LazyLock::new(|| RequestStateCodec::new_unchecked(*b"a key that only these tests know!"));

/// A question to the person: one property of one type.
pub(crate) fn question(message: &str, property: &str, kind: &str) -> Value {
    json!({"method": "elicitation/create", "params": {
        "mode": "form",
        "message": message,
        "requestedSchema": {
            "type": "object",
            "properties": {property: {"type": kind}},
            "required": [property]
        }
    }})
}

fn sampling(text: &str, tokens: u32) -> Value {
    json!({"method": "sampling/createMessage", "params": {
        "messages": [{"role": "user", "content": {"type": "text", "text": text}}],
        "maxTokens": tokens
    }})
}

fn roots() -> Value {
    json!({"method": "roots/list", "params": {}})
}

/// Requests by key, as the protocol types them.
pub(crate) fn requests(given: &[(&str, Value)]) -> Result<InputRequests, ErrorData> {
    given
        .iter()
        .map(|(key, request)| {
            let request: InputRequest = serde_json::from_value(request.clone()).map_err(refused)?;
            Ok(((*key).to_owned(), request))
        })
        .collect::<Result<BTreeMap<_, _>, ErrorData>>()
}

fn asks(given: &[(&str, Value)], state: Option<String>) -> Result<CallToolResponse, ErrorData> {
    Ok(InputRequiredResult::new(Some(requests(given)?), state).into())
}

/// What the client answered under `key`.
fn answer<'a>(call: &'a ProtocolCall, key: &str) -> Option<&'a Value> {
    call.request.input_responses.as_ref()?.get(key)
}

/// The text that the person gave for `property` under `key`.
fn given<'a>(call: &'a ProtocolCall, key: &str, property: &str) -> Option<&'a Value> {
    answer(call, key)?.get("content")?.get(property)
}

/// The state of the round before; an error when someone has changed it.
fn state(call: &ProtocolCall) -> Result<Option<Value>, ErrorData> {
    let Some(sealed) = call.request.request_state.as_deref() else { return Ok(None) };
    SEAL.open_json(sealed)
        .map(Some)
        .map_err(|error| ErrorData::invalid_params(format!("the request state cannot be used: {error}"), None))
}

fn seal(state: Value) -> Result<String, ErrorData> {
    SEAL.seal_json(&state).map_err(refused)
}

pub(crate) fn tools() -> Vec<Tool> {
    vec![
        protocol("test_input_required_result_elicitation", nothing(), |call| async move {
            match given(&call, "user_name", "name").and_then(Value::as_str) {
                Some(name) => Ok(says(format!("Hello, {name}!"))),
                None => asks(&[("user_name", question("What is your name?", "name", "string"))], None),
            }
        }),
        protocol("test_streaming_elicitation", nothing(), |_| async {
            asks(&[("user_name", question("What is your name?", "name", "string"))], None)
        }),
        protocol("test_input_required_result_sampling", nothing(), |call| async move {
            match answer(&call, "capital_question") {
                Some(answer) => Ok(says(answer["content"]["text"].as_str().unwrap_or_default())),
                None => asks(&[("capital_question", sampling("What is the capital of France?", 100))], None),
            }
        }),
        protocol("test_input_required_result_list_roots", nothing(), |call| async move {
            match answer(&call, "client_roots") {
                Some(answer) => Ok(says(format!("The roots are {}", answer["roots"]))),
                None => asks(&[("client_roots", roots())], None),
            }
        }),
        protocol("test_input_required_result_request_state", nothing(), |call| async move {
            match (state(&call)?, answer(&call, "confirm")) {
                (Some(_), Some(_)) => Ok(says("state-ok")),
                _ => confirm(),
            }
        }),
        protocol("test_input_required_result_tampered_state", nothing(), |call| async move {
            match (state(&call)?, answer(&call, "confirm")) {
                (Some(_), Some(_)) => Ok(says("state-ok")),
                _ => confirm(),
            }
        }),
        protocol("test_input_required_result_multiple_inputs", nothing(), several),
        protocol("test_input_required_result_multi_round", nothing(), rounds),
        protocol("test_input_required_result_capabilities", nothing(), capable),
    ]
}

fn confirm() -> Result<CallToolResponse, ErrorData> {
    let asked = [("confirm", question("Please confirm", "ok", "boolean"))];
    asks(&asked, Some(seal(json!({"asked": "confirm"}))?))
}

async fn several(call: ProtocolCall) -> Result<CallToolResponse, ErrorData> {
    let all = ["user_name", "greeting", "client_roots"].map(|key| answer(&call, key));
    if state(&call)?.is_some() && all.iter().all(Option::is_some) {
        return Ok(says("All three answers are here."));
    }
    let asked = [
        ("user_name", question("What is your name?", "name", "string")),
        ("greeting", sampling("Generate a greeting", 50)),
        ("client_roots", roots()),
    ];
    asks(&asked, Some(seal(json!({"asked": "all"}))?))
}

async fn rounds(call: ProtocolCall) -> Result<CallToolResponse, ErrorData> {
    let state = state(&call)?.unwrap_or_default();
    match state["step"].as_u64() {
        Some(1) if answer(&call, "step1").is_some() => {
            let name = given(&call, "step1", "name").cloned().unwrap_or_default();
            let asked = [("step2", question("Step 2: What is your favorite color?", "color", "string"))];
            asks(&asked, Some(seal(json!({"step": 2, "name": name}))?))
        }
        Some(2) if answer(&call, "step2").is_some() => {
            let colour = given(&call, "step2", "color").cloned().unwrap_or_default();
            Ok(says(format!("{} likes {colour}", state["name"])))
        }
        _ => {
            let asked = [("step1", question("Step 1: What is your name?", "name", "string"))];
            asks(&asked, Some(seal(json!({"step": 1}))?))
        }
    }
}

async fn capable(call: ProtocolCall) -> Result<CallToolResponse, ErrorData> {
    if call.request.input_responses.is_some() {
        return Ok(says("Thank you."));
    }
    let capabilities = call.context.client_capabilities().unwrap_or_default();
    let mut asked = Vec::new();
    if capabilities.elicitation.is_some() {
        asked.push(("name", question("What is your name?", "name", "string")));
    }
    if capabilities.sampling.is_some() {
        asked.push(("greeting", sampling("Generate a greeting", 50)));
    }
    if capabilities.roots.is_some() {
        asked.push(("roots", roots()));
    }
    if asked.is_empty() { Ok(says("The client can answer nothing.")) } else { asks(&asked, None) }
}
