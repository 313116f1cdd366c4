//! Tools of the older era that ask the person at the client while they run.

use rmcp::ErrorData;
use rmcp::model::{CallToolResponse, ElicitRequestParams, ElicitResult};
use serde_json::{Value, json};
use tapps_server::tool::{ProtocolCall, Tool};

use crate::plain::{nothing, protocol, refused, says, string_argument, text_argument};

pub(crate) fn tools() -> Vec<Tool> {
    vec![
        protocol("test_elicitation", string_argument("message"), |call| async move {
            let schema = json!({
                "type": "object",
                "properties": {
                    "username": {"type": "string", "description": "User's response"},
                    "email": {"type": "string", "description": "User's email address"}
                },
                "required": ["username", "email"]
            });
            let message = text_argument(&call, "message");
            let answer = ask(&call, &message, schema).await?;
            Ok(told("User response", &answer))
        }),
        protocol("test_elicitation_sep1034_defaults", nothing(), |call| async move {
            let answer = ask(&call, "Please check the defaults", defaults()).await?;
            Ok(told("Elicitation completed", &answer))
        }),
        protocol("test_elicitation_sep1330_enums", nothing(), |call| async move {
            let answer = ask(&call, "Please choose", choices()).await?;
            Ok(told("Elicitation completed", &answer))
        }),
    ]
}

async fn ask(call: &ProtocolCall, message: &str, schema: Value) -> Result<ElicitResult, ErrorData> {
    let request: ElicitRequestParams =
        serde_json::from_value(json!({"mode": "form", "message": message, "requestedSchema": schema}))
            .map_err(refused)?;
    call.context.peer.create_elicitation(request).await.map_err(refused)
}

fn told(what: &str, answer: &ElicitResult) -> CallToolResponse {
    let action = serde_json::to_value(&answer.action).unwrap_or_default();
    let content = answer.content.clone().unwrap_or_default();
    says(format!("{what}: action={}, content={content}", action.as_str().unwrap_or_default()))
}

fn defaults() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
            "verified": {"type": "boolean", "default": true}
        }
    })
}

fn choices() -> Value {
    let plain = json!(["option1", "option2", "option3"]);
    let titled = |word: &str| {
        json!([
            {"const": "value1", "title": format!("First {word}")},
            {"const": "value2", "title": format!("Second {word}")},
            {"const": "value3", "title": format!("Third {word}")}
        ])
    };
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": {"type": "string", "enum": plain},
            "titledSingle": {"type": "string", "oneOf": titled("Option")},
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"]
            },
            "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
            "titledMulti": {"type": "array", "items": {"anyOf": titled("Choice")}}
        }
    })
}
