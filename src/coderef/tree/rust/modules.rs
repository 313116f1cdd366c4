//! The modules of the crates of a project, and what stands in each.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::facts::{RustDeclared, RustFacts, RustUse, TermId};
use super::lookup::{NamedItem, Space};
use super::types::RustType;
use crate::family::Project;
use crate::model::{FileId, Language};
use crate::packages::{RustCrates, folders_above, read_manifests};
use crate::tree::facts::{Flow, files_with_flow, flow_of};
use crate::tree::keyed::KeyedLists;
use crate::tree::paths::{folder_of, join, normalize_project_path};

/// Declarations of one name that are kept: one more than is listed anywhere.
const MOST_DOUBLES: usize = 11;

/// What names mean in modules.
type FoundNames<'a> = HashMap<(ModuleId, &'a str, Space), Rc<[NamedItem<'a>]>>;

/// A file, and the position among the modules of its facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ModuleId {
    pub(super) file: FileId,
    pub(super) at: u32,
}

/// A declaration: its file, and its position among those of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::tree) struct RustItem {
    pub(super) file: FileId,
    pub(super) at: u32,
}

/// The folders that a file of Rust lies in, and those above.
fn folders_of_rust<'a>(project: &Project<'a>) -> BTreeSet<&'a str> {
    let files = project.files.iter().filter(|file| file.language == Language::Rust);
    files.flat_map(|file| folders_above(&file.path)).collect()
}

#[derive(Debug)]
pub(in crate::tree) struct RustModules<'a> {
    project: &'a Project<'a>,
    crates: RustCrates,
    by_path: HashMap<&'a str, FileId>,
    pub(super) children: KeyedLists<(ModuleId, &'a str), ModuleId>,
    parents: HashMap<ModuleId, ModuleId>,
    pub(super) items: KeyedLists<(ModuleId, &'a str), RustItem>,
    pub(super) uses: KeyedLists<(ModuleId, &'a str), &'a RustUse>,
    pub(super) globs: KeyedLists<ModuleId, &'a RustUse>,
    /// What was looked up already.
    pub(super) found: RefCell<FoundNames<'a>>,
    pub(super) terms: RefCell<HashMap<(FileId, TermId), RustType<'a>>>,
}

impl<'a> RustModules<'a> {
    pub(in crate::tree) fn new(project: &'a Project<'a>) -> Self {
        let mut modules = Self {
            project,
            crates: RustCrates::from_manifests(&read_manifests(
                project.boundary,
                "Cargo.toml",
                folders_of_rust(project),
            )),
            by_path: (0..).map(FileId).zip(project.files).map(|(id, file)| (file.path.as_str(), id)).collect(),
            children: KeyedLists::default(),
            parents: HashMap::new(),
            items: KeyedLists::of_at_most(MOST_DOUBLES),
            uses: KeyedLists::default(),
            globs: KeyedLists::default(),
            found: RefCell::default(),
            terms: RefCell::default(),
        };
        for (file, facts) in files_with_flow(project, Flow::rust) {
            modules.add_file(file, facts);
        }
        modules
    }

    fn add_file(&mut self, file: FileId, facts: &'a RustFacts) {
        for (at, module) in (0..).zip(&facts.modules) {
            let Some(parent) = module.parent.map(|at| ModuleId { file, at }) else { continue };
            let child = if module.is_elsewhere {
                self.file_of_module(file, facts, parent, &module.name, module.path.as_deref())
            } else {
                Some(ModuleId { file, at })
            };
            if let Some(child) = child {
                self.children.push((parent, &module.name), child);
                self.parents.entry(child).or_insert(parent);
            }
        }
        for (at, declared) in (0..).zip(&facts.declared) {
            self.items.push((ModuleId { file, at: declared.module }, &declared.name), RustItem { file, at });
        }
        for found in &facts.uses {
            let module = ModuleId { file, at: found.module };
            match &found.name {
                Some(name) => self.uses.push((module, name), found),
                None => self.globs.push(module, found),
            }
        }
    }

    /// The file of `mod name;`.
    fn file_of_module(
        &self,
        file: FileId,
        facts: &RustFacts,
        within: ModuleId,
        name: &str,
        path: Option<&str>,
    ) -> Option<ModuleId> {
        let own = &self.project.files.get(file.0 as usize)?.path;
        let mut inner = Vec::new();
        let mut at = within.at;
        while let Some((module, parent)) = facts.modules.get(at as usize).and_then(|it| Some((it, it.parent?))) {
            inner.push(module.name.as_str());
            at = parent;
        }
        inner.reverse();
        let stem = own.strip_suffix(".rs").unwrap_or(own);
        let is_folder = matches!(stem.rsplit('/').next(), Some("mod" | "lib" | "main" | "build"));
        // Tests, examples and programs are roots of crates too, whatever they are called.
        let is_root = matches!(folder_of(own).rsplit('/').next(), Some("tests" | "examples" | "benches" | "bin"));
        let below = |folder: &str| inner.iter().fold(folder.to_owned(), |at, part| join(&at, part));
        let mut tried = Vec::new();
        if let Some(path) = path {
            let folder = if inner.is_empty() {
                folder_of(own).to_owned()
            } else {
                below(if is_folder { folder_of(own) } else { stem })
            };
            tried.push(join(&folder, path));
        } else {
            let folders = [
                (!is_folder).then_some(stem),
                (is_folder || is_root || self.is_crate_root(own)).then(|| folder_of(own)),
            ];
            for folder in folders.into_iter().flatten() {
                tried.push(join(&below(folder), &format!("{name}.rs")));
                tried.push(join(&below(folder), &format!("{name}/mod.rs")));
            }
        }
        let found = tried.iter().find_map(|path| self.by_path.get(normalize_project_path(path)?.as_str()));
        found.map(|file| ModuleId { file: *file, at: 0 })
    }

    fn is_crate_root(&self, path: &str) -> bool {
        self.crates.is_root_file(path)
    }

    pub(in crate::tree) fn crates(&self) -> &RustCrates {
        &self.crates
    }

    pub(super) fn project(&self) -> &'a Project<'a> {
        self.project
    }

    pub(super) fn facts(&self, file: FileId) -> Option<&'a RustFacts> {
        flow_of(self.project, file)?.rust()
    }

    pub(super) fn files(&self) -> impl Iterator<Item = (FileId, &'a RustFacts)> {
        files_with_flow(self.project, Flow::rust)
    }

    pub(super) fn declared(&self, item: RustItem) -> Option<&'a RustDeclared> {
        self.facts(item.file)?.declared.get(item.at as usize)
    }

    pub(super) fn parent(&self, module: ModuleId) -> Option<ModuleId> {
        self.parents.get(&module).copied()
    }

    pub(super) fn root(&self, module: ModuleId) -> ModuleId {
        // A chain that comes back to itself is none of Rust; its length is bounded all the same.
        let chain = std::iter::successors(Some(module), |module| self.parent(*module)).take(64);
        chain.last().unwrap_or(module)
    }

    /// The root of a crate of the project.
    pub(super) fn crate_named(&self, name: &str) -> Option<ModuleId> {
        let file = self.by_path.get(self.crates.root_file(name)?)?;
        Some(ModuleId { file: *file, at: 0 })
    }
}
