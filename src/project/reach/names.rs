//! Which project file an import means.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::super::roots::{self, folder, join};
use super::crates::CrateFiles;
use super::go::OWN_PACKAGE;
use super::headers::HeaderFiles;
use super::java_classes::JavaClasses;
use super::manifests::Manifests;
use super::module::{ModuleFacts, ModuleImport};
use super::role::is_test_code;
use tapps_base::language::{Analyzers, ScoredLanguage};

/// How often a name may be passed on from module to module before the search is given up.
const HOPS: usize = 8;

/// Whose imports a file has; none for a file that is not scored.
fn analyzers_of(path: &str) -> Option<Analyzers> {
    ScoredLanguage::of_path(path).map(ScoredLanguage::analyzers)
}

/// The project's files as the import systems see them.
#[derive(Debug)]
pub(super) struct ModuleResolver<'a> {
    paths: HashSet<&'a str>,
    folders: HashSet<&'a str>,
    /// Stems of files and names of folders: what a first component can be at all.
    first: HashSet<&'a str>,
    source_roots: BTreeSet<String>,
    java_classes: JavaClasses<'a>,
    headers: HeaderFiles,
    /// The files of Go by their folders, without those of tests.
    go_packages: HashMap<&'a str, Vec<&'a str>>,
    manifests: &'a Manifests,
    modules: &'a HashMap<String, std::sync::Arc<ModuleFacts>>,
}

/// Where a dotted name leads.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct ResolvedModule {
    /// The module, or the package's `__init__`.
    file: Option<String>,
    /// The package's folder, with or without `__init__`.
    package: Option<String>,
    /// `__init__` files of the packages on the way, which run first.
    passed: Vec<String>,
}

impl<'a> ModuleResolver<'a> {
    pub(super) fn new(modules: &'a HashMap<String, std::sync::Arc<ModuleFacts>>, manifests: &'a Manifests) -> Self {
        let paths: HashSet<&str> = modules.keys().map(String::as_str).collect();
        let mut folders = HashSet::new();
        let mut first = HashSet::new();
        for path in &paths {
            let name = path.rsplit('/').next().unwrap_or(path);
            first.insert(name.split('.').next().unwrap_or(name));
            let mut at = folder(path);
            while !at.is_empty() && folders.insert(at) {
                first.insert(at.rsplit('/').next().unwrap_or(at));
                at = folder(at);
            }
        }
        let source_roots = roots::source_roots(&paths);
        let java_classes = JavaClasses::from_paths(&paths);
        let headers = HeaderFiles::from_paths(&paths);
        let mut go_packages: HashMap<&str, Vec<&str>> = HashMap::new();
        for path in paths.iter().filter(|path| path.ends_with(".go")) {
            let files = go_packages.entry(folder(path)).or_default();
            if !is_test_code(path) {
                files.push(path);
            }
        }
        Self { paths, folders, first, source_roots, java_classes, headers, go_packages, manifests, modules }
    }

