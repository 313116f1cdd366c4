//! The project at one instant, kept between questions and brought up to date before each.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::code::{CodeIndex, Latest};
use super::compared::ComparedTexts;
use super::coverage::ProjectCoverage;
use super::facts::ProjectFacts;
use super::files::{ProjectFile, ProjectFiles};
use super::reach::{
    CachedModule, Earlier, Links, ManifestCache, Manifests, ModuleCache, ModuleFacts, Reach, ReadAhead, read_module,
};
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_base::source::Source;
use tapps_coderef::contracts::{ArchitectureVerdict, ImportGraph, judge_architecture};
use tapps_coderef::duplicates::repeats::RepeatIndex;
use tapps_coderef::duplicates::statement::FileStatements;
use tapps_coderef::memory::CodeMemory;
use tapps_config::ArchitectureConfig;
use tapps_sandbox::Boundary;
use tapps_sandbox::survey::FileStamp;
use tapps_store::EntryStore;

/// The project's index. One lives as long as the program and answers for the bytes on disk at each question.
#[derive(Debug)]
pub struct ProjectIndex {
    files: ProjectFiles,
    state: Mutex<ProjectIndexState>,
    kept: Option<Arc<EntryStore>>,
    twin: Option<Twin>,
    /// For the next snapshot.
    ahead: Mutex<ReadAhead>,
    code: Latest,
}

/// What an index knows of another copy of the project.
#[derive(Debug)]
struct Twin {
    cache: ModuleCache,
    manifests: Arc<Manifests>,
    reach: Arc<Reach>,
    compared: Arc<ComparedTexts>,
}

#[derive(Debug, Default)]
struct ProjectIndexState {
    cache: ModuleCache,
    known_manifests: ManifestCache,
    manifests: Arc<Manifests>,
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
    manifests: Arc<Manifests>,
    reach: Arc<Reach>,
    compared: Arc<ComparedTexts>,
    coverage: Arc<ProjectCoverage>,
    facts: Arc<ProjectFacts>,
}

impl ProjectIndex {
    /// An index over the files within a boundary; nothing is read yet.
    #[must_use]
    pub fn new(boundary: Arc<Boundary>) -> Self {
        Self {
            files: ProjectFiles::new(boundary),
            state: Mutex::default(),
            kept: None,
            twin: None,
            ahead: Mutex::default(),
            code: Latest::default(),
        }
    }

    /// Takes what is known of unchanged files from a store, and keeps it there.
    #[must_use]
    pub fn with_store(self, store: Arc<EntryStore>) -> Self {
        Self { kept: Some(store), ..self }
    }

    /// Takes what another copy of the project knows of files that are the same here, as long as this one lives.
    #[must_use]
    pub fn beginning_with(self, other: &Self) -> Self {
        let state = other.state.lock().unwrap_or_else(PoisonError::into_inner);
        let twin = state.reach.as_ref().map(|reach| Twin {
            cache: state.cache.clone(),
            manifests: Arc::clone(&state.manifests),
            reach: Arc::clone(reach),
            compared: Arc::clone(&state.compared),
        });
        drop(state);
        Self { twin, ..self }
    }

