//! The steps of a session: forward on evidence, and back over its history.

use super::event::{EventData, PhaseChanged, PhaseRefused, Rollback};
use super::files;
use super::guidance::truncate_with_ellipsis;
use super::phase::Phase;
use super::request;
use super::sessions::Sessions;
use super::state::SessionState;
use super::verify::{TestVerdict, TestVerification, run_tests};
use super::view::StateView;
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};

/// Changed files named in a refusal.
const NAMED: usize = 5;

/// A step forward.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextPhase {
    pub evidence: String,
    /// From `implement` straight to the next test.
    pub skip_refactor: bool,
}

impl Sessions {
    /// Goes on to the next phase of the active session.
    ///
    /// In a verified session the tests are run first. What they do not bear out is refused, and the refusal recorded.
    ///
    /// # Errors
    /// `invalid_argument` for empty evidence, for `skip_refactor` in another phase than `implement`, and for evidence
    /// that the run does not bear out (with the run as partial result); `invalid_session` without an active session;
    /// `timeout` and `cancelled` while the tests run.
    pub async fn next_phase(&self, asked: &NextPhase, call: &Call) -> Result<StateView> {
        let evidence = request::log_entry_text("evidence_description", &asked.evidence)?;
        let plan = self.with_active(|session| {
            let state = session.state();
            let mut plan = PhaseStepPlan::from_state(state, asked.skip_refactor)?;
            if plan.verified {
                let now = files::digests(&self.boundary, &state.all_files())?;
                plan.out_of_phase = files::out_of_phase(state, &files::files_changed_in_phase(state, &now));
            }
            Ok(plan)
        })?;
        let verification = match plan.verified {
            true => Some(self.verify(&plan, &evidence, call).await?),
            false => None,
        };
        self.with_active(|session| {
            session.record_event(&self.timestamp_now(), |state| {
                plan.still_holds(state)?;
                let change = PhaseChanged {
                    from_phase: Some(plan.from),
                    to_phase: plan.to,
                    evidence: evidence.clone(),
                    cycle_number: Some(state.current_cycle_phase().advance_to(plan.to).cycle),
                    skip_refactor: asked.skip_refactor,
                    verification: verification.clone(),
                    files: files::digests(&self.boundary, &state.all_files())?,
                };
                Ok(EventData::PhaseChanged(change))
            })?;
            self.view(session)
        })
    }

    /// Returns to the phase before, across cycles if need be.
    ///
    /// # Errors
    /// `invalid_session` without an active session or at its very beginning; `invalid_argument` for an empty reason.
    pub fn rollback(&self, reason: &str) -> Result<StateView> {
        let reason = request::log_entry_text("reason", reason)?;
        self.with_active(|session| {
            session.record_event(&self.timestamp_now(), |state| {
                let Some(previous) = state.previous_cycle_phase() else {
                    return Err(Error::new(ErrorCode::InvalidSession, "the session is in its first phase")
                        .hint("there is nothing to go back to; write the first failing test"));
                };
                Ok(EventData::Rollback(Rollback {
                    from_phase: state.current_cycle_phase().phase,
                    to_phase: previous.phase,
                    reason: reason.clone(),
                    cycle_number: Some(previous.cycle),
                    files: files::digests(&self.boundary, &state.all_files())?,
                }))
            })?;
            self.view(session)
        })
    }

