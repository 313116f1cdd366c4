//! `tapps_session_notes`: what a session must not forget.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::dispatch::Reply;
use crate::services::Services;
use crate::tool::{Context, Effects, Tool, Toolset};
use tapps_base::{Error, Result};
use tapps_session::Notes;
use tapps_session::notes::{Note, NoteChange, NoteList, NoteMatches};

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Action {
    Save,
    Get,
    List,
    Clear,
    Delete,
    Search,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    action: Action,
    /// For save, get, delete
    key: Option<String>,
    /// For save
    value: Option<String>,
    /// For search: part of a key or value
    query: Option<String>,
    /// For save: let search find it in other clients' sessions while this one lasts. Default: false
    shared: Option<bool>,
}

/// The tools of this file.
pub(super) fn tools(services: &Services) -> Vec<Tool> {
    let notes = services.notes.clone();
    vec![
        Tool::new(Toolset::Project, "tapps_session_notes", "Keep notes", move |given, context| {
            std::future::ready(answer(&notes, given, &context))
        })
        .describe(
            "Keep decisions and constraints of this session under a key, so that they outlive a long context. search also \
             finds notes of the project's finished sessions, and of other clients' live ones what was saved with shared: \
             true. A live session of another client is neither read nor changed. Never note a secret. Over HTTP since \
             protocol 2026-07-28 it needs session_id.",
        )
        .effects(Effects::Records)
        .with_cursor()
        .returns(&[
            |g| g.subschema_for::<NoteChange>(),
            |g| g.subschema_for::<Note>(),
            |g| g.subschema_for::<NoteList>(),
            |g| g.subschema_for::<NoteMatches>(),
        ]),
    ]
}

fn answer(notes: &Notes, given: Arguments, context: &Context) -> Result<Reply> {
    let session = context.session()?;
    notes.check_owner(session, context.own_session.as_deref())?;
    let Arguments { action, key, value, query, shared, .. } = given;
    let needed = |argument: Option<String>, name: &str| {
        argument.ok_or_else(|| Error::invalid(format!("this action needs `{name}`")).hint(format!("pass `{name}`")))
    };
    match action {
        Action::Save => Reply::of(&notes.save(
            session,
            &needed(key, "key")?,
            &needed(value, "value")?,
            shared.unwrap_or_default(),
        )?),
        Action::Get => Ok(Reply::of(&notes.get(session, &needed(key, "key")?)?)?.whole()),
        Action::List => Ok(Reply::of(&notes.list(session)?)?.whole()),
        Action::Clear => Reply::of(&notes.clear(session)?),
        Action::Delete => Reply::of(&notes.delete(session, &needed(key, "key")?)?),
        Action::Search => Ok(Reply::of(&notes.search(session, &needed(query, "query")?)?)?.paged("matches")),
    }
}
