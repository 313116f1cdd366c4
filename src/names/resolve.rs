//! Following names through the modules of an environment: found, certainly missing, or unknown.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

use super::libraries::{FoundModule, Libraries};
use super::standard::{StandardBase, is_of_every_module};
use super::surface::{BoundName, ClassSurface, FunctionKind, FunctionSurface, Openness, Signature};

/// Steps that are taken for one question.
const STEPS: u32 = 4_000;

/// How many imports and bases are followed for one name.
const HOPS: usize = 32;

/// What a path of names leads to.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    /// By absolute name.
    Module(String),
    /// A class; several where its module and a stub, or several branches, define it.
    Class(Vec<ClassOf>),
    Instance(Vec<ClassOf>),
    /// A function with all its signatures; none of them where any argument may be taken.
    Function(Vec<FunctionSurface>),
    /// It is there, and nothing more is known of it.
    Something,
}

/// A class and the module that its bases are named in.
#[derive(Debug, Clone)]
pub(crate) struct ClassOf {
    module: String,
    surface: Arc<ClassSurface>,
}

/// One step along a path.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Found(Target),
    /// Nothing of this name can be there.
    Missing,
    /// The same, unless the library writes the name down somewhere.
    MissingUnlessNamed,
    Unknown,
}

/// Follows names; a value for one request.
pub(crate) struct Resolver<'e> {
    pub(crate) libraries: &'e Libraries<'e>,
    /// Steps that are left for the question at hand: names may be bound in ways that fan out without end.
    steps: Cell<u32>,
    /// The modules that were asked for.
    asked: RefCell<BTreeSet<String>>,
}

impl<'e> Resolver<'e> {
    pub(crate) fn new(libraries: &'e Libraries<'e>) -> Self {
        Self { libraries, steps: Cell::new(STEPS), asked: RefCell::default() }
    }

    /// The module of an absolute name.
    pub(crate) fn module(&self, name: &str) -> FoundModule {
        self.asked.borrow_mut().insert(name.to_owned());
        self.libraries.module(name)
    }

    /// A digest over everything that had a say: the modules that were asked for, and the libraries that were searched.
    pub(crate) fn digest(&self, searched: &BTreeSet<String>) -> String {
        self.libraries.digest(&self.asked.borrow(), searched)
    }

    /// Takes a step; false when the question has taken too many.
    fn step(&self) -> bool {
        let left = self.steps.get();
        self.steps.set(left.saturating_sub(1));
        left > 0
    }

    fn begin_question(&self) {
        self.steps.set(STEPS);
    }

    /// A name of a module.
    pub(crate) fn name_in_module(&self, module: &str, name: &str) -> Step {
        self.begin_question();
        self.name_within(module, name, HOPS)
    }

    /// A member of what a path has led to.
    pub(crate) fn member(&self, of: &Target, name: &str) -> Step {
        self.begin_question();
        match of {
            Target::Module(module) => self.name_within(module, name, HOPS),
            Target::Class(classes) => self.member_of_classes(classes, name, false),
            Target::Instance(classes) => self.member_of_classes(classes, name, true),
            Target::Function(_) | Target::Something => Step::Unknown,
        }
    }

    /// What calling something gives.
    pub(crate) fn called(&self, target: &Target) -> Target {
        match target {
            Target::Class(classes) => Target::Instance(classes.clone()),
            _ => Target::Something,
        }
    }

    /// What entering a context manager gives.
    pub(crate) fn entered(&self, target: &Target, asynchronous: bool) -> Target {
        self.begin_question();
        let method = if asynchronous { "__aenter__" } else { "__enter__" };
        let Target::Instance(classes) = target else { return Target::Something };
        let gives_self = classes.iter().all(|class| match self.member_of_class(class, method, HOPS) {
            ClassStep::Found(Target::Function(functions)) => functions.iter().all(|function| function.gives_self),
            _ => false,
        });
        if gives_self { target.clone() } else { Target::Something }
    }

    /// The ways in which something can be called; none where that is not known.
    pub(crate) fn signatures(&self, target: &Target) -> Option<Vec<Signature>> {
        self.begin_question();
        match target {
            Target::Function(functions) => functions.iter().map(|function| function.signature.clone()).collect(),
            Target::Class(classes) => {
                let each: Option<Vec<Vec<Signature>>> = classes.iter().map(|class| self.constructors(class)).collect();
                Some(each?.concat())
            }
            Target::Module(_) | Target::Instance(_) | Target::Something => None,
        }
    }

