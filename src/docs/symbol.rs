//! The symbol index of one library at one version.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tapps_project::packages::Ecosystem;

/// The format of [`LibraryIndex`]; a stored index of another format is made anew.
pub const FORMAT: u32 = 3;

/// What a symbol is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SymbolKind {
    Module,
    Class,
    Interface,
    Enum,
    Function,
    Method,
    Property,
    /// A variable of a class: a field of a dataclass or model above all.
    Attribute,
    /// A variable of a module.
    Variable,
    TypeAlias,
    Namespace,
    /// Something of another library that this one offers as its own.
    Reexport,
}

impl SymbolKind {
    /// Whether things stand below it that are listed with it.
    #[must_use]
    pub const fn holds_members(self) -> bool {
        matches!(self, Self::Module | Self::Class | Self::Interface | Self::Enum | Self::Namespace)
    }
}

/// One public name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Symbol {
    /// Where users reach it, for example `fastapi.responses.StreamingResponse`.
    pub path: String,
    pub kind: SymbolKind,
    /// How it is called or declared, on one line.
    pub signature: String,
    /// Further signatures of an overloaded function.
    pub overloads: Vec<String>,
    /// The first sentence of its documentation; empty when there is none.
    pub doc: String,
    /// The version that brought it, as its documentation says.
    pub since: Option<String>,
    /// Why or since when it should not be used any more.
    pub deprecated: Option<String>,
    /// An example from its documentation.
    pub example: Option<String>,
    /// More of its documentation, for search only.
    pub details: String,
    /// Other public paths of the same thing, sorted.
    pub aliases: Vec<String>,
    /// Why it may have members that are not listed; empty for what is known as a whole.
    #[serde(default)]
    pub open: Option<String>,
    /// The file that defines it, relative to the package's root folder, and the line, from 1.
    pub file: String,
    pub line: u32,
}

impl Symbol {
    /// The last part of the path.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path.rsplit(['.', '#']).next().unwrap_or(&self.path)
    }

    /// Every path it can be reached under.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.path.as_str()).chain(self.aliases.iter().map(String::as_str))
    }
}

/// A section of a text that comes with the library: its README or a page of its documentation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Guide {
    /// The file it stands in, relative to the package's root folder.
    pub file: String,
    /// Headings from the outermost to its own.
    pub heading: String,
    pub text: String,
}

/// What is known of one library at one version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LibraryIndex {
    pub format: u32,
    #[serde(with = "crate::ecosystem_word")]
    pub ecosystem: Ecosystem,
    pub library: String,
    pub version: String,
    /// SHA-256 of what it was read from: the wheel or tarball, or the record of an installed package.
    pub source_sha256: String,
    /// Sorted by path.
    pub symbols: Vec<Symbol>,
    pub guides: Vec<Guide>,
}

impl LibraryIndex {
    /// The names that a module offers: of every symbol with a path directly below it, sorted.
    #[must_use]
    pub fn names_of(&self, module: &str) -> BTreeSet<&str> {
        let below = |path| -> Option<&str> {
            let path: &str = path;
            let name = path.strip_prefix(module)?.strip_prefix('.')?;
            (!name.contains('.')).then_some(name)
        };
        let symbols = self.symbols.iter().filter(|symbol| symbol.kind != SymbolKind::Module);
        symbols.flat_map(Symbol::paths).filter_map(below).collect()
    }

    /// The symbol with exactly this path, or with this alias.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&Symbol> {
        match self.symbols.binary_search_by(|symbol| symbol.path.as_str().cmp(path)) {
            Ok(at) => self.symbols.get(at),
            Err(_) => self.symbols.iter().find(|symbol| symbol.aliases.iter().any(|alias| alias == path)),
        }
    }
}
