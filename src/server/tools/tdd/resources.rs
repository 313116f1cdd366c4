//! Sessions as resources: the current one, and each by its id.

use std::sync::Arc;

use serde::Serialize;
use serde_json::json;

use crate::resources::{Freshness, Resource, ResourceContent, ResourceUriTemplate};
use tapps_base::{Error, ErrorCode, Result};
use tapps_tdd::SessionId;
use tapps_tdd::history::{MAX_PAGE, PageSize};
use tapps_tdd::sessions::Sessions;

/// The session that is active or was interrupted.
pub(super) const CURRENT: &str = "tapps://tdd/current";

const SESSION: &str = "tapps://tdd/sessions/{session_id}";
const HISTORY: &str = "tapps://tdd/sessions/{session_id}/history";
const JSON: &str = "application/json";

/// The address of a session.
pub(super) fn session_uri(id: &str) -> String {
    format!("tapps://tdd/sessions/{id}")
}

/// What can be read without knowing an id.
pub(crate) fn resources(sessions: &Arc<Sessions>) -> Vec<Resource> {
    let sessions = Arc::clone(sessions);
    let current = Resource::new(CURRENT, "tdd_current", JSON, Freshness::Project, move || {
        let session = sessions.current_id()?.map(|id| sessions.look_at(&id)).transpose()?;
        tdd_json_content(&json!({ "session": session, "help": sessions.quick_help() }))
    });
    vec![current.with_title_and_description(
        "Current TDD session",
        "State of the session that is active or was interrupted, and help for it",
    )]
}

/// What can be read by id.
pub(crate) fn templates(sessions: &Arc<Sessions>) -> Vec<ResourceUriTemplate> {
    let read_state =
        |sessions: &Sessions, id: &SessionId| sessions.look_at(id).and_then(|view| tdd_json_content(&view));
    let read_history = |sessions: &Sessions, id: &SessionId| {
        let page = sessions.history_of(id, None, PageSize { events: MAX_PAGE, full: false });
        page.and_then(|page| tdd_json_content(&page))
    };
    vec![
        session_template(sessions, SESSION, "tdd_session", read_state)
            .with_title_and_description("TDD session", "State of a session, also of an ended one"),
        session_template(sessions, HISTORY, "tdd_history", read_history)
            .with_title_and_description("TDD history", "The last page of a session's timeline"),
    ]
}

fn session_template(
    sessions: &Arc<Sessions>,
    uri: &'static str,
    name: &'static str,
    read: impl Fn(&Sessions, &SessionId) -> Result<ResourceContent> + Send + Sync + 'static,
) -> ResourceUriTemplate {
    let (reading, completing) = (Arc::clone(sessions), Arc::clone(sessions));
    ResourceUriTemplate::new(uri, name, JSON, Freshness::Project, move |values| {
        let id = SessionId::parse(values.first()?).ok()?;
        reading.repository().session_exists(&id).then(|| read(&reading, &id))
    })
    .with_completion(move |_, typed| {
        let known = completing.repository().sessions().unwrap_or_default();
        known.iter().map(SessionId::as_str).filter(|id| id.starts_with(typed)).map(str::to_owned).collect()
    })
}

fn tdd_json_content(value: &impl Serialize) -> Result<ResourceContent> {
    serde_json::to_string(value)
        .map(ResourceContent::Text)
        .map_err(|e| Error::new(ErrorCode::Internal, format!("the resource has no JSON form: {e}")))
}
