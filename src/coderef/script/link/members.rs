//! Members: where a name behind a dot is declared, and what its type is.

use std::rc::Rc;

use super::infer::Infer;
use super::ty::{Env, THIS, Ty};
use super::world::{Gid, Named};
use crate::script::facts::{Member, MemberValue, Primitive};

/// Heritage further up than this goes round in a circle.
const MAX_HERITAGE: u32 = 24;

/// One place that declares a member.
#[derive(Debug, Clone)]
pub(super) enum Slot<'p> {
    /// In a shape; the environment holds what the shape's type parameters stand for.
    Member(Gid, &'p Member, Env),
    Named(Named),
    /// Of a type of the language, with its arguments.
    Builtin(Rc<str>, Rc<[Ty]>),
    /// Of the constructor or namespace of that name.
    Static(Rc<str>),
    External(Rc<str>),
}

impl<'p> Infer<'_, 'p> {
    /// Where a member of a value is declared; several for a union, none when it cannot be shown.
    pub(super) fn slots(&self, ty: &Ty, name: &str) -> Vec<Slot<'p>> {
        self.slots_up(ty, name, MAX_HERITAGE)
    }

    fn slots_up(&self, ty: &Ty, name: &str, left: u32) -> Vec<Slot<'p>> {
        let Some(left) = left.checked_sub(1) else { return Vec::new() };
        match ty {
            Ty::Instance(shape, env) => self.instance_slots(*shape, env, name, ty, left),
            Ty::Class(shape, env) => self.static_slots(*shape, env, name, left),
            Ty::Function(..) | Ty::Constructor(..) => vec![Slot::Builtin("Function".into(), Rc::new([]))],
            Ty::Module(file) => self.module_slots(*file, name, left),
            Ty::Space(shape) => self.own_members(*shape, name, &Env::default()),
            Ty::Builtin(of, arguments) => vec![Slot::Builtin(of.clone(), arguments.clone())],
            Ty::Static(of) => vec![Slot::Static(of.clone())],
            Ty::External(module) => vec![Slot::External(module.clone())],
            Ty::Primitive(primitive) => primitive_slots(*primitive),
            Ty::Union(parts) => {
                // A part without the member makes the whole uncertain, unless nothing is known of the part.
                parts.iter().flat_map(|part| self.slots_up(part, name, left)).collect()
            }
            Ty::Both(parts) => self.first_of(parts, name, left),
            Ty::Parameter(_) => {
                let bound = self.resolve_constraint(ty);
                if matches!(bound, Ty::Parameter(_)) { Vec::new() } else { self.slots_up(&bound, name, left) }
            }
            Ty::Unknown => Vec::new(),
        }
    }

    /// The first part that declares the member; what merely might have it comes last.
    fn first_of(&self, parts: &[Ty], name: &str, left: u32) -> Vec<Slot<'p>> {
        let mut vague = Vec::new();
        for part in parts {
            let found = self.slots_up(part, name, left);
            if found.iter().any(|slot| matches!(slot, Slot::Member(..) | Slot::Named(_))) {
                return found;
            }
            if vague.is_empty() {
                vague = found;
            }
        }
        vague
    }

    fn instance_slots(&self, shape: Gid, env: &Env, name: &str, receiver: &Ty, left: u32) -> Vec<Slot<'p>> {
        let env = if env.get(THIS).is_some() { env.clone() } else { env.with([(THIS, receiver.clone())]) };
        let found = self.own_members(shape, name, &env);
        if !found.is_empty() {
            return found;
        }
        let Some(known) = self.world.shape(shape) else { return Vec::new() };
        for &spread in known.spreads.iter().rev() {
            let found = self.slots_up(&self.expr_type(shape.file, spread), name, left);
            if !found.is_empty() {
                return found;
            }
        }
        let keep = |ty: Ty| match ty {
            // `this` stays the receiver all the way up.
            Ty::Instance(up, own) => Ty::Instance(up, own.with([(THIS, receiver.clone())])),
            other => other,
        };
        if known.superclass.is_some() {
            let parent = self.parent_instance(shape, &env);
            let found = self.slots_up(&keep(parent), name, left);
            if !found.is_empty() {
                return found;
            }
        }
        let parents: Vec<Ty> =
            known.extends.iter().map(|(ty, _)| keep(self.resolve_type(shape.file, *ty, &env))).collect();
        self.first_of(&parents, name, left)
    }

    fn static_slots(&self, shape: Gid, env: &Env, name: &str, left: u32) -> Vec<Slot<'p>> {
        let Some(known) = self.world.shape(shape) else { return Vec::new() };
        let own = known.statics.named(name).take(1).map(|member| Slot::Member(shape, member, env.clone()));
        let own: Vec<Slot<'p>> = own.collect();
        if !own.is_empty() || known.superclass.is_none() {
            let inherits = matches!(name, "call" | "apply" | "bind" | "name" | "length" | "prototype");
            return if own.is_empty() && inherits { vec![Slot::Builtin("Function".into(), Rc::new([]))] } else { own };
        }
        self.slots_up(&self.parent_class(shape, env), name, left)
    }

    fn own_members(&self, shape: Gid, name: &str, env: &Env) -> Vec<Slot<'p>> {
        let Some(known) = self.world.shape(shape) else { return Vec::new() };
        let mut named = known.members.named(name);
        // The getter says more than the setter that may stand before it.
        let first = named.clone().find(|member| !matches!(member.value, MemberValue::Setter)).or_else(|| named.next());
        first.map(|member| Slot::Member(shape, member, env.clone())).into_iter().collect()
    }

    fn module_slots(&self, file: u32, name: &str, left: u32) -> Vec<Slot<'p>> {
        match self.world.exported(file, name) {
            Named::Nothing => match self.world.exported(file, "=") {
                Named::Nothing => Vec::new(),
                whole => self.slots_up(&self.named_value(&whole), name, left),
            },
            found => vec![Slot::Named(found)],
        }
    }

    /// The symbol that a namespace exports under a name.
    pub(super) fn space_symbol(&self, space: Gid, name: &str) -> Option<Gid> {
        self.own_members(space, name, &Env::default()).into_iter().find_map(|slot| match slot {
            Slot::Member(_, Member { value: MemberValue::Symbol(id), .. }, _) => {
                Some(Gid { file: space.file, id: *id })
            }
            _ => None,
        })
    }

    /// The type of a member of a value.
    pub(super) fn member_type(&self, ty: &Ty, name: &str) -> Ty {
        self.with_depth_limit(|| {
            if let Ty::Both(parts) = ty {
                let types: Vec<Ty> = parts
                    .iter()
                    .filter(|part| matches!(part, Ty::Instance(..)))
                    .map(|part| self.member_type(part, name))
                    .filter(|found| !found.is_unknown())
                    .collect();
                if types.len() > 1 {
                    let first = types.first().cloned().unwrap_or(Ty::Unknown);
                    return if types.iter().all(|ty| *ty == first) { first } else { Ty::intersection_of(types) };
                }
            }
            let slots = self.slots(ty, name);
            if slots.is_empty() { Ty::Unknown } else { Ty::union(slots.iter().map(|slot| self.slot_type(slot, name))) }
        })
    }

    pub(super) fn slot_type(&self, slot: &Slot<'p>, name: &str) -> Ty {
        match slot {
            Slot::Member(shape, member, env) => self.member_value(*shape, member, env),
            Slot::Named(named) => self.named_value(named),
            Slot::Builtin(of, arguments) => self.builtin_member(of, arguments, name),
            Slot::Static(of) => static_member(of, name),
            Slot::External(module) => Ty::External(module.clone()),
        }
    }

    fn member_value(&self, shape: Gid, member: &Member, env: &Env) -> Ty {
        let here = |id: u32| Gid { file: shape.file, id };
        match &member.value {
            MemberValue::Method(_) => {
                let Some(known) = self.world.shape(shape) else { return Ty::Unknown };
                let overloads = known.members.named(&member.name).chain(known.statics.named(&member.name));
                let functions: Vec<Gid> = overloads
                    .filter_map(|other| match other.value {
                        MemberValue::Method(id) => Some(here(id)),
                        _ => None,
                    })
                    .collect();
                Ty::Function(functions.into(), env.clone())
            }
            MemberValue::Getter(id) => self.function_result(here(*id), env),
            MemberValue::Setter => Ty::Unknown,
            MemberValue::Property(0, value) => {
                let asked = self.world.shape(shape).map_or(0, |shape| shape.context);
                let own = self.expr_type(shape.file, *value).in_env(env);
                if own.is_unknown() && asked != 0 {
                    return self.member_type(&self.resolve_type(shape.file, asked, &Env::default()), &member.name);
                }
                own
            }
            MemberValue::Property(ty, _) => self.resolve_type(shape.file, *ty, env),
            MemberValue::Symbol(id) => self.symbol_type(here(*id)),
        }
    }
}

fn primitive_slots<'p>(primitive: Primitive) -> Vec<Slot<'p>> {
    let of = match primitive {
        Primitive::String => "String",
        Primitive::Number => "Number",
        Primitive::Boolean => "Boolean",
        Primitive::BigInt => "BigInt",
        Primitive::Symbol => "Symbol",
        Primitive::RegExp => "RegExp",
        Primitive::Nothing | Primitive::Any => return Vec::new(),
    };
    vec![Slot::Builtin(of.into(), Rc::new([]))]
}

fn static_member(of: &str, name: &str) -> Ty {
    match (of, name) {
        ("globalThis" | "window" | "self" | "global", _) => Ty::Static(name.into()),
        ("Number" | "Math", _) if name.starts_with(char::is_uppercase) => Ty::Primitive(Primitive::Number),
        _ => Ty::Unknown,
    }
}
