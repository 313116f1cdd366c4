//! Going back: every completed step is a point to which an execution can return. What was done since is undone in the
//! sense that it no longer counts; it stays in the history, with its outputs and artifacts.

use std::collections::BTreeSet;

use super::advance::{change_between, complete_step_error, reply_when_done, token_for_nothing};
use super::complete::new_execution_event;
use super::request::{Caller, GoBack};
use super::workflows::{ATTEMPTS, Workflows, contended_execution_error};
use crate::content::{WorkflowTemplate, displayable_name};
use crate::definition::WorkflowDefinition;
use crate::output::ArtifactKind;
use crate::record::{ArtifactRecord, EventKind, Execution, ExecutionChange, StepRecord, StepState};
use tapps_base::{Error, Result, digest};

/// Why an execution goes back.
pub(super) struct BackReason<'a> {
    /// Stands in the history.
    pub(super) detail: Option<String>,
    /// What the agent of the step is told, where a person said it.
    pub(super) note: Option<&'a str>,
}

impl Workflows {
    /// Goes back to a completed step: it is open again, with a new token, and whatever depends on it is still to be done.
    /// Branches that do not depend on it go on. Asked again with the same token, it gets the same reply.
    ///
    /// # Errors
    /// `token_invalid`, `token_expired`, `rate_limited`, `conflict` for the token of a step that is complete,
    /// `invalid_argument` for a step to go back to that is not, and what the store says.
    pub fn go_back(&self, request: &GoBack, caller: &Caller<'_>) -> Result<String> {
        let name = digest::of_json(&("go back", &request.step_token, &request.step_name))?;
        for _ in 0..ATTEMPTS {
            if let Some(reply) = self.earlier_reply(&request.step_token, &name)? {
                return Ok(reply);
            }
            let held = self.authenticate_token(&request.step_token)?;
            if !held.execution.state.is_open() {
                return Err(token_for_nothing("belongs to an execution that is over"));
            }
            if held.step.state == StepState::Completed {
                self.charge(&held.execution.id, caller.session)?;
                return Err(complete_step_error(&held.step.name, "go back with the token of a step that is open"));
            }
            self.not_expired(&held)?;
            let reason = BackReason { detail: request.rationale.clone(), note: None };
            let (mut change, reply) = self.return_to(&held.execution, &request.step_name, &reason)?;
            for record in change.execution.steps.iter_mut().chain(&mut change.steps) {
                if record.name == request.step_name {
                    record.claim = Some((name.clone(), reply.clone()));
                }
            }
            change.takes = self.rate_limit_takes(Some(&held.execution.id), caller.session);
            if let Some(reply) = reply_when_done(self.store.commit(&change)?, reply)? {
                return Ok(reply);
            }
        }
        Err(contended_execution_error("of this token"))
    }

    /// The reply to the same request, if it was carried out and the step it opened is still to be done.
    fn earlier_reply(&self, token: &str, name: &str) -> Result<Option<String>> {
        let Some(claims) = self.open_token(token)? else { return Ok(None) };
        let execution = self.store.execution(&claims.execution_id)?.filter(|execution| execution.state.is_open());
        let steps = execution.map(|execution| execution.steps).unwrap_or_default();
        let open = steps.into_iter().filter(|step| step.state != StepState::Completed);
        let known = open.filter_map(|step| step.claim).find(|(claim, _)| claim == name);
        Ok(known.map(|(_, reply)| reply))
    }

    /// The change that goes back to a step, and the reply that opens it. Nothing is kept yet.
    pub(super) fn return_to(
        &self,
        kept: &Execution,
        target: &str,
        reason: &BackReason<'_>,
    ) -> Result<(ExecutionChange, String)> {
        let now = self.now_ms();
        let definition = self.definition(kept)?;
        if kept.step(target).map(|step| step.state) != Some(StepState::Completed) {
            let complete = kept.steps_in(StepState::Completed);
            let hint = match complete.is_empty() {
                true => "no step is complete yet: reject the one that waits, or go on".to_owned(),
                false => format!("complete are: {}", complete.join(", ")),
            };
            return Err(Error::invalid(format!("the step `{}` is not complete", displayable_name(target))).hint(hint));
        }
        let undone = with_dependents(&definition.template, target);
        let mut new = kept.clone();
        let mut artifacts = Vec::new();
        let mut events = vec![new_execution_event(kept, Some(target), EventKind::WentBack, reason.detail.clone(), now)];
        for record in new.steps.iter_mut().filter(|step| undone.contains(step.name.as_str())) {
            if record.state == StepState::Pending {
                continue;
            }
            artifacts.extend(self.former_output(&definition, kept, record, now)?);
            events.push(new_execution_event(kept, Some(&record.name), EventKind::StepUndone, None, now));
            *record = StepRecord { name: std::mem::take(&mut record.name), ..StepRecord::default() };
        }
        if let Some(record) = new.step_mut(target) {
            record.note = reason.note.map(str::to_owned);
        }
        events.push(new_execution_event(kept, Some(target), EventKind::StepOpened, None, now));
        let reply = self.open_step(&definition, &mut new, definition.step(target)?)?;
        new.active_ms = now;
        new.update_state_from_steps();
        let undone = undone.into_iter().map(str::to_owned).collect();
        let change = change_between(kept, new, artifacts, events, now);
        Ok((ExecutionChange { undone, ..change }, reply))
    }

    /// What a step had handed in, as an artifact, since its record begins anew.
    fn former_output(
        &self,
        definition: &WorkflowDefinition,
        execution: &Execution,
        record: &StepRecord,
        now: i64,
    ) -> Result<Option<ArtifactRecord>> {
        let Some(content) = record.output.clone().or_else(|| record.pending.clone()) else { return Ok(None) };
        Ok(Some(ArtifactRecord {
            artifact_id: self.clock.fresh_id(),
            execution: execution.id.clone(),
            step: Some(record.name.clone()),
            agent: definition.step(&record.name)?.agent.clone(),
            kind: ArtifactKind::Json,
            title: format!("Output of {} that was undone", record.name),
            content_bytes: content.len(),
            content,
            description: None,
            metadata: None,
            is_final: false,
            undone: true,
            at_ms: now,
        }))
    }
}

/// A step with all that depend on it, through others as well.
fn with_dependents<'t>(template: &'t WorkflowTemplate, target: &'t str) -> BTreeSet<&'t str> {
    let mut found = BTreeSet::from([target]);
    loop {
        let before = found.len();
        for step in &template.steps {
            if step.depends_on.iter().any(|name| found.contains(name.as_str())) {
                found.insert(&step.name);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::template;

    #[test]
    fn what_depends_on_a_step_goes_with_it_and_nothing_else() {
        // The order of the file is not the order of work.
        let template = template(&[("end", &["b", "c"]), ("a", &[]), ("b", &["a"]), ("c", &["a"]), ("aside", &[])]);
        let of = |target| with_dependents(&template, target).into_iter().collect::<Vec<_>>();
        assert_eq!(of("a"), ["a", "b", "c", "end"]);
        assert_eq!(of("b"), ["b", "end"]);
        assert_eq!((of("end"), of("aside")), (vec!["end"], vec!["aside"]));
    }
}
