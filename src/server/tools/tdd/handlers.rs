//! From arguments to a call into the domain, and from its answer to a reply.

use super::arguments::{Back, Detail, Next, Note, Past, Resume, Start, State, Update};
use super::resources::{CURRENT, session_uri};
use super::{Paused, Recorded, Room};
use crate::dispatch::Reply;
use crate::tool::Context;
use tapps_base::Result;
use tapps_tdd::history::{MAX_PAGE, PageSize};
use tapps_tdd::view::STATE_BYTES;
use tapps_tdd::{NextPhase, StartRequest, StateView, UpdateRequest};

impl Room {
    /// A reply that shows the state after a change, which subscribers are told of.
    fn changed(&self, view: StateView) -> Result<Reply> {
        self.announce(&view.session_id);
        state(view, Detail::Summary)
    }

    fn announce(&self, session_id: &str) {
        self.updates.changed(CURRENT);
        self.updates.changed(&session_uri(session_id));
        self.updates.changed(&format!("{}/history", session_uri(session_id)));
    }
}

fn state(view: StateView, detail: Detail) -> Result<Reply> {
    let brief = format!("{} (cycle {}): {}", view.current_phase, view.cycle_number, view.suggested_next_action);
    let reply = match detail {
        Detail::Full => Reply::of(&view)?.whole(),
        Detail::Summary => Reply::of(&view.fit(STATE_BYTES))?,
    };
    Ok(reply.brief(brief))
}

pub(super) async fn start(room: Room, given: Start) -> Result<Reply> {
    let Start { goal, test_files, implementation_files, run_tests, custom_rules, verified } = given;
    room.changed(room.sessions.start(&StartRequest {
        goal,
        test_files,
        implementation_files,
        run_tests,
        custom_rules: custom_rules.unwrap_or_default(),
        verified: verified.unwrap_or_default(),
    })?)
}

pub(super) async fn update(room: Room, given: Update) -> Result<Reply> {
    let Update { goal, test_files, implementation_files, run_tests, custom_rules } = given;
    let update = UpdateRequest { goal, test_files, implementation_files, run_tests, custom_rules };
    room.changed(room.sessions.update(&update)?)
}

pub(super) async fn resume(room: Room, given: Resume) -> Result<Reply> {
    room.changed(room.sessions.resume(&given.session_id)?)
}

pub(super) async fn pause(room: Room) -> Result<Reply> {
    let id = room.sessions.pause()?;
    room.announce(id.as_str());
    let message = format!("paused; tdd_resume_session(\"{id}\") goes on");
    Ok(Reply::of(&Paused { session_id: id.to_string(), message: message.clone() })?.brief(message))
}

pub(super) async fn end(room: Room) -> Result<Reply> {
    let summary = room.sessions.end()?;
    room.announce(&summary.session_id);
    Ok(Reply::of(&summary)?.brief(summary.summary))
}

pub(super) async fn next_phase(room: Room, given: Next, context: Context) -> Result<Reply> {
    let next =
        NextPhase { evidence: given.evidence_description, skip_refactor: given.skip_refactor.unwrap_or_default() };
    let view = room.sessions.next_phase(&next, &context.call).await?;
    room.changed(view)
}

pub(super) async fn rollback(room: Room, given: Back) -> Result<Reply> {
    room.changed(room.sessions.rollback(&given.reason)?)
}

pub(super) async fn log(room: Room, given: Note) -> Result<Reply> {
    let total_events = room.sessions.log(&given.message)?;
    if let Ok(Some(id)) = room.sessions.current_id() {
        room.announce(id.as_str());
    }
    Ok(Reply::of(&Recorded { success: true, total_events })?.brief("noted"))
}

pub(super) async fn current(room: Room, given: State) -> Result<Reply> {
    state(room.sessions.current()?, given.detail.unwrap_or_default())
}

pub(super) async fn history(room: Room, given: Past) -> Result<Reply> {
    let full = given.detail.unwrap_or_default() == Detail::Full;
    let size = PageSize { events: given.limit.unwrap_or(MAX_PAGE), full };
    let page = room.sessions.history(given.before, size)?;
    let brief = page.history.join("\n");
    Ok(Reply::of(&page)?.whole().brief(brief))
}

pub(super) async fn quick_help(room: Room) -> Result<Reply> {
    let help = room.sessions.quick_help();
    Ok(Reply::of(&help)?.brief(help.available_actions.join("\n")))
}
