//! The project at one instant, kept between questions and brought up to date before each.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::code::{CodeIndex, Latest};
use super::compared::ComparedTexts;
use super::coverage::ProjectCoverage;
use super::facts::ProjectFacts;
use super::files::{ProjectFile, ProjectFiles};
use super::reach::{Links, ModuleCache, ModuleFacts, Reach};
use tapps_base::call::Call;
use tapps_base::source::Source;
use tapps_base::{Result, clock};
use tapps_coderef::duplicates::repeats::RepeatIndex;
use tapps_coderef::duplicates::statement::FileStatements;
use tapps_coderef::memory::CodeMemory;
use tapps_sandbox::Boundary;
use tapps_store::EntryStore;

/// The project's index. One lives as long as the program and answers for the bytes on disk at each question.
#[derive(Debug)]
pub struct ProjectIndex {
    files: ProjectFiles,
    state: Mutex<ProjectIndexState>,
    kept: Option<Arc<EntryStore>>,
    code: Latest,
}

#[derive(Debug, Default)]
struct ProjectIndexState {
    cache: ModuleCache,
    entries: Vec<ProjectFile>,
    modules: Arc<HashMap<String, Arc<ModuleFacts>>>,
    reach: Option<Arc<Reach>>,
    compared: Arc<ComparedTexts>,
    coverage: Option<(String, Arc<ProjectCoverage>)>,
}

/// Everything that is known of the project at one instant. Take one for each request, not one for each file.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub(super) modules: Arc<HashMap<String, Arc<ModuleFacts>>>,
    reach: Arc<Reach>,
    compared: Arc<ComparedTexts>,
    coverage: Arc<ProjectCoverage>,
    facts: Arc<ProjectFacts>,
}

impl ProjectIndex {
    /// An index over the files within a boundary; nothing is read yet.
    #[must_use]
    pub fn new(boundary: Arc<Boundary>) -> Self {
        Self { files: ProjectFiles::new(boundary), state: Mutex::default(), kept: None, code: Latest::default() }
    }

    /// Takes what is known of unchanged files from a store, and keeps it there.
    #[must_use]
    pub fn with_store(self, store: Arc<EntryStore>) -> Self {
        Self { kept: Some(store), ..self }
    }

    /// Reads what changed since the last call. `coverage_files` are project-relative paths of coverage reports to use
    /// besides those at the usual places.
    ///
    /// The first call parses every source file; a call without changes costs about a walk over the folders.
    ///
    /// # Errors
    /// When the project root cannot be read.
    pub fn snapshot(&self, coverage_files: &[String]) -> Result<Snapshot> {
        let now_ns = i128::try_from(clock::Clock::now(&clock::SystemClock).as_nanos()).unwrap_or(i128::MAX);
        let entries = self.files.list()?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let state = &mut *state;
        let changed = state.cache.update(&self.files, &entries, now_ns, self.kept.as_deref())?;
        let same_files = state.entries.len() == entries.len()
            && state.entries.iter().zip(&entries).all(|(old, new)| old.path == new.path);
        if changed.statements || state.reach.is_none() {
            state.compared = Arc::new(ComparedTexts::new(state.cache.compared()));
        }
        if changed.facts || state.reach.is_none() {
            state.modules = Arc::new(state.cache.modules());
        }
        let reach = match &state.reach {
            Some(reach) if !changed.facts => Arc::clone(reach),
            _ => Arc::new(super::parse::on_parsing_threads(|| Reach::from_modules(&state.modules))?),
        };
        let paths: HashSet<&str> = entries.iter().map(|entry| entry.path.as_str()).collect();
        let reports = super::coverage::Reports::load_reports(&self.files, coverage_files);
        let key = reports.key();
        let coverage = match &state.coverage {
            Some((known, coverage)) if *known == key && same_files => Arc::clone(coverage),
            _ => Arc::new(ProjectCoverage::from_reports(reports, &self.files, &paths)),
        };
        let facts = Arc::new(ProjectFacts::from_project(&self.files, &paths, reach.tests()));
        state.reach = Some(Arc::clone(&reach));
        state.coverage = Some((key, Arc::clone(&coverage)));
        state.entries = entries;
        let (modules, compared) = (Arc::clone(&state.modules), Arc::clone(&state.compared));
        Ok(Snapshot { modules, reach, compared, coverage, facts })
    }
}

impl ProjectIndex {
    /// The paths of all files of the project, sorted.
    ///
    /// # Errors
    /// When the project root cannot be read.
    pub fn paths(&self) -> Result<Vec<String>> {
        Ok(self.files.list()?.into_iter().map(|file| file.path).collect())
    }

    /// What is kept of the code of the project, for everybody else who asks about it.
    #[must_use]
    pub fn code_memory(&self) -> &Arc<CodeMemory> {
        &self.code.memory
    }

    /// What the source defines and what refers to what, for the bytes on disk now.
    ///
    /// # Errors
    /// As [`tapps_coderef::engine::scan`].
    pub(super) fn code(&self, call: &Call) -> Result<Arc<CodeIndex>> {
        self.code.current_code(self.files.boundary(), call)
    }
}

impl Snapshot {
    /// Which modules the tests reach.
    #[must_use]
    pub fn reach(&self) -> &Reach {
        &self.reach
    }

    /// Which statements stand where.
    #[must_use]
    pub fn repeats(&self) -> &RepeatIndex {
        self.compared.repeats()
    }

    /// The statements of a file with these bytes, which need not be those that the project has there.
    #[must_use]
    pub fn statements_of(&self, source: &Source) -> Arc<FileStatements> {
        self.compared.statements_of(source)
    }

    /// The project's coverage data.
    #[must_use]
    pub fn coverage(&self) -> &ProjectCoverage {
        &self.coverage
    }

    /// Which module imports which.
    ///
    /// # Errors
    /// `internal` when the system gives no threads.
    pub fn links(&self) -> Result<Links> {
        super::parse::on_parsing_threads(|| Links::from_modules(&self.modules))
    }

    /// Every name that some module of the project imports from another.
    #[must_use]
    pub fn imported_names(&self) -> HashSet<&str> {
        let imports = self.modules.values().flat_map(|module| &module.imports);
        imports.flat_map(|import| &import.names).map(|name| name.name.as_str()).collect()
    }

    /// Facts about structure and development.
    #[must_use]
    pub fn facts(&self) -> &ProjectFacts {
        &self.facts
    }
}
