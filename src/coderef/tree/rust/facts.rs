//! What a file of Rust says of items, types and values, before any other file is looked at.

use serde::{Deserialize, Serialize};

pub(super) use crate::tree::arena::{TermId, ValueId};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::tree) struct RustFacts {
    /// The file itself, then the modules that are written inside of it.
    pub(super) modules: Vec<RustModule>,
    pub(super) uses: Vec<RustUse>,
    pub(super) declared: Vec<RustDeclared>,
    pub(super) impls: Vec<RustImpl>,
    pub(super) values: Vec<RustValue>,
    pub(super) terms: Vec<RustTerm>,
}

/// A module that is written in the file, or one that `mod name;` says is another file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct RustModule {
    pub(super) name: String,
    pub(super) parent: Option<u32>,
    pub(super) is_elsewhere: bool,
    /// The file that `#[path]` names.
    pub(super) path: Option<String>,
}

/// A name that `use` brings into a module.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RustUse {
    pub(super) module: u32,
    pub(super) path: Vec<String>,
    /// None for all names.
    pub(super) name: Option<String>,
    pub(super) is_public: bool,
}

/// An item of a module.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RustDeclared {
    pub(super) module: u32,
    pub(super) name: String,
    pub(super) element: Option<u32>,
    pub(super) is_public: bool,
    pub(super) what: RustDeclaration,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum RustDeclaration {
    Function {
        result: TermId,
        is_async: bool,
    },
    /// Fields, variants and methods of traits are sorted by name.
    Struct {
        fields: Vec<RustField>,
        is_tuple: bool,
    },
    Enum(Vec<RustVariant>),
    Trait {
        methods: Vec<RustMethod>,
        above: Vec<TermId>,
    },
    Alias(TermId),
    Value(TermId),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RustField {
    /// A number in a tuple.
    pub(super) name: String,
    pub(super) term: TermId,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RustVariant {
    pub(super) name: String,
    pub(super) fields: Vec<RustField>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RustMethod {
    pub(super) name: String,
    /// It can be called on a value.
    pub(super) has_self: bool,
    pub(super) element: Option<u32>,
    pub(super) result: TermId,
    pub(super) is_async: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RustImpl {
    pub(super) of: TermId,
    /// 0 for the methods of the type itself.
    pub(super) of_trait: TermId,
    pub(super) methods: Vec<RustMethod>,
    /// What `Deref` leads to.
    pub(super) target: TermId,
}

/// A type as it is written; a reference is what it refers to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum RustTerm {
    #[default]
    Unknown,
    Path {
        module: u32,
        parts: Vec<String>,
        arguments: Vec<TermId>,
    },
    Tuple(Vec<TermId>),
    List(TermId),
    /// A type parameter with its bounds.
    Parameter(Vec<TermId>),
    /// `impl` and `dyn`.
    Object(Vec<TermId>),
    /// One of the arguments that an alias is given.
    Argument(u32),
    /// With what a call gives.
    Function(TermId),
}

/// The one of a name among things that are sorted by it.
pub(super) fn by_name<'t, T>(sorted: &'t [T], name: &str, name_of: impl Fn(&T) -> &str) -> Option<(usize, &'t T)> {
    let at = sorted.binary_search_by(|one| name_of(one).cmp(name)).ok()?;
    Some((at, sorted.get(at)?))
}

/// What an expression gives, as far as its form tells.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(in crate::tree) enum RustValue {
    #[default]
    Unknown,
    /// A path that nothing in the function binds.
    Path {
        module: u32,
        parts: Vec<String>,
    },
    /// A function that is written inside of a function.
    Inner {
        element: Option<u32>,
        result: TermId,
        is_async: bool,
    },
    /// `T::name` of a type.
    Associated(TermId, String),
    Typed(TermId),
    Field(ValueId, String),
    Method(ValueId, String),
    /// With the first argument.
    Called(ValueId, ValueId),
    /// `a[i]`
    Element(ValueId),
    /// What a loop gets of it.
    Each(ValueId),
    /// One of a tuple.
    Part(ValueId, u32),
    /// `a?`
    Tried(ValueId),
    /// `a.await`
    Awaited(ValueId),
    /// `*a`
    Behind(ValueId),
    /// A field of what a pattern takes apart: the pattern's path, and the field.
    Taken {
        of: ValueId,
        module: u32,
        parts: Vec<String>,
        field: String,
    },
    Tuple(Vec<ValueId>),
    /// What a variable was given.
    Held(ValueId),
}
