//! The surface of a module, free of its syntax tree.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::fields::ClassFields;
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
    /// What `*` takes over from it, where that is written out.
    pub(crate) exported: Option<BTreeSet<String>>,
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
    /// A property: naming it calls it.
    Property,
    /// Sets or deletes a property, and says nothing of what it gives.
    Setter,
}

#[derive(Debug, Clone)]
pub(crate) struct FunctionSurface {
    pub(crate) kind: FunctionKind,
    /// None where a decorator may take other arguments.
    pub(crate) signature: Option<Signature>,
    pub(crate) gives: Gives,
    /// Only waiting for what it returns gives that.
    pub(crate) awaited: bool,
    /// It says more of a function that follows than that one says itself.
    pub(crate) overload: bool,
}

/// What a function gives, by what it says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Gives {
    /// An instance of the class that it is called through: `return self`, or `-> Self`.
    Receiver,
    /// An instance of one of these classes, by names as they are written in its module, or of one derived from them.
    OneOf(Vec<String>),
    #[default]
    Unknown,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct ClassSurface {
    /// As they are written; none for one that is no dotted name.
    pub(crate) bases: Vec<Option<String>>,
    /// All that methods and the body of the class bind.
    pub(crate) members: BTreeMap<String, Vec<BoundName>>,
    pub(crate) open: Option<Openness>,
    pub(crate) constructor: Constructor,
    /// What its body annotates.
    pub(crate) fields: ClassFields,
}

/// What decides which arguments a class is made with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Constructor {
    /// `__init__`, as it is written.
    #[default]
    Written,
    /// The fields, where this decorator is the one of `dataclasses`; by its name as it is written.
    Dataclass { decorator: String, keyword_only: bool },
    /// A decorator or metaclass of which that is not known.
    Unknown,
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
        self.exported = self.exported.zip(other.exported).map(|(one, more)| &one | &more);
        self.open = self.open.or(other.open);
        self
    }
}

impl ClassSurface {
    pub(super) fn bind(&mut self, name: &str, bound: BoundName) {
        self.members.entry(name.to_owned()).or_default().push(bound);
    }
}
