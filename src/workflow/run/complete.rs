//! Completing a step: its output, its artifacts and the next token in one change.

use serde_json::{Value, json};

use super::advance::change_between;
use super::create::opportunities;
use super::request::Wishes;
use super::workflows::Workflows;
use crate::content::WorkflowStep;
use crate::definition::WorkflowDefinition;
use crate::output::{Artifact, ModelOutput};
use crate::ready::{choose_best_step, ready_set};
use crate::record::{ArtifactRecord, EventKind, Execution, ExecutionChange, ExecutionEvent, ExecutionState, StepState};
use crate::reply::{NextStepReply, NextStepStatus, Waiting, WaitingReason};
use crate::store::ArtifactQuery;
use crate::synthesis;
use crate::synthesis::synthesize_execution;
use tapps_base::{Error, Result};

impl Workflows {
    /// The change that completes a step with an output, its digest and the wishes that came with it, and the reply to it.
    /// Nothing is kept yet.
    pub(super) fn complete(
        &self,
        definition: &WorkflowDefinition,
        kept: &Execution,
        step: &str,
        (output, handed_in, wishes): (&ModelOutput, &str, &Wishes),
    ) -> Result<(ExecutionChange, String)> {
        let now = self.now_ms();
        let mut artifacts = self.artifacts_of(definition.step(step)?, kept, output, now)?;
        let mut new = kept.clone();
        let record =
            new.step_mut(step).ok_or_else(|| Error::internal(format!("the execution has no step `{step}`")))?;
        record.state = StepState::Completed;
        record.completed_ms = Some(now);
        record.pending = None;
        record.output = Some(without_contents(output, &artifacts)?);
        record.output_digest = Some(handed_in.to_owned());
        new.active_ms = now;
        new.update_state_from_steps();
        let mut events =
            vec![new_execution_event(&new, Some(step), EventKind::StepCompleted, wishes.rationale.clone(), now)];
        let ready = ready_set(&definition.template, &new);
        let reply = if let Some(next) = choose_best_step(&ready, &wishes.steering()) {
            events.push(new_execution_event(&new, Some(&next.name), EventKind::StepOpened, None, now));
            let reply = self.open_step(definition, &mut new, next)?;
            new.update_state_from_steps();
            reply
        } else if new.state == ExecutionState::Completed {
            new.ended_ms = Some(now);
            events.push(new_execution_event(&new, None, EventKind::Completed, None, now));
            let (reply, whole) = self.close(definition, &new, artifacts.len(), now)?;
            artifacts.push(whole);
            reply
        } else {
            waiting_reply(definition, &new)?.to_json()?
        };
        if let Some(record) = new.step_mut(step) {
            record.reply = Some(reply.clone());
        }
        let finalize = new.state == ExecutionState::Completed;
        let change = change_between(kept, new, artifacts, events, now);
        Ok((ExecutionChange { finalize, ..change }, reply))
    }

    /// The last reply of an execution, and its synthesis as an artifact.
    fn close(
        &self,
        definition: &WorkflowDefinition,
        new: &Execution,
        fresh: usize,
        now: i64,
    ) -> Result<(String, ArtifactRecord)> {
        let query = ArtifactQuery { execution: Some(new.id.clone()), without_undone: true, ..ArtifactQuery::default() };
        // Counted for the same revision that the change is made to.
        let before = usize::try_from(self.store.artifacts(&query)?.total).unwrap_or(usize::MAX);
        let whole = synthesize_execution(&definition.template, new, before.saturating_add(fresh));
        let artifact = synthesis::synthesis_artifact(&whole, new, self.clock.fresh_id(), now);
        let reply = NextStepReply {
            synthesis: Some(whole),
            ..NextStepReply::new(NextStepStatus::TaskClosed, &new.id, &new.workflow)
        };
        Ok((reply.to_json()?, artifact))
    }

    fn artifacts_of(
        &self,
        step: &WorkflowStep,
        execution: &Execution,
        output: &ModelOutput,
        now: i64,
    ) -> Result<Vec<ArtifactRecord>> {
        let record = |artifact: &Artifact| {
            let metadata = artifact.metadata.as_ref().map(serde_json::to_string).transpose();
            Ok(ArtifactRecord {
                artifact_id: self.clock.fresh_id(),
                execution: execution.id.clone(),
                step: Some(step.name.clone()),
                agent: step.agent.clone(),
                kind: artifact.kind,
                title: artifact.title.clone(),
                content: artifact.content.clone(),
                content_bytes: artifact.content.len(),
                description: artifact.description.clone(),
                metadata: metadata.map_err(|e| Error::internal(format!("metadata has no JSON form: {e}")))?,
                is_final: false,
                undone: false,
                at_ms: now,
            })
        };
        output.artifacts.iter().map(record).collect()
    }
}

/// The output as JSON, with names in place of the artifacts: those are kept on their own.
fn without_contents(output: &ModelOutput, artifacts: &[ArtifactRecord]) -> Result<String> {
    let mut value =
        serde_json::to_value(output).map_err(|e| Error::internal(format!("an output has no JSON form: {e}")))?;
    let named = |artifact: &ArtifactRecord| {
        json!({"artifact_id": artifact.artifact_id, "type": artifact.kind, "title": artifact.title,
               "content_size_bytes": artifact.content_bytes})
    };
    if let Value::Object(fields) = &mut value {
        fields.insert("artifacts".to_owned(), artifacts.iter().map(named).collect());
    }
    Ok(value.to_string())
}

/// The reply when other steps have to be complete first.
pub(super) fn waiting_reply(definition: &WorkflowDefinition, execution: &Execution) -> Result<NextStepReply> {
    let named = |state, reason| {
        let names = execution.steps_in(state).into_iter();
        names.map(move |name| Waiting { step_name: name.to_owned(), reason })
    };
    let waiting_for: Vec<Waiting> = named(StepState::Running, WaitingReason::InProgress)
        .chain(named(StepState::AwaitingApproval, WaitingReason::HumanApproval))
        .collect();
    let names: Vec<&str> = waiting_for.iter().map(|waiting| waiting.step_name.as_str()).collect();
    Ok(NextStepReply {
        human_message: Some(format!(
            "Nothing else can begin before {} {} complete. Whoever completes the last of them gets the next step; \
             current_step://{} tells when.",
            names.join(" and "),
            if names.len() == 1 { "is" } else { "are" },
            execution.id
        )),
        parallel_opportunities: opportunities(definition, execution),
        waiting_for,
        ..NextStepReply::new(NextStepStatus::Waiting, &execution.id, &execution.workflow)
    })
}

pub(super) fn new_execution_event(
    execution: &Execution,
    step: Option<&str>,
    kind: EventKind,
    detail: Option<String>,
    at_ms: i64,
) -> ExecutionEvent {
    ExecutionEvent { id: 0, execution: execution.id.clone(), step: step.map(str::to_owned), kind, detail, at_ms }
}
