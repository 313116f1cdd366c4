//! What an agent is told in each phase. No special system prompt is needed: every state carries it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::phase::Phase;
use super::state::SessionState;

/// The rules that hold in every session and that no custom rule overrides.
pub const GLOBAL_RULES: [&str; 4] = [
    "Write ONE failing test per cycle",
    "Write minimal code to make the test pass",
    "Refactor only after tests pass",
    "Every phase transition needs evidence",
];

/// Names in a sentence before "and N more".
const NAMES_SHOWN: usize = 6;

/// What the agent is at, in one line.
#[must_use]
pub fn current_task(state: &SessionState) -> String {
    let goal = truncate_with_ellipsis(&state.goal, 160);
    match state.current_cycle_phase().phase {
        Phase::WriteTest => format!("Write one failing test for: {goal}"),
        Phase::Implement => format!("Make the failing test pass with the least code for: {goal}"),
        Phase::Refactor => format!("Improve the code without changing its behaviour for: {goal}"),
    }
}

/// What to do now and how to go on.
#[must_use]
pub fn suggested_next_action(state: &SessionState) -> String {
    let place = state.current_cycle_phase();
    let cycle = place.cycle;
    let tests = join_first_names(&state.test_files);
    let code = join_first_names(&state.implementation_files);
    let run = join_first_names(&state.run_tests);
    let check = if state.verified { " The server runs the tests itself and decides." } else { "" };
    match place.phase {
        Phase::WriteTest => format!(
            "Cycle {cycle}, write_test: write a single failing test in {tests}. One behaviour, a name that says which, and \
             run it to see it fail for the right reason ({run}). Then call tdd_next_phase with what the test checks and how \
             it fails.{check}"
        ),
        Phase::Implement => format!(
            "Cycle {cycle}, implement: write the simplest code in {code} that makes the test pass, nothing the test does not \
             ask for. Run {run} until all is green, then call tdd_next_phase with what was implemented; add skip_refactor: \
             true when there is nothing to improve.{check}"
        ),
        Phase::Refactor => format!(
            "Cycle {cycle}, refactor: improve names, structure and duplication in {tests} or {code}; behaviour stays as it \
             is and {run} stays green. Then call tdd_next_phase with what was improved, or with why nothing needed to \
             be.{check}"
        ),
    }
}

/// The global rules, then the session's own.
#[must_use]
pub fn rules_reminder(state: &SessionState) -> Vec<String> {
    GLOBAL_RULES.iter().map(|&rule| rule.to_owned()).chain(state.custom_rules.iter().cloned()).collect()
}

/// Shortcuts that fit the moment.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct QuickHelp {
    pub current_context: String,
    pub available_actions: Vec<String>,
    /// What a user may say, and the call it stands for.
    pub quick_commands: BTreeMap<String, String>,
    pub workflow_reminders: Vec<String>,
}

/// Help for a session, or for when there is none.
#[must_use]
pub fn quick_help(state: Option<&SessionState>) -> QuickHelp {
    let Some(state) = state else { return without_session() };
    let place = state.current_cycle_phase();
    let files = join_first_names(&state.allowed_files());
    let (work, done, reminders): (String, &str, [&str; 2]) = match place.phase {
        Phase::WriteTest => (
            format!("Write a failing test in: {files}"),
            "Call tdd_next_phase(\"wrote failing test for <behaviour>\") when it fails as intended",
            ["Write only ONE test per cycle", "The test must fail before the implement phase begins"],
        ),
        Phase::Implement => (
            format!("Make the test pass in: {files}"),
            "Call tdd_next_phase(\"implemented <behaviour>\") when the tests are green",
            ["Write no more than the test asks for", "Leave the tests as they are in this phase"],
        ),
        Phase::Refactor => (
            format!("Improve code or tests in: {files}"),
            "Call tdd_next_phase(\"refactored <what>\") or tdd_next_phase(\"no refactoring needed\")",
            ["Behaviour stays the same", "Keep the tests green at every step"],
        ),
    };
    let mut actions = vec![work, done.to_owned(), "Use tdd_log(\"<note>\") for what you found or decided".to_owned()];
    if place.phase == Phase::Implement {
        actions.push("Call tdd_next_phase(\"…\", skip_refactor: true) to go straight to the next test".to_owned());
    }
    if state.previous_cycle_phase().is_some() {
        actions.push("Call tdd_rollback(\"<reason>\") to return to the phase before".to_owned());
    }
    QuickHelp {
        current_context: format!("{} phase, cycle {}", place.phase, place.cycle),
        available_actions: actions,
        quick_commands: command_map(&[
            ("next", "tdd_next_phase(evidence_description)"),
            ("skip refactor", "tdd_next_phase(evidence_description, skip_refactor: true)"),
            ("rollback", "tdd_rollback(reason)"),
            ("status", "tdd_get_current_state()"),
            ("log", "tdd_log(message)"),
            ("history", "tdd_history()"),
            ("pause", "tdd_pause_session()"),
            ("end", "tdd_end_session()"),
        ]),
        workflow_reminders: reminders.iter().map(|&line| line.to_owned()).collect(),
    }
}

