//! What linking needs to know of one Python file: scopes, the names they bind, and calls.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::attributes::Assigned;
use super::word::PythonName;

/// Position of a scope in [`PythonFacts::scopes`]; the first is the module.
pub type ScopeId = u32;

/// What linking needs to know of one file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct PythonFacts {
    pub scopes: Vec<PythonScope>,
    /// The enclosing block of each block; blocks run wholly or not at all. The block of a module or function encloses
    /// itself.
    pub blocks: Vec<u32>,
    /// The blocks that are bodies of loops, sorted.
    pub loops: Vec<u32>,
    pub imports: Vec<PythonImport>,
    pub calls: Vec<PythonCall>,
    /// The names of `__all__`, sorted, when it can be read without running the file.
    pub all: Option<Vec<String>>,
}

/// Where something stands, for lines and for deciding which of several bindings a use sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockPosition {
    /// Offset in bytes.
    pub at: u32,
    pub block: u32,
    pub line: u32,
    pub column: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScopeKind {
    Module,
    Class,
    Function,
    /// Lambdas and comprehensions.
    Expression,
}

/// A stretch of code with names of its own.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PythonScope {
    pub kind: ScopeKind,
    pub parent: ScopeId,
    /// The element this is the inside of; of an expression scope, nothing.
    pub element: Option<u32>,
    pub name: String,
    pub block: u32,
    pub names: NameBindings,
    /// Names declared `global`.
    pub globals: BTreeSet<PythonName>,
    pub class: Option<Box<PythonClass>>,
    pub function: Option<Box<Function>>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct PythonClass {
    pub bases: Vec<Base>,
    pub metaclass: Option<Value>,
    /// Attributes assigned to the first parameter of methods.
    pub attributes: NameBindings,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Base {
    pub value: Value,
    pub place: BlockPosition,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Function {
    pub returns: Option<Value>,
    /// Values of `return` statements; only looked at without an annotation.
    pub results: Vec<(Value, BlockPosition)>,
    pub receiver: Receiver,
    /// Calls give back something else than `returns`: a coroutine aside, a generator.
    pub generator: bool,
    pub property: bool,
    /// Wrapped by a decorator that may change what a call gives.
    pub wrapped: bool,
    /// Made to look like the function it is given, by `functools.wraps`.
    pub stands_in: bool,
}

/// What the first parameter of a function stands for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Receiver {
    #[default]
    None,
    Instance,
    Class,
}

/// What names are bound to. Most scopes bind a handful of names once, and there are very many scopes: no room is kept for
/// more.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct NameBindings(Vec<(PythonName, Vec<Binding>)>);

impl NameBindings {
    /// The bindings of a name, in the order of the text; only of names that are settled.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Vec<Binding>> {
        let at = self.0.binary_search_by(|(known, _)| (**known).cmp(name)).ok()?;
        self.0.get(at).map(|(_, bindings)| bindings)
    }

    /// Adds a binding of a name.
    pub fn bind(&mut self, name: &str, binding: Binding) {
        self.0.push((name.into(), vec![binding]));
    }

    /// Sorts the names, each with all its bindings; a generated module may have hundreds of thousands.
    fn sort_bindings(&mut self) {
        self.0.sort_by(|(one, _), (other, _)| one.cmp(other));
        self.0.dedup_by(|(next, bindings), (kept, all)| {
            let same = next == kept;
            if same {
                all.append(bindings);
            }
            same
        });
        self.0.shrink_to_fit();
        for (_, bindings) in &mut self.0 {
            bindings.sort_by_key(|binding| binding.place.at);
            bindings.shrink_to_fit();
        }
    }
}

impl PythonFacts {
    /// Makes names ready to be looked up, and gives back room that reading has taken and not needed; the facts of all
    /// files are held until they are linked.
    pub(super) fn prepare_for_linking(&mut self, assigned: Vec<Assigned>) {
        self.blocks.shrink_to_fit();
        self.imports.shrink_to_fit();
        self.calls.shrink_to_fit();
        self.scopes.shrink_to_fit();
        self.scopes.iter_mut().for_each(|scope| scope.names.sort_bindings());
        self.assign(assigned);
        for scope in &mut self.scopes {
            if let Some(class) = &mut scope.class {
                class.attributes.sort_bindings();
            }
            if let Some(function) = &mut scope.function {
                function.results.shrink_to_fit();
            }
        }
    }
}

/// One way in which a name comes to mean something.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Binding {
    pub place: BlockPosition,
    pub to: Bound,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Bound {
    /// A class or function of this file, by its scope.
    Def(ScopeId),
    /// Position in [`PythonFacts::imports`] and of the name in it.
    Import(u32, u32),
    /// The value of an expression, seen from this scope.
    Value(ScopeId, Value),
    /// Something of this declared type, seen from this scope.
    Typed(ScopeId, Value),
    /// What entering this context manager gives.
    Entered(ScopeId, Value),
    /// The first parameter of a method of this class.
    Receiver(ScopeId, Receiver),
    /// A constant or property element that nothing else is known of.
    Unknown,
}

/// One import statement.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PythonImport {
    pub level: u32,
    /// Without leading dots.
    pub module: String,
    pub form: PythonImportForm,
    pub names: Vec<Imported>,
    pub scope: ScopeId,
    pub place: BlockPosition,
    /// Under `if TYPE_CHECKING`.
    pub type_only: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PythonImportForm {
    /// `import a.b` binds `a`; `import a.b as c` binds the module itself.
    Plain,
    From,
    Star,
    /// By a call with the module's name as text.
    Call,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Imported {
    pub name: String,
    pub bound: String,
    pub renamed: bool,
    pub place: BlockPosition,
}

/// One call, or one decorator without arguments.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PythonCall {
    pub scope: ScopeId,
    /// The element the call is written in; none for code of the module.
    pub element: Option<u32>,
    pub callee: Value,
    pub place: BlockPosition,
}

/// An expression, as far as it can say what it means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Value {
    Name(PythonName, u32, u32),
    Attribute(Box<Value>, PythonName),
    /// A call with its first argument.
    Call(Box<Value>, Option<Box<Value>>),
    Subscript(Box<Value>, Vec<Value>),
    /// An instance of a built-in type.
    Builtin(String),
    /// One of several: `a or b`, `a if c else b`, `A | B`, a tuple of exceptions.
    Either(Vec<Value>),
    None,
    Unknown,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_settled_name_has_its_bindings_in_the_order_of_the_text() {
        let mut names = NameBindings::default();
        let place = |at| BlockPosition { at, block: 0, line: 1, column: 1 };
        for (name, at) in [("b", 1), ("a", 2), ("b", 5), ("c", 4), ("b", 3)] {
            names.bind(name, Binding { place: place(at), to: Bound::Unknown });
        }
        names.sort_bindings();
        let places = |name| names.get(name).map(|all| all.iter().map(|one| one.place.at).collect::<Vec<_>>());
        assert_eq!((places("a"), places("b"), places("c")), (Some(vec![2]), Some(vec![1, 3, 5]), Some(vec![4])));
        assert_eq!(places("d"), None);
    }
}
