//! Splitting a request into what is known and what has to be asked.

use std::collections::{BTreeMap, HashSet};

use rayon::prelude::*;

use super::answers::AnswerCache;
use super::form::{CacheableAnswer, Native};
use super::keys::{self, Circumstances};
use crate::analyzer::Profile;
use crate::analyzer::outcome::AnalyzerOutcome;
use crate::ask::Answers;
use tapps_base::finding::Finding;
use tapps_base::source::Source;
use tapps_config::{PythonVersion, SecurityEngine};
use tapps_store::EntryKey;

/// What is known of an analyzer's answers, and the files it has to be asked about.
#[derive(Debug)]
pub(crate) struct Recalled {
    known: Answers,
    missing: Vec<Source>,
    /// Where the answers about the missing files are to be kept.
    keys: BTreeMap<String, EntryKey>,
}

impl Recalled {
    /// Nothing is known and nothing will be kept.
    pub(crate) fn all_unknown(sources: Vec<Source>) -> Self {
        Self { known: Answers::new(), missing: sources, keys: BTreeMap::new() }
    }

    /// Looks up what is kept. Where an analyzer reads the project and a file's bytes are not those that others see, or its
    /// surroundings are out of sight, everything is asked about and nothing kept.
    pub(crate) fn look_up(cache: &AnswerCache, profile: &Profile, sources: Vec<Source>, among: &Circumstances) -> Self {
        let reading = among.readings.of(profile);
        let same = |source: &Source| reading.is_some_and(|reading| reading.has_same_bytes(source));
        if profile.reads_project() && !sources.iter().all(same) {
            return Self::all_unknown(sources);
        }
        let keys: Option<Vec<EntryKey>> = sources.iter().map(|source| among.key(profile, source)).collect();
        let Some(keys) = keys else { return Self::all_unknown(sources) };
        let mut recalled = Self::all_unknown(Vec::new());
        let answers = cache.get(profile.name, &keys);
        for ((source, key), answer) in sources.into_iter().zip(keys).zip(answers) {
            let path = source.path().to_owned();
            match answer {
                Some(answer) => drop(recalled.known.insert(path, AnalyzerOutcome::Measured(answer))),
                None => {
                    recalled.missing.push(source);
                    recalled.keys.insert(path, key);
                }
            }
        }
        recalled
    }

    /// Forgets the files whose paths are not among these.
    pub(crate) fn keep_only(&mut self, paths: &HashSet<&str>) {
        self.known.retain(|path, _| paths.contains(path.as_str()));
        self.missing.retain(|source| paths.contains(source.path()));
    }

    /// The files to ask about.
    pub(crate) fn missing(&self) -> Vec<&Source> {
        self.missing.iter().collect()
    }

    /// Keeps fresh answers; a failure is asked about anew each time.
    pub(crate) fn store_fresh_answers(&self, cache: &AnswerCache, kind: &str, fresh: &Answers) {
        let measured = fresh.iter().filter_map(|(path, outcome)| Some((*self.keys.get(path)?, outcome.measured()?)));
        cache.put(kind, &measured.collect::<Vec<_>>());
    }

    /// All answers.
    pub(crate) fn merged_with(mut self, fresh: Answers) -> Answers {
        self.known.extend(fresh);
        self.known
    }
}

/// Where what the native analyzers say of some files is kept: one key for each, none where nothing is kept.
#[derive(Debug, Default)]
pub(crate) struct NativeKeys(Vec<EntryKey>);

impl NativeKeys {
    pub(crate) fn of_sources(
        cache: &AnswerCache,
        sources: &[Source],
        (version, engine): (PythonVersion, SecurityEngine),
    ) -> Self {
        let key = |source: &Source| keys::native_cache_key(source, version, engine);
        Self(if cache.is_on() { sources.par_iter().map(key).collect() } else { Vec::new() })
    }

    /// What is kept of `count` files.
    pub(crate) fn look_up(&self, cache: &AnswerCache, count: usize) -> Vec<Option<Native>> {
        if self.0.is_empty() { (0..count).map(|_| None).collect() } else { cache.get(keys::NATIVE, &self.0) }
    }

    /// Keeps what is new.
    pub(crate) fn keep<'n>(&self, cache: &AnswerCache, fresh: impl Iterator<Item = Option<&'n Native>>) {
        let fresh: Vec<(EntryKey, &Native)> =
            self.0.iter().zip(fresh).filter_map(|(key, native)| Some((*key, native?))).collect();
        cache.put(keys::NATIVE, &fresh);
    }
}

/// What rules about libraries say, asked only where it is not known. `circumstances` names all that decides it beside a source.
pub(crate) fn recall_library_findings(
    cache: &AnswerCache,
    sources: &[&Source],
    circumstances: &[u8],
    check: impl Fn(&Source) -> Vec<Finding> + Sync,
) -> Vec<Vec<Finding>> {
    let key = |source: &&Source| keys::library_cache_key(source, circumstances);
    recall_or_make(cache, keys::LIBRARIES, sources, key, |source| check(source))
}

/// An answer for each source, in their order: what is not kept is made, side by side, and kept.
fn recall_or_make<S: Sync, T: CacheableAnswer + Send + Sync>(
    cache: &AnswerCache,
    kind: &str,
    sources: &[S],
    key: impl Fn(&S) -> EntryKey + Sync,
    make: impl Fn(&S) -> T + Sync,
) -> Vec<T> {
    if !cache.is_on() {
        return sources.par_iter().map(&make).collect();
    }
    let keys: Vec<EntryKey> = sources.par_iter().map(&key).collect();
    let parts: Vec<(T, bool)> = cache
        .get::<T>(kind, &keys)
        .into_par_iter()
        .zip(sources)
        .map(|(known, source)| match known {
            Some(known) => (known, false),
            None => (make(source), true),
        })
        .collect();
    let fresh: Vec<(EntryKey, &T)> =
        keys.iter().zip(&parts).filter(|(_, (_, fresh))| *fresh).map(|(key, (made, _))| (*key, made)).collect();
    cache.put(kind, &fresh);
    parts.into_iter().map(|(answer, _)| answer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tapps_store::EntryStore;

    #[test]
    fn what_is_kept_is_not_made_again_and_other_circumstances_have_another_answer() {
        let folder = tempfile::tempdir().unwrap();
        let cache = AnswerCache::with_store(Arc::new(EntryStore::new(folder.path(), 1 << 20)));
        let sources = ["a.py", "b.py"].map(|path| Source::new(path, &b"x = 1\n"[..]));
        let sources: Vec<&Source> = sources.iter().collect();
        let made = AtomicUsize::new(0);
        let ask = |cache: &AnswerCache, circumstances: &[u8]| {
            let check = |source: &Source| {
                made.fetch_add(1, Ordering::Relaxed);
                let rule = crate::rules::find_rule("bandit:B602").unwrap();
                vec![rule.finding(source.path()).at(1, 1, 1)]
            };
            let found = recall_library_findings(cache, &sources, circumstances, check);
            let messages: Vec<String> = found.into_iter().flatten().map(|one| one.message).collect();
            assert_eq!(messages, ["a.py", "b.py"]);
            made.swap(0, Ordering::Relaxed)
        };
        let times = [b"1", b"1", b"2", b"1"].map(|circumstances| ask(&cache, circumstances));
        assert_eq!(times, [2, 0, 2, 0]);
        assert_eq!(ask(&AnswerCache::disabled(), b"1"), 2);
    }
}
