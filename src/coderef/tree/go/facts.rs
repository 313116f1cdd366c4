//! What a file of Go says of types and values, before any other file is looked at.

use serde::{Deserialize, Serialize};

pub(super) use crate::tree::arena::{TermId, ValueId};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::tree) struct GoFacts {
    /// The name in the package clause.
    pub(super) package: String,
    /// No build takes the file in.
    pub(super) is_ignored: bool,
    pub(super) imports: Vec<GoImport>,
    pub(super) declared: Vec<GoDeclared>,
    pub(super) values: Vec<GoValue>,
    pub(super) terms: Vec<GoTerm>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct GoImport {
    /// As written: a name, `.` or `_`.
    pub(super) name: Option<String>,
    pub(super) path: String,
}

/// A declaration at the top of a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct GoDeclared {
    pub(super) name: String,
    /// The element that it is, by its number in the file.
    pub(super) element: Option<u32>,
    pub(super) what: GoDeclaration,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum GoDeclaration {
    Function { result: TermId },
    Method { receiver: String, result: TermId },
    Type { term: TermId, is_alias: bool },
    Variable { term: TermId, value: ValueId },
}

/// A type as it is written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum GoTerm {
    #[default]
    Unknown,
    /// `T`, `pkg.T`; arguments of a generic one are left away.
    Named {
        package: Option<String>,
        name: String,
    },
    Pointer(TermId),
    /// What an index or a range gives.
    List(TermId),
    /// What is received.
    Channel(TermId),
    Map(TermId, TermId),
    /// With what a call of it gives.
    Function(TermId),
    Tuple(Vec<TermId>),
    /// Fields by name; those that are only a type stand in both lists.
    Struct {
        fields: Vec<GoField>,
        embedded: Vec<TermId>,
    },
    /// Methods by name.
    Interface {
        methods: Vec<GoMethod>,
        embedded: Vec<TermId>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(in crate::tree) struct GoField {
    pub(super) name: String,
    pub(super) term: TermId,
}

/// A method of an interface.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(in crate::tree) struct GoMethod {
    pub(super) name: String,
    pub(super) element: Option<u32>,
    pub(super) result: TermId,
}

/// What an expression gives, as far as its form tells.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(in crate::tree) enum GoValue {
    #[default]
    Unknown,
    /// A name that nothing in the function binds.
    Name(String),
    /// Something of a type.
    Typed(TermId),
    /// A type that stands where a value could.
    Type(TermId),
    /// `a.b`
    Member(ValueId, String),
    /// With the first argument, of whose type the result of `append` is.
    Called(ValueId, ValueId),
    /// `new(T)` and `make(T)`, unless the name means something else.
    New(ValueId, TermId),
    Make(ValueId, TermId),
    /// `a[i]`, the second of a range, what is received.
    Element(ValueId),
    /// The first of a range.
    Key(ValueId),
    /// What a variable was given: a function in it is called by no name of its own.
    Held(ValueId),
    /// One of what a call gives.
    Part(ValueId, u32),
    /// `&a`
    Pointer(ValueId),
    /// `*a`
    Behind(ValueId),
}