    /// Reads a file for the next snapshot, which takes it over where the project still has these bytes there. Right behind another
    /// reader of the file, on its thread, a tree of tree-sitter is not made once more.
    pub fn read_ahead(&self, source: &Source) {
        let read = read_module(source.path(), source.bytes());
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner).add(source.path(), read);
    }

    /// Reads what changed since the last call. `coverage_files` are project-relative paths of coverage reports to use
    /// besides those at the usual places.
    ///
    /// The first call parses every source file; a call without changes costs about a walk over the folders.
    ///
    /// # Errors
    /// When the project root cannot be read.
    pub fn snapshot(&self, coverage_files: &[String]) -> Result<Snapshot> {
        let now_ns = FileStamp::now();
        let entries = self.files.list()?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let state = &mut *state;
        let ahead = std::mem::take(&mut *self.ahead.lock().unwrap_or_else(PoisonError::into_inner));
        let twin = self.twin.as_ref().map(|twin| &twin.cache);
        let earlier = Earlier { store: self.kept.as_deref(), twin, ahead: &ahead };
        let changed = state.cache.update(&self.files, &entries, now_ns, earlier)?;
        let same_files = state.entries.len() == entries.len()
            && state.entries.iter().zip(&entries).all(|(old, new)| old.path == new.path);
        if changed.statements || state.reach.is_none() {
            let same = |twin: &&Twin| state.cache.is_same(&twin.cache, CachedModule::has_same_text);
            state.compared = match self.twin.as_ref().filter(same) {
                Some(twin) => Arc::clone(&twin.compared),
                None => Arc::new(ComparedTexts::new(state.cache.compared())),
            };
        }
        if changed.facts || state.reach.is_none() {
            state.modules = Arc::new(state.cache.modules());
        }
        let manifests = state.known_manifests.current(&self.files, &entries, now_ns);
        let same = |twin: &&Twin| {
            manifests == twin.manifests && state.cache.is_same(&twin.cache, CachedModule::has_same_facts)
        };
        let reach = match &state.reach {
            Some(reach) if !changed.facts && manifests == state.manifests => Arc::clone(reach),
            _ => match self.twin.as_ref().filter(same) {
                Some(twin) => Arc::clone(&twin.reach),
                None => {
                    let reach = || Reach::from_modules(&state.modules, &manifests);
                    Arc::new(super::parse::on_parsing_threads(reach)?)
                }
            },
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
        state.manifests = Arc::clone(&manifests);
        state.coverage = Some((key, Arc::clone(&coverage)));
        state.entries = entries;
        let (modules, compared) = (Arc::clone(&state.modules), Arc::clone(&state.compared));
        Ok(Snapshot { modules, manifests, reach, compared, coverage, facts })
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

    /// The verdict of contracts about imports, for the bytes on disk now.
    ///
    /// # Errors
    /// As [`tapps_coderef::engine::scan`] and [`judge_architecture`].
    pub fn judge_contracts(&self, contracts: &ArchitectureConfig, call: &Call) -> Result<ArchitectureVerdict> {
        judge_architecture(contracts, &self.import_graph(contracts.tests, call)?)
    }

    /// The imports between the files of the project, for the bytes on disk now.
    ///
    /// # Errors
    /// As [`tapps_coderef::engine::scan`].
    pub fn import_graph(&self, with_tests: bool, call: &Call) -> Result<ImportGraph> {
        let (code, _) = self.code_memory().at(self.files.boundary(), call, |_| ())?;
        Ok(ImportGraph::from_index(&code.index, with_tests))
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
        super::parse::on_parsing_threads(|| Links::from_modules(&self.modules, &self.manifests))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn index_of(folder: &std::path::Path, files: &[(&str, &str)]) -> ProjectIndex {
        files.iter().for_each(|(path, text)| std::fs::write(folder.join(path), text).unwrap());
        ProjectIndex::new(Arc::new(Boundary::open(folder).unwrap()))
    }

    #[test]
    fn a_copy_takes_over_what_is_the_same_and_reads_the_rest() {
        let [first, second, third] = [(); 3].map(|()| tempfile::tempdir().unwrap());
        let files = [("a.py", "import b\n"), ("b.py", "def f():\n    return 1\n")];
        let one = index_of(first.path(), &files);
        let known = one.snapshot(&[]).unwrap();
        let same = index_of(second.path(), &files).beginning_with(&one).snapshot(&[]).unwrap();
        assert!(Arc::ptr_eq(&known.reach, &same.reach) && Arc::ptr_eq(&known.compared, &same.compared));
        assert!(Arc::ptr_eq(&known.modules["a.py"], &same.modules["a.py"]));

        let other = [files[0], ("b.py", "import c\n\n\ndef g():\n    return 1\n"), ("c.py", "")];
        let twin = index_of(third.path(), &other).beginning_with(&one).snapshot(&[]).unwrap();
        assert!(Arc::ptr_eq(&known.modules["a.py"], &twin.modules["a.py"]));
        assert!(!Arc::ptr_eq(&known.reach, &twin.reach) && !Arc::ptr_eq(&known.compared, &twin.compared));
        let alone = index_of(third.path(), &other).snapshot(&[]).unwrap();
        assert_eq!(twin.modules, alone.modules);
        assert_eq!(twin.modules["b.py"].defines, ["g".to_owned()].into());
    }

    #[test]
    fn what_was_read_ahead_is_taken_over_where_the_bytes_are_the_same() {
        let [first, second] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let files = [("a.go", "package a\n\nfunc F() int { return 1 }\n"), ("b.go", "package a\n")];
        let index = index_of(first.path(), &files);
        index.read_ahead(&Source::new("a.go", files[0].1.as_bytes()));
        index.read_ahead(&Source::new("b.go", &b"package a\n\nfunc G() {}\n"[..]));
        index.read_ahead(&Source::new("c.go", &b"package a\n"[..]));
        let read = index.snapshot(&[]).unwrap();
        let alone = index_of(second.path(), &files).snapshot(&[]).unwrap();
        assert_eq!(read.modules, alone.modules);
        assert!(!read.modules["b.go"].logic && !read.modules.contains_key("c.go"));
    }
}
