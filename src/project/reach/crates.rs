//! Which file a path of Rust means, by the tree of modules that the files of a crate are.
//!
//! A path that begins with the name of a crate of the project leads to the root of that crate, as its `Cargo.toml` says.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use tapps_coderef::packages::RustCrates;

use super::module::{ModuleFacts, ModuleImport};
use crate::roots::{folder, join};

/// How often a name may be passed on by `pub use` before the search is given up.
const HOPS: usize = 6;

/// The files of a project as the modules of its crates.
#[derive(Debug)]
pub(super) struct CrateFiles<'a> {
    paths: &'a HashSet<&'a str>,
    modules: &'a HashMap<String, Arc<ModuleFacts>>,
    crates: &'a RustCrates,
}

impl<'a> CrateFiles<'a> {
    pub(super) fn new(
        paths: &'a HashSet<&'a str>,
        modules: &'a HashMap<String, Arc<ModuleFacts>>,
        crates: &'a RustCrates,
    ) -> Self {
        Self { paths, modules, crates }
    }

    /// The files that an import leads to: the module that has the name, and those that pass it on.
    pub(super) fn files_of_import(&self, from: &str, import: &ModuleImport) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        match import.names.first() {
            Some(name) if !import.star => {
                let path = if import.module.is_empty() {
                    name.name.clone()
                } else {
                    format!("{}::{}", import.module, name.name)
                };
                self.follow(from, &path, HOPS, &mut found);
            }
            _ => self.follow(from, &import.module, HOPS, &mut found),
        }
        found
    }

    /// The library that is compiled for an integration test, an example or a benchmark, or beside a program.
    pub(super) fn own_library(&self, from: &str) -> Option<String> {
        let parts: Vec<&str> = from.split('/').collect();
        let at = parts.iter().rposition(|part| matches!(*part, "tests" | "examples" | "benches"))?;
        let package = parts.get(..at).unwrap_or_default().join("/");
        self.library_of(&package)
    }

    fn library_of(&self, package: &str) -> Option<String> {
        let places = ["src/lib.rs", "lib.rs"].map(|place| join(package, place));
        places.into_iter().find(|path| self.paths.contains(path.as_str()))
    }

    fn follow(&self, from: &str, path: &str, hops: usize, found: &mut BTreeSet<String>) {
        let Some(hops) = hops.checked_sub(1) else { return };
        let mut parts: Vec<&str> = path.split("::").map(str::trim).filter(|part| !part.is_empty()).collect();
        let Some((mut at, taken)) = self.start_of(from, &parts) else { return };
        parts.drain(..taken);
        let mut rest = parts.as_slice();
        while let [name, behind @ ..] = rest {
            match self.child_of(&at, name) {
                Some(child) => at = child,
                None => break,
            }
            rest = behind;
        }
        found.insert(at.clone());
        let (Some(name), Some(module)) = (rest.first(), self.modules.get(&at)) else { return };
        if module.defines.contains(*name) {
            return;
        }
        // What a module does not define itself it may pass on.
        let passed = module.imports.iter().find(|import| import.names.iter().any(|bound| bound.bound == *name));
        if let Some(import) = passed {
            let original = import.names.first().map_or("", |bound| bound.name.as_str());
            self.follow(&at, &format!("{}::{original}", import.module), hops, found);
            return;
        }
        for import in module.imports.iter().filter(|import| import.star) {
            let mut through = BTreeSet::new();
            self.follow(&at, &format!("{}::{name}", import.module), hops, &mut through);
            let defines = |file: &String| self.modules.get(file).is_some_and(|module| module.defines.contains(*name));
            if through.iter().any(defines) {
                found.extend(through);
                return;
            }
        }
    }

    /// The file that a path begins in, and how many of its names that takes.
    fn start_of(&self, from: &str, parts: &[&str]) -> Option<(String, usize)> {
        match *parts.first()? {
            "crate" => Some((self.root_of(from)?, 1)),
            "self" | "Self" => Some((from.to_owned(), 1)),
            "super" => {
                let count = parts.iter().take_while(|part| **part == "super").count();
                // The first `super` of tests inside of a file leads to the file itself, which is never told from here.
                let mut at = from.to_owned();
                for _ in 0..count {
                    at = self.parent_of(&at).unwrap_or(at);
                }
                Some((at, count))
            }
            name => {
                if self.child_of(from, name).is_some() {
                    return Some((from.to_owned(), 0));
                }
                let root = self.crates.root_file(name).filter(|root| self.paths.contains(root))?;
                Some((root.to_owned(), 1))
            }
        }
    }

    /// The root of the crate that a file is a module of.
    fn root_of(&self, file: &str) -> Option<String> {
        let mut at = folder(file);
        loop {
            let roots = ["lib.rs", "main.rs"].map(|name| join(at, name));
            if let Some(root) = roots.into_iter().find(|root| self.paths.contains(root.as_str())) {
                return Some(root);
            }
            let is_root = matches!(at.rsplit('/').next(), Some("tests" | "examples" | "benches" | "bin"));
            if at.is_empty() || is_root {
                return Some(file.to_owned());
            }
            at = folder(at);
        }
    }

    /// The file of a module that is declared in another.
    fn child_of(&self, file: &str, name: &str) -> Option<String> {
        let base = self.folder_of_children(file);
        let places = [join(&base, &format!("{name}.rs")), join(&base, &format!("{name}/mod.rs"))];
        places.into_iter().find(|path| path != file && self.paths.contains(path.as_str()))
    }

    /// The folder where the modules of a file lie.
    fn folder_of_children(&self, file: &str) -> String {
        let stem = file.rsplit('/').next().unwrap_or(file).strip_suffix(".rs").unwrap_or_default();
        let is_root = matches!(stem, "lib" | "main" | "mod") || self.root_of(file).as_deref() == Some(file);
        if is_root { folder(file).to_owned() } else { join(folder(file), stem) }
    }

    /// The file of the module around a module.
    fn parent_of(&self, file: &str) -> Option<String> {
        let at = folder(file);
        let is_folder = file.ends_with("/mod.rs");
        let around = if is_folder { folder(at) } else { at };
        let name = around.rsplit('/').next().unwrap_or(around);
        let candidates = [
            join(around, "mod.rs"),
            join(folder(around), &format!("{name}.rs")),
            join(around, "lib.rs"),
            join(around, "main.rs"),
        ];
        candidates.into_iter().find(|path| path != file && self.paths.contains(path.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: &[(&str, &str)] = &[
        ("src/lib.rs", "pub mod parse;\nmod shape;\npub use shape::Shape;\npub mod all { pub use crate::parse::*; }\n"),
        ("src/main.rs", "fn main() {}\n"),
        ("src/parse/mod.rs", "pub mod lexer;\npub fn parse() {}\n"),
        ("src/parse/lexer.rs", "pub struct Lexer;\n"),
        ("src/shape.rs", "mod edge;\npub struct Shape;\n"),
        ("src/shape/edge.rs", "pub struct Edge;\n"),
        ("tests/it.rs", ""),
        ("tests/common/mod.rs", "pub fn helper() {}\n"),
        ("crates/my-util/src/lib.rs", "pub fn help() {}\n"),
    ];

    #[rstest::rstest]
    #[case("src/shape.rs", "use crate::parse::lexer::Lexer;", &["src/parse/lexer.rs"])]
    #[case("src/shape/edge.rs", "use super::Shape;", &["src/shape.rs"])]
    #[case("src/shape/edge.rs", "use super::super::parse::parse;", &["src/parse/mod.rs"])]
    #[case("src/parse/mod.rs", "use self::lexer::Lexer;", &["src/parse/lexer.rs"])]
    #[case("src/parse/mod.rs", "use lexer::*;", &["src/parse/lexer.rs"])]
    #[case("src/parse/lexer.rs", "use crate::Shape;", &["src/lib.rs", "src/shape.rs"])]
    #[case("tests/it.rs", "use shop::parse::lexer;", &["src/parse/lexer.rs"])]
    #[case("tests/it.rs", "use shop::Shape;", &["src/lib.rs", "src/shape.rs"])]
    #[case("tests/it.rs", "use common::helper;", &["tests/common/mod.rs"])]
    #[case("tests/it.rs", "use my_util::help;", &["crates/my-util/src/lib.rs"])]
    #[case("tests/it.rs", "use serde::Deserialize;", &[])]
    #[case("src/main.rs", "use shop::parse::parse;", &["src/parse/mod.rs"])]
    #[case("src/shape.rs", "use std::fs;", &[])]
    fn paths_lead_to_files(#[case] from: &str, #[case] text: &str, #[case] expected: &[&str]) {
        let read = |text: &str| Arc::new(ModuleFacts::from_bytes("a.rs", text.as_bytes(), false));
        let modules: HashMap<String, Arc<ModuleFacts>> =
            FILES.iter().map(|(path, text)| ((*path).to_owned(), read(text))).collect();
        let paths: HashSet<&str> = FILES.iter().map(|(path, _)| *path).collect();
        let manifest = |folder, name| (folder, format!("[package]\nname = \"{name}\"\n"));
        let crates = RustCrates::from_manifests(&[manifest("", "shop"), manifest("crates/my-util", "my-util")]);
        let files = CrateFiles::new(&paths, &modules, &crates);
        let found: BTreeSet<String> =
            read(text).imports.iter().flat_map(|import| files.files_of_import(from, import)).collect();
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    }
}
