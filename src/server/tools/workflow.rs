//! Toolset `workflow`: one tool that begins a workflow and leads through it.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::dispatch::{ConfirmationOutcome, ConfirmationQuestion, ConfirmationReply, Reply};
use crate::services::Services;
use crate::tool::{Effects, Tool, ToolContext, ToolGroup, Toolset};
use tapps_base::{Error, Result};
use tapps_workflow::output::ModelOutput;
use tapps_workflow::reply::{NextStepReply, NextStepStatus};
use tapps_workflow::{
    ApprovalQuestion as Approval, Caller, Claim, Continue, ContinueOutcome, Create, GoBack, HumanDecision, Wishes,
};

#[derive(Debug, Deserialize, JsonSchema)]
struct NextStepArguments {
    /// Begin this workflow, for example bug-fix
    template_name: Option<String>,
    /// Your own name for a beginning: sent again, it begins nothing new
    request_key: Option<String>,
    /// Continue: new_step_token of the last reply, unchanged
    step_token: Option<String>,
    /// Result of the step of step_token
    model_output_so_far: Option<ModelOutput>,
    /// With step_token and no output: also open another ready step, for an agent working in parallel
    claim: Option<bool>,
    /// With step_token and no output: do this completed step again, and all that depends on it
    go_back_to: Option<String>,
    /// Which ready step to open next
    requested_step_name: Option<String>,
    /// Files the next step is about
    referenced_paths: Option<Vec<String>>,
    intent_tags: Option<Vec<String>>,
    /// Why, for the history
    rationale: Option<String>,
    /// Always continue
    #[expect(dead_code, reason = "has one value only")]
    request: Option<String>,
}

/// The tools of this toolset.
pub(super) fn tools(services: &Services) -> Vec<Tool> {
    let group = ToolGroup::new(Toolset::Workflow, services.clone());
    vec![
        group.tool("workflow_next_step", "Next step of a workflow", next_step)
            .describe(
                "Leads you through a task step by step. Begin with template_name (bug-fix, feature-development, refactor, \
                 security-review, release, investigation, or the project's own: see available_workflows://all), then call \
                 with step_token and model_output_so_far after each step. Returns your persona and task (human_message), \
                 the contract of the step (next_step_contract), new_step_token, and at the end the synthesis. status \
                 unmet: the contract asks for more. waiting: a person or another step comes first. go_back_to undoes steps. \
                 Calling again with the same token and output is safe.",
            )
            .with_effects(Effects::Records)
            .with_aliases(&["workflow.next_step"])
            .returns::<NextStepReply>(),
    ]
}

async fn next_step(services: Services, given: NextStepArguments, context: ToolContext) -> Result<Reply> {
    let offers = |tool: &str| services.offers(tool);
    let caller = Caller { session: context.session.as_deref(), offers: &offers };
    let result = match parse_next_step_request(given)? {
        NextStepRequest::Create(create) => services.workflows.create(&create, &caller),
        NextStepRequest::GoBack(back) => services.workflows.go_back(&back, &caller),
        NextStepRequest::Claim(claim) => services.workflows.claim(&claim, &caller),
        NextStepRequest::Continue(request) => {
            let outcome = services.workflows.advance(&request, &caller);
            match outcome {
                Ok(ContinueOutcome::Reply(reply)) => Ok(reply),
                Ok(ContinueOutcome::NeedsApproval(approval)) => {
                    services.workflow_news.notify_one();
                    match ask_for_approval(&services, &context, &approval).await? {
                        Answered::Reply(reply) => Ok(reply),
                        Answered::Later(question) => return Ok(reply_of(&approval.reply)?.asking_client(question)),
                    }
                }
                Err(error) => Err(error),
            }
        }
    };
    services.workflow_news.notify_one();
    reply_of(&result?)
}

enum NextStepRequest {
    Create(Create),
    Continue(Continue),
    Claim(Claim),
    GoBack(GoBack),
}

