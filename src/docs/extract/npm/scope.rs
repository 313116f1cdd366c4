//! What a declaration file or a namespace in it says, free of its syntax tree.

use std::collections::BTreeMap;

use crate::symbol::SymbolKind;
use crate::text::Doc;

/// A module or the body of a namespace.
#[derive(Debug, Clone, Default)]
pub(super) struct DeclarationScope {
    pub(super) locals: BTreeMap<String, MergedDeclaration>,
    pub(super) imports: BTreeMap<String, NameTarget>,
    /// Names given out, with what stands behind each.
    pub(super) exports: BTreeMap<String, NameTarget>,
    /// Modules all of whose names are given out.
    pub(super) stars: Vec<String>,
    /// `export = a.b`.
    pub(super) equals: Option<Vec<String>>,
    /// It says what it gives out; without a word every declaration is given out.
    pub(super) explicit: bool,
    /// Modules declared by name: `declare module "x" { … }`.
    pub(super) modules: BTreeMap<String, DeclarationScope>,
}

/// What a name refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NameTarget {
    /// A dotted path in the same scope or one around it.
    Local(Vec<String>),
    From {
        module: String,
        name: String,
    },
    Module(String),
}

/// All declarations of one name; the language merges them.
#[derive(Debug, Clone, Default)]
pub(super) struct MergedDeclaration {
    pub(super) declaration: Option<Declaration>,
    pub(super) namespace: Option<DeclarationScope>,
    /// The declaration says `export` itself.
    pub(super) exported: bool,
}

/// One declaration, or several of one name.
#[derive(Debug, Clone)]
pub(super) struct Declaration {
    pub(super) kind: SymbolKind,
    pub(super) signature: String,
    pub(super) overloads: Vec<String>,
    pub(super) doc: Doc,
    pub(super) line: u32,
    pub(super) members: BTreeMap<String, Declaration>,
    /// Why it may have members that are not among these.
    pub(super) open: Option<&'static str>,
}

impl Declaration {
    /// Takes another declaration of the same name in.
    pub(super) fn merge(&mut self, other: Self) {
        // A value tells more than the type that goes with it.
        let order = |kind| match kind {
            SymbolKind::Function | SymbolKind::Class => 0,
            SymbolKind::Variable => 1,
            SymbolKind::Interface | SymbolKind::Enum => 2,
            _ => 3,
        };
        if order(other.kind) < order(self.kind) {
            let before = std::mem::replace(self, other);
            return self.merge(before);
        }
        if self.doc.line.is_empty() {
            self.doc = other.doc;
        }
        if self.kind == other.kind && self.kind != SymbolKind::Interface && self.signature != other.signature {
            self.overloads.push(other.signature);
        }
        self.open = self.open.or(other.open);
        for (name, member) in other.members {
            self.member(name, member);
        }
    }

    pub(super) fn member(&mut self, name: String, member: Self) {
        match self.members.get_mut(&name) {
            Some(known) => known.merge(member),
            None => {
                self.members.insert(name, member);
            }
        }
    }
}

impl DeclarationScope {
    pub(super) fn declare(&mut self, name: &str, declaration: Declaration, exported: bool) {
        let entry = self.locals.entry(name.to_owned()).or_default();
        entry.exported |= exported;
        match &mut entry.declaration {
            Some(known) => known.merge(declaration),
            None => entry.declaration = Some(declaration),
        }
    }

    /// Takes the parts of a namespace that is declared in several places.
    pub(super) fn merge_scope(&mut self, other: Self) {
        for (name, entry) in other.locals {
            let known = self.locals.entry(name).or_default();
            known.exported |= entry.exported;
            match (&mut known.declaration, entry.declaration) {
                (Some(known), Some(more)) => known.merge(more),
                (slot @ None, more) => *slot = more,
                _ => {}
            }
            match (&mut known.namespace, entry.namespace) {
                (Some(known), Some(more)) => known.merge_scope(more),
                (slot @ None, more) => *slot = more,
                _ => {}
            }
        }
        self.imports.extend(other.imports);
        self.exports.extend(other.exports);
        self.stars.extend(other.stars);
        self.explicit |= other.explicit;
    }
}
