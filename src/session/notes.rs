//! Notes of a session: decisions and constraints under a key, kept for the project, one file per session.
//!
//! Whoever may write to the project may have written a note, so what is read back passes the guard of foreign text.

mod shown;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tapps_base::clock::{self, Clock};
use tapps_base::log_text;
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result, digest, nearest};
use tapps_sandbox::state::STATE_FOLDER;
use tapps_sandbox::{Boundary, ProjectPath, WalkOptions};
use tapps_security::secrets;

use crate::live::{LiveSessions, SessionHold};

/// Where they are kept, inside the state folder.
const FOLDER: &str = "sessions";
/// Held by the one process that writes.
const LOCK: &str = "notes.lock";
/// Names the temporary file of a write, so that one which a kill has left is found.
const LABEL: &str = "notes";
/// How long another process may take to write.
const PATIENCE: Duration = Duration::from_secs(10);

/// Longest key, in characters.
pub const LONGEST_KEY: usize = 128;
/// Longest value, in bytes.
pub const LONGEST_VALUE: usize = 16 << 10;
/// Most notes of one session.
pub const MOST_NOTES: usize = 500;
/// Most bytes of all notes of one session.
pub const MOST_BYTES: usize = 1 << 20;
/// Largest file that is read; JSON makes text up to six times as long.
const LARGEST: u64 = 8 << 20;
/// Most notes that a search gives.
const FOUND: usize = 100;

/// Notes of one project; several processes may use them at once.
#[derive(Debug, Clone)]
pub struct Notes {
    boundary: Arc<Boundary>,
    clock: Arc<dyn Clock>,
    live: Arc<LiveSessions>,
}

/// All notes of one session, as they are kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sheet {
    session_id: String,
    session_started: String,
    notes: BTreeMap<String, String>,
    /// Keys of the notes that clients of other live sessions find.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    shared: BTreeSet<String>,
}

/// All notes of one session, as they are told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteList {
    pub session_id: String,
    pub notes: BTreeMap<String, String>,
    /// Also of those that are withheld for their key.
    pub note_count: usize,
    /// When the first note was saved (RFC 3339); null when there is none.
    pub session_started: Option<String>,
    /// Keys of notes that give orders to their reader: such spans are marked, or the value is withheld.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flagged: Vec<String>,
}

/// One note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionNote {
    /// Of another client's live session a name that begins with `live-` and opens nothing.
    pub session_id: String,
    pub key: String,
    pub value: String,
    /// Why spans of it are marked, or why it is withheld.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flagged: Vec<String>,
}

/// What a change has left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteChange {
    pub session_id: String,
    /// How many notes were added, replaced or removed.
    pub changed: usize,
    pub note_count: usize,
}

/// What a search has found: notes of the session itself first, then of others of the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteMatches {
    pub matches: Vec<SessionNote>,
    /// How many there are, when not all are given.
    pub total: usize,
}

impl Notes {
    /// The notes of a project; nothing is opened or made before it is needed.
    #[must_use]
    pub fn new(boundary: Arc<Boundary>, clock: Arc<dyn Clock>) -> Self {
        let live = Arc::new(LiveSessions::new(Arc::clone(&clock)));
        Self { boundary, clock, live }
    }

    /// Gives the notes of a session to the client at a connection, for as long as the hold is kept.
    #[must_use]
    pub fn hold(&self, session: &str) -> SessionHold {
        self.live.hold(session)
    }

    /// Gives the notes of a session to whoever has been told its identifier, until they are not used for a while.
    pub fn hold_by_identifier(&self, session: &str) {
        self.live.hold_by_identifier(session);
    }

    /// Checks that a client may use the notes of a session that it names; `own` is the session of its connection.
    ///
    /// # Errors
    /// `invalid_session` for the session of another client that is connected.
    pub fn check_owner(&self, session: &str, own: Option<&str>) -> Result<()> {
        if self.live.may_use(session, own) {
            return Ok(());
        }
        Err(Error::new(ErrorCode::InvalidSession, "the session belongs to another client that is connected").hint(
            "leave out `session_id` for the notes of your own; search finds what others have saved with shared: true",
        ))
    }

    /// Saves a note; a shared one is found by clients of other live sessions too. Once this returns it is on the disk.
    ///
    /// # Errors
    /// `invalid_argument` for a key or value that cannot be kept, for a value that holds a secret, and when there is no
    /// room; `session_locked`, `corrupted_data`, `path_denied` or `internal` when the file cannot be changed.
    pub fn save(&self, session: &str, key: &str, value: &str, shared: bool) -> Result<NoteChange> {
        check_key(key)?;
        check_value(key, value)?;
        self.change(session, |sheet| {
            sheet.notes.insert(key.to_owned(), value.to_owned());
            if shared {
                sheet.shared.insert(key.to_owned());
            } else {
                sheet.shared.remove(key);
            }
            check_note_limits(&sheet.notes)?;
            Ok(1)
        })
    }

