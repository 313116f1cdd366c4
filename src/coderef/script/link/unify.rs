//! Binding type parameters by matching written types with what is given for them.

use super::infer::Infer;
use super::ty::{Env, Ty};
use super::world::{Gid, Named};
use crate::script::facts::{Declaration, MemberValue, Type, TypeId};

impl Infer<'_, '_> {
    /// Binds those of `unbound` that stand in a written type where `given` stands.
    pub(super) fn unify(
        &self,
        file: u32,
        id: TypeId,
        given: &Ty,
        unbound: &[Gid],
        bound: &mut Vec<(Gid, Ty)>,
        left: u32,
    ) {
        let Some(left) = left.checked_sub(1).filter(|_| !given.is_unknown()) else { return };
        match self.world.ty(file, id) {
            Type::Symbol(symbol, arguments) => {
                let at = Gid { file, id: *symbol };
                if unbound.contains(&at) {
                    match bound.iter_mut().find(|(known, _)| *known == at) {
                        Some((_, ty)) if ty.is_unknown() => *ty = given.clone(),
                        Some(_) => {}
                        None => bound.push((at, given.clone())),
                    }
                    return;
                }
                self.unify_named(file, at, arguments, given, unbound, bound, left);
            }
            Type::Array(item) => {
                let inner = self.element_of(given);
                self.unify(file, *item, &inner, unbound, bound, left);
            }
            Type::Tuple(items) => {
                for (index, item) in (0..).zip(items) {
                    let inner = self.item_type(given, Some(index));
                    self.unify(file, *item, &inner, unbound, bound, left);
                }
            }
            Type::Global(name, arguments) => {
                let first = arguments.first().copied().unwrap_or(0);
                match (&**name, given) {
                    ("Array" | "ReadonlyArray" | "Iterable" | "ArrayLike", _) => {
                        let inner = self.element_of(given);
                        self.unify(file, first, &inner, unbound, bound, left);
                    }
                    ("Promise" | "PromiseLike", _) => {
                        let inner = self.awaited(given);
                        self.unify(file, first, &inner, unbound, bound, left);
                    }
                    (name, Ty::Builtin(of, own)) if name == &**of => {
                        for (argument, own) in arguments.iter().zip(own.iter()) {
                            self.unify(file, *argument, own, unbound, bound, left);
                        }
                    }
                    ("Partial" | "Readonly" | "Required" | "NoInfer", _) => {
                        self.unify(file, first, given, unbound, bound, left);
                    }
                    _ => {}
                }
            }
            Type::Union(parts) => {
                // What is matched by structure is told apart from the parameter that takes anything.
                let bare = |id: &TypeId| {
                    matches!(self.world.ty(file, *id), Type::Symbol(symbol, _)
                    if unbound.contains(&Gid { file, id: *symbol }))
                };
                let before = bound.len();
                for part in parts.iter().filter(|part| !bare(part)) {
                    self.unify(file, *part, given, unbound, bound, left);
                }
                if bound.len() == before {
                    for part in parts.iter().filter(|part| bare(part)) {
                        self.unify(file, *part, given, unbound, bound, left);
                    }
                }
            }
            Type::Intersection(parts) => {
                for part in parts {
                    self.unify(file, *part, given, unbound, bound, left);
                }
            }
            Type::Function(function) => {
                let result = self.world.function(Gid { file, id: *function }).map_or(0, |function| function.result);
                if result != 0 {
                    let inner = self.plain_result(given);
                    self.unify(file, result, &inner, unbound, bound, left);
                }
            }
            Type::Constructor(function) => {
                let result = self.world.function(Gid { file, id: *function }).map_or(0, |function| function.result);
                let made = self.instance_of(given);
                self.unify(file, result, &made, unbound, bound, left);
            }
            Type::Literal(shape) => self.unify_members(Gid { file, id: *shape }, given, unbound, bound, left),
            _ => {}
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the written type, what is given for it, and what is bound so far")]
    fn unify_named(
        &self,
        file: u32,
        at: Gid,
        arguments: &[TypeId],
        given: &Ty,
        unbound: &[Gid],
        bound: &mut Vec<(Gid, Ty)>,
        left: u32,
    ) {
        let Some(at) = self.declared_type(at).filter(|_| !arguments.is_empty()) else { return };
        let Some(symbol) = self.world.symbol(at) else { return };
        let mut pass = |parameters: &[u32], found: &dyn Fn(Gid) -> Option<Ty>| {
            for (parameter, argument) in parameters.iter().zip(arguments) {
                if let Some(inner) = found(Gid { file: at.file, id: *parameter }) {
                    self.unify(file, *argument, &inner, unbound, bound, left);
                }
            }
        };
        for declaration in &symbol.declarations {
            match declaration {
                Declaration::Class(shape) | Declaration::Interface(shape) => {
                    let shape = Gid { file: at.file, id: *shape };
                    let Some(known) = self.world.shape(shape) else { continue };
                    if let Some(env) = self.as_shape(given, shape, 12) {
                        pass(&known.parameters, &|key| env.get(key).cloned());
                        return;
                    }
                    let keys: Vec<Gid> = known.parameters.iter().map(|&id| Gid { file: at.file, id }).collect();
                    let mut inner = Vec::new();
                    self.unify_members(shape, given, &keys, &mut inner, left);
                    let env = Env::from_pairs(inner);
                    pass(&known.parameters, &|key| env.get(key).cloned());
                }
                Declaration::Alias { ty, parameters } => {
                    let keys: Vec<Gid> = parameters.iter().map(|&id| Gid { file: at.file, id }).collect();
                    let mut inner = Vec::new();
                    self.unify(at.file, *ty, given, &keys, &mut inner, left);
                    let env = Env::from_pairs(inner);
                    pass(parameters, &|key| env.get(key).cloned());
                }
                _ => {}
            }
        }
    }

    fn unify_members(&self, shape: Gid, given: &Ty, unbound: &[Gid], bound: &mut Vec<(Gid, Ty)>, left: u32) {
        let Some(known) = self.world.shape(shape) else { return };
        let left = left.min(3);
        for member in known.members.iter().take(24) {
            match &member.value {
                MemberValue::Property(ty, _) if *ty != 0 => {
                    let inner = self.member_type(given, &member.name);
                    self.unify(shape.file, *ty, &inner, unbound, bound, left);
                }
                MemberValue::Method(function) => {
                    let function = Gid { file: shape.file, id: *function };
                    let result = self.world.function(function).map_or(0, |function| function.result);
                    if result != 0 {
                        let inner = self.plain_result(&self.member_type(given, &member.name));
                        self.unify(shape.file, result, &inner, unbound, bound, left);
                    }
                }
                _ => {}
            }
        }
        for &function in known.calls.iter().take(1) {
            let result = self.world.function(Gid { file: shape.file, id: function }).map_or(0, |it| it.result);
            let inner = self.plain_result(given);
            self.unify(shape.file, result, &inner, unbound, bound, left);
        }
    }

    /// A symbol, or what it imports.
    fn declared_type(&self, at: Gid) -> Option<Gid> {
        match self.world.follow_import(at, &mut Vec::new()) {
            Named::Symbol(at) => Some(at),
            _ => None,
        }
    }

    /// The environment in which a value is an instance of a shape: the shape itself or one above it.
    fn as_shape(&self, given: &Ty, wanted: Gid, left: u32) -> Option<Env> {
        let left = left.checked_sub(1)?;
        match given {
            Ty::Instance(shape, env) if *shape == wanted => Some(env.clone()),
            Ty::Instance(shape, env) => {
                let known = self.world.shape(*shape)?;
                let parent = known.superclass.as_ref().map(|_| self.parent_instance(*shape, env));
                let parents = parent.into_iter().chain(
                    known
                        .extends
                        .iter()
                        .chain(&known.implements)
                        .map(|(ty, _)| self.resolve_type(shape.file, *ty, env)),
                );
                parents.into_iter().find_map(|parent| self.as_shape(&parent, wanted, left))
            }
            Ty::Both(parts) | Ty::Union(parts) => parts.iter().find_map(|part| self.as_shape(part, wanted, left)),
            Ty::Parameter(_) => match self.resolve_constraint(given) {
                Ty::Parameter(_) => None,
                bound => self.as_shape(&bound, wanted, left),
            },
            _ => None,
        }
    }
}
