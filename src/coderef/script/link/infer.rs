//! The type of an expression.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use super::builtins::is_global;
use super::ty::{Env, Ty};
use super::world::{Gid, Named, World};
use crate::script::facts::{Declaration, Expr, ExprId, ShapeKind, SymbolId};

/// How deep one question may lead to the next.
const MAX_DEPTH: u32 = 48;
/// How many steps one question may take.
pub(super) const MAX_STEPS: u32 = 4_000;

/// Works out types, and remembers them for one file's questions.
pub(super) struct Infer<'w, 'p> {
    pub(super) world: &'w World<'p>,
    exprs: RefCell<HashMap<Gid, Option<Ty>>>,
    symbols: RefCell<HashMap<Gid, Option<Ty>>>,
    pub(super) results: RefCell<HashMap<Gid, Option<Ty>>>,
    pub(super) arguments: RefCell<HashMap<(Gid, u32), Option<Ty>>>,
    depth: Cell<u32>,
    steps: Cell<u32>,
    /// Counts answers that were cut short, so that they are not remembered.
    cut: Cell<u64>,
}

impl<'w, 'p> Infer<'w, 'p> {
    pub(super) fn new(world: &'w World<'p>) -> Self {
        Self {
            world,
            exprs: RefCell::default(),
            symbols: RefCell::default(),
            results: RefCell::default(),
            arguments: RefCell::default(),
            depth: Cell::new(0),
            steps: Cell::new(0),
            cut: Cell::new(0),
        }
    }

    /// Begins a new question.
    pub(super) fn restart(&self) {
        self.steps.set(0);
    }

    /// Answers from what is remembered, or works it out and remembers it unless it was cut short.
    pub(super) fn get_or_infer<K: Copy + Eq + std::hash::Hash>(
        &self,
        known: &RefCell<HashMap<K, Option<Ty>>>,
        key: K,
        work: impl FnOnce() -> Ty,
    ) -> Ty {
        match known.borrow().get(&key) {
            Some(Some(ty)) => return ty.clone(),
            // It is being worked out further up: a circle.
            Some(None) => {
                self.cut.set(self.cut.get() + 1);
                return Ty::Unknown;
            }
            None => {}
        }
        let before = self.cut.get();
        known.borrow_mut().insert(key, None);
        let ty = self.with_depth_limit(work);
        if self.cut.get() == before || !ty.is_unknown() && self.depth.get() == 0 {
            known.borrow_mut().insert(key, Some(ty.clone()));
        } else {
            known.borrow_mut().remove(&key);
        }
        ty
    }

    /// One step further down, unless it is too far.
    pub(super) fn with_depth_limit(&self, work: impl FnOnce() -> Ty) -> Ty {
        let (depth, steps) = (self.depth.get(), self.steps.get());
        if depth >= MAX_DEPTH || steps >= MAX_STEPS {
            self.cut.set(self.cut.get() + 1);
            return Ty::Unknown;
        }
        self.depth.set(depth + 1);
        self.steps.set(steps + 1);
        let ty = work();
        self.depth.set(depth);
        ty
    }

    pub(super) fn expr_type(&self, file: u32, id: ExprId) -> Ty {
        if id == 0 {
            return Ty::Unknown;
        }
        match self.world.expr(file, id) {
            Expr::Primitive(primitive) => Ty::Primitive(*primitive),
            Expr::Symbol(symbol) => self.symbol_type(Gid { file, id: *symbol }),
            _ => self.get_or_infer(&self.exprs, Gid { file, id }, || self.infer_expr(file, id)),
        }
    }

