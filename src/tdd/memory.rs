//! Sessions kept in memory: the twin of the repository of files, gone with the process.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::event::{EventData, SessionEvent};
use super::id::SessionId;
use super::repository::{
    Appended, Mark, Owner, ReplayItem, Replayed, Repository, SessionLock, no_session, session_locked_error,
};
use crate::event::corrupted_log_error;
use tapps_base::Result;

/// Sessions of this process only.
#[derive(Debug, Clone, Default)]
pub struct MemoryRepository {
    kept: Arc<Mutex<MemoryRepositoryState>>,
}

#[derive(Debug, Default)]
struct MemoryRepositoryState {
    logs: BTreeMap<SessionId, Vec<SessionEvent>>,
    held: Option<(SessionId, Owner)>,
}

#[derive(Debug)]
struct Hold(Arc<Mutex<MemoryRepositoryState>>);

impl SessionLock for Hold {
    fn mark_current(&self) -> Result<()> {
        Ok(())
    }

    fn let_go(self: Box<Self>) {}
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).held = None;
    }
}

impl MemoryRepository {
    fn lock_state(&self) -> MutexGuard<'_, MemoryRepositoryState> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn events_of_session(&self, id: &SessionId) -> Result<Vec<SessionEvent>> {
        self.lock_state().logs.get(id).cloned().ok_or_else(|| no_session(id))
    }
}

impl Repository for MemoryRepository {
    fn load_events(
        &self,
        id: &SessionId,
        from: Mark,
        visit: &mut dyn FnMut(ReplayItem) -> Result<(), String>,
    ) -> Result<Replayed> {
        let mut end = from;
        for event in self.events_of_session(id)?.into_iter().filter(|event| event.seq > from.seq) {
            end.seq = event.seq;
            visit(ReplayItem::Event(event))
                .map_err(|why| corrupted_log_error(format!("session {id}, event {}: {why}", end.seq)))?;
        }
        Ok(Replayed { end, ..Replayed::default() })
    }

    fn newest_events(&self, id: &SessionId, before: u64, limit: usize) -> Result<Vec<SessionEvent>> {
        Ok(self.events_of_session(id)?.into_iter().rev().filter(|event| event.seq < before).take(limit).collect())
    }

    fn append_event(&self, id: &SessionId, at: Mark, timestamp: &str, data: &EventData) -> Result<Appended> {
        let mut kept = self.lock_state();
        let log = kept.logs.entry(id.clone()).or_default();
        if log.len() as u64 != at.seq {
            return Ok(Appended::Moved);
        }
        let seq = at.seq + 1;
        log.push(SessionEvent { seq, timestamp: timestamp.to_owned(), data: data.clone() });
        Ok(Appended::Durable(Mark { seq, bytes: 0 }))
    }

    fn session_exists(&self, id: &SessionId) -> bool {
        self.lock_state().logs.contains_key(id)
    }

    fn sessions(&self) -> Result<Vec<SessionId>> {
        Ok(self.lock_state().logs.keys().cloned().collect())
    }

    fn create_lock(&self, id: &SessionId, owner: &Owner) -> Result<Box<dyn SessionLock>> {
        let mut kept = self.lock_state();
        if let Some((held, by)) = &kept.held {
            return Err(session_locked_error(held, Some(by)));
        }
        kept.held = Some((id.clone(), owner.clone()));
        drop(kept);
        Ok(Box::new(Hold(Arc::clone(&self.kept))))
    }

    fn is_locked(&self, id: &SessionId) -> Result<Option<Owner>> {
        Ok(self.lock_state().held.as_ref().filter(|(held, _)| held == id).map(|(_, owner)| owner.clone()))
    }

    fn current(&self) -> Result<Option<SessionId>> {
        Ok(self.lock_state().held.as_ref().map(|(id, _)| id.clone()))
    }
}
