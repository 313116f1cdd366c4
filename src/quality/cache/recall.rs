//! Splitting a request into what is known and what has to be asked.

use std::collections::BTreeMap;

use super::answers::AnswerCache;
use super::form::Native;
use super::keys::{self, Circumstances};
use crate::analyzer::Profile;
use crate::analyzer::outcome::AnalyzerOutcome;
use crate::ask::Answers;
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
        .get::<Native>(keys::NATIVE, &keys)
        .into_par_iter()
        .zip(sources)
        .map(|(known, source)| match known {
            Some(known) => (known, false),
            None => (analyze(source), true),
        })
        .collect();
    let fresh: Vec<(EntryKey, &Native)> =
        keys.iter().zip(&parts).filter(|(_, (_, fresh))| *fresh).map(|(key, (native, _))| (*key, native)).collect();
    cache.put(keys::NATIVE, &fresh);
    parts.into_iter().map(|(native, _)| native).collect()
}
