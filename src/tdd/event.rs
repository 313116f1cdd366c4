//! What happened in a session. The events of a session are its truth: everything else is computed from them.

use std::collections::BTreeMap;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use super::phase::Phase;
use super::verify::TestVerification;
use tapps_base::{Error, ErrorCode, Result};

/// The version written; readers take every minor version of the same major one.
pub const SCHEMA_VERSION: &str = "1.0";

/// Largest text of one entry, in bytes.
pub const MAX_ENTRY_BYTES: usize = 64 * 1024;

/// SHA-256 of files by project-relative path; none for a file that is not there.
pub type Digests = BTreeMap<String, Option<String>>;

/// One event of a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionEvent {
    /// Counted from 1 without gaps.
    pub seq: u64,
    /// RFC 3339, UTC.
    pub timestamp: String,
    #[serde(flatten)]
    pub data: EventData,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event_type", content = "data", rename_all = "snake_case")]
pub enum EventData {
    SessionStarted(SessionStarted),
    SessionUpdated(SessionUpdated),
    PhaseChanged(PhaseChanged),
    /// A step forward that the test run did not bear out; the phase stayed.
    PhaseRefused(PhaseRefused),
    Rollback(Rollback),
    LogEntry(LogEntry),
    SessionPaused(EmptyEventData),
    SessionResumed(SessionResumed),
    SessionEnded(EmptyEventData),
}

