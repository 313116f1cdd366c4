//! Sessions as one JSON document, `{schema_version, events: […]}`: what other programs write, and a form to keep.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::event::{self, ParsedEventLine, SCHEMA_VERSION, SessionEvent, corrupted_log_error};
use super::id::SessionId;
use super::repository::{Appended, Mark, ReplayItem, Repository};
use super::state::SessionState;
use tapps_base::{Error, ErrorCode, Result};

/// A session as a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionDocument {
    pub schema_version: String,
    pub session_id: SessionId,
    pub events: Vec<SessionEvent>,
}

#[derive(Deserialize)]
struct UncheckedDocument {
    schema_version: String,
    #[serde(default)]
    session_id: Option<String>,
    events: Vec<Value>,
}

/// What an import made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Imported {
    pub session_id: SessionId,
    pub events: u64,
    /// Events of unknown types, which were left out.
    pub left_out: u64,
}

/// Reads a document and keeps it as a session; `fresh` is its id when it names none.
///
/// Everything is checked by replaying it before anything is written.
///
/// # Errors
/// `corrupted_data` for what is no such document or cannot have happened; `invalid_session` for a newer schema or a
/// session that exists already.
pub fn import(repository: &dyn Repository, text: &str, named: Option<&str>, fresh: &str) -> Result<Imported> {
    let raw: UncheckedDocument = serde_json::from_str(text)
        .map_err(|error| corrupted_log_error(format!("the file is not a session document: {error}")))?;
    event::check_version(&raw.schema_version, &"the document")?;
    let id = SessionId::parse(named.or(raw.session_id.as_deref()).unwrap_or(fresh))?;
    if repository.session_exists(&id) {
        return Err(Error::new(ErrorCode::InvalidSession, format!("session {id} exists already"))
            .hint("pass --session-id with another UUID to import a copy"));
    }
    let (events, left_out) = parse_document_events(&id, raw.events)?;
    let mut mark = Mark::default();
    for event in &events {
        match repository.append_event(&id, mark, &event.timestamp, &event.data)? {
            Appended::Durable(next) => mark = next,
            Appended::Moved => {
                return Err(Error::new(ErrorCode::SessionLocked, format!("another process writes to session {id}")));
            }
        }
    }
    Ok(Imported { session_id: id, events: mark.seq, left_out })
}

fn parse_document_events(id: &SessionId, raw: Vec<Value>) -> Result<(Vec<SessionEvent>, u64)> {
    let mut events: Vec<SessionEvent> = Vec::with_capacity(raw.len());
    let mut left_out = 0;
    let mut state: Option<SessionState> = None;
    for (index, value) in raw.into_iter().enumerate() {
        let place = |why: String| corrupted_log_error(format!("event {} of the document: {why}", index + 1));
        let mut value = value;
        if let Some(object) = value.as_object_mut() {
            // Numbers are given anew, since unknown events are left out.
            object.remove("seq");
        }
        let number = events.len() as u64 + 1;
        let event = match SessionEvent::parse_line(&value.to_string(), number).map_err(place)? {
            ParsedEventLine::Known(event) => event,
            ParsedEventLine::Unknown { .. } => {
                left_out += 1;
                continue;
            }
        };
        match &mut state {
            None => state = Some(SessionState::begin(id.clone(), event.clone()).map_err(place)?),
            Some(state) => state.apply(event.clone()).map_err(place)?,
        }
        events.push(event);
    }
    if state.is_none() {
        return Err(corrupted_log_error("the document has no events".to_owned()));
    }
    Ok((events, left_out))
}

