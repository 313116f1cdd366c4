//! The sessions of a project as its tools see them: one at a time, found again after a restart.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use schemars::JsonSchema;
use serde::Serialize;

use super::event::{
    Digests, EmptyEventData, EventData, LogEntry, MAX_ENTRY_BYTES, SessionResumed, SessionStarted, SessionUpdated,
};
use super::files;
use super::guidance::{self, QuickHelp, truncate_with_ellipsis};
use super::history::{self, History, MAX_PAGE, PageSize};
use super::id::SessionId;
use super::repository::{Owner, Repository};
use super::request::{self, StartRequest, UpdateRequest};
use super::session::{self, Session};
use super::state::{SessionState, SessionStatus};
use super::verify::Runner;
use super::view::StateView;
use tapps_base::clock::{self, Clock};
use tapps_base::{Error, ErrorCode, Result, platform};
use tapps_sandbox::Boundary;

/// Sessions named in a hint.
const NAMED: usize = 3;

/// Everything that the tools of a project need.
#[derive(Debug)]
pub struct Sessions {
    pub(super) repository: Arc<dyn Repository>,
    pub(super) boundary: Arc<Boundary>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) runner: Option<Arc<dyn Runner>>,
    active: Mutex<Option<Session>>,
}

/// What a session amounts to when it ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SessionSummary {
    pub session_id: String,
    pub goal: String,
    pub final_phase: super::phase::Phase,
    pub cycles_completed: u32,
    pub total_events: u64,
    pub started_at: String,
    pub ended_at: String,
    /// The same in a sentence.
    pub summary: String,
}

impl Sessions {
    /// The sessions in `repository` of the project behind `boundary`; with a runner, sessions can be verified.
    #[must_use]
    pub fn new(repository: Arc<dyn Repository>, boundary: Arc<Boundary>, runner: Option<Arc<dyn Runner>>) -> Self {
        Self { repository, boundary, clock: clock::system(), runner, active: Mutex::new(None) }
    }

    /// With another clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    #[must_use]
    pub fn repository(&self) -> &Arc<dyn Repository> {
        &self.repository
    }

    /// Begins a session in its first phase.
    ///
    /// # Errors
    /// `session_locked` while another session is active, with its id; `invalid_argument` or `path_denied` for what was
    /// asked for.
    pub fn start(&self, asked: &StartRequest) -> Result<StateView> {
        let mut active = self.lock_active();
        self.refuse_second(active.as_ref(), None)?;
        if asked.verified && self.runner.is_none() {
            return Err(Error::invalid("this server does not run tests, so `verified` cannot be true")
                .hint("start the session without `verified`"));
        }
        let lists =
            |argument: &str, list: &[String]| request::at_least_one(argument, request::nonblank_items(argument, list)?);
        let test_files = request::at_least_one("test_files", asked.test_files.clone())?;
        let implementation_files = request::at_least_one("implementation_files", asked.implementation_files.clone())?;
        let mut started = SessionStarted {
            goal: request::nonblank_text("goal", &asked.goal, request::MAX_GOAL_BYTES)?,
            test_files: files::resolve_session_files(&self.boundary, "test_files", &test_files)?,
            implementation_files: files::resolve_session_files(
                &self.boundary,
                "implementation_files",
                &implementation_files,
            )?,
            run_tests: lists("run_tests", &asked.run_tests)?,
            custom_rules: request::nonblank_items("custom_rules", &asked.custom_rules)?,
            verified: asked.verified,
            files: Digests::new(),
        };
        started.files =
            files::digests(&self.boundary, &[&started.test_files[..], &started.implementation_files[..]].concat())?;
        let id = SessionId::parse(&self.clock.fresh_id())?;
        let held = self.repository.create_lock(&id, &self.owner())?;
        let data = EventData::SessionStarted(started);
        let session = Session::begin(Arc::clone(&self.repository), id, Some(held), &self.timestamp_now(), data)?;
        session.mark_current()?;
        self.view(active.insert(session))
    }

