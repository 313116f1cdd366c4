//! What can be read about executions.

use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use super::advance::change_between;
use super::complete::new_execution_event;
use super::create::opportunities;
use super::workflows::{ATTEMPTS, Workflows, contended_execution_error};
use crate::definition::WorkflowDefinition;
use crate::message::render_step_message;
use crate::record::{ArtifactRecord, EventKind, Execution, ExecutionEvent, ExecutionState, StepRecord, StepState};
use crate::reply::{Opportunity, StepContract};
use crate::store::{ArtifactQuery, Committed};
use tapps_base::clock::rfc3339;
use tapps_base::{Error, Result};

/// The name under which the execution is found that was active last.
pub const CURRENT: &str = "current";

/// Most artifacts that are listed with an execution.
const MOST_ARTIFACTS: u32 = 500;
/// Most events that are listed with an execution.
const MOST_EVENTS: u32 = 5_000;

/// An artifact without its content.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArtifactLine {
    pub artifact_id: String,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub title: String,
    pub step_name: Option<String>,
    pub content_size_bytes: usize,
    pub is_final: bool,
    /// True when the execution went back behind the step.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub undone: bool,
}

/// A step that is open.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OpenStep {
    pub step_name: String,
    pub state: StepState,
    /// Good now; none while a person decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step_token: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_expires_at: Option<String>,
    pub started_at: Option<String>,
    pub contract: StepContract,
    pub human_message: String,
}

/// Where an execution stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CurrentStep {
    pub execution_id: String,
    pub workflow: String,
    pub state: ExecutionState,
    /// The first of the open steps.
    pub step_name: Option<String>,
    pub open_steps: Vec<OpenStep>,
    pub parallel_opportunities: Vec<Opportunity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stalled_minutes: Option<u64>,
    /// Latest first; their contents are at workflow_artifacts://{execution}.
    pub artifacts: Vec<ArtifactLine>,
}

/// One step in the history.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StepStatus {
    pub step_name: String,
    pub agent: String,
    pub description: String,
    pub depends_on: Vec<String>,
    pub state: StepState,
    pub started_at: Option<String>,
    pub completed_at: Option<String>,
    /// What was handed in, with names in place of artifacts.
    pub output: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EventLine {
    pub at: String,
    pub event: EventKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// An execution in one line.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExecutionLine {
    pub execution_id: String,
    pub workflow: String,
    pub state: ExecutionState,
    pub begun_at: String,
    pub active_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<String>,
    pub steps_completed: usize,
    pub steps_total: usize,
    pub open_steps: Vec<String>,
    pub awaiting_approval: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stalled_minutes: Option<u64>,
}

/// The whole history of an execution.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WorkflowStatus {
    #[serde(flatten)]
    pub execution: ExecutionLine,
    /// Digest of the definition it was begun with.
    pub definition: String,
    pub steps: Vec<StepStatus>,
    pub events: Vec<EventLine>,
    pub artifacts: Vec<ArtifactLine>,
}

/// The project and what is going on in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProjectContext {
    pub project_id: String,
    /// The execution that was active last, while it is open.
    pub active_task: Option<ExecutionLine>,
    /// Latest first.
    pub executions: Vec<ExecutionLine>,
}

impl Workflows {
    /// The execution called `task`, or the one that was active last for `current`.
    ///
    /// # Errors
    /// What the store says.
    pub fn find_execution(&self, task: &str) -> Result<Option<Execution>> {
        if task != CURRENT {
            return self.store.execution(task);
        }
        match self.store.executions(true, 1)?.into_iter().next() {
            Some(open) => Ok(Some(open)),
            None => Ok(self.store.executions(false, 1)?.into_iter().next()),
        }
    }

    /// Where an execution stands, with the tokens that are good now: a token that is too old, or that was sealed with a
    /// key that is gone, is issued anew.
    ///
    /// # Errors
    /// What the store says.
    pub fn current_step(&self, task: &str) -> Result<Option<CurrentStep>> {
        let Some(execution) = self.find_execution(task)? else { return Ok(None) };
        let execution = self.with_good_tokens(execution)?;
        let definition = self.definition(&execution)?;
        let open: Vec<OpenStep> = if execution.state.is_open() {
            let is_open = |step: &&StepRecord| matches!(step.state, StepState::Running | StepState::AwaitingApproval);
            execution
                .steps
                .iter()
                .filter(is_open)
                .map(|step| self.open(&definition, &execution, step))
                .collect::<Result<_>>()?
        } else {
            Vec::new()
        };
        Ok(Some(CurrentStep {
            execution_id: execution.id.clone(),
            workflow: execution.workflow.clone(),
            state: execution.state,
            step_name: open.first().map(|step| step.step_name.clone()),
            open_steps: open,
            parallel_opportunities: if execution.state.is_open() {
                opportunities(&definition, &execution)
            } else {
                Vec::new()
            },
            stalled_minutes: self.stalled_minutes(&execution),
            artifacts: self.artifact_lines(&execution.id)?,
        }))
    }

    fn open(&self, definition: &WorkflowDefinition, execution: &Execution, record: &StepRecord) -> Result<OpenStep> {
        let step = definition.step(&record.name)?;
        let running = record.state == StepState::Running;
        let expires =
            record.token.as_ref().filter(|_| running).map(|issued| millis_to_rfc3339(self.expires_ms(issued)));
        Ok(OpenStep {
            step_name: record.name.clone(),
            state: record.state,
            step_token: if running { self.token_of(execution, record)? } else { None },
            token_expires_at: expires,
            started_at: record.started_ms.map(millis_to_rfc3339),
            contract: StepContract::from_step(definition, step),
            human_message: render_step_message(definition, step, &execution.id, record.note.as_deref()),
        })
    }

