//! The only way a score is made.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;

use crate::adaptive;
use crate::adaptive::{Experience, adapted};
use crate::assemble::Frame;
use crate::cache;
use crate::cache::{AnswerCache, Native, PythonFiles};
use crate::combine::combine;
use crate::measured::Measured;
use crate::project_rules::ProjectRules;
use crate::requests::no_tools;
use crate::result::{Mode, Skipped, Stamp};
use crate::rule_set;
use crate::surroundings::Surroundings;
use crate::tally::Tally;
use crate::weights::Weights;
use tapps_base::call::Call;
use tapps_base::finding::{Category, Finding};
use tapps_base::language::{Analyzers, ScoredLanguage};
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result, digest};
use tapps_config::{Config, Rules};
use tapps_project::ProjectIndex;
use tapps_rules::shape::Shape;
use tapps_rules::{python, script};
use tapps_sandbox::{Boundary, ProjectPath};
use tapps_security::secrets;
use tapps_toolchain::{Provider, Toolchain};

/// The scoring of one project.
#[derive(Debug, Clone)]
pub struct Engine {
    pub(super) boundary: Arc<Boundary>,
    pub(super) config: Arc<Config>,
    toolchain: Provider,
    pub(super) project: Arc<ProjectIndex>,
    /// Where caches live.
    pub(super) cache_dir: PathBuf,
    pub(super) answers: AnswerCache,
    pub(super) python_files: Arc<PythonFiles>,
    /// What callers said of findings; looked at only when the configuration lets it move weights.
    experience: Option<Experience>,
}

/// Which analyzers are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub mode: Mode,
    pub wanted: Vec<Category>,
    /// Lints and names; off only for a pure security scan.
    pub lint: bool,
    pub secrets: bool,
    /// The result must be the same everywhere, so nothing that was learned here may enter it.
    pub reproducible: bool,
}

/// The measurements of a request and what they have in common.
#[derive(Debug)]
pub struct Measurements {
    pub files: Vec<Measured>,
    pub frame: Frame,
    pub skipped: Vec<Skipped>,
}

impl Engine {
    /// An engine for the project inside `boundary`; does no work yet.
    #[must_use]
    pub fn new(boundary: Arc<Boundary>, config: Arc<Config>, toolchain: Provider, cache_dir: PathBuf) -> Self {
        let project = Arc::new(ProjectIndex::new(Arc::clone(&boundary)));
        let python_files = Arc::new(PythonFiles::new(Arc::clone(&boundary)));
        Self {
            boundary,
            config,
            toolchain,
            project,
            cache_dir,
            answers: AnswerCache::off(),
            python_files,
            experience: None,
        }
    }

    /// Takes answers from this cache, and keeps them there.
    #[must_use]
    pub fn caching(mut self, answers: AnswerCache) -> Self {
        let index = ProjectIndex::new(Arc::clone(&self.boundary));
        self.project = Arc::new(match answers.shared() {
            Some(store) => index.with_store(store),
            None => index,
        });
        self.answers = answers;
        self
    }

    /// Lets these outcomes move the weights, where the configuration allows it.
    #[must_use]
    pub fn learning(self, experience: Experience) -> Self {
        Self { experience: Some(experience), ..self }
    }

    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    #[must_use]
    pub fn boundary(&self) -> &Boundary {
        &self.boundary
    }

    /// How often the cache was asked since the process started, and how often it could answer; none when it is off.
    #[must_use]
    pub fn cache_use(&self) -> Option<(u64, u64)> {
        self.answers.shared().map(|store| store.use_counts())
    }

    /// What is known of the project around the files.
    #[must_use]
    pub fn project(&self) -> &ProjectIndex {
        &self.project
    }

    #[must_use]
    pub fn toolchain(&self) -> &Provider {
        &self.toolchain
    }

    /// Weights of the configuration.
    #[must_use]
    pub fn weights(&self) -> Weights {
        Weights::from_fractions(|category| self.config.weights.of(category))
    }

    /// The weights of a result, and whether they were learned: those of the configuration, unless it lets outcomes move
    /// them and the result need not be the same everywhere.
    ///
    /// # Errors
    /// What the source of the outcomes says.
    pub fn weights_for(&self, reproducible: bool) -> Result<(Weights, bool)> {
        match &self.experience {
            Some(experience) if self.config.adaptive && !reproducible => {
                Ok((adapted(&self.weights(), &experience.tallies()?), true))
            }
            _ => Ok((self.weights(), false)),
        }
    }

    /// Reads files; with `lenient`, one that cannot be read is skipped with its reason instead of failing the request. What
    /// the machine lacks is no reason to skip a file.
    pub(super) async fn read(&self, paths: &[ProjectPath], lenient: bool) -> Result<(Vec<Source>, Vec<Skipped>)> {
        let (boundary, paths, max) = (Arc::clone(&self.boundary), paths.to_vec(), self.config.limits.max_file_bytes);
        blocking(move || {
            let read: Vec<(ProjectPath, Result<Vec<u8>>)> =
                paths.into_par_iter().map(|path| (path.clone(), boundary.read(&path, max))).collect();
            let (mut sources, mut skipped) = (Vec::new(), Vec::new());
            for (path, bytes) in read {
                match bytes {
                    Ok(bytes) => sources.push(Source::new(path.as_str(), bytes)),
                    Err(error) if lenient && error.code() != ErrorCode::ResourceExhausted => {
                        skipped.push(Skipped { file: path.as_str().to_owned(), reason: error.message().to_owned() });
                    }
                    Err(error) => return Err(error),
                }
            }
            Ok((sources, skipped))
        })
        .await?
    }

