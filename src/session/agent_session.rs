//! What is remembered of an agent's session from one of its hooks to the next: the tree that it began with, and how its
//! last turns ended.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use tapps_base::{Error, Result, atomic, digest, private};
use tapps_sandbox::Boundary;

/// The folder below the state folder.
const FOLDER: &str = "turns";
const RECORD: &str = "session.json";
const OBJECTS: &str = "objects";

/// Version of the form of a record.
const SCHEMA: u32 = 1;

/// How long a session is remembered after its last turn.
const LASTING: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// How an agent's last attempt to end went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnEnd {
    /// The tree that was judged.
    pub tree: String,
    /// What the agent was told; none when nothing stood against its end, or when it was let go all the same.
    pub reason: Option<String>,
    /// How often in a row it was sent on.
    pub rounds: u32,
}

/// A session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentSession {
    schema: u32,
    /// Full name of the tree that the files were when it began; none when that is not known.
    pub tree: Option<String>,
    /// The trees that agents which it started began with, by their name.
    #[serde(default)]
    pub agents: BTreeMap<String, String>,
    /// By the agent of the session; the first has an empty name.
    pub turns: BTreeMap<String, TurnEnd>,
}

/// Where the sessions of a project are remembered.
#[derive(Debug, Clone)]
pub struct AgentSessions {
    folder: PathBuf,
}

impl AgentSessions {
    /// # Errors
    /// As [`Boundary::state_folder`].
    pub fn open(boundary: &Boundary) -> Result<Self> {
        Ok(Self { folder: boundary.state_subfolder(FOLDER)? })
    }

    fn folder_of(&self, client: &str, session: &str) -> PathBuf {
        let name = digest::sha256(format!("{client}\n{session}").as_bytes());
        self.folder.join(name.get(..32).unwrap_or(&name))
    }

    /// Where the objects of the tree are kept.
    #[must_use]
    pub fn objects_of(&self, client: &str, session: &str) -> PathBuf {
        self.folder_of(client, session).join(OBJECTS)
    }

    /// What is remembered; nothing of a session that is not known, or whose record cannot be used.
    #[must_use]
    pub fn load_session(&self, client: &str, session: &str) -> Option<AgentSession> {
        let bytes = fs::read(self.folder_of(client, session).join(RECORD)).ok()?;
        serde_json::from_slice(&bytes).ok().filter(|read: &AgentSession| read.schema == SCHEMA)
    }

    /// # Errors
    /// `internal` when the folder cannot be written.
    pub fn save_session(&self, client: &str, session: &str, state: &AgentSession) -> Result<()> {
        let folder = self.folder_of(client, session);
        private::folder(&folder).map_err(|e| Error::io(format_args!("cannot make {}", folder.display()), &e))?;
        let state = AgentSession { schema: SCHEMA, ..state.clone() };
        let text = serde_json::to_string(&state)
            .map_err(|e| Error::internal(format!("what is remembered of a session has no JSON form: {e}")))?;
        atomic::write_private(&folder.join(RECORD), text.as_bytes())
    }

    /// Forgets sessions whose last turn was long before `now`. What cannot be removed stays.
    pub fn forget_old_sessions(&self, now: SystemTime) {
        let old = |path: &Path| {
            let last = fs::metadata(path.join(RECORD)).or_else(|_| fs::metadata(path)).and_then(|meta| meta.modified());
            last.is_ok_and(|last| now.duration_since(last).is_ok_and(|passed| passed > LASTING))
        };
        for entry in fs::read_dir(&self.folder).into_iter().flatten().filter_map(std::result::Result::ok) {
            if old(&entry.path()) {
                fs::remove_dir_all(entry.path()).ok();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_remembered_by_agent_and_name_and_forgotten_in_time() {
        let folder = tempfile::tempdir().unwrap();
        let sessions = AgentSessions::open(&Boundary::open(folder.path()).unwrap()).unwrap();
        assert_eq!(sessions.load_session("codex", "../x"), None);
        let mut state = AgentSession { schema: SCHEMA, tree: Some("t".into()), ..AgentSession::default() };
        state.turns.insert(String::new(), TurnEnd { tree: "u".into(), reason: Some("r".into()), rounds: 2 });
        sessions.save_session("codex", "../x", &state).unwrap();
        assert_eq!(sessions.load_session("codex", "../x"), Some(state));
        assert_eq!(sessions.load_session("gemini", "../x"), None);
        sessions.forget_old_sessions(SystemTime::now());
        assert!(sessions.load_session("codex", "../x").is_some());
        sessions.forget_old_sessions(SystemTime::now() + LASTING * 2);
        assert_eq!(sessions.load_session("codex", "../x"), None);
    }

    #[test]
    fn a_record_that_cannot_be_used_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let sessions = AgentSessions::open(&Boundary::open(folder.path()).unwrap()).unwrap();
        sessions.save_session("codex", "s", &AgentSession::default()).unwrap();
        let record = sessions.folder_of("codex", "s").join(RECORD);
        for text in ["spoilt", r#"{"schema":99,"tree":null,"turns":{}}"#] {
            fs::write(&record, text).unwrap();
            assert_eq!(sessions.load_session("codex", "s"), None);
        }
    }
}
