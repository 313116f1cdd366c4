//! The state of a session, computed by replaying its events one by one.

use super::event::{Digests, EventData, SessionEvent, SessionStarted, SessionUpdated};
use super::id::SessionId;
use super::phase::{CyclePhase, Phase};

/// Whether a session goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionStatus {
    Active,
    Paused,
    Ended,
}

impl std::fmt::Display for SessionStatus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Ended => "ended",
        })
    }
}

/// Everything that the events of a session amount to.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionState {
    pub id: SessionId,
    pub goal: String,
    pub test_files: Vec<String>,
    pub implementation_files: Vec<String>,
    pub run_tests: Vec<String>,
    pub custom_rules: Vec<String>,
    /// The server runs the tests itself before it lets go of a phase.
    pub verified: bool,
    pub status: SessionStatus,
    /// The places gone through and not rolled back; the last one is where the session stands.
    trail: Vec<CyclePhase>,
    /// The session's files as they were when the present phase began.
    pub baseline: Digests,
    /// Events so far, unknown ones included.
    pub events: u64,
    /// Events that were no log entries; a plan made at one revision does not hold at another.
    pub revision: u64,
    pub started_at: String,
    pub updated_at: String,
}

impl SessionState {
    /// The state after a session's first event.
    ///
    /// # Errors
    /// A sentence about what is wrong when it is not `session_started`.
    pub fn begin(id: SessionId, event: SessionEvent) -> Result<Self, String> {
        let EventData::SessionStarted(started) = event.data else {
            return Err("the first event is not session_started".to_owned());
        };
        let SessionStarted { goal, test_files, implementation_files, run_tests, custom_rules, verified, files } =
            started;
        Ok(Self {
            id,
            goal,
            test_files,
            implementation_files,
            run_tests,
            custom_rules,
            verified,
            status: SessionStatus::Active,
            trail: vec![CyclePhase::FIRST],
            baseline: files,
            events: event.seq,
            revision: 1,
            started_at: event.timestamp.clone(),
            updated_at: event.timestamp,
        })
    }

    /// Where the session stands.
    #[must_use]
    pub fn current_cycle_phase(&self) -> CyclePhase {
        self.trail.last().copied().unwrap_or(CyclePhase::FIRST)
    }

    /// The place before this one; none at the very beginning.
    #[must_use]
    pub fn previous_cycle_phase(&self) -> Option<CyclePhase> {
        self.trail.len().checked_sub(2).and_then(|index| self.trail.get(index)).copied()
    }

    /// Cycles that reached their end.
    #[must_use]
    pub fn cycles_completed(&self) -> u32 {
        self.current_cycle_phase().cycle.saturating_sub(1)
    }

    /// Takes in the next event.
    ///
    /// # Errors
    /// A sentence about what is wrong when the event cannot follow on what came before; nothing has changed then.
    pub fn apply(&mut self, event: SessionEvent) -> Result<(), String> {
        if self.status == SessionStatus::Ended {
            return Err("an event follows on session_ended".to_owned());
        }
        let is_log = matches!(event.data, EventData::LogEntry(_));
        match event.data {
            EventData::SessionStarted(_) => return Err("the session starts twice".to_owned()),
            EventData::SessionUpdated(update) => self.update(update),
            EventData::PhaseChanged(change) => self.change(change.from_phase, change.to_phase, change.files)?,
            EventData::Rollback(back) => self.roll_back(back.from_phase, back.to_phase, back.files)?,
            EventData::LogEntry(_) | EventData::PhaseRefused(_) => {}
            EventData::SessionPaused(_) => self.status = SessionStatus::Paused,
            EventData::SessionResumed(resumed) => {
                self.status = SessionStatus::Active;
                self.replace_baseline(resumed.files);
            }
            EventData::SessionEnded(_) => self.status = SessionStatus::Ended,
        }
        self.events = event.seq;
        self.revision += u64::from(!is_log);
        self.updated_at = event.timestamp;
        Ok(())
    }

