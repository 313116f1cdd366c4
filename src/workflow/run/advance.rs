//! Handing in the output of a step and going on.

use super::request::{ApprovalQuestion, Caller, Continue, ContinueOutcome, Wishes};
use super::workflows::{ATTEMPTS, Workflows, contended_execution_error, rate_limited_error};
use crate::content::displayable_name;
use crate::definition::WorkflowDefinition;
use crate::output::ModelOutput;
use crate::ready::ready_set;
use crate::record::{EventKind, Execution, ExecutionChange, ExecutionEvent, StepRecord, StepState};
use crate::reply::{NextStepReply, NextStepStatus, UnmetPart, Waiting, WaitingReason};
use crate::store::Committed;
use crate::token;
use tapps_base::{Error, ErrorCode, Result, digest};

/// An output that waits for a person, as it is kept.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Pending {
    pub(super) output: ModelOutput,
    pub(super) wishes: Wishes,
}

/// A token that was found to be good.
pub(super) struct AuthenticatedStep {
    pub(super) execution: Execution,
    pub(super) step: StepRecord,
}

impl Workflows {
    /// Hands in the output of a step. The same token with the same output gets the same reply again, byte for byte,
    /// however often and by however many processes it is handed in; with another output it is a conflict.
    ///
    /// # Errors
    /// `token_invalid`, `token_expired`, `conflict`, `rate_limited`, `invalid_argument` for an output or a wish that
    /// cannot be used, and what the store says. After an error nothing has changed.
    pub fn advance(&self, request: &Continue, caller: &Caller<'_>) -> Result<ContinueOutcome> {
        request.output.validate_fields()?;
        let handed_in = digest::of_json(&request.output)?;
        for _ in 0..ATTEMPTS {
            let held = self.authenticate_token(&request.step_token)?;
            let same = held.step.output_digest.as_ref() == Some(&handed_in);
            let (id, session) = (held.execution.id.as_str(), caller.session);
            match held.step.state {
                StepState::Completed if same => {
                    let reply =
                        held.step.reply.ok_or_else(|| Error::internal("the reply of a completed step is missing"));
                    return reply.map(ContinueOutcome::Reply);
                }
                StepState::Completed => {
                    self.charge(id, session)?;
                    return Err(conflicting_output_error(&held.step.name, "is complete"));
                }
                StepState::AwaitingApproval if same => {
                    self.charge(id, session)?;
                    return approval_question(&held.execution, &held.step, &request.output);
                }
                StepState::AwaitingApproval => {
                    self.charge(id, session)?;
                    return Err(conflicting_output_error(&held.step.name, "waits for a person's approval"));
                }
                StepState::Running | StepState::Pending => {}
            }
            self.not_expired(&held)?;
            let definition = self.definition(&held.execution)?;
            let unmet = self.unmet_requirements(&definition, &held, &request.output, caller)?;
            if !unmet.is_empty() {
                self.charge(id, session)?;
                return unmet_reply(&held, unmet).map(ContinueOutcome::Reply);
            }
            if let Some(outcome) = self.hand_in(&definition, held, request, &handed_in, caller)? {
                return Ok(outcome);
            }
        }
        Err(contended_execution_error("of this token"))
    }

    /// Makes the change; none when another process was faster.
    fn hand_in(
        &self,
        definition: &WorkflowDefinition,
        held: AuthenticatedStep,
        request: &Continue,
        handed_in: &str,
        caller: &Caller<'_>,
    ) -> Result<Option<ContinueOutcome>> {
        let AuthenticatedStep { execution, step } = held;
        self.check_wish(definition, &execution, &step.name, &request.wishes)?;
        let (mut change, reply) = if definition.step(&step.name)?.human_gate {
            (self.set_aside(&execution, &step, request, handed_in)?, None)
        } else {
            let completed = (&request.output, handed_in, &request.wishes);
            let (change, reply) = self.complete(definition, &execution, &step.name, completed)?;
            (change, Some(reply))
        };
        change.takes = self.rate_limit_takes(Some(&execution.id), caller.session);
        if let Some(session) = caller.session
            && !change.execution.sessions.iter().any(|known| known == session)
        {
            change.execution.sessions.push(session.to_owned());
        }
        match (self.store.commit(&change)?, reply) {
            (Committed::Done, Some(reply)) => Ok(Some(ContinueOutcome::Reply(reply))),
            (Committed::Done, None) => approval_question(&change.execution, &step, &request.output).map(Some),
            (Committed::Limited(wait), _) => Err(rate_limited_error(wait)),
            (Committed::Stale, _) => Ok(None),
        }
    }

    /// Keeps an output until a person has decided about it.
    fn set_aside(
        &self,
        execution: &Execution,
        step: &StepRecord,
        request: &Continue,
        handed_in: &str,
    ) -> Result<ExecutionChange> {
        let now = self.now_ms();
        let mut new = execution.clone();
        let pending = Pending { output: request.output.clone(), wishes: request.wishes.clone() };
        let pending =
            serde_json::to_string(&pending).map_err(|e| Error::internal(format!("an output has no JSON form: {e}")))?;
        if let Some(record) = new.step_mut(&step.name) {
            record.state = StepState::AwaitingApproval;
            record.pending = Some(pending);
            record.output_digest = Some(handed_in.to_owned());
        }
        new.active_ms = now;
        new.update_state_from_steps();
        let event = ExecutionEvent {
            id: 0,
            execution: execution.id.clone(),
            step: Some(step.name.clone()),
            kind: EventKind::ApprovalRequested,
            detail: None,
            at_ms: now,
        };
        Ok(change_between(execution, new, Vec::new(), vec![event], now))
    }

