//! What a file uses of libraries: paths of names that begin at an import, with the calls at their ends.

mod guard;
mod read;
mod scope;

use ruff_text_size::TextRange;

use super::surface::CallArguments;

pub(crate) use read::read_uses;

/// Where a path begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A module, by absolute name.
    Module(String),
    /// A name that is taken from a module.
    Name { module: String, name: String },
    /// What calling what a path leads to gives: an instance of a class, or what a function says.
    InstanceOf(Box<Path>),
    /// What waiting for such a call gives.
    Awaited(Box<Path>),
    /// What entering the context manager at the end of a path gives; true for `async with`.
    Entered(Box<Path>, bool),
}

/// A path of names from its beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Path {
    pub(crate) origin: Origin,
    pub(crate) names: Vec<String>,
}

/// What is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum What {
    /// `import a.b`.
    Import(String),
    /// `from a import b`.
    ImportName { module: String, name: String },
    /// A path, each name with its place, and what it is called with when it is called.
    Path { path: Path, ranges: Vec<TextRange>, call: Option<(CallArguments, Vec<TextRange>)> },
}

/// One use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Use {
    pub(crate) what: What,
    pub(crate) range: TextRange,
    pub(crate) place: UsePlace,
}

/// What kind of place a use stands at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct UsePlace {
    /// The file reckons with the absence of what it names.
    pub(crate) guarded: bool,
    /// Only type checkers read it.
    pub(crate) type_only: bool,
}

/// All that a file uses.
#[derive(Debug, Clone, Default)]
pub(crate) struct LibraryUses {
    pub(crate) uses: Vec<Use>,
    /// Texts in the file, and attributes that it assigns: what they name may be made by it.
    pub(crate) made: std::collections::BTreeSet<String>,
}
