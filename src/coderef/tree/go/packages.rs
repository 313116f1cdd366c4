//! The packages of a project and what each declares.

use std::collections::HashMap;

use super::facts::{GoDeclaration, GoDeclared, GoFacts};
use super::imports::GoImports;
use super::modules::GoModules;
use crate::family::Project;
use crate::model::FileId;
use crate::tree::facts::{Flow, files_with_flow, flow_of};
use crate::tree::keyed::KeyedLists;
use crate::tree::paths::folder_of;

/// Declarations of one name in one package that are kept: one more than is listed anywhere.
const MOST_DOUBLES: usize = 11;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::tree) struct PackageId(u32);

/// A declaration: its file, and its position among those of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::tree) struct GoItem {
    pub(super) file: FileId,
    pub(super) at: u32,
}

#[derive(Debug)]
pub(in crate::tree) struct GoPackages<'a> {
    project: &'a Project<'a>,
    modules: &'a GoModules<'a>,
    /// The package of each file.
    of_file: HashMap<FileId, PackageId>,
    /// What an import of a folder means; none where files contradict each other.
    of_folder: HashMap<&'a str, Option<PackageId>>,
    clauses: Vec<&'a str>,
    names: KeyedLists<(PackageId, &'a str), GoItem>,
    methods: KeyedLists<(PackageId, &'a str, &'a str), GoItem>,
    imports: HashMap<FileId, GoImports<'a>>,
}

impl<'a> GoPackages<'a> {
    pub(in crate::tree) fn new(project: &'a Project<'a>, modules: &'a GoModules<'a>) -> Self {
        let mut packages = Self {
            project,
            modules,
            of_file: HashMap::new(),
            of_folder: HashMap::new(),
            clauses: Vec::new(),
            names: KeyedLists::of_at_most(MOST_DOUBLES),
            methods: KeyedLists::of_at_most(MOST_DOUBLES),
            imports: HashMap::new(),
        };
        let mut known: HashMap<(&str, &str), PackageId> = HashMap::new();
        for (id, file) in (0..).map(FileId).zip(project.files) {
            let Some(facts) = packages.facts(id) else { continue };
            let folder = folder_of(&file.path);
            let count = u32::try_from(packages.clauses.len()).unwrap_or(u32::MAX);
            let package = *known.entry((folder, facts.package.as_str())).or_insert_with(|| {
                packages.clauses.push(&facts.package);
                PackageId(count)
            });
            packages.of_file.insert(id, package);
            if !facts.is_ignored {
                if !file.path.ends_with("_test.go") {
                    let imported = packages.of_folder.entry(folder).or_insert(Some(package));
                    *imported = imported.filter(|other| *other == package);
                }
                packages.add_declared(id, package, facts);
            }
        }
        // When every package is known.
        for (id, facts) in files_with_flow(project, Flow::go) {
            let package_of = |path: &str| packages.package_of_import(id, path);
            let imports = GoImports::new(facts, package_of, |package| packages.clause(package));
            packages.imports.insert(id, imports);
        }
        packages
    }

    fn add_declared(&mut self, file: FileId, package: PackageId, facts: &'a GoFacts) {
        for (at, declared) in (0..).zip(&facts.declared) {
            let item = GoItem { file, at };
            match &declared.what {
                GoDeclaration::Method { receiver, .. } => self.methods.push((package, receiver, &declared.name), item),
                // There may be any number of these, and nobody can name them.
                _ if matches!(declared.name.as_str(), "_" | "init") => {}
                _ => self.names.push((package, &declared.name), item),
            }
        }
    }

    pub(super) fn facts(&self, file: FileId) -> Option<&'a GoFacts> {
        flow_of(self.project, file)?.go()
    }

    pub(super) fn declared(&self, item: GoItem) -> Option<&'a GoDeclared> {
        self.facts(item.file)?.declared.get(item.at as usize)
    }

    pub(super) fn project(&self) -> &'a Project<'a> {
        self.project
    }

    pub(super) fn package_of(&self, file: FileId) -> Option<PackageId> {
        self.of_file.get(&file).copied()
    }

    /// The package of the project that an import leads to; within, none where that is not certain.
    fn package_of_import(&self, file: FileId, path: &str) -> Option<Option<PackageId>> {
        let from = &self.project.files.get(file.0 as usize)?.path;
        let folder = self.modules.folder_of_import(from, path)?;
        Some(self.of_folder.get(folder).copied().flatten())
    }

    /// The name in the clause of a package.
    fn clause(&self, package: PackageId) -> &'a str {
        self.clauses.get(package.0 as usize).copied().unwrap_or_default()
    }

    pub(super) fn imports(&self, file: FileId) -> Option<&GoImports<'a>> {
        self.imports.get(&file)
    }

    pub(super) fn named<'s>(&'s self, package: PackageId, name: &'s str) -> &'s [GoItem] {
        self.names.get(&(package, name))
    }

    /// The methods of a name that a type of a package has.
    pub(super) fn methods<'s>(&'s self, package: PackageId, of: &'s str, name: &'s str) -> &'s [GoItem] {
        self.methods.get(&(package, of, name))
    }
}
