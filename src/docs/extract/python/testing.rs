//! What the tests of this folder share.

use std::collections::BTreeMap;

use super::python_symbols;
use crate::symbol::{Symbol, SymbolKind};
use crate::tree::Packed;

/// The symbols of a distribution with these files.
pub(super) fn symbols_of_files(files: &[(&str, &str)]) -> Vec<Symbol> {
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
    python_symbols(&Packed::from_files(files.collect::<BTreeMap<_, _>>())).unwrap()
}

/// Paths of everything but modules, with the aliases.
pub(super) fn paths(symbols: &[Symbol]) -> Vec<&str> {
    let things = symbols.iter().filter(|symbol| symbol.kind != SymbolKind::Module);
    let mut paths: Vec<&str> = things.flat_map(Symbol::paths).collect();
    paths.sort_unstable();
    paths
}
