//! The rules by which a specifier names a file.

use std::collections::{BTreeMap, HashMap};

use crate::model::{FileId, IndexProblem};
use tapps_sandbox::Boundary;

use super::builtin;
use super::config::{self, Config};
use super::package::PackageJson;

/// What a specifier names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::script) enum ResolvedSpecifier {
    File(FileId),
    /// A package or file outside the scan.
    External(String),
    /// A module of the run time.
    Builtin(String),
    /// A relative path at which there is nothing, or a file that is no script.
    Missing(String),
}

/// Endings that an import may leave out, in the order they are tried.
const ENDINGS: &[&str] =
    &[".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".d.mts", ".d.cts", ".vue", ".svelte"];

/// What may stand behind the ending that an import names.
const SUBSTITUTES: &[(&str, &[&str])] = &[
    (".js", &[".ts", ".tsx", ".d.ts", ".js", ".jsx"]),
    (".jsx", &[".tsx", ".d.ts", ".jsx"]),
    (".mjs", &[".mts", ".d.mts", ".mjs"]),
    (".cjs", &[".cts", ".d.cts", ".cjs"]),
];

/// Folders that hold what is built from `src`.
const BUILT: &[&str] = &["dist", "lib", "build", "out", "es", "esm", "cjs"];

#[derive(Debug)]
pub(in crate::script) struct Resolver {
    files: HashMap<String, FileId>,
    packages: BTreeMap<String, PackageJson>,
    configs: BTreeMap<String, Config>,
}

impl Resolver {
    /// Reads the configuration above the files.
    pub(in crate::script) fn new<'f>(boundary: &Boundary, files: impl Iterator<Item = (&'f str, FileId)>) -> Self {
        let files: HashMap<String, FileId> = files.map(|(path, id)| (path.to_owned(), id)).collect();
        let mut folders: Vec<&str> = files.keys().flat_map(|path| ancestors(path)).collect();
        folders.sort_unstable();
        folders.dedup();
        let packages =
            folders.iter().filter_map(|folder| PackageJson::from_folder(boundary, folder)).collect::<Vec<_>>();
        let packages = packages.into_iter().map(|package| (package.folder.clone(), package)).collect();
        let configs = folders
            .iter()
            .filter_map(|folder| Some(((*folder).to_owned(), config::load_folder_config(boundary, folder)?)));
        let configs = configs.collect();
        Self { files, packages, configs }
    }

    /// The configuration files that were read, besides those that stand above a file under their usual names.
    pub(in crate::script) fn configuration(&self) -> Vec<String> {
        let all = self.configs.values().flat_map(|config| config.files.iter().cloned());
        let mut files: Vec<String> = all.collect();
        files.sort_unstable();
        files.dedup();
        files
    }

    /// Configuration that could not be used.
    pub(in crate::script) fn into_problems(self) -> Vec<IndexProblem> {
        self.configs.into_values().flat_map(|config| config.problems).collect()
    }

    /// The module that `specifier` names in a file.
    pub(in crate::script) fn resolve(&self, from: &str, specifier: &str) -> ResolvedSpecifier {
        let specifier = specifier.split(['?']).next().unwrap_or(specifier);
        if let Some(name) = builtin::builtin_module(specifier) {
            return ResolvedSpecifier::Builtin(name);
        }
        let folder = parent(from);
        if specifier == "." || specifier == ".." || specifier.starts_with("./") || specifier.starts_with("../") {
            let found = join_within_project(folder, specifier).and_then(|path| self.file_at(&path));
            return found.map_or_else(|| ResolvedSpecifier::Missing(specifier.to_owned()), ResolvedSpecifier::File);
        }
        let found = self
            .by_config(folder, specifier)
            .or_else(|| self.by_imports(folder, specifier))
            .or_else(|| self.by_package(specifier));
        found.map_or_else(|| ResolvedSpecifier::External(specifier.to_owned()), ResolvedSpecifier::File)
    }

    fn by_config(&self, folder: &str, specifier: &str) -> Option<FileId> {
        let config = nearest(&self.configs, folder)?;
        config.path_mapping_candidates(specifier).iter().find_map(|path| self.file_at(path))
    }

    /// `#name` of the package around the file.
    fn by_imports(&self, folder: &str, specifier: &str) -> Option<FileId> {
        specifier.strip_prefix('#')?;
        let package = nearest(&self.packages, folder)?;
        self.first_of(&package.folder, package.imports(specifier))
    }

    /// A package of the project by its name: the one around the file itself, or one of its workspace.
    fn by_package(&self, specifier: &str) -> Option<FileId> {
        let (name, rest) = split_name(specifier);
        let package = self.packages.values().find(|package| package.name == name)?;
        self.first_of(&package.folder, package.exports(rest))
    }

    fn first_of(&self, folder: &str, targets: Vec<String>) -> Option<FileId> {
        targets.iter().find_map(|target| self.target(folder, target))
    }

    /// A file that a package names; the source of it when it is built and not there.
    fn target(&self, folder: &str, target: &str) -> Option<FileId> {
        let path = join_within_project(folder, target)?;
        if let Some(file) = self.file_at(&path) {
            return Some(file);
        }
        let below = target.strip_prefix("./").unwrap_or(target);
        let (first, rest) = below.split_once('/')?;
        let rest = BUILT.contains(&first).then_some(rest)?;
        let stem =
            [".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs"].iter().find_map(|end| rest.strip_suffix(end))?;
        self.file_at(&join_within_project(folder, &format!("src/{stem}"))?)
    }

    /// The file that a path without or with an ending names, or the index of a folder.
    fn file_at(&self, path: &str) -> Option<FileId> {
        for (ending, substitutes) in SUBSTITUTES {
            if let Some(stem) = path.strip_suffix(ending) {
                let found = substitutes.iter().find_map(|ending| self.files.get(&format!("{stem}{ending}")));
                if found.is_some() {
                    return found.copied();
                }
            }
        }
        let with = |ending: &&str| self.files.get(&format!("{path}{ending}")).copied();
        let index = |ending: &&str| {
            let path = if path.is_empty() { format!("index{ending}") } else { format!("{path}/index{ending}") };
            self.files.get(&path).copied()
        };
        let exact = || self.files.get(path).copied();
        let main = || {
            let package = self.packages.get(path).filter(|_| !path.is_empty())?;
            package.mains().iter().find_map(|main| self.target(path, main))
        };
        exact().or_else(|| ENDINGS.iter().find_map(with)).or_else(main).or_else(|| ENDINGS.iter().find_map(index))
    }
}