/// A session as a document; events of unknown types are left out.
///
/// # Errors
/// As [`Repository::load_events`].
pub fn export(repository: &dyn Repository, id: &SessionId) -> Result<SessionDocument> {
    let mut events = Vec::new();
    repository.load_events(id, Mark::default(), &mut |item| {
        if let ReplayItem::Event(event) = item {
            events.push(event);
        }
        Ok(())
    })?;
    Ok(SessionDocument { schema_version: SCHEMA_VERSION.to_owned(), session_id: id.clone(), events })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::MemoryRepository;
    use crate::session::replay;
    use crate::{FileRepository, Phase};

    const FRESH: &str = "11111111-2222-4333-8444-555555555555";

    /// A document as other programs write it: no numbers, no cycle.
    fn sample() -> String {
        serde_json::json!({
            "schema_version": "1.0",
            "events": [
                {"timestamp": "2025-07-11T10:30:00Z", "event_type": "session_started", "data": {
                    "goal": "Implement user authentication", "test_files": ["tests/test_auth.py"],
                    "implementation_files": ["src/auth.py"], "run_tests": ["pytest tests/test_auth.py -v"], "custom_rules": []}},
                {"timestamp": "2025-07-11T10:30:00Z", "event_type": "phase_changed", "data": {
                    "from_phase": null, "to_phase": "write_test", "evidence": "session start", "cycle_number": 1}},
                {"timestamp": "2025-07-11T10:35:00Z", "event_type": "phase_changed", "data": {
                    "from_phase": "write_test", "to_phase": "implement", "evidence": "Created failing test"}},
                {"timestamp": "2025-07-11T10:36:00Z", "event_type": "mood_changed", "data": {"mood": "good"}},
                {"timestamp": "2025-07-11T10:37:00Z", "event_type": "log_entry", "data": {"message": "Added edge case"}}
            ]
        })
        .to_string()
    }

    #[test]
    fn a_document_of_another_program_becomes_a_session() {
        let repository = MemoryRepository::default();
        let imported = import(&repository, &sample(), None, FRESH).unwrap();
        assert_eq!((imported.session_id.as_str(), imported.events, imported.left_out), (FRESH, 4, 1));
        let (state, _) = replay(&repository, &imported.session_id).unwrap();
        assert_eq!((state.current_cycle_phase().phase, state.current_cycle_phase().cycle), (Phase::Implement, 1));
        assert_eq!(state.goal, "Implement user authentication");
        let again = import(&repository, &sample(), None, FRESH).unwrap_err();
        assert_eq!(again.code(), ErrorCode::InvalidSession);
    }

    #[test]
    fn an_export_imports_as_the_same_session() {
        let dir = tempfile::tempdir().unwrap();
        let first = FileRepository::new(dir.path());
        let id = import(&first, &sample(), None, FRESH).unwrap().session_id;
        let document = export(&first, &id).unwrap();
        let second = MemoryRepository::default();
        let text = serde_json::to_string(&document).unwrap();
        assert_eq!(import(&second, &text, None, "not used").unwrap().session_id, id);
        assert_eq!(export(&second, &id).unwrap(), document);
    }

    #[test]
    fn what_cannot_have_happened_is_refused_and_nothing_is_kept() {
        let change = |from: &str, to: &str| sample().replace(from, to);
        for (text, code) in [
            ("{".to_owned(), ErrorCode::CorruptedData),
            (r#"{"schema_version": "1.0", "events": []}"#.to_owned(), ErrorCode::CorruptedData),
            (change("\"1.0\"", "\"9.9\""), ErrorCode::InvalidSession),
            (change("\"from_phase\":\"write_test\"", "\"from_phase\":\"refactor\""), ErrorCode::CorruptedData),
            (change("\"to_phase\":\"implement\"", "\"to_phase\":\"nonsense\""), ErrorCode::CorruptedData),
        ] {
            let repository = MemoryRepository::default();
            let error = import(&repository, &text, None, FRESH).unwrap_err();
            assert_eq!(error.code(), code, "{error}: {text}");
            assert!(repository.sessions().unwrap().is_empty());
        }
        assert!(import(&MemoryRepository::default(), &sample(), Some("../x"), FRESH).is_err());
    }
}
