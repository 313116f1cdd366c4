//! A whole distribution: its modules, parsed side by side, and the symbols they come to.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::compiled::compiled_modules;
use super::export::Modules;
use super::module::{Bound, DocumentedModule, PythonItem};
use super::read::read_module_text;
use crate::symbol::{Guide, Symbol};
use crate::text::{Doc, split_sections};
use crate::tree::Tree;
use tapps_base::Result;
use tapps_project::parse;

/// Most files of documentation that are read of one package.
const GUIDES: usize = 200;

/// True for a file that extraction reads: modules, stubs, documentation, the distribution's own metadata.
#[must_use]
pub fn is_wanted(path: &str) -> bool {
    is_module(path) || is_guide(path) || path.ends_with(".dist-info/METADATA") || path.ends_with(".dist-info/RECORD")
}

fn is_module(path: &str) -> bool {
    (path.ends_with(".py") || path.ends_with(".pyi")) && !path.contains(".data/")
}

fn is_guide(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let text = [".md", ".rst"].iter().any(|ending| lower.ends_with(ending));
    text && !lower.contains(".dist-info/licenses/")
        && !lower.split('/').any(|part| matches!(part, "license.md" | "authors.md" | "tests"))
}

/// The public symbols of a distribution, sorted by path.
///
/// # Errors
/// `internal` when the system gives no threads.
pub fn python_symbols(tree: &dyn Tree) -> Result<Vec<Symbol>> {
    let files: Vec<(String, &String)> = tree
        .files()
        .iter()
        .filter(|path| is_module(path) && !path.contains(".dist-info/"))
        .filter_map(|path| Some((module_name(path)?, path)))
        .collect();
    let parse_all = || {
        let one =
            |(name, path): &(String, &String)| Some((name.clone(), read_module_text(name, path, &tree.text(path)?)?));
        files.par_iter().filter_map(one).collect::<Vec<(String, DocumentedModule)>>()
    };
    let mut modules: BTreeMap<String, DocumentedModule> = BTreeMap::new();
    for (name, module) in parse::on_parsing_threads(parse_all)? {
        match modules.remove(&name) {
            None => modules.insert(name, module),
            Some(other) => {
                let (stub, source) = if module.stub { (module, other) } else { (other, module) };
                modules.insert(name, merge_stub(stub, source))
            }
        };
    }
    for (name, compiled) in compiled_modules(tree) {
        modules.entry(name).or_insert(compiled);
    }
    Ok(Modules::new(modules).symbols())
}

/// The sections of the documentation a distribution brings along, its own description first.
#[must_use]
fn guides(tree: &dyn Tree) -> Vec<Guide> {
    let metadata = tree.files().iter().find(|path| path.ends_with(".dist-info/METADATA"));
    let description = metadata.and_then(|path| {
        let text = tree.text(path)?;
        let body = text.split_once("\n\n").map(|(_, body)| body.to_owned())?;
        Some(split_sections("README", &body))
    });
    let pages = tree.files().iter().filter(|path| is_guide(path)).take(GUIDES);
    let pages = pages.filter_map(|path| Some(split_sections(path, &tree.text(path)?))).flatten();
    description.into_iter().flatten().chain(pages).collect()
}

/// Both of them.
///
/// # Errors
/// As [`python_symbols`].
pub fn symbols_and_guides(tree: &dyn Tree) -> Result<(Vec<Symbol>, Vec<Guide>)> {
    Ok((python_symbols(tree)?, guides(tree)))
}

/// The dotted name of the module in a file; `None` for what cannot be imported.
fn module_name(path: &str) -> Option<String> {
    dotted_module(path.strip_suffix(".pyi").or_else(|| path.strip_suffix(".py"))?)
}

