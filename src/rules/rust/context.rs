//! What rules ask of a Rust file besides its tree: imports, calls, attributes, and what only tests compile.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use tapps_syntax::nodes::Node;

use super::attributes::{ItemHead, is_test_attribute, read_item_heads};
use super::language::Rust;
use super::paths::{imported_names, resolve_path, written_path};
use crate::tree::context::TreeContext;
use crate::tree::nodes::{SyntaxTree, field};
use crate::words::split_identifier_words;

/// A Rust file as its rules see it.
pub(crate) type RustContext<'c> = TreeContext<'c, Rust>;

/// What cargo makes of a file, told by its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CrateRole {
    Library,
    /// `main.rs` and what lies in `src/bin`.
    Program,
    /// Compiled for tests alone, or written to help them.
    Test,
    /// Benchmarks, examples, build scripts, fuzz targets and tasks of the workspace: run by those who work on the crate.
    Aside,
}

#[derive(Debug)]
pub(crate) struct RustFacts<'c> {
    imports: BTreeMap<&'c str, String>,
    /// Full paths of the functions that are called, by the call.
    called: HashMap<usize, String>,
    /// Attributes and documentation by the item they stand before.
    heads: HashMap<usize, ItemHead<'c>>,
    /// What only tests compile.
    tests: Vec<Range<usize>>,
    pub(crate) role: CrateRole,
}

impl<'c> RustFacts<'c> {
    pub(super) fn from_tree(path: &str, tree: &'c SyntaxTree<'c>) -> Self {
        let imports = imported_names(tree);
        let calls = tree.all_nodes().filter(|node| node.kind() == "call_expression");
        let called = calls.filter_map(|call| {
            let written = written_path(tree, field(call, "function")?)?;
            Some((call.id(), resolve_path(&imports, &written)))
        });
        let called = called.collect();
        let heads = read_item_heads(tree);
        let is_for_tests =
            |head: &&ItemHead<'c>| head.attributes.iter().any(|one| is_test_attribute(tree.text_of(*one)));
        let mut tests: Vec<Range<usize>> =
            heads.values().filter(is_for_tests).map(|head| head.item.byte_range()).collect();
        tests.sort_by_key(|range| (range.start, range.end));
        let inner = tree.all_nodes().filter(|node| node.kind() == "inner_attribute_item");
        let is_whole = inner.map(|node| tree.text_of(node)).any(is_test_attribute);
        let role = if is_whole { CrateRole::Test } else { role_of_path(path) };
        Self { imports, called, heads, tests, role }
    }
}

impl<'c> TreeContext<'c, Rust> {
    /// True for what only tests compile, and for files that are there for tests.
    pub(crate) fn is_test_code(&self, node: Node<'_>) -> bool {
        let (start, end) = (node.start_byte(), node.end_byte());
        self.facts.role == CrateRole::Test
            || self.facts.tests.iter().any(|range| range.start <= start && end <= range.end)
    }

    /// True for what no user of the crate ever runs: tests, benchmarks, examples, build scripts.
    pub(crate) fn is_aside(&self, node: Node<'_>) -> bool {
        self.facts.role == CrateRole::Aside || self.is_test_code(node)
    }

    /// The full path of the function that a call calls; none for methods and closures.
    pub(crate) fn called_path(&self, call: Node<'_>) -> Option<&str> {
        self.facts.called.get(&call.id()).map(String::as_str)
    }

    /// The attributes before an item, as they are written.
    pub(crate) fn attributes_of(&self, item: Node<'_>) -> impl Iterator<Item = &'c str> {
        let head = self.facts.heads.get(&item.id());
        head.into_iter().flat_map(|head| head.attributes.iter()).map(|one| self.text(*one))
    }

    /// The documentation before an item; empty where there is none.
    pub(crate) fn documentation_of(&self, item: Node<'_>) -> &'c str {
        let range = self.facts.heads.get(&item.id()).and_then(|head| head.documentation.clone());
        range.map_or("", |range| self.tree().source_text().get(range).unwrap_or_default())
    }

    /// True for a name that an import begins with: `tokio`, `std::fs`.
    pub(crate) fn imports_below(&self, path: &str) -> bool {
        self.facts
            .imports
            .values()
            .any(|full| full.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with("::")))
    }

    /// True for an item that others may use, as far as the file tells: marked `pub` without a restriction.
    pub(crate) fn is_public(&self, item: Node<'_>) -> bool {
        crate::tree::nodes::children_of_kind(item, "visibility_modifier").any(|one| self.text(one) == "pub")
    }

    /// True for a method that a trait asks for.
    pub(crate) fn is_of_trait(&self, function: Node<'_>) -> bool {
        let mut around = self.tree().ancestors_of(function);
        let holder = around.find(|at| matches!(at.kind(), "impl_item" | "function_item" | "mod_item"));
        holder.is_some_and(|holder| field(holder, "trait").is_some())
    }
}

/// What a file is to its crate, by cargo's layout and by the names that people give to helpers of tests.
fn role_of_path(path: &str) -> CrateRole {
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or(path);
    let stem = name.strip_suffix(".rs").unwrap_or(name);
    let speaks_of_tests = |part: &str| {
        let words = split_identifier_words(part);
        words.iter().any(|word| matches!(word.as_str(), "test" | "tests" | "testing" | "testutil" | "testutils"))
    };
    if parts.iter().any(|part| matches!(*part, "benches" | "examples" | "xtask" | "fuzz" | "fuzz_targets"))
        || name == "build.rs"
    {
        CrateRole::Aside
    } else if speaks_of_tests(stem) || parts.iter().any(|part| speaks_of_tests(part)) {
        CrateRole::Test
    } else if name == "main.rs" || parts.contains(&"bin") {
        CrateRole::Program
    } else {
        CrateRole::Library
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_follow_the_layout_of_cargo() {
        for (path, role) in [
            ("src/lib.rs", CrateRole::Library),
            ("src/main.rs", CrateRole::Program),
            ("src/bin/tool.rs", CrateRole::Program),
            ("tests/it/main.rs", CrateRole::Test),
            ("src/parse/tests.rs", CrateRole::Test),
            ("src/test_support.rs", CrateRole::Test),
            ("src/latest.rs", CrateRole::Library),
            ("crates/a/benches/b.rs", CrateRole::Aside),
            ("examples/hello.rs", CrateRole::Aside),
            ("build.rs", CrateRole::Aside),
        ] {
            assert_eq!(role_of_path(path), role, "{path}");
        }
    }
}
