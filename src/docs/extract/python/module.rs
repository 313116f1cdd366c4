//! What one Python module says, free of its syntax tree.

use std::collections::BTreeMap;

use crate::symbol::SymbolKind;
use crate::text::Doc;

/// One module.
#[derive(Debug, Clone, Default)]
pub(super) struct DocumentedModule {
    pub(super) file: String,
    /// It is the `__init__` of a package.
    pub(super) package: bool,
    pub(super) stub: bool,
    /// It is compiled, and neither text nor stub is there to read.
    pub(super) compiled: bool,
    pub(super) doc: Doc,
    pub(super) names: BTreeMap<String, Bound>,
    /// How `__all__` comes about; `None` without one, or when its making cannot be followed.
    pub(super) all: Option<Vec<All>>,
    /// Modules whose names are taken over with `*`, by absolute name.
    pub(super) stars: Vec<String>,
    /// The same for type checkers only: what `__all__` names may come from there.
    pub(super) typing_stars: Vec<String>,
    /// It has a `__getattr__`: in a stub that says that there is more than the stub tells.
    pub(super) open: bool,
    /// It makes names that its text does not show.
    pub(super) makes_names: bool,
    /// It gives attributes by computed names to objects, which may be its classes.
    pub(super) sets_attributes: bool,
    /// Modules, by absolute name, that its `__getattr__` takes what it lacks from.
    pub(super) forwards: Vec<String>,
}

/// A step in the making of `__all__`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum All {
    Names(Vec<String>),
    /// The `__all__` of another module, by absolute name.
    Of(String),
    Without(String),
}

/// What a name stands for.
#[derive(Debug, Clone)]
pub(super) enum Bound {
    Here(PythonItem),
    Import(BoundImport),
}

/// A name that comes from elsewhere.
#[derive(Debug, Clone)]
pub(super) struct BoundImport {
    /// Absolute.
    pub(super) module: String,
    /// `None` for the module itself.
    pub(super) name: Option<String>,
    /// `import a as a`: meant for users of the module.
    pub(super) explicit: bool,
    /// Only type checkers see it.
    pub(super) typing: bool,
}

/// A definition.
#[derive(Debug, Clone)]
pub(super) struct PythonItem {
    pub(super) kind: SymbolKind,
    pub(super) signature: String,
    pub(super) overloads: Vec<String>,
    pub(super) doc: Doc,
    pub(super) line: u32,
    /// Members of a class, by name.
    pub(super) members: BTreeMap<String, PythonItem>,
    /// Base classes as they are written.
    pub(super) bases: Vec<String>,
    /// Why the class may have members that its text does not say.
    pub(super) open: Option<String>,
    /// The class says itself how it is made.
    pub(super) constructor: bool,
    /// Only type checkers see it.
    pub(super) typing: bool,
}

impl PythonItem {
    pub(super) fn new(kind: SymbolKind, signature: String, line: u32) -> Self {
        Self {
            kind,
            signature,
            overloads: Vec::new(),
            doc: Doc::default(),
            line,
            members: BTreeMap::new(),
            bases: Vec::new(),
            open: None,
            constructor: false,
            typing: false,
        }
    }

    /// Which of two bindings of a name tells more: a definition before an import before a value.
    fn rank(&self) -> u8 {
        match (self.typing, self.kind) {
            (true, _) => 0,
            (false, SymbolKind::Variable) => 1,
            (false, _) => 3,
        }
    }
}

impl Bound {
    fn rank(&self) -> u8 {
        match self {
            Self::Here(item) => item.rank(),
            Self::Import(import) if import.typing => 0,
            Self::Import(_) => 2,
        }
    }

    /// The same, to be found only where `__all__` names it.
    pub(super) fn for_lists(mut self) -> Self {
        match &mut self {
            Self::Here(item) => item.typing = true,
            Self::Import(import) => import.typing = true,
        }
        self
    }

    /// Only type checkers see it.
    pub(super) fn is_typing_only(&self) -> bool {
        match self {
            Self::Here(item) => item.typing,
            Self::Import(import) => import.typing,
        }
    }
}

impl DocumentedModule {
    /// Binds a name; of two bindings the one that tells more stays.
    pub(super) fn bind(&mut self, name: &str, bound: Bound) {
        match self.names.get_mut(name) {
            None => {
                self.names.insert(name.to_owned(), bound);
            }
            Some(known) if bound.rank() > known.rank() => *known = bound,
            // A module that has a value ready where the import fails means the name to be there.
            Some(Bound::Import(import)) if matches!(bound, Bound::Here(_)) => import.explicit = true,
            Some(_) => {}
        }
    }
}
