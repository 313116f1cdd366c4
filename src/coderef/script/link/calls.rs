//! What calls give, and what they ask of their arguments.

use super::infer::Infer;
use super::members::Slot;
use super::ty::{Env, Ty};
use super::world::Gid;
use crate::script::facts::{Expr, ExprId, Function, Primitive, Type, TypeId};

impl Infer<'_, '_> {
    /// The functions that a value is when it is called.
    pub(super) fn signatures(&self, ty: &Ty) -> Vec<(Gid, Env)> {
        match ty {
            Ty::Function(functions, env) => functions.iter().map(|function| (*function, env.clone())).collect(),
            Ty::Instance(shape, env) => self.shape_calls(*shape, env, 8),
            Ty::Both(parts) | Ty::Union(parts) => parts.iter().flat_map(|part| self.signatures(part)).collect(),
            Ty::Parameter(_) => match self.resolve_constraint(ty) {
                Ty::Parameter(_) => Vec::new(),
                bound => self.signatures(&bound),
            },
            _ => Vec::new(),
        }
    }

    fn shape_calls(&self, shape: Gid, env: &Env, left: u32) -> Vec<(Gid, Env)> {
        let Some(known) = self.world.shape(shape).filter(|_| left > 0) else { return Vec::new() };
        let mut found: Vec<(Gid, Env)> =
            known.calls.iter().map(|&id| (Gid { file: shape.file, id }, env.clone())).collect();
        if found.is_empty() {
            for (up, _) in &known.extends {
                match self.resolve_type(shape.file, *up, env) {
                    Ty::Instance(up, env) => found.extend(self.shape_calls(up, &env, left - 1)),
                    other => found.extend(self.signatures(&other)),
                }
            }
        }
        found
    }

    /// The signature that fits a call best: overloads count, their implementation does not.
    fn choose_overload(&self, ty: &Ty, file: u32, arguments: &[ExprId]) -> Option<(Gid, Env)> {
        let mut all = self.signatures(ty);
        let is_signature = |at: &Gid| self.world.function(*at).is_some_and(|function| function.signature);
        if all.len() > 1 && all.iter().any(|(at, _)| is_signature(at)) {
            all.retain(|(at, _)| is_signature(at));
        }
        let fits = all.iter().position(|(at, _)| self.fits(*at, file, arguments));
        let index = fits.unwrap_or(0);
        (index < all.len()).then(|| all.swap_remove(index))
    }

    fn fits(&self, function: Gid, file: u32, arguments: &[ExprId]) -> bool {
        let Some(known) = self.world.function(function) else { return false };
        let needed = known.parameters.iter().filter(|parameter| !parameter.optional).count();
        let most =
            if known.parameters.iter().any(|parameter| parameter.rest) { usize::MAX } else { known.parameters.len() };
        let spread = arguments.iter().any(|id| matches!(self.world.expr(file, *id), Expr::Spread(_)));
        if !spread && !(needed..=most).contains(&arguments.len()) {
            return false;
        }
        known.parameters.iter().zip(arguments).all(|(parameter, argument)| {
            let given = self.world.expr(file, *argument);
            let asked = self.world.ty(function.file, parameter.ty);
            match given {
                Expr::Function(_) => !matches!(asked, Type::Primitive(asked) if *asked != Primitive::Any),
                Expr::Primitive(given) => match asked {
                    Type::Primitive(asked) => asked == given || matches!(asked, Primitive::Any),
                    Type::Function(_) | Type::Constructor(_) => false,
                    _ => true,
                },
                _ => true,
            }
        })
    }

