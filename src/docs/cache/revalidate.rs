//! Stale while revalidate: what is kept is answered at once, what is stale is fetched anew behind.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::Mutex as AsyncMutex;
use tokio::task::JoinSet;

use super::entry::DocsCacheKey;
use super::folder::DocsCache;
use tapps_base::{Error, Result};

/// An answer and where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Served<T> {
    pub value: T,
    /// How old it is; nothing for one that was just fetched.
    pub age: Option<Duration>,
    /// It has outlived its lifetime; a fresh one is being fetched if that was allowed.
    pub stale: bool,
}

/// The keys being fetched, each with the lock its askers wait for.
type UnderWay = Arc<Mutex<HashMap<DocsCacheKey, Arc<AsyncMutex<()>>>>>;

/// A cache with somebody who asks the service: one request for a key at a time, however many ask for it.
#[derive(Debug)]
pub struct Revalidating {
    cache: DocsCache,
    under_way: UnderWay,
    behind: Mutex<JoinSet<()>>,
}

impl Revalidating {
    /// Puts a service behind a cache.
    #[must_use]
    pub fn new(cache: DocsCache) -> Self {
        Self { cache, under_way: Arc::default(), behind: Mutex::new(JoinSet::new()) }
    }

    /// The cache itself.
    #[must_use]
    pub fn cache(&self) -> &DocsCache {
        &self.cache
    }

    /// What is kept, without asking anybody. An entry that is no `T` is removed.
    #[must_use]
    pub fn get_cached<T: DeserializeOwned>(&self, key: &DocsCacheKey) -> Option<Served<T>> {
        let found = self.cache.get(key)?;
        match serde_json::from_slice(&found.payload) {
            Ok(value) => Some(Served { value, age: Some(found.age), stale: found.stale }),
            Err(_) => {
                self.cache.remove(key);
                None
            }
        }
    }

    /// What is kept, or else what `fetch` gives. A stale answer is given at once, and `fetch` runs behind; when it
    /// fails the stale one stays.
    ///
    /// Has to be called within a tokio runtime.
    ///
    /// # Errors
    /// What `fetch` says, when nothing is kept. A failure is never kept.
    pub async fn get_or_fetch<T, F, R>(&self, key: &DocsCacheKey, lifetime: Duration, fetch: F) -> Result<Served<T>>
    where
        T: Serialize + DeserializeOwned + Send + 'static,
        F: FnOnce() -> R + Send + 'static,
        R: Future<Output = Result<T>> + Send,
    {
        if let Some(kept) = self.get_cached(key) {
            if kept.stale {
                self.refresh_in_background(key, lifetime, fetch);
            }
            return Ok(kept);
        }
        let ticket = Ticket::for_key(&self.under_way, key);
        let _turn = ticket.lock.lock().await;
        // Whoever had the turn before may have fetched it.
        if let Some(kept) = self.get_cached(key) {
            return Ok(kept);
        }
        let value = fetch().await?;
        store_value(&self.cache, key, lifetime, &value)?;
        Ok(Served { value, age: None, stale: false })
    }

    /// Fetches in the background, unless that is already being done.
    fn refresh_in_background<T, F, R>(&self, key: &DocsCacheKey, lifetime: Duration, fetch: F)
    where
        T: Serialize + Send + 'static,
        F: FnOnce() -> R + Send + 'static,
        R: Future<Output = Result<T>> + Send,
    {
        let (cache, key, ticket) = (self.cache.clone(), key.clone(), Ticket::for_key(&self.under_way, key));
        let Ok(turn) = Arc::clone(&ticket.lock).try_lock_owned() else { return };
        let mut behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner);
        while behind.try_join_next().is_some() {}
        behind.spawn(async move {
            let fetched = match fetch().await {
                Ok(value) => store_value(&cache, &key, lifetime, &value),
                Err(error) => Err(error),
            };
            if let Err(error) = fetched {
                tracing::debug!(%error, "a stale answer could not be refreshed and stays");
            }
            drop((turn, ticket));
        });
    }

    /// Waits until nothing is being fetched behind any more, at most so long; what is not done then is given up.
    pub async fn wait_for_refreshes(&self, at_most: Duration) {
        let mut behind = std::mem::take(&mut *self.behind.lock().unwrap_or_else(PoisonError::into_inner));
        let all = async { while behind.join_next().await.is_some() {} };
        tokio::time::timeout(at_most, all).await.ok();
    }
}

/// A place in the queue for one key; the key is forgotten with its last ticket.
struct Ticket {
    under_way: UnderWay,
    key: DocsCacheKey,
    lock: Arc<AsyncMutex<()>>,
}

