//! What a file of Java says of types and values, before any other file is looked at.

use serde::{Deserialize, Serialize};

pub(super) use crate::tree::arena::{TermId, ValueId};

/// Position in [`JavaFacts::types`].
pub(super) type TypeAt = u32;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::tree) struct JavaFacts {
    pub(super) package: String,
    pub(super) imports: Vec<JavaImport>,
    pub(super) types: Vec<JavaType>,
    pub(super) values: Vec<JavaValue>,
    pub(super) terms: Vec<JavaTerm>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct JavaImport {
    pub(super) parts: Vec<String>,
    pub(super) is_static: bool,
    /// `.*`
    pub(super) is_whole: bool,
}

/// A class, an interface, an enum, a record, or a class without a name.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct JavaType {
    pub(super) name: String,
    pub(super) element: Option<u32>,
    pub(super) outer: Option<TypeAt>,
    /// It is written inside of a method, where only that method sees it.
    pub(super) is_local: bool,
    pub(super) above: Vec<TermId>,
    /// Sorted by name.
    pub(super) fields: Vec<(String, TermId)>,
    pub(super) methods: Vec<JavaMethod>,
    pub(super) constructors: Vec<JavaMethod>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct JavaMethod {
    pub(super) name: String,
    pub(super) element: Option<u32>,
    pub(super) result: TermId,
    /// The types of the parameters as they are written, without arguments.
    pub(super) parameters: Vec<String>,
    /// The last parameter takes any number of arguments.
    pub(super) is_open: bool,
}

/// A type as it is written; arguments are left away.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum JavaTerm {
    #[default]
    Unknown,
    Named {
        within: Option<TypeAt>,
        parts: Vec<String>,
    },
    Array(TermId),
    /// A class that the file itself is meant by its position.
    Here(TypeAt),
}

/// What an expression gives, as far as its form tells.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(in crate::tree) enum JavaValue {
    #[default]
    Unknown,
    /// A name that nothing in the method binds: a field, a type or a package.
    Name {
        within: Option<TypeAt>,
        name: String,
    },
    Typed(TermId),
    Field(ValueId, String),
    /// A method of something.
    Method {
        of: ValueId,
        name: String,
        arguments: u32,
    },
    /// A method without a receiver.
    Bare {
        within: Option<TypeAt>,
        name: String,
        arguments: u32,
    },
    /// `super.name()`
    Above {
        within: TypeAt,
        name: String,
        arguments: u32,
    },
    New {
        of: TermId,
        arguments: u32,
    },
    Called(ValueId),
    Element(ValueId),
}
