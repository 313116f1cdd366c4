//! From a written type to what is known of a value of it.

use super::infer::Infer;
use super::ty::{Env, THIS, Ty};
use super::world::{Gid, Named};
use crate::script::facts::{Declaration, Primitive, Type, TypeId};

impl Infer<'_, '_> {
    pub(super) fn resolve_type(&self, file: u32, id: TypeId, env: &Env) -> Ty {
        if id == 0 {
            return Ty::Unknown;
        }
        self.with_depth_limit(|| self.resolve_written_type(file, id, env))
    }

    fn resolve_written_type(&self, file: u32, id: TypeId, env: &Env) -> Ty {
        let many = |ids: &[TypeId]| -> Vec<Ty> { ids.iter().map(|id| self.resolve_type(file, *id, env)).collect() };
        match self.world.ty(file, id) {
            Type::Unknown => Ty::Unknown,
            Type::Primitive(primitive) => Ty::Primitive(*primitive),
            Type::Text(_) => Ty::Primitive(Primitive::String),
            Type::Symbol(symbol, arguments) => self.type_symbol(Gid { file, id: *symbol }, &many(arguments), env),
            Type::Global(name, arguments) => self.type_global(name, &many(arguments)),
            Type::Member(left, name, arguments) => self.type_member(file, *left, name, &many(arguments)),
            Type::Literal(shape) => Ty::Instance(Gid { file, id: *shape }, env.clone()),
            Type::Function(function) => Ty::Function([Gid { file, id: *function }].into(), env.clone()),
            Type::Constructor(function) => Ty::Constructor(Gid { file, id: *function }, env.clone()),
            Type::Union(parts) => Ty::union(many(parts)),
            Type::Intersection(parts) => Ty::intersection_of(many(parts)),
            Type::Array(item) => Ty::array(self.resolve_type(file, *item, env)),
            Type::Tuple(items) => Ty::builtin("Tuple", many(items)),
            Type::Typeof(value) => self.expr_type(file, *value),
            Type::Indexed(object, index) => self.indexed(file, *object, *index, env),
            Type::This(shape) => {
                env.get(THIS).cloned().unwrap_or_else(|| Ty::Instance(Gid { file, id: *shape }, env.clone()))
            }
            Type::Import(import, names) => self.import_type(file, *import, names),
            Type::Conditional(yes, no) => {
                let (yes, no) = (self.resolve_type(file, *yes, env), self.resolve_type(file, *no, env));
                match (yes.is_unknown() || yes == Ty::nothing(), no.is_unknown() || no == Ty::nothing()) {
                    (true, _) => no,
                    (_, true) => yes,
                    _ if yes == no => yes,
                    _ => Ty::Unknown,
                }
            }
            Type::Argument(call, index) => self.asked_argument(file, *call, *index),
            Type::ResultOf(function) => self.asked_result(Gid { file, id: *function }),
            Type::MemberOf(object, name) => {
                let Type::Literal(shape) = self.world.ty(file, *object) else { return Ty::Unknown };
                let context = self.world.shape(Gid { file, id: *shape }).map_or(0, |shape| shape.context);
                let asked = self.resolve_type(file, context, env);
                self.member_type(&asked, name)
            }
            Type::ElementOf(all) => {
                let all = self.resolve_type(file, *all, env);
                self.element_of(&all)
            }
            Type::Mapped(inner) => Ty::builtin("Record", vec![Ty::Unknown, self.resolve_type(file, *inner, env)]),
            Type::Of(value) => self.expr_type(file, *value),
        }
    }

    /// A type by a declared name.
    pub(super) fn type_symbol(&self, at: Gid, arguments: &[Ty], env: &Env) -> Ty {
        let Some(symbol) = self.world.symbol(at) else { return Ty::Unknown };
        let here = |id: u32| Gid { file: at.file, id };
        let mut parts: Vec<Ty> = Vec::new();
        for declaration in &symbol.declarations {
            match declaration {
                Declaration::TypeParameter { .. } => {
                    return env.get(at).cloned().unwrap_or(Ty::Parameter(at));
                }
                Declaration::Class(id) | Declaration::Interface(id) => {
                    parts.push(Ty::Instance(here(*id), self.shape_env(here(*id), arguments)));
                }
                Declaration::Alias { ty, parameters } => {
                    let env = self.env_of(at.file, parameters, arguments);
                    parts.push(self.resolve_type(at.file, *ty, &env));
                }
                Declaration::Import(import, name) => {
                    return self.named_type(&self.world.imported(at.file, *import, name), arguments);
                }
                Declaration::Enum(_) => parts.push(Ty::Primitive(Primitive::Number)),
                // Only in JavaScript: a class that a variable holds, such as one that was required.
                Declaration::Variable { ty: 0, value } if !symbol.mutated => {
                    parts.push(self.made_of(&self.expr_type(at.file, *value), arguments));
                }
                _ => {}
            }
        }
        Ty::intersection_of(parts)
    }

