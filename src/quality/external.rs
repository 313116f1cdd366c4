//! What the external analyzers say about a request: from the cache where it is known, from the tools where it is not.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::analyzer::{mypy, radon, ruff};
use crate::ask::{Answers, Asker};
use crate::cache::{Circumstances, PythonFilesSnapshot, Recalled};
use crate::combine::External;
use crate::engine::{AnalysisPlan, Engine, run_off_async_threads};
use crate::isolate::failure_of_all;
use crate::project_rules::ProjectRules;
use crate::result::AnalysisMode;
use crate::rule_set;
use crate::stage::Stage;
use crate::tally::RequestProgress;
use crate::type_cache::TypeCache;
use tapps_base::call::Call;
use tapps_base::finding::Category;
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};
use tapps_config::{Config, MetricsProvider, Rules, SecurityEngine};
use tapps_security::bandit;
use tapps_toolchain::{AnswerKey, Toolchain};

/// What is known of each tool's answers, and what is not.
struct CachedToolAnswers {
    /// Only asked when its numbers are wanted, and never kept.
    radon: Recalled<radon::RadonFileReport>,
    ruff: Recalled<ruff::RuffFileReport>,
    bandit: Recalled<bandit::BanditFileReport>,
    mypy: Recalled<mypy::MypyFileReport>,
    /// What mypy could read when this was looked up.
    reading: Option<PythonFilesSnapshot>,
}

/// Which tools a plan needs.
#[derive(Debug, Clone, Copy)]
struct RequiredTools {
    radon: bool,
    ruff: bool,
    bandit: bool,
    mypy: bool,
}

impl RequiredTools {
    fn for_plan(plan: &AnalysisPlan, config: &Config) -> Self {
        let full = plan.mode == AnalysisMode::Full;
        Self {
            radon: config.toolchain.metrics == MetricsProvider::Radon,
            ruff: plan.lint,
            bandit: full
                && config.security.engine == SecurityEngine::Bandit
                && plan.wanted.contains(&Category::Security),
            mypy: full && plan.lint && plan.wanted.contains(&Category::Maintainability),
        }
    }
}

impl Engine {
    /// Asks the external analyzers about Python files that parse.
    pub(super) async fn run_external_analyzers(
        &self,
        sources: &[&Source],
        plan: &AnalysisPlan,
        toolchain: &Result<Arc<Toolchain>>,
        rules: &ProjectRules,
        tally: &RequestProgress<'_>,
        call: &Call,
    ) -> Result<External> {
        let toolchain = match toolchain {
            Ok(toolchain) if !sources.is_empty() => toolchain,
            Ok(_) => return Ok(External::default()),
            Err(error) => return Ok(External::all_failed(sources, error)),
        };
        let answers = toolchain.answer_key(rule_set::VERSION)?;
        let known = call
            .within(self.recall_known_answers(sources, RequiredTools::for_plan(plan, &self.config), &answers))
            .await?;
        let unanswered = known.unanswered();
        if unanswered.is_empty() {
            for tool in ["ruff", "bandit", "mypy"] {
                tally.done(tool);
            }
            self.toolchain().confirm_unchanged(toolchain, call).await?;
            return self.merge_fresh_answers(known, External::default()).await;
        }
        let stage = match toolchain.private_folder().and_then(|folder| Stage::new(folder, &unanswered)) {
            Ok(stage) => stage,
            Err(error) if error.code() == ErrorCode::ResourceExhausted => return Err(error),
            Err(error) => {
                let fresh = known.all_failed(&error);
                return self.merge_fresh_answers(known, fresh).await;
            }
        };
        let asker = Asker {
            toolchain,
            stage: &stage,
            version: self.config.python.version,
            ruff_configuration: rules.ruff.as_deref(),
            mypy_configuration: rules.mypy.as_deref(),
            files: sources.len(),
            call,
        };
        let lanes = rayon::current_num_threads();
        let radon = async {
            let missing = known.radon.missing();
            if missing.is_empty() { Ok(Answers::new()) } else { asker.ask_radon(&missing).await }
        };
        let ruff = async {
            let missing = known.ruff.missing();
            let fresh = if missing.is_empty() { Answers::new() } else { asker.ask_ruff(&missing).await? };
            tally.done("ruff");
            Ok(fresh)
        };
        let bandit = async {
            let missing = known.bandit.missing();
            let fresh = if missing.is_empty() { Answers::new() } else { asker.ask_bandit(&missing, lanes).await? };
            tally.done("bandit");
            Ok(fresh)
        };
        let mypy = async {
            let missing = known.mypy.missing();
            let cache = TypeCache::new(&self.cache_dir, self.boundary.root(), &answers.interpreted);
            let fresh = if missing.is_empty() {
                Answers::new()
            } else {
                asker.ask_mypy(&missing, &self.boundary, &cache).await?
            };
            tally.done("mypy");
            Ok(fresh)
        };
        let confirmed = self.toolchain().confirm_unchanged(toolchain, call);
        let answers = async { tokio::try_join!(radon, ruff, bandit, mypy) };
        let (answers, confirmed) = tokio::join!(answers, confirmed);
        // A tool that failed because it was changed is a tool that was changed.
        confirmed?;
        let (radon, ruff, bandit, mypy) = answers?;
        self.merge_fresh_answers(known, External { radon, ruff, mypy, bandit }).await
    }

