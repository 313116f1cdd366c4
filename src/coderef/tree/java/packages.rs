//! The types of a project, by their packages and by what holds them.

use std::collections::HashMap;

use super::facts::{JavaFacts, JavaImport, JavaMethod, JavaType, TypeAt};
use crate::family::Project;
use crate::model::{ElementId, FileId};
use crate::tree::facts::{Flow, files_with_flow, flow_of};
use crate::tree::keyed::KeyedLists;

/// A type: its file, and its position among those of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::tree) struct JavaItem {
    pub(super) file: FileId,
    pub(super) at: TypeAt,
}

#[derive(Debug)]
pub(in crate::tree) struct JavaPackages<'a> {
    project: &'a Project<'a>,
    /// By package and name; none where two files declare it.
    types: HashMap<(&'a str, &'a str), Option<JavaItem>>,
    inner: HashMap<(JavaItem, &'a str), JavaItem>,
    methods: KeyedLists<(JavaItem, &'a str), &'a JavaMethod>,
    /// Those of one thing, by its name.
    imports: KeyedLists<(FileId, &'a str), &'a JavaImport>,
    whole_imports: KeyedLists<FileId, &'a JavaImport>,
}

/// Overloads of a method that are kept; a call of more than are listed anywhere is not told.
const MOST_OVERLOADS: usize = 64;

impl<'a> JavaPackages<'a> {
    pub(in crate::tree) fn new(project: &'a Project<'a>) -> Self {
        let mut packages = Self {
            project,
            types: HashMap::new(),
            inner: HashMap::new(),
            methods: KeyedLists::of_at_most(MOST_OVERLOADS),
            imports: KeyedLists::default(),
            whole_imports: KeyedLists::default(),
        };
        for (file, facts) in files_with_flow(project, Flow::java) {
            for import in &facts.imports {
                if import.is_whole {
                    packages.whole_imports.push(file, import);
                } else if let Some(name) = import.parts.last() {
                    packages.imports.push((file, name), import);
                }
            }
            for (at, of) in (0..).zip(&facts.types) {
                let item = JavaItem { file, at };
                for method in &of.methods {
                    packages.methods.push((item, &method.name), method);
                }
                if of.is_local {
                    continue;
                }
                match of.outer {
                    Some(outer) => drop(packages.inner.insert((JavaItem { file, at: outer }, &of.name), item)),
                    None => {
                        let known = packages.types.entry((&facts.package, &of.name));
                        known.and_modify(|known| *known = None).or_insert(Some(item));
                    }
                }
            }
        }
        packages
    }

    pub(super) fn facts(&self, file: FileId) -> Option<&'a JavaFacts> {
        flow_of(self.project, file)?.java()
    }

    /// The imports of a file that bring in a thing of this name.
    pub(super) fn imports_named<'s>(&'s self, file: FileId, name: &'s str) -> &'s [&'a JavaImport] {
        self.imports.get(&(file, name))
    }

    pub(super) fn whole_imports(&self, file: FileId) -> &[&'a JavaImport] {
        self.whole_imports.get(&file)
    }

    pub(super) fn declared(&self, item: JavaItem) -> Option<&'a JavaType> {
        self.facts(item.file)?.types.get(item.at as usize)
    }

    pub(super) fn element(&self, item: JavaItem, local: Option<u32>) -> Option<ElementId> {
        self.project.element_id(item.file, local?)
    }

    /// The type of a package; within, none where that is not certain.
    pub(super) fn type_of_package(&self, package: &str, name: &str) -> Option<Option<JavaItem>> {
        self.types.get(&(package, name)).copied()
    }

    pub(super) fn inner_type(&self, of: JavaItem, name: &str) -> Option<JavaItem> {
        self.inner.get(&(of, name)).copied()
    }

    /// The methods of a name that a type itself has.
    pub(super) fn methods<'s>(&'s self, of: JavaItem, name: &'s str) -> &'s [&'a JavaMethod] {
        self.methods.get(&(of, name))
    }

    /// The type that a whole path names: a package, a type in it, and types in that.
    pub(super) fn type_of_path(&self, parts: &[String]) -> Option<Option<JavaItem>> {
        (1..=parts.len()).find_map(|split| {
            let (before, after) = parts.split_at_checked(split)?;
            let (name, package) = before.split_last()?;
            let found = self.type_of_package(&package.join("."), name)?;
            Some(found.and_then(|top| after.iter().try_fold(top, |at, name| self.inner_type(at, name))))
        })
    }
}
