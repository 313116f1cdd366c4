//! Attributes that methods assign to what their first parameter stands for: they are the class's.

use super::facts::{Binding, Bound, PythonFacts, ScopeId, ScopeKind};
use super::word::PythonName;

/// An assignment to an attribute of a name. Whose attribute it is can be told when all names of the file are settled.
pub(super) struct Assigned {
    pub(super) scope: ScopeId,
    pub(super) on: PythonName,
    pub(super) attribute: PythonName,
    pub(super) binding: Binding,
}

impl PythonFacts {
    /// Gives the attributes to the classes whose they are; names are settled.
    pub(super) fn assign(&mut self, all: Vec<Assigned>) {
        for Assigned { scope, on, attribute, binding } in all {
            let class = self.class_of_receiver(scope, &on);
            if let Some(class) = class.and_then(|at| self.scopes.get_mut(at as usize)?.class.as_mut()) {
                class.attributes.bind(&attribute, binding);
            }
        }
    }

    /// The class whose instance (or self) a name stands for in a method or a function inside one.
    fn class_of_receiver(&self, scope: ScopeId, name: &str) -> Option<ScopeId> {
        let mut scope = self.scopes.get(scope as usize)?;
        loop {
            // A parameter is bound before whatever else the function does.
            if let Some(first) = scope.names.get(name).and_then(|bindings| bindings.first()) {
                return match first.to {
                    Bound::Receiver(class, _) => Some(class),
                    _ => None,
                };
            }
            if scope.kind == ScopeKind::Module {
                return None;
            }
            scope = self.scopes.get(scope.parent as usize)?;
        }
    }
}