    /// Measures code files.
    pub(super) async fn measure(&self, sources: Vec<Source>, plan: &Plan, call: &Call) -> Result<Measurements> {
        let sources: Arc<[Source]> = sources.into();
        let native = self.native(&sources, plan.secrets);
        let (toolchain, (shapes, secrets)) = tokio::try_join!(self.ready(call), native)?;
        let (boundary, config) = (Arc::clone(&self.boundary), Arc::clone(&self.config));
        let rules = blocking(move || ProjectRules::read_project_rules(&boundary, &config)).await??;
        let frame = self.frame(toolchain.as_ref().ok().map(Arc::as_ref), &rules, plan.reproducible)?;
        let tally = Tally::new(call, sources.len());
        tally.done("metrics and secrets");
        let readable: Vec<&Source> = sources
            .iter()
            .zip(&shapes)
            .filter(|(source, shape)| analyzers_of(source) == Analyzers::Python && shape.syntax_errors.is_empty())
            .map(|(source, _)| source)
            .collect();

        let external = self.external(&readable, plan, &toolchain, &rules, &tally, call);
        let surroundings = self.surroundings(&sources, plan, call);
        let (external, surroundings) = tokio::try_join!(external, surroundings)?;
        tally.done("project facts");

        let files = combine(&sources, shapes, secrets, external, surroundings, plan);
        Ok(Measurements { files, frame, skipped: Vec::new() })
    }

    /// The toolchain, or why there is none. A mismatch, a cancelled call and a passed deadline end the request; a
    /// missing toolchain leaves what needs no tool.
    pub(super) async fn ready(&self, call: &Call) -> Result<Result<Arc<Toolchain>>> {
        match self.toolchain.ready_at_a_glance(call).await {
            Err(error) if error.code() == ErrorCode::ToolUnavailable => Ok(Err(error)),
            other => Ok(Ok(other?)),
        }
    }

    /// What the native analyzers say: shapes and secrets, in the order of the sources.
    async fn native(&self, sources: &Arc<[Source]>, secrets: bool) -> Result<(Vec<Shape>, Vec<Vec<Finding>>)> {
        let (sources, version) = (Arc::clone(sources), self.config.python.version);
        // What is kept always has the secrets.
        let cache = if secrets { self.answers.clone() } else { AnswerCache::off() };
        blocking(move || {
            let all = cache::native(&cache, &sources, version, |source| {
                let shape = match analyzers_of(source) {
                    Analyzers::Script => script::analyze(source),
                    Analyzers::Python => python::analyze(source, python::target(version)),
                };
                Native { shape, secrets: if secrets { secrets::scan(source) } else { Vec::new() } }
            });
            all.into_iter().map(|native| (native.shape, native.secrets)).unzip()
        })
        .await
    }

    /// Tests, structure and developer experience: what the project around the files tells. The whole project is looked
    /// at for that, which a quick answer has no time for.
    async fn surroundings(&self, sources: &Arc<[Source]>, plan: &Plan, call: &Call) -> Result<Vec<Surroundings>> {
        let around = [Category::TestCoverage, Category::Structure, Category::Devex];
        if plan.mode == Mode::Quick {
            return Ok(Surroundings::skipped(sources.len(), "not part of quick mode"));
        }
        if !around.iter().any(|category| plan.wanted.contains(category)) {
            return Ok(Surroundings::skipped(sources.len(), "not needed for what was asked"));
        }
        let (sources, index, config) = (Arc::clone(sources), Arc::clone(&self.project), Arc::clone(&self.config));
        call.within(blocking(move || Surroundings::of(&sources, &index, &config.coverage.files))).await?
    }

    fn frame(&self, toolchain: Option<&Toolchain>, rules: &ProjectRules, reproducible: bool) -> Result<Frame> {
        let (mut stamp, tool_versions) = match toolchain {
            None => (no_tools(), BTreeMap::new()),
            Some(toolchain) => {
                let fingerprint = toolchain.fingerprint(rule_set::VERSION)?;
                (Stamp { fingerprint, verified: toolchain.verified() }, scoring_tools(toolchain.versions()?))
            }
        };
        let own = self.config.score_digest()?;
        let config_digest = if self.config.rules == Rules::Project {
            digest::of_json(&serde_json::json!({ "config": own, "project_rules": rules.digests_by_tool() }))?
        } else {
            own
        };
        let (weights, learned) = self.weights_for(reproducible)?;
        if learned {
            stamp.fingerprint = adaptive::fingerprint(&stamp.fingerprint, &weights);
        }
        Ok(Frame { weights, stamp, tool_versions, config_digest, configuration: rules.told.clone() })
    }
}

/// The tools that make scores; their support packages are in the fingerprint.
fn scoring_tools(mut versions: BTreeMap<String, String>) -> BTreeMap<String, String> {
    versions.retain(|tool, _| ["bandit", "coverage", "mypy", "radon", "ruff"].contains(&tool.as_str()));
    versions
}

/// Who measures a source. What is in no language that is scored does not get here; it would be read as Python.
pub(super) fn analyzers_of(source: &Source) -> Analyzers {
    source.language().unwrap_or(ScoredLanguage::PYTHON).analyzers()
}

/// Runs work that computes or blocks off the async threads.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(|e| Error::internal(format!("a computation died: {e}")))
}
