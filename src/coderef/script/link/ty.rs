//! What is known of a value.

use std::rc::Rc;

use super::world::Gid;
use crate::script::facts::Primitive;

/// The type of a value, as far as it has been shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ty {
    Unknown,
    Primitive(Primitive),
    /// An instance of a class, something with an interface, an object.
    Instance(Gid, Env),
    /// A class as a value.
    Class(Gid, Env),
    /// A function; several for overloads.
    Function(Rc<[Gid]>, Env),
    /// What `new` makes something of.
    Constructor(Gid, Env),
    Module(u32),
    /// A namespace or an enum.
    Space(Gid),
    /// Of the language or its run time: `Array`, `Map`, `Promise`.
    Builtin(Rc<str>, Rc<[Ty]>),
    /// The constructor or namespace of that name: `Map`, `Math`.
    Static(Rc<str>),
    External(Rc<str>),
    Union(Rc<[Ty]>),
    Both(Rc<[Ty]>),
    Parameter(Gid),
}

/// What type parameters stand for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Env(Option<Rc<Vec<(Gid, Ty)>>>);

/// The key of the receiver, for `this` as a type.
pub(super) const THIS: Gid = Gid { file: u32::MAX, id: u32::MAX };

impl Env {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub(super) fn get(&self, key: Gid) -> Option<&Ty> {
        self.0.as_ref()?.iter().rev().find(|(known, _)| *known == key).map(|(_, ty)| ty)
    }

    pub(super) fn pairs(&self) -> &[(Gid, Ty)] {
        self.0.as_ref().map_or(&[], |pairs| pairs.as_slice())
    }

    pub(super) fn from_pairs(pairs: Vec<(Gid, Ty)>) -> Self {
        if pairs.is_empty() { Self(None) } else { Self(Some(Rc::new(pairs))) }
    }

    /// This one with more pairs, which count before the old ones.
    pub(super) fn with(&self, more: impl IntoIterator<Item = (Gid, Ty)>) -> Self {
        let mut pairs: Vec<(Gid, Ty)> = self.pairs().to_vec();
        for (key, ty) in more {
            pairs.retain(|(known, _)| *known != key);
            pairs.push((key, ty));
        }
        Self::from_pairs(pairs)
    }
}

impl Ty {
    pub(super) fn builtin(name: &str, arguments: Vec<Self>) -> Self {
        Self::Builtin(name.into(), arguments.into())
    }

    pub(super) fn array(item: Self) -> Self {
        Self::builtin("Array", vec![item])
    }

    pub(super) const fn nothing() -> Self {
        Self::Primitive(Primitive::Nothing)
    }

    pub(super) fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown | Self::Primitive(Primitive::Any))
    }

    /// One of several; `null` and `undefined` have no members and are left out.
    pub(super) fn union(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut found: Vec<Self> = Vec::new();
        let mut add = |part: Self| {
            if part != Self::nothing() && !found.contains(&part) {
                found.push(part);
            }
        };
        for part in parts {
            match part {
                Self::Union(inner) => inner.iter().cloned().for_each(&mut add),
                part => add(part),
            }
        }
        match found.len() {
            0 => Self::nothing(),
            1 => found.remove(0),
            _ => Self::Union(found.into()),
        }
    }

    pub(super) fn intersection_of(parts: Vec<Self>) -> Self {
        let mut parts = parts;
        parts.retain(|part| !part.is_unknown());
        match parts.len() {
            0 => Self::Unknown,
            1 => parts.remove(0),
            _ => Self::Both(parts.into()),
        }
    }

    /// The parts of a union, or the type itself.
    pub(super) fn parts(&self) -> &[Self] {
        match self {
            Self::Union(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }

    /// The type with type parameters replaced.
    pub(super) fn in_env(&self, env: &Env) -> Self {
        if env.is_empty() { self.clone() } else { self.substitute_limited(env, 8) }
    }

    fn substitute_limited(&self, env: &Env, left: u32) -> Self {
        let Some(left) = left.checked_sub(1) else { return self.clone() };
        let inside = |own: &Env| {
            Env::from_pairs(own.pairs().iter().map(|(key, ty)| (*key, ty.substitute_limited(env, left))).collect())
        };
        match self {
            Self::Parameter(key) => env.get(*key).cloned().unwrap_or_else(|| self.clone()),
            Self::Instance(shape, own) if own.is_empty() => Self::Instance(*shape, env.clone()),
            Self::Instance(shape, own) => Self::Instance(*shape, inside(own)),
            Self::Function(functions, own) if own.is_empty() => Self::Function(functions.clone(), env.clone()),
            Self::Function(functions, own) => Self::Function(functions.clone(), inside(own)),
            Self::Builtin(name, arguments) => {
                Self::Builtin(name.clone(), arguments.iter().map(|ty| ty.substitute_limited(env, left)).collect())
            }
            Self::Union(parts) => Self::union(parts.iter().map(|ty| ty.substitute_limited(env, left))),
            Self::Both(parts) => {
                Self::intersection_of(parts.iter().map(|ty| ty.substitute_limited(env, left)).collect())
            }
            other => other.clone(),
        }
    }
}
