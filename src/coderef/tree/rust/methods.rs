//! The methods of types: their own, those of traits that they implement, and those of traits that are all that is known.

use std::collections::{HashMap, HashSet};

use super::facts::{RustDeclaration, RustMethod, TermId, by_name};
use super::modules::{RustItem, RustModules};
use super::types::RustType;
use crate::model::FileId;
use crate::tree::keyed::KeyedLists;

/// Methods of one name that are kept: one more than is listed anywhere.
const MOST_DOUBLES: usize = 11;
/// Types one behind the other by `Deref`.
const MOST_STEPS: usize = 4;
/// Traits that are looked into for one method; where there are more, nothing is said.
const MOST_TRAITS: usize = 100;

type Methods<'a> = Vec<(FileId, &'a RustMethod)>;
/// By type and name.
type KeyedMethods<'a> = KeyedLists<(RustItem, &'a str), (FileId, &'a RustMethod)>;

#[derive(Debug)]
pub(in crate::tree) struct RustMethods<'a> {
    modules: &'a RustModules<'a>,
    own: KeyedMethods<'a>,
    of_traits: KeyedMethods<'a>,
    /// The traits of the project that a type implements.
    traits: KeyedLists<RustItem, RustItem>,
    targets: HashMap<RustItem, (FileId, TermId)>,
}

impl<'a> RustMethods<'a> {
    pub(super) fn new(modules: &'a RustModules<'a>) -> Self {
        let mut methods = Self {
            modules,
            own: KeyedLists::of_at_most(MOST_DOUBLES),
            of_traits: KeyedLists::of_at_most(MOST_DOUBLES),
            traits: KeyedLists::default(),
            targets: HashMap::new(),
        };
        for (file, facts) in modules.files() {
            for found in &facts.impls {
                let RustType::Declared(of) = modules.term_type(file, found.of) else { continue };
                let all = if found.of_trait == 0 { &mut methods.own } else { &mut methods.of_traits };
                for method in &found.methods {
                    all.push((of, &method.name), (file, method));
                }
                if let Some(of_trait) = modules.trait_of(file, found.of_trait) {
                    methods.traits.push(of, of_trait);
                }
                if found.target != 0 {
                    methods.targets.insert(of, (file, found.target));
                }
            }
        }
        methods
    }

    /// The function that a name means on a type of the project; nothing when the type has none of the name.
    pub(super) fn of_type(&self, of: RustItem, name: &str) -> Option<RustType<'a>> {
        // A method that is written for the type stands for the one that the trait gives.
        let found = [&self.own, &self.of_traits].into_iter().map(|all| all.get(&(of, name)));
        if let Some(found) = found.into_iter().find(|found| !found.is_empty()) {
            return Some(self.callee(found));
        }
        self.of_bounds(self.traits.get(&of), name)
    }

    /// The same for a call on a value.
    fn on_value(&self, of: RustItem, name: &str) -> Option<RustType<'a>> {
        let takes_self = |found: &[(FileId, &RustMethod)]| found.iter().any(|(_, method)| method.has_self);
        if takes_self(self.own.get(&(of, name))) {
            return self.of_type(of, name);
        }
        let found = self.of_traits.get(&(of, name));
        if takes_self(found) {
            return Some(self.callee(found));
        }
        self.of_bounds(self.traits.get(&of), name)
    }

    /// The method of a name that bounds give.
    pub(super) fn of_bounds(&self, traits: &[RustItem], name: &str) -> Option<RustType<'a>> {
        let mut seen = HashSet::new();
        let found: Methods<'a> = traits.iter().flat_map(|item| self.trait_methods(*item, name, &mut seen)).collect();
        (!found.is_empty() && seen.len() < MOST_TRAITS).then(|| self.callee(&found))
    }

    /// The method of a name in a trait, or in those above it.
    fn trait_methods(&self, of: RustItem, name: &str, seen: &mut HashSet<RustItem>) -> Methods<'a> {
        if seen.len() >= MOST_TRAITS || !seen.insert(of) {
            return Vec::new();
        }
        let Some(RustDeclaration::Trait { methods, above }) = self.modules.declared(of).map(|it| &it.what) else {
            return Vec::new();
        };
        if let Some((_, own)) = by_name(methods, name, |method| &method.name) {
            return vec![(of.file, own)];
        }
        let above = above.iter().filter_map(|term| self.modules.trait_of(of.file, *term)).collect::<Vec<_>>();
        above.into_iter().flat_map(|item| self.trait_methods(item, name, seen)).collect()
    }

    fn callee(&self, found: &[(FileId, &'a RustMethod)]) -> RustType<'a> {
        let project = self.modules.project();
        let elements = found.iter().filter_map(|(file, method)| project.element_id(*file, method.element?));
        let result = match found {
            [(file, method)] => Some((*file, method.result, method.is_async)),
            _ => None,
        };
        RustType::Callee(elements.collect(), result)
    }

    /// What a type of the project leads to by `Deref`, as far as that is the project's too.
    pub(super) fn behind(&self, of: RustItem) -> Option<RustType<'a>> {
        let (file, term) = self.targets.get(&of)?;
        Some(self.modules.term_type(*file, *term))
    }

    /// The function that a name means on a type, or on what it leads to.
    pub(super) fn through_deref(&self, of: RustItem, name: &str) -> Option<RustType<'a>> {
        self.with_those_behind(of).find_map(|at| {
            self.on_value(at, name).or_else(|| match self.behind(at)? {
                RustType::Bounded { traits, is_whole: true, .. } => self.of_bounds(&traits, name),
                _ => None,
            })
        })
    }

    /// A type of the project, and those that it leads to by `Deref`; they may lead back.
    pub(super) fn with_those_behind(&self, of: RustItem) -> impl Iterator<Item = RustItem> {
        let next = |at: &RustItem| match self.behind(*at)? {
            RustType::Declared(next) => Some(next),
            _ => None,
        };
        std::iter::successors(Some(of), next).take(MOST_STEPS)
    }
}
