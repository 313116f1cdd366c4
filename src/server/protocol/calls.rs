//! `tools/call`: finds the tool, gives its work a way to report progress, and renders the answer.

use std::pin::pin;
use std::sync::Arc;

use axum::http::request::Parts;
use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock, CreateTaskResult,
    ProgressNotificationParam, ProgressToken, Resource as ListedResource,
};
use rmcp::service::{Peer, RequestContext, RoleServer};
use rmcp::task_manager::{TaskExit, TaskManager, TaskOptions};
use rmcp::transport::common::http_header::HEADER_SESSION_ID;
use serde_json::json;

use super::elicitation;
use crate::dispatch;
use crate::dispatch::{Dispatcher, SessionSource, Ticket, ToolCallAnswer, Update};
use crate::tool::{Handler, ProtocolCall, RunValue, TaskSupport, Tool, ToolTable};
use tapps_base::progress::silent;
use tapps_base::{Error, ErrorCode};
use tapps_session::TraceParent;

/// Everything that calls need.
#[derive(Clone)]
pub(super) struct Calls {
    pub(super) table: Arc<ToolTable>,
    pub(super) dispatcher: Dispatcher,
    pub(super) tasks: Tasks,
    /// The session of the transport, for calls that name none.
    pub(super) session: Option<SessionSource>,
}

tapps_base::debug_fields!(Calls { table, tasks });

/// The calls that have become tasks; none when the extension is off.
#[derive(Clone, Default)]
pub(super) struct Tasks(pub(super) Option<TaskManager>);

impl std::fmt::Debug for Tasks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Tasks").field(&self.0.is_some()).finish()
    }
}

impl Calls {
    pub(super) async fn call(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.table.get(&request.name) else {
            let hint = self.table.hint(&request.name);
            return Err(ErrorData::invalid_params(
                format!("unknown tool `{}`: {hint}", request.name),
                Some(json!({"tool": request.name, "hint": hint})),
            ));
        };
        let declared = context.client_capabilities().is_some_and(|capabilities| capabilities.supports_tasks());
        if tool.tasks == TaskSupport::Required && !declared {
            let required = ClientCapabilities::builder().enable_tasks().build();
            return Err(ErrorData::missing_required_client_capability(required));
        }
        match (&tool.handler, &self.tasks.0) {
            (Handler::Protocol(run), tasks) => {
                let tasks = tasks.clone().unwrap_or_default();
                let call = ProtocolCall { request, context: context.clone(), tasks };
                self.run_guarded(tool, async { run(call).await }, &context).await
            }
            (Handler::Value(run), Some(tasks)) if declared && tool.tasks != TaskSupport::Never => {
                Ok(self.as_task(tool, run.clone(), request, tasks, &context).into())
            }
            (Handler::Value(run), _) => {
                let answer = self.run_value_tool(tool, run.clone(), request, &context).await;
                match &answer.asks {
                    None => Ok(to_call_tool_result(answer).into()),
                    Some(question) => elicitation::input_required_response(question)
                        .or_else(|error| Ok(to_call_tool_result(render_error(&error)).into())),
                }
            }
        }
    }

