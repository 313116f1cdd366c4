//! Beginning a workflow.

use super::request::{Caller, Create, Wishes};
use super::workflows::{Workflows, rate_limited_error};
use crate::content::WorkflowStep;
use crate::definition::WorkflowDefinition;
use crate::message::render_step_message;
use crate::ready::{choose_best_step, ready_set};
use crate::record::{EventKind, Execution, ExecutionEvent, ExecutionState, NewExecution, StepRecord, StepState};
use crate::reply::{NextStepReply, NextStepStatus, Opportunity, StepContract};
use crate::store::Begun;
use tapps_base::{Error, ErrorCode, Result, digest};

/// Longest name that a client can give a request.
const LONGEST_KEY: usize = 128;

impl Workflows {
    /// Begins a workflow and opens its first step. A request with a key that was carried out before gets the reply it
    /// got then.
    ///
    /// # Errors
    /// `invalid_argument` for an unknown workflow or step, `config_error` for a workflow that was refused, `conflict` for
    /// a key that stands for another request, `rate_limited`, and what the store says.
    pub fn create(&self, request: &Create, caller: &Caller<'_>) -> Result<String> {
        check_key(request.request_key.as_deref())?;
        let definition = WorkflowDefinition::from_library(&*self.library()?, &request.template_name)?;
        let (json, definition_digest) = definition.to_json()?;
        let now = self.now_ms();
        let mut execution = Execution {
            id: self.clock.fresh_id(),
            workflow: request.template_name.clone(),
            definition: definition_digest,
            state: ExecutionState::Running,
            revision: 0,
            sequence: 0,
            request_key: request.request_key.clone(),
            request_digest: digest::of_json(&(&request.template_name, &request.wishes))?,
            opening: String::new(),
            sessions: caller.session.map(str::to_owned).into_iter().collect(),
            begun_ms: now,
            active_ms: now,
            ended_ms: None,
            steps: initial_step_records(&definition),
        };
        let ready = ready_set(&definition.template, &execution);
        requested_is_ready(&request.wishes, &ready)?;
        let first = choose_best_step(&ready, &request.wishes.steering())
            .ok_or_else(|| Error::internal(format!("the workflow `{}` has no first step", request.template_name)))?;
        execution.opening = self.open_step(&definition, &mut execution, first)?;
        let event = |kind, step: Option<&str>, detail: Option<String>| ExecutionEvent {
            id: 0,
            execution: execution.id.clone(),
            step: step.map(str::to_owned),
            kind,
            detail,
            at_ms: now,
        };
        let events = vec![
            event(EventKind::Created, None, request.wishes.rationale.clone()),
            event(EventKind::StepOpened, Some(&first.name), None),
        ];
        let takes = self.rate_limit_takes(None, caller.session);
        let new = NewExecution { execution, definition: json, events, takes, now_ms: now };
        match self.store.begin(&new)? {
            Begun::New => Ok(new.execution.opening),
            Begun::Existing(known) if known.request_digest == new.execution.request_digest => Ok(known.opening),
            Begun::Existing(known) => Err(Error::new(
                ErrorCode::Conflict,
                format!("the request key is taken by another request, which began execution {}", known.id),
            )
            .hint("use a fresh `request_key` for a new request")),
            Begun::Limited(wait) => Err(rate_limited_error(wait)),
        }
    }

    /// Opens a step and gives the reply that tells the agent about it.
    pub(super) fn open_step(
        &self,
        definition: &WorkflowDefinition,
        execution: &mut Execution,
        step: &WorkflowStep,
    ) -> Result<String> {
        let token = self.issue_token(execution, &step.name)?;
        let now = self.now_ms();
        let mut note = None;
        if let Some(record) = execution.step_mut(&step.name) {
            record.state = StepState::Running;
            record.started_ms = record.started_ms.or(Some(now));
            note.clone_from(&record.note);
        }
        let reply = NextStepReply {
            next_step_contract: Some(StepContract::from_step(definition, step)),
            new_step_token: Some(token),
            human_message: Some(render_step_message(definition, step, &execution.id, note.as_deref())),
            parallel_opportunities: opportunities(definition, execution),
            ..NextStepReply::new(NextStepStatus::Ok, &execution.id, &execution.workflow)
        };
        reply.to_json()
    }
}

fn initial_step_records(definition: &WorkflowDefinition) -> Vec<StepRecord> {
    let record = |step: &WorkflowStep| StepRecord { name: step.name.clone(), ..StepRecord::default() };
    definition.template.steps.iter().map(record).collect()
}

/// The steps that could be claimed now.
pub(super) fn opportunities(definition: &WorkflowDefinition, execution: &Execution) -> Vec<Opportunity> {
    let ready = ready_set(&definition.template, execution);
    let opportunity = |step: &WorkflowStep| Opportunity {
        step_name: step.name.clone(),
        agent: step.agent.clone(),
        description: step.description.clone(),
    };
    ready.into_iter().map(opportunity).collect()
}

/// A wish chooses among what is ready; it opens nothing else.
pub(super) fn requested_is_ready(wishes: &Wishes, ready: &[&WorkflowStep]) -> Result<()> {
    let Some(requested) = &wishes.requested_step_name else { return Ok(()) };
    let names: Vec<&str> = ready.iter().map(|step| step.name.as_str()).collect();
    if names.contains(&requested.as_str()) {
        return Ok(());
    }
    let shown = crate::content::displayable_name(requested);
    let hint =
        if names.is_empty() { "no other step is ready".to_owned() } else { format!("ready: {}", names.join(", ")) };
    Err(Error::invalid(format!("the step `{shown}` cannot begin now")).hint(hint))
}

fn check_key(key: Option<&str>) -> Result<()> {
    match key {
        Some(key) if key.is_empty() || key.chars().count() > LONGEST_KEY || key.chars().any(char::is_control) => {
            Err(Error::invalid(format!("`request_key` must have 1 to {LONGEST_KEY} printable characters"))
                .hint("a random identifier will do"))
        }
        _ => Ok(()),
    }
}