    /// Notes that an event of a later version was passed over.
    pub fn pass_over(&mut self, seq: u64) {
        self.events = seq;
    }

    fn update(&mut self, update: SessionUpdated) {
        let SessionUpdated { goal, test_files, implementation_files, run_tests, custom_rules, files } = update;
        let set = |to: &mut Vec<String>, from: Option<Vec<String>>| {
            if let Some(from) = from {
                *to = from;
            }
        };
        self.goal = goal.unwrap_or_else(|| std::mem::take(&mut self.goal));
        set(&mut self.test_files, test_files);
        set(&mut self.implementation_files, implementation_files);
        set(&mut self.run_tests, run_tests);
        set(&mut self.custom_rules, custom_rules);
        self.replace_baseline(files);
    }

    fn change(&mut self, from: Option<Phase>, to: Phase, files: Digests) -> Result<(), String> {
        let place = self.current_cycle_phase();
        let Some(from) = from else {
            // Some programs record the phase that a session begins with.
            return if self.trail.len() == 1 && to == place.phase {
                Ok(())
            } else {
                Err("a phase is entered from nowhere".to_owned())
            };
        };
        if from != place.phase {
            return Err(format!("a step from {from} is recorded in phase {}", place.phase));
        }
        if !from.leads_to(to) {
            return Err(format!("no step leads from {from} to {to}"));
        }
        self.trail.push(place.advance_to(to));
        self.replace_baseline(files);
        Ok(())
    }

    fn roll_back(&mut self, from: Phase, to: Phase, files: Digests) -> Result<(), String> {
        let place = self.current_cycle_phase();
        let Some(previous) = self.previous_cycle_phase() else {
            return Err("a rollback from the beginning".to_owned());
        };
        if (from, to) != (place.phase, previous.phase) {
            return Err(format!(
                "a rollback from {from} to {to} is recorded where one leads from {} to {}",
                place.phase, previous.phase
            ));
        }
        self.trail.pop();
        self.replace_baseline(files);
        Ok(())
    }

    fn replace_baseline(&mut self, files: Digests) {
        // Sessions of other programs carry no digests; what is known of the files then stays unknown.
        if !files.is_empty() {
            self.baseline = files;
        }
    }

    /// The files that may be edited in the present phase.
    #[must_use]
    pub fn allowed_files(&self) -> Vec<String> {
        match self.current_cycle_phase().phase {
            Phase::WriteTest => self.test_files.clone(),
            Phase::Implement => self.implementation_files.clone(),
            Phase::Refactor => self.all_files(),
        }
    }