    /// Runs a value tool, sending progress when the client asked for it and questions when the tool has any.
    ///
    /// Both are sent from the request's own task, since the transport tells by it which stream they belong to.
    async fn run_value_tool(
        &self,
        tool: &Tool,
        run: RunValue,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> ToolCallAnswer {
        let (human, questions) = elicitation::connect_to_human(&request, context);
        let arguments = request.arguments.unwrap_or_default();
        let session = self.session_of(context);
        let trace = trace_of(context);
        let ticket = |progress| Ticket { cancel: context.ct.clone(), progress, session, human, trace };
        let mut asking = pin!(elicitation::answer_questions(context.peer.clone(), questions));
        let Some(token) = context.meta.get_progress_token() else {
            return tokio::select! {
                answer = self.dispatcher.call(tool, run, arguments, ticket(silent())) => answer,
                () = asking => ended_answer("questions"),
            };
        };
        let (relay, mut pump) = dispatch::progress_relay();
        let mut call = pin!(self.dispatcher.call(tool, run, arguments, ticket(Arc::new(relay))));
        // Progress and questions both wait for ever once nobody has any.
        loop {
            tokio::select! {
                biased;
                answer = &mut call => return answer,
                () = &mut asking => return ended_answer("questions"),
                // A note that has been begun is sent before the answer is.
                update = pump.next_update() => if !context.ct.is_cancelled() {
                    send_progress(context.peer.clone(), token.clone(), update).await;
                },
            }
        }
    }

    /// The session of the transport. Over HTTP only requests that come through one have it: the others each have a server
    /// of their own for as long as they are answered.
    fn session_of(&self, context: &RequestContext<RoleServer>) -> Option<SessionSource> {
        let outside = context.extensions.get::<Parts>().is_some_and(|parts| {
            !parts.headers.contains_key(HEADER_SESSION_ID) || context.meta.protocol_version().is_some()
        });
        self.session.clone().filter(|_| !outside)
    }

    /// Starts a value tool as a task and answers at once.
    fn as_task(
        &self,
        tool: &Tool,
        run: RunValue,
        request: CallToolRequestParams,
        tasks: &TaskManager,
        context: &RequestContext<RoleServer>,
    ) -> CreateTaskResult {
        let (session, trace) = (self.session_of(context), trace_of(context));
        let calls = self.clone();
        let tool = tool.clone();
        let arguments = request.arguments.unwrap_or_default();
        let task = tasks.spawn(TaskOptions::new(), move |handle| {
            Box::pin(async move {
                let ticket = Ticket { session, trace, ..Ticket::default() };
                let cancel = ticket.cancel.clone();
                tokio::select! {
                    answer = calls.dispatcher.call(&tool, run, arguments, ticket) => Ok(to_call_tool_result(answer)),
                    () = handle.cancelled() => {
                        cancel.cancel();
                        Err(TaskExit::Cancelled)
                    }
                }
            })
        });
        CreateTaskResult::new(task)
    }

    /// The guard, deadline and cancellation for tools that answer in protocol terms.
    async fn run_guarded(
        &self,
        tool: &Tool,
        work: impl Future<Output = Result<CallToolResponse, ErrorData>>,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let error = tokio::select! {
            done = dispatch::catch_panic(work) => match done {
                Ok(answer) => return answer,
                Err(panic) => panic.into_error(tool.name, &self.dispatcher.fresh_correlation_id()),
            },
            () = tokio::time::sleep(self.dispatcher.deadline()) => {
                Error::new(ErrorCode::Timeout, format!("{} did not answer in time", tool.name))
            }
            () = context.ct.cancelled() => Error::new(ErrorCode::Cancelled, "the call was cancelled"),
            () = self.dispatcher.closing().cancelled() => Error::new(ErrorCode::Cancelled, "the server is closing"),
        };
        Ok(to_call_tool_result(render_error(&error)).into())
    }
}

/// The header of HTTP that names a trace.
const TRACE_PARENT: &str = "traceparent";

/// The trace that a request names, in itself or else in the request of HTTP that carries it. A value that is not valid is none.
fn trace_of(context: &RequestContext<RoleServer>) -> Option<TraceParent> {
    let own = context.meta.get_traceparent().and_then(TraceParent::parse);
    own.or_else(|| {
        let mut headers = context.extensions.get::<Parts>()?.headers.get_all(TRACE_PARENT).iter();
        // More than one header says nothing.
        let only = headers.next().filter(|_| headers.next().is_none())?;
        TraceParent::parse(only.to_str().ok()?)
    })
}

fn ended_answer(what: &str) -> ToolCallAnswer {
    render_error(&Error::internal(format!("{what} ended before the call")))
}

/// The answer of a call that cannot be carried out at all.
pub(super) fn refused_call(error: &Error) -> CallToolResponse {
    to_call_tool_result(render_error(error)).into()
}

fn render_error(error: &Error) -> ToolCallAnswer {
    dispatch::render_error(error)
}

fn to_call_tool_result(answer: ToolCallAnswer) -> CallToolResult {
    let mut content = vec![ContentBlock::text(answer.text)];
    content.extend(
        answer.link.map(|link| {
            ContentBlock::resource_link(ListedResource::new(link.uri, link.name).with_mime_type(link.mime))
        }),
    );
    let mut result = if answer.is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = Some(answer.structured);
    result
}

async fn send_progress(peer: Peer<RoleServer>, token: ProgressToken, update: Update) {
    let mut note = ProgressNotificationParam::new(token, update.progress).with_message(update.message);
    if let Some(total) = update.total {
        note = note.with_total(total);
    }
    if let Err(error) = peer.notify_progress(note).await {
        tracing::debug!(%error, "a progress note could not be sent");
    }
}
