//! What an expression means: the values it may have, each with its proof, or that it is unknown.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use super::builtins;
use super::facts::{Binding, Bound, Function, PythonFacts, PythonScope, ScopeId, ScopeKind, Value};
use super::modules::Modules;
use super::word::PythonName;
use crate::family;
use crate::family::Project;
use crate::model::{ElementId, FileId};
use crate::tops::Tops;

/// Steps from one definition to the next that are followed.
const DEEPEST: u32 = 40;
/// Bindings of a name that a use may mean, beyond which it is not looked into; only generated code has more.
pub(super) const MOST_BINDINGS: usize = 256;

/// A scope of the project.
pub(super) type Def = (FileId, ScopeId);

/// One thing that an expression may mean.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Ty {
    Module(FileId),
    Namespace(String),
    /// A member of a module outside the project; the module itself when the member is empty.
    Outside(String, String),
    OutsideInstance(String, String),
    /// A function, and the class it was asked of.
    Function(Def, Option<Def>),
    Class(Def),
    Instance(Def),
    /// What comes after a class in its order of resolution.
    Super(Def),
    /// A built-in function or class, or a method of one: `len`, `dict`, `dict.update`.
    Builtin(String),
    BuiltinInstance(String),
    None,
    Unknown,
}

/// What has been found out.
type InferredTypeCache<K> = RefCell<HashMap<K, Rc<[Ty]>>>;

/// Everything known of the project's names, computed when asked for.
pub(super) struct Types<'a> {
    pub(super) project: &'a Project<'a>,
    pub(super) modules: &'a Modules<'a>,
    pub(super) tops: &'a Tops<'a>,
    /// By the scope, the name, and whether it is asked of an instance.
    names: InferredTypeCache<(Def, PythonName, bool)>,
    /// By the address of the binding, which lives as long as the project.
    bindings: InferredTypeCache<usize>,
    pub(super) orders: InferredTypeCache<Def>,
    pub(super) stars: RefCell<HashMap<FileId, Rc<[FileId]>>>,
    results: InferredTypeCache<(Def, Option<Def>)>,
    depth: Cell<u32>,
}

/// Each meaning once, in order; `None` says nothing beside another meaning.
pub(super) fn normalize_types(mut found: Vec<Ty>) -> Vec<Ty> {
    found.sort();
    found.dedup();
    if found.len() > 1 {
        found.retain(|ty| *ty != Ty::None);
    }
    if found.is_empty() {
        found.push(Ty::Unknown);
    }
    found
}

impl<'a> Types<'a> {
    pub(super) fn new(project: &'a Project<'a>, modules: &'a Modules<'a>, tops: &'a Tops<'a>) -> Self {
        Self {
            project,
            modules,
            tops,
            names: RefCell::default(),
            bindings: RefCell::default(),
            orders: RefCell::default(),
            stars: RefCell::default(),
            results: RefCell::default(),
            depth: Cell::new(0),
        }
    }

