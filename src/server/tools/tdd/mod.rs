//! Toolset `tdd`: test-driven development sessions.

mod arguments;
mod handlers;
mod prompts;
mod resources;

use std::sync::Arc;

pub(crate) use prompts::prompts;
pub(crate) use resources::{resources, templates};
use schemars::JsonSchema;
use serde::Serialize;

use crate::protocol::Updates;
use crate::services::Services;
use crate::tool::{Effects, SessionArgument, Tool, ToolGroup, Toolset};
use tapps_tdd::guidance::QuickHelp;
use tapps_tdd::history::History;
use tapps_tdd::sessions::{SessionSummary, Sessions};
use tapps_tdd::view::StateView;

/// What the handlers share.
#[derive(Debug, Clone)]
struct Room {
    sessions: Arc<Sessions>,
    updates: Updates,
}

/// Something was recorded.
#[derive(Debug, Serialize, JsonSchema)]
struct TddEventRecorded {
    success: bool,
    /// Events of the session so far.
    total_events: u64,
}

/// A session was laid aside.
#[derive(Debug, Serialize, JsonSchema)]
struct Paused {
    session_id: String,
    message: String,
}

/// The tools of this toolset.
pub(super) fn tools(services: &Services) -> Vec<Tool> {
    let room = Room { sessions: Arc::clone(&services.tdd), updates: services.updates.clone() };
    let group = ToolGroup::new(Toolset::Tdd, room);
    let tools = [session_tools(&group), step_tools(&group), reading_tools(&group)].concat();
    let telling_sessions_apart = |tool: Tool| match tool.session {
        SessionArgument::Own => tool,
        _ => tool.session_argument(SessionArgument::NamedIfKnown),
    };
    tools.into_iter().map(telling_sessions_apart).collect()
}

fn session_tools(group: &ToolGroup<Room>) -> Vec<Tool> {
    vec![
        group.tool("tdd_start_session", "Start a TDD session", handlers::handle_start_session)
        .describe(
            "Begin a test-driven development session: one goal, the files that may be edited in each phase, the commands \
             that run the tests. One session is active at a time. Returns the state with session_id, phase write_test, \
             allowed_files and what to do next.",
        )
        .with_aliases(&["start_session"])
        .with_effects(Effects::Records)
        .returns::<StateView>(),
        group.tool("tdd_update_session", "Change a TDD session", handlers::handle_update_session)
        .describe(
            "Change the goal, files, test commands or custom rules of the active session; what is left out stays. Returns \
             the new state.",
        )
        .with_aliases(&["update_session"])
        .with_effects(Effects::Records)
        .returns::<StateView>(),
        group.tool("tdd_resume_session", "Resume a TDD session", handlers::handle_resume_session)
        .describe(
            "Go on with a session that was paused, or interrupted by the end of its process, in the phase where it stood. \
             Ended sessions cannot be resumed. Returns the state.",
        )
        .with_aliases(&["resume_session"])
        .with_effects(Effects::Records)
        .session_argument(SessionArgument::Own)
        .returns::<StateView>(),
        group.tool("tdd_pause_session", "Pause the TDD session", handlers::handle_pause_session)
        .describe("Lay the active session aside and let go of its lock. Returns the session_id to resume it with.")
        .with_aliases(&["pause_session"])
        .with_effects(Effects::Records)
        .returns::<Paused>(),
        group.tool("tdd_end_session", "End the TDD session", handlers::handle_end_session)
        .describe("End the active session for good. Returns a summary: goal, final phase, cycles completed, events.")
        .with_aliases(&["end_session"])
        .with_effects(Effects::Records)
        .returns::<SessionSummary>(),
    ]
}

fn step_tools(group: &ToolGroup<Room>) -> Vec<Tool> {
    vec![
        group.tool("tdd_next_phase", "Go on to the next phase", handlers::next_phase)
        .describe(
            "Go forward: write_test to implement to refactor to the next write_test, with evidence of what was done. In a \
             verified session the server runs the tests first and refuses to leave write_test unless a test fails because \
             the behaviour is missing, and implement or refactor unless all is green. Returns the new state.",
        )
        .with_aliases(&["next_phase"])
        .with_effects(Effects::Records)
        .returns::<StateView>(),
        group.tool("tdd_rollback", "Go back one phase", handlers::handle_rollback)
        .describe(
            "Return to the phase before, also across cycles; nothing is deleted from the history. Files are left as they \
             are. Returns the state.",
        )
        .with_aliases(&["rollback"])
        .with_effects(Effects::Records)
        .returns::<StateView>(),
        group.tool("tdd_log", "Note something", handlers::handle_log_note)
        .describe("Add a note (at most 64 KiB) to the active session's history without changing its phase.")
        .with_aliases(&["log"])
        .with_effects(Effects::Records)
        .returns::<TddEventRecorded>(),
    ]
}

fn reading_tools(group: &ToolGroup<Room>) -> Vec<Tool> {
    vec![
        group.tool("tdd_get_current_state", "Where the TDD session stands", handlers::handle_current_state)
        .describe(
            "Call this first and whenever in doubt. Returns the active session's phase, cycle, task, the files that may be \
             edited now, the rules, what to do next, and whether the phase's files have changed since it began. Without an \
             active session the error names the sessions that can be resumed.",
        )
        .with_aliases(&["get_current_state"])
        .returns::<StateView>(),
        group.tool("tdd_history", "What happened in the TDD session", handlers::handle_history)
        .describe(
            "Read the active session's timeline, oldest line first; the last page by default, earlier ones with before: \
             next_before. Returns the lines and the total number of events.",
        )
        .with_aliases(&["history"])
        .returns::<History>(),
        group.tool("tdd_quick_help", "Shortcuts for the present phase", handlers::quick_help)
        .describe("Returns what can be done now, the call behind each short command of the user, and reminders.")
        .with_aliases(&["quick_help"])
        .returns::<QuickHelp>(),
    ]
}