    /// The project files that a file runs by importing, besides itself.
    pub(super) fn imported(&self, path: &str, module: &ModuleFacts) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for import in &module.imports {
            match analyzers_of(path) {
                Some(Analyzers::Script) => self.add_script_imports(path, import, &mut found),
                Some(Analyzers::Python) | None => self.add_python_imports(path, import, &mut found),
                // What their imports name passes nothing on.
                Some(Analyzers::Go | Analyzers::Rust | Analyzers::Java | Analyzers::C | Analyzers::Shell) => {
                    found.extend(self.files_named_by(path, import));
                }
            }
        }
        if analyzers_of(path) == Some(Analyzers::Rust) {
            found.extend(self.crates().own_library(path));
        }
        found.remove(path);
        found
    }

    /// The script that a name means: beside the file, else the only one whose path ends so.
    fn sourced_file(&self, path: &str, name: &str) -> Option<String> {
        let beside = join(folder(path), name);
        if self.paths.contains(beside.as_str()) {
            return Some(beside);
        }
        let below = format!("/{name}");
        let mut fitting = self.paths.iter().filter(|known| format!("/{known}").ends_with(&below));
        let first = fitting.next()?;
        fitting.next().is_none().then(|| (*first).to_owned())
    }

    fn crates(&self) -> CrateFiles<'_> {
        CrateFiles::new(&self.paths, self.modules, &self.manifests.crates)
    }

    /// The files that an import names itself. Packages that are loaded on the way are left out: where they are above the
    /// importing file they are being loaded already.
    pub(super) fn files_named_by(&self, path: &str, import: &ModuleImport) -> BTreeSet<String> {
        let mut found: BTreeSet<String> = match analyzers_of(path) {
            Some(Analyzers::Script) => self.script_file(path, &import.module).into_iter().collect(),
            Some(Analyzers::Go) => self.go_package_files(path, &import.module).into_iter().collect(),
            Some(Analyzers::Rust) => self.crates().files_of_import(path, import).into_iter().collect(),
            Some(Analyzers::Java) => self.java_classes.files_named_by(path, import).into_iter().collect(),
            Some(Analyzers::C) => self.headers.files_included_by(path, &import.module).into_iter().collect(),
            Some(Analyzers::Shell) => self.sourced_file(path, &import.module).into_iter().collect(),
            Some(Analyzers::Python) | None => self.modules_named_by(path, import).into_iter().collect(),
        };
        found.remove(path);
        found
    }

    /// The modules of Python that an import names: a submodule where a name is one, else the module that has the name.
    fn modules_named_by(&self, path: &str, import: &ModuleImport) -> Vec<String> {
        let Some(place) = self.locate_module(path, import) else { return Vec::new() };
        let submodule = |name: &str| {
            let own =
                place.file.as_ref().and_then(|file| self.modules.get(file)).is_some_and(|m| m.defines.contains(name));
            let package = place.package.as_ref().filter(|_| !own && !name.is_empty());
            package.and_then(|package| self.module_at(&join(package, name)))
        };
        let submodules: Vec<Option<String>> = import.names.iter().map(|name| submodule(&name.name)).collect();
        let whole = place.file.clone().filter(|_| submodules.is_empty() || submodules.contains(&None));
        whole.into_iter().chain(submodules.into_iter().flatten()).collect()
    }

    fn add_python_imports(&self, from: &str, import: &ModuleImport, found: &mut BTreeSet<String>) {
        let Some(place) = self.locate_module(from, import) else { return };
        found.extend(place.passed.iter().cloned());
        found.extend(place.file.clone());
        for name in &import.names {
            let (target, exporter) = if name.name.is_empty() {
                (None, place.file.clone())
            } else {
                let target = self.name_in(&place, &name.name);
                (target.clone(), target)
            };
            found.extend(target);
            for attribute in &name.attributes {
                if let Some(exporter) = &exporter {
                    found.extend(self.exporting_file(exporter, attribute, HOPS));
                }
            }
        }
    }

    /// Where `name` of a module or package comes from: what the module passes on, else a submodule.
    fn name_in(&self, place: &ResolvedModule, name: &str) -> Option<String> {
        let passed_on = place.file.as_ref().and_then(|file| self.exporting_file(file, name, HOPS));
        passed_on.or_else(|| place.package.as_ref().and_then(|package| self.module_at(&join(package, name))))
    }

    /// The file that a module takes `name` from; `None` when it defines the name itself or does not have it.
    fn exporting_file(&self, file: &str, name: &str, hops: usize) -> Option<String> {
        let hops = hops.checked_sub(1)?;
        let module = self.modules.get(file)?;
        if module.defines.contains(name) {
            return None;
        }
        let analyzers = analyzers_of(file);
        for import in &module.imports {
            let Some(bound) = import.names.iter().find(|bound| bound.bound == name && !bound.name.is_empty()) else {
                continue;
            };
            return match analyzers {
                Some(Analyzers::Script) => {
                    let target = self.script_file(file, &import.module)?;
                    self.exporting_file(&target, &bound.name, hops).or(Some(target))
                }
                // A package passes no names on, and crates follow theirs themselves.
                Some(Analyzers::Go | Analyzers::Rust | Analyzers::Java | Analyzers::C | Analyzers::Shell) => None,
                Some(Analyzers::Python) | None => {
                    let place = self.locate_module(file, import)?;
                    let further = place.file.as_ref().and_then(|file| self.exporting_file(file, &bound.name, hops));
                    let submodule =
                        || place.package.as_ref().and_then(|package| self.module_at(&join(package, &bound.name)));
                    further.or_else(submodule).or_else(|| place.file.clone())
                }
            };
        }
        for import in module.imports.iter().filter(|import| import.star) {
            let target = match analyzers {
                Some(Analyzers::Script) => self.script_file(file, &import.module),
                Some(Analyzers::Go | Analyzers::Rust | Analyzers::Java | Analyzers::C | Analyzers::Shell) => None,
                Some(Analyzers::Python) | None => self.locate_module(file, import).and_then(|place| place.file),
            };
            let Some(target) = target else { continue };
            if self.modules.get(&target).is_some_and(|module| module.defines.contains(name)) {
                return Some(target);
            }
            if let Some(found) = self.exporting_file(&target, name, hops) {
                return Some(found);
            }
        }
        None
    }

    fn locate_module(&self, from: &str, import: &ModuleImport) -> Option<ResolvedModule> {
        let parts: Vec<&str> = import.module.split('.').filter(|part| !part.is_empty()).collect();
        if import.level > 0 {
            let mut base = folder(from);
            for _ in 1..import.level {
                if base.is_empty() {
                    return None;
                }
                base = folder(base);
            }
            if parts.is_empty() {
                return Some(ResolvedModule {
                    file: self.init_of(base),
                    package: Some(base.to_owned()),
                    passed: Vec::new(),
                });
            }
            return self.locate_below(base, &parts);
        }
        let first = parts.first()?;
        if !self.first.contains(first) {
            return None;
        }
        let mut namespace = None;
        let mut at = roots::python_root(from, &self.paths);
        loop {
            for inner in ["", "src", "lib"] {
                let root = if inner.is_empty() { at.to_owned() } else { join(at, inner) };
                match self.locate_below(&root, &parts) {
                    Some(place) if place.file.is_some() => return Some(place),
                    other => namespace = namespace.or(other),
                }
            }
            if at.is_empty() {
                break;
            }
            at = folder(at);
        }
        // Packages elsewhere in the project may be installed beside; only one of that name is certain to be meant.
        let regular = |root: &&String| self.init_of(&join(root, first)).is_some();
        let mut others = self.source_roots.iter().filter(regular);
        match (others.next(), others.next()) {
            (Some(root), None) => self.locate_below(root, &parts).or(namespace),
            _ => namespace,
        }
    }

    /// Follows a dotted name below a folder.
    fn locate_below(&self, base: &str, parts: &[&str]) -> Option<ResolvedModule> {
        let (last, packages) = parts.split_last()?;
        let mut place = ResolvedModule::default();
        let mut at = base.to_owned();
        for package in packages {
            at = join(&at, package);
            if !self.folders.contains(at.as_str()) {
                return None;
            }
            place.passed.extend(self.init_of(&at));
        }
        at = join(&at, last);
        place.file = self.module_at(&at);
        place.package = self.folders.contains(at.as_str()).then_some(at);
        (place.file.is_some() || place.package.is_some()).then_some(place)
    }

    fn init_of(&self, package: &str) -> Option<String> {
        ["__init__.py", "__init__.pyi"]
            .iter()
            .map(|name| join(package, name))
            .find(|path| self.paths.contains(path.as_str()))
    }

    /// The package or module at a path without its ending; a package goes first, as in Python.
    fn module_at(&self, path: &str) -> Option<String> {
        let module = |ending: &str| Some(format!("{path}.{ending}")).filter(|path| self.paths.contains(path.as_str()));
        self.init_of(path).or_else(|| module("py")).or_else(|| module("pyi"))
    }

    fn add_script_imports(&self, from: &str, import: &ModuleImport, found: &mut BTreeSet<String>) {
        let Some(target) = self.script_file(from, &import.module) else { return };
        for name in import.names.iter().filter(|name| !name.name.is_empty()) {
            found.extend(self.exporting_file(&target, &name.name, HOPS));
        }
        found.insert(target);
    }

    /// The files of the package that a Go import names, tests aside, as `go.mod` says where the package lies.
    fn go_package_files(&self, from: &str, import: &str) -> Vec<String> {
        let imported =
            |import| self.manifests.go.folder_of_import(from, import, |at| self.go_packages.contains_key(at));
        let at = if import == OWN_PACKAGE { Some(folder(from).to_owned()) } else { imported(import) };
        let inside = at.and_then(|at| self.go_packages.get(at.as_str()));
        inside.into_iter().flatten().map(|path| (*path).to_owned()).collect()
    }

    /// The file a relative specifier means, with the endings and index files that bundlers and TypeScript try.
    fn script_file(&self, from: &str, specifier: &str) -> Option<String> {
        let specifier = specifier.split(['?', '#']).next().unwrap_or(specifier);
        if !(specifier == "." || specifier == ".." || specifier.starts_with("./") || specifier.starts_with("../")) {
            return None;
        }
        let mut parts: Vec<&str> = folder(from).split('/').filter(|part| !part.is_empty()).collect();
        for part in specifier.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()?),
                _ => parts.push(part),
            }
        }
        let path = parts.join("/");
        let has = |path: &str| self.paths.contains(path) && analyzers_of(path) == Some(Analyzers::Script);
        if has(&path) {
            return Some(path);
        }
        // TypeScript sources name the file that will be compiled from them.
        let swapped = [("js", "ts"), ("js", "tsx"), ("jsx", "tsx"), ("mjs", "mts"), ("cjs", "cts")].iter().filter_map(
            |(js, ts)| path.strip_suffix(js).and_then(|p| p.strip_suffix('.')).map(|p| format!("{p}.{ts}")),
        );
        let endings = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "d.ts"];
        let plain = endings.iter().map(|ending| format!("{path}.{ending}"));
        let index = endings.iter().map(|ending| join(&path, &format!("index.{ending}")));
        swapped.chain(plain).chain(index).find(|path| has(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn modules(files: &[(&str, &str)]) -> HashMap<String, std::sync::Arc<ModuleFacts>> {
        let read = |(path, text): &(&str, &str)| {
            (
                (*path).to_owned(),
                std::sync::Arc::new(ModuleFacts::from_bytes(path, text.as_bytes(), path.contains("test"))),
            )
        };
        files.iter().map(read).collect()
    }

    const FILES: &[(&str, &str)] = &[
        ("src/pkg/__init__.py", "from .api import get, Thing as Alias\nfrom .star import *\nfrom . import models\n"),
        ("src/pkg/api.py", "def get(): return 1\nclass Thing: pass\n"),
        ("src/pkg/star.py", "from .deep import inner\nouter = 1\n"),
        ("src/pkg/deep.py", "def inner(): return 1\n"),
        ("src/pkg/models.py", ""),
        ("src/pkg/sub/__init__.py", ""),
        ("src/pkg/sub/leaf.py", ""),
        ("space/part/mod.py", ""),
        ("tools/run.py", ""),
        ("tools/helper.py", ""),
        ("other/json.py", ""),
        ("one/lib/dup/__init__.py", ""),
        ("two/lib/dup/__init__.py", ""),
    ];

    #[rstest]
    #[case::re_export("tests/test_a.py", "from pkg import get", &["src/pkg/__init__.py", "src/pkg/api.py"])]
    #[case::alias("tests/test_a.py", "from pkg import Alias", &["src/pkg/__init__.py", "src/pkg/api.py"])]
    #[case::star("tests/test_a.py", "from pkg import inner", &["src/pkg/__init__.py", "src/pkg/deep.py"])]
    #[case::star_own("tests/test_a.py", "from pkg import outer", &["src/pkg/__init__.py", "src/pkg/star.py"])]
    #[case::attribute("tests/test_a.py", "import pkg\npkg.get()", &["src/pkg/__init__.py", "src/pkg/api.py"])]
    #[case::submodule("tests/test_a.py", "from pkg import sub", &["src/pkg/__init__.py", "src/pkg/sub/__init__.py"])]
    #[case::passed_module("tests/test_a.py", "from pkg import models", &["src/pkg/__init__.py", "src/pkg/models.py"])]
    #[case::dotted("tests/test_a.py", "import pkg.sub.leaf",
        &["src/pkg/__init__.py", "src/pkg/sub/__init__.py", "src/pkg/sub/leaf.py"])]
    #[case::relative("src/pkg/sub/leaf.py", "from ..api import get", &["src/pkg/api.py"])]
    #[case::relative_module("src/pkg/sub/leaf.py", "from .. import api", &["src/pkg/__init__.py", "src/pkg/api.py"])]
    #[case::too_far_up("tools/run.py", "from ....x import y", &[])]
    #[case::namespace("tests/test_a.py", "from space.part import mod", &["space/part/mod.py"])]
    #[case::beside("tools/run.py", "import helper", &["tools/helper.py"])]
    #[case::not_on_the_path("tests/test_a.py", "import json", &[])]
    #[case::ambiguous("tests/test_a.py", "import dup", &[])]
    #[case::standard("tests/test_a.py", "import os", &[])]
    fn python(#[case] from: &str, #[case] text: &str, #[case] expected: &[&str]) {
        let modules = modules(FILES);
        let module = ModuleFacts::from_bytes(from, text.as_bytes(), true);
        let found = ModuleResolver::new(&modules, &Manifests::default()).imported(from, &module);
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    }

    const SCRIPTS: &[(&str, &str)] = &[
        ("src/a.ts", "export const a = () => 1;"),
        ("src/b/index.ts", "export { c } from './c'; export * from '../a';"),
        ("src/b/c.tsx", "export const c = () => 1;"),
        ("src/d.js", ""),
    ];

    #[rstest]
    #[case("src/a.test.ts", "import { a } from './a'", &["src/a.ts"])]
    #[case("src/a.test.ts", "import { a } from './a.js'", &["src/a.ts"])]
    #[case("src/a.test.ts", "import { c } from './b'", &["src/b/c.tsx", "src/b/index.ts"])]
    #[case("src/__tests__/a.js", "const d = require('../d')", &["src/d.js"])]
    #[case("src/a.test.ts", "import a from 'a'", &[])]
    #[case("src/a.test.ts", "import a from '../../../a'", &[])]
    fn scripts(#[case] from: &str, #[case] text: &str, #[case] expected: &[&str]) {
        let modules = modules(SCRIPTS);
        let module = ModuleFacts::from_bytes(from, text.as_bytes(), true);
        let found = ModuleResolver::new(&modules, &Manifests::default()).imported(from, &module);
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    }

    const PACKAGES: &[(&str, &str)] = &[
        ("main.go", "package main\n"),
        ("internal/hub/hub.go", "package hub\n"),
        ("internal/hub/hub_test.go", "package hub\n"),
        ("internal/hub/more.go", "package hub\n"),
        ("net/http/own.go", "package http\n"),
    ];

    #[rstest]
    #[case("internal/hub/hub_test.go", "package hub", &["internal/hub/hub.go", "internal/hub/more.go"])]
    #[case("main.go", "package main\nimport \"example.com/m/internal/hub\"",
        &["internal/hub/hub.go", "internal/hub/more.go"])]
    #[case("main.go", "package main\nimport \"net/http\"", &[])]
    #[case("main.go", "package main\nimport \"example.com/other\"", &[])]
    #[case("main.go", "package main\nimport \"example.com/other/internal/hub\"", &[])]
    fn packages_of_go(#[case] from: &str, #[case] text: &str, #[case] expected: &[&str]) {
        let modules = modules(PACKAGES);
        let manifests = Manifests::from_texts(&[("", "module example.com/m\n".to_owned())], &[]);
        let module = ModuleFacts::from_bytes(from, text.as_bytes(), true);
        let found = ModuleResolver::new(&modules, &manifests).imported(from, &module);
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    }
}