/// The configuration files that linking these files reads.
pub(crate) fn script_configuration_files<'f>(boundary: &Boundary, paths: impl Iterator<Item = &'f str>) -> Vec<String> {
    Resolver::new(boundary, paths.map(|path| (path, FileId(0)))).configuration()
}

/// The folders above a path, the root as an empty text included.
pub(crate) fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(parent(path)), |folder| (!folder.is_empty()).then(|| parent(folder)))
}

pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The entry of the nearest folder at or above this one.
fn nearest<'m, T>(of: &'m BTreeMap<String, T>, folder: &str) -> Option<&'m T> {
    std::iter::successors(Some(folder), |folder| (!folder.is_empty()).then(|| parent(folder)))
        .find_map(|folder| of.get(folder))
}

/// `relative` from a folder; `None` when it leads out of the project.
#[must_use]
pub fn join_within_project(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop()?,
            other => parts.push(other),
        }
    }
    Some(parts.join("/"))
}

/// The name of a package and the path in it, as `.` or `./…`.
fn split_name(specifier: &str) -> (&str, String) {
    let slashes = if specifier.starts_with('@') { 2 } else { 1 };
    let cut = specifier.match_indices('/').nth(slashes - 1).map(|(at, _)| at);
    match cut {
        Some(at) => (specifier.get(..at).unwrap_or(specifier), format!(".{}", specifier.get(at..).unwrap_or_default())),
        None => (specifier, ".".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Resolves in a project with these files; scripts are those that are numbered.
    fn resolve(files: &[(&str, &str)], from: &str, specifier: &str) -> Result<String, ResolvedSpecifier> {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let boundary = Boundary::open(dir.path()).unwrap();
        let scripts: Vec<&str> = files.iter().map(|(path, _)| *path).filter(|path| !path.ends_with(".json")).collect();
        let numbered = scripts.iter().zip(0..).map(|(path, id)| (*path, FileId(id)));
        match Resolver::new(&boundary, numbered).resolve(from, specifier) {
            ResolvedSpecifier::File(FileId(id)) => Ok(scripts[id as usize].to_owned()),
            other => Err(other),
        }
    }

    #[test]
    fn paths_find_files_as_typescript_does() {
        let files = [
            ("a.ts", ""),
            ("b/index.tsx", ""),
            ("c.d.ts", ""),
            ("d.js", ""),
            ("d.ts", ""),
            ("e.vue", ""),
            ("f.mts", ""),
        ];
        for (specifier, found) in [
            ("./a", "a.ts"),
            ("./a.js", "a.ts"),
            ("./b", "b/index.tsx"),
            ("./b/", "b/index.tsx"),
            ("./c", "c.d.ts"),
            ("./d.js", "d.ts"),
            ("./d", "d.ts"),
            ("./e.vue", "e.vue"),
            ("./f.mjs", "f.mts"),
            (".././x", ""),
        ] {
            let told = resolve(&files, "a.ts", specifier);
            assert_eq!(told.clone().unwrap_or_default(), found, "{specifier}: {told:?}");
        }
        assert_eq!(resolve(&files, "b/index.tsx", "../d").unwrap(), "d.ts");
        assert_eq!(resolve(&files, "a.ts", "react/jsx"), Err(ResolvedSpecifier::External("react/jsx".into())));
        assert_eq!(resolve(&files, "a.ts", "node:fs"), Err(ResolvedSpecifier::Builtin("node:fs".into())));
        assert_eq!(resolve(&files, "a.ts", "fs/promises"), Err(ResolvedSpecifier::Builtin("node:fs/promises".into())));
    }

    #[test]
    fn configuration_maps_names() {
        let base = r#"{ /* above */ "compilerOptions": { "paths": { "@/*": ["./src/*"], "exact": ["src/x.ts"], }, } }"#;
        let own = r#"{ "extends": ["./missing.json", "../base.json"], "compilerOptions": { "baseUrl": "." } }"#;
        let files = [
            ("base.json", base),
            ("app/tsconfig.json", own),
            ("app/main.ts", ""),
            ("app/plain.ts", ""),
            ("src/x.ts", ""),
            ("solution/tsconfig.json", r#"{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }"#),
            ("solution/tsconfig.app.json", r#"{ "compilerOptions": { "paths": { "~/*": ["./code/*"] } } }"#),
            ("solution/code/y.ts", ""),
        ];
        assert_eq!(resolve(&files, "app/main.ts", "@/x").unwrap(), "src/x.ts");
        assert_eq!(resolve(&files, "app/main.ts", "exact").unwrap(), "src/x.ts");
        assert_eq!(resolve(&files, "app/main.ts", "plain").unwrap(), "app/plain.ts");
        assert_eq!(resolve(&files, "solution/code/y.ts", "~/y").unwrap(), "solution/code/y.ts");
        assert_eq!(resolve(&files, "src/x.ts", "@/x"), Err(ResolvedSpecifier::External("@/x".into())));
    }

    #[test]
    fn packages_name_their_files() {
        let package = r##"{ "name": "@s/pkg", "imports": { "#in/*": "./src/in/*.ts" }, "exports": {
            ".": { "types": "./dist/index.d.ts", "import": "./dist/index.mjs" }, "./sub/*": "./src/sub/*.js", "./no": null } }"##;
        let files = [
            ("packages/p/package.json", package),
            ("packages/p/src/index.ts", ""),
            ("packages/p/src/sub/a.ts", ""),
            ("packages/p/src/in/b.ts", ""),
            ("packages/q/package.json", r#"{ "name": "q", "main": "./lib/main.js" }"#),
            ("packages/q/src/main.ts", ""),
        ];
        let from = "packages/p/src/index.ts";
        assert_eq!(resolve(&files, from, "@s/pkg").unwrap(), from);
        assert_eq!(resolve(&files, "packages/q/src/main.ts", "@s/pkg/sub/a").unwrap(), "packages/p/src/sub/a.ts");
        assert_eq!(resolve(&files, from, "#in/b").unwrap(), "packages/p/src/in/b.ts");
        assert_eq!(resolve(&files, from, "q").unwrap(), "packages/q/src/main.ts");
        assert_eq!(resolve(&files, from, "@s/pkg/no"), Err(ResolvedSpecifier::External("@s/pkg/no".into())));
    }
}
