//! From arguments to a call into the domain, and from its answer to a reply.

use super::arguments::{
    Back, EmptyArguments, Next, Past, Resume, Start, TddLogArguments, TddReplyDetail, TddStateArguments, Update,
};
use super::resources::{CURRENT, session_uri};
use super::{Paused, Room, TddEventRecorded};
use crate::dispatch::Reply;
use crate::tool::ToolContext;
use tapps_base::Result;
use tapps_tdd::history::{MAX_PAGE, PageSize};
use tapps_tdd::view::STATE_BYTES;
use tapps_tdd::{NextPhase, StartRequest, StateView, UpdateRequest};

impl Room {
    /// A reply that shows the state after a change, which subscribers are told of.
    fn reply_after_change(&self, view: StateView) -> Result<Reply> {
        self.announce(&view.session_id);
        state_reply(view, TddReplyDetail::Summary)
    }

    fn announce(&self, session_id: &str) {
        self.updates.notify_changed(CURRENT);
        self.updates.notify_changed(&session_uri(session_id));
        self.updates.notify_changed(&format!("{}/history", session_uri(session_id)));
    }
}

fn state_reply(view: StateView, detail: TddReplyDetail) -> Result<Reply> {
    let brief = format!("{} (cycle {}): {}", view.current_phase, view.cycle_number, view.suggested_next_action);
    let reply = match detail {
        TddReplyDetail::Full => Reply::from_serializable(&view)?.without_budget(),
        TddReplyDetail::Summary => Reply::from_serializable(&view.shorten_to_fit(STATE_BYTES))?,
    };
    Ok(reply.with_brief(brief))
}

pub(super) async fn handle_start_session(room: Room, given: Start, _: ToolContext) -> Result<Reply> {
    let Start { goal, test_files, implementation_files, run_tests, custom_rules, verified } = given;
    room.reply_after_change(room.sessions.start(&StartRequest {
        goal,
        test_files,
        implementation_files,
        run_tests,
        custom_rules: custom_rules.unwrap_or_default(),
        verified: verified.unwrap_or_default(),
    })?)
}

pub(super) async fn handle_update_session(room: Room, given: Update, _: ToolContext) -> Result<Reply> {
    let Update { goal, test_files, implementation_files, run_tests, custom_rules } = given;
    let update = UpdateRequest { goal, test_files, implementation_files, run_tests, custom_rules };
    room.reply_after_change(room.sessions.update(&update)?)
}

pub(super) async fn handle_resume_session(room: Room, given: Resume, _: ToolContext) -> Result<Reply> {
    room.reply_after_change(room.sessions.resume(&given.session_id)?)
}

pub(super) async fn handle_pause_session(room: Room, _: EmptyArguments, _: ToolContext) -> Result<Reply> {
    let id = room.sessions.pause()?;
    room.announce(id.as_str());
    let message = format!("paused; tdd_resume_session(\"{id}\") goes on");
    Ok(Reply::from_serializable(&Paused { session_id: id.to_string(), message: message.clone() })?.with_brief(message))
}

pub(super) async fn handle_end_session(room: Room, _: EmptyArguments, _: ToolContext) -> Result<Reply> {
    let summary = room.sessions.end()?;
    room.announce(&summary.session_id);
    Ok(Reply::from_serializable(&summary)?.with_brief(summary.summary))
}

pub(super) async fn next_phase(room: Room, given: Next, context: ToolContext) -> Result<Reply> {
    let next =
        NextPhase { evidence: given.evidence_description, skip_refactor: given.skip_refactor.unwrap_or_default() };
    let view = room.sessions.next_phase(&next, &context.call).await?;
    room.reply_after_change(view)
}

pub(super) async fn handle_rollback(room: Room, given: Back, _: ToolContext) -> Result<Reply> {
    room.reply_after_change(room.sessions.rollback(&given.reason)?)
}

pub(super) async fn handle_log_note(room: Room, given: TddLogArguments, _: ToolContext) -> Result<Reply> {
    let total_events = room.sessions.log_note(&given.message)?;
    if let Ok(Some(id)) = room.sessions.current_id() {
        room.announce(id.as_str());
    }
    Ok(Reply::from_serializable(&TddEventRecorded { success: true, total_events })?.with_brief("noted"))
}

pub(super) async fn handle_current_state(room: Room, given: TddStateArguments, _: ToolContext) -> Result<Reply> {
    state_reply(room.sessions.current_view()?, given.detail.unwrap_or_default())
}

pub(super) async fn handle_history(room: Room, given: Past, _: ToolContext) -> Result<Reply> {
    let full = given.detail.unwrap_or_default() == TddReplyDetail::Full;
    let size = PageSize { events: given.limit.unwrap_or(MAX_PAGE), full };
    let page = room.sessions.history(given.before, size)?;
    let brief = page.history.join("\n");
    Ok(Reply::from_serializable(&page)?.without_budget().with_brief(brief))
}

pub(super) async fn quick_help(room: Room, _: EmptyArguments, _: ToolContext) -> Result<Reply> {
    let help = room.sessions.quick_help();
    Ok(Reply::from_serializable(&help)?.with_brief(help.available_actions.join("\n")))
}