    /// The execution after every unusable token of a running step was replaced.
    fn with_good_tokens(&self, mut execution: Execution) -> Result<Execution> {
        for _ in 0..ATTEMPTS {
            if !execution.state.is_open() {
                return Ok(execution);
            }
            let mut stale = Vec::new();
            for step in execution.steps.iter().filter(|step| step.state == StepState::Running) {
                let expired = step.token.as_ref().is_none_or(|issued| self.expires_ms(issued) <= self.now_ms());
                if expired || self.token_of(&execution, step)?.is_none() {
                    stale.push(step.name.clone());
                }
            }
            if stale.is_empty() {
                return Ok(execution);
            }
            let now = self.now_ms();
            let mut new = execution.clone();
            let mut events = Vec::new();
            for step in &stale {
                self.issue_token(&mut new, step)?;
                events.push(new_execution_event(&new, Some(step), EventKind::TokenReissued, None, now));
            }
            let id = execution.id.clone();
            self.store
                .commit(&change_between(&execution, new, Vec::new(), events, now))
                .map(|done| done == Committed::Done)?;
            // Read back whether or not somebody else was faster.
            execution =
                self.store.execution(&id)?.ok_or_else(|| Error::internal(format!("execution {id} has gone")))?;
        }
        Err(contended_execution_error(&execution.id))
    }

    /// The whole history of an execution.
    ///
    /// # Errors
    /// What the store says.
    pub fn status(&self, task: &str) -> Result<Option<WorkflowStatus>> {
        let Some(execution) = self.find_execution(task)? else { return Ok(None) };
        let definition = self.definition(&execution)?;
        let status = |record: &StepRecord| {
            let step = definition.step(&record.name)?;
            Ok(StepStatus {
                step_name: record.name.clone(),
                agent: step.agent.clone(),
                description: step.description.clone(),
                depends_on: step.depends_on.clone(),
                state: record.state,
                started_at: record.started_ms.map(millis_to_rfc3339),
                completed_at: record.completed_ms.map(millis_to_rfc3339),
                output: record.output.as_deref().and_then(|output| serde_json::from_str(output).ok()),
                note: record.note.clone(),
            })
        };
        Ok(Some(WorkflowStatus {
            steps: execution.steps.iter().map(status).collect::<Result<_>>()?,
            events: self.store.events(0, Some(&execution.id), MOST_EVENTS)?.into_iter().map(event_line).collect(),
            artifacts: self.artifact_lines(&execution.id)?,
            definition: execution.definition.clone(),
            execution: self.line(&execution),
        }))
    }

    /// The project called `project`, by its folder's name or as `current`; none for another.
    ///
    /// # Errors
    /// What the store says.
    pub fn project_context(&self, project: &str) -> Result<Option<ProjectContext>> {
        let name = self
            .boundary
            .root()
            .file_name()
            .map_or_else(|| CURRENT.to_owned(), |name| name.to_string_lossy().into_owned());
        if project != CURRENT && project != name {
            return Ok(None);
        }
        let executions = self.executions(50)?;
        let active_task = executions.iter().find(|line| line.state.is_open()).cloned();
        Ok(Some(ProjectContext { project_id: name, active_task, executions }))
    }

    /// Executions, the one that was active last first.
    ///
    /// # Errors
    /// What the store says.
    pub fn executions(&self, limit: u32) -> Result<Vec<ExecutionLine>> {
        Ok(self.store.executions(false, limit)?.iter().map(|execution| self.line(execution)).collect())
    }

    fn line(&self, execution: &Execution) -> ExecutionLine {
        let names = |state| execution.steps_in(state).into_iter().map(str::to_owned).collect::<Vec<_>>();
        ExecutionLine {
            execution_id: execution.id.clone(),
            workflow: execution.workflow.clone(),
            state: execution.state,
            begun_at: millis_to_rfc3339(execution.begun_ms),
            active_at: millis_to_rfc3339(execution.active_ms),
            ended_at: execution.ended_ms.map(millis_to_rfc3339),
            steps_completed: execution.steps_in(StepState::Completed).len(),
            steps_total: execution.steps.len(),
            open_steps: names(StepState::Running),
            awaiting_approval: names(StepState::AwaitingApproval),
            stalled_minutes: self.stalled_minutes(execution),
        }
    }

    fn artifact_lines(&self, execution: &str) -> Result<Vec<ArtifactLine>> {
        let query = ArtifactQuery {
            execution: Some(execution.to_owned()),
            limit: MOST_ARTIFACTS,
            without_contents: true,
            ..ArtifactQuery::default()
        };
        Ok(self.store.artifacts(&query)?.artifacts.iter().map(artifact_line).collect())
    }
}

fn artifact_line(artifact: &ArtifactRecord) -> ArtifactLine {
    ArtifactLine {
        artifact_id: artifact.artifact_id.clone(),
        kind: artifact.kind.as_str(),
        title: artifact.title.clone(),
        step_name: artifact.step.clone(),
        content_size_bytes: artifact.content_bytes,
        is_final: artifact.is_final,
        undone: artifact.undone,
    }
}

fn event_line(event: ExecutionEvent) -> EventLine {
    EventLine { at: millis_to_rfc3339(event.at_ms), event: event.kind, step_name: event.step, detail: event.detail }
}

/// A moment as text.
pub(super) fn millis_to_rfc3339(ms: i64) -> String {
    rfc3339(Duration::from_millis(ms.unsigned_abs()))
}
