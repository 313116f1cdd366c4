//! What a call calls.

use super::builtins::is_global;
use super::infer::Infer;
use super::members::Slot;
use super::ty::{Env, Ty};
use super::world::{Gid, Named, World};
use crate::script::facts::{Declaration, Expr, ExprId, MemberValue};

/// What is known of a callee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Callee {
    /// Elements by file and position in it; more than one means it may be any of them.
    Elements(Vec<Gid>),
    External(String, Option<String>),
    Builtin(String),
    Unknown,
    /// Made at run time: a computed member.
    Dynamic,
    /// Nothing that has a name: a function that is called where it is written.
    Nothing,
}

impl Callee {
    fn from_elements(mut elements: Vec<Gid>) -> Self {
        elements.sort_unstable();
        elements.dedup();
        if elements.is_empty() { Self::Unknown } else { Self::Elements(elements) }
    }

    fn or_else(self, other: impl FnOnce() -> Self) -> Self {
        if self == Self::Unknown { other() } else { self }
    }
}

impl<'p> Infer<'_, 'p> {
    /// What a call or `new` calls.
    pub(super) fn callee(&self, file: u32, call: ExprId) -> Callee {
        self.restart();
        match self.world.expr(file, call) {
            Expr::Call { callee, .. } => self.function_callee(file, *callee),
            Expr::New { callee, .. } => self.constructor_callee(file, *callee),
            _ => Callee::Nothing,
        }
    }

    fn function_callee(&self, file: u32, callee: ExprId) -> Callee {
        match self.world.expr(file, callee) {
            Expr::Function(_) => Callee::Nothing,
            Expr::Super(shape, _) => match self.parent_class(Gid { file, id: *shape }, &Env::default()) {
                Ty::Class(parent, env) => self.constructor_of(parent, &env),
                other => self.by_type(&other),
            },
            Expr::Index(..) => self.by_type(&self.expr_type(file, callee)).or_else(|| Callee::Dynamic),
            _ => self.expr_callee(file, callee),
        }
    }

    fn constructor_callee(&self, file: u32, callee: ExprId) -> Callee {
        match self.expr_type(file, callee) {
            Ty::Class(shape, env) => {
                // A class is what its name says; only its own constructor stands for it.
                let own = self.world.shape(shape).and_then(|shape| shape.constructor);
                let own = own.and_then(|id| self.world.function(Gid { file: shape.file, id })?.element);
                let class = self.world.shape(shape).and_then(|known| known.element);
                let _ = env;
                Callee::from_elements(own.or(class).map(|id| Gid { file: shape.file, id }).into_iter().collect())
            }
            _ => self.expr_callee(file, callee),
        }
    }

    /// The constructor that `super()` runs: that of the nearest class above which has one.
    fn constructor_of(&self, shape: Gid, env: &Env) -> Callee {
        let found = self.constructor(shape, env, 16);
        let element = found.and_then(|(at, _)| Some(Gid { file: at.file, id: self.world.function(at)?.element? }));
        let class = || Some(Gid { file: shape.file, id: self.world.shape(shape)?.element? });
        Callee::from_elements(element.or_else(class).into_iter().collect())
    }

    /// The element that an expression names.
    pub(super) fn expr_callee(&self, file: u32, id: ExprId) -> Callee {
        match self.world.expr(file, id) {
            Expr::Symbol(symbol) => self.symbol_callee(Gid { file, id: *symbol }),
            Expr::Member(object, name) => self.member_callee(file, *object, name, id),
            Expr::Global(name) if is_global(name) => Callee::Builtin(name.clone()),
            Expr::Global(_) => Callee::Unknown,
            _ => self.by_type(&self.expr_type(file, id)),
        }
    }

    fn symbol_callee(&self, at: Gid) -> Callee {
        let Some(symbol) = self.world.symbol(at) else { return Callee::Unknown };
        if let Some(Declaration::Import(import, name)) = symbol.declarations.first() {
            return self.named_callee(&self.world.imported(at.file, *import, name));
        }
        // Another name for what its initialiser names.
        if let [Declaration::Variable { ty: 0, value }] = symbol.declarations.as_slice()
            && !symbol.mutated
            && matches!(self.world.expr(at.file, *value), Expr::Symbol(_) | Expr::Member(..))
        {
            let found = self.deeper_callee(|| self.expr_callee(at.file, *value));
            if matches!(found, Callee::Elements(_)) || (found != Callee::Unknown && symbol.element.is_none()) {
                return found;
            }
        }
        if let Some(element) = value_element(self.world, at) {
            return Callee::Elements(vec![element]);
        }
        if symbol.mutated {
            return Callee::Unknown;
        }
        self.by_type(&self.symbol_type(at))
    }

    /// One more step, unless they go round in a circle.
    fn deeper_callee(&self, work: impl FnOnce() -> Callee) -> Callee {
        let mut found = Callee::Unknown;
        self.with_depth_limit(|| {
            found = work();
            Ty::Unknown
        });
        found
    }

    pub(super) fn named_callee(&self, named: &Named) -> Callee {
        match named {
            Named::Symbol(at) => self.symbol_callee(*at),
            Named::Expr(at) => match self.world.expr(at.file, at.id) {
                Expr::Symbol(_) | Expr::Member(..) => self.deeper_callee(|| self.expr_callee(at.file, at.id)),
                _ => self.by_type(&self.expr_type(at.file, at.id)),
            },
            Named::External(module, name) => Callee::External(module.clone(), name.clone()),
            Named::Builtin(module, name) => {
                Callee::Builtin(name.as_ref().map_or_else(|| module.clone(), |name| format!("{module}.{name}")))
            }
            Named::Several(all) => {
                let mut found = Vec::new();
                for named in all {
                    if let Callee::Elements(elements) = self.named_callee(named) {
                        found.extend(elements);
                    }
                }
                Callee::from_elements(found)
            }
            Named::Module(file) => match self.world.exported(*file, "=") {
                Named::Nothing => Callee::Unknown,
                whole => self.deeper_callee(|| self.named_callee(&whole)),
            },
            Named::Nothing => Callee::Unknown,
        }
    }

    fn member_callee(&self, file: u32, object: ExprId, name: &str, id: ExprId) -> Callee {
        let of = self.expr_type(file, object);
        let slots = self.slots(&of, name);
        // `f.call(x)` runs f.
        if let ([Slot::Builtin(kind, _)], "call" | "apply") = (slots.as_slice(), name)
            && &**kind == "Function"
        {
            return self.expr_callee(file, object).or_else(|| Callee::Builtin(format!("Function.{name}")));
        }
        let mut elements = Vec::new();
        let mut other = Callee::Unknown;
        for slot in &slots {
            match self.slot_callee(slot, name) {
                Callee::Elements(found) => elements.extend(found),
                Callee::Unknown => {}
                found => other = found,
            }
        }
        if elements.is_empty() {
            return other.or_else(|| self.by_type(&self.expr_type(file, id)));
        }
        Callee::from_elements(elements)
    }

    fn slot_callee(&self, slot: &Slot<'p>, name: &str) -> Callee {
        match slot {
            Slot::Named(named) => self.named_callee(named),
            Slot::External(module) => external_callee(module, Some(name)),
            Slot::Builtin(of, _) | Slot::Static(of) => Callee::Builtin(format!("{of}.{name}")),
            Slot::Member(shape, member, _) => {
                if let Some(id) = member.element {
                    return Callee::Elements(vec![Gid { file: shape.file, id }]);
                }
                match &member.value {
                    MemberValue::Symbol(id) => self.symbol_callee(Gid { file: shape.file, id: *id }),
                    MemberValue::Property(0, value) => {
                        let found = self.deeper_callee(|| self.expr_callee(shape.file, *value));
                        found.or_else(|| self.by_type(&self.slot_type(slot, name)))
                    }
                    _ => self.by_type(&self.slot_type(slot, name)),
                }
            }
        }
    }

    /// The element of the function or class that a value is.
    fn by_type(&self, ty: &Ty) -> Callee {
        match ty {
            Ty::Function(functions, _) => {
                let of = |at: &Gid| Some(Gid { file: at.file, id: self.world.function(*at)?.element? });
                Callee::from_elements(functions.iter().filter_map(of).collect())
            }
            Ty::Class(shape, _) => {
                let element = self.world.shape(*shape).and_then(|shape| shape.element);
                Callee::from_elements(element.map(|id| Gid { file: shape.file, id }).into_iter().collect())
            }
            Ty::Builtin(name, _) | Ty::Static(name) => Callee::Builtin(name.to_string()),
            Ty::External(module) => external_callee(module, None),
            Ty::Union(parts) | Ty::Both(parts) => {
                let mut found = Vec::new();
                let mut other = Callee::Unknown;
                for part in parts.iter() {
                    match self.by_type(part) {
                        Callee::Elements(elements) => found.extend(elements),
                        // One of several that has no name of its own: nothing is shown.
                        Callee::Unknown if matches!(ty, Ty::Union(_)) => return Callee::Unknown,
                        Callee::Unknown => {}
                        callee => other = callee,
                    }
                }
                Callee::from_elements(found).or_else(|| other)
            }
            _ => Callee::Unknown,
        }
    }
}

