//! All sessions of a project at a glance.

use schemars::JsonSchema;
use serde::Serialize;

use super::guidance::truncate_with_ellipsis;
use super::id::SessionId;
use super::phase::Phase;
use super::repository::Repository;
use super::session;
use super::state::SessionStatus;
use tapps_base::Result;

/// Sessions, the current one first, then by the time of their last event, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Listing {
    /// The session that is active or was interrupted.
    pub current: Option<String>,
    pub sessions: Vec<SessionListEntry>,
}

/// One session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SessionListEntry {
    pub session_id: String,
    /// None for a log that cannot be read.
    pub state: Option<SessionBrief>,
    /// Who works on it now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locked_by: Option<String>,
    /// Why it cannot be read, or what was left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Where a session stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SessionBrief {
    pub status: SessionStatus,
    pub current_phase: Phase,
    pub cycle_number: u32,
    pub goal: String,
    pub events: u64,
    pub updated_at: String,
}

/// Looks at every session.
///
/// # Errors
/// `internal` when the folder of the sessions cannot be read.
pub fn list(repository: &dyn Repository) -> Result<Listing> {
    let current = repository.current()?;
    let mut sessions: Vec<SessionListEntry> =
        repository.sessions()?.iter().map(|id| session_list_entry(repository, id)).collect();
    let is_current = |entry: &SessionListEntry| current.as_ref().is_some_and(|id| id.as_str() == entry.session_id);
    let updated = |entry: &SessionListEntry| entry.state.as_ref().map(|state| state.updated_at.clone());
    sessions.sort_by(|a, b| {
        let newest = updated(b).cmp(&updated(a)).then_with(|| a.session_id.cmp(&b.session_id));
        is_current(b).cmp(&is_current(a)).then(newest)
    });
    Ok(Listing { current: current.map(|id| id.to_string()), sessions })
}

fn session_list_entry(repository: &dyn Repository, id: &SessionId) -> SessionListEntry {
    let (state, mut warnings) = match session::replay(repository, id) {
        Ok((state, replayed)) => (Some(state), replayed.warnings()),
        Err(error) => (None, vec![error.message().to_owned()]),
    };
    let locked_by = repository.is_locked(id).unwrap_or_else(|error| {
        warnings.push(error.message().to_owned());
        None
    });
    let state = state.map(|state| SessionBrief {
        status: state.status,
        current_phase: state.current_cycle_phase().phase,
        cycle_number: state.current_cycle_phase().cycle,
        goal: truncate_with_ellipsis(&state.goal, 120),
        events: state.events,
        updated_at: state.updated_at,
    });
    SessionListEntry {
        session_id: id.to_string(),
        state,
        locked_by: locked_by.map(|owner| owner.to_string()),
        warnings,
    }
}