    fn infer_expr(&self, file: u32, id: ExprId) -> Ty {
        let at = |id: u32| Gid { file, id };
        match self.world.expr(file, id) {
            Expr::Unknown => Ty::Unknown,
            Expr::Primitive(primitive) => Ty::Primitive(*primitive),
            Expr::Symbol(symbol) => self.symbol_type(at(*symbol)),
            Expr::Global(name) if is_global(name) => Ty::Static(name.as_str().into()),
            Expr::Global(_) => Ty::Unknown,
            Expr::This(shape, false) => self.this_of(at(*shape)),
            Expr::This(shape, true) => Ty::Class(at(*shape), Env::default()),
            Expr::ThisOf(function) => self.this_in(at(*function)),
            Expr::Super(shape, is_static) => self.super_of(at(*shape), *is_static),
            Expr::Member(object, name) => {
                let object = self.expr_type(file, *object);
                self.member_type(&object, name)
            }
            Expr::Index(object, index) => {
                let object = self.expr_type(file, *object);
                self.item_type(&object, *index)
            }
            Expr::Call { .. } => self.call_result(file, id),
            Expr::New { .. } => self.new_result(file, id),
            Expr::Function(function) => Ty::Function([at(*function)].into(), Env::default()),
            Expr::Object(shape) => Ty::Instance(at(*shape), Env::default()),
            Expr::Class(shape) => Ty::Class(at(*shape), Env::default()),
            Expr::Array(items) => Ty::array(Ty::union(items.iter().map(|item| self.array_item(file, *item)))),
            Expr::Spread(inner) => self.expr_type(file, *inner),
            Expr::Await(inner) => self.awaited(&self.expr_type(file, *inner)),
            Expr::Cast(ty) => self.resolve_type(file, *ty, &Env::default()),
            Expr::Either(left, right) => Ty::union([self.expr_type(file, *left), self.expr_type(file, *right)]),
            Expr::Module(import) => self.named_value(&self.world.imported(file, *import, "=")),
            Expr::Rest(inner) => self.expr_type(file, *inner),
        }
    }

    fn array_item(&self, file: u32, item: ExprId) -> Ty {
        match self.world.expr(file, item) {
            Expr::Spread(inner) => {
                let inner = self.expr_type(file, *inner);
                self.element_of(&inner)
            }
            _ => self.expr_type(file, item),
        }
    }

    /// `this` in a class is an instance of it; in an object literal what its place asks for, if it asks.
    fn this_of(&self, shape: Gid) -> Ty {
        let own = Ty::Instance(shape, Env::default());
        let Some(known) = self.world.shape(shape) else { return own };
        if known.kind == ShapeKind::Object && known.context != 0 {
            let context = self.resolve_type(shape.file, known.context, &Env::default());
            return if context.is_unknown() { own } else { Ty::intersection_of(vec![own, context]) };
        }
        own
    }

    fn this_in(&self, function: Gid) -> Ty {
        let Some(known) = self.world.function(function) else { return Ty::Unknown };
        if known.this != 0 {
            return self.resolve_type(function.file, known.this, &Env::default());
        }
        match self.context_function(function) {
            Some((context, env)) => {
                let this = self.world.function(context).map_or(0, |context| context.this);
                self.resolve_type(context.file, this, &env)
            }
            None => Ty::Unknown,
        }
    }

    fn super_of(&self, shape: Gid, is_static: bool) -> Ty {
        let parent = self.parent_class(shape, &Env::default());
        if is_static { parent } else { self.instance_of(&parent) }
    }

    /// What a class extends, as a value.
    pub(super) fn parent_class(&self, shape: Gid, env: &Env) -> Ty {
        let Some((value, types, _)) = self.world.shape(shape).and_then(|shape| shape.superclass.as_ref()) else {
            return Ty::nothing();
        };
        let parent = self.expr_type(shape.file, *value);
        let arguments: Vec<Ty> = types.iter().map(|ty| self.resolve_type(shape.file, *ty, env)).collect();
        match parent {
            Ty::Class(parent, _) => Ty::Class(parent, self.shape_env(parent, &arguments)),
            other => other,
        }
    }

    /// What an instance of a class is besides: one of its superclass.
    pub(super) fn parent_instance(&self, shape: Gid, env: &Env) -> Ty {
        match self.parent_class(shape, env) {
            Ty::Static(name) => {
                let types = self.world.shape(shape).and_then(|shape| shape.superclass.as_ref());
                let types = types.map(|(_, types, _)| types.as_slice()).unwrap_or_default();
                Ty::Builtin(name, types.iter().map(|ty| self.resolve_type(shape.file, *ty, env)).collect())
            }
            parent => self.instance_of(&parent),
        }
    }

    /// What `new` makes of a class.
    pub(super) fn instance_of(&self, class: &Ty) -> Ty {
        match class {
            Ty::Class(shape, env) => Ty::Instance(*shape, env.clone()),
            Ty::Constructor(function, env) => {
                let result = self.world.function(*function).map_or(0, |function| function.result);
                self.resolve_type(function.file, result, env)
            }
            Ty::Instance(shape, env) => {
                let news = self.world.shape(*shape).map(|shape| shape.news.as_slice()).unwrap_or_default();
                let result = news.first().and_then(|&id| self.world.function(Gid { file: shape.file, id }));
                result.map_or(Ty::Unknown, |function| self.resolve_type(shape.file, function.result, env))
            }
            Ty::Static(name) => Ty::Builtin(name.clone(), Rc::new([])),
            Ty::External(module) => Ty::External(module.clone()),
            Ty::Both(parts) => {
                let found = parts.iter().map(|part| self.instance_of(part)).filter(|part| !part.is_unknown());
                Ty::intersection_of(found.collect())
            }
            Ty::Union(parts) => Ty::union(parts.iter().map(|part| self.instance_of(part))),
            Ty::Parameter(_) => self.instance_of(&self.resolve_constraint(class)),
            _ => Ty::Unknown,
        }
    }