    pub(super) fn facts(&self, file: FileId) -> Option<&'a PythonFacts> {
        match self.project.facts.get(file.0 as usize)? {
            family::LanguageFacts::Python(facts) => Some(facts),
            _ => None,
        }
    }

    pub(super) fn scope(&self, (file, scope): Def) -> Option<&'a PythonScope> {
        self.facts(file)?.scopes.get(scope as usize)
    }

    fn function(&self, def: Def) -> Option<&'a Function> {
        self.scope(def)?.function.as_deref()
    }

    /// The element a class or function scope is the inside of.
    pub(super) fn element(&self, def: Def) -> Option<ElementId> {
        self.project.element_id(def.0, self.scope(def)?.element?)
    }

    /// Runs one step deeper, or says nothing when the way is too long.
    pub(super) fn with_depth_limit(&self, work: impl FnOnce() -> Vec<Ty>) -> Vec<Ty> {
        let depth = self.depth.get();
        if depth >= DEEPEST {
            return vec![Ty::Unknown];
        }
        self.depth.set(depth + 1);
        let found = work();
        self.depth.set(depth);
        found
    }

    /// What an expression in a scope may mean.
    pub(super) fn eval(&self, at: Def, value: &Value) -> Vec<Ty> {
        self.with_depth_limit(|| normalize_types(self.eval_raw(at, value)))
    }

    fn eval_raw(&self, at: Def, value: &Value) -> Vec<Ty> {
        match value {
            Value::Name(name, offset, block) => self.lookup(at, name, *offset, *block),
            Value::Attribute(on, name) => {
                self.eval(at, on).iter().flat_map(|ty| self.attribute_types(ty, name)).collect()
            }
            Value::Call(callee, first) => self.eval_call(at, callee, first.as_deref()),
            Value::Subscript(on, _) => match self.eval(at, on).as_slice() {
                // `Class[T]` is the class.
                [Ty::Class(class)] => vec![Ty::Class(*class)],
                [Ty::BuiltinInstance(name)] if name == "str" || name == "bytes" => {
                    vec![Ty::BuiltinInstance(if name == "str" { "str" } else { "bytes_or_int" }.to_owned())]
                }
                _ => vec![Ty::Unknown],
            },
            Value::Builtin(name) => vec![Ty::BuiltinInstance(name.clone())],
            Value::Either(each) => each.iter().flat_map(|value| self.eval(at, value)).collect(),
            Value::None => vec![Ty::None],
            Value::Unknown => vec![Ty::Unknown],
        }
    }

    fn eval_call(&self, at: Def, callee: &Value, first: Option<&Value>) -> Vec<Ty> {
        let callees = self.eval(at, callee);
        let argument = || first.map_or_else(|| vec![Ty::Unknown], |first| self.eval(at, first));
        callees
            .iter()
            .flat_map(|ty| match ty {
                Ty::Builtin(name) if name == "super" => self.enclosing_class(at).map(Ty::Super).into_iter().collect(),
                Ty::Builtin(name) if name == "type" => argument().into_iter().map(class_of).collect(),
                Ty::Outside(module, name) if module.starts_with("typing") && name == "cast" => {
                    first.map_or_else(Vec::new, |first| self.declared(at, first))
                }
                Ty::Outside(module, name) if module == "copy" && (name == "copy" || name == "deepcopy") => argument(),
                ty => self.call_result_types(ty),
            })
            .collect()
    }

    /// The class a method, or a function in one, is written in.
    pub(super) fn enclosing_class(&self, (file, scope): Def) -> Option<Def> {
        let scopes = &self.facts(file)?.scopes;
        let mut at = scope;
        while at != 0 {
            at = scopes.get(at as usize)?.parent;
            if scopes.get(at as usize)?.kind == ScopeKind::Class {
                return Some((file, at));
            }
        }
        None
    }

    /// What calling gives.
    pub(super) fn call_result_types(&self, callee: &Ty) -> Vec<Ty> {
        match callee {
            Ty::Class(class) => vec![Ty::Instance(*class)],
            Ty::Function(def, of) => self.with_depth_limit(|| self.result_of(*def, *of).to_vec()),
            Ty::Instance(_) => {
                let calls = self.attribute_types(callee, "__call__");
                self.with_depth_limit(|| {
                    calls
                        .iter()
                        .filter(|ty| matches!(ty, Ty::Function(..)))
                        .flat_map(|ty| self.call_result_types(ty))
                        .collect()
                })
            }
            Ty::Builtin(name) => vec![match builtins::result_of(name) {
                Some(class) => Ty::BuiltinInstance(class.to_owned()),
                None if builtins::is_class(name) => Ty::BuiltinInstance(name.clone()),
                None => Ty::Unknown,
            }],
            // By the naming convention a class, which gives its instance.
            Ty::Outside(module, name) if is_class_name(name) => vec![Ty::OutsideInstance(module.clone(), name.clone())],
            _ => vec![Ty::Unknown],
        }
    }

    fn result_of(&self, def: Def, of: Option<Def>) -> Rc<[Ty]> {
        if let Some(known) = self.results.borrow().get(&(def, of)) {
            return Rc::clone(known);
        }
        // Asked for again on the way to its own answer, nothing is known yet.
        self.results.borrow_mut().insert((def, of), Rc::from([Ty::Unknown]));
        let found: Rc<[Ty]> = normalize_types(self.compute_result(def, of)).into();
        self.results.borrow_mut().insert((def, of), Rc::clone(&found));
        found
    }

    fn compute_result(&self, def: Def, of: Option<Def>) -> Vec<Ty> {
        let Some(function) = self.function(def) else { return vec![Ty::Unknown] };
        if function.wrapped {
            return vec![Ty::Unknown];
        }
        let receiver = of.or_else(|| self.enclosing_class(def));
        if let Some(returns) = &function.returns {
            let itself = matches!(returns, Value::Name(name, ..) | Value::Attribute(_, name) if *name == *"Self");
            return match receiver.filter(|_| itself) {
                Some(class) => vec![Ty::Instance(class)],
                None => self.declared((def.0, self.scope(def).map_or(0, |scope| scope.parent)), returns),
            };
        }
        if function.generator {
            return vec![Ty::BuiltinInstance("generator".to_owned())];
        }
        if function.results.is_empty() {
            return vec![Ty::None];
        }
        let one = |value: &Value| match (self.receiver_result(def, value), receiver) {
            (Some(make), Some(class)) => vec![make(class)],
            _ => self.eval(def, value),
        };
        let mut results: Vec<Ty> = function.results.iter().flat_map(|(value, _)| one(value)).collect();
        // Which function a wrapper hands the call on to is not said here.
        if results.iter().any(|ty| matches!(ty, Ty::Function(def, _) if self.stands_in(*def))) {
            results.push(Ty::Unknown);
        }
        results
    }

    fn stands_in(&self, def: Def) -> bool {
        self.function(def).is_some_and(|function| function.stands_in)
    }

    /// `self`, `cls(...)`, `self.__class__(...)` and `type(self)(...)` give what the method was asked of.
    fn receiver_result(&self, def: Def, value: &Value) -> Option<fn(Def) -> Ty> {
        let is_receiver = |value: &Value| {
            let Value::Name(name, ..) = value else { return false };
            let bindings = self.scope(def).and_then(|scope| scope.names.get(name));
            bindings.is_some_and(|bound| matches!(bound.as_slice(), [Binding { to: Bound::Receiver(..), .. }]))
        };
        let makes_one = |callee: &Value| match callee {
            Value::Name(..) => is_receiver(callee),
            Value::Attribute(on, name) => *name == *"__class__" && is_receiver(on),
            Value::Call(callee, Some(on)) => {
                matches!(&**callee, Value::Name(name, ..) if *name == *"type") && is_receiver(on)
            }
            _ => false,
        };
        match value {
            Value::Name(..) if is_receiver(value) => Some(match self.function(def)?.receiver {
                super::facts::Receiver::Class => Ty::Class,
                _ => Ty::Instance,
            }),
            Value::Call(callee, _) if makes_one(callee) => Some(Ty::Instance),
            _ => None,
        }
    }

    /// What a name that is seen from everywhere means.
    pub(super) fn types_of_name(
        &self,
        scope: Def,
        name: &str,
        of_instance: bool,
        bindings: impl FnOnce() -> Vec<&'a Binding>,
    ) -> Rc<[Ty]> {
        let key = (scope, PythonName::from(name), of_instance);
        if let Some(known) = self.names.borrow().get(&key) {
            return Rc::clone(known);
        }
        self.names.borrow_mut().insert(key.clone(), Rc::from([Ty::Unknown]));
        let found: Rc<[Ty]> = self.with_depth_limit(|| self.any_of(scope.0, &bindings())).into();
        self.names.borrow_mut().insert(key, Rc::clone(&found));
        found
    }

    /// What any of some bindings means; too many say nothing.
    pub(super) fn any_of(&self, file: FileId, bindings: &[&'a Binding]) -> Vec<Ty> {
        if bindings.len() > MOST_BINDINGS {
            return vec![Ty::Unknown];
        }
        normalize_types(bindings.iter().flat_map(|binding| self.types_of_binding(file, binding).to_vec()).collect())
    }

    fn types_of_binding(&self, file: FileId, binding: &'a Binding) -> Rc<[Ty]> {
        let key = std::ptr::from_ref(binding).addr();
        if let Some(known) = self.bindings.borrow().get(&key) {
            return Rc::clone(known);
        }
        self.bindings.borrow_mut().insert(key, Rc::from([Ty::Unknown]));
        let found: Rc<[Ty]> = self.with_depth_limit(|| normalize_types(self.types_of_bound(file, &binding.to))).into();
        self.bindings.borrow_mut().insert(key, Rc::clone(&found));
        found
    }

    fn types_of_bound(&self, file: FileId, to: &Bound) -> Vec<Ty> {
        match to {
            Bound::Def(scope) => match self.scope((file, *scope)).map(|scope| scope.kind) {
                Some(ScopeKind::Class) => vec![Ty::Class((file, *scope))],
                _ => vec![Ty::Function((file, *scope), None)],
            },
            Bound::Import(import, name) => self.imported_types(file, *import, *name),
            Bound::Value(scope, value) => self.eval((file, *scope), value),
            Bound::Typed(scope, value) => self.declared((file, *scope), value),
            Bound::Entered(scope, value) => {
                self.eval((file, *scope), value).iter().flat_map(|ty| self.context_manager_types(ty)).collect()
            }
            Bound::Receiver(class, super::facts::Receiver::Class) => vec![Ty::Class((file, *class))],
            Bound::Receiver(class, _) => vec![Ty::Instance((file, *class))],
            Bound::Unknown => vec![Ty::Unknown],
        }
    }

    fn context_manager_types(&self, manager: &Ty) -> Vec<Ty> {
        match manager {
            Ty::Instance(_) => {
                let enter = self.attribute_types(manager, "__enter__");
                let enter = if enter.iter().any(|ty| matches!(ty, Ty::Function(..))) {
                    enter
                } else {
                    self.attribute_types(manager, "__aenter__")
                };
                enter.iter().flat_map(|ty| self.call_result_types(ty)).collect()
            }
            Ty::BuiltinInstance(name) if name == "file" => vec![manager.clone()],
            _ => vec![Ty::Unknown],
        }
    }

    /// What a value of a declared type is.
    pub(super) fn declared(&self, at: Def, value: &Value) -> Vec<Ty> {
        self.with_depth_limit(|| normalize_types(self.declared_raw(at, value)))
    }

    fn declared_raw(&self, at: Def, value: &Value) -> Vec<Ty> {
        match value {
            Value::Either(each) => each.iter().flat_map(|value| self.declared(at, value)).collect(),
            Value::Subscript(on, slots) => {
                let first = || slots.first().map_or_else(|| vec![Ty::Unknown], |slot| self.declared(at, slot));
                match value_last_name(on) {
                    "Optional" | "ClassVar" | "Final" | "Annotated" | "Required" | "NotRequired" | "InitVar" => first(),
                    "Union" => slots.iter().flat_map(|slot| self.declared(at, slot)).collect(),
                    "Type" | "type" => first().into_iter().map(class_of).collect(),
                    "Literal" | "Callable" => vec![Ty::Unknown],
                    _ => self.declared(at, on),
                }
            }
            Value::Name(name, ..) | Value::Attribute(_, name) if *name == *"Self" => self
                .enclosing_class(at)
                .or_else(|| self.is_class(at).then_some(at))
                .map_or(vec![Ty::Unknown], |class| vec![Ty::Instance(class)]),
            Value::Name(..) | Value::Attribute(..) => self.eval(at, value).into_iter().map(instance_of).collect(),
            Value::None => vec![Ty::None],
            _ => vec![Ty::Unknown],
        }
    }

    fn is_class(&self, at: Def) -> bool {
        self.scope(at).is_some_and(|scope| scope.kind == ScopeKind::Class)
    }
}