    /// Looks up what was said before. Nothing is looked up when the project's own rules are followed: what is kept was
    /// said by the rules of this program.
    async fn recall_known_answers(
        &self,
        sources: &[&Source],
        wanted: RequiredTools,
        answers: &AnswerKey,
    ) -> Result<CachedToolAnswers> {
        let sources: Vec<Source> = sources.iter().map(|&source| source.clone()).collect();
        let (cache, files) = (self.answers.clone(), Arc::clone(&self.python_files));
        let among = Circumstances { answers: answers.clone(), version: self.config.python.version };
        let on = cache.is_on() && self.config.rules == Rules::Tapps;
        run_off_async_threads(move || {
            let reading = if on && wanted.mypy { files.take_snapshot(&cache) } else { None };
            let (cache, sources, among) = (&cache, &sources[..], &among);
            CachedToolAnswers {
                radon: if wanted.radon { Recalled::all_unknown(sources) } else { Recalled::nothing_to_ask() },
                ruff: recall_if_wanted(wanted.ruff, on, sources, || Recalled::recall_ruff(cache, sources, among)),
                bandit: recall_if_wanted(wanted.bandit, on, sources, || Recalled::recall_bandit(cache, sources, among)),
                mypy: recall_if_wanted(wanted.mypy, on, sources, || {
                    Recalled::recall_mypy(cache, sources, among, reading.as_ref())
                }),
                reading,
            }
        })
        .await
    }

    /// Keeps the fresh answers and puts them together with the known ones.
    async fn merge_fresh_answers(&self, known: CachedToolAnswers, fresh: External) -> Result<External> {
        let (cache, files) = (self.answers.clone(), Arc::clone(&self.python_files));
        run_off_async_threads(move || {
            if cache.is_on() {
                known.ruff.store_fresh_answers(&cache, &fresh.ruff);
                known.bandit.store_fresh_answers(&cache, &fresh.bandit);
                // Files that changed while mypy ran may have been read before or after.
                if !fresh.mypy.is_empty() && known.reading.is_some() && files.take_snapshot(&cache) == known.reading {
                    known.mypy.store_fresh_answers(&cache, &fresh.mypy);
                }
            }
            External {
                radon: fresh.radon,
                ruff: known.ruff.merged_with(fresh.ruff),
                mypy: known.mypy.merged_with(fresh.mypy),
                bandit: known.bandit.merged_with(fresh.bandit),
            }
        })
        .await
    }
}

impl CachedToolAnswers {
    /// The same failure for all that is not known.
    fn all_failed(&self, error: &Error) -> External {
        External {
            radon: failure_of_all(&self.radon.missing(), "radon", error),
            ruff: failure_of_all(&self.ruff.missing(), "ruff", error),
            mypy: failure_of_all(&self.mypy.missing(), "mypy", error),
            bandit: failure_of_all(&self.bandit.missing(), "bandit", error),
        }
    }

    /// The files that some tool has to be asked about, by path.
    fn unanswered(&self) -> Vec<&Source> {
        let missing = [self.radon.missing(), self.ruff.missing(), self.bandit.missing(), self.mypy.missing()];
        let by_path: BTreeMap<&str, &Source> =
            missing.into_iter().flatten().map(|source| (source.path(), source)).collect();
        by_path.into_values().collect()
    }
}

fn recall_if_wanted<T>(wanted: bool, on: bool, sources: &[Source], look: impl FnOnce() -> Recalled<T>) -> Recalled<T> {
    match (wanted, on) {
        (false, _) => Recalled::nothing_to_ask(),
        (true, false) => Recalled::all_unknown(sources),
        (true, true) => look(),
    }
}