    /// The names that something offers, for "did you mean".
    pub(crate) fn names_of(&self, target: &Target) -> BTreeSet<String> {
        self.begin_question();
        match target {
            Target::Module(module) => self.names_of_module(module, 4),
            Target::Class(classes) | Target::Instance(classes) => {
                classes.iter().flat_map(|class| self.names_of_class(class, 8)).collect()
            }
            Target::Function(_) | Target::Something => BTreeSet::new(),
        }
    }

    /// The modules at the top whose texts may make a member of something.
    pub(crate) fn tops_of(&self, target: &Target) -> BTreeSet<String> {
        self.begin_question();
        let top = |module: &str| module.split('.').next().unwrap_or(module).to_owned();
        match target {
            Target::Module(module) => {
                let mut tops = BTreeSet::from([top(module)]);
                if let FoundModule::Surface(surface) = self.module(module) {
                    tops.extend(surface.stars.iter().map(|star| top(star)));
                }
                tops
            }
            Target::Class(classes) | Target::Instance(classes) => {
                classes.iter().flat_map(|class| self.modules_of_class(class, 16)).map(|module| top(&module)).collect()
            }
            Target::Function(_) | Target::Something => BTreeSet::new(),
        }
    }

    fn modules_of_class(&self, class: &ClassOf, hops: usize) -> BTreeSet<String> {
        let mut modules = BTreeSet::from([class.module.clone()]);
        if let Some(left) = hops.checked_sub(1).filter(|_| self.step()) {
            for base in self.bases(class, left) {
                if let BaseClass::Classes(classes) = base {
                    modules.extend(classes.iter().flat_map(|class| self.modules_of_class(class, left)));
                }
            }
        }
        modules
    }

    fn name_within(&self, module: &str, name: &str, hops: usize) -> Step {
        let Some(left) = hops.checked_sub(1).filter(|_| self.step()) else { return Step::Unknown };
        let surface = match self.module(module) {
            FoundModule::Surface(surface) => surface,
            FoundModule::Namespace => return self.submodule(module, name).unwrap_or(Step::Unknown),
            FoundModule::Missing => return Step::Unknown,
        };
        if surface.open == Some(Openness::OtherVersion) {
            return Step::Unknown;
        }
        let own = surface.names.get(name).map(|bound| self.target_of(module, bound, left));
        match own {
            Some(own) if surface.stars.is_empty() => return Step::Found(own),
            None => {
                if let Some(found) = self.submodule(module, name) {
                    return found;
                }
            }
            Some(_) => {}
        }
        // Which of several bindings is the last one is not looked into: it may be any of them.
        let mut found: Vec<Target> = own.into_iter().collect();
        let by_getattr = surface.open == Some(Openness::GetattrOfOwn);
        let mut unknown = surface.open.is_some() && !by_getattr || is_of_every_module(name);
        let mut unless_named = by_getattr;
        for star in &surface.stars {
            match self.name_within(star, name, left) {
                Step::Missing => {}
                Step::MissingUnlessNamed => unless_named = true,
                Step::Unknown => unknown = true,
                Step::Found(target) => found.push(target),
            }
        }
        if !found.is_empty() {
            return Step::Found(if unknown { Target::Something } else { join(found) });
        }
        match (unknown, unless_named) {
            (true, _) => Step::Unknown,
            (false, true) => Step::MissingUnlessNamed,
            (false, false) => Step::Missing,
        }
    }

    fn submodule(&self, module: &str, name: &str) -> Option<Step> {
        let below = format!("{module}.{name}");
        let is_there = !matches!(self.module(&below), FoundModule::Missing);
        is_there.then_some(Step::Found(Target::Module(below)))
    }

    /// What all bindings of a name come to.
    fn target_of(&self, module: &str, bound: &[BoundName], hops: usize) -> Target {
        let targets: Vec<Target> = bound.iter().map(|one| self.target_of_one(module, one, hops)).collect();
        join(targets)
    }

    fn target_of_one(&self, module: &str, bound: &BoundName, hops: usize) -> Target {
        match bound {
            BoundName::Function(function) => Target::Function(vec![function.clone()]),
            BoundName::Class(surface) => {
                Target::Class(vec![ClassOf { module: module.to_owned(), surface: Arc::clone(surface) }])
            }
            BoundName::Import { module, name: None } => Target::Module(module.clone()),
            BoundName::Import { module: from, name: Some(name) } => match self.name_within(from, name, hops) {
                Step::Found(target) => target,
                Step::Missing | Step::MissingUnlessNamed | Step::Unknown => Target::Something,
            },
            BoundName::Alias(dotted) => self.dotted(module, dotted, hops).unwrap_or(Target::Something),
            BoundName::Value => Target::Something,
        }
    }

