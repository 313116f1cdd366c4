//! Which file a module's name means, by the places of the files alone.

use std::collections::{BTreeSet, HashMap};

use crate::model::{FileId, Language, SourceFile};

/// What a module's name leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ModuleLookup {
    File(FileId),
    /// A folder without `__init__.py` that holds modules.
    Namespace(String),
    /// Should be in the project and is not.
    Missing,
    Outside,
}

/// All modules of a project.
#[derive(Debug)]
pub(super) struct Modules<'a> {
    files: &'a [SourceFile],
    /// By path without ending, packages without `/__init__`.
    by_path: HashMap<&'a str, FileId>,
    folders: BTreeSet<&'a str>,
    /// Folders that stand on the search path: the lowest above each module that is no package. Sorted.
    roots: BTreeSet<&'a str>,
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn join(folder: &str, rest: &str) -> String {
    match (folder, rest) {
        ("", rest) => rest.to_owned(),
        (folder, "") => folder.to_owned(),
        _ => format!("{folder}/{rest}"),
    }
}

/// A module's path without ending, and how much it is to be preferred to another of the same name.
fn module_key(path: &str) -> Option<(&str, u8)> {
    let (stem, ending) = path.rsplit_once('.')?;
    let code = u8::from(ending != "pyi");
    match stem.strip_suffix("/__init__").or((stem == "__init__").then_some("")) {
        Some(package) => Some((package, 2 + code)),
        None => Some((stem, code)),
    }
}

impl<'a> Modules<'a> {
    pub(super) fn new(files: &'a [SourceFile]) -> Self {
        let mut best: HashMap<&str, (u8, FileId)> = HashMap::new();
        let mut folders = BTreeSet::new();
        for (id, file) in (0..).map(FileId).zip(files).filter(|(_, file)| file.language == Language::Python) {
            let Some((path, rank)) = module_key(&file.path) else { continue };
            let place = best.entry(path).or_insert((rank, id));
            if rank > place.0 {
                *place = (rank, id);
            }
            let mut folder = parent(&file.path);
            while !folder.is_empty() && folders.insert(folder) {
                folder = parent(folder);
            }
        }
        let by_path = best.into_iter().map(|(path, (_, id))| (path, id)).collect();
        let mut modules = Self { files, by_path, folders, roots: BTreeSet::new() };
        modules.roots =
            files.iter().filter(|f| f.language == Language::Python).map(|f| modules.root_of(&f.path)).collect();
        modules
    }

