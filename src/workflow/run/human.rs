//! What a person decides: approve, send back, go back, end.

use super::advance::{Pending, change_between};
use super::back::BackReason;
use super::complete::new_execution_event;
use super::request::HumanDecision;
use super::workflows::{ATTEMPTS, Workflows, contended_execution_error, unknown_execution};
use crate::ready::ready_set;
use crate::record::{EventKind, Execution, ExecutionChange, ExecutionState, StepState};
use crate::reply::{NextStepReply, NextStepStatus};
use crate::store::Committed;
use tapps_base::{Error, ErrorCode, Result, nearest};

/// What an agent is told by whom nobody told why.
const NO_REASON: &str = "no reason was given";

impl Workflows {
    /// Carries out a person's decision and gives the reply for the agent. `by` says how the person was reached; `step`
    /// is needed only when several steps wait.
    ///
    /// # Errors
    /// `invalid_argument` when there is no such execution, when it is over, or when no such step waits or is complete; what the store
    /// says.
    pub fn apply_decision(
        &self,
        execution: &str,
        step: Option<&str>,
        verdict: &HumanDecision,
        by: &str,
    ) -> Result<String> {
        for _ in 0..ATTEMPTS {
            let kept = self.store.execution(execution)?.ok_or_else(|| unknown_execution(execution))?;
            if !kept.state.is_open() {
                return Err(Error::invalid(format!("execution {execution} is over")));
            }
            let (change, reply) = match verdict {
                HumanDecision::Approve => self.approve(&kept, waiting_step(&kept, step)?, by)?,
                HumanDecision::Reject { reason } => {
                    self.reject(&kept, waiting_step(&kept, step)?, reason.as_deref(), by)?
                }
                HumanDecision::GoBack { reason } => {
                    let step = step.ok_or_else(|| {
                        let complete = kept.steps_in(StepState::Completed).join(", ");
                        Error::invalid("there is no step to go back to").hint(format!("name one of: {complete}"))
                    })?;
                    let detail = detail_of(reason.as_deref(), by);
                    let note = reason.as_deref().unwrap_or(NO_REASON);
                    self.return_to(&kept, step, &BackReason { detail: Some(detail), note: Some(note) })?
                }
                HumanDecision::End { reason } => self.end(&kept, reason.as_deref(), by)?,
            };
            match self.store.commit(&change)? {
                Committed::Done => return Ok(reply),
                Committed::Stale => {}
                Committed::Limited(_) => return Err(Error::internal("a person's decision was counted")),
            }
        }
        Err(contended_execution_error(execution))
    }

    fn approve(&self, kept: &Execution, step: &str, by: &str) -> Result<(ExecutionChange, String)> {
        let record = kept.step(step);
        let broken = || Error::new(ErrorCode::CorruptedData, format!("the output of `{step}` that waits is missing"));
        let pending = record.and_then(|record| record.pending.as_deref()).ok_or_else(broken)?;
        let mut pending: Pending = serde_json::from_str(pending).map_err(|_| broken())?;
        let handed_in = record.and_then(|record| record.output_digest.clone()).ok_or_else(broken)?;
        let definition = self.definition(kept)?;
        // The wish was good when it was made; another branch may have taken that step since.
        let mut after = kept.clone();
        if let Some(record) = after.step_mut(step) {
            record.state = StepState::Completed;
        }
        let ready = ready_set(&definition.template, &after);
        pending.wishes.requested_step_name =
            pending.wishes.requested_step_name.filter(|wish| ready.iter().any(|step| step.name == *wish));
        let (mut change, reply) =
            self.complete(&definition, kept, step, (&pending.output, &handed_in, &pending.wishes))?;
        change.events.insert(
            0,
            new_execution_event(kept, Some(step), EventKind::Approved, Some(format!("by {by}")), change.now_ms),
        );
        Ok((change, reply))
    }

    fn reject(
        &self,
        kept: &Execution,
        step: &str,
        reason: Option<&str>,
        by: &str,
    ) -> Result<(ExecutionChange, String)> {
        let now = self.now_ms();
        let definition = self.definition(kept)?;
        let mut new = kept.clone();
        if let Some(record) = new.step_mut(step) {
            record.pending = None;
            record.output_digest = None;
            record.note = Some(reason.unwrap_or(NO_REASON).to_owned());
        }
        let reply = self.open_step(&definition, &mut new, definition.step(step)?)?;
        new.active_ms = now;
        new.update_state_from_steps();
        let rejected = new_execution_event(kept, Some(step), EventKind::Rejected, Some(detail_of(reason, by)), now);
        Ok((change_between(kept, new, Vec::new(), vec![rejected], now), reply))
    }

    fn end(&self, kept: &Execution, reason: Option<&str>, by: &str) -> Result<(ExecutionChange, String)> {
        let now = self.now_ms();
        let mut new = kept.clone();
        new.state = ExecutionState::Ended;
        new.ended_ms = Some(now);
        new.active_ms = now;
        let ended = new_execution_event(kept, None, EventKind::Ended, Some(detail_of(reason, by)), now);
        let reply = NextStepReply {
            human_message: Some("A person has ended this execution.".to_owned()),
            ..NextStepReply::new(NextStepStatus::TaskClosed, &kept.id, &kept.workflow)
        };
        Ok((change_between(kept, new, Vec::new(), vec![ended], now), reply.to_json()?))
    }
}

/// Who decided, and why if that was said.
fn detail_of(reason: Option<&str>, by: &str) -> String {
    reason.map_or_else(|| format!("by {by}"), |reason| format!("by {by}: {reason}"))
}

/// The step that waits for a person: the one that was named, or the only one.
fn waiting_step<'e>(execution: &'e Execution, named: Option<&str>) -> Result<&'e str> {
    let waiting = execution.steps_in(StepState::AwaitingApproval);
    let found = match (named, waiting.as_slice()) {
        (Some(named), _) => waiting.iter().find(|step| **step == named).copied(),
        (None, [only]) => Some(*only),
        (None, _) => None,
    };
    found.ok_or_else(|| match (named, waiting.is_empty()) {
        (_, true) => Error::invalid(format!("no step of execution {} waits for approval", execution.id)),
        (Some(named), false) => Error::invalid(format!("the step `{named}` does not wait for approval"))
            .hint(nearest::hint(named, waiting.iter().copied())),
        (None, false) => {
            Error::invalid("several steps wait for approval").hint(format!("name one of: {}", waiting.join(", ")))
        }
    })
}
