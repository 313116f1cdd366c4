//! Tools that become tasks.

use std::time::Duration;

use rmcp::ErrorData;
use rmcp::model::{
    CallToolResponse, CallToolResult, ContentBlock, CreateTaskResult, InputRequest, InputRequiredResult,
};
use rmcp::task_manager::{TaskContext, TaskExit, TaskOptions};
use serde_json::{Value, json};
use tapps_base::{Error, Result as ToolResult};
use tapps_server::dispatch::Reply;
use tapps_server::tool::{ProtocolCall, TaskSupport, Tool, ToolContext, Toolset};

use crate::input_required::{question, requests};
use crate::plain::{nothing, protocol, refused, says, string_argument, text_argument};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Seconds {
    /// How long to work.
    seconds: Option<f64>,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Nothing {}

/// Listed after the others: the suite tries its header checks on the first tool, which must not need tasks.
pub(crate) fn tools() -> Vec<Tool> {
    let mut tools = tasks();
    for tool in &mut tools {
        tool.toolset = Toolset::Tags;
        tool.description = "A fixture that can be a task.";
    }
    tools
}

fn tasks() -> Vec<Tool> {
    vec![
        protocol("greet", string_argument("name"), |call| async move {
            Ok(says(format!("Hello, {}!", text_argument(&call, "name"))))
        }),
        Tool::new(Toolset::Quality, "slow_compute", "Slow", slow).with_task_support(TaskSupport::Offered),
        Tool::new(Toolset::Quality, "failing_job", "Failing", |_: Nothing, _| async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            Err::<Reply, _>(Error::internal("the job failed, as it always does"))
        })
        .with_task_support(TaskSupport::Required),
        protocol("protocol_error_job", nothing(), |call| async move {
            Ok(spawn(&call, |_| async { Err(TaskExit::Error(ErrorData::internal_error("the job broke", None))) }))
        })
        .with_task_support(TaskSupport::Required),
        protocol("confirm_delete", json!({"type": "object", "properties": {"filename": {"type": "string"}}}), |call| {
            let file = text_argument(&call, "filename");
            async move {
                Ok(spawn(&call, |task| async move {
                    let asked = ask(&task, "confirm", question(&format!("Delete {file}?"), "ok", "boolean")).await?;
                    Ok(result(format!("answered {}", asked["action"])))
                }))
            }
        })
        .with_task_support(TaskSupport::Required),
        protocol("multi_input", nothing(), |call| async move {
            Ok(spawn(&call, |task| async move {
                let (first, second) = tokio::join!(
                    ask(&task, "first", question("First?", "value", "string")),
                    ask(&task, "second", question("Second?", "value", "string")),
                );
                Ok(result(format!("{} and {}", first?["content"]["value"], second?["content"]["value"])))
            }))
        })
        .with_task_support(TaskSupport::Required),
        protocol("test_tool_with_task", nothing(), composed).with_task_support(TaskSupport::Required),
    ]
}

async fn slow(given: Seconds, context: ToolContext) -> ToolResult<Reply> {
    let seconds = given.seconds.unwrap_or_default();
    context
        .call
        .within(async {
            tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
            Reply::from_serializable(&json!({"seconds": seconds}))
        })
        .await
}

fn spawn<W>(call: &ProtocolCall, run: impl FnOnce(TaskContext) -> W) -> CallToolResponse
where
    W: Future<Output = Result<CallToolResult, TaskExit>> + Send + 'static,
{
    CreateTaskResult::new(call.tasks.spawn(TaskOptions::new(), |task| Box::pin(run(task)))).into()
}

async fn ask(task: &TaskContext, key: &str, asked: Value) -> Result<Value, TaskExit> {
    let request: InputRequest = serde_json::from_value(asked).map_err(|error| TaskExit::Error(refused(error)))?;
    task.request_input(key, request).await
}

fn result(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

async fn composed(call: ProtocolCall) -> Result<CallToolResponse, ErrorData> {
    let answers = call.request.input_responses.as_ref();
    let name = answers.and_then(|all| all.get("user_name")).map(|answer| answer["content"].clone());
    match name {
        Some(content) => Ok(spawn(&call, |_| async move {
            let text = content.as_object().and_then(|all| all.values().next()).and_then(Value::as_str);
            Ok(result(format!("Hello, {}!", text.unwrap_or_default())))
        })),
        None => {
            let asked = requests(&[("user_name", question("What is your name?", "name", "string"))])?;
            Ok(InputRequiredResult::from_input_requests(asked).into())
        }
    }
}
