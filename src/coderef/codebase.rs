//! A project that is asked about: every question is answered for the bytes on disk at that moment.

use std::path::Path;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::comment_tag::{TagOptions, TagReport, tag_declarations};
use super::context::{self, ContextReport, ContextRequest};
use super::drift::{self, DriftReport, compare_with_saved_index};
use super::duplicates::listing::{ListedStatements, StatementMemory};
use super::duplicates::report::{DuplicatesReport, DuplicatesRequest, report_duplicates};
use super::duplicates::similar::{SimilarReport, SimilarRequest, find_similar};
use super::engine::{self, ScanOptions};
use super::export::{ExportFormat, GraphExport};
use super::graph::{Graph, Links};
use super::memory::{CodeMemory, LinkedCode};
use super::model::CodebaseIndex;
use super::patterns::{PatternFound, find_patterns};
use super::query::{QueryReport, QueryRequest, answer_may_import};
use super::validate::{ValidateOptions, ValidationReport, validate_references};
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};
use tapps_config::ArchitectureConfig;
use tapps_sandbox::{Boundary, ProjectPath};

/// Largest file that an export replaces, in bytes.
const LARGEST_EXPORT: u64 = 1 << 30;

/// What older tools call the file of an index; it is looked for where nothing else is named.
const OLD_INDEX: &str = ".coderef-index.json";

/// Places of each pattern unless another number is asked for.
const PLACES: usize = 10;

/// What was found of a catalogue of patterns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PatternsReport {
    pub pattern_type: String,
    /// Most places of each pattern.
    pub limit: usize,
    /// Patterns that were found.
    pub total: usize,
    /// True when a pattern shows itself in more places than are listed.
    pub truncated: bool,
    /// What to pass for what was left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<String>,
    /// By group and id; what was not found is left out.
    pub patterns: Vec<PatternFound>,
}

/// An index was saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SavedReport {
    /// Relative to the project.
    pub index_path: String,
    pub elements: usize,
}

/// A project, or a folder of one.
#[derive(Debug, Clone)]
pub struct Codebase {
    boundary: Arc<Boundary>,
    options: ScanOptions,
    memory: Option<Arc<CodeMemory>>,
    /// The contracts about imports; none for a folder that is not the whole project.
    architecture: Option<Arc<ArchitectureConfig>>,
}

impl Codebase {
    /// The project within a boundary.
    #[must_use]
    pub fn new(boundary: Arc<Boundary>) -> Self {
        Self { boundary, options: ScanOptions::default(), memory: None, architecture: None }
    }

    /// The folder at an absolute path, which has to be inside the boundary.
    ///
    /// # Errors
    /// `invalid_argument` for a path that is not absolute or no folder, `path_denied` outside, `file_not_found`.
    pub fn open_folder(boundary: &Boundary, project_path: &str) -> Result<Self> {
        if !Path::new(project_path).is_absolute() {
            return Err(Error::invalid(format!("the project path `{project_path}` is not absolute"))
                .hint("give the whole path, from the root of the file system"));
        }
        let folder = boundary.resolve(project_path)?;
        Ok(Self::new(Arc::new(boundary.narrowed_to(&folder)?)))
    }

    /// Scans with other options.
    #[must_use]
    pub fn with_options(self, options: ScanOptions) -> Self {
        Self { options, ..self }
    }

    #[must_use]
    pub fn boundary(&self) -> &Arc<Boundary> {
        &self.boundary
    }

    /// Shares what is known with everybody who has the same memory; a scan with other options than the usual ones is not
    /// shared.
    #[must_use]
    pub fn remembering(self, memory: &Arc<CodeMemory>) -> Self {
        Self { memory: Some(Arc::clone(memory)), ..self }
    }

    /// Knows the contracts of the project, whose root the boundary has to be.
    #[must_use]
    pub fn with_architecture(self, architecture: Arc<ArchitectureConfig>) -> Self {
        Self { architecture: Some(architecture), ..self }
    }

    /// Whether one module may import another.
    ///
    /// # Errors
    /// `invalid_argument` for a folder that is not the whole project; as [`answer_may_import`] and [`Codebase::code`].
    pub fn may_import(&self, request: &QueryRequest, call: &Call) -> Result<QueryReport> {
        let contracts = self.architecture.as_deref().ok_or_else(|| {
            Error::invalid("contracts are about the whole project")
                .hint("name the root of the project, not a folder in it")
        })?;
        self.query_current_graph(call, |graph| answer_may_import(graph, contracts, request))
    }

