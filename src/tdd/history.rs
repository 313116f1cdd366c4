//! The events of a session as lines for people.

use schemars::JsonSchema;
use serde::Serialize;

use super::event::{EventData, SessionEvent};
use super::guidance::{join_first_names, truncate_with_ellipsis};

/// Bytes of the lines of one page by default; replies have 6,000 in all.
pub const PAGE_BYTES: usize = 5_000;

/// Bytes of the lines of one page when whole texts are asked for.
pub const FULL_PAGE_BYTES: usize = 1024 * 1024;

/// Most events on a page.
pub const MAX_PAGE: usize = 200;

/// Characters of a text that a line shows by default.
const TEXT_SHOWN: usize = 240;

/// A page of a session's history, oldest line first; without `before` it is the last page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct History {
    pub session_id: String,
    /// `YYYY-MM-DD HH:MM:SS - what happened`, oldest first.
    pub history: Vec<String>,
    /// All events of the session.
    pub total: u64,
    /// True when there are earlier events than those shown.
    pub truncated: bool,
    /// Pass this as `before` for the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_before: Option<u64>,
}

/// How many lines, and how much of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageSize {
    pub events: usize,
    pub full: bool,
}

/// Makes a page from events that come newest first.
#[must_use]
pub fn build_history_page(session_id: &str, newest_first: &[SessionEvent], total: u64, size: PageSize) -> History {
    let room = if size.full { FULL_PAGE_BYTES } else { PAGE_BYTES };
    let mut used = 0;
    let mut lines = Vec::new();
    let mut oldest = None;
    for event in newest_first.iter().take(size.events) {
        let line = render_event_line(event, size.full);
        used += serde_json::to_string(&line).map_or(line.len(), |json| json.len()) + 1;
        if used > room && !lines.is_empty() {
            break;
        }
        oldest = Some(event.seq);
        lines.push(line);
    }
    lines.reverse();
    let next_before = oldest.filter(|seq| *seq > 1);
    History { session_id: session_id.to_owned(), history: lines, total, truncated: next_before.is_some(), next_before }
}

/// One event as a line.
#[must_use]
pub fn render_event_line(event: &SessionEvent, full: bool) -> String {
    // The first nineteen characters of an RFC 3339 time are the date and the time of day.
    let when = event.timestamp.get(..19).unwrap_or(&event.timestamp).replace('T', " ");
    let text = |text: &str| {
        let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if full { text.to_owned() } else { truncate_with_ellipsis(&one_line, TEXT_SHOWN) }
    };
    let what = match &event.data {
        EventData::SessionStarted(started) => {
            let verified = if started.verified { " (verified)" } else { "" };
            format!("Session started{verified}: {}", text(&started.goal))
        }
        EventData::SessionUpdated(update) => {
            let mut changed = Vec::new();
            changed.extend(update.goal.as_ref().map(|goal| format!("goal: {}", text(goal))));
            let mut list = |name: &str, list: Option<&Vec<String>>| {
                changed.extend(list.map(|list| format!("{name}: {}", join_first_names(list))));
            };
            list("test_files", update.test_files.as_ref());
            list("implementation_files", update.implementation_files.as_ref());
            list("run_tests", update.run_tests.as_ref());
            list("custom_rules", update.custom_rules.as_ref());
            format!("Session updated: {}", changed.join("; "))
        }
        EventData::PhaseChanged(change) => {
            let from = change.from_phase.map_or("start", super::phase::Phase::as_str);
            let skipped = if change.skip_refactor { " (refactor skipped)" } else { "" };
            let proof = change.verification.as_ref().map_or_else(String::new, |v| format!(" [{}]", v.summary()));
            format!("Phase {from} -> {}{skipped}: {}{proof}", change.to_phase, text(&change.evidence))
        }
        EventData::PhaseRefused(refused) => {
            format!("Phase {} kept: {} (evidence: {})", refused.phase, text(&refused.reason), text(&refused.evidence))
        }
        EventData::Rollback(back) => {
            format!("Rollback {} -> {}: {}", back.from_phase, back.to_phase, text(&back.reason))
        }
        EventData::LogEntry(entry) => format!("Log: {}", text(&entry.message)),
        EventData::SessionPaused(_) => "Session paused".to_owned(),
        EventData::SessionResumed(_) => "Session resumed".to_owned(),
        EventData::SessionEnded(_) => "Session ended".to_owned(),
    };
    format!("{when} - {what}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Digests, LogEntry, PhaseChanged};
    use crate::phase::Phase;

    fn log(seq: u64, message: &str) -> SessionEvent {
        let data = EventData::LogEntry(LogEntry { message: message.to_owned() });
        SessionEvent { seq, timestamp: "2025-07-11T10:35:00Z".into(), data }
    }

    #[test]
    fn lines_have_the_documented_form() {
        let change = PhaseChanged {
            from_phase: Some(Phase::WriteTest),
            to_phase: Phase::Implement,
            evidence: "Created failing test\nfor login".into(),
            cycle_number: Some(1),
            skip_refactor: false,
            verification: None,
            files: Digests::new(),
        };
        let event =
            SessionEvent { seq: 2, timestamp: "2025-07-11T10:35:00Z".into(), data: EventData::PhaseChanged(change) };
        let expected = "2025-07-11 10:35:00 - Phase write_test -> implement: Created failing test for login";
        assert_eq!(render_event_line(&event, false), expected);
        assert!(render_event_line(&event, true).contains("test\nfor"));
        assert_eq!(render_event_line(&log(1, &"x".repeat(300)), false).chars().count(), 22 + 5 + 240 + 1);
    }

    #[test]
    fn pages_are_bounded_and_lead_back_to_the_first_event() {
        let newest_first: Vec<SessionEvent> = (1..=1_000).rev().map(|seq| log(seq, &"m".repeat(100))).collect();
        let size = PageSize { events: MAX_PAGE, full: false };
        let mut seen = 0;
        let mut before = u64::MAX;
        for _ in 0..1_000 {
            let rest: Vec<SessionEvent> = newest_first.iter().filter(|event| event.seq < before).cloned().collect();
            let page = build_history_page("s", &rest, 1_000, size);
            assert!(serde_json::to_string(&page).unwrap().len() <= PAGE_BYTES + 200);
            assert_eq!(page.truncated, page.next_before.is_some());
            seen += page.history.len();
            match page.next_before {
                Some(next) => before = next,
                None => break,
            }
        }
        assert_eq!(seen, 1_000);
    }

    #[test]
    fn one_huge_entry_is_still_a_page() {
        let page = build_history_page("s", &[log(7, &"ä".repeat(30_000))], 7, PageSize { events: 5, full: true });
        assert_eq!((page.history.len(), page.next_before), (1, Some(7)));
    }
}