    /// The environment in which the type parameters of a shape stand for these types.
    pub(super) fn shape_env(&self, shape: Gid, arguments: &[Ty]) -> Env {
        let parameters = self.world.shape(shape).map(|shape| shape.parameters.as_slice()).unwrap_or_default();
        self.env_of(shape.file, parameters, arguments)
    }

    /// Type parameters with their arguments, or their defaults.
    pub(super) fn env_of(&self, file: u32, parameters: &[SymbolId], arguments: &[Ty]) -> Env {
        let mut env = Env::default();
        for (index, &id) in parameters.iter().enumerate() {
            let key = Gid { file, id };
            let ty = match arguments.get(index) {
                Some(ty) => ty.clone(),
                None => match self.default_of(key) {
                    Some((file, default)) => self.resolve_type(file, default, &env),
                    None => continue,
                },
            };
            env = env.with([(key, ty)]);
        }
        env
    }

    fn default_of(&self, parameter: Gid) -> Option<(u32, u32)> {
        self.world.symbol(parameter)?.declarations.iter().find_map(|declaration| match declaration {
            Declaration::TypeParameter { default, .. } if *default != 0 => Some((parameter.file, *default)),
            _ => None,
        })
    }

    /// The value of a declared name.
    pub(super) fn symbol_type(&self, at: Gid) -> Ty {
        self.get_or_infer(&self.symbols, at, || self.infer_symbol(at))
    }

    fn infer_symbol(&self, at: Gid) -> Ty {
        let Some(symbol) = self.world.symbol(at) else { return Ty::Unknown };
        let here = |id: u32| Gid { file: at.file, id };
        let mut functions: Vec<Gid> = Vec::new();
        let mut parts: Vec<Ty> = Vec::new();
        for declaration in &symbol.declarations {
            match declaration {
                Declaration::Import(import, name) => {
                    parts.push(self.named_value(&self.world.imported(at.file, *import, name)));
                }
                Declaration::Function(id) => functions.push(here(*id)),
                Declaration::Class(id) => parts.push(Ty::Class(here(*id), Env::default())),
                Declaration::Namespace(id) | Declaration::Enum(id) => parts.push(Ty::Space(here(*id))),
                Declaration::Variable { ty, value } if *ty == 0 => parts.push(self.expr_type(at.file, *value)),
                Declaration::Variable { ty, .. } => parts.push(self.resolve_type(at.file, *ty, &Env::default())),
                Declaration::Parameter { ty, value, function, index, rest } => {
                    parts.push(match (*ty, *value) {
                        (0, value) => {
                            let asked = self.parameter_in_context(here(*function), *index, *rest);
                            if asked.is_unknown() && value != 0 { self.expr_type(at.file, value) } else { asked }
                        }
                        (ty, _) => self.resolve_type(at.file, ty, &Env::default()),
                    });
                }
                Declaration::Each(all) => {
                    let all = self.expr_type(at.file, *all);
                    parts.push(self.element_of(&all));
                }
                Declaration::Same(value) => parts.push(self.expr_type(at.file, *value)),
                Declaration::Interface(_) | Declaration::Alias { .. } | Declaration::TypeParameter { .. } => {}
            }
        }
        if !functions.is_empty() {
            parts.insert(0, Ty::Function(functions.into(), Env::default()));
        }
        if parts.len() == 1 { parts.remove(0) } else { Ty::intersection_of(parts) }
    }

    /// The value that an imported or exported name stands for.
    pub(super) fn named_value(&self, named: &Named) -> Ty {
        match named {
            Named::Symbol(at) => self.symbol_type(*at),
            Named::Expr(at) => self.expr_type(at.file, at.id),
            Named::Module(file) => Ty::Module(*file),
            Named::External(module, _) | Named::Builtin(module, _) => Ty::External(module.as_str().into()),
            Named::Several(_) | Named::Nothing => Ty::Unknown,
        }
    }
}