    /// Test files, then implementation files that are not test files too.
    #[must_use]
    pub fn all_files(&self) -> Vec<String> {
        let mut files = self.test_files.clone();
        files.extend(self.implementation_files.iter().filter(|file| !self.test_files.contains(file)).cloned());
        files
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::event::{EmptyEventData, LogEntry, PhaseChanged, Rollback};

    pub(crate) fn started() -> SessionStarted {
        SessionStarted {
            goal: "add numbers".into(),
            test_files: vec!["tests/test_calc.py".into()],
            implementation_files: vec!["calc.py".into()],
            run_tests: vec!["pytest".into()],
            ..Default::default()
        }
    }

    pub(crate) fn state() -> SessionState {
        let id = SessionId::parse("67e55044-10b1-426f-9247-bb680e5fe0c8").unwrap();
        let data = EventData::SessionStarted(started());
        SessionState::begin(id, SessionEvent { seq: 1, timestamp: "2026-11-21T10:30:00Z".into(), data }).unwrap()
    }

    fn apply_next(state: &mut SessionState, data: EventData) -> Result<(), String> {
        let event = SessionEvent { seq: state.events + 1, timestamp: "2026-11-21T10:31:00Z".into(), data };
        state.apply(event)
    }

    fn step(from: Phase, to: Phase) -> EventData {
        EventData::PhaseChanged(PhaseChanged {
            from_phase: Some(from),
            to_phase: to,
            evidence: "e".into(),
            cycle_number: None,
            skip_refactor: false,
            verification: None,
            files: Digests::new(),
        })
    }

    fn back(from: Phase, to: Phase) -> EventData {
        let files = Digests::new();
        EventData::Rollback(Rollback { from_phase: from, to_phase: to, reason: "r".into(), cycle_number: None, files })
    }

    #[test]
    fn rollback_walks_the_history_back_over_skipped_refactoring_and_cycles() {
        use Phase::{Implement, Refactor, WriteTest};
        let mut state = state();
        for (from, to) in [
            (WriteTest, Implement),
            (Implement, WriteTest),
            (WriteTest, Implement),
            (Implement, Refactor),
            (Refactor, WriteTest),
        ] {
            apply_next(&mut state, step(from, to)).unwrap();
        }
        assert_eq!(state.current_cycle_phase(), CyclePhase { phase: WriteTest, cycle: 3 });
        let mut seen = Vec::new();
        while let Some(previous) = state.previous_cycle_phase() {
            let from = state.current_cycle_phase().phase;
            apply_next(&mut state, back(from, previous.phase)).unwrap();
            seen.push((state.current_cycle_phase().phase, state.current_cycle_phase().cycle));
        }
        assert_eq!(seen, [(Refactor, 2), (Implement, 2), (WriteTest, 2), (Implement, 1), (WriteTest, 1)]);
        assert!(apply_next(&mut state, back(WriteTest, Refactor)).is_err());
    }

    #[test]
    fn after_a_rollback_the_way_forward_is_open_again() {
        use Phase::{Implement, Refactor, WriteTest};
        let mut state = state();
        for data in [
            step(WriteTest, Implement),
            back(Implement, WriteTest),
            step(WriteTest, Implement),
            step(Implement, Refactor),
        ] {
            apply_next(&mut state, data).unwrap();
        }
        assert_eq!(state.current_cycle_phase(), CyclePhase { phase: Refactor, cycle: 1 });
        assert_eq!(state.previous_cycle_phase(), Some(CyclePhase { phase: Implement, cycle: 1 }));
    }

    #[test]
    fn what_cannot_follow_is_refused_and_changes_nothing() {
        use Phase::{Implement, Refactor, WriteTest};
        let impossible = [
            step(Implement, Refactor),
            step(WriteTest, Refactor),
            step(WriteTest, WriteTest),
            back(WriteTest, Refactor),
            EventData::SessionStarted(started()),
        ];
        for data in impossible {
            let mut state = state();
            let before = state.clone();
            assert!(apply_next(&mut state, data.clone()).is_err(), "{data:?}");
            assert_eq!(state, before);
        }
        let mut ended = state();
        apply_next(&mut ended, EventData::SessionEnded(EmptyEventData {})).unwrap();
        assert!(apply_next(&mut ended, EventData::LogEntry(LogEntry { message: "m".into() })).is_err());
    }

    #[test]
    fn log_entries_leave_the_revision_alone() {
        let mut state = state();
        apply_next(&mut state, EventData::LogEntry(LogEntry { message: "m".into() })).unwrap();
        assert_eq!((state.events, state.revision), (2, 1));
        apply_next(&mut state, EventData::SessionPaused(EmptyEventData {})).unwrap();
        assert_eq!((state.events, state.revision, state.status), (3, 2, SessionStatus::Paused));
    }

    #[test]
    fn allowed_files_follow_the_phase() {
        let mut state = state();
        state.test_files.push("src/lib.rs".into());
        state.implementation_files.push("src/lib.rs".into());
        assert_eq!(state.allowed_files(), ["tests/test_calc.py", "src/lib.rs"]);
        apply_next(&mut state, step(Phase::WriteTest, Phase::Implement)).unwrap();
        assert_eq!(state.allowed_files(), ["calc.py", "src/lib.rs"]);
        apply_next(&mut state, step(Phase::Implement, Phase::Refactor)).unwrap();
        assert_eq!(state.allowed_files(), ["tests/test_calc.py", "src/lib.rs", "calc.py"]);
    }
}
