//! The imports between the files of a project, as contracts see them: which file asks for which, at which line.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::module_names::module_names;
use super::module_pattern::ModulePattern;
use crate::model::{CodebaseIndex, Edge, EdgeKind, EdgeStatus, EdgeTarget, FileId, GraphNode, Parse, Passage};

/// A file that is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportFile {
    /// Project-relative, with `/`.
    pub path: String,
    /// The parts of the names by which it may be imported, the best known first.
    pub(super) names: Vec<Vec<String>>,
}

/// One file asks for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ImportStep {
    pub(super) to: usize,
    /// The first line on which it does so; of one that runs, where there is one.
    pub(super) line: u32,
    /// Only type checkers see it.
    pub(super) type_only: bool,
}

/// A file asks for something outside the project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct OutsideImport {
    pub(super) module: String,
    pub(super) type_only: bool,
    pub(super) line: u32,
}

/// An import of which nobody knows where it leads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct UnresolvedImport {
    pub file: String,
    pub line: u32,
    /// As it is written, as far as that is known.
    pub import: String,
}

/// The imports of a project.
#[derive(Debug, Clone, Default)]
pub struct ImportGraph {
    pub(super) files: Vec<ImportFile>,
    /// Of each file what it imports, by target.
    next: Vec<Vec<ImportStep>>,
    outside: Vec<Vec<OutsideImport>>,
    /// Sorted.
    pub(super) unresolved: Vec<UnresolvedImport>,
    /// Files of which nothing is known, sorted.
    pub(super) unread: Vec<String>,
}

impl ImportGraph {
    /// The imports of an index; files of tests are left out unless they are asked for.
    #[must_use]
    pub fn from_index(index: &CodebaseIndex, with_tests: bool) -> Self {
        let mut graph = Self::default();
        let packages: BTreeSet<&str> = index.files.iter().filter_map(|file| package_folder(&file.path)).collect();
        let mut numbers: Vec<Option<usize>> = Vec::with_capacity(index.files.len());
        for file in &index.files {
            let wanted = with_tests || !file.test;
            numbers.push(wanted.then_some(graph.files.len()));
            if wanted {
                let names = module_names(&file.path, file.language, &packages);
                graph.files.push(ImportFile { path: file.path.clone(), names });
                if matches!(file.parse, Parse::Skipped { .. }) {
                    graph.unread.push(file.path.clone());
                }
            }
        }
        graph.next = vec![Vec::new(); graph.files.len()];
        graph.outside = vec![Vec::new(); graph.files.len()];
        let number = |FileId(id): FileId| numbers.get(id as usize).copied().flatten();
        for edge in index.edges.iter().filter(|edge| edge.kind == EdgeKind::Import) {
            let GraphNode::File(by) = edge.from else { continue };
            if let Some(from) = number(by) {
                graph.add_edge(from, by, edge, &index.passages, &number);
            }
        }
        for (from, steps) in graph.next.iter_mut().enumerate() {
            let mut best: BTreeMap<usize, ImportStep> = BTreeMap::new();
            for step in steps.drain(..).filter(|step| step.to != from) {
                let known = best.entry(step.to).or_insert(step);
                if (step.type_only, step.line) < (known.type_only, known.line) {
                    *known = step;
                }
            }
            steps.extend(best.into_values());
        }
        for outside in &mut graph.outside {
            outside.sort_unstable();
            outside.dedup_by(|next, kept| next.module == kept.module && next.type_only == kept.type_only);
        }
        graph.unresolved.sort_unstable();
        graph.unresolved.dedup();
        graph
    }