    /// Runs the tests for a step; refuses it, and records that, when they do not bear it out.
    async fn verify(&self, plan: &PhaseStepPlan, evidence: &str, call: &Call) -> Result<TestVerification> {
        let Some(runner) = &self.runner else {
            return Err(Error::new(
                ErrorCode::InvalidSession,
                "the session is verified, but this server does not run tests",
            )
            .hint("resume the session in a server that may run them"));
        };
        if !plan.out_of_phase.is_empty() {
            let list = plan.out_of_phase.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
            let reason = format!("{list} changed, which the phase {} does not allow", plan.from);
            let hint = "undo these changes, or call tdd_rollback to return to the phase in which they belong";
            return Err(self.record_refusal(plan, evidence, &reason, None, hint)?);
        }
        let verification = run_tests(runner.as_ref(), &plan.run_tests, &plan.implementation_files, call).await?;
        let wanted = if plan.from == Phase::WriteTest { TestVerdict::Red } else { TestVerdict::Green };
        if verification.verdict == wanted {
            return Ok(verification);
        }
        let reason = format!("the tests are {}, not {wanted}: {}", verification.verdict, verification.reason);
        let hint = match (wanted, verification.verdict) {
            (_, TestVerdict::Broken) => "repair the tests or `run_tests` so that they can run, then call again",
            (TestVerdict::Red, _) => "write one test that fails because the behaviour is missing, then call again",
            _ => "make every test pass, then call again",
        };
        Err(self.record_refusal(plan, evidence, &reason, Some(verification), hint)?)
    }

    /// Records a refusal and makes the error that tells of it.
    fn record_refusal(
        &self,
        plan: &PhaseStepPlan,
        evidence: &str,
        reason: &str,
        verification: Option<TestVerification>,
        hint: &str,
    ) -> Result<Error> {
        let error = Error::invalid(format!("the phase stays {}: {reason}", plan.from)).hint(hint);
        let shown = verification.as_ref().map(bounded).transpose()?;
        self.with_active(|session| {
            session.record_event(&self.timestamp_now(), |state| {
                plan.still_holds(state)?;
                Ok(EventData::PhaseRefused(PhaseRefused {
                    phase: plan.from,
                    evidence: evidence.to_owned(),
                    reason: reason.to_owned(),
                    verification: verification.clone(),
                }))
            })?;
            Ok(())
        })?;
        Ok(match shown {
            Some(run) => error.partial(serde_json::json!({ "current_phase": plan.from, "verification": run })),
            None => error,
        })
    }
}

/// A run as part of a reply: the first commands, shortened.
fn bounded(verification: &TestVerification) -> Result<serde_json::Value> {
    let mut shown = verification.clone();
    shown.commands.truncate(NAMED);
    for run in &mut shown.commands {
        run.command = truncate_with_ellipsis(&run.command, 200);
        run.reason = truncate_with_ellipsis(&run.reason, 300);
    }
    serde_json::to_value(&shown).map_err(|e| Error::internal(format!("a run has no JSON form: {e}")))
}

/// A step decided on at one moment and taken at a later one, when the tests have run.
#[derive(Debug)]
struct PhaseStepPlan {
    session: super::id::SessionId,
    revision: u64,
    from: Phase,
    to: Phase,
    verified: bool,
    run_tests: Vec<String>,
    implementation_files: Vec<String>,
    out_of_phase: Vec<String>,
}

impl PhaseStepPlan {
    fn from_state(state: &SessionState, skip_refactor: bool) -> Result<Self> {
        let from = state.current_cycle_phase().phase;
        if skip_refactor && from != Phase::Implement {
            return Err(Error::invalid(format!("`skip_refactor` means something in implement only, not in {from}"))
                .hint("leave it out; in refactor, call tdd_next_phase to go on to the next test"));
        }
        let to = if skip_refactor { Phase::WriteTest } else { from.next() };
        Ok(Self {
            session: state.id.clone(),
            revision: state.revision,
            from,
            to,
            verified: state.verified,
            run_tests: state.run_tests.clone(),
            implementation_files: state.implementation_files.clone(),
            out_of_phase: Vec::new(),
        })
    }

    /// Refuses to take the step in a session that has moved on meanwhile; notes do not count.
    fn still_holds(&self, state: &SessionState) -> Result<()> {
        if (&self.session, self.revision) == (&state.id, state.revision) {
            return Ok(());
        }
        Err(Error::new(ErrorCode::InvalidSession, "the session has changed since the step began")
            .hint("look at tdd_get_current_state and call again"))
    }
}