impl EventData {
    /// The word for its type.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::SessionStarted(_) => "session_started",
            Self::SessionUpdated(_) => "session_updated",
            Self::PhaseChanged(_) => "phase_changed",
            Self::PhaseRefused(_) => "phase_refused",
            Self::Rollback(_) => "rollback",
            Self::LogEntry(_) => "log_entry",
            Self::SessionPaused(_) => "session_paused",
            Self::SessionResumed(_) => "session_resumed",
            Self::SessionEnded(_) => "session_ended",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SessionStarted {
    pub goal: String,
    pub test_files: Vec<String>,
    pub implementation_files: Vec<String>,
    pub run_tests: Vec<String>,
    #[serde(default)]
    pub custom_rules: Vec<String>,
    /// The server runs the tests itself before it lets go of a phase.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub verified: bool,
    /// The session's files as they were.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: Digests,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SessionUpdated {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_files: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub implementation_files: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_tests: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_rules: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: Digests,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PhaseChanged {
    /// None for the phase a session begins with.
    pub from_phase: Option<Phase>,
    pub to_phase: Phase,
    pub evidence: String,
    /// The cycle entered or gone on with. Written for readers; replay counts for itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle_number: Option<u32>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub skip_refactor: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification: Option<TestVerification>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: Digests,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PhaseRefused {
    pub phase: Phase,
    pub evidence: String,
    pub reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification: Option<TestVerification>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rollback {
    pub from_phase: Phase,
    pub to_phase: Phase,
    pub reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle_number: Option<u32>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: Digests,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogEntry {
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SessionResumed {
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: Digests,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct EmptyEventData {}

/// A line of a log as it was read.
#[derive(Debug, Clone, PartialEq)]
pub enum ParsedEventLine {
    Known(SessionEvent),
    /// An event of a later version; it is passed over.
    Unknown {
        seq: u64,
        event_type: String,
    },
}

#[derive(Deserialize)]
struct EventHeader<'a> {
    seq: Option<u64>,
    #[serde(borrow)]
    timestamp: std::borrow::Cow<'a, str>,
    #[serde(borrow)]
    event_type: std::borrow::Cow<'a, str>,
    #[expect(dead_code, reason = "read only to be passed over")]
    #[serde(default)]
    data: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct EventBody<T> {
    data: Option<T>,
}

impl SessionEvent {
    /// Reads one event from JSON; `number` is its place in the log, for events that do not carry their own.
    ///
    /// # Errors
    /// A sentence about what is wrong; the caller knows the file and the line.
    pub fn parse_line(json: &str, number: u64) -> Result<ParsedEventLine, String> {
        let head: EventHeader<'_> = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let seq = head.seq.unwrap_or(number);
        if seq != number {
            return Err(format!("event {seq} stands where event {number} is expected"));
        }
        let data = match &*head.event_type {
            "session_started" => EventData::SessionStarted(parse_event_data(json)?),
            "session_updated" => EventData::SessionUpdated(parse_event_data(json)?),
            "phase_changed" => EventData::PhaseChanged(parse_event_data(json)?),
            "phase_refused" => EventData::PhaseRefused(parse_event_data(json)?),
            "rollback" => EventData::Rollback(parse_event_data(json)?),
            "log_entry" => EventData::LogEntry(parse_event_data(json)?),
            "session_paused" => EventData::SessionPaused(EmptyEventData {}),
            "session_resumed" => EventData::SessionResumed(body_or_default(json)?),
            "session_ended" => EventData::SessionEnded(EmptyEventData {}),
            other => return Ok(ParsedEventLine::Unknown { seq, event_type: other.chars().take(64).collect() }),
        };
        Ok(ParsedEventLine::Known(Self { seq, timestamp: head.timestamp.into_owned(), data }))
    }

    /// The event as one line of a log, with its line end.
    ///
    /// # Errors
    /// `internal` when it has no JSON form.
    pub fn to_line(&self) -> Result<String> {
        let mut line =
            serde_json::to_string(self).map_err(|e| Error::internal(format!("event has no JSON form: {e}")))?;
        line.push('\n');
        Ok(line)
    }
}

fn parse_event_data<T: DeserializeOwned>(json: &str) -> Result<T, String> {
    let body: EventBody<T> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    body.data.ok_or_else(|| "the event has no data".to_owned())
}

fn body_or_default<T: DeserializeOwned + Default>(json: &str) -> Result<T, String> {
    let body: EventBody<T> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    Ok(body.data.unwrap_or_default())
}

/// Checks that a log of schema `version` can be read.
///
/// # Errors
/// `invalid_session` for a newer major version; `corrupted_data` for what is no version.
pub fn check_version(version: &str, what: &dyn std::fmt::Display) -> Result<()> {
    let major = |text: &str| text.split('.').next().and_then(|number| number.parse::<u32>().ok());
    let ours = major(SCHEMA_VERSION).unwrap_or_default();
    match major(version) {
        Some(theirs) if theirs == ours => Ok(()),
        Some(theirs) if theirs > ours => Err(Error::new(
            ErrorCode::InvalidSession,
            format!("{what} has schema version {version}, newer than the {SCHEMA_VERSION} that is understood"),
        )
        .hint("update tapps-mcp, or go on with the program that wrote the session")),
        _ => {
            let shown: String = version.chars().filter(|c| !c.is_control()).take(20).collect();
            Err(corrupted_log_error(format!("{what} has the schema version `{shown}`, which never existed")))
        }
    }
}

/// A log that cannot be what the program wrote.
pub(super) fn corrupted_log_error(message: String) -> Error {
    Error::new(ErrorCode::CorruptedData, message)
        .hint("restore the file from a backup, or move it away and start a new session")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_reads_as_it_was_written() {
        let events = [
            EventData::SessionStarted(SessionStarted {
                goal: "g\n\u{1f600}".into(),
                test_files: vec!["t.py".into()],
                verified: true,
                files: Digests::from([("t.py".into(), None)]),
                ..Default::default()
            }),
            EventData::PhaseChanged(PhaseChanged {
                from_phase: Some(Phase::Implement),
                to_phase: Phase::WriteTest,
                evidence: "e".into(),
                cycle_number: Some(2),
                skip_refactor: true,
                verification: None,
                files: Digests::new(),
            }),
            EventData::SessionPaused(EmptyEventData {}),
            EventData::SessionResumed(SessionResumed::default()),
            EventData::LogEntry(LogEntry { message: "\"quoted\" \u{2028}".into() }),
        ];
        for (index, data) in events.into_iter().enumerate() {
            let event = SessionEvent { seq: index as u64 + 1, timestamp: "2026-11-21T10:30:00Z".into(), data };
            let line = event.to_line().unwrap();
            assert!(line.contains(&format!("\"event_type\":\"{}\"", event.data.name())), "{line}");
            assert_eq!(line.matches('\n').count(), 1, "{line}");
            assert_eq!(SessionEvent::parse_line(line.trim_end(), event.seq), Ok(ParsedEventLine::Known(event)));
        }
    }

    #[test]
    fn the_wire_form_is_the_documented_one() {
        let event = SessionEvent {
            seq: 3,
            timestamp: "2025-07-11T10:37:00Z".into(),
            data: EventData::LogEntry(LogEntry { message: "m".into() }),
        };
        assert_eq!(
            event.to_line().unwrap(),
            "{\"seq\":3,\"timestamp\":\"2025-07-11T10:37:00Z\",\"event_type\":\"log_entry\",\"data\":{\"message\":\"m\"}}\n"
        );
    }

    #[test]
    fn data_belongs_to_its_type() {
        let read = |json: &str| SessionEvent::parse_line(json, 1);
        let bad = [
            r#"{"timestamp":"t","event_type":"log_entry","data":{"reason":"x"}}"#,
            r#"{"timestamp":"t","event_type":"log_entry"}"#,
            r#"{"timestamp":"t","event_type":"rollback","data":{"from_phase":"implement","to_phase":"nonsense","reason":"x"}}"#,
            r#"{"seq":2,"timestamp":"t","event_type":"session_ended","data":{}}"#,
            r#"{"timestamp":"t","event_type":"log_entry","data":{"message":"m"}"#,
        ];
        for json in bad {
            assert!(read(json).is_err(), "{json}");
        }
        let unknown = r#"{"seq":1,"timestamp":"t","event_type":"mood_changed","data":{"mood":"good"}}"#;
        assert_eq!(read(unknown), Ok(ParsedEventLine::Unknown { seq: 1, event_type: "mood_changed".into() }));
    }

    #[test]
    fn minor_versions_are_read_and_newer_major_ones_refused() {
        for fine in ["1.0", "1.7", "1"] {
            assert!(check_version(fine, &"log").is_ok(), "{fine}");
        }
        assert_eq!(check_version("2.0", &"log").unwrap_err().code(), ErrorCode::InvalidSession);
        for wrong in ["0.9", "", "one"] {
            assert_eq!(check_version(wrong, &"log").unwrap_err().code(), ErrorCode::CorruptedData, "{wrong}");
        }
    }
}