    /// Changes what was said at the beginning of the active session.
    ///
    /// # Errors
    /// `invalid_session` without an active session; `invalid_argument` when nothing is asked for or a list is empty.
    pub fn update(&self, asked: &UpdateRequest) -> Result<StateView> {
        if asked.is_empty() {
            return Err(Error::invalid("nothing is to be updated")
                .hint("pass goal, test_files, implementation_files, run_tests or custom_rules"));
        }
        let paths = |argument: &str, list: &Option<Vec<String>>| {
            let list = list.clone().map(|list| request::at_least_one(argument, list)).transpose()?;
            list.map(|list| files::resolve_session_files(&self.boundary, argument, &list)).transpose()
        };
        let run_tests = asked.run_tests.clone().map(|list| request::at_least_one("run_tests", list)).transpose()?;
        let update = SessionUpdated {
            goal: asked
                .goal
                .as_ref()
                .map(|goal| request::nonblank_text("goal", goal, request::MAX_GOAL_BYTES))
                .transpose()?,
            test_files: paths("test_files", &asked.test_files)?,
            implementation_files: paths("implementation_files", &asked.implementation_files)?,
            run_tests: run_tests.map(|list| request::nonblank_items("run_tests", &list)).transpose()?,
            custom_rules: asked
                .custom_rules
                .as_ref()
                .map(|list| request::nonblank_items("custom_rules", list))
                .transpose()?,
            files: Digests::new(),
        };
        self.with_active(|session| {
            session.record_event(&self.timestamp_now(), |state| {
                let mut update = update.clone();
                let tests = update.test_files.as_ref().unwrap_or(&state.test_files);
                let code = update.implementation_files.as_ref().unwrap_or(&state.implementation_files);
                // What the phase began with stays known; only files that are new to the session are looked at.
                let mut files = state.baseline.clone();
                let new: Vec<String> =
                    tests.iter().chain(code).filter(|file| !files.contains_key(*file)).cloned().collect();
                files.extend(files::digests(&self.boundary, &new)?);
                update.files = files;
                Ok(EventData::SessionUpdated(update))
            })?;
            self.view(session)
        })
    }

    /// Goes on with a session that was paused, or whose process ended.
    ///
    /// # Errors
    /// `invalid_session` for an unknown or ended one, `session_locked` when it or another one is active,
    /// `corrupted_data` when its log cannot be read.
    pub fn resume(&self, id: &str) -> Result<StateView> {
        let id = SessionId::parse(id)?;
        let mut active = self.lock_active();
        if let Some(session) = active.as_mut().filter(|session| session.state().id == id) {
            return self.view(session);
        }
        self.refuse_second(active.as_ref(), Some(&id))?;
        // Read once without the lock, so that a log that cannot be read leaves nothing behind.
        let (state, _) = session::replay(self.repository.as_ref(), &id)?;
        refuse_ended(&state)?;
        let held = self.repository.create_lock(&id, &self.owner())?;
        // And again with it: its last owner may have written until the very end.
        let mut session = Session::load(Arc::clone(&self.repository), &id)?;
        session.attach_lock(held);
        session.record_event(&self.timestamp_now(), |state| {
            refuse_ended(state)?;
            let files = files::digests(&self.boundary, &state.all_files())?;
            Ok(EventData::SessionResumed(SessionResumed { files }))
        })?;
        session.mark_current()?;
        self.view(active.insert(session))
    }

    /// Lays the active session aside and lets go of its lock.
    ///
    /// # Errors
    /// `invalid_session` without an active session.
    pub fn pause(&self) -> Result<SessionId> {
        let mut active = self.lock_active();
        let session = active.as_mut().ok_or_else(|| self.none_active())?;
        session.record_event(&self.timestamp_now(), |_| Ok(EventData::SessionPaused(EmptyEventData {})))?;
        let id = session.state().id.clone();
        if let Some(session) = active.take() {
            session.let_go();
        }
        Ok(id)
    }

