//! A store in memory, for tests and as the plain statement of what a store does.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::contract::{ArtifactQuery, Artifacts, Begun, Committed, WorkflowStore};
use crate::rate::{Bucket, RateLimitScope, Take};
use crate::record::{ArtifactRecord, Execution, ExecutionChange, ExecutionEvent, NewExecution};
use tapps_base::Result;

/// Keeps executions until the process ends.
#[derive(Debug, Default)]
pub struct MemoryStore(Mutex<MemoryStoreState>);

/// Which bucket it is.
type Name = (RateLimitScope, String);

#[derive(Debug, Default)]
struct MemoryStoreState {
    executions: Vec<Execution>,
    definitions: BTreeMap<String, String>,
    artifacts: Vec<ArtifactRecord>,
    events: Vec<ExecutionEvent>,
    buckets: BTreeMap<Name, Bucket>,
}

impl MemoryStoreState {
    /// The buckets after one call; how long to wait when one of them is empty.
    fn buckets_after_call(&self, takes: &[Take], now_ms: i64) -> std::result::Result<Vec<(Name, Bucket)>, Duration> {
        let mut counted = Vec::new();
        let mut wait = None;
        for take in takes {
            let key = (take.scope, take.key.clone());
            match take.limit.take_token(self.buckets.get(&key).copied(), now_ms) {
                Ok(bucket) => counted.push((key, bucket)),
                Err(longer) => wait = wait.max(Some(longer)),
            }
        }
        wait.map_or(Ok(counted), Err)
    }

    fn append(&mut self, events: &[ExecutionEvent]) {
        for event in events {
            let id = i64::try_from(self.events.len()).unwrap_or(i64::MAX) + 1;
            self.events.push(ExecutionEvent { id, ..event.clone() });
        }
    }
}

impl MemoryStore {
    fn lock_state(&self) -> MutexGuard<'_, MemoryStoreState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl WorkflowStore for MemoryStore {
    fn begin(&self, new: &NewExecution) -> Result<Begun> {
        let mut state = self.lock_state();
        let key = &new.execution.request_key;
        if key.is_some()
            && let Some(existing) = state.executions.iter().find(|one| one.request_key == *key)
        {
            return Ok(Begun::Existing(Box::new(existing.clone())));
        }
        match state.buckets_after_call(&new.takes, new.now_ms) {
            Ok(counted) => state.buckets.extend(counted),
            Err(wait) => return Ok(Begun::Limited(wait)),
        }
        state.definitions.insert(new.execution.definition.clone(), new.definition.clone());
        state.executions.push(Execution { revision: 1, ..new.execution.clone() });
        state.append(&new.events);
        Ok(Begun::New)
    }

    fn execution(&self, id: &str) -> Result<Option<Execution>> {
        Ok(self.lock_state().executions.iter().find(|execution| execution.id == id).cloned())
    }

    fn definition(&self, digest: &str) -> Result<Option<String>> {
        Ok(self.lock_state().definitions.get(digest).cloned())
    }

    fn commit(&self, change: &ExecutionChange) -> Result<Committed> {
        let mut state = self.lock_state();
        let new = &change.execution;
        let fits = |kept: &Execution| kept.id == new.id && kept.revision == new.revision;
        let Some(position) = state.executions.iter().position(fits) else { return Ok(Committed::Stale) };
        match state.buckets_after_call(&change.takes, change.now_ms) {
            Ok(counted) => state.buckets.extend(counted),
            Err(wait) => return Ok(Committed::Limited(wait)),
        }
        if let Some(kept) = state.executions.get_mut(position) {
            let mut steps = std::mem::take(&mut kept.steps);
            for changed in &change.steps {
                if let Some(step) = steps.iter_mut().find(|step| step.name == changed.name) {
                    step.clone_from(changed);
                }
            }
            *kept = Execution { revision: new.revision + 1, steps, ..new.clone() };
        }
        for artifact in state.artifacts.iter_mut().filter(|artifact| artifact.execution == new.id) {
            artifact.undone |= artifact.step.as_ref().is_some_and(|step| change.undone.contains(step));
        }
        state.artifacts.extend(change.artifacts.iter().cloned());
        if change.finalize {
            let of_this = |artifact: &&mut ArtifactRecord| artifact.execution == new.id && !artifact.undone;
            state.artifacts.iter_mut().filter(of_this).for_each(|artifact| artifact.is_final = true);
        }
        state.append(&change.events);
        Ok(Committed::Done)
    }

    fn take_tokens(&self, takes: &[Take], now_ms: i64) -> Result<Option<Duration>> {
        let mut state = self.lock_state();
        match state.buckets_after_call(takes, now_ms) {
            Ok(counted) => {
                state.buckets.extend(counted);
                Ok(None)
            }
            Err(wait) => Ok(Some(wait)),
        }
    }

    fn executions(&self, only_open: bool, limit: u32) -> Result<Vec<Execution>> {
        let state = self.lock_state();
        let mut found: Vec<&Execution> =
            state.executions.iter().rev().filter(|one| !only_open || one.state.is_open()).collect();
        found.sort_by_key(|execution| std::cmp::Reverse(execution.active_ms));
        Ok(found.into_iter().take(limit as usize).cloned().collect())
    }

    fn artifacts(&self, query: &ArtifactQuery) -> Result<Artifacts> {
        let state = self.lock_state();
        let wanted = |artifact: &&ArtifactRecord| {
            query.execution.as_ref().is_none_or(|execution| artifact.execution == *execution)
                && query.kind.is_none_or(|kind| artifact.kind == kind)
                && (artifact.is_final || !query.only_final)
                && !(artifact.undone && query.without_undone)
        };
        let found: Vec<&ArtifactRecord> = state.artifacts.iter().rev().filter(wanted).collect();
        let total = found.len() as u64;
        let shown = |artifact: &ArtifactRecord| {
            let mut shown = artifact.clone();
            if query.without_contents {
                shown.content.clear();
            }
            shown
        };
        Ok(Artifacts { artifacts: found.into_iter().take(query.limit as usize).map(shown).collect(), total })
    }

    fn events(&self, after: i64, execution: Option<&str>, limit: u32) -> Result<Vec<ExecutionEvent>> {
        let state = self.lock_state();
        let wanted = |event: &&ExecutionEvent| {
            event.id > after && execution.is_none_or(|execution| event.execution == execution)
        };
        Ok(state.events.iter().filter(wanted).take(limit as usize).cloned().collect())
    }

    fn last_event(&self) -> Result<i64> {
        Ok(self.lock_state().events.last().map_or(0, |event| event.id))
    }
}
