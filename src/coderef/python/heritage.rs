//! Members of classes and instances, by the order in which Python looks through base classes.

use std::rc::Rc;

use super::builtins;
use super::facts::{Binding, Bound, PythonClass};
use super::names::lasting_bindings;
use super::types::{Def, Ty, Types, normalize_types};

/// Bases that have no members of interest.
const BARE: [&str; 5] = ["ABC", "Generic", "NamedTuple", "Protocol", "TypedDict"];

impl<'a> Types<'a> {
    /// What asking a thing for an attribute gives.
    pub(super) fn attribute_types(&self, on: &Ty, name: &str) -> Vec<Ty> {
        let dotted = |owner: &str| if owner.is_empty() { name.to_owned() } else { format!("{owner}.{name}") };
        match on {
            Ty::Module(_) | Ty::Namespace(_) => self.member(on, name),
            Ty::Outside(module, member) | Ty::OutsideInstance(module, member) => {
                vec![Ty::Outside(module.clone(), dotted(member))]
            }
            Ty::Instance(class) if name == "__class__" => vec![Ty::Class(*class)],
            Ty::Instance(class) => {
                self.with_depth_limit(|| normalize_types(self.class_attribute(*class, 0, name, true, *class)))
            }
            Ty::Class(class) => {
                self.with_depth_limit(|| normalize_types(self.class_attribute(*class, 0, name, false, *class)))
            }
            Ty::Super(class) => {
                self.with_depth_limit(|| normalize_types(self.class_attribute(*class, 1, name, true, *class)))
            }
            Ty::Builtin(class) if builtins::has_member(class, name) => vec![Ty::Builtin(dotted(class))],
            Ty::BuiltinInstance(class) if builtins::has_member(class, name) => vec![Ty::Builtin(dotted(class))],
            _ => vec![Ty::Unknown],
        }
    }

    fn class_attribute(&self, class: Def, skip: usize, name: &str, instance: bool, receiver: Def) -> Vec<Ty> {
        // Bases outside the project that come first may have the member too.
        let mut before = Vec::new();
        for base in self.method_resolution_order(class).iter().skip(skip) {
            match base {
                Ty::Class(def) => {
                    if let Some(found) = self.own_attribute(*def, name, instance, receiver) {
                        return before.into_iter().chain(found).collect();
                    }
                }
                Ty::Builtin(class) if builtins::has_member(class, name) && class != "object" => {
                    before.push(Ty::Builtin(format!("{class}.{name}")));
                    return before;
                }
                Ty::Builtin(_) => {}
                Ty::Outside(module, member) => before.push(Ty::Outside(module.clone(), format!("{member}.{name}"))),
                _ => before.push(Ty::Unknown),
            }
        }
        if before.is_empty() && builtins::has_member("object", name) {
            before.push(Ty::Builtin(format!("object.{name}")));
        }
        // One base outside that is the only one to ask.
        if before.is_empty() { vec![Ty::Unknown] } else { before }
    }

    /// What a class itself says of an attribute, apart from its bases.
    fn own_attribute(&self, def: Def, name: &str, instance: bool, receiver: Def) -> Option<Vec<Ty>> {
        let scope = self.scope(def)?;
        let class: &'a PythonClass = scope.class.as_deref()?;
        let (shared, own) = (scope.names.get(name), class.attributes.get(name));
        if shared.is_none() && own.is_none() {
            return None;
        }
        let bindings = || {
            let mut all = shared.map_or_else(Vec::new, |bindings| lasting_bindings(scope.block, bindings));
            let is_def = shared.is_some() && all.iter().all(|binding| matches!(binding.to, Bound::Def(_)));
            all.extend(own.into_iter().flatten().filter(|_| !is_def));
            let declared = |binding: &&Binding| matches!(binding.to, Bound::Typed(..));
            if all.iter().any(declared) {
                all.retain(declared);
            }
            all
        };
        let found = self.types_of_name(def, name, true, bindings);
        Some(found.iter().flat_map(|ty| self.asked_of(ty, instance, receiver)).collect())
    }

    /// A function of a class becomes a method of what it was asked of, a property its value.
    fn asked_of(&self, ty: &Ty, instance: bool, receiver: Def) -> Vec<Ty> {
        let Ty::Function(def, _) = ty else { return vec![ty.clone()] };
        let method = Ty::Function(*def, Some(receiver));
        let function = self.scope(*def).and_then(|scope| scope.function.as_deref());
        if instance && function.is_some_and(|function| function.property) {
            self.call_result_types(&method)
        } else {
            vec![method]
        }
    }

    /// The order in which a class and its bases are asked: C3 over the classes of the project, with what is outside
    /// it in its place.
    pub(super) fn method_resolution_order(&self, class: Def) -> Rc<[Ty]> {
        if let Some(known) = self.orders.borrow().get(&class) {
            return Rc::clone(known);
        }
        // A class among its own bases ends the search.
        self.orders.borrow_mut().insert(class, Rc::from([Ty::Class(class), Ty::Unknown]));
        let bases = self.bases(class);
        let mut lines: Vec<Vec<Ty>> = bases
            .iter()
            .map(|base| match base {
                Ty::Class(def) => self.method_resolution_order(*def).to_vec(),
                other => vec![other.clone()],
            })
            .collect();
        lines.push(bases);
        let mut order = vec![Ty::Class(class)];
        order.extend(merge_resolution_orders(lines));
        let order: Rc<[Ty]> = order.into();
        self.orders.borrow_mut().insert(class, Rc::clone(&order));
        order
    }

    fn bases(&self, def: Def) -> Vec<Ty> {
        let Some((scope, class)) = self.scope(def).and_then(|scope| Some((scope, scope.class.as_deref()?))) else {
            return vec![Ty::Unknown];
        };
        let mut bases = Vec::new();
        for base in &class.bases {
            let base = match self.eval((def.0, scope.parent), &base.value).as_slice() {
                [Ty::Outside(_, name)] if BARE.contains(&name.as_str()) => continue,
                [Ty::Builtin(name)] if name == "object" => continue,
                [one @ (Ty::Class(_) | Ty::Builtin(_) | Ty::Outside(..))] => one.clone(),
                _ => Ty::Unknown,
            };
            if !bases.contains(&base) {
                bases.push(base);
            }
        }
        bases
    }

    /// The function that runs when a class is called, when the project defines it.
    pub(super) fn constructor(&self, class: Def) -> Option<Def> {
        for base in self.method_resolution_order(class).iter() {
            let Ty::Class(def) = base else { return None };
            for name in ["__init__", "__new__"] {
                let bound = self.scope(*def).and_then(|scope| scope.names.get(name)).and_then(|bound| bound.last());
                if let Some(Binding { to: Bound::Def(scope), .. }) = bound {
                    return (name == "__init__").then_some((def.0, *scope));
                }
            }
        }
        None
    }
}

/// Joins orders so that each keeps its own; what cannot be joined so is put in as it comes.
fn merge_resolution_orders(mut lines: Vec<Vec<Ty>>) -> Vec<Ty> {
    let mut merged = Vec::new();
    loop {
        lines.retain(|line| !line.is_empty());
        let heads = lines.iter().filter_map(|line| line.first());
        let in_tail = |head: &Ty| lines.iter().any(|line| line.iter().skip(1).any(|each| each == head));
        let Some(next) = heads.clone().find(|head| !in_tail(head)).or_else(|| heads.clone().next()).cloned() else {
            return merged;
        };
        lines.iter_mut().for_each(|line| line.retain(|each| *each != next));
        merged.push(next);
    }
}
