//! What the tests of this folder share.

use std::collections::BTreeMap;

use super::symbols;
use crate::symbol::{Kind, Symbol};
use crate::tree::Packed;

/// The symbols of a distribution with these files.
pub(super) fn of(files: &[(&str, &str)]) -> Vec<Symbol> {
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
    symbols(&Packed::of(files.collect::<BTreeMap<_, _>>())).unwrap()
}

/// Paths of everything but modules, with the aliases.
pub(super) fn paths(symbols: &[Symbol]) -> Vec<&str> {
    let things = symbols.iter().filter(|symbol| symbol.kind != Kind::Module);
    let mut paths: Vec<&str> = things.flat_map(Symbol::paths).collect();
    paths.sort_unstable();
    paths
}