    /// What is known of the project now.
    ///
    /// # Errors
    /// `file_not_found` where there is no source file; else as [`engine::scan`].
    pub fn code(&self, call: &Call) -> Result<Arc<LinkedCode>> {
        let code = self.scanned(call, |_| None)?;
        not_empty(&code.index)?;
        Ok(code)
    }

    /// Asks something of the project as it is now.
    ///
    /// # Errors
    /// As [`Codebase::code`], and what the question says.
    pub fn query_current_graph<T>(&self, call: &Call, question: impl FnOnce(&Graph<'_>) -> Result<T>) -> Result<T> {
        let code = self.scanned(call, |index| Some(Links::from_index_edges(index)))?;
        not_empty(&code.index)?;
        question(&code.graph())
    }

    /// `links` are made beside the scan where nobody shares it; a memory makes them in any case.
    fn scanned(&self, call: &Call, links: fn(&CodebaseIndex) -> Option<Links>) -> Result<Arc<LinkedCode>> {
        if let Some(memory) = self.memory.as_ref().filter(|_| self.options == ScanOptions::default()) {
            return memory.at(&self.boundary, call, |_| ()).map(|(code, _)| code);
        }
        let (index, links) = engine::scan_and(&self.boundary, &self.options, call, links)?;
        Ok(Arc::new(LinkedCode::new(index, links)))
    }

    /// A brief of the project.
    ///
    /// # Errors
    /// As [`context::build_context_report`].
    pub fn context(&self, request: &ContextRequest, call: &Call) -> Result<ContextReport> {
        let name = self.boundary.root().file_name().map_or("project".into(), |name| name.to_string_lossy());
        self.query_current_graph(call, |graph| context::build_context_report(graph, &name, request))
    }

    /// The patterns of a group, of an id, or all, with the places that show them.
    ///
    /// # Errors
    /// `invalid_argument` for a pattern that is not known or a limit of 0; as [`Codebase::code`].
    pub fn patterns(&self, wanted: Option<&str>, limit: Option<usize>, call: &Call) -> Result<PatternsReport> {
        let (wanted, limit) = (wanted.unwrap_or("all"), limit.unwrap_or(PLACES));
        if limit == 0 {
            return Err(Error::invalid("a pattern without places shows nothing").hint("give `limit` at least 1"));
        }
        let mut found = find_patterns(self, wanted, limit, call)?;
        found.retain(|pattern| pattern.total > 0);
        Ok(PatternsReport {
            pattern_type: wanted.to_owned(),
            limit,
            total: found.len(),
            truncated: found.iter().any(|pattern| pattern.truncated),
            more: found
                .iter()
                .filter(|pattern| pattern.truncated)
                .map(|pattern| pattern.total)
                .max()
                .map(|most| format!("limit: {most}")),
            patterns: found,
        })
    }

    /// The families of clones.
    ///
    /// # Errors
    /// As [`report_duplicates`] and [`Codebase::code`].
    pub fn duplicates(&self, request: &DuplicatesRequest, call: &Call) -> Result<DuplicatesReport> {
        let statements = self.statements(call)?;
        self.query_current_graph(call, |graph| report_duplicates(&statements, graph, request))
    }

    /// What exists already and is like a text.
    ///
    /// # Errors
    /// As [`find_similar`] and [`Codebase::code`].
    pub fn similar(&self, request: &SimilarRequest, call: &Call) -> Result<SimilarReport> {
        let statements = self.statements(call)?;
        self.query_current_graph(call, |graph| find_similar(&statements, graph, request))
    }

    /// The statements of all files as they are now.
    ///
    /// # Errors
    /// As [`engine::scan`].
    pub fn statements(&self, call: &Call) -> Result<Vec<ListedStatements>> {
        match self.memory.as_ref().filter(|_| self.options == ScanOptions::default()) {
            Some(memory) => memory.statements().current(&self.boundary, &self.options, call),
            None => StatementMemory::default().current(&self.boundary, &self.options, call),
        }
    }

    /// The references in files, and which of them lead nowhere.
    ///
    /// # Errors
    /// As [`validate_references`].
    pub fn validate(&self, options: &ValidateOptions, call: &Call) -> Result<ValidationReport> {
        // References may well stand where there is no code.
        let code = self.scanned(call, |_| None)?;
        validate_references(&self.boundary, &code.index, options, call)
    }

    /// What has become of the elements of a saved index. Without a path it is the usual one.
    ///
    /// # Errors
    /// `invalid_argument` for a threshold that is no share; what [`drift::read_saved_index`] says; as [`Codebase::code`].
    pub fn drift(&self, index_path: Option<&str>, threshold: Option<f64>, call: &Call) -> Result<DriftReport> {
        let threshold = threshold.unwrap_or(drift::THRESHOLD);
        if !(0.0..=1.0).contains(&threshold) {
            return Err(Error::invalid(format!("the threshold {threshold} is no share")).hint("give one from 0 to 1"));
        }
        let saved = drift::read_saved_index(&self.boundary, &self.index_path(index_path)?)?;
        Ok(compare_with_saved_index(&saved, &self.code(call)?.index, threshold))
    }

    /// Saves what is known now, for a later look at the drift. Only an older index is replaced.
    ///
    /// # Errors
    /// `corrupted_data` when something else is there; as [`Codebase::code`] and [`drift::write_saved_index`].
    pub fn save_index(&self, index_path: Option<&str>, call: &Call) -> Result<SavedReport> {
        let path = self.index_path(index_path)?;
        match drift::read_saved_index(&self.boundary, &path) {
            Err(error) if error.code() != ErrorCode::FileNotFound => return Err(error),
            _ => {}
        }
        let code = self.code(call)?;
        drift::write_saved_index(&self.boundary, &path, &code.index)?;
        Ok(SavedReport { index_path: path, elements: code.index.elements.len() })
    }

    fn index_path(&self, named: Option<&str>) -> Result<String> {
        if let Some(named) = named {
            return Ok(self.boundary.resolve(named)?.as_str().to_owned());
        }
        let old = self.boundary.resolve(OLD_INDEX)?;
        let is_there = self.boundary.kind(&old).is_ok();
        Ok(if is_there { OLD_INDEX } else { drift::saved::SAVED_INDEX }.to_owned())
    }

    /// Puts references above the declarations of a file or folder.
    ///
    /// # Errors
    /// As [`tag_declarations`].
    pub fn tag(&self, path: &str, options: &TagOptions, call: &Call) -> Result<TagReport> {
        let path = self.boundary.resolve(path)?;
        tag_declarations(&self.boundary, &self.code(call)?.index, path.as_str(), options, call)
    }

    /// Writes an export to a file of the project and gives its path. Only an older export is replaced.
    ///
    /// # Errors
    /// `invalid_argument` when something else is there; `session_locked` when others write there all the time;
    /// `path_denied` or `file_not_found` for the folder.
    pub fn write_export(&self, exported: &GraphExport, output_path: &str) -> Result<ProjectPath> {
        let path = self.boundary.resolve(output_path)?;
        self.boundary.replace_own_file(&path, &exported.bytes, LARGEST_EXPORT, |bytes| {
            if is_export(exported.format, bytes) {
                return Ok(());
            }
            Err(Error::invalid(format!("`{path}` is there and is no export of this form"))
                .hint("name another file; only an older export is replaced"))
        })?;
        Ok(path)
    }
}

fn not_empty(index: &CodebaseIndex) -> Result<()> {
    if index.files.is_empty() {
        return Err(Error::new(ErrorCode::FileNotFound, "the project holds no source file that is understood")
            .hint("check the path; what .gitignore names is passed over"));
    }
    Ok(())
}

/// True for what an earlier export of the form begins with.
fn is_export(format: ExportFormat, bytes: &[u8]) -> bool {
    let begins: &[u8] = match format {
        ExportFormat::Json => b"{\"format\":\"coderef-graph\"",
        ExportFormat::Jsonld => b"{\"@context\":{\"@vocab\":\"urn:coderef:",
        ExportFormat::Mermaid => b"graph TD\n",
        ExportFormat::Dot => b"digraph code {\n",
        // The metadata come first: their tag and length, then the tag, length and name of the tool.
        ExportFormat::Scip => {
            return bytes.first() == Some(&0x0a)
                && bytes.iter().take(24).copied().collect::<Vec<_>>().windows(7).any(|w| w == b"coderef");
        }
    };
    bytes.starts_with(begins)
}
