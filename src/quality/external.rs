//! What the external analyzers say about a request: from the cache where it is known, from the tools where it is not.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::analyzer::{mypy, radon, ruff};
use crate::ask::{Answers, Asker};
use crate::cache::{Circumstances, Reading, Recalled};
use crate::combine::External;
use crate::engine::{Engine, Plan, blocking};
use crate::isolate::failure_of_all;
use crate::project_rules::ProjectRules;
use crate::result::Mode;
use crate::rule_set;
use crate::stage::Stage;
use crate::tally::Tally;
use crate::type_cache::TypeCache;
use tapps_base::call::Call;
use tapps_base::finding::Category;
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};
use tapps_config::{Metrics, Rules};
use tapps_security::bandit;
use tapps_toolchain::Toolchain;

/// What is known of each tool's answers, and what is not.
struct Known {
    /// Only asked when its numbers are wanted, and never kept.
    radon: Recalled<radon::Answer>,
    ruff: Recalled<ruff::Answer>,
    bandit: Recalled<bandit::Report>,
    mypy: Recalled<mypy::Answer>,
    /// What mypy could read when this was looked up.
    reading: Option<Reading>,
}

/// Which tools a plan needs.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    radon: bool,
    ruff: bool,
    bandit: bool,
    mypy: bool,
}

impl Wanted {
    fn by(plan: &Plan, metrics: Metrics) -> Self {
        let full = plan.mode == Mode::Full;
        Self {
            radon: metrics == Metrics::Radon,
            ruff: plan.lint,
            bandit: full && plan.wanted.contains(&Category::Security),
            mypy: full && plan.lint && plan.wanted.contains(&Category::Maintainability),
        }
    }
}

impl Engine {
    /// Asks the external analyzers about Python files that parse.
    pub(super) async fn external(
        &self,
        sources: &[&Source],
        plan: &Plan,
        toolchain: &Result<Arc<Toolchain>>,
        rules: &ProjectRules,
        tally: &Tally<'_>,
        call: &Call,
    ) -> Result<External> {
        let toolchain = match toolchain {
            Ok(toolchain) if !sources.is_empty() => toolchain,
            Ok(_) => return Ok(External::default()),
            Err(error) => return Ok(External::absent(sources, error)),
        };
        let fingerprint = toolchain.fingerprint(rule_set::VERSION)?;
        let known =
            call.within(self.known(sources, Wanted::by(plan, self.config.toolchain.metrics), &fingerprint)).await?;
        let unanswered = known.unanswered();
        if unanswered.is_empty() {
            for tool in ["ruff", "bandit", "mypy"] {
                tally.done(tool);
            }
            self.toolchain().confirm_unchanged(toolchain, call).await?;
            return self.together(known, External::default()).await;
        }
        let stage = match toolchain.private_folder().and_then(|folder| Stage::new(folder, &unanswered)) {
            Ok(stage) => stage,
            Err(error) if error.code() == ErrorCode::ResourceExhausted => return Err(error),
            Err(error) => {
                let fresh = known.all_failed(&error);
                return self.together(known, fresh).await;
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
            if missing.is_empty() { Ok(Answers::new()) } else { asker.radon(&missing).await }
        };
        let ruff = async {
            let missing = known.ruff.missing();
            let fresh = if missing.is_empty() { Answers::new() } else { asker.ruff(&missing).await? };
            tally.done("ruff");
            Ok(fresh)
        };
        let bandit = async {
            let missing = known.bandit.missing();
            let fresh = if missing.is_empty() { Answers::new() } else { asker.bandit(&missing, lanes).await? };
            tally.done("bandit");
            Ok(fresh)
        };
        let mypy = async {
            let missing = known.mypy.missing();
            let cache = TypeCache::new(&self.cache_dir, self.boundary.root(), &fingerprint);
            let fresh =
                if missing.is_empty() { Answers::new() } else { asker.mypy(&missing, &self.boundary, &cache).await? };
            tally.done("mypy");
            Ok(fresh)
        };
        let confirmed = self.toolchain().confirm_unchanged(toolchain, call);
        let answers = async { tokio::try_join!(radon, ruff, bandit, mypy) };
        let (answers, confirmed) = tokio::join!(answers, confirmed);
        // A tool that failed because it was changed is a tool that was changed.
        confirmed?;
        let (radon, ruff, bandit, mypy) = answers?;
        self.together(known, External { radon, ruff, mypy, bandit }).await
    }

    /// Looks up what was said before. Nothing is looked up when the project's own rules are followed: what is kept was
    /// said by the rules of this program.
    async fn known(&self, sources: &[&Source], wanted: Wanted, fingerprint: &str) -> Result<Known> {
        let sources: Vec<Source> = sources.iter().map(|&source| source.clone()).collect();
        let (cache, files) = (self.answers.clone(), Arc::clone(&self.python_files));
        let among = Circumstances { fingerprint: fingerprint.to_owned(), version: self.config.python.version };
        let on = cache.is_on() && self.config.rules == Rules::Tapps;
        blocking(move || {
            let reading = if on && wanted.mypy { files.read(&cache) } else { None };
            let (cache, sources, among) = (&cache, &sources[..], &among);
            Known {
                radon: if wanted.radon { Recalled::unknown(sources) } else { Recalled::nothing() },
                ruff: recalled(wanted.ruff, on, sources, || Recalled::ruff(cache, sources, among)),
                bandit: recalled(wanted.bandit, on, sources, || Recalled::bandit(cache, sources, among)),
                mypy: recalled(wanted.mypy, on, sources, || Recalled::mypy(cache, sources, among, reading.as_ref())),
                reading,
            }
        })
        .await
    }

    /// Keeps the fresh answers and puts them together with the known ones.
    async fn together(&self, known: Known, fresh: External) -> Result<External> {
        let (cache, files) = (self.answers.clone(), Arc::clone(&self.python_files));
        blocking(move || {
            if cache.is_on() {
                known.ruff.keep(&cache, &fresh.ruff);
                known.bandit.keep(&cache, &fresh.bandit);
                // Files that changed while mypy ran may have been read before or after.
                if !fresh.mypy.is_empty() && known.reading.is_some() && files.read(&cache) == known.reading {
                    known.mypy.keep(&cache, &fresh.mypy);
                }
            }
            External {
                radon: fresh.radon,
                ruff: known.ruff.with(fresh.ruff),
                mypy: known.mypy.with(fresh.mypy),
                bandit: known.bandit.with(fresh.bandit),
            }
        })
        .await
    }
}

impl Known {
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

fn recalled<T>(wanted: bool, on: bool, sources: &[Source], look: impl FnOnce() -> Recalled<T>) -> Recalled<T> {
    match (wanted, on) {
        (false, _) => Recalled::nothing(),
        (true, false) => Recalled::unknown(sources),
        (true, true) => look(),
    }
}
