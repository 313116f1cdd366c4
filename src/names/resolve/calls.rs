//! What is called: with which arguments, and what that gives.

use super::classes::{BaseClass, ClassStep};
use super::{ClassOf, FunctionOf, HOPS, Resolver, Target};
use crate::surface::{ClassFields, Constructor, FunctionKind, FunctionSurface, Gives, Signature};

/// What a class derives from whose instances may be of any class.
const PROTOCOL: &str = "Protocol";

impl Resolver<'_> {
    /// What calling something gives.
    pub(crate) fn called(&self, target: &Target) -> Target {
        match target {
            Target::Class(classes) => Target::Instance(classes.clone()),
            Target::Function(functions) => {
                self.begin_question();
                self.given(functions, false)
            }
            _ => Target::Something,
        }
    }

    /// What waiting for the result of a call gives.
    pub(crate) fn awaited(&self, target: &Target) -> Target {
        self.begin_question();
        if let Target::Function(functions) = target { self.given(functions, true) } else { Target::Something }
    }

    /// What entering a context manager gives.
    pub(crate) fn entered(&self, target: &Target, asynchronous: bool) -> Target {
        self.begin_question();
        let method = if asynchronous { "__aenter__" } else { "__enter__" };
        let (Target::Instance(classes) | Target::Declared(classes)) = target else { return Target::Something };
        let mut entered = Vec::new();
        for class in classes {
            match self.member_of_class(class, method, HOPS) {
                ClassStep::Found(Target::Function(functions)) => entered.extend(functions),
                _ => return Target::Something,
            }
        }
        let through = Some(Box::new(target.clone()));
        let entered: Vec<FunctionOf> =
            entered.into_iter().map(|function| FunctionOf { receiver: through.clone(), ..function }).collect();
        self.given(&entered, asynchronous)
    }

    /// The ways in which something can be called; none where that is not known.
    pub(crate) fn signatures(&self, target: &Target) -> Option<Vec<Signature>> {
        self.begin_question();
        match target {
            Target::Function(functions) => {
                functions.iter().map(|function| function.surface.signature.clone()).collect()
            }
            Target::Class(classes) => {
                let each: Option<Vec<Vec<Signature>>> = classes.iter().map(|class| self.constructors(class)).collect();
                Some(each?.concat())
            }
            Target::Module(_) | Target::Instance(_) | Target::Declared(_) | Target::Something => None,
        }
    }

    /// A method as it is reached through an instance or through the class.
    pub(super) fn bind(&self, functions: Vec<FunctionOf>, through: &Target) -> Target {
        let of_instance = matches!(through, Target::Instance(_) | Target::Declared(_));
        // What a derived class takes may be more.
        let says_arguments = !matches!(through, Target::Declared(_));
        let receiver = Some(Box::new(through.clone()));
        let bound = functions.into_iter().map(|FunctionOf { module, surface, .. }| {
            let takes_first = match surface.kind {
                FunctionKind::Plain => of_instance,
                FunctionKind::Class => true,
                FunctionKind::Static | FunctionKind::Property | FunctionKind::Setter => false,
            };
            let signature = surface.signature.filter(|_| says_arguments);
            let signature =
                signature.and_then(|signature| if takes_first { signature.bound() } else { Some(signature) });
            let surface = FunctionSurface { signature, ..surface };
            FunctionOf { module, surface, receiver: receiver.clone() }
        });
        let bound: Vec<FunctionOf> = bound.collect();
        let is_accessor = |kind| matches!(kind, FunctionKind::Property | FunctionKind::Setter);
        if !bound.iter().any(|function| is_accessor(function.surface.kind)) {
            return Target::Function(bound);
        }
        let mut got = bound.into_iter().filter(|function| function.surface.kind != FunctionKind::Setter).peekable();
        if !of_instance || got.peek().is_none() {
            return Target::Something;
        }
        let got: Vec<FunctionOf> = got.collect();
        let is_property = got.iter().all(|function| function.surface.kind == FunctionKind::Property);
        if is_property { self.given(&got, false) } else { Target::Something }
    }

    /// What functions give that are one to who calls them.
    fn given(&self, functions: &[FunctionOf], awaited: bool) -> Target {
        let overloads: Vec<&FunctionOf> = functions.iter().filter(|function| function.surface.overload).collect();
        let functions = if overloads.is_empty() { functions.iter().collect() } else { overloads };
        let (mut classes, mut declared) = (Vec::new(), false);
        for function in functions {
            if function.surface.awaited != awaited {
                return Target::Something;
            }
            match self.given_by(function) {
                Target::Instance(given) => classes.extend(given),
                Target::Declared(given) => {
                    declared = true;
                    classes.extend(given);
                }
                _ => return Target::Something,
            }
        }
        match (classes.is_empty(), declared) {
            (true, _) => Target::Something,
            (false, true) => Target::Declared(classes),
            (false, false) => Target::Instance(classes),
        }
    }

    fn given_by(&self, function: &FunctionOf) -> Target {
        match (&function.surface.gives, function.receiver.as_deref()) {
            (Gives::Receiver, Some(Target::Class(classes))) if function.surface.kind == FunctionKind::Class => {
                Target::Instance(classes.clone())
            }
            (Gives::Receiver, Some(instance @ (Target::Instance(_) | Target::Declared(_)))) => instance.clone(),
            (Gives::OneOf(names), _) => {
                let mut given = Vec::new();
                for name in names {
                    match self.dotted(&function.module, name, HOPS) {
                        Some(Target::Class(classes)) if !classes.iter().any(|class| self.is_protocol(class, HOPS)) => {
                            given.extend(classes);
                        }
                        _ => return Target::Something,
                    }
                }
                Target::Declared(given)
            }
            _ => Target::Something,
        }
    }

    /// Whether anything that looks like a class may stand for it.
    fn is_protocol(&self, class: &ClassOf, hops: usize) -> bool {
        let Some(left) = hops.checked_sub(1).filter(|_| self.step()) else { return true };
        let is_named =
            |base: &Option<String>| base.as_ref().is_some_and(|base| base.rsplit('.').next() == Some(PROTOCOL));
        class.surface.bases.iter().any(is_named)
            || self.bases(class, left).iter().any(|base| match base {
                BaseClass::Classes(classes) => classes.iter().any(|class| self.is_protocol(class, left)),
                BaseClass::Standard(_) | BaseClass::Unknown => false,
            })
    }

    /// How a class is made; none where something else than `__init__` or its fields may have a say.
    fn constructors(&self, class: &ClassOf) -> Option<Vec<Signature>> {
        if self.is_named_tuple(class) {
            return Some(vec![ClassFields::default().with(&class.surface.fields, false)?.signature()]);
        }
        let own = |name: &str| class.surface.members.contains_key(name);
        if matches!(class.surface.constructor, Constructor::Dataclass { .. }) && !own("__init__") {
            return Some(vec![self.fields_of(class, HOPS)?.signature()]);
        }
        if !self.is_made_plainly(class, HOPS) {
            return None;
        }
        match self.member_of_class(class, "__init__", HOPS) {
            ClassStep::Found(Target::Function(functions)) => {
                match self.bind(functions, &Target::Instance(vec![class.clone()])) {
                    Target::Function(functions) => {
                        functions.into_iter().map(|function| function.surface.signature).collect()
                    }
                    _ => None,
                }
            }
            ClassStep::Missing => Some(vec![Signature::default()]),
            ClassStep::Found(_) | ClassStep::Unknown => None,
        }
    }

    fn is_named_tuple(&self, class: &ClassOf) -> bool {
        match class.surface.bases.as_slice() {
            [Some(base)] => self.standard_name(&class.module, base, HOPS).as_deref() == Some("typing.NamedTuple"),
            _ => false,
        }
    }

    /// The fields of which a class is made, with those of its bases; none where something else has a say.
    fn fields_of(&self, class: &ClassOf, hops: usize) -> Option<ClassFields> {
        let left = hops.checked_sub(1).filter(|_| self.step())?;
        let surface = &class.surface;
        if surface.members.contains_key("__new__") {
            return None;
        }
        let mut fields = ClassFields::default();
        for base in self.bases(class, left).iter().rev() {
            match base {
                BaseClass::Standard(base) if base.is_plain() => {}
                BaseClass::Classes(classes) => {
                    let [base] = classes.as_slice() else { return None };
                    fields = fields.with(&self.fields_of(base, left)?, false)?;
                }
                BaseClass::Standard(_) | BaseClass::Unknown => return None,
            }
        }
        match &surface.constructor {
            Constructor::Written => Some(fields),
            Constructor::Dataclass { decorator, keyword_only } => {
                let named = self.standard_name(&class.module, decorator, left)?;
                if named == "dataclasses.dataclass" { fields.with(&surface.fields, *keyword_only) } else { None }
            }
            Constructor::Unknown => None,
        }
    }

    /// Whether nothing but `__init__` decides what a class is made with, in all of its bases.
    fn is_made_plainly(&self, class: &ClassOf, hops: usize) -> bool {
        let Some(left) = hops.checked_sub(1).filter(|_| self.step()) else { return false };
        if class.surface.constructor != Constructor::Written || class.surface.members.contains_key("__new__") {
            return false;
        }
        self.bases(class, left).into_iter().all(|base| match base {
            BaseClass::Classes(classes) => classes.iter().all(|class| self.is_made_plainly(class, left)),
            BaseClass::Standard(base) => base.is_plain(),
            BaseClass::Unknown => false,
        })
    }
}
