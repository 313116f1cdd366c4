//! Splitting a request into what is known and what has to be asked.

use std::collections::BTreeMap;

use super::answers::AnswerCache;
use super::form::{CacheableAnswer, Native};
use super::keys::{self, Circumstances};
use super::python_files::PythonFilesSnapshot;
use crate::analyzer::outcome::AnalyzerOutcome;
use crate::analyzer::{mypy, ruff};
use crate::ask::Answers;
use tapps_base::source::Source;
use tapps_config::{PythonVersion, SecurityEngine};
use tapps_security::bandit;
use tapps_store::EntryKey;

/// What is known of an analyzer's answers, and the files it has to be asked about.
#[derive(Debug)]
pub(crate) struct Recalled<T> {
    known: Answers<T>,
    missing: Vec<Source>,
    /// Where the answers about the missing files are to be kept.
    keys: BTreeMap<String, EntryKey>,
}

impl<T> Recalled<T> {
    /// Nothing has to be asked.
    pub(crate) fn nothing_to_ask() -> Self {
        Self { known: Answers::new(), missing: Vec::new(), keys: BTreeMap::new() }
    }

    /// Nothing is known and nothing will be kept.
    pub(crate) fn all_unknown(sources: &[Source]) -> Self {
        Self { missing: sources.to_vec(), ..Self::nothing_to_ask() }
    }

    /// The files to ask about.
    pub(crate) fn missing(&self) -> Vec<&Source> {
        self.missing.iter().collect()
    }
}

impl<T: CacheableAnswer + Send + Sync> Recalled<T> {
    fn look_up(cache: &AnswerCache, sources: &[Source], key: impl Fn(&Source) -> EntryKey) -> Self {
        let keys: Vec<EntryKey> = sources.iter().map(key).collect();
        let mut recalled = Self::nothing_to_ask();
        for ((source, key), answer) in sources.iter().zip(&keys).zip(cache.get(&keys)) {
            let path = source.path().to_owned();
            match answer {
                Some(answer) => drop(recalled.known.insert(path, AnalyzerOutcome::Measured(answer))),
                None => {
                    recalled.missing.push(source.clone());
                    recalled.keys.insert(path, *key);
                }
            }
        }
        recalled
    }

    /// Keeps fresh answers; a failure is asked about anew each time.
    pub(crate) fn store_fresh_answers(&self, cache: &AnswerCache, fresh: &Answers<T>) {
        let measured = fresh.iter().filter_map(|(path, outcome)| Some((*self.keys.get(path)?, outcome.measured()?)));
        cache.put(&measured.collect::<Vec<_>>());
    }

    /// All answers.
    pub(crate) fn merged_with(mut self, fresh: Answers<T>) -> Answers<T> {
        self.known.extend(fresh);
        self.known
    }
}

impl Recalled<ruff::RuffFileReport> {
    pub(crate) fn recall_ruff(cache: &AnswerCache, sources: &[Source], among: &Circumstances) -> Self {
        Self::look_up(cache, sources, |source| among.ruff(source))
    }
}

impl Recalled<bandit::BanditFileReport> {
    pub(crate) fn recall_bandit(cache: &AnswerCache, sources: &[Source], among: &Circumstances) -> Self {
        Self::look_up(cache, sources, |source| among.bandit(source))
    }
}

impl Recalled<mypy::MypyFileReport> {
    /// Files whose bytes are not those that others see, or whose surroundings are out of sight, are asked about and not
    /// kept.
    pub(crate) fn recall_mypy(
        cache: &AnswerCache,
        sources: &[Source],
        among: &Circumstances,
        reading: Option<&PythonFilesSnapshot>,
    ) -> Self {
        match reading {
            Some(reading) if sources.iter().all(|source| reading.has_same_bytes(source)) => {
                Self::look_up(cache, sources, |source| among.mypy(source, &reading.digest))
            }
            _ => Self::all_unknown(sources),
        }
    }
}

/// What the native analyzers say, asked only where it is not known.
pub(crate) fn recall_native_analyses(
    cache: &AnswerCache,
    sources: &[Source],
    (version, engine): (PythonVersion, SecurityEngine),
    analyze: impl Fn(&Source) -> Native + Sync,
) -> Vec<Native> {
    use rayon::prelude::*;
    if !cache.is_on() {
        return sources.par_iter().map(&analyze).collect();
    }
    let keys: Vec<EntryKey> =
        sources.par_iter().map(|source| keys::native_cache_key(source, version, engine)).collect();
    let parts: Vec<(Native, bool)> = cache
        .get::<Native>(&keys)
        .into_par_iter()
        .zip(sources)
        .map(|(known, source)| match known {
            Some(known) => (known, false),
            None => (analyze(source), true),
        })
        .collect();
    let fresh: Vec<(EntryKey, &Native)> =
        keys.iter().zip(&parts).filter(|(_, (_, fresh))| *fresh).map(|(key, (native, _))| (*key, native)).collect();
    cache.put(&fresh);
    parts.into_iter().map(|(native, _)| native).collect()
}