    fn add_edge(
        &mut self,
        from: usize,
        by: FileId,
        edge: &Edge,
        passages: &[Passage],
        number: &impl Fn(FileId) -> Option<usize>,
    ) {
        let line = edge.sites.first().map_or(1, |site| site.0);
        match &edge.to {
            EdgeTarget::Node(GraphNode::File(to)) => {
                let asks =
                    |site: &&(u32, u32)| passages.binary_search(&Passage { by, through: *to, site: **site }).is_err();
                let line = edge.sites.iter().find(asks).map(|site| site.0);
                if let (Some(to), Some(line), Some(steps)) = (number(*to), line, self.next.get_mut(from)) {
                    steps.push(ImportStep { to, line, type_only: edge.status == EdgeStatus::TypeOnly });
                }
            }
            EdgeTarget::External { module, .. } | EdgeTarget::Builtin(module) => {
                let type_only = edge.status == EdgeStatus::TypeOnly;
                if let Some(outside) = self.outside.get_mut(from) {
                    outside.push(OutsideImport { module: module.clone(), type_only, line });
                }
            }
            // A name that a module does not have: the module itself is known.
            EdgeTarget::Unknown(import) if import.find('#').is_some_and(|at| at > 0) => {}
            EdgeTarget::Unknown(import) => {
                let file = self.files.get(from).map(|file| file.path.clone()).unwrap_or_default();
                let all = edge.sites.iter().map(|site| UnresolvedImport {
                    file: file.clone(),
                    line: site.0,
                    import: import.clone(),
                });
                self.unresolved.extend(all);
            }
            // An element stands in a file that another edge of the same import leads to, or that hands it on.
            EdgeTarget::Node(GraphNode::Element(_)) | EdgeTarget::Candidates { .. } => {}
        }
    }

    /// The number of files.
    #[must_use]
    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    /// The number of imports from one of them to another.
    #[must_use]
    pub fn import_count(&self) -> usize {
        self.next.iter().map(Vec::len).sum()
    }

    pub(super) fn steps(&self, from: usize) -> &[ImportStep] {
        self.next.get(from).map_or(&[], Vec::as_slice)
    }

    pub(super) fn outside(&self, from: usize) -> &[OutsideImport] {
        self.outside.get(from).map_or(&[], Vec::as_slice)
    }

    pub(super) fn path(&self, file: usize) -> &str {
        self.files.get(file).map_or("", |file| file.path.as_str())
    }

    /// The files that a pattern names.
    pub(super) fn files_named_by(&self, pattern: &ModulePattern) -> BTreeSet<usize> {
        let files = self.files.iter().enumerate();
        files.filter(|(_, file)| pattern.names(file)).map(|(number, _)| number).collect()
    }

    /// The file at a path.
    pub(super) fn find_path(&self, path: &str) -> Option<usize> {
        self.files.iter().position(|file| file.path == path)
    }

    /// The graph with a file that is not there yet.
    pub(super) fn add_file(&mut self, file: ImportFile) -> usize {
        self.files.push(file);
        self.next.push(Vec::new());
        self.outside.push(Vec::new());
        self.files.len() - 1
    }

    /// The graph with an import that is not there yet; one for type checkers alone becomes one that runs.
    pub(super) fn add_import(&mut self, from: usize, step: ImportStep) {
        let Some(steps) = self.next.get_mut(from).filter(|_| from != step.to) else { return };
        match steps.binary_search_by_key(&step.to, |known| known.to) {
            Err(at) => steps.insert(at, step),
            Ok(at) => steps.iter_mut().skip(at).take(1).for_each(|known| known.type_only &= step.type_only),
        }
    }

    /// The graph with an import from outside the project that is not there yet; nothing when it is.
    pub(super) fn add_outside(&mut self, from: usize, import: OutsideImport) {
        if let Some(outside) = self.outside.get_mut(from)
            && !outside.iter().any(|known| known.module == import.module && !known.type_only)
        {
            outside.push(import);
            outside.sort_unstable();
        }
    }

    /// The imports that are left when some do not count.
    pub(super) fn without(&self, leave_out: impl Fn(usize, &ImportStep) -> bool) -> Vec<Vec<ImportStep>> {
        let kept = |(from, steps): (usize, &Vec<ImportStep>)| {
            steps.iter().filter(|step| !leave_out(from, step)).copied().collect()
        };
        self.next.iter().enumerate().map(kept).collect()
    }
}

/// The folder that a file makes a Python package.
fn package_folder(path: &str) -> Option<&str> {
    let (folder, name) = path.rsplit_once('/')?;
    matches!(name, "__init__.py" | "__init__.pyi").then_some(folder)
}
