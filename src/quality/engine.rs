//! The only way a score is made.

use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;
use tokio::sync::oneshot;

use crate::adaptive::{Experience, adapt_weights};
use crate::analyzer;
use crate::analyzer::tsc::HeldScripts;
use crate::analyzer::{Analyzer, Need};
use crate::ask::{Preparing, TREE_COPY};
use crate::assemble::Frame;
use crate::cache::{AnswerCache, ModuleFiles, Packages};
use crate::combine::combine_measurements;
use crate::grounds::Grounds;
use crate::measured::FileMeasurements;
use crate::own;
use crate::result::{AnalysisMode, Skipped};
use crate::surroundings::{ContractAnswer, MANY, Surroundings, surroundings_wanted};
use crate::tally::RequestProgress;
use crate::threads::{Threads, run_off_async_threads};
use crate::types::TypeTrees;
use crate::weights::CategoryWeights;
use tapps_base::call::Call;
use tapps_base::finding::{Category, Finding};
use tapps_base::source::Source;
use tapps_base::{ErrorCode, Result};
use tapps_config::{Config, LibraryTypes, Sources};
use tapps_names::{CheckedNames, NameChecker};
use tapps_patterns::PatternRules;
use tapps_project::ProjectIndex;
use tapps_project::packages::environment::PythonEnvironment;
use tapps_sandbox::{Boundary, ProjectPath};
use tapps_toolchain::{Provider, Toolchain};

/// The scoring of one project.
#[derive(Debug, Clone)]
pub struct Engine {
    pub(super) boundary: Arc<Boundary>,
    pub(super) config: Arc<Config>,
    toolchain: Provider,
    pub(super) project: Arc<ProjectIndex>,
    /// The path by which mypy's cache knows the project.
    pub(super) types_root: PathBuf,
    /// Where caches live.
    pub(super) cache_dir: PathBuf,
    pub(super) answers: AnswerCache,
    pub(super) python_files: Arc<ModuleFiles>,
    script_files: ScriptFiles,
    pub(super) names: Arc<NameChecker>,
    pub(super) type_trees: Arc<TypeTrees>,
    /// What the configuration was made from, so that it can be made again from another tree.
    settings: Option<Arc<Sources>>,
    /// Where the project's rules are read, where that is not its root.
    rules_from: Option<Arc<Boundary>>,
    /// Where what decides the verdict besides the configuration is read, the project's own patterns and tools, where that is
    /// not its root: the same for both sides of a change.
    policy_from: Option<Arc<Boundary>>,
    /// What of a contract about imports cannot be used is passed over, and leaves no gap: a change is judged by the
    /// contracts of its base, which need not fit its code.
    passes_over_contract_faults: bool,
    /// What callers said of findings; looked at only when the configuration lets it move weights.
    experience: Option<Experience>,
}

/// The scripts of a project as TypeScript's compiler sees them.
#[derive(Debug, Clone)]
struct ScriptFiles {
    /// Where packages are installed, which is beside the project and not in its trees.
    installed_in: Arc<Boundary>,
    with_packages: Arc<ModuleFiles>,
    without_packages: Arc<ModuleFiles>,
    /// What is kept of those with packages; none for a copy of the project, which is there for a moment.
    held: Option<Arc<HeldScripts>>,
}

impl ScriptFiles {
    fn new(boundary: &Arc<Boundary>, installed_in: &Arc<Boundary>) -> Self {
        let files = |packages| Arc::new(ModuleFiles::of_scripts(Arc::clone(boundary), packages));
        Self {
            installed_in: Arc::clone(installed_in),
            with_packages: files(Packages::Of(Arc::clone(installed_in))),
            without_packages: files(Packages::LeftOut),
            held: Arc::ptr_eq(boundary, installed_in).then(Arc::default),
        }
    }
}

/// Which analyzers are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnalysisPlan {
    pub mode: AnalysisMode,
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
    pub files: Vec<FileMeasurements>,
    pub frame: Frame,
    pub skipped: Vec<Skipped>,
}

impl Engine {
    /// An engine for the project inside `boundary`; does no work yet.
    #[must_use]
    pub fn new(boundary: Arc<Boundary>, config: Arc<Config>, toolchain: Provider, cache_dir: PathBuf) -> Self {
        let project = Arc::new(ProjectIndex::new(Arc::clone(&boundary)));
        let python_files = Arc::new(ModuleFiles::of_python(Arc::clone(&boundary)));
        let script_files = ScriptFiles::new(&boundary, &boundary);
        let environment = PythonEnvironment::of_project(Arc::clone(&boundary));
        Self {
            types_root: boundary.root().to_owned(),
            names: Arc::new(NameChecker::new(environment.clone())),
            type_trees: Arc::new(TypeTrees::new(Arc::clone(&boundary), environment, &cache_dir)),
            boundary,
            config,
            toolchain,
            project,
            cache_dir,
            answers: AnswerCache::disabled(),
            python_files,
            script_files,
            settings: None,
            rules_from: None,
            policy_from: None,
            passes_over_contract_faults: false,
            experience: None,
        }
    }

