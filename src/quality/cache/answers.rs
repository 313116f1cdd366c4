//! The cache as the engine uses it: typed, and left out when it is not wanted.

use std::sync::Arc;

use rayon::prelude::*;

use super::form::{self, CacheableAnswer};
use tapps_store::{EntryKey, EntryStore};

/// What analyzers said before. It changes how long an answer takes, never the answer; failures are not kept.
#[derive(Debug, Clone, Default)]
pub struct AnswerCache {
    own: Option<Arc<EntryStore>>,
    fleet: Option<Arc<dyn Shared>>,
}

/// A store that other machines use too: slower to ask than this machine's own, faster than a tool.
pub trait Shared: std::fmt::Debug + Send + Sync {
    /// The bytes of each key, verified.
    fn get(&self, keys: &[EntryKey]) -> Vec<Option<Vec<u8>>>;
    /// Puts entries for the others.
    fn put(&self, entries: &[(EntryKey, Vec<u8>)]);
}

impl AnswerCache {
    /// Keeps answers in a store.
    #[must_use]
    pub fn with_store(store: Arc<EntryStore>) -> Self {
        Self { own: Some(store), fleet: None }
    }

    /// Asks a shared store for what tools would have to be run for, and puts their answers there.
    #[must_use]
    pub fn with_shared_store(self, fleet: Arc<dyn Shared>) -> Self {
        Self { fleet: Some(fleet), ..self }
    }

    /// Keeps nothing and knows nothing.
    #[must_use]
    pub fn disabled() -> Self {
        Self::default()
    }

    /// False when looking anything up is no use.
    #[must_use]
    pub(crate) fn is_on(&self) -> bool {
        self.own.is_some()
    }

    /// The store, for others who keep something.
    pub(crate) fn store_handle(&self) -> Option<Arc<EntryStore>> {
        self.own.clone()
    }

    pub(super) fn store(&self) -> Option<&EntryStore> {
        self.own.as_deref()
    }

    /// What was said under each key of a kind.
    pub(crate) fn get<T: CacheableAnswer + Send>(&self, kind: &str, keys: &[EntryKey]) -> Vec<Option<T>> {
        let Some(store) = &self.own else { return keys.iter().map(|_| None).collect() };
        let mut found = store.get(keys);
        if T::SHARED
            && let Some(fleet) = &self.fleet
        {
            fill_from_shared_store(fleet.as_ref(), store, kind, keys, &mut found);
        }
        found.into_par_iter().map(|bytes| bytes.and_then(|bytes| form::from_bytes(&bytes))).collect()
    }

    /// Keeps answers of a kind.
    pub(crate) fn put<T: CacheableAnswer + Sync>(&self, kind: &str, answers: &[(EntryKey, &T)]) {
        let Some(store) = &self.own else { return };
        let bytes = |(key, answer): &(EntryKey, &T)| form::to_bytes(*answer).map(|bytes| (*key, bytes));
        let entries: Vec<(EntryKey, Vec<u8>)> = answers.par_iter().filter_map(bytes).collect();
        store.put(kind, &entries);
        if T::SHARED
            && let Some(fleet) = self.fleet.as_ref().filter(|_| !entries.is_empty())
        {
            fleet.put(&entries);
        }
    }
}

/// Fills what is missing from the shared store, and keeps it on this machine.
fn fill_from_shared_store(
    fleet: &dyn Shared,
    store: &EntryStore,
    kind: &str,
    keys: &[EntryKey],
    found: &mut [Option<Vec<u8>>],
) {
    let missing: Vec<usize> = (0..keys.len()).filter(|at| found.get(*at).is_some_and(Option::is_none)).collect();
    let asked: Vec<EntryKey> = missing.iter().filter_map(|at| keys.get(*at).copied()).collect();
    if asked.is_empty() {
        return;
    }
    let mut fresh = Vec::new();
    for ((at, key), payload) in missing.into_iter().zip(&asked).zip(fleet.get(&asked)) {
        if let (Some(payload), Some(slot)) = (payload, found.get_mut(at)) {
            fresh.push((*key, payload.clone()));
            *slot = Some(payload);
        }
    }
    store.put(kind, &fresh);
}