    /// Ends the active session for good.
    ///
    /// # Errors
    /// `invalid_session` without an active session.
    pub fn end(&self) -> Result<SessionSummary> {
        let mut active = self.lock_active();
        let session = active.as_mut().ok_or_else(|| self.none_active())?;
        let state = session.record_event(&self.timestamp_now(), |_| Ok(EventData::SessionEnded(EmptyEventData {})))?;
        let summary = summary(state);
        if let Some(session) = active.take() {
            session.let_go();
        }
        Ok(summary)
    }

    /// Where the active session stands.
    ///
    /// # Errors
    /// `invalid_session` without an active session, naming those that can be resumed.
    pub fn current_view(&self) -> Result<StateView> {
        self.with_active(|session| self.view(session))
    }

    /// Adds a note to the active session.
    ///
    /// # Errors
    /// `invalid_session` without an active session; `invalid_argument` for an empty note or one over 64 KiB.
    pub fn log_note(&self, message: &str) -> Result<u64> {
        let message = request::nonblank_text("message", message, MAX_ENTRY_BYTES)?;
        self.with_active(|session| {
            let state = session.record_event(&self.timestamp_now(), |_| {
                Ok(EventData::LogEntry(LogEntry { message: message.clone() }))
            })?;
            Ok(state.events)
        })
    }

    /// A page of the active session's history.
    ///
    /// # Errors
    /// `invalid_session` without an active session.
    pub fn history(&self, before: Option<u64>, size: PageSize) -> Result<History> {
        let (id, total) = self.with_active(|session| Ok((session.state().id.clone(), session.state().events)))?;
        self.page(&id, total, before, size)
    }

    /// A page of any session's history, ended ones too.
    ///
    /// # Errors
    /// As [`Repository::load_events`].
    pub fn history_of(&self, id: &SessionId, before: Option<u64>, size: PageSize) -> Result<History> {
        let (_, replayed) = session::replay(self.repository.as_ref(), id)?;
        self.page(id, replayed.end.seq, before, size)
    }

    fn page(&self, id: &SessionId, total: u64, before: Option<u64>, size: PageSize) -> Result<History> {
        let size = PageSize { events: size.events.clamp(1, MAX_PAGE), ..size };
        let before = before.unwrap_or(u64::MAX).min(total + 1);
        let events = self.repository.newest_events(id, before, size.events)?;
        Ok(history::build_history_page(id.as_str(), &events, total, size))
    }

    /// Any session as its log tells it, ended ones too.
    ///
    /// # Errors
    /// As [`Repository::load_events`].
    pub fn look_at(&self, id: &SessionId) -> Result<StateView> {
        let (state, replayed) = session::replay(self.repository.as_ref(), id)?;
        let now = files::digests(&self.boundary, &state.all_files())?;
        Ok(StateView::from_state(&state, &now, &replayed.warnings()))
    }

    /// The session that this process works on, or the one that was interrupted.
    ///
    /// # Errors
    /// What the repository says.
    pub fn current_id(&self) -> Result<Option<SessionId>> {
        match self.lock_active().as_ref() {
            Some(session) => Ok(Some(session.state().id.clone())),
            None => self.repository.current(),
        }
    }

    /// Help for where the active session stands, or for when there is none.
    #[must_use]
    pub fn quick_help(&self) -> QuickHelp {
        guidance::quick_help(self.lock_active().as_ref().map(Session::state))
    }

    pub(super) fn lock_active(&self) -> MutexGuard<'_, Option<Session>> {
        // A panic in between leaves the session as its log has it.
        self.active.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn with_active<T>(&self, work: impl FnOnce(&mut Session) -> Result<T>) -> Result<T> {
        let mut active = self.lock_active();
        let session = active.as_mut().ok_or_else(|| self.none_active())?;
        work(session)
    }

    pub(super) fn view(&self, session: &Session) -> Result<StateView> {
        let now = files::digests(&self.boundary, &session.state().all_files())?;
        Ok(StateView::from_state(session.state(), &now, session.warnings()))
    }

    pub(super) fn timestamp_now(&self) -> String {
        clock::rfc3339(self.clock.now())
    }