    /// The folder from which a file's own package is imported.
    fn root_of(&self, path: &'a str) -> &'a str {
        let mut folder = parent(path);
        while !folder.is_empty() && self.by_path.contains_key(folder) && self.is_package(folder) {
            folder = parent(folder);
        }
        folder
    }

    fn is_package(&self, folder: &str) -> bool {
        let file = self.by_path.get(folder).and_then(|id| self.files.get(id.0 as usize));
        file.is_some_and(|file| parent(&file.path) == folder)
    }

    fn lookup_path(&self, path: &str) -> ModuleLookup {
        match self.by_path.get(path) {
            Some(&id) => ModuleLookup::File(id),
            None if self.folders.contains(path) => ModuleLookup::Namespace(path.to_owned()),
            None => ModuleLookup::Missing,
        }
    }

    /// A module or folder inside a package, namespace or the folder of a package's `__init__`.
    pub(super) fn lookup_in_package(&self, file: FileId, name: &str) -> ModuleLookup {
        match self.files.get(file.0 as usize) {
            Some(file) if self.is_package(parent(&file.path)) && is_init(&file.path) => {
                self.lookup_path(&join(parent(&file.path), name))
            }
            _ => ModuleLookup::Missing,
        }
    }

    pub(super) fn in_namespace(&self, folder: &str, name: &str) -> ModuleLookup {
        self.lookup_path(&join(folder, name))
    }

    /// What `from .. import` with a level means in a file.
    pub(super) fn resolve_relative(&self, from: FileId, level: u32, module: &str) -> ModuleLookup {
        let Some(file) = self.files.get(from.0 as usize) else { return ModuleLookup::Missing };
        let mut folder = parent(&file.path);
        for _ in 1..level {
            if folder.is_empty() {
                return ModuleLookup::Missing;
            }
            folder = parent(folder);
        }
        let path = join(folder, &module.replace('.', "/"));
        if path.is_empty() { ModuleLookup::Namespace(path) } else { self.lookup_path(&path) }
    }

    /// What an absolute name means in a file.
    pub(super) fn resolve_absolute(&self, from: FileId, module: &str) -> ModuleLookup {
        let Some(file) = self.files.get(from.0 as usize) else { return ModuleLookup::Missing };
        let path = module.replace('.', "/");
        let top = path.split('/').next().unwrap_or_default();
        let own = self.root_of(&file.path);
        let mut namespace = None;
        for root in [own, "", "src", "lib", "python"] {
            match self.lookup_path(&join(root, top)) {
                ModuleLookup::File(_) => return self.lookup_path(&join(root, &path)),
                ModuleLookup::Namespace(_) if namespace.is_none() => match self.lookup_path(&join(root, &path)) {
                    ModuleLookup::File(id) => namespace = Some(ModuleLookup::File(id)),
                    ModuleLookup::Namespace(folder) if path != top => namespace = Some(ModuleLookup::Namespace(folder)),
                    _ => {}
                },
                _ => {}
            }
        }
        if let Some(namespace) = namespace {
            return namespace;
        }
        // A package somewhere else in the project, when there is one of the name.
        let mut elsewhere = self.roots.iter().filter(|root| self.is_package(&join(root, top)));
        match (elsewhere.next(), elsewhere.next()) {
            (Some(root), None) => self.lookup_path(&join(root, &path)),
            _ => ModuleLookup::Outside,
        }
    }
}

fn is_init(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.starts_with("__init__."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Parse;

    fn files(paths: &[&str]) -> Vec<SourceFile> {
        let file = |path: &&str| SourceFile {
            path: (*path).to_owned(),
            language: Language::Python,
            sha256: String::new(),
            lines: 0,
            parse: Parse::Whole,
            test: false,
            cases: false,
            runs: false,
        };
        paths.iter().map(file).collect()
    }

    const TREE: [&str; 11] = [
        "lone.py",
        "src/app/__init__.py",
        "src/app/core/__init__.py",
        "src/app/core/models.py",
        "src/app/core/models.pyi",
        "src/app/only.pyi",
        "src/app/util.py",
        "src/space/part/mod.py",
        "tests/helper.py",
        "tests/test_app.py",
        "vendor/other/__init__.py",
    ];

    #[rstest::rstest]
    #[case("src/app/core/models.py", 1, "", "src/app/core/__init__.py")]
    #[case("src/app/core/models.py", 2, "util", "src/app/util.py")]
    #[case("src/app/core/__init__.py", 1, "models", "src/app/core/models.py")]
    #[case("src/app/core/__init__.py", 2, "only", "src/app/only.pyi")]
    #[case("src/app/util.py", 5, "x", "missing")]
    #[case("tests/test_app.py", 0, "app.core.models", "src/app/core/models.py")]
    #[case("tests/test_app.py", 0, "helper", "tests/helper.py")]
    #[case("src/app/util.py", 0, "helper", "outside")]
    #[case("src/app/util.py", 0, "app.nothing", "missing")]
    #[case("src/app/util.py", 0, "lone", "lone.py")]
    #[case("src/app/util.py", 0, "space.part.mod", "src/space/part/mod.py")]
    #[case("src/app/util.py", 0, "space.part", "folder src/space/part")]
    #[case("src/app/util.py", 0, "space", "outside")]
    #[case("src/app/util.py", 0, "other", "vendor/other/__init__.py")]
    #[case("src/app/util.py", 0, "os.path", "outside")]
    fn names_lead_to_files(#[case] from: &str, #[case] level: u32, #[case] module: &str, #[case] expected: &str) {
        let files = files(&TREE);
        let modules = Modules::new(&files);
        let from = FileId(TREE.iter().position(|path| *path == from).unwrap() as u32);
        let found = if level == 0 {
            modules.resolve_absolute(from, module)
        } else {
            modules.resolve_relative(from, level, module)
        };
        let shown = match found {
            ModuleLookup::File(id) => files[id.0 as usize].path.clone(),
            ModuleLookup::Namespace(folder) => format!("folder {folder}"),
            ModuleLookup::Missing => "missing".to_owned(),
            ModuleLookup::Outside => "outside".to_owned(),
        };
        assert_eq!(shown, expected);
    }
}
