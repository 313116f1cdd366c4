//! What a path means in a module: items, `use`, globs and crates.

use std::rc::Rc;

use super::facts::{RustDeclaration, by_name};
use super::modules::{ModuleId, RustItem, RustModules};

/// How often a name may be passed on before the search is given up.
const MOST_HOPS: u32 = 24;
/// Globs of a module that are looked through; where there are more, nothing is said of what none of its own names is.
const MOST_GLOBS: usize = 256;

/// Types and values have names of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Space {
    Type,
    Value,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NamedItem<'a> {
    Module(ModuleId),
    Item(RustItem),
    /// Of an enum, by its position among the variants.
    Variant(RustItem, usize),
    /// A path that leads out of the project.
    Outside(Rc<[&'a str]>),
}

/// Where a path leads, and the names behind what it leads to.
#[derive(Debug, Default)]
pub(super) struct FoundPath<'a> {
    pub(super) named: Vec<NamedItem<'a>>,
    pub(super) rest: &'a [String],
}

impl<'a> RustModules<'a> {
    pub(super) fn follow(&self, module: ModuleId, parts: &'a [String], space: Space) -> FoundPath<'a> {
        self.follow_within(module, parts, space, 0)
    }

    fn follow_within(&self, module: ModuleId, parts: &'a [String], space: Space, hops: u32) -> FoundPath<'a> {
        let Some((first, mut rest)) = parts.split_first().filter(|_| hops < MOST_HOPS) else {
            return FoundPath::default();
        };
        let space_of = |rest: &[String]| if rest.is_empty() { space } else { Space::Type };
        let mut at = match first.as_str() {
            "crate" | "$crate" => vec![NamedItem::Module(self.root(module))],
            "self" => vec![NamedItem::Module(module)],
            "super" => self.parent(module).map(NamedItem::Module).into_iter().collect(),
            name => {
                let found = self.look_up(module, name, space_of(rest), hops + 1);
                if !found.is_empty() {
                    found.to_vec()
                } else if self.globs.get(&module).len() > MOST_GLOBS {
                    return FoundPath::default();
                } else if let Some(root) = self.crate_named(name).filter(|_| space_of(rest) == Space::Type) {
                    vec![NamedItem::Module(root)]
                } else {
                    return FoundPath {
                        named: vec![NamedItem::Outside(parts.iter().map(String::as_str).collect())],
                        rest: &[],
                    };
                }
            }
        };
        while let Some((name, behind)) = rest.split_first() {
            let mut next = Vec::new();
            for named in &at {
                match named {
                    NamedItem::Module(module) if name == "super" => {
                        next.extend(self.parent(*module).map(NamedItem::Module));
                    }
                    NamedItem::Module(module) => {
                        next.extend(self.look_up(*module, name, space_of(behind), hops + 1).iter().cloned());
                    }
                    NamedItem::Item(item) => match self.variant(*item, name) {
                        Some(variant) => next.push(variant),
                        // What belongs to a type is no matter of modules.
                        None => return FoundPath { named: at, rest },
                    },
                    NamedItem::Outside(path) => {
                        let more = rest.iter().map(String::as_str);
                        let whole: Rc<[&str]> = path.iter().copied().chain(more).collect();
                        return FoundPath { named: vec![NamedItem::Outside(whole)], rest: &[] };
                    }
                    NamedItem::Variant(..) => {}
                }
            }
            (at, rest) = (next, behind);
        }
        FoundPath { named: at, rest: &[] }
    }

    fn variant(&self, item: RustItem, name: &str) -> Option<NamedItem<'a>> {
        let RustDeclaration::Enum(variants) = &self.declared(item)?.what else { return None };
        let (at, _) = by_name(variants, name, |variant| &variant.name)?;
        Some(NamedItem::Variant(item, at))
    }

    /// What a name means in a module: what stands there, what is named by `use`, and else what globs bring in.
    fn look_up(&self, module: ModuleId, name: &'a str, space: Space, hops: u32) -> Rc<[NamedItem<'a>]> {
        let key = (module, name, space);
        if let Some(known) = self.found.borrow().get(&key) {
            return Rc::clone(known);
        }
        // Globs that lead back to themselves bring in nothing.
        self.found.borrow_mut().insert(key, Rc::from([]));
        let mut found: Vec<NamedItem<'a>> = Vec::new();
        if space == Space::Type {
            found.extend(self.children.get(&(module, name)).iter().copied().map(NamedItem::Module));
        }
        let fits = |item: &&RustItem| self.declared(**item).is_some_and(|declared| stands_in(&declared.what, space));
        found.extend(self.items.get(&(module, name)).iter().filter(fits).copied().map(NamedItem::Item));
        for named in self.uses.get(&(module, name)) {
            let itself = named.path.len() == 1 && named.path.first().is_some_and(|first| first == name);
            let path = if itself {
                self.crate_or_outside(&named.path)
            } else {
                self.follow_within(module, &named.path, space, hops + 1)
            };
            found.extend(path.named.into_iter().filter(|_| path.rest.is_empty()));
        }
        let globs = self.globs.get(&module);
        if found.is_empty() && globs.len() <= MOST_GLOBS {
            for glob in globs {
                found.extend(self.through_glob(module, &glob.path, name, space, hops));
            }
        }
        let mut single: Vec<NamedItem<'a>> = Vec::new();
        for named in found {
            if !single.contains(&named) {
                single.push(named);
            }
        }
        let found: Rc<[NamedItem<'a>]> = single.into();
        self.found.borrow_mut().insert(key, Rc::clone(&found));
        found
    }

    /// `use name;` names a crate.
    fn crate_or_outside(&self, path: &'a [String]) -> FoundPath<'a> {
        let root = path.first().and_then(|name| self.crate_named(name)).map(NamedItem::Module);
        let named = root.unwrap_or_else(|| NamedItem::Outside(path.iter().map(String::as_str).collect()));
        FoundPath { named: vec![named], rest: &[] }
    }

    fn through_glob(
        &self,
        module: ModuleId,
        path: &'a [String],
        name: &'a str,
        space: Space,
        hops: u32,
    ) -> Vec<NamedItem<'a>> {
        let from = self.follow_within(module, path, Space::Type, hops + 1);
        let mut found = Vec::new();
        for named in from.named.iter().filter(|_| from.rest.is_empty()) {
            match named {
                NamedItem::Module(other) if *other != module => {
                    let names = self.look_up(*other, name, space, hops + 1);
                    let is_inside = self.is_within(module, *other);
                    found.extend(names.iter().filter(|_| is_inside || self.is_offered(*other, name)).cloned());
                }
                NamedItem::Item(item) => found.extend(self.variant(*item, name)),
                _ => {}
            }
        }
        found
    }

    fn is_within(&self, module: ModuleId, outer: ModuleId) -> bool {
        std::iter::successors(Some(module), |module| self.parent(*module)).take(64).any(|module| module == outer)
    }

    /// Whether a module shows a name to others: by an item or a `use` that is public, or by a glob.
    fn is_offered(&self, module: ModuleId, name: &str) -> bool {
        let items = self.items.get(&(module, name));
        let uses = self.uses.get(&(module, name));
        if items.is_empty() && uses.is_empty() {
            return self.globs.get(&module).iter().any(|glob| glob.is_public)
                || !self.children.get(&(module, name)).is_empty();
        }
        items.iter().any(|item| self.declared(*item).is_some_and(|declared| declared.is_public))
            || uses.iter().any(|named| named.is_public)
    }
}

fn stands_in(what: &RustDeclaration, space: Space) -> bool {
    match what {
        RustDeclaration::Function { .. } | RustDeclaration::Value(_) => space == Space::Value,
        RustDeclaration::Struct { fields, is_tuple } => space == Space::Type || *is_tuple || fields.is_empty(),
        RustDeclaration::Enum(_) | RustDeclaration::Trait { .. } | RustDeclaration::Alias(_) => space == Space::Type,
    }
}
