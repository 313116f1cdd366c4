//! All files that can be asked: those of the program, and the project's own in their place.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::builtin;
use super::domain::Domain;
use super::file::{Knowledge, KnowledgeOrigin};
use super::index::KnowledgeIndex;
use super::vector::{Embedder, SearchBackend, SemanticIndex};
use tapps_base::Result;
use tapps_base::page::Problem;
use tapps_sandbox::state::STATE_FOLDER;
use tapps_sandbox::{Boundary, WalkOptions};

/// Largest file of the project that is read, in bytes.
const MOST_BYTES: u64 = 256 << 10;
/// Most files of the project that are read.
const MOST_FILES: usize = 2_000;

/// The experts of a project.
#[derive(Debug)]
pub struct ExpertCorpus {
    /// Sorted by name.
    pub(super) files: Vec<Knowledge>,
    /// Made when it is first asked: lists and files do without.
    index: OnceLock<KnowledgeIndex>,
    pub(super) search: Arc<SearchBackend>,
    /// Made when it is first asked, where there is a model.
    meaning: OnceLock<SemanticIndex>,
    refused: Vec<Refused>,
}

/// A file of the project that is not used, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refused {
    #[serde(flatten)]
    pub problem: Problem,
}

/// A domain and its files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DomainListing {
    pub domain: Domain,
    pub about: String,
    pub files: usize,
    /// Of them, the project's own.
    pub own: usize,
    /// The day the oldest file was last reviewed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oldest_review: Option<String>,
    /// `<domain>/<topic>` of each, with its title; only where asked for.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub topics: BTreeMap<String, String>,
}

impl ExpertCorpus {
    /// The built-in files and those in the project's `.tapps-mcp/knowledge`. A file of the project that cannot be used is
    /// left out and listed.
    #[must_use]
    pub fn open(boundary: &Boundary) -> Self {
        let (own, refused) = read_own_files(boundary);
        Self::with_own_files(own, refused)
    }

    pub(super) fn with_own_files(own: Vec<Knowledge>, refused: Vec<Refused>) -> Self {
        Self::from_files(builtin::builtin_files(), own, refused)
    }

    /// The built-in files alone.
    #[must_use]
    pub fn builtin_only() -> Self {
        Self::from_files(builtin::builtin_files(), Vec::new(), Vec::new())
    }

    fn from_files(builtin: impl Iterator<Item = Knowledge>, own: Vec<Knowledge>, refused: Vec<Refused>) -> Self {
        let mut by_name: BTreeMap<String, Knowledge> = builtin.map(|file| (file.name.clone(), file)).collect();
        by_name.extend(own.into_iter().map(|file| (file.name.clone(), file)));
        let files: Vec<Knowledge> = by_name.into_values().collect();
        let search = Arc::new(SearchBackend::words_only());
        Self { files, index: OnceLock::new(), search, meaning: OnceLock::new(), refused }
    }

    /// Has questions find their files in another way than by their words.
    #[must_use]
    pub fn with_search(self, search: Arc<SearchBackend>) -> Self {
        Self { search, meaning: OnceLock::new(), ..self }
    }

    /// The vectors of all files.
    pub(super) fn semantic_index(&self, embedder: &Arc<dyn Embedder>) -> &SemanticIndex {
        self.meaning.get_or_init(|| SemanticIndex::from_files(&self.files, Arc::clone(embedder), self.search.store()))
    }

    /// The index of all files.
    ///
    /// # Errors
    /// `internal` when it cannot be made.
    pub(super) fn index(&self) -> Result<&KnowledgeIndex> {
        if let Some(index) = self.index.get() {
            return Ok(index);
        }
        let index = KnowledgeIndex::from_files(&self.files)?;
        // Whoever asks at the same time makes the same one.
        Ok(self.index.get_or_init(|| index))
    }

    /// All files, sorted by name.
    #[must_use]
    pub fn files(&self) -> &[Knowledge] {
        &self.files
    }

    /// The file `<domain>/<topic>`.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<&Knowledge> {
        self.files.binary_search_by(|file| file.name.as_str().cmp(name)).ok().and_then(|at| self.files.get(at))
    }

    /// The project's own file `<domain>/<topic>`.
    #[must_use]
    pub fn own_file(&self, name: &str) -> Option<&Knowledge> {
        self.file(name).filter(|file| file.origin == KnowledgeOrigin::Project)
    }

    /// The project's files that are not used.
    #[must_use]
    pub fn refused(&self) -> &[Refused] {
        &self.refused
    }

    /// The domains with their files; of one domain also its topics.
    #[must_use]
    pub fn list_domains(&self, only: Option<Domain>) -> Vec<DomainListing> {
        let wanted = Domain::ALL.into_iter().filter(|domain| only.is_none_or(|only| only == *domain));
        wanted
            .map(|domain| {
                let of: Vec<&Knowledge> = self.files.iter().filter(|file| file.domain() == domain).collect();
                let topics = of.iter().filter(|_| only.is_some());
                DomainListing {
                    domain,
                    about: domain.about().to_owned(),
                    files: of.len(),
                    own: of.iter().filter(|file| file.origin == KnowledgeOrigin::Project).count(),
                    oldest_review: of.iter().map(|file| file.reviewed().to_owned()).min(),
                    topics: topics.map(|file| (file.name.clone(), file.title().to_owned())).collect(),
                }
            })
            .collect()
    }
}

/// The project's own files: `.tapps-mcp/knowledge/<domain>/<topic>.md`.
pub(super) fn read_own_files(boundary: &Boundary) -> (Vec<Knowledge>, Vec<Refused>) {
    let folder = format!("{STATE_FOLDER}/knowledge");
    let Ok(start) = boundary.resolve(&folder) else { return Default::default() };
    let options = WalkOptions { include_ignored: true, ..WalkOptions::default() };
    let Ok(found) = boundary.walk(&start, &options) else { return Default::default() };
    let (mut files, mut refused) = (Vec::new(), Vec::new());
    for path in found.iter().filter(|path| path.as_str().ends_with(".md")).take(MOST_FILES) {
        let name = path.as_str().strip_prefix(&format!("{folder}/")).and_then(|name| name.strip_suffix(".md"));
        let Some(name) = name else { continue };
        match read_knowledge_file(boundary, path, name) {
            Ok(file) => files.push(file),
            Err(problem) => refused.push(Refused { problem }),
        }
    }
    (files, refused)
}

fn read_knowledge_file(
    boundary: &Boundary,
    path: &tapps_sandbox::ProjectPath,
    name: &str,
) -> Result<Knowledge, Problem> {
    let at = |message: String| {
        tapps_base::page::Place { file: path.as_str().to_owned(), line: 1, column: 1 }.problem(message)
    };
    let bytes = boundary.read(path, MOST_BYTES).map_err(|error| at(error.message().to_owned()))?;
    let text = String::from_utf8(bytes).map_err(|_| at("the file is not UTF-8".to_owned()))?;
    let mut file = Knowledge::parse_file(name, path.as_str(), KnowledgeOrigin::Project, &text)?;
    file.screen_text()?;
    if name.split('/').count() != 2 || !name.starts_with(&format!("{}/", file.domain())) {
        return Err(at(format!("the file says that its domain is {0}, and belongs into {0}/", file.domain())));
    }
    Ok(file)
}