/// What belongs to a module of the run time, or to a package.
fn external_callee(module: &str, name: Option<&str>) -> Callee {
    if ["node:", "bun:", "deno:"].iter().any(|scheme| module.starts_with(scheme)) {
        return Callee::Builtin(name.map_or_else(|| module.to_owned(), |name| format!("{module}.{name}")));
    }
    Callee::External(module.to_owned(), name.map(str::to_owned))
}

/// The element of a symbol's value.
pub(super) fn value_element(world: &World<'_>, at: Gid) -> Option<Gid> {
    let symbol = world.symbol(at)?;
    let declared = symbol.declarations.iter().find_map(|declaration| match declaration {
        Declaration::Function(id) => world.function(Gid { file: at.file, id: *id })?.element,
        Declaration::Class(id) | Declaration::Enum(id) => world.shape(Gid { file: at.file, id: *id })?.element,
        Declaration::Variable { .. } => symbol.element,
        _ => None,
    });
    declared.map(|id| Gid { file: at.file, id })
}

/// The element of whatever a symbol is, a type first when `types` says so.
pub(super) fn any_element(world: &World<'_>, at: Gid, types: bool) -> Option<Gid> {
    let symbol = world.symbol(at)?;
    let as_type = || {
        symbol.declarations.iter().find_map(|declaration| match declaration {
            Declaration::Class(id)
            | Declaration::Interface(id)
            | Declaration::Enum(id)
            | Declaration::Namespace(id) => world.shape(Gid { file: at.file, id: *id })?.element,
            Declaration::Alias { .. } => symbol.element,
            _ => None,
        })
    };
    let as_type = || as_type().map(|id| Gid { file: at.file, id });
    if types { as_type().or_else(|| value_element(world, at)) } else { value_element(world, at).or_else(as_type) }
}