/// The dotted name of the module in a file whose path is given without what tells its kind.
pub(super) fn dotted_module(stem: &str) -> Option<String> {
    let stem = stem.strip_suffix("/__init__").unwrap_or(stem);
    let parts: Vec<&str> = stem.split('/').collect();
    let plain = |part: &&str| {
        !part.is_empty()
            && !part.starts_with(|first: char| first.is_ascii_digit())
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    parts.iter().all(plain).then(|| parts.join("."))
}

/// A stub says what there is; the module beside it what it means, and what it lists when it runs.
fn merge_stub(mut stub: DocumentedModule, mut source: DocumentedModule) -> DocumentedModule {
    if stub.doc == Doc::default() {
        stub.doc = source.doc.clone();
    }
    for (name, bound) in &mut stub.names {
        if let (Bound::Here(item), Some(Bound::Here(other))) = (bound, source.names.get(name)) {
            lend_docs(item, other);
        }
    }
    stub.makes_names |= source.makes_names;
    stub.sets_attributes |= source.sets_attributes;
    if stub.open {
        // What the stub leaves out is as the module has it.
        source.names.extend(stub.names);
        source.all = stub.all.or(source.all);
        source.stars.extend(stub.stars);
        source.typing_stars.extend(stub.typing_stars);
        source.doc = stub.doc;
        return source;
    }
    if let (Some(listed), Some(more)) = (&mut stub.all, source.all) {
        listed.extend(more);
        // What only the module has is meant for users when `__all__` names it.
        for (name, bound) in source.names {
            stub.names.entry(name).or_insert_with(|| bound.for_lists());
        }
        stub.typing_stars.extend(source.stars);
    }
    stub
}

fn lend_docs(item: &mut PythonItem, other: &PythonItem) {
    if item.doc.line.is_empty() {
        let deprecated = item.doc.deprecated.take();
        item.doc = Doc { deprecated: deprecated.or_else(|| other.doc.deprecated.clone()), ..other.doc.clone() };
    }
    for (name, member) in &mut item.members {
        if let Some(known) = other.members.get(name) {
            lend_docs(member, known);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{paths, symbols_of_files};

    #[test]
    fn a_stub_decides_and_the_module_adds_what_it_lists() {
        let source = "from ._more import *\n__all__ = ['kept', 'made', 'far']\ndef kept(speed): 'Keeps.'\ndef made(): 'Makes.'\n\
                      def unlisted(): pass\n";
        let stub = "__all__ = ['kept']\ndef kept(speed: int) -> str: ...\n";
        let more = ("demo/_more.py", "def far(): 'Is far.'\n");
        let found = symbols_of_files(&[("demo/__init__.py", source), ("demo/__init__.pyi", stub), more]);
        assert_eq!(paths(&found), ["demo.far", "demo.kept", "demo.made"]);
        let told = |path: &str| {
            let symbol = found.iter().find(|symbol| symbol.path == path).unwrap();
            (symbol.signature.clone(), symbol.doc.clone())
        };
        assert_eq!(told("demo.kept"), ("kept(speed: int) -> str".to_owned(), "Keeps.".to_owned()));
        assert_eq!(told("demo.made"), ("made()".to_owned(), "Makes.".to_owned()));
        assert_eq!(told("demo.far"), ("far()".to_owned(), "Is far.".to_owned()));
        let plain = symbols_of_files(&[
            ("demo/a.py", "def kept(): pass\ndef other(): pass\n"),
            ("demo/a.pyi", "def kept() -> int: ...\n"),
        ]);
        assert_eq!(paths(&plain), ["demo.a.kept"]);
    }

    #[test]
    fn a_stub_that_says_it_is_not_whole_is_filled_up() {
        let found = symbols_of_files(&[
            ("demo/__init__.py", "from .a import *\ndef kept(): 'Keeps.'\ndef other(): pass\n"),
            (
                "demo/__init__.pyi",
                "from typing import Any\ndef kept() -> int: ...\ndef __getattr__(name: str) -> Any: ...\n",
            ),
            ("demo/a.py", "def far(): pass\n"),
        ]);
        assert_eq!(paths(&found), ["demo.a.far", "demo.far", "demo.kept", "demo.other"]);
        assert!(found.iter().any(|symbol| symbol.signature == "kept() -> int" && symbol.doc == "Keeps."));
    }
}
