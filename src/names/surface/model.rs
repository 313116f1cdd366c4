//! The surface of a module, free of its syntax tree.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::signature::Signature;

/// Why there may be names that the text does not show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Openness {
    /// It cannot be parsed, or is too large.
    Unread,
    /// Compiled code, which has no text.
    Compiled,
    /// `__getattr__` or `__getattribute__` answers for what is not there.
    Getattr,
    /// `__getattr__` answers with names that the library itself writes down.
    GetattrOfOwn,
    /// `globals()`, `vars()`, `exec`, `sys.modules` or `setattr` with a name that is made while it runs.
    Dynamic,
    /// A decorator or metaclass that may add members.
    Decorated,
    /// Another version is installed than the project has locked.
    OtherVersion,
}

/// One module.
#[derive(Debug, Clone, Default)]
pub(crate) struct ModuleSurface {
    /// All that a name is bound to in any branch.
    pub(crate) names: BTreeMap<String, Vec<BoundName>>,
    /// Modules whose names are taken over with `*`, by absolute name.
    pub(crate) stars: BTreeSet<String>,
    pub(crate) open: Option<Openness>,
}

/// What a name is bound to.
#[derive(Debug, Clone)]
pub(crate) enum BoundName {
    Function(FunctionSurface),
    Class(Arc<ClassSurface>),
    /// A name of a module, by absolute name; the module itself without one.
    Import {
        module: String,
        name: Option<String>,
    },
    /// Another name of the same module, dotted.
    Alias(String),
    /// Something that nothing is known of.
    Value,
}

/// How a function is reached through a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FunctionKind {
    /// Of a module, or a method that takes its instance first.
    Plain,
    Static,
    /// Takes the class first.
    Class,
    /// A property: what it gives is not known.
    Property,
}

#[derive(Debug, Clone)]
pub(crate) struct FunctionSurface {
    pub(crate) kind: FunctionKind,
    /// None where a decorator may take other arguments.
    pub(crate) signature: Option<Signature>,
    /// Entering what it gives enters the first argument: `return self`, or `-> Self`.
    pub(crate) gives_self: bool,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct ClassSurface {
    /// As they are written; none for one that is no dotted name.
    pub(crate) bases: Vec<Option<String>>,
    /// All that methods and the body of the class bind.
    pub(crate) members: BTreeMap<String, Vec<BoundName>>,
    pub(crate) open: Option<Openness>,
    /// A decorator or metaclass may make it with other arguments than its constructor takes.
    pub(crate) made_otherwise: bool,
}

impl ModuleSurface {
    /// Nothing can be told of it.
    pub(crate) fn opaque(why: Openness) -> Self {
        Self { open: Some(why), ..Self::default() }
    }

    pub(super) fn bind(&mut self, name: &str, bound: BoundName) {
        self.names.entry(name.to_owned()).or_default().push(bound);
    }

    /// This and what another file says of the same module, such as a stub: a name of either is there.
    pub(crate) fn joined(mut self, other: Self) -> Self {
        for (name, bound) in other.names {
            self.names.entry(name).or_default().extend(bound);
        }
        self.stars.extend(other.stars);
        self.open = self.open.or(other.open);
        self
    }
}

impl ClassSurface {
    pub(super) fn bind(&mut self, name: &str, bound: BoundName) {
        self.members.entry(name.to_owned()).or_default().push(bound);
    }
}