    /// What a dotted name means in a module.
    fn dotted(&self, module: &str, dotted: &str, hops: usize) -> Option<Target> {
        let left = hops.checked_sub(1).filter(|_| self.step())?;
        let mut parts = dotted.split('.');
        let Step::Found(mut target) = self.name_within(module, parts.next()?, left) else { return None };
        for part in parts {
            let step = match &target {
                Target::Module(of) => self.name_within(of, part, left),
                Target::Class(classes) => classes
                    .iter()
                    .map(|class| self.member_of_class(class, part, left))
                    .find_map(ClassStep::into_found)
                    .map_or(Step::Unknown, Step::Found),
                _ => Step::Unknown,
            };
            let Step::Found(found) = step else { return None };
            target = found;
        }
        Some(target)
    }

    fn member_of_classes(&self, classes: &[ClassOf], name: &str, of_instance: bool) -> Step {
        let mut unknown = is_special(name) || name == "mro";
        let mut found = Vec::new();
        for class in classes {
            match self.member_of_class(class, name, HOPS) {
                ClassStep::Found(target) => found.push(target),
                ClassStep::Missing => {}
                ClassStep::Unknown => unknown = true,
            }
        }
        if found.is_empty() {
            return if unknown { Step::Unknown } else { Step::Missing };
        }
        // A metaclass or a base that is not known may call its methods in its own way.
        let known = classes.iter().all(|class| self.has_known_bases(class, HOPS));
        Step::Found(match join(found) {
            Target::Function(_) if !known => Target::Something,
            Target::Function(functions) => bind(functions, of_instance),
            other => other,
        })
    }

    fn member_of_class(&self, class: &ClassOf, name: &str, hops: usize) -> ClassStep {
        let Some(left) = hops.checked_sub(1).filter(|_| self.step()) else { return ClassStep::Unknown };
        if let Some(bound) = class.surface.members.get(name) {
            let targets = bound.iter().map(|one| match one {
                // Names in the body of a class are looked up from there, which nobody needs.
                BoundName::Alias(_) | BoundName::Import { .. } => Target::Something,
                one => self.target_of_one(&class.module, one, left),
            });
            return ClassStep::Found(join(targets.collect()));
        }
        let mut unknown = class.surface.open.is_some();
        for base in self.bases(class, left) {
            match base {
                BaseClass::Classes(classes) => {
                    for class in &classes {
                        if class.surface.members.contains_key("__init_subclass__") {
                            unknown = true;
                        }
                        match self.member_of_class(class, name, left) {
                            ClassStep::Missing => {}
                            ClassStep::Unknown => unknown = true,
                            found @ ClassStep::Found(_) => return found,
                        }
                    }
                }
                BaseClass::Standard(base) => match base.hands_down(name) {
                    Some(true) => return ClassStep::Found(Target::Something),
                    Some(false) => {}
                    None => unknown = true,
                },
                BaseClass::Unknown => unknown = true,
            }
        }
        if unknown { ClassStep::Unknown } else { ClassStep::Missing }
    }

    /// The bases of a class, in order.
    fn bases(&self, class: &ClassOf, hops: usize) -> Vec<BaseClass> {
        let base = |written: &Option<String>| {
            let Some(written) = written else { return BaseClass::Unknown };
            match self.dotted(&class.module, written, hops) {
                Some(Target::Class(classes)) => BaseClass::Classes(classes),
                _ => self.standard_base(&class.module, written, hops).map_or(BaseClass::Unknown, BaseClass::Standard),
            }
        };
        class.surface.bases.iter().map(base).collect()
    }

    /// The class of Python itself that a module means by a name: by the import that binds its first part, here or in the
    /// module that it is imported from, or built in.
    fn standard_base(&self, module: &str, written: &str, hops: usize) -> Option<StandardBase> {
        let left = hops.checked_sub(1).filter(|_| self.step())?;
        let surface = match self.module(module) {
            FoundModule::Surface(surface) => surface,
            FoundModule::Missing => return StandardBase::of_name(&format!("{module}.{written}")),
            FoundModule::Namespace => return None,
        };
        let (first, rest) = written.split_once('.').map_or((written, None), |(first, rest)| (first, Some(rest)));
        let Some(bound) = surface.names.get(first) else {
            return if surface.stars.is_empty() { StandardBase::of_name(written) } else { None };
        };
        let mut meant = bound.iter().map(|one| match (one, rest) {
            (BoundName::Import { module, name: Some(name) }, None) => self.standard_base(module, name, left),
            (BoundName::Import { module, name: Some(name) }, Some(rest)) => {
                self.standard_base(module, &format!("{name}.{rest}"), left)
            }
            (BoundName::Import { module, name: None }, Some(rest)) => self.standard_base(module, rest, left),
            _ => None,
        });
        // By whatever branch it comes, it has to be the same.
        let one = meant.next()??;
        meant.all(|other| other == Some(one)).then_some(one)
    }