    /// The type that an imported or exported name stands for.
    pub(super) fn named_type(&self, named: &Named, arguments: &[Ty]) -> Ty {
        match named {
            Named::Symbol(at) => self.type_symbol(*at, arguments, &Env::default()),
            Named::External(module, _) | Named::Builtin(module, _) => Ty::External(module.as_str().into()),
            Named::Expr(at) => self.made_of(&self.expr_type(at.file, at.id), arguments),
            _ => Ty::Unknown,
        }
    }

    /// What `new` makes of a class whose type parameters stand for these types.
    fn made_of(&self, class: &Ty, arguments: &[Ty]) -> Ty {
        match class {
            Ty::Class(shape, _) if !arguments.is_empty() => Ty::Instance(*shape, self.shape_env(*shape, arguments)),
            other => self.instance_of(other),
        }
    }

    fn type_global(&self, name: &str, arguments: &[Ty]) -> Ty {
        let first = || arguments.first().cloned().unwrap_or(Ty::Unknown);
        match name {
            "Partial" | "Required" | "Readonly" | "Pick" | "Omit" | "NonNullable" | "Extract" | "Exclude"
            | "NoInfer" | "ThisType" => first(),
            "Object" if arguments.len() == 2 => Ty::builtin("Record", arguments.to_vec()),
            "Awaited" => self.awaited(&first()),
            "ReadonlyArray" => Ty::array(first()),
            "ReturnType" => self.plain_result(&first()),
            "InstanceType" => self.instance_of(&first()),
            "String" | "Uppercase" | "Lowercase" | "Capitalize" | "Uncapitalize" => Ty::Primitive(Primitive::String),
            "RegExp" => Ty::Primitive(Primitive::RegExp),
            _ => Ty::builtin(name, arguments.to_vec()),
        }
    }

    /// `a.b` as a type: of a namespace import or a namespace.
    fn type_member(&self, file: u32, left: TypeId, name: &str, arguments: &[Ty]) -> Ty {
        match self.space_of(file, left) {
            Ty::Module(module) => self.named_type(&self.world.exported(module, name), arguments),
            Ty::Space(space) => self
                .space_symbol(space, name)
                .map_or(Ty::Unknown, |symbol| self.type_symbol(symbol, arguments, &Env::default())),
            Ty::External(module) => Ty::External(module),
            _ => Ty::Unknown,
        }
    }

    /// What stands before the dot of a type.
    fn space_of(&self, file: u32, id: TypeId) -> Ty {
        match self.world.ty(file, id) {
            Type::Symbol(symbol, _) => {
                let value = self.symbol_type(Gid { file, id: *symbol });
                let parts: &[Ty] = match &value {
                    Ty::Both(parts) => parts,
                    one => std::slice::from_ref(one),
                };
                let space = parts.iter().find(|part| matches!(part, Ty::Module(_) | Ty::Space(_) | Ty::External(_)));
                space.cloned().unwrap_or(Ty::Unknown)
            }
            Type::Member(left, name, _) => match self.space_of(file, *left) {
                Ty::Module(module) => self.named_value(&self.world.exported(module, name)),
                Ty::Space(space) => self.space_symbol(space, name).map_or(Ty::Unknown, |at| self.symbol_type(at)),
                other => other,
            },
            _ => Ty::Unknown,
        }
    }

    fn import_type(&self, file: u32, import: u32, names: &[String]) -> Ty {
        match names {
            [] => match self.world.imported(file, import, "=") {
                module @ Named::Module(_) => self.named_value(&module),
                whole => self.named_type(&whole, &[]),
            },
            [name] => match self.world.imported(file, import, name) {
                // A member of what a CommonJS module exports as a whole.
                Named::Nothing => match self.world.imported(file, import, "=") {
                    Named::Module(_) | Named::Nothing => Ty::Unknown,
                    whole => self.instance_of(&self.member_type(&self.named_value(&whole), name)),
                },
                named => self.named_type(&named, &[]),
            },
            [first, .., last] => match self.named_value(&self.world.imported(file, import, first)) {
                Ty::Module(module) => self.named_type(&self.world.exported(module, last), &[]),
                _ => Ty::Unknown,
            },
        }
    }

    fn indexed(&self, file: u32, object: TypeId, index: TypeId, env: &Env) -> Ty {
        let object = self.resolve_type(file, object, env);
        match self.world.ty(file, index) {
            Type::Text(name) => self.member_type(&object, name),
            Type::Primitive(Primitive::Number) => self.element_of(&object),
            _ => Ty::Unknown,
        }
    }

    /// A type parameter as what it is bound to be at least.
    pub(super) fn resolve_constraint(&self, ty: &Ty) -> Ty {
        let Ty::Parameter(at) = ty else { return ty.clone() };
        let constraint = self.world.symbol(*at).and_then(|symbol| {
            symbol.declarations.iter().find_map(|declaration| match declaration {
                Declaration::TypeParameter { constraint, .. } => Some(*constraint),
                _ => None,
            })
        });
        self.resolve_type(at.file, constraint.unwrap_or(0), &Env::default())
    }
}
