//! The prompts of this toolset.

use rmcp::ErrorData;

use crate::prompts::{Argument, Prompt, text_message};
use tapps_tdd::prompt;

/// How to work in sessions, and how to set one up.
pub(crate) fn prompts() -> Vec<Prompt> {
    let goal = Argument { name: "goal", description: "What is to be built", required: true, values: &[] };
    vec![
        Prompt::from_messages(
            "initialize",
            "Work test-driven",
            "How to work in test-driven development sessions: the cycle, the tools, good practice",
            Vec::new(),
            |_| Ok(vec![text_message(prompt::INITIALIZE)]),
        ),
        Prompt::from_messages(
            "start_session_wizard",
            "Set up a TDD session",
            "Find the files, commands and rules of a test-driven development session for a goal",
            vec![goal],
            |call| match call.arguments.get("goal").map(|goal| goal.trim()).filter(|goal| !goal.is_empty()) {
                Some(goal) => Ok(vec![text_message(prompt::session_wizard_prompt(goal))]),
                None => Err(ErrorData::invalid_params("`goal` is empty: say what is to be built", None)),
            },
        ),
    ]
}