fn value_last_name(value: &Value) -> &str {
    match value {
        Value::Name(name, ..) | Value::Attribute(_, name) => name,
        _ => "",
    }
}

fn instance_of(class: Ty) -> Ty {
    match class {
        Ty::Class(class) => Ty::Instance(class),
        Ty::Builtin(name) if builtins::is_class(&name) => Ty::BuiltinInstance(name),
        Ty::Outside(module, name) if module.starts_with("typing") => {
            let lower = name.to_lowercase();
            if builtins::is_class(&lower) { Ty::BuiltinInstance(lower) } else { Ty::Unknown }
        }
        Ty::Outside(module, name) if !name.is_empty() => Ty::OutsideInstance(module, name),
        Ty::None => Ty::None,
        _ => Ty::Unknown,
    }
}

fn class_of(instance: Ty) -> Ty {
    match instance {
        Ty::Instance(class) => Ty::Class(class),
        Ty::BuiltinInstance(name) => Ty::Builtin(name),
        Ty::OutsideInstance(module, name) => Ty::Outside(module, name),
        _ => Ty::Unknown,
    }
}

/// `Lock`, `socket.Thing`; not `LOCK` and not `run`.
fn is_class_name(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    last.starts_with(|c: char| c.is_ascii_uppercase()) && last.contains(|c: char| c.is_ascii_lowercase())
}