    pub(super) fn call_result(&self, file: u32, id: ExprId) -> Ty {
        let Expr::Call { callee, arguments, types } = self.world.expr(file, id) else { return Ty::Unknown };
        if let Expr::Member(object, name) = self.world.expr(file, *callee) {
            let object = self.expr_type(file, *object);
            match self.slots(&object, name).first() {
                Some(Slot::Builtin(of, own)) => return self.builtin_call(of, own, name, file, arguments),
                Some(Slot::Static(of)) => return self.static_call(of, name, file, arguments),
                Some(Slot::External(module)) => return Ty::External(module.clone()),
                _ => {}
            }
        }
        match self.expr_type(file, *callee) {
            Ty::Static(name) => self.global_call(&name),
            Ty::External(module) => Ty::External(module),
            callee => match self.choose_overload(&callee, file, arguments) {
                Some((function, env)) => {
                    let env = self.env_of_call(function, &env, file, arguments, types, true);
                    self.function_result(function, &env)
                }
                None => Ty::Unknown,
            },
        }
    }

    pub(super) fn new_result(&self, file: u32, id: ExprId) -> Ty {
        let Expr::New { callee, arguments, types } = self.world.expr(file, id) else { return Ty::Unknown };
        let explicit: Vec<Ty> = types.iter().map(|ty| self.resolve_type(file, *ty, &Env::default())).collect();
        match self.expr_type(file, *callee) {
            Ty::Class(shape, _) if !explicit.is_empty() => Ty::Instance(shape, self.shape_env(shape, &explicit)),
            Ty::Class(shape, env) => Ty::Instance(shape, self.env_of_new(shape, &env, file, arguments)),
            Ty::Static(name) if explicit.is_empty() => self.builtin_new(&name, file, arguments),
            Ty::Static(name) => Ty::Builtin(name, explicit.into()),
            Ty::Primitive(_) | Ty::Unknown => Ty::Unknown,
            other => {
                let news = self.construct_signatures(&other);
                match news.first() {
                    Some((function, env)) => {
                        let env = self.env_of_call(*function, env, file, arguments, types, true);
                        let result = self.world.function(*function).map_or(0, |function| function.result);
                        self.resolve_type(function.file, result, &env)
                    }
                    None => self.instance_of(&other),
                }
            }
        }
    }

