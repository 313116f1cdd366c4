//! What the external analyzers say about a request: from the cache where it is known, from the tools where it is not.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use futures::future::try_join_all;
use rayon::prelude::*;

use crate::analyzer;
use crate::analyzer::{Analyzer, Dependence, Profile};
use crate::ask::{Answers, Asker, Preparing};
use crate::cache::{AnswerCache, Circumstances, ModuleFiles, Readings, Recalled};
use crate::combine::External;
use crate::engine::{AnalysisPlan, Engine};
use crate::isolate::failure_of_all;
use crate::project_rules::ProjectRules;
use crate::rule_set;
use crate::stage::Stage;
use crate::surroundings::MANY;
use crate::tally::RequestProgress;
use crate::threads::run_off_async_threads;
use crate::types::TypeTree;
use tapps_base::call::Call;
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};
use tapps_config::Rules;
use tapps_toolchain::{AnswerKey, Toolchain};

/// What is known of the answers of those that are asked, and what is not.
struct KnownAnswers {
    by_analyzer: Vec<(&'static dyn Analyzer, Recalled)>,
    /// What decided the answers when they were looked up.
    among: Circumstances,
}

impl Engine {
    /// Asks the external analyzers about the files that parse, which is told while what was said before is looked up.
    /// `preparing` is dropped when nothing is left to be done but to wait for them.
    pub(super) async fn run_external_analyzers(
        &self,
        (sources, parses): (&[&Source], impl Future<Output = Result<Vec<bool>>>),
        plan: &AnalysisPlan,
        (toolchain, rules, types): (&Result<Arc<Toolchain>>, &ProjectRules, Option<&Arc<TypeTree>>),
        preparing: Preparing,
        tally: &RequestProgress<'_>,
        call: &Call,
    ) -> Result<External> {
        let that_parse = async {
            let parses = parses.await?;
            Ok(sources.iter().copied().zip(parses).filter_map(|(source, parses)| parses.then_some(source)).collect())
        };
        if analyzer::ALL.iter().all(|analyzer| analyzer.profile().files_among(sources).is_empty()) {
            return Ok(External::default());
        }
        let toolchain = match toolchain {
            Ok(toolchain) => toolchain,
            Err(error) => {
                let that_parse: Vec<&Source> = that_parse.await?;
                return Ok(External::all_failed(&that_parse, plan, &self.config, error));
            }
        };
        let answers = toolchain.answer_key(rule_set::VERSION)?;
        let recalled = async {
            let known = call.within(self.recall_known_answers(sources, plan, &answers, types)).await?;
            known.start_those_asked_about_many(toolchain);
            Ok(known)
        };
        let (mut known, that_parse): (KnownAnswers, Vec<&Source>) = tokio::try_join!(recalled, that_parse)?;
        known.keep_only(&that_parse);
        let unanswered = known.unanswered();
        if unanswered.is_empty() {
            known.by_analyzer.iter().for_each(|(analyzer, _)| tally.done(analyzer.profile().name));
            self.toolchain().confirm_unchanged(toolchain, call).await?;
            return self.merge_fresh_answers(known, BTreeMap::new(), plan).await;
        }
        let staged: Vec<Source> = unanswered.iter().map(|source| (*source).clone()).collect();
        let folder = toolchain.private_folder();
        let stage = match folder.and_then(|folder| Stage::when_read(folder, staged)) {
            Ok(stage) => stage,
            Err(error) if error.code() == ErrorCode::ResourceExhausted => return Err(error),
            Err(error) => {
                let fresh = known.all_failed(&error);
                return self.merge_fresh_answers(known, fresh, plan).await;
            }
        };
        let asker = Asker {
            toolchain,
            stage: &stage,
            boundary: &self.boundary,
            types_root: &self.types_root,
            python_files: &self.python_files,
            script_files: self.scripts(plan.reproducible),
            held_scripts: self.held_scripts(plan.reproducible),
            provider: self.toolchain(),
            kept: &self.answers,
            cache_dir: &self.cache_dir,
            answers: &answers,
            version: self.config.python.version,
            rules,
            types: types.map(|types| (&*self.type_trees, types)),
            sources: &[],
            files: sources.len(),
            call,
        };
        let ask = async |(analyzer, recalled): &(&'static dyn Analyzer, Recalled), preparing: Preparing| {
            let name = analyzer.profile().name;
            let fresh = asker.ask(*analyzer, &recalled.missing(), preparing).await?;
            tally.done(name);
            Ok((name, fresh))
        };
        let asks: Vec<_> = known.by_analyzer.iter().map(|one| ask(one, preparing.clone())).collect();
        drop(preparing);
        let (fresh, confirmed) = tokio::join!(try_join_all(asks), self.toolchain().confirm_unchanged(toolchain, call));
        // A tool that failed because it was changed is a tool that was changed.
        confirmed?;
        let fresh = fresh?.into_iter().collect();
        self.merge_fresh_answers(known, fresh, plan).await
    }

