//! The hook at the beginning of a session: the files are recorded as they are, and the model is told what this project is.

use std::time::SystemTime;

use serde_json::Value;

use super::super::CliContext;
use super::brief::session_brief;
use super::{EngineSource, hook_call};
use tapps_base::Result;
use tapps_session::{AgentSession, AgentSessions};
use tapps_tdd::hook::HookClient;
use tapps_tdd::hook_turn::HookAnswer;

/// Records the tree of a session that is new, and gives the brief.
///
/// # Errors
/// What git and the state folder say.
pub(super) async fn answer_begin(
    client: HookClient,
    request: &Value,
    engine: EngineSource<'_>,
    context: &CliContext,
) -> Result<HookAnswer> {
    let (session, agent) = client.session_of(request);
    let sessions = AgentSessions::open(&context.boundary)?;
    if !agent.is_empty() {
        return begin_of_agent(client, (&session, agent), &sessions, engine, context).await;
    }
    sessions.forget_old_sessions(SystemTime::now());
    // One that goes on, or whose context was made smaller, began with the files as they were then.
    if sessions.load_session(client.as_str(), &session).is_none() {
        let (engine, call) = (engine()?, hook_call(context));
        let mut state = AgentSession::default();
        if engine.has_history(&call).await? {
            let objects = sessions.objects_of(client.as_str(), &session);
            state.tree = Some(engine.record_tree(&objects, &call).await?.tree);
        }
        sessions.save_session(client.as_str(), &session, &state)?;
    }
    Ok(client.session_brief(&session_brief(context).await))
}

/// Records the tree that an agent which the session has started begins with, so that it is not held to what others do.
async fn begin_of_agent(
    client: HookClient,
    (session, agent): (&str, String),
    sessions: &AgentSessions,
    engine: EngineSource<'_>,
    context: &CliContext,
) -> Result<HookAnswer> {
    let (engine, call) = (engine()?, hook_call(context));
    let mut state = sessions.load_session(client.as_str(), session).unwrap_or_default();
    if !state.agents.contains_key(&agent) && engine.has_history(&call).await? {
        let objects = sessions.objects_of(client.as_str(), session);
        state.agents.insert(agent, engine.record_tree(&objects, &call).await?.tree);
        sessions.save_session(client.as_str(), session, &state)?;
    }
    Ok(HookAnswer::silent())
}
