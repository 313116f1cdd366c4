//! Modules that are there in compiled form alone: that they exist is known, what they have is not.

use std::collections::BTreeSet;

use super::module::DocumentedModule;
use super::package::dotted_module;
use crate::tree::Tree;
use tapps_project::packages::compiled_module;

/// The compiled modules that the list of a distribution's files names, by their dotted names.
pub(super) fn compiled_modules(tree: &dyn Tree) -> Vec<(String, DocumentedModule)> {
    let record = tree.files().iter().find(|path| path.ends_with(".dist-info/RECORD")).and_then(|path| tree.text(path));
    let record = record.unwrap_or_default();
    let paths: BTreeSet<&str> = record.lines().filter_map(|line| line.split(',').next()).collect();
    let found = paths.into_iter().filter(|path| !path.contains(".data/")).filter_map(|path| {
        let file = path.rsplit('/').next().unwrap_or(path);
        let own = compiled_module(file)?;
        let name = dotted_module(path.get(..path.len() - file.len() + own.len())?)?;
        let module = DocumentedModule {
            file: path.to_owned(),
            package: own == "__init__",
            compiled: true,
            ..DocumentedModule::default()
        };
        Some((name, module))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{paths, symbols_of_files};

    #[test]
    fn what_is_compiled_alone_is_open_and_what_is_taken_from_it_is_there() {
        let symbols = symbols_of_files(&[
            (
                "demo/__init__.py",
                "from ._core import run\nfrom .fast import Fast\nfrom ._all import *\nclass Mine(Fast): ...\n__all__ = ['Fast', 'Mine', 'both', 'plain', 'run']\n",
            ),
            ("demo/_all.py", "from .fast import *\ndef plain(): ...\n"),
            ("demo/told.pyi", "def f() -> int: ...\n"),
            ("demo/both.py", "def g(): ...\n"),
            (
                "demo-1.0.dist-info/RECORD",
                "demo/__init__.py,,\ndemo/_core.abi3.so,sha256=x,9\ndemo/fast.cpython-312-x86_64-linux-gnu.so,,\n\
                 demo/told.pyd,,\ndemo/both.cpython-312-darwin.so,,\ndemo.libs/libz-1.so.1,,\n",
            ),
        ]);
        assert_eq!(paths(&symbols), ["demo.Fast", "demo.Mine", "demo.both.g", "demo.plain", "demo.run", "demo.told.f"]);
        let symbol = |path: &str| symbols.iter().find(|symbol| symbol.path == path).unwrap();
        assert_eq!(symbol("demo.run").signature, "from demo._core import run");
        let compiled = "it is compiled, and nothing beside it tells what it has";
        assert_eq!(symbol("demo.fast").open.as_deref(), Some(compiled));
        // A module is what its name says, not a name of the compiled one that may have any.
        assert_eq!((symbol("demo.both").signature.as_str(), &symbol("demo.both").open), ("module demo.both", &None));
        assert_eq!(symbol("demo").open.as_deref(), Some("it takes all names of `demo.fast`, which is not read"));
        assert_eq!(symbol("demo.Mine").open.as_deref(), Some("its base `Fast` is compiled"));
    }
}