/// Which of the four kinds of call it is.
fn parse_next_step_request(given: NextStepArguments) -> Result<NextStepRequest> {
    if let Some(step_name) = given.go_back_to {
        let is_alone =
            given.template_name.is_none() && given.model_output_so_far.is_none() && given.claim != Some(true);
        return match given.step_token.filter(|_| is_alone) {
            Some(step_token) => {
                Ok(NextStepRequest::GoBack(GoBack { step_token, step_name, rationale: given.rationale }))
            }
            None => Err(Error::invalid("`go_back_to` goes with `step_token` alone")
                .hint("pass the token of an open step and no output; `rationale` says why")),
        };
    }
    let wishes = Wishes {
        requested_step_name: given.requested_step_name,
        referenced_paths: given.referenced_paths.unwrap_or_default(),
        intent_tags: given.intent_tags.unwrap_or_default(),
        rationale: given.rationale,
    };
    let claim = given.claim == Some(true);
    let refuse = |what: &str, hint: &str| Err(Error::invalid(what).hint(hint));
    match (given.template_name, given.step_token, given.model_output_so_far) {
        (Some(_), Some(_), _) => refuse(
            "`template_name` and `step_token` exclude each other",
            "begin with the first, continue with the second",
        ),
        (None, None, _) => refuse(
            "neither `template_name` nor `step_token` is given",
            "begin with `template_name`; read available_workflows://all for the names",
        ),
        (Some(_), None, Some(_)) => {
            refuse("a workflow that begins has no output yet", "leave out `model_output_so_far`")
        }
        (Some(_), None, None) if claim => {
            refuse("only an open step can claim another", "pass `step_token` with `claim`")
        }
        (Some(template_name), None, None) => {
            Ok(NextStepRequest::Create(Create { template_name, request_key: given.request_key, wishes }))
        }
        (None, Some(_), _) if given.request_key.is_some() => {
            refuse("`request_key` belongs to `template_name`", "leave it out: a token makes a call safe to repeat")
        }
        (None, Some(step_token), None) if claim => Ok(NextStepRequest::Claim(Claim { step_token, wishes })),
        (None, Some(_), None) => refuse(
            "`model_output_so_far` is missing",
            "hand in summary, artifacts, references and confidence, or set `claim` to open another step",
        ),
        (None, Some(_), Some(_)) if claim => {
            refuse("`claim` opens another step and takes no output", "hand in the output in a call of its own")
        }
        (None, Some(step_token), Some(output)) => {
            Ok(NextStepRequest::Continue(Continue { step_token, output, wishes }))
        }
    }
}

/// What came of asking a person.
enum Answered {
    Reply(String),
    Later(ConfirmationQuestion),
}

/// Asks the person at the client, if there is one, and carries out what they say.
async fn ask_for_approval(services: &Services, context: &ToolContext, approval: &Approval) -> Result<Answered> {
    let question = ConfirmationQuestion(format!(
        "Approve the step `{}` of {} ({})?\n\n{}",
        approval.step_name,
        approval.workflow,
        approval.execution_id,
        shorten_summary(&approval.summary)
    ));
    let verdict = match context.human.ask(&question).await {
        ConfirmationOutcome::Said(ConfirmationReply::Yes) => HumanDecision::Approve,
        ConfirmationOutcome::Said(ConfirmationReply::No { reason }) => HumanDecision::Reject { reason },
        ConfirmationOutcome::Said(ConfirmationReply::Nothing) | ConfirmationOutcome::Unreachable => {
            return Ok(Answered::Reply(approval.reply.clone()));
        }
        ConfirmationOutcome::Later => return Ok(Answered::Later(question)),
    };
    let (execution, step) = (&approval.execution_id, Some(approval.step_name.as_str()));
    services.workflows.apply_decision(execution, step, &verdict, "the person at the client").map(Answered::Reply)
}

/// A summary that fits into a dialog.
fn shorten_summary(summary: &str) -> String {
    let mut short: String = summary.chars().take(1_000).collect();
    if short.len() < summary.len() {
        short.push('…');
    }
    short
}

/// The reply as it is kept. Also the first time it goes through its kept form, so that every later time is the same.
fn reply_of(kept: &str) -> Result<Reply> {
    let value: Value =
        serde_json::from_str(kept).map_err(|e| Error::internal(format!("a kept reply cannot be read: {e}")))?;
    let status: NextStepStatus = serde_json::from_value(value["status"].clone())
        .map_err(|e| Error::internal(format!("a kept reply has no status: {e}")))?;
    let brief = value["human_message"].as_str().unwrap_or("the workflow is complete").to_owned();
    Ok(Reply::from_serializable(&value)?.without_meta().with_passed(status != NextStepStatus::Unmet).with_brief(brief))
}