    /// Looks for the project's libraries of Python in this environment.
    #[must_use]
    pub fn with_environment(self, environment: PythonEnvironment) -> Self {
        Self {
            names: Arc::new(NameChecker::new(environment.clone())),
            type_trees: Arc::new(TypeTrees::new(Arc::clone(&self.boundary), environment, &self.cache_dir)),
            ..self
        }
    }

    /// The same engine for code that the contracts about imports need not fit.
    pub(super) fn passing_over_contract_faults(&self) -> Self {
        Self { passes_over_contract_faults: true, ..self.clone() }
    }

    /// Lets the settings be read again from another tree as they were read from this one.
    #[must_use]
    pub fn with_settings(self, settings: Arc<Sources>) -> Self {
        Self { settings: Some(settings), ..self }
    }

    /// What the configuration is made from.
    pub(super) fn settings_sources(&self) -> Sources {
        self.settings.as_deref().cloned().unwrap_or_default()
    }

    /// The engine of the same project under another configuration, with the project's rules from another folder.
    pub(super) fn following(&self, config: Arc<Config>, rules_from: Arc<Boundary>) -> Self {
        Self { config, policy_from: Some(Arc::clone(&rules_from)), rules_from: Some(rules_from), ..self.clone() }
    }

    /// The folder in which the project's configuration of the tools is read.
    pub(super) fn rules_boundary(&self) -> &Arc<Boundary> {
        self.rules_from.as_ref().unwrap_or(&self.boundary)
    }

    /// The folder whose files decide what the project's own patterns and tools are.
    pub(super) fn policy_boundary(&self) -> &Arc<Boundary> {
        self.policy_from.as_ref().unwrap_or(&self.boundary)
    }

    /// What was said before.
    pub(super) const fn answers_cache(&self) -> &AnswerCache {
        &self.answers
    }

    /// Takes answers from this cache, and keeps them there.
    #[must_use]
    pub fn with_answer_cache(mut self, answers: AnswerCache) -> Self {
        let index = ProjectIndex::new(Arc::clone(&self.boundary));
        self.project = Arc::new(match answers.store_handle() {
            Some(store) => index.with_store(store),
            None => index,
        });
        self.answers = answers;
        self
    }

    /// The engine of the same project for a copy of one of its trees, which is there for a moment. What `twin` knows of
    /// the project is not read again where it is the same.
    pub(super) fn of_tree_copy(&self, copy: Arc<Boundary>, twin: &ProjectIndex) -> Self {
        let script_files = ScriptFiles::new(&copy, &self.script_files.installed_in);
        // The place is never the same again, so that nothing of it is worth keeping.
        let project = Arc::new(ProjectIndex::new(Arc::clone(&copy)).beginning_with(twin));
        let engine = Self::new(copy, Arc::clone(&self.config), self.toolchain.clone(), self.cache_dir.clone());
        let types_root = self.types_root.join(TREE_COPY);
        Self {
            types_root,
            project,
            script_files,
            // Libraries are installed beside the project, and not in its trees.
            names: Arc::clone(&self.names),
            type_trees: Arc::clone(&self.type_trees),
            experience: self.experience.clone(),
            settings: self.settings.clone(),
            rules_from: self.rules_from.clone(),
            // Both sides of a change are asked by the same tools.
            policy_from: Some(Arc::clone(self.policy_boundary())),
            passes_over_contract_faults: self.passes_over_contract_faults,
            ..engine.with_answer_cache(self.answers.clone())
        }
    }

    /// Lets these outcomes move the weights, where the configuration allows it.
    #[must_use]
    pub fn with_experience(self, experience: Experience) -> Self {
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
        self.answers.store_handle().map(|store| store.use_counts())
    }