    /// One note.
    ///
    /// # Errors
    /// `invalid_argument` with the nearest keys when there is none; what [`Notes::list`] says.
    pub fn get(&self, session: &str, key: &str) -> Result<SessionNote> {
        let notes = self.read_sheet(session)?.map(|(sheet, _)| sheet.notes).unwrap_or_default();
        match notes.get(key) {
            Some(value) => Ok(SessionNote::from_raw_value(session, key.to_owned(), value)),
            None => Err(missing_note_error(key, &notes)),
        }
    }

    /// All notes of a session; a session without notes has an empty list.
    ///
    /// # Errors
    /// `invalid_session` for what cannot be the name of a session; `corrupted_data` for a file that is not one of notes.
    pub fn list(&self, session: &str) -> Result<NoteList> {
        let sheet = self.read_sheet(session)?.map(|(sheet, _)| sheet);
        let (kept, session_started) = sheet.map(|sheet| (sheet.notes, Some(sheet.session_started))).unwrap_or_default();
        Ok(NoteList::from_raw_notes(session, &kept, session_started))
    }

    /// Removes a note.
    ///
    /// # Errors
    /// As [`Notes::get`] and [`Notes::save`].
    pub fn delete(&self, session: &str, key: &str) -> Result<NoteChange> {
        self.change(session, |sheet| match sheet.notes.remove(key) {
            Some(_) => {
                sheet.shared.remove(key);
                Ok(1)
            }
            None => Err(missing_note_error(key, &sheet.notes)),
        })
    }

    /// Removes all notes of a session.
    ///
    /// # Errors
    /// As [`Notes::save`].
    pub fn clear(&self, session: &str) -> Result<NoteChange> {
        if self.read_sheet(session)?.is_none() {
            return Ok(NoteChange { session_id: session.to_owned(), changed: 0, note_count: 0 });
        }
        self.change(session, |sheet| {
            let removed = sheet.notes.len();
            sheet.notes.clear();
            sheet.shared.clear();
            Ok(removed)
        })
    }

    /// Notes of the project's sessions whose key or value holds `query`, in capitals or not: of the session itself, of
    /// finished ones, and what clients of other live sessions share.
    ///
    /// # Errors
    /// `invalid_argument` for an empty query; what [`Notes::list`] says.
    pub fn search(&self, session: &str, query: &str) -> Result<NoteMatches> {
        let wanted = query.trim().to_lowercase();
        if wanted.is_empty() {
            return Err(Error::invalid("a search needs a query").hint("pass a part of a key or of a value"));
        }
        let mut sessions = self.sessions()?;
        sessions.retain(|other| other != session);
        sessions.insert(0, session.to_owned());
        let mut matches = Vec::new();
        for other in sessions {
            let Some((sheet, _)) = self.read_sheet(&other)? else { continue };
            let foreign = other != session && self.live.is_live(&other);
            let shown_session = if foreign { shown::live_session(&other) } else { other };
            let fits = |(key, value): &(&String, &String)| {
                (!foreign || sheet.shared.contains(*key))
                    && (key.to_lowercase().contains(&wanted) || value.to_lowercase().contains(&wanted))
            };
            let fitting = sheet.notes.iter().filter(fits);
            matches.extend(
                fitting
                    .map(|(key, value)| SessionNote::from_raw_value(&shown_session, shown::sanitize_key(key), value)),
            );
        }
        let total = matches.len();
        matches.truncate(FOUND);
        Ok(NoteMatches { matches, total })
    }