    /// The execution and step of a token.
    pub(super) fn authenticate_token(&self, token: &str) -> Result<AuthenticatedStep> {
        let foreign = token_for_nothing;
        let Some(claims) = self.open_token(token)? else { return Err(foreign("was not made by this server")) };
        let Some(execution) = self.store.execution(&claims.execution_id)? else {
            return Err(foreign("belongs to an execution that is not kept here"));
        };
        let Some(step) = execution.step(&claims.step_name).cloned() else {
            return Err(foreign("belongs to a step that the execution does not have"));
        };
        let current = step.token.as_ref().is_some_and(|issued| issued.hash == token::token_hash(token));
        if !current && step.token.is_none() {
            let why = format!("the token of `{}` is void: the workflow went back to an earlier step", step.name);
            return Err(expired_token_error(&execution.id, why));
        }
        if !current {
            let why = match &step.note {
                Some(note) => format!(" because a person asked for it to be done again: {}", displayable_name(note)),
                None => String::new(),
            };
            return Err(expired_token_error(
                &execution.id,
                format!("the token of `{}` was replaced by a newer one{why}", step.name),
            ));
        }
        if step.state != StepState::Completed && !execution.state.is_open() {
            return Err(foreign("belongs to an execution that a person has ended"));
        }
        Ok(AuthenticatedStep { execution, step })
    }

    /// A token that was used keeps its reply for ever; an unused one ends after its life.
    pub(super) fn not_expired(&self, held: &AuthenticatedStep) -> Result<()> {
        match &held.step.token {
            Some(issued) if self.expires_ms(issued) <= self.now_ms() => {
                Err(expired_token_error(&held.execution.id, format!("the token of `{}` is too old", held.step.name)))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a wish for a step that will not be ready once this one is complete.
    fn check_wish(
        &self,
        definition: &WorkflowDefinition,
        execution: &Execution,
        step: &str,
        wishes: &Wishes,
    ) -> Result<()> {
        if wishes.requested_step_name.is_none() {
            return Ok(());
        }
        let mut after = execution.clone();
        if let Some(record) = after.step_mut(step) {
            record.state = StepState::Completed;
        }
        super::create::requested_is_ready(wishes, &ready_set(&definition.template, &after))
    }
}

/// A change from what is kept to `new`.
pub(super) fn change_between(
    kept: &Execution,
    new: Execution,
    artifacts: Vec<crate::record::ArtifactRecord>,
    events: Vec<ExecutionEvent>,
    now_ms: i64,
) -> ExecutionChange {
    let steps = new.steps.iter().filter(|step| kept.step(&step.name) != Some(step)).cloned().collect();
    ExecutionChange {
        execution: new,
        steps,
        artifacts,
        finalize: false,
        undone: Vec::new(),
        events,
        takes: Vec::new(),
        now_ms,
    }
}

/// What came of a change: the reply where it was made, none where another process was faster.
pub(super) fn reply_when_done(done: Committed, reply: String) -> Result<Option<String>> {
    match done {
        Committed::Done => Ok(Some(reply)),
        Committed::Limited(wait) => Err(rate_limited_error(wait)),
        Committed::Stale => Ok(None),
    }
}

/// The error for what only the token of an open step can do.
pub(super) fn complete_step_error(step: &str, hint: &str) -> Error {
    Error::new(ErrorCode::Conflict, format!("the step `{step}` is complete")).hint(hint)
}

pub(super) fn token_for_nothing(what: &str) -> Error {
    Error::new(ErrorCode::TokenInvalid, format!("the step token {what}"))
        .hint("pass `new_step_token` of the last reply unchanged, or read current_step://current for the open steps")
}

fn expired_token_error(execution: &str, message: String) -> Error {
    Error::new(ErrorCode::TokenExpired, message)
        .hint(format!("read current_step://{execution}: it has the token that is good now"))
}

fn conflicting_output_error(step: &str, state: &str) -> Error {
    Error::new(ErrorCode::Conflict, format!("the step `{step}` {state} with another output than this one"))
        .hint("hand in exactly the same output to get the same reply again, or go on with the token of that reply")
}

/// The question to a person, and what the agent is told meanwhile.
fn approval_question(execution: &Execution, step: &StepRecord, output: &ModelOutput) -> Result<ContinueOutcome> {
    let id = &execution.id;
    let reply = NextStepReply {
        human_message: Some(format!(
            "The output of `{}` waits for a person's word. Tell the user to run `tapps-mcp workflow approve {id}` or \
             `tapps-mcp workflow reject {id} --reason TEXT` in the project. Then call again with the same step_token and \
             the same output, or read current_step://{id}. Do not decide in the person's place.",
            step.name
        )),
        waiting_for: vec![Waiting { step_name: step.name.clone(), reason: WaitingReason::HumanApproval }],
        ..NextStepReply::new(NextStepStatus::Waiting, id, &execution.workflow)
    };
    Ok(ContinueOutcome::NeedsApproval(Box::new(ApprovalQuestion {
        execution_id: id.clone(),
        step_name: step.name.clone(),
        workflow: execution.workflow.clone(),
        summary: output.summary.clone(),
        reply: reply.to_json()?,
    })))
}

fn unmet_reply(held: &AuthenticatedStep, missing: Vec<UnmetPart>) -> Result<String> {
    let names: Vec<&str> = missing.iter().map(|part| part.requirement.as_str()).collect();
    let reply = NextStepReply {
        human_message: Some(format!(
            "`{}` cannot close yet: its contract asks for {}. Do what `missing` says, then hand in the output again with \
             the same step_token.",
            held.step.name,
            names.join(", ")
        )),
        missing,
        ..NextStepReply::new(NextStepStatus::Unmet, &held.execution.id, &held.execution.workflow)
    };
    reply.to_json()
}