    /// How many answers about scripts a server of the compiler had a say in.
    #[must_use]
    pub fn answers_of_compiler_server(&self) -> u64 {
        self.script_files.held.as_ref().map_or(0, |held| held.answered())
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
    pub fn weights(&self) -> CategoryWeights {
        CategoryWeights::from_fractions(|category| self.config.weights.weight_of(category))
    }

    /// The weights of a result, and whether they were learned: those of the configuration, unless it lets outcomes move
    /// them and the result need not be the same everywhere.
    ///
    /// # Errors
    /// What the source of the outcomes says.
    pub fn weights_for(&self, reproducible: bool) -> Result<(CategoryWeights, bool)> {
        match &self.experience {
            Some(experience) if self.config.adaptive && !reproducible => {
                Ok((adapt_weights(&self.weights(), &experience.tallies()?), true))
            }
            _ => Ok((self.weights(), false)),
        }
    }

    /// Reads files; with `lenient`, one that cannot be read is skipped with its reason instead of failing the request. What
    /// the machine lacks is no reason to skip a file.
    pub(super) async fn read_sources(
        &self,
        paths: &[ProjectPath],
        lenient: bool,
    ) -> Result<(Vec<Source>, Vec<Skipped>)> {
        let (boundary, paths, max) = (Arc::clone(&self.boundary), paths.to_vec(), self.config.limits.max_file_bytes);
        run_off_async_threads(move || {
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
    pub(super) async fn measure(&self, sources: Vec<Source>, plan: &AnalysisPlan, call: &Call) -> Result<Measurements> {
        self.measure_beside(sources, plan, call, async |_| Ok(())).await.map(|(measured, ())| measured)
    }

    /// Measures code files, and does something else while the tools are waited for: mypy, which takes longest, works on one
    /// core, and begins when it is known which files parse.
    pub(super) async fn measure_beside<T>(
        &self,
        sources: Vec<Source>,
        plan: &AnalysisPlan,
        call: &Call,
        beside: impl AsyncFnOnce(Threads) -> Result<T>,
    ) -> Result<(Measurements, T)> {
        let sources: Arc<[Source]> = sources.into();
        let tally = RequestProgress::new(call, sources.len(), self.asked_analyzers(plan).count());
        let (tell, told) = oneshot::channel();
        // Of many files, each is read once for both; of a few, both are made side by side.
        let reads_ahead = sources.len() >= MANY && surroundings_wanted(plan).is_ok();
        let (end, ended) = oneshot::channel();
        let (begin, tools_begun) = oneshot::channel();
        let analyzed = async {
            let begun = self.begin_native_analyses(&sources, plan.secrets, reads_ahead).await?;
            tell.send(begun.parses()).ok();
            let threads = self.threads_beside_analyzers(&sources, plan);
            if threads == Threads::AllButOne {
                // What takes longest comes first; until it has begun, it is waited for and has every core.
                tools_begun.await.ok();
            }
            let analyzed = begun.finish(threads).await?;
            end.send(()).ok();
            tally.done("metrics and secrets");
            Ok(analyzed)
        };
        let asked = async {
            let parses = async {
                match told.await {
                    Ok(parses) => Ok(parses),
                    // The error of the analysis ends it all.
                    Err(_) => std::future::pending().await,
                }
            };
            let grounds = self.grounds(plan, call).await?;
            let Grounds { toolchain, rules, types, own, patterns, frame } = grounds;
            let asked_about: Vec<&Source> = sources.iter().collect();
            let (preparing, prepared) = Preparing::new(analyzer::ALL.len());
            let external = self.run_external_analyzers(
                (&asked_about, parses),
                plan,
                (&toolchain, &rules, types.as_ref()),
                preparing,
                &tally,
                call,
            );
            let meanwhile = async {
                let threads = prepared.threads_left().await;
                begin.send(()).ok();
                let surroundings = async {
                    if reads_ahead {
                        ended.await.ok();
                    }
                    self.surroundings(&sources, plan, threads, call).await
                };
                tokio::try_join!(
                    surroundings,
                    self.check_names(&sources, plan, threads),
                    self.ask_own_tools(&own, &sources, plan, &toolchain, call),
                    self.check_patterns(&patterns, &sources, threads, call),
                    beside(threads)
                )
            };
            let (external, meanwhile) = tokio::try_join!(external, meanwhile)?;
            Ok((frame, external, meanwhile))
        };
        let (native, (frame, external, meanwhile)) = tokio::try_join!(analyzed, asked)?;
        let (surroundings, names, said, patterns, beside) = meanwhile;
        tally.done("project facts");

        let around = (surroundings, names, patterns);
        let mut files = combine_measurements(&sources, native, external, around, (plan, &self.config));
        own::add_answers(&mut files, said);
        Ok((Measurements { files, frame, skipped: Vec::new() }, beside))
    }

    /// The threads for what is made while the analyzers are asked, before it is known which of their answers are kept.
    fn threads_beside_analyzers(&self, sources: &[Source], plan: &AnalysisPlan) -> Threads {
        let sources: Vec<&Source> = sources.iter().collect();
        let one_core = self.asked_analyzers(plan).map(Analyzer::profile).filter(|profile| profile.works_on_one_core());
        let asked = one_core.map(|profile| profile.files_among(&sources).len()).max().unwrap_or(0);
        Threads::beside_one_core(asked, sources.len())
    }

    /// What the project's own rules and those about libraries say of each source.
    async fn check_patterns(
        &self,
        own: &Arc<PatternRules>,
        sources: &Arc<[Source]>,
        threads: Threads,
        call: &Call,
    ) -> Result<Vec<Vec<Finding>>> {
        let mut said = self.check_own_rules(own, sources, threads, call).await?;
        for (said, about_libraries) in said.iter_mut().zip(self.check_libraries(sources, threads).await?) {
            said.extend(about_libraries);
        }
        Ok(said)
    }

    /// The scripts of the project, with what is installed beside it unless the answer must be the same everywhere.
    pub(super) fn scripts(&self, reproducible: bool) -> &Arc<ModuleFiles> {
        if reproducible { &self.script_files.without_packages } else { &self.script_files.with_packages }
    }

    /// What is kept of the scripts that such an answer looks at.
    pub(super) fn held_scripts(&self, reproducible: bool) -> Option<&Arc<HeldScripts>> {
        self.script_files.held.as_ref().filter(|_| !reproducible)
    }

    /// A digest that changes with what is installed beside the project, and decides what is said of its files.
    pub(super) fn environment_digest(&self, plan: &AnalysisPlan) -> String {
        let packages =
            self.scripts(plan.reproducible).take_snapshot(&self.answers).map(|files| files.packages_digest());
        let types = match self.config.types {
            LibraryTypes::Locked => self.type_trees.environment_digest(plan.reproducible, &self.answers),
            LibraryTypes::None => String::new(),
        };
        format!("{} {} {types}", self.names.environment_digest(), packages.unwrap_or_default())
    }

    /// The external analyzers that a plan needs.
    pub(super) fn asked_analyzers(&self, plan: &AnalysisPlan) -> impl Iterator<Item = &'static dyn Analyzer> {
        analyzer::ALL.iter().copied().filter(move |analyzer| analyzer.need(plan, &self.config) == Need::Asked)
    }

    /// The toolchain, or why there is none. A mismatch, a cancelled call and a passed deadline end the request; a
    /// missing toolchain leaves what needs no tool.
    pub(super) async fn ready_toolchain(&self, call: &Call) -> Result<Result<Arc<Toolchain>>> {
        match self.toolchain.ready_at_a_glance(call).await {
            Err(error) if error.code() == ErrorCode::ToolUnavailable => Ok(Err(error)),
            other => Ok(Ok(other?)),
        }
    }

    /// Tests, structure and developer experience: what the project around the files tells. The whole project is looked
    /// at for that, which a quick answer has no time for.
    async fn surroundings(
        &self,
        sources: &Arc<[Source]>,
        plan: &AnalysisPlan,
        threads: Threads,
        call: &Call,
    ) -> Result<Vec<Surroundings>> {
        if let Err(reason) = surroundings_wanted(plan) {
            return Ok(Surroundings::skip_all(sources.len(), reason));
        }
        let (sources, index, config) = (Arc::clone(sources), Arc::clone(&self.project), Arc::clone(&self.config));
        let (pass_over, of_call) = (self.passes_over_contract_faults, call.clone());
        let looked = threads.run(move || {
            let contracts = ContractAnswer::of_project(&index, &config.architecture, pass_over, &of_call)?;
            Surroundings::assess_each(&sources, &index, &config.coverage.files, &contracts)
        });
        call.within(looked).await?
    }

    /// What the files use of libraries and is not there. A verdict that must be the same everywhere hears of it only where all
    /// that the project asks for is installed as it is locked.
    async fn check_names(
        &self,
        sources: &Arc<[Source]>,
        plan: &AnalysisPlan,
        threads: Threads,
    ) -> Result<Vec<CheckedNames>> {
        if !plan.lint {
            return Ok(sources.iter().map(|_| CheckedNames::default()).collect());
        }
        let (sources, names, boundary) = (Arc::clone(sources), Arc::clone(&self.names), Arc::clone(&self.boundary));
        let must_be_complete = plan.reproducible;
        threads
            .run(move || {
                let mut checked = names.check_each(&sources, &boundary)?;
                for one in &mut checked {
                    if must_be_complete && one.stamp.as_ref().is_some_and(|stamp| !stamp.complete) {
                        *one = CheckedNames::default();
                    }
                }
                Ok(checked)
            })
            .await?
    }
}
