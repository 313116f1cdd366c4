//! A session as agents see it: what was said at its start, where it stands, and what follows from that.

use schemars::JsonSchema;
use serde::Serialize;

use super::event::Digests;
use super::files;
use super::guidance;
use super::phase::Phase;
use super::state::{SessionState, SessionStatus};

/// Bytes that a state has by default; replies have 6,000 in all.
pub const STATE_BYTES: usize = 5_600;

/// The state of a session.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StateView {
    pub session_id: String,
    pub status: SessionStatus,
    pub current_phase: Phase,
    /// What to do, in one line.
    pub current_task: String,
    /// Counted from 1.
    pub cycle_number: u32,
    /// Cycles that reached their end.
    pub cycles_completed: u32,
    pub goal: String,
    pub files: SessionFiles,
    /// What may be edited in the present phase.
    pub allowed_files: Vec<String>,
    pub suggested_next_action: String,
    pub rules_reminder: Vec<String>,
    /// True when the files that the phase is about have changed since it began; refactoring may always be over.
    pub ready_for_next_phase: bool,
    /// The server runs the tests itself before it lets go of a phase.
    pub verified: bool,
    /// Files of the session that were changed although the phase does not allow it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub out_of_phase_files: Vec<String>,
    /// What a person should know about the log.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// True when lists or texts were shortened to fit.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// What to pass for the whole, where something was shortened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<&'static str>,
}

/// The files and commands of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SessionFiles {
    pub test_files: Vec<String>,
    pub implementation_files: Vec<String>,
    pub run_tests: Vec<String>,
}

impl StateView {
    /// The view of a state, with the session's files as they are now.
    #[must_use]
    pub fn from_state(state: &SessionState, now: &Digests, warnings: &[String]) -> Self {
        let place = state.current_cycle_phase();
        let changed = files::files_changed_in_phase(state, now);
        Self {
            session_id: state.id.to_string(),
            status: state.status,
            current_phase: place.phase,
            current_task: guidance::current_task(state),
            cycle_number: place.cycle,
            cycles_completed: state.cycles_completed(),
            goal: state.goal.clone(),
            files: SessionFiles {
                test_files: state.test_files.clone(),
                implementation_files: state.implementation_files.clone(),
                run_tests: state.run_tests.clone(),
            },
            allowed_files: state.allowed_files(),
            suggested_next_action: guidance::suggested_next_action(state),
            rules_reminder: guidance::rules_reminder(state),
            ready_for_next_phase: files::is_phase_work_done(state, &changed),
            verified: state.verified,
            out_of_phase_files: files::out_of_phase(state, &changed),
            warnings: warnings.to_vec(),
            truncated: false,
            more: None,
        }
    }

    /// The view shortened to at most `limit` bytes of JSON: the longest list or text first, each announced by
    /// `truncated`. A view of short names stays as it is.
    #[must_use]
    pub fn shorten_to_fit(mut self, limit: usize) -> Self {
        while size(&self) > limit && self.halve_largest_part() {
            self.truncated = true;
            self.more = Some("detail: \"full\"");
        }
        self
    }

    /// Halves the largest part that can be halved.
    fn halve_largest_part(&mut self) -> bool {
        let goal_bytes = self.goal.len();
        let lists = [
            &mut self.files.test_files,
            &mut self.files.implementation_files,
            &mut self.files.run_tests,
            &mut self.allowed_files,
            &mut self.rules_reminder,
            &mut self.out_of_phase_files,
            &mut self.warnings,
        ];
        let bytes = |list: &Vec<String>| list.iter().map(|item| item.len() + 3).sum::<usize>();
        let Some(largest) = lists.into_iter().max_by_key(|list| bytes(list)) else { return false };
        if goal_bytes > bytes(largest) {
            self.goal = guidance::truncate_with_ellipsis(&self.goal, self.goal.chars().count() / 2);
            return goal_bytes > self.goal.len();
        }
        if largest.len() > 1 {
            largest.truncate(largest.len() / 2);
            return true;
        }
        let Some(only) = largest.first_mut().filter(|only| only.len() > 64) else { return false };
        *only = guidance::truncate_with_ellipsis(only, only.chars().count() / 2);
        true
    }
}

fn size(view: &StateView) -> usize {
    serde_json::to_string(view).map_or(0, |text| text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::state;

    #[test]
    fn every_field_of_the_documented_state_is_there() {
        let view = StateView::from_state(&state(), &Digests::new(), &[]);
        let json = serde_json::to_value(&view).unwrap();
        let expected = serde_json::json!({
            "session_id": "67e55044-10b1-426f-9247-bb680e5fe0c8",
            "status": "active",
            "current_phase": "write_test",
            "current_task": "Write one failing test for: add numbers",
            "cycle_number": 1,
            "cycles_completed": 0,
            "goal": "add numbers",
            "files": {
                "test_files": ["tests/test_calc.py"],
                "implementation_files": ["calc.py"],
                "run_tests": ["pytest"]
            },
            "allowed_files": ["tests/test_calc.py"],
            "suggested_next_action": view.suggested_next_action,
            "rules_reminder": guidance::GLOBAL_RULES,
            "ready_for_next_phase": false,
            "verified": false
        });
        assert_eq!(json, expected);
    }

    #[test]
    fn the_largest_session_fits_and_says_that_it_was_cut() {
        let mut state = state();
        state.goal = "ö".repeat(8_000);
        state.test_files = (0..200).map(|n| format!("tests/{}/test_{n}.py", "d".repeat(200))).collect();
        state.implementation_files = (0..200).map(|n| format!("src/{}/m{n}.py", "d".repeat(900))).collect();
        state.run_tests = vec!["x".repeat(4_000)];
        state.custom_rules = vec!["r".repeat(2_000); 50];
        let view = StateView::from_state(&state, &Digests::new(), &[]).shorten_to_fit(STATE_BYTES);
        assert!(size(&view) <= STATE_BYTES, "{}", size(&view));
        assert_eq!((view.truncated, view.more), (true, Some("detail: \"full\"")));
        assert!(!view.allowed_files.is_empty() && !view.files.run_tests.is_empty() && !view.goal.is_empty());
        let small = StateView::from_state(&super::super::state::tests::state(), &Digests::new(), &[]);
        assert_eq!(small.clone().shorten_to_fit(STATE_BYTES), small);
    }
}
