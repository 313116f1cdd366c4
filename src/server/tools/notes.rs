//! `tapps_session_notes`: what a session must not forget.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::dispatch::Reply;
use crate::services::Services;
use crate::tool::{Effects, Tool, ToolContext, ToolGroup, Toolset};
use tapps_base::{Error, Result};
use tapps_session::Notes;
use tapps_session::notes::{NoteChange, NoteList, NoteMatches, SessionNote};

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum NoteAction {
    Save,
    Get,
    List,
    Clear,
    Delete,
    Search,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct SessionNotesArguments {
    action: NoteAction,
    /// For save, get, delete
    key: Option<String>,
    /// For save
    value: Option<String>,
    /// For search: part of a key or value
    query: Option<String>,
    /// For save: search in other clients' sessions finds it. Default: false
    shared: Option<bool>,
}

/// The tools of this file.
pub(super) fn tools(services: &Services) -> Vec<Tool> {
    let group = ToolGroup::new(Toolset::Project, services.notes.clone());
    vec![
        group.immediate_tool("tapps_session_notes", "Keep notes", handle_session_notes)
        .describe(
            "Keep decisions and constraints of this session under a key, so that they outlive a long context. search also \
             finds notes of the project's finished sessions, and of other clients' live ones what was saved with shared: \
             true. Never note a secret. Over HTTP since protocol 2026-07-28 it needs session_id.",
        )
        .with_effects(Effects::Records)
        .with_cursor()
        .returns_any(&[
            |g| g.subschema_for::<NoteChange>(),
            |g| g.subschema_for::<SessionNote>(),
            |g| g.subschema_for::<NoteList>(),
            |g| g.subschema_for::<NoteMatches>(),
        ]),
    ]
}

fn handle_session_notes(notes: &Notes, given: SessionNotesArguments, context: &ToolContext) -> Result<Reply> {
    let session = context.require_session()?;
    notes.check_owner(session, context.own_session.as_deref())?;
    let SessionNotesArguments { action, key, value, query, shared, .. } = given;
    let needed = |argument: Option<String>, name: &str| {
        argument.ok_or_else(|| Error::invalid(format!("this action needs `{name}`")).hint(format!("pass `{name}`")))
    };
    match action {
        NoteAction::Save => Reply::from_serializable(&notes.save(
            session,
            &needed(key, "key")?,
            &needed(value, "value")?,
            shared.unwrap_or_default(),
        )?),
        NoteAction::Get => Ok(Reply::from_serializable(&notes.get(session, &needed(key, "key")?)?)?.without_budget()),
        NoteAction::List => Ok(Reply::from_serializable(&notes.list(session)?)?.without_budget()),
        NoteAction::Clear => Reply::from_serializable(&notes.clear(session)?),
        NoteAction::Delete => Reply::from_serializable(&notes.delete(session, &needed(key, "key")?)?),
        NoteAction::Search => {
            Ok(Reply::from_serializable(&notes.search(session, &needed(query, "query")?)?)?.with_paged_list("matches"))
        }
    }
}
