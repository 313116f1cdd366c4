//! Sessions kept in memory: the twin of the repository of files, gone with the process.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::event::{Event, EventData};
use super::id::SessionId;
use super::repository::{Appended, Held, Item, Mark, Owner, Replayed, Repository, locked, no_session};
use crate::event::corrupted;
use tapps_base::Result;

/// Sessions of this process only.
#[derive(Debug, Clone, Default)]
pub struct MemoryRepository {
    kept: Arc<Mutex<Kept>>,
}

#[derive(Debug, Default)]
struct Kept {
    logs: BTreeMap<SessionId, Vec<Event>>,
    held: Option<(SessionId, Owner)>,
}

#[derive(Debug)]
struct Hold(Arc<Mutex<Kept>>);

impl Held for Hold {
    fn confirm(&self) -> Result<()> {
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
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn log(&self, id: &SessionId) -> Result<Vec<Event>> {
        self.kept().logs.get(id).cloned().ok_or_else(|| no_session(id))
    }
}

impl Repository for MemoryRepository {
    fn load_events(
        &self,
        id: &SessionId,
        from: Mark,
        visit: &mut dyn FnMut(Item) -> Result<(), String>,
    ) -> Result<Replayed> {
        let mut end = from;
        for event in self.log(id)?.into_iter().filter(|event| event.seq > from.seq) {
            end.seq = event.seq;
            visit(Item::Event(event)).map_err(|why| corrupted(format!("session {id}, event {}: {why}", end.seq)))?;
        }
        Ok(Replayed { end, ..Replayed::default() })
    }

    fn newest_events(&self, id: &SessionId, before: u64, limit: usize) -> Result<Vec<Event>> {
        Ok(self.log(id)?.into_iter().rev().filter(|event| event.seq < before).take(limit).collect())
    }

    fn append_event(&self, id: &SessionId, at: Mark, timestamp: &str, data: &EventData) -> Result<Appended> {
        let mut kept = self.kept();
        let log = kept.logs.entry(id.clone()).or_default();
        if log.len() as u64 != at.seq {
            return Ok(Appended::Moved);
        }
        let seq = at.seq + 1;
        log.push(Event { seq, timestamp: timestamp.to_owned(), data: data.clone() });
        Ok(Appended::Durable(Mark { seq, bytes: 0 }))
    }

    fn session_exists(&self, id: &SessionId) -> bool {
        self.kept().logs.contains_key(id)
    }

    fn sessions(&self) -> Result<Vec<SessionId>> {
        Ok(self.kept().logs.keys().cloned().collect())
    }

    fn create_lock(&self, id: &SessionId, owner: &Owner) -> Result<Box<dyn Held>> {
        let mut kept = self.kept();
        if let Some((held, by)) = &kept.held {
            return Err(locked(held, Some(by)));
        }
        kept.held = Some((id.clone(), owner.clone()));
        drop(kept);
        Ok(Box::new(Hold(Arc::clone(&self.kept))))
    }

    fn is_locked(&self, id: &SessionId) -> Result<Option<Owner>> {
        Ok(self.kept().held.as_ref().filter(|(held, _)| held == id).map(|(_, owner)| owner.clone()))
    }

    fn current(&self) -> Result<Option<SessionId>> {
        Ok(self.kept().held.as_ref().map(|(id, _)| id.clone()))
    }
}
