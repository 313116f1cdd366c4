//! What names mean in a file, scope by scope: only a name with one meaning is followed.

use std::collections::{HashMap, HashSet};

use ruff_python_ast::Expr;

use super::{Origin, Path};
use tapps_syntax::python::names::dotted_name;

/// How many assignments are followed from a name to an import.
const HOPS: usize = 12;

/// One way in which a name comes to mean something.
#[derive(Debug, Clone, Copy)]
pub(super) enum Meaning<'a> {
    /// By an import, by its position in [`Scopes::imports`].
    Import(usize),
    /// The value of an expression.
    Value(&'a Expr),
    /// What entering a context manager gives; true for `async with`.
    Entered(&'a Expr, bool),
    /// A parameter of this type.
    Annotated(&'a Expr),
    Other,
}

#[derive(Debug, Default)]
pub(super) struct Scope<'a> {
    parent: Option<usize>,
    is_class: bool,
    names: HashMap<&'a str, Vec<Meaning<'a>>>,
    /// Names that belong to the module or to a function around.
    elsewhere: HashSet<&'a str>,
}

/// The scopes of a file; the first is the module.
#[derive(Debug, Default)]
pub(super) struct Scopes<'a> {
    scopes: Vec<Scope<'a>>,
    imports: Vec<Origin>,
    /// Names whose type is asked for: what they are may be more than what they were bound to.
    pub(super) narrowed: HashSet<&'a str>,
}

impl<'a> Scopes<'a> {
    /// A new scope inside another.
    pub(super) fn open(&mut self, parent: Option<usize>, is_class: bool) -> usize {
        self.scopes.push(Scope { parent, is_class, ..Scope::default() });
        self.scopes.len() - 1
    }

    pub(super) fn bind(&mut self, scope: usize, name: &'a str, meaning: Meaning<'a>) {
        if let Some(scope) = self.scopes.get_mut(scope) {
            scope.names.entry(name).or_default().push(meaning);
        }
    }

    pub(super) fn bind_import(&mut self, scope: usize, name: &'a str, origin: Origin) {
        self.imports.push(origin);
        self.bind(scope, name, Meaning::Import(self.imports.len() - 1));
    }

    /// A name that is declared `global` or `nonlocal`: whatever is bound to it here is bound to it there.
    pub(super) fn declare_elsewhere(&mut self, scope: usize, name: &'a str) {
        let mut at = Some(scope);
        while let Some(scope) = at.and_then(|at| self.scopes.get_mut(at)) {
            scope.names.entry(name).or_default().push(Meaning::Other);
            at = scope.parent;
        }
        if let Some(scope) = self.scopes.get_mut(scope) {
            scope.elsewhere.insert(name);
        }
    }

    /// The path that an expression stands for, where it begins at an import.
    pub(super) fn path_of(&self, scope: usize, expr: &'a Expr) -> Option<Path> {
        self.path_within(scope, expr, HOPS)
    }

    fn path_within(&self, scope: usize, expr: &'a Expr, hops: usize) -> Option<Path> {
        let left = hops.checked_sub(1)?;
        match expr {
            Expr::Name(name) => self.meaning_of(scope, name.id.as_str(), left),
            Expr::Attribute(attribute) => {
                let mut path = self.path_within(scope, &attribute.value, left)?;
                path.names.push(attribute.attr.to_string());
                Some(path)
            }
            Expr::Call(call) => Some(instance_of(self.path_within(scope, &call.func, left)?)),
            Expr::Await(waits) => {
                let called = self.path_within(scope, &waits.value.as_call_expr()?.func, left)?;
                Some(Path { origin: Origin::Awaited(Box::new(called)), names: Vec::new() })
            }
            _ => None,
        }
    }

    fn meaning_of(&self, from: usize, name: &str, hops: usize) -> Option<Path> {
        let mut at = Some(from);
        while let Some((index, scope)) = at.and_then(|at| Some((at, self.scopes.get(at)?))) {
            let visible = index == from || !scope.is_class;
            if let Some(meanings) = scope.names.get(name).filter(|_| visible) {
                if scope.elsewhere.contains(name) {
                    return None;
                }
                return self.one_meaning(index, name, meanings, hops);
            }
            at = scope.parent;
        }
        None
    }

    fn one_meaning(&self, scope: usize, name: &str, meanings: &[Meaning<'a>], hops: usize) -> Option<Path> {
        let (first, rest) = meanings.split_first()?;
        if let Meaning::Import(import) = first {
            let origin = self.imports.get(*import)?;
            let same = |other: &Meaning<'_>| matches!(other, Meaning::Import(other) if self.imports.get(*other) == Some(origin));
            return rest.iter().all(same).then(|| Path { origin: origin.clone(), names: Vec::new() });
        }
        if !rest.is_empty() || self.narrowed.contains(name) {
            return None;
        }
        match first {
            Meaning::Value(value) => self.path_within(scope, value, hops),
            Meaning::Entered(value, asynchronous) => {
                let path = self.path_within(scope, value, hops)?;
                Some(Path { origin: Origin::Entered(Box::new(path), *asynchronous), names: Vec::new() })
            }
            Meaning::Annotated(annotation) => {
                dotted_name(annotation)?;
                // The annotation of a parameter is read around the function.
                let outside = self.scopes.get(scope)?.parent?;
                Some(instance_of(self.path_within(outside, annotation, hops)?))
            }
            Meaning::Import(_) | Meaning::Other => None,
        }
    }
}

fn instance_of(path: Path) -> Path {
    Path { origin: Origin::InstanceOf(Box::new(path)), names: Vec::new() }
}