    /// Looks up what was said before. Nothing is looked up when the project's own rules are followed: what is kept was
    /// said by the rules of this program.
    async fn recall_known_answers(
        &self,
        sources: &[&Source],
        plan: &AnalysisPlan,
        answers: &AnswerKey,
        types: Option<&Arc<TypeTree>>,
    ) -> Result<KnownAnswers> {
        let files_of = |analyzer: &dyn Analyzer| analyzer.profile().files_among(sources).into_iter().cloned().collect();
        let asked: Vec<(&'static dyn Analyzer, Vec<Source>)> =
            self.asked_analyzers(plan).map(|analyzer| (analyzer, files_of(analyzer))).collect();
        let (cache, files) = (self.answers.clone(), self.readable_files(plan));
        let (answers, version) = (answers.clone(), self.config.python.version);
        let types = types.map(|types| types.digest().to_owned()).unwrap_or_default();
        let on = cache.is_on() && self.config.rules == Rules::Tapps;
        run_off_async_threads(move || {
            let profiles =
                asked.iter().filter(|(_, sources)| !sources.is_empty()).map(|(analyzer, _)| analyzer.profile());
            let readings = if on { files.take_snapshots(profiles, &cache) } else { Readings::default() };
            let among = Circumstances { answers, version, types, readings };
            let recall = |(analyzer, sources): (&'static dyn Analyzer, Vec<Source>)| {
                let recalled = match on {
                    true => Recalled::look_up(&cache, analyzer.profile(), sources, &among),
                    false => Recalled::all_unknown(sources),
                };
                (analyzer, recalled)
            };
            KnownAnswers { by_analyzer: asked.into_iter().map(recall).collect(), among }
        })
        .await
    }

    /// Keeps the fresh answers and puts them together with the known ones.
    async fn merge_fresh_answers(
        &self,
        known: KnownAnswers,
        mut fresh: BTreeMap<&'static str, Answers>,
        plan: &AnalysisPlan,
    ) -> Result<External> {
        let (cache, files) = (self.answers.clone(), self.readable_files(plan));
        run_off_async_threads(move || {
            let take_fresh = |(analyzer, recalled): (&'static dyn Analyzer, Recalled)| {
                let profile = analyzer.profile();
                (profile, recalled, fresh.remove(profile.name).unwrap_or_default())
            };
            let parts: Vec<(&'static Profile, Recalled, Answers)> =
                known.by_analyzer.into_iter().map(take_fresh).collect();
            let merge = |(profile, recalled, fresh): (&'static Profile, Recalled, Answers)| {
                // Files that changed while it ran may have been read before or after.
                let settled = || {
                    let before = known.among.readings.of(profile);
                    let now = || files.take_snapshots(std::iter::once(profile), &cache);
                    !profile.reads_project() || before.is_some() && now().of(profile) == before
                };
                if cache.is_on() && !fresh.is_empty() && settled() {
                    recalled.store_fresh_answers(&cache, profile.name, &fresh);
                }
                (profile.name, recalled.merged_with(fresh))
            };
            External(parts.into_par_iter().map(merge).collect())
        })
        .await
    }
}

/// The files of the project that analyzers read besides those that they are asked about.
struct ReadableFiles {
    python: Arc<ModuleFiles>,
    script: Arc<ModuleFiles>,
}

impl Engine {
    fn readable_files(&self, plan: &AnalysisPlan) -> ReadableFiles {
        ReadableFiles { python: Arc::clone(&self.python_files), script: Arc::clone(self.scripts(plan.reproducible)) }
    }
}

impl ReadableFiles {
    /// Those that some of the analyzers depend on, as they are now.
    fn take_snapshots<'p>(&self, profiles: impl Iterator<Item = &'p Profile>, cache: &AnswerCache) -> Readings {
        let depended: Vec<Dependence> = profiles.flat_map(|profile| profile.depends_on).copied().collect();
        let snapshot = |dependence, files: &ModuleFiles| {
            depended.contains(&dependence).then(|| files.take_snapshot(cache)).flatten()
        };
        Readings {
            python: snapshot(Dependence::PythonFiles, &self.python),
            script: snapshot(Dependence::ScriptFiles, &self.script),
        }
    }
}

impl KnownAnswers {
    /// The same failure for all that is not known.
    fn all_failed(&self, error: &Error) -> BTreeMap<&'static str, Answers> {
        let failed = |(analyzer, recalled): &(&'static dyn Analyzer, Recalled)| {
            let name = analyzer.profile().name;
            (name, failure_of_all(&recalled.missing(), name, error))
        };
        self.by_analyzer.iter().map(failed).collect()
    }

    /// Forgets the files that are not among these.
    fn keep_only(&mut self, sources: &[&Source]) {
        let kept: HashSet<&str> = sources.iter().map(|source| source.path()).collect();
        self.by_analyzer.iter_mut().for_each(|(_, recalled)| recalled.keep_only(&kept));
    }

    /// Lets analyzers load before the files are ready that they have to be asked about, where those are many.
    fn start_those_asked_about_many(&self, toolchain: &Toolchain) {
        let many = self.by_analyzer.iter().filter(|(_, recalled)| recalled.missing().len() >= MANY);
        many.for_each(|(analyzer, _)| analyzer.start_early(toolchain));
    }

    /// The files that some tool has to be asked about, by path.
    fn unanswered(&self) -> Vec<&Source> {
        let missing = self.by_analyzer.iter().flat_map(|(_, recalled)| recalled.missing());
        let by_path: BTreeMap<&str, &Source> = missing.map(|source| (source.path(), source)).collect();
        by_path.into_values().collect()
    }
}
