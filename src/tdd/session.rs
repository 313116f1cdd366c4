//! One session that this process works on: its state, and the way events are added to it.

use std::sync::Arc;

use super::event::{EventData, SessionEvent};
use super::id::SessionId;
use super::repository::{Appended, Mark, ReplayItem, Replayed, Repository, SessionLock};
use super::state::SessionState;
use tapps_base::{Error, ErrorCode, Result};

/// How often to start over when another process adds events at the same time.
const ATTEMPTS: usize = 100;

/// A session with its log.
#[derive(Debug)]
pub struct Session {
    repository: Arc<dyn Repository>,
    state: SessionState,
    mark: Mark,
    warnings: Vec<String>,
    held: Option<Box<dyn SessionLock>>,
}

impl Session {
    /// Begins a session with its first event.
    ///
    /// # Errors
    /// What the repository says.
    pub fn begin(
        repository: Arc<dyn Repository>,
        id: SessionId,
        held: Option<Box<dyn SessionLock>>,
        timestamp: &str,
        data: EventData,
    ) -> Result<Self> {
        let Appended::Durable(mark) = repository.append_event(&id, Mark::default(), timestamp, &data)? else {
            return Err(Error::internal(format!("session {id} exists already")));
        };
        let event = SessionEvent { seq: mark.seq, timestamp: timestamp.to_owned(), data };
        let state = SessionState::begin(id, event).map_err(Error::internal)?;
        Ok(Self { repository, state, mark, warnings: Vec::new(), held })
    }

    /// Computes a session from its events.
    ///
    /// # Errors
    /// As [`Repository::load_events`].
    pub fn load(repository: Arc<dyn Repository>, id: &SessionId) -> Result<Self> {
        let (state, replayed) = replay(repository.as_ref(), id)?;
        Ok(Self { repository, state, mark: replayed.end, warnings: replayed.warnings(), held: None })
    }

    /// Keeps the session's lock for as long as this value lives.
    pub fn attach_lock(&mut self, held: Box<dyn SessionLock>) {
        self.held = Some(held);
    }

    /// Notes the session as the current one.
    ///
    /// # Errors
    /// As [`SessionLock::mark_current`].
    pub fn mark_current(&self) -> Result<()> {
        self.held.as_ref().map_or(Ok(()), |held| held.mark_current())
    }

    /// Frees the session in good order.
    pub fn let_go(self) {
        if let Some(held) = self.held {
            held.let_go();
        }
    }

    #[must_use]
    pub fn state(&self) -> &SessionState {
        &self.state
    }

    /// What a person should know about the log.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Adds the event that `decide` makes of the present state, and makes it durable.
    ///
    /// When another process has added events meanwhile, they are read first and `decide` is asked again.
    ///
    /// # Errors
    /// What `decide` says, and what the repository says; nothing has changed then.
    pub fn record_event(
        &mut self,
        timestamp: &str,
        mut decide: impl FnMut(&SessionState) -> Result<EventData>,
    ) -> Result<&SessionState> {
        for _ in 0..ATTEMPTS {
            let data = decide(&self.state)?;
            // Checked before it is written: the log never holds an event that its own replay refuses.
            let mut next = self.state.clone();
            let event = SessionEvent { seq: self.mark.seq + 1, timestamp: timestamp.to_owned(), data };
            let data = event.data.clone();
            next.apply(event).map_err(|why| {
                Error::new(ErrorCode::InvalidSession, format!("session {} cannot go on: {why}", self.state.id))
            })?;
            match self.repository.append_event(&self.state.id, self.mark, timestamp, &data)? {
                Appended::Durable(mark) => {
                    self.state = next;
                    self.mark = mark;
                    tracing::info!(session = self.state.id.as_str(), seq = mark.seq, event = data.name(), "recorded");
                    return Ok(&self.state);
                }
                Appended::Moved => self.catch_up()?,
            }
        }
        Err(Error::new(ErrorCode::SessionLocked, format!("other processes keep writing to session {}", self.state.id))
            .hint("call again"))
    }

    /// Reads what other processes have added.
    fn catch_up(&mut self) -> Result<()> {
        let mut state = self.state.clone();
        let replayed = self
            .repository
            .load_events(&state.id.clone(), self.mark, &mut |item| apply_replay_item(&mut state, item))?;
        self.state = state;
        self.mark = replayed.end;
        Ok(())
    }
}

/// The state that a session's events amount to.
///
/// # Errors
/// As [`Repository::load_events`].
pub fn replay(repository: &dyn Repository, id: &SessionId) -> Result<(SessionState, Replayed)> {
    let mut state: Option<SessionState> = None;
    let replayed = repository.load_events(id, Mark::default(), &mut |item| match (&mut state, item) {
        (Some(state), item) => apply_replay_item(state, item),
        (none, ReplayItem::Event(event)) => {
            *none = Some(SessionState::begin(id.clone(), event)?);
            Ok(())
        }
        (None, ReplayItem::Unknown(_)) => Err("the first event is not session_started".to_owned()),
    })?;
    let state = state.ok_or_else(|| Error::internal(format!("session {id} has no events")))?;
    Ok((state, replayed))
}

fn apply_replay_item(state: &mut SessionState, item: ReplayItem) -> Result<(), String> {
    match item {
        ReplayItem::Event(event) => state.apply(event),
        ReplayItem::Unknown(seq) => {
            state.pass_over(seq);
            Ok(())
        }
    }
}
