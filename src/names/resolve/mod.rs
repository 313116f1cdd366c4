//! Following names through the modules of an environment: found, certainly missing, or unknown.

mod calls;
mod classes;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

use self::classes::ClassStep;
use super::libraries::{FoundModule, Libraries};
use super::standard::is_of_every_module;
use super::surface::{BoundName, ClassSurface, FunctionSurface, Openness, raises_for};

/// Steps that are taken for one question.
const STEPS: u32 = 4_000;

/// Modules whose `__getattr__` is followed for one question.
const MOST_ASKED: u32 = 32;

/// How many imports and bases are followed for one name.
const HOPS: usize = 32;

/// What a path of names leads to.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    /// By absolute name.
    Module(String),
    /// A class; several where its module and a stub, or several branches, define it.
    Class(Vec<ClassOf>),
    /// Of one of these classes.
    Instance(Vec<ClassOf>),
    /// The same, or of one that is derived from them: a function says that it gives one.
    Declared(Vec<ClassOf>),
    /// A function, by all that is said of it.
    Function(Vec<FunctionOf>),
    /// It is there, and nothing more is known of it.
    Something,
}

/// A class and the module that its bases are named in.
#[derive(Debug, Clone)]
pub(crate) struct ClassOf {
    module: String,
    surface: Arc<ClassSurface>,
}

/// A function, the module that what it gives is named in, and what it is reached through.
#[derive(Debug, Clone)]
pub(crate) struct FunctionOf {
    module: String,
    surface: FunctionSurface,
    receiver: Option<Box<Target>>,
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

    /// Whether a module may have others below it that are not in its folder: it says where they are, puts some in place, or
    /// cannot be read. `__getattr__` is not asked for modules.
    pub(crate) fn may_find_modules_elsewhere(&self, module: &str) -> bool {
        match self.module(module) {
            FoundModule::Surface(surface) => {
                let by_getattr = matches!(surface.open, Some(Openness::Getattr | Openness::GetattrOfOwn));
                (surface.open.is_some() && !by_getattr) || surface.names.contains_key("__path__")
            }
            FoundModule::Namespace | FoundModule::Missing => true,
        }
    }

    /// Whether a module that has no such name itself certainly raises for it, and by which tables that is decided.
    pub(crate) fn raises_for(&self, module: &str, name: &str) -> Option<BTreeSet<String>> {
        self.begin_question();
        self.raises_within(module, name, HOPS)
    }

    fn raises_within(&self, module: &str, name: &str, hops: usize) -> Option<BTreeSet<String>> {
        // Each reads modules anew.
        let left = hops.checked_sub(1).filter(|_| (0..STEPS / MOST_ASKED).all(|_| self.step()))?;
        let libraries = self.libraries;
        let mut tables = raises_for(module, name, &|module| libraries.source(module))?;
        let FoundModule::Surface(surface) = self.module(module) else { return None };
        for star in surface.stars.iter().filter(|star| self.may_export(star, name)) {
            match self.name_within(star, name, left) {
                Step::Missing => {}
                Step::MissingUnlessNamed => tables.extend(self.raises_within(star, name, left)?),
                Step::Unknown | Step::Found(_) => return None,
            }
        }
        Some(tables)
    }

    /// A member of what a path has led to.
    pub(crate) fn member(&self, of: &Target, name: &str) -> Step {
        self.begin_question();
        match of {
            Target::Module(module) => self.name_within(module, name, HOPS),
            Target::Class(classes) | Target::Instance(classes) => self.member_of_classes(of, classes, name),
            // What is derived may have more, of this library at least where it writes the name down.
            Target::Declared(classes) => match self.member_of_classes(of, classes, name) {
                Step::Missing => Step::MissingUnlessNamed,
                step => step,
            },
            Target::Function(_) | Target::Something => Step::Unknown,
        }
    }

    /// The names that something offers, for "did you mean".
    pub(crate) fn names_of(&self, target: &Target) -> BTreeSet<String> {
        self.begin_question();
        match target {
            Target::Module(module) => self.names_of_module(module, 4),
            Target::Class(classes) | Target::Instance(classes) | Target::Declared(classes) => {
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
            Target::Class(classes) | Target::Instance(classes) | Target::Declared(classes) => {
                classes.iter().flat_map(|class| self.modules_of_class(class, 16)).map(|module| top(&module)).collect()
            }
            Target::Function(_) | Target::Something => BTreeSet::new(),
        }
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
        for star in surface.stars.iter().filter(|star| self.may_export(star, name)) {
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

    /// Whether `*` may take a name over from a module.
    fn may_export(&self, module: &str, name: &str) -> bool {
        match self.module(module) {
            FoundModule::Surface(surface) => surface.exported.as_ref().is_none_or(|exported| exported.contains(name)),
            FoundModule::Namespace | FoundModule::Missing => true,
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
            BoundName::Function(function) => {
                let surface = function.clone();
                Target::Function(vec![FunctionOf { module: module.to_owned(), surface, receiver: None }])
            }
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

    fn names_of_module(&self, module: &str, hops: usize) -> BTreeSet<String> {
        let mut names: BTreeSet<String> = self.libraries.submodules(module).into_iter().collect();
        if let FoundModule::Surface(surface) = self.module(module) {
            names.extend(surface.names.keys().cloned());
            if let Some(left) = hops.checked_sub(1).filter(|_| self.step()) {
                for star in &surface.stars {
                    names.extend(
                        self.names_of_module(star, left).into_iter().filter(|name| self.may_export(star, name)),
                    );
                }
            }
        }
        names
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