    /// How a class is made; none where something else than `__init__` may have a say.
    fn constructors(&self, class: &ClassOf) -> Option<Vec<Signature>> {
        if !self.is_made_plainly(class, HOPS) {
            return None;
        }
        match self.member_of_class(class, "__init__", HOPS) {
            ClassStep::Found(Target::Function(functions)) => match bind(functions, true) {
                Target::Function(functions) => functions.into_iter().map(|function| function.signature).collect(),
                _ => None,
            },
            ClassStep::Missing => Some(vec![Signature::default()]),
            ClassStep::Found(_) | ClassStep::Unknown => None,
        }
    }

    /// Whether nothing but `__init__` decides what a class is made with, in all of its bases.
    fn is_made_plainly(&self, class: &ClassOf, hops: usize) -> bool {
        let Some(left) = hops.checked_sub(1).filter(|_| self.step()) else { return false };
        if class.surface.made_otherwise || class.surface.members.contains_key("__new__") {
            return false;
        }
        self.bases(class, left).into_iter().all(|base| match base {
            BaseClass::Classes(classes) => classes.iter().all(|class| self.is_made_plainly(class, left)),
            BaseClass::Standard(base) => base.is_plain(),
            BaseClass::Unknown => false,
        })
    }

    fn has_known_bases(&self, class: &ClassOf, hops: usize) -> bool {
        let Some(left) = hops.checked_sub(1).filter(|_| self.step()) else { return false };
        self.bases(class, left).into_iter().all(|base| match base {
            BaseClass::Classes(classes) => classes.iter().all(|class| self.has_known_bases(class, left)),
            BaseClass::Standard(_) => true,
            BaseClass::Unknown => false,
        })
    }

    fn names_of_module(&self, module: &str, hops: usize) -> BTreeSet<String> {
        let mut names: BTreeSet<String> = self.libraries.submodules(module).into_iter().collect();
        if let FoundModule::Surface(surface) = self.module(module) {
            names.extend(surface.names.keys().cloned());
            if let Some(left) = hops.checked_sub(1).filter(|_| self.step()) {
                names.extend(surface.stars.iter().flat_map(|star| self.names_of_module(star, left)));
            }
        }
        names
    }

    fn names_of_class(&self, class: &ClassOf, hops: usize) -> BTreeSet<String> {
        let mut names: BTreeSet<String> = class.surface.members.keys().cloned().collect();
        if let Some(left) = hops.checked_sub(1).filter(|_| self.step()) {
            for base in self.bases(class, left) {
                match base {
                    BaseClass::Classes(classes) => {
                        names.extend(classes.iter().flat_map(|class| self.names_of_class(class, left)));
                    }
                    BaseClass::Standard(base) => names.extend(base.members().into_iter().map(str::to_owned)),
                    BaseClass::Unknown => {}
                }
            }
        }
        names
    }
}

/// A base of a class.
enum BaseClass {
    Classes(Vec<ClassOf>),
    Standard(StandardBase),
    Unknown,
}

enum ClassStep {
    Found(Target),
    Missing,
    Unknown,
}

impl ClassStep {
    fn into_found(self) -> Option<Target> {
        match self {
            Self::Found(target) => Some(target),
            Self::Missing | Self::Unknown => None,
        }
    }
}

/// Several meanings of one name as one: of one kind, or nothing that is known.
fn join(targets: Vec<Target>) -> Target {
    let mut targets = targets.into_iter();
    let Some(first) = targets.next() else { return Target::Something };
    targets.fold(first, |joined, next| match (joined, next) {
        (Target::Class(mut all), Target::Class(more)) => {
            all.extend(more);
            Target::Class(all)
        }
        (Target::Function(mut all), Target::Function(more)) => {
            all.extend(more);
            Target::Function(all)
        }
        (Target::Module(one), Target::Module(other)) if one == other => Target::Module(one),
        _ => Target::Something,
    })
}

/// A method as it is reached through an instance or through the class.
fn bind(functions: Vec<FunctionSurface>, of_instance: bool) -> Target {
    if functions.iter().any(|function| function.kind == FunctionKind::Property) {
        return Target::Something;
    }
    let bound = functions.into_iter().map(|function| {
        let takes_first = match function.kind {
            FunctionKind::Plain => of_instance,
            FunctionKind::Class => true,
            FunctionKind::Static | FunctionKind::Property => false,
        };
        let signature =
            function.signature.and_then(|signature| if takes_first { signature.bound() } else { Some(signature) });
        FunctionSurface { signature, ..function }
    });
    Target::Function(bound.collect())
}

/// Names with underscores at both ends are Python's own.
fn is_special(name: &str) -> bool {
    name.starts_with("__") && name.ends_with("__")
}
