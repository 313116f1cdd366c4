//! Claiming: a second agent takes another step that is ready.

use super::advance::{change_between, complete_step_error, reply_when_done};
use super::complete::{new_execution_event, waiting_reply};
use super::create::requested_is_ready;
use super::request::{Caller, Claim};
use super::workflows::{ATTEMPTS, Workflows, contended_execution_error};
use crate::ready::{choose_best_step, ready_set};
use crate::record::{EventKind, StepState};
use tapps_base::{Result, digest};

impl Workflows {
    /// Opens another step that is ready and gives it a token of its own; the token that was shown stays good.
    ///
    /// A claim repeated with the same token and the same wished step gets the same reply: it opens one step, however
    /// often it is sent. To claim a third step, show the token of the second.
    ///
    /// # Errors
    /// `token_invalid`, `token_expired`, `rate_limited`, `invalid_argument` for a wished step that is not ready,
    /// `conflict` when the step of the token is complete, and what the store says.
    pub fn claim(&self, request: &Claim, caller: &Caller<'_>) -> Result<String> {
        let wished = request.wishes.requested_step_name.as_deref().unwrap_or_default();
        let name = digest::of_json(&(&request.step_token, wished))?;
        for _ in 0..ATTEMPTS {
            let held = self.authenticate_token(&request.step_token)?;
            let claimed =
                held.execution.steps.iter().filter_map(|step| step.claim.as_ref()).find(|(claim, _)| *claim == name);
            if let Some((_, reply)) = claimed {
                return Ok(reply.clone());
            }
            if held.step.state == StepState::Completed {
                self.charge(&held.execution.id, caller.session)?;
                return Err(complete_step_error(&held.step.name, "claim with the token of a step that is open"));
            }
            self.not_expired(&held)?;
            let kept = held.execution;
            let definition = self.definition(&kept)?;
            let ready = ready_set(&definition.template, &kept);
            requested_is_ready(&request.wishes, &ready)?;
            let Some(step) = choose_best_step(&ready, &request.wishes.steering()) else {
                self.charge(&kept.id, caller.session)?;
                return waiting_reply(&definition, &kept)?.to_json();
            };
            let now = self.now_ms();
            let mut new = kept.clone();
            let reply = self.open_step(&definition, &mut new, step)?;
            if let Some(record) = new.step_mut(&step.name) {
                record.claim = Some((name.clone(), reply.clone()));
            }
            if let Some(session) = caller.session
                && !new.sessions.iter().any(|known| known == session)
            {
                new.sessions.push(session.to_owned());
            }
            new.active_ms = now;
            new.update_state_from_steps();
            let opened = new_execution_event(
                &new,
                Some(&step.name),
                EventKind::StepOpened,
                request.wishes.rationale.clone(),
                now,
            );
            let mut change = change_between(&kept, new, Vec::new(), vec![opened], now);
            change.takes = self.rate_limit_takes(Some(&kept.id), caller.session);
            if let Some(reply) = reply_when_done(self.store.commit(&change)?, reply)? {
                return Ok(reply);
            }
        }
        Err(contended_execution_error("of this token"))
    }
}
