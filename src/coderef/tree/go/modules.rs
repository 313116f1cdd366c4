//! The files of the packages of Go, as imports name them.

use std::collections::{BTreeSet, HashMap};

use crate::family::Project;
use crate::model::{FileId, Language};
use crate::packages::{GoModulePaths, folders_above, read_manifests};
use crate::tree::paths::folder_of;

#[derive(Debug, Default)]
pub(in crate::tree) struct GoModules<'a> {
    paths: GoModulePaths,
    /// The files of each folder, without those of tests.
    folders: HashMap<&'a str, Vec<FileId>>,
}

impl<'a> GoModules<'a> {
    pub(in crate::tree) fn new(project: &Project<'a>) -> Self {
        let mut folders: HashMap<&str, Vec<FileId>> = HashMap::new();
        let mut above = BTreeSet::new();
        for (id, file) in (0..).map(FileId).zip(project.files).filter(|(_, file)| file.language == Language::Go) {
            let files = folders.entry(folder_of(&file.path)).or_default();
            if !file.path.ends_with("_test.go") {
                files.push(id);
            }
            above.extend(folders_above(&file.path));
        }
        let manifests = read_manifests(project.boundary, "go.mod", above);
        Self { paths: GoModulePaths::from_manifests(&manifests), folders }
    }

    /// The folder of a package of the project, as a file of some path imports it.
    pub(in crate::tree) fn folder_of_import(&self, from: &str, import: &str) -> Option<&'a str> {
        let folder = self.paths.folder_of_import(from, import, |at| self.folders.contains_key(at))?;
        self.folders.get_key_value(folder.as_str()).map(|(folder, _)| *folder)
    }

    /// The files of the package that an import names.
    pub(in crate::tree) fn files_of_import(&self, from: &str, import: &str) -> &[FileId] {
        let folder = self.folder_of_import(from, import);
        folder.and_then(|folder| self.folders.get(folder)).map(Vec::as_slice).unwrap_or_default()
    }
}