    fn owner(&self) -> Owner {
        Owner {
            locked_by: format!("tapps-mcp {}", env!("CARGO_PKG_VERSION")),
            locked_at: self.timestamp_now(),
            host: platform::host_name(),
            pid: std::process::id(),
        }
    }

    /// One session at a time: refuses to take `wanted` (or a new one) while another one is active here or was
    /// interrupted elsewhere.
    fn refuse_second(&self, active: Option<&Session>, wanted: Option<&SessionId>) -> Result<()> {
        let refused = |state: &SessionState, how: &str, hint: String| {
            let goal = truncate_with_ellipsis(&state.goal, 80);
            Error::new(ErrorCode::SessionLocked, format!("session {} ({goal}) {how}", state.id)).hint(hint)
        };
        if let Some(session) = active {
            let hint = "pause or end it first: tdd_pause_session, tdd_end_session".to_owned();
            return Err(refused(session.state(), "is active", hint));
        }
        let Some(current) = self.repository.current()?.filter(|current| Some(current) != wanted) else { return Ok(()) };
        if let Some(owner) = self.repository.is_locked(&current)? {
            return Err(super::repository::session_locked_error(&current, Some(&owner)));
        }
        // A log that cannot be read must not stand in the way of new work.
        match session::replay(self.repository.as_ref(), &current) {
            Ok((state, _)) if state.status == SessionStatus::Active => {
                let hint = format!("go on with it: tdd_resume_session(\"{current}\"); then pause or end it");
                Err(refused(&state, "was interrupted and is still active", hint))
            }
            Ok(_) => Ok(()),
            Err(error) => {
                tracing::warn!(session = current.as_str(), %error, "the interrupted session cannot be read");
                Ok(())
            }
        }
    }

    fn none_active(&self) -> Error {
        let error = Error::new(ErrorCode::InvalidSession, "no session is active");
        let begin = "begin one with tdd_start_session";
        let Ok(open) = self.resumable_session_ids() else { return error.hint(begin) };
        if open.is_empty() {
            return error.hint(begin);
        }
        error.hint(format!("{begin}, or go on with one by tdd_resume_session: {}", open.join("; ")))
    }

    /// The interrupted session, then others that are not ended.
    fn resumable_session_ids(&self) -> Result<Vec<String>> {
        let current = self.repository.current()?;
        let mut ids = self.repository.sessions()?;
        ids.sort_by_key(|id| Some(id) != current.as_ref());
        // Each is read as a whole, so only a handful is looked at.
        let states = ids.iter().take(4 * NAMED).filter_map(|id| session::replay(self.repository.as_ref(), id).ok());
        let open = states.map(|(state, _)| state).filter(|state| state.status != SessionStatus::Ended).take(NAMED);
        Ok(open
            .map(|state| {
                format!(
                    "{} ({}, {})",
                    state.id,
                    state.current_cycle_phase().phase,
                    truncate_with_ellipsis(&state.goal, 60)
                )
            })
            .collect())
    }
}

fn refuse_ended(state: &SessionState) -> Result<()> {
    if state.status == SessionStatus::Ended {
        return Err(Error::new(ErrorCode::InvalidSession, format!("session {} has ended", state.id))
            .hint("start a new one; the ended one can still be read with `tapps-mcp tdd history`"));
    }
    Ok(())
}

fn summary(state: &SessionState) -> SessionSummary {
    let place = state.current_cycle_phase();
    let cycles = state.cycles_completed();
    let s = if cycles == 1 { "" } else { "s" };
    SessionSummary {
        session_id: state.id.to_string(),
        goal: state.goal.clone(),
        final_phase: place.phase,
        cycles_completed: cycles,
        total_events: state.events,
        started_at: state.started_at.clone(),
        ended_at: state.updated_at.clone(),
        summary: format!(
            "{}: {cycles} cycle{s} completed, ended in {}, {} events",
            truncate_with_ellipsis(&state.goal, 200),
            place.phase,
            state.events
        ),
    }
}