    /// The signatures behind `new`.
    pub(super) fn construct_signatures(&self, ty: &Ty) -> Vec<(Gid, Env)> {
        match ty {
            Ty::Constructor(function, env) => vec![(*function, env.clone())],
            Ty::Instance(shape, env) => {
                let news = self.world.shape(*shape).map(|shape| shape.news.as_slice()).unwrap_or_default();
                news.iter().map(|&id| (Gid { file: shape.file, id }, env.clone())).collect()
            }
            Ty::Both(parts) | Ty::Union(parts) => {
                parts.iter().flat_map(|part| self.construct_signatures(part)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn builtin_new(&self, name: &str, file: u32, arguments: &[ExprId]) -> Ty {
        let first = arguments.first().map(|id| self.expr_type(file, *id));
        let item = first.map_or(Ty::Unknown, |first| self.element_of(&first));
        match name {
            "Set" | "WeakSet" | "Array" => Ty::builtin(name, vec![item]),
            "Map" | "WeakMap" => match item {
                Ty::Builtin(tuple, items) if &*tuple == "Tuple" => Ty::Builtin(name.into(), items),
                _ => Ty::builtin(name, Vec::new()),
            },
            "RegExp" => Ty::Primitive(Primitive::RegExp),
            _ => Ty::builtin(name, Vec::new()),
        }
    }

    fn env_of_new(&self, shape: Gid, env: &Env, file: u32, arguments: &[ExprId]) -> Env {
        let Some(known) = self.world.shape(shape) else { return env.clone() };
        let Some(constructor) = known.constructor.filter(|_| !known.parameters.is_empty()) else { return env.clone() };
        let function = Gid { file: shape.file, id: constructor };
        let unbound = known.parameters.iter().map(|&id| Gid { file: shape.file, id }).collect::<Vec<_>>();
        let bound = self.bound_by(function, &unbound, file, arguments, true);
        env.with(bound)
    }

    /// What the type parameters of a called function stand for.
    fn env_of_call(
        &self,
        function: Gid,
        env: &Env,
        file: u32,
        arguments: &[ExprId],
        types: &[TypeId],
        callbacks: bool,
    ) -> Env {
        let Some(known) = self.world.function(function) else { return env.clone() };
        if known.type_parameters.is_empty() {
            return env.clone();
        }
        if !types.is_empty() {
            let explicit: Vec<Ty> = types.iter().map(|ty| self.resolve_type(file, *ty, &Env::default())).collect();
            let own = self.env_of(function.file, &known.type_parameters, &explicit);
            return env.with(own.pairs().iter().cloned());
        }
        let unbound: Vec<Gid> = known.type_parameters.iter().map(|&id| Gid { file: function.file, id }).collect();
        env.with(self.bound_by(function, &unbound, file, arguments, callbacks))
    }

    /// Binds type parameters by the types of the arguments.
    fn bound_by(
        &self,
        function: Gid,
        unbound: &[Gid],
        file: u32,
        arguments: &[ExprId],
        callbacks: bool,
    ) -> Vec<(Gid, Ty)> {
        let Some(known) = self.world.function(function) else { return Vec::new() };
        let mut bound: Vec<(Gid, Ty)> = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let is_callback = matches!(self.world.expr(file, *argument), Expr::Function(_));
            if is_callback && !callbacks {
                continue;
            }
            let last = known.parameters.last().filter(|last| last.rest);
            let Some(parameter) = known.parameters.get(index).or(last) else { break };
            let (ty, is_rest) = (parameter.ty, parameter.rest);
            let mut given = self.expr_type(file, *argument);
            if is_rest && !matches!(self.world.expr(file, *argument), Expr::Spread(_)) {
                given = Ty::array(given);
            }
            self.unify(function.file, ty, &given, unbound, &mut bound, 6);
        }
        bound
    }

    /// What a function gives back.
    pub(super) fn function_result(&self, at: Gid, env: &Env) -> Ty {
        let Some(function) = self.world.function(at) else { return Ty::Unknown };
        if function.result != 0 {
            return self.resolve_type(at.file, function.result, env);
        }
        self.get_or_infer(&self.results, at, || self.inferred_return_type(at, function)).in_env(env)
    }

    fn inferred_return_type(&self, at: Gid, function: &Function) -> Ty {
        if function.signature {
            return Ty::Unknown;
        }
        let all = Ty::union(function.returns.iter().map(|value| self.expr_type(at.file, *value)));
        if function.generator {
            return Ty::builtin("Generator", vec![Ty::Unknown]);
        }
        if function.asynchronous { Ty::builtin("Promise", vec![self.awaited(&all)]) } else { all }
    }

    /// What a value gives when it is called with anything.
    pub(super) fn plain_result(&self, ty: &Ty) -> Ty {
        let all = self.signatures(ty);
        all.first().map_or(Ty::Unknown, |(function, env)| self.function_result(*function, env))
    }

    /// The type that a call asks of one of its arguments.
    pub(super) fn asked_argument(&self, file: u32, call: ExprId, index: u32) -> Ty {
        let key = (Gid { file, id: call }, index);
        self.get_or_infer(&self.arguments, key, || match self.world.expr(file, call) {
            Expr::Call { callee, arguments, types } => {
                let callee = self.callee_type(file, *callee);
                let Some((function, env)) = self.choose_overload(&callee, file, arguments) else { return Ty::Unknown };
                let env = self.env_of_call(function, &env, file, arguments, types, false);
                self.parameter_type(function, index, &env)
            }
            Expr::New { callee, arguments, types } => {
                let callee = self.expr_type(file, *callee);
                let (function, env) = match &callee {
                    Ty::Class(shape, env) => match self.constructor(*shape, env, 16) {
                        Some(found) => found,
                        None => return Ty::Unknown,
                    },
                    other => match self.construct_signatures(other).into_iter().next() {
                        Some(found) => found,
                        None => return Ty::Unknown,
                    },
                };
                let explicit: Vec<Ty> = types.iter().map(|ty| self.resolve_type(file, *ty, &Env::default())).collect();
                let env = match &callee {
                    Ty::Class(shape, _) if !explicit.is_empty() => {
                        env.with(self.shape_env(*shape, &explicit).pairs().iter().cloned())
                    }
                    Ty::Class(shape, env) => self.env_of_new(*shape, env, file, &[]),
                    _ => self.env_of_call(function, &env, file, arguments, types, false),
                };
                self.parameter_type(function, index, &env)
            }
            _ => Ty::Unknown,
        })
    }

    /// `super(…)` calls the constructor above.
    fn callee_type(&self, file: u32, callee: ExprId) -> Ty {
        if let Expr::Super(shape, false) = self.world.expr(file, callee) {
            let parent = self.parent_class(Gid { file, id: *shape }, &Env::default());
            if let Ty::Class(parent, env) = parent
                && let Some((function, env)) = self.constructor(parent, &env, 16)
            {
                return Ty::Function([function].into(), env);
            }
        }
        self.expr_type(file, callee)
    }

    /// The constructor of a class, its own or inherited.
    pub(super) fn constructor(&self, shape: Gid, env: &Env, left: u32) -> Option<(Gid, Env)> {
        let known = self.world.shape(shape).filter(|_| left > 0)?;
        if let Some(id) = known.constructor {
            return Some((Gid { file: shape.file, id }, env.clone()));
        }
        match self.parent_class(shape, env) {
            Ty::Class(parent, env) => self.constructor(parent, &env, left - 1),
            _ => None,
        }
    }

    fn parameter_type(&self, function: Gid, index: u32, env: &Env) -> Ty {
        let Some(known) = self.world.function(function) else { return Ty::Unknown };
        let last = known.parameters.last().filter(|last| last.rest);
        let Some(parameter) = known.parameters.get(index as usize).or(last) else { return Ty::Unknown };
        let ty = self.resolve_type(function.file, parameter.ty, env);
        if parameter.rest { self.element_of(&ty) } else { ty }
    }

    /// The function type that the place of a function asks for.
    pub(super) fn context_function(&self, function: Gid) -> Option<(Gid, Env)> {
        let context = self.world.function(function).map_or(0, |function| function.context);
        let asked = self.resolve_type(function.file, context, &Env::default());
        self.signatures(&asked).into_iter().find(|(found, _)| *found != function)
    }

    /// The type of a parameter without an annotation.
    pub(super) fn parameter_in_context(&self, function: Gid, index: u32, rest: bool) -> Ty {
        let context = self.world.function(function).map_or(0, |function| function.context);
        if let Type::Argument(call, place) = self.world.ty(function.file, context)
            && let Some(found) = self.callback_parameter(Gid { file: function.file, id: *call }, *place, index)
        {
            return found;
        }
        match self.context_function(function) {
            Some((context, env)) if rest => {
                let known = self.world.function(context);
                let last = known.and_then(|known| known.parameters.last()).filter(|last| last.rest);
                last.map_or(Ty::Unknown, |last| self.resolve_type(context.file, last.ty, &env))
            }
            Some((context, env)) => self.parameter_type(context, index, &env),
            None => Ty::Unknown,
        }
    }

    /// What `return` in a function has to be.
    pub(super) fn asked_result(&self, function: Gid) -> Ty {
        let Some(known) = self.world.function(function) else { return Ty::Unknown };
        let asked = if known.result == 0 {
            match self.context_function(function) {
                Some((context, env)) => self.function_result(context, &env),
                None => Ty::Unknown,
            }
        } else {
            self.resolve_type(function.file, known.result, &Env::default())
        };
        if known.asynchronous { self.awaited(&asked) } else { asked }
    }
}