    /// The sessions that have notes, sorted.
    ///
    /// # Errors
    /// What the boundary says.
    pub fn sessions(&self) -> Result<Vec<String>> {
        let folder = self.boundary.resolve(&format!("{STATE_FOLDER}/{FOLDER}"))?;
        let walk = WalkOptions { include_ignored: true, ..WalkOptions::default() };
        let files = match self.boundary.walk(&folder, &walk) {
            Ok(files) => files,
            Err(error) if error.code() == ErrorCode::FileNotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let name = |path: ProjectPath| path.as_str().rsplit('/').next()?.strip_suffix(".json").map(str::to_owned);
        Ok(files.into_iter().filter_map(name).filter(|name| is_session(name)).collect())
    }

    /// Changes the notes of a session while no other process can.
    fn change(&self, session: &str, work: impl FnOnce(&mut Sheet) -> Result<usize>) -> Result<NoteChange> {
        let path = self.sheet_path(session)?;
        let lock = self.boundary.state_lock(FOLDER, LOCK, PATIENCE)?;
        // Left by a process that was killed while it wrote; whoever has the lock is the only one that writes.
        self.boundary.remove_temporary(&path.parent(), LABEL)?;
        let (mut sheet, seen) = match self.read_sheet(session)? {
            Some((sheet, seen)) => (sheet, Some(seen)),
            None => {
                let session_started = clock::rfc3339(self.clock.now());
                (
                    Sheet {
                        session_id: session.to_owned(),
                        session_started,
                        notes: BTreeMap::new(),
                        shared: BTreeSet::new(),
                    },
                    None,
                )
            }
        };
        let changed = work(&mut sheet)?;
        let text = serde_json::to_string_pretty(&sheet)
            .map_err(|e| Error::internal(format!("the notes have no JSON form: {e}")))?;
        self.boundary.write_atomic_as(&path, (text + "\n").as_bytes(), seen.as_deref(), LABEL)?;
        drop(lock);
        Ok(NoteChange { session_id: session.to_owned(), changed, note_count: sheet.notes.len() })
    }

    /// The notes of a session with the digest of their file; none when there is no file.
    fn read_sheet(&self, session: &str) -> Result<Option<(Sheet, String)>> {
        let path = self.sheet_path(session)?;
        let bytes = match self.boundary.read(&path, LARGEST) {
            Ok(bytes) => bytes,
            Err(error) if error.code() == ErrorCode::FileNotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let sheet = serde_json::from_slice(&bytes).map_err(|e| {
            Error::new(ErrorCode::CorruptedData, format!("{path} does not hold notes: {e}"))
                .hint(format!("mend or remove {path}"))
        })?;
        Ok(Some((sheet, digest::sha256(&bytes))))
    }

    fn sheet_path(&self, session: &str) -> Result<ProjectPath> {
        if is_session(session) {
            return self.boundary.resolve(&format!("{STATE_FOLDER}/{FOLDER}/{session}.json"));
        }
        let shown: String = session.chars().take(64).collect();
        Err(Error::new(ErrorCode::InvalidSession, format!("`{}` cannot name a session", log_text(&shown)))
            .hint("call tapps_server_info and pass the `session_id` it gives"))
    }
}

fn is_session(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn check_key(key: &str) -> Result<()> {
    let length = key.chars().count();
    if key.trim().is_empty() || length > LONGEST_KEY || key.chars().any(char::is_control) {
        return Err(Error::invalid(format!(
            "a key has 1 to {LONGEST_KEY} characters on one line, and this has {length}"
        ))
        .hint("take a short name, for example auth_approach"));
    }
    Ok(())
}

fn check_value(key: &str, value: &str) -> Result<()> {
    if value.len() > LONGEST_VALUE {
        let message = format!("the value has {} bytes, more than the {LONGEST_VALUE} of a note", value.len());
        return Err(Error::invalid(message).hint("keep the gist, or several notes"));
    }
    // The key says what the value is, as the name of a variable does.
    let text = format!("{key} = {value}\n");
    let found = secrets::scan_for_secrets(&Source::new("note.txt", text.as_bytes()));
    match found.iter().find(|finding| tapps_base::finding::Severity::High <= finding.severity) {
        None => Ok(()),
        Some(secret) => {
            let message = format!("the note was not saved: {} ({})", secret.message, secret.rule);
            Err(Error::invalid(message).hint("note where the secret is kept, never the secret itself"))
        }
    }
}

fn check_note_limits(notes: &BTreeMap<String, String>) -> Result<()> {
    let bytes: usize = notes.iter().map(|(key, value)| key.len() + value.len()).sum();
    if notes.len() > MOST_NOTES || bytes > MOST_BYTES {
        let message = format!("a session keeps at most {MOST_NOTES} notes and {MOST_BYTES} bytes");
        return Err(Error::invalid(message).hint("delete notes that are no longer needed"));
    }
    Ok(())
}

fn missing_note_error(key: &str, notes: &BTreeMap<String, String>) -> Error {
    let shown: String = key.chars().take(LONGEST_KEY).collect();
    Error::invalid(format!("there is no note `{}`", log_text(&shown)))
        .hint(nearest::hint(key, notes.keys().map(String::as_str).filter(|key| shown::is_harmless(key))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SESSION: &str = "0a1b";

    fn notes() -> (tempfile::TempDir, Notes) {
        let folder = tempfile::tempdir().unwrap();
        let notes = Notes::new(Arc::new(Boundary::open(folder.path()).unwrap()), clock::system());
        (folder, notes)
    }

    #[test]
    fn a_note_lives_until_it_is_deleted() {
        let (folder, notes) = notes();
        assert_eq!(notes.list(SESSION).unwrap().note_count, 0);
        assert!(!folder.path().join(STATE_FOLDER).exists(), "reading makes nothing");
        for (key, value) in [("auth", "JWT"), ("größe", "1\n2\t漢字 🦀"), ("auth", "sessions")] {
            notes.save(SESSION, key, value, false).unwrap();
        }
        assert_eq!(notes.get(SESSION, "auth").unwrap().value, "sessions");
        assert_eq!(notes.get(SESSION, "größe").unwrap().value, "1\n2\t漢字 🦀");
        let error = notes.get(SESSION, "auht").unwrap_err();
        assert_eq!(error.body().hint.as_deref(), Some("did you mean auth?"));
        let other = Notes::new(notes.boundary.clone(), clock::system());
        other.save("0a1c", "db", "Postgres beside AUTH", false).unwrap();
        let found = notes.search(SESSION, "auth").unwrap().matches;
        let places: Vec<(&str, &str)> = found.iter().map(|n| (n.session_id.as_str(), n.key.as_str())).collect();
        assert_eq!(places, [(SESSION, "auth"), ("0a1c", "db")]);
        assert_eq!(notes.delete(SESSION, "auth").unwrap().note_count, 1);
        assert_eq!(notes.clear(SESSION).unwrap().changed, 1);
        assert_eq!(notes.list(SESSION).unwrap().notes.len(), 0);
        assert_eq!(notes.list("0a1c").unwrap().note_count, 1);
    }

    #[test]
    fn what_cannot_be_kept_is_refused_and_changes_nothing() {
        let (_folder, notes) = notes();
        notes.save(SESSION, "a", "1", false).unwrap();
        let long = "x".repeat(LONGEST_VALUE + 1);
        let secret = ["postgres://app:", "q8ZrT2vLx0WbN4kY", "@db.internal/shop"].concat();
        for (name, value) in
            [("", "x"), (" ", "x"), ("a\nb", "x"), (&"k".repeat(129), "x"), ("a", &long), ("a", &secret)]
        {
            let error = notes.save(SESSION, name, value, false).unwrap_err();
            assert_eq!(error.code(), ErrorCode::InvalidArgument, "{name:?}");
            assert!(!error.message().contains("q8Zr"));
        }
        for session in ["", "../x", "a/b", "a.b", &"a".repeat(65)] {
            assert_eq!(notes.save(session, "a", "b", false).unwrap_err().code(), ErrorCode::InvalidSession);
        }
        assert_eq!(notes.list(SESSION).unwrap().notes, BTreeMap::from([("a".to_owned(), "1".to_owned())]));
    }

    #[test]
    fn notes_of_a_client_that_is_connected_are_its_own_unless_shared() {
        let (_folder, notes) = notes();
        let held = notes.hold("0a1c");
        notes.hold_by_identifier("0a1d");
        for (session, key, shared) in [("0a1c", "plan", false), ("0a1c", "told", true), ("0a1d", "plan", false)] {
            notes.save(session, key, "use sqlite", shared).unwrap();
        }
        let found = |session: &str| {
            let matches = notes.search(session, "sqlite").unwrap().matches;
            matches.into_iter().map(|note| (note.session_id, note.key)).collect::<Vec<_>>()
        };
        let [(label, key)] = found(SESSION).try_into().unwrap();
        assert_eq!(key, "told");
        assert!(label.starts_with("live-") && !label.contains("0a1c"), "{label}");
        assert_eq!(found("0a1c").len(), 2);
        assert_eq!(notes.check_owner("0a1c", Some(SESSION)).unwrap_err().code(), ErrorCode::InvalidSession);
        assert_eq!(notes.check_owner("0a1c", None).unwrap_err().code(), ErrorCode::InvalidSession);
        notes.check_owner("0a1c", Some("0a1c")).unwrap();

        drop(held);
        notes.check_owner("0a1c", None).unwrap();
        let of_finished = ["plan", "told"].map(|key| ("0a1c".to_owned(), key.to_owned()));
        assert_eq!(found(SESSION), of_finished);
        notes.save("0a1c", "told", "use sqlite", false).unwrap();
        let again = notes.hold("0a1c");
        assert_eq!(found(SESSION), [], "a note that is saved again is shared only when it says so again");
        drop(again);
    }

    #[test]
    fn a_file_of_others_is_told_and_left_alone() {
        let (folder, notes) = notes();
        notes.save(SESSION, "a", "1", false).unwrap();
        let path = folder.path().join(".tapps-mcp/sessions/0a1b.json");
        std::fs::write(&path, "{").unwrap();
        assert_eq!(notes.save(SESSION, "b", "2", false).unwrap_err().code(), ErrorCode::CorruptedData);
        assert_eq!(std::fs::read(&path).unwrap(), b"{");
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("/etc/hostname", &path).unwrap();
        assert_eq!(notes.list(SESSION).unwrap_err().code(), ErrorCode::PathDenied);
        assert_eq!(notes.save(SESSION, "b", "2", false).unwrap_err().code(), ErrorCode::PathDenied);
    }
}