fn without_session() -> QuickHelp {
    QuickHelp {
        current_context: "no active session".to_owned(),
        available_actions: vec![
            "Call tdd_start_session(goal, test_files, implementation_files, run_tests) to begin".to_owned(),
            "Call tdd_resume_session(session_id) to go on with a paused or interrupted session".to_owned(),
        ],
        quick_commands: command_map(&[
            ("start", "tdd_start_session(goal, test_files, implementation_files, run_tests)"),
            ("resume", "tdd_resume_session(session_id)"),
            ("status", "tdd_get_current_state()"),
        ]),
        workflow_reminders: GLOBAL_RULES.iter().map(|&rule| rule.to_owned()).collect(),
    }
}

fn command_map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|&(word, call)| (word.to_owned(), call.to_owned())).collect()
}

/// A few names in a row, and how many there are besides.
pub(super) fn join_first_names(list: &[String]) -> String {
    let shown: Vec<String> = list.iter().take(NAMES_SHOWN).map(|name| truncate_with_ellipsis(name, 120)).collect();
    match list.len().saturating_sub(NAMES_SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// At most `limit` characters, with a mark where something was left out.
pub(super) fn truncate_with_ellipsis(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::state;

    #[test]
    fn guidance_names_the_files_and_the_commands() {
        let state = state();
        let action = suggested_next_action(&state);
        for part in ["Cycle 1", "write_test", "tests/test_calc.py", "pytest", "tdd_next_phase"] {
            assert!(action.contains(part), "{part}: {action}");
        }
        assert_eq!(current_task(&state), "Write one failing test for: add numbers");
    }

    #[test]
    fn custom_rules_follow_on_the_global_ones() {
        let mut state = state();
        state.custom_rules = vec!["Commit at the end of each cycle".into()];
        let rules = rules_reminder(&state);
        assert_eq!(rules.len(), 5);
        assert_eq!(rules[..4], GLOBAL_RULES);
        assert_eq!(rules[4], "Commit at the end of each cycle");
    }

    #[test]
    fn help_fits_the_moment() {
        let help = quick_help(Some(&state()));
        assert_eq!(help.current_context, "write_test phase, cycle 1");
        assert_eq!(help.available_actions[0], "Write a failing test in: tests/test_calc.py");
        assert!(!help.available_actions.iter().any(|action| action.contains("rollback")), "nothing to go back to");
        assert_eq!(help.quick_commands["status"], "tdd_get_current_state()");
        assert_eq!(quick_help(None).current_context, "no active session");
    }

    #[test]
    fn long_lists_and_texts_are_cut_between_characters() {
        let many: Vec<String> = (0..9).map(|n| n.to_string()).collect();
        assert_eq!(join_first_names(&many), "0, 1, 2, 3, 4, 5 and 3 more");
        assert_eq!(truncate_with_ellipsis("äöü", 2), "äö…");
        assert_eq!(truncate_with_ellipsis("äöü", 3), "äöü");
    }
}