impl Ticket {
    fn for_key(under_way: &UnderWay, key: &DocsCacheKey) -> Self {
        let lock = Arc::clone(under_way.lock().unwrap_or_else(PoisonError::into_inner).entry(key.clone()).or_default());
        Self { under_way: Arc::clone(under_way), key: key.clone(), lock }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        // The map's own and this ticket's: nobody else waits.
        if under_way.get(&self.key).is_some_and(|lock| Arc::strong_count(lock) <= 2) {
            under_way.remove(&self.key);
        }
    }
}

fn store_value<T: Serialize>(cache: &DocsCache, key: &DocsCacheKey, lifetime: Duration, value: &T) -> Result<()> {
    let bytes = serde_json::to_vec(value).map_err(|e| Error::internal(format!("an answer has no JSON form: {e}")))?;
    if let Err(error) = cache.put(key, &bytes, lifetime) {
        // A cache that cannot be written makes answers slower and never makes them fail.
        tracing::warn!(%error, "an answer could not be kept");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::super::testing::HandClock;
    use super::*;
    use tapps_base::ErrorCode;

    const HOUR: Duration = Duration::from_secs(3_600);
    const LONG: Duration = Duration::from_secs(20);

    struct Setup {
        _folder: tempfile::TempDir,
        clock: Arc<HandClock>,
        cache: Revalidating,
        asked: Arc<AtomicU32>,
    }

    fn setup() -> Setup {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(HandClock::default());
        let cache = Revalidating::new(DocsCache::new(folder.path(), 1 << 20, clock.clone()));
        Setup { _folder: folder, clock, cache, asked: Arc::default() }
    }

    impl Setup {
        async fn ask(&self, answer: Result<&'static str>) -> Result<Served<String>> {
            let asked = Arc::clone(&self.asked);
            let fetch = move || async move {
                asked.fetch_add(1, Ordering::SeqCst);
                tokio::task::yield_now().await;
                answer.map(str::to_owned)
            };
            self.cache.get_or_fetch(&DocsCacheKey::from_parts(&["k"]), HOUR, fetch).await
        }

        fn asked(&self) -> u32 {
            self.asked.load(Ordering::SeqCst)
        }
    }

    #[tokio::test]
    async fn a_stale_answer_comes_at_once_and_a_fresh_one_next_time() {
        let setup = setup();
        assert_eq!(setup.ask(Ok("one")).await.unwrap(), Served { value: "one".into(), age: None, stale: false });
        assert_eq!(setup.ask(Ok("two")).await.unwrap().value, "one");
        assert_eq!(setup.asked(), 1);
        setup.clock.advance(HOUR);
        let stale = setup.ask(Ok("two")).await.unwrap();
        assert_eq!(stale, Served { value: "one".into(), age: Some(HOUR), stale: true });
        setup.cache.wait_for_refreshes(LONG).await;
        assert_eq!(setup.asked(), 2);
        assert_eq!(setup.ask(Ok("three")).await.unwrap().value, "two");
        assert!(setup.cache.under_way.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_failure_is_not_kept_and_leaves_the_stale_answer() {
        let setup = setup();
        let down = || Err(Error::new(ErrorCode::ApiUnavailable, "down"));
        assert_eq!(setup.ask(down()).await.unwrap_err().code(), ErrorCode::ApiUnavailable);
        assert_eq!(setup.ask(Ok("one")).await.unwrap().value, "one");
        setup.clock.advance(HOUR * 2);
        assert!(setup.ask(down()).await.unwrap().stale);
        setup.cache.wait_for_refreshes(LONG).await;
        let again = setup.ask(down()).await.unwrap();
        assert_eq!((again.value.as_str(), again.stale), ("one", true));
        setup.cache.wait_for_refreshes(LONG).await;
        assert_eq!(setup.asked(), 4);
    }

    #[tokio::test]
    async fn many_askers_make_one_request() {
        let setup = setup();
        let all = futures::future::join_all((0..20).map(|_| setup.ask(Ok("one")))).await;
        assert!(all.into_iter().all(|served| served.unwrap().value == "one"));
        assert_eq!(setup.asked(), 1);
        setup.clock.advance(HOUR);
        let all = futures::future::join_all((0..20).map(|_| setup.ask(Ok("two")))).await;
        assert!(all.into_iter().all(|served| served.unwrap().stale));
        setup.cache.wait_for_refreshes(LONG).await;
        assert_eq!(setup.asked(), 2);
    }

    #[tokio::test]
    async fn an_entry_of_another_shape_is_no_answer() {
        let setup = setup();
        setup.cache.cache().put(&DocsCacheKey::from_parts(&["k"]), b"[1, 2]", HOUR).unwrap();
        assert_eq!(setup.ask(Ok("one")).await.unwrap().value, "one");
    }
}
