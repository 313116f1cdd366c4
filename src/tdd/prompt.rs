//! The two prompts: how to work in sessions, and how to set one up.

/// What an agent that is new to sessions needs to know.
pub const INITIALIZE: &str = "\
🔄 Test-driven development sessions are ready

These tools keep you in the cycle of test-driven development and keep a record of it. The session remembers where you
are, also after a restart; you say what you did, and it says what comes next.

## THE CYCLE
1. 📝 WRITE_TEST: write ONE failing test
2. ✅ IMPLEMENT: write the least code that makes it pass
3. 🔧 REFACTOR: improve code and tests (may be skipped)
Then the next test begins a new cycle.

## TOOLS
• tdd_start_session(goal, test_files, implementation_files, run_tests): begin; name every file
• tdd_get_current_state(): the phase, the files you may edit, what to do next
• tdd_next_phase(evidence_description): go on, saying what you did; skip_refactor: true leaves refactoring out
• tdd_rollback(reason): return to the phase before, also across cycles
• tdd_update_session(…): change the goal, files, commands or rules
• tdd_log(message) and tdd_history(): note something; read what happened
• tdd_pause_session(), tdd_resume_session(session_id), tdd_end_session(): lay aside, go on, finish
• tdd_quick_help(): shortcuts for the present phase

## HOW TO BEGIN
1. Call tdd_get_current_state(): there may be a session to go on with, and its id is named
2. If not, call tdd_start_session with a goal that says when the work is done
3. Follow suggested_next_action
4. Run the tests yourself, then call tdd_next_phase with what you saw

## GOOD PRACTICE
• In WRITE_TEST edit test files only, in IMPLEMENT implementation files only: allowed_files tells which
• A test must fail first, for the reason you expect
• Evidence says what the test checks and what the run showed, not merely \"done\"
• Use tdd_log for decisions and surprises
• In a verified session the server runs the tests itself: it lets go of WRITE_TEST only when a test fails because the
  behaviour is missing, and of IMPLEMENT and REFACTOR only when all is green

## WHAT THE USER MAY SAY
• \"next\" → tdd_next_phase with evidence
• \"skip refactor\" → tdd_next_phase with skip_refactor: true
• \"go back\" or \"rollback\" → tdd_rollback with the reason
• \"status\" → tdd_get_current_state
• \"log X\" or \"note X\" → tdd_log
• \"pause\" → tdd_pause_session
";

/// How to find the parameters of a session for `goal`.
#[must_use]
pub fn session_wizard_prompt(goal: &str) -> String {
    format!(
        "🧭 Set up a test-driven development session

Goal: {goal}

Work out the four parameters of tdd_start_session together with the user; look at the project before you ask.

1. goal: one or two sentences that say what is to be built and when it is done. Sharpen the goal above where it is
   vague, and ask only if it can be understood in two ways.
2. test_files: the test files you will write in, each by its path from the project root. Follow the project's
   conventions (tests/test_*.py, src/**/*.test.ts, tests/*.rs …). Files that are still to be made count as well;
   patterns do not.
3. implementation_files: the files that will hold the implementation, likewise.
4. run_tests: the commands that run these tests, for example `pytest tests/test_auth.py -v` or `cargo test`. Run
   them once now: they should work before the first test is written.

Also consider
• custom_rules: what the user wants to be reminded of at every step, for example \"Commit at the end of each cycle\".
• verified: true when the commands above run in this environment within the server's deadline and the user agrees that
  the server runs them. Phases are then let go of on results rather than on words.

Then show the user the parameters, call tdd_start_session with them, and follow suggested_next_action.
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_explained() {
        for tool in [
            "start_session",
            "update_session",
            "resume_session",
            "pause_session",
            "end_session",
            "next_phase",
            "rollback",
            "get_current_state",
            "log",
            "history",
            "quick_help",
        ] {
            assert!(INITIALIZE.contains(&format!("tdd_{tool}(")), "{tool}");
        }
    }

    #[test]
    fn the_wizard_takes_up_the_goal() {
        let text = session_wizard_prompt("add login");
        assert!(text.contains("Goal: add login\n") && text.contains("run_tests:"));
    }
}
