//! Types that are written, as what they mean.

use std::rc::Rc;

use super::facts::{RustDeclaration, RustTerm, TermId};
use super::lookup::{NamedItem, Space};
use super::modules::{ModuleId, RustItem, RustModules};
use super::standard::standard_type;
use crate::model::{ElementId, FileId};

/// Types in types that are looked into.
const DEEPEST: u32 = 24;

/// The type of a value, or what stands where a value could.
#[derive(Debug, Clone, Default)]
pub(in crate::tree) enum RustType<'a> {
    #[default]
    Unknown,
    Declared(RustItem),
    /// Something of which only traits are known; `is_whole` says that all of them are of the project.
    Bounded {
        traits: Rc<[RustItem]>,
        is_whole: bool,
        is_parameter: bool,
    },
    /// A type of the standard library whose methods lead on to its arguments.
    Standard(&'static str, Rc<[Self]>),
    List(Rc<Self>),
    Tuple(Rc<[Self]>),
    /// With what a call gives.
    Function(FileId, TermId),
    Future(Rc<Self>),
    Outside(Rc<[&'a str]>),
    /// No value but a type.
    Itself,
    /// What makes a variant, or a struct whose element is given.
    Constructor(Option<ElementId>, Rc<Self>),
    /// Functions that are declared, with what a call gives: file, type and whether it has to be awaited.
    Callee(Rc<[ElementId]>, Option<(FileId, TermId, bool)>),
    /// A function from outside of which is known what it gives.
    Foreign(Rc<Self>),
}

impl<'a> RustModules<'a> {
    /// The type that a term of a file means.
    pub(super) fn term_type(&self, file: FileId, term: TermId) -> RustType<'a> {
        if term == 0 {
            return RustType::Unknown;
        }
        if let Some(known) = self.terms.borrow().get(&(file, term)) {
            return known.clone();
        }
        // An alias of itself is nothing.
        self.terms.borrow_mut().insert((file, term), RustType::Unknown);
        let found = self.term_within(file, term, &[], 0);
        self.terms.borrow_mut().insert((file, term), found.clone());
        found
    }

    fn term_within(&self, file: FileId, term: TermId, given: &[RustType<'a>], depth: u32) -> RustType<'a> {
        let facts = self.facts(file).filter(|_| depth < DEEPEST);
        let Some(term) = facts.and_then(|facts| facts.terms.get(term as usize)) else { return RustType::Unknown };
        let inner = |term: &TermId| self.term_within(file, *term, given, depth + 1);
        match term {
            RustTerm::Unknown => RustType::Unknown,
            RustTerm::Argument(at) => given.get(*at as usize).cloned().unwrap_or(RustType::Unknown),
            RustTerm::Tuple(parts) => RustType::Tuple(parts.iter().map(inner).collect()),
            RustTerm::List(of) => RustType::List(Rc::new(inner(of))),
            RustTerm::Function(result) => RustType::Function(file, *result),
            RustTerm::Parameter(bounds) | RustTerm::Object(bounds) => {
                if let [RustType::Function(file, result)] = bounds.iter().map(inner).collect::<Vec<_>>().as_slice() {
                    return RustType::Function(*file, *result);
                }
                let is_parameter = matches!(term, RustTerm::Parameter(_));
                let found: Vec<Option<RustItem>> = bounds.iter().map(|bound| self.trait_of(file, *bound)).collect();
                let is_whole = found.iter().all(Option::is_some);
                RustType::Bounded { traits: found.into_iter().flatten().collect(), is_whole, is_parameter }
            }
            RustTerm::Path { module, parts, arguments } => {
                let arguments: Vec<RustType<'a>> = arguments.iter().map(inner).collect();
                self.path_type(ModuleId { file, at: *module }, parts, &arguments, depth)
            }
        }
    }

    fn path_type(&self, module: ModuleId, parts: &'a [String], arguments: &[RustType<'a>], depth: u32) -> RustType<'a> {
        let found = self.follow(module, parts, Space::Type);
        match found.named.as_slice() {
            [NamedItem::Item(item)] if found.rest.is_empty() => self.item_type(*item, arguments, depth),
            [NamedItem::Variant(of, _)] => RustType::Declared(*of),
            [NamedItem::Outside(path)] => match standard_type(path) {
                Some(name) => RustType::Standard(name, arguments.into()),
                None => RustType::Outside(Rc::clone(path)),
            },
            _ => RustType::Unknown,
        }
    }

    /// The type that an item declares.
    pub(super) fn item_type(&self, item: RustItem, arguments: &[RustType<'a>], depth: u32) -> RustType<'a> {
        match self.declared(item).map(|declared| &declared.what) {
            Some(RustDeclaration::Struct { .. } | RustDeclaration::Enum(_)) => RustType::Declared(item),
            Some(RustDeclaration::Alias(term)) => self.term_within(item.file, *term, arguments, depth + 1),
            // Before 2018 a trait stood where `dyn` stands now.
            Some(RustDeclaration::Trait { .. }) => {
                RustType::Bounded { traits: Rc::from([item]), is_whole: true, is_parameter: false }
            }
            Some(RustDeclaration::Function { .. } | RustDeclaration::Value(_)) | None => RustType::Unknown,
        }
    }

    /// The trait of the project that a term names.
    pub(super) fn trait_of(&self, file: FileId, term: TermId) -> Option<RustItem> {
        let RustTerm::Path { module, parts, .. } = self.facts(file)?.terms.get(term as usize)? else { return None };
        let found = self.follow(ModuleId { file, at: *module }, parts, Space::Type);
        match found.named.as_slice() {
            [NamedItem::Item(item)] if found.rest.is_empty() => {
                matches!(self.declared(*item)?.what, RustDeclaration::Trait { .. }).then_some(*item)
            }
            _ => None,
        }
    }
}

/// A type as it is seen from outside of what declares it: what its parameters stand for is not known there.
pub(super) fn seen_from_outside(of: RustType<'_>) -> RustType<'_> {
    match of {
        RustType::Bounded { is_parameter: true, .. } => RustType::Unknown,
        RustType::Standard(name, arguments) => {
            RustType::Standard(name, arguments.iter().cloned().map(seen_from_outside).collect())
        }
        RustType::List(of) => RustType::List(Rc::new(seen_from_outside((*of).clone()))),
        RustType::Tuple(parts) => RustType::Tuple(parts.iter().cloned().map(seen_from_outside).collect()),
        other => other,
    }
}
