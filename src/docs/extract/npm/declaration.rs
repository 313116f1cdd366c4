//! Declarations as one line of text, with their members.

use std::collections::BTreeMap;

use oxc_ast::ast::{
    BindingPattern, Class, ClassElement, Function, TSEnumDeclaration, TSInterfaceDeclaration, TSSignature,
    TSTypeAliasDeclaration, VariableDeclaration,
};
use oxc_span::{GetSpan as _, Span};

use super::scope::Declaration;
use crate::symbol::SymbolKind;
use crate::text::{Doc, clip, squeeze};

/// Longest signature, in characters.
const SIGNATURE: usize = 600;
/// Most members of one declaration.
const MEMBERS: usize = 300;

/// The text of a file with what is needed to quote from it.
pub(super) struct DeclarationFile<'s> {
    pub(super) text: &'s str,
    /// Documentation comments by the place of what they stand before.
    pub(super) docs: BTreeMap<u32, Span>,
    lines: Vec<usize>,
}

impl<'s> DeclarationFile<'s> {
    pub(super) fn new(text: &'s str, docs: BTreeMap<u32, Span>) -> Self {
        Self { text, docs, lines: text.match_indices('\n').map(|(at, _)| at).collect() }
    }

    fn slice(&self, start: u32, end: u32) -> &'s str {
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    fn line(&self, at: u32) -> u32 {
        let before = self.lines.partition_point(|end| *end < at as usize);
        u32::try_from(before + 1).unwrap_or(u32::MAX)
    }

    /// The comment before a place; of a declaration with `export` in front it stands before that.
    fn doc(&self, at: u32) -> Doc {
        let Some(comment) = self.docs.get(&at) else { return Doc::default() };
        let stripped: Vec<&str> = self
            .slice(comment.start, comment.end)
            .lines()
            .map(|line| {
                line.trim().trim_start_matches('*').strip_prefix(' ').unwrap_or(line.trim().trim_start_matches('*'))
            })
            .collect();
        let whole = stripped.join("\n");
        let prose: Vec<&str> = stripped.into_iter().take_while(|line| !line.trim_start().starts_with('@')).collect();
        let prose = prose.join("\n");
        Doc { line: Doc::parse_doc(prose.trim()).line, ..Doc::parse_doc(whole.trim()) }
    }

    fn declaration(&self, kind: SymbolKind, span: Span, end: u32, anchor: u32) -> Declaration {
        Declaration {
            kind,
            signature: strip_modifiers(self.slice(span.start, end)),
            overloads: Vec::new(),
            doc: self.doc(anchor),
            line: self.line(span.start),
            members: BTreeMap::new(),
            open: None,
        }
    }

    fn add_member(&self, found: &mut Declaration, name: String, kind: SymbolKind, span: Span) {
        found.member(name, self.declaration(kind, span, span.end, span.start));
    }

    pub(super) fn function(&self, function: &Function<'_>, anchor: u32) -> Declaration {
        let end = function.body.as_ref().map_or(function.span.end, |body| body.span.start);
        self.declaration(SymbolKind::Function, function.span, end, anchor)
    }

    pub(super) fn class(&self, class: &Class<'_>, anchor: u32) -> Declaration {
        let mut found = self.declaration(SymbolKind::Class, class.span, class.body.span.start, anchor);
        found.open = class.heritage.is_some().then_some(EXTENDS);
        if class.body.body.len() > MEMBERS
            || class.body.body.iter().any(|it| matches!(it, ClassElement::TSIndexSignature(_)))
        {
            found.open = Some(MORE);
        }
        for element in class.body.body.iter().take(MEMBERS) {
            let span = element.span();
            let (name, kind) = match element {
                ClassElement::MethodDefinition(method) => {
                    let private = method.accessibility.is_some_and(|access| access.as_str() == "private");
                    let accessor = method.kind.is_get() || method.kind.is_set();
                    let kind = if accessor { SymbolKind::Property } else { SymbolKind::Method };
                    (method.key.static_name().filter(|_| !private), kind)
                }
                ClassElement::PropertyDefinition(property) => {
                    let private = property.accessibility.is_some_and(|access| access.as_str() == "private");
                    (property.key.static_name().filter(|_| !private), SymbolKind::Property)
                }
                ClassElement::AccessorProperty(property) => (property.key.static_name(), SymbolKind::Property),
                _ => (None, SymbolKind::Property),
            };
            if let Some(name) = name.filter(|name| !name.starts_with('#')) {
                self.add_member(&mut found, name.into_owned(), kind, span);
            }
        }
        found
    }

    pub(super) fn interface(&self, interface: &TSInterfaceDeclaration<'_>, anchor: u32) -> Declaration {
        let mut found = self.declaration(SymbolKind::Interface, interface.span, interface.body.span.start, anchor);
        found.open = (!interface.extends.is_empty()).then_some(EXTENDS);
        let takes_any_name = |it: &TSSignature<'_>| matches!(it, TSSignature::TSIndexSignature(_));
        if interface.body.body.len() > MEMBERS || interface.body.body.iter().any(takes_any_name) {
            found.open = Some(MORE);
        }
        for signature in interface.body.body.iter().take(MEMBERS) {
            let span = signature.span();
            let (name, kind) = match signature {
                TSSignature::TSPropertySignature(property) => (property.key.static_name(), SymbolKind::Property),
                TSSignature::TSMethodSignature(method) => (method.key.static_name(), SymbolKind::Method),
                _ => (None, SymbolKind::Property),
            };
            if let Some(name) = name {
                self.add_member(&mut found, name.into_owned(), kind, span);
            }
        }
        found
    }

    pub(super) fn alias(&self, alias: &TSTypeAliasDeclaration<'_>, anchor: u32) -> Declaration {
        self.declaration(SymbolKind::TypeAlias, alias.span, alias.span.end, anchor)
    }

    pub(super) fn enumeration(&self, declared: &TSEnumDeclaration<'_>, anchor: u32) -> Declaration {
        let mut found = self.declaration(SymbolKind::Enum, declared.span, declared.body.span.start, anchor);
        for member in declared.body.members.iter().take(MEMBERS) {
            self.add_member(&mut found, member.id.static_name().to_string(), SymbolKind::Attribute, member.span);
        }
        found
    }

    /// Every plain name that a statement declares.
    pub(super) fn variables(&self, declared: &VariableDeclaration<'_>, anchor: u32) -> Vec<(String, Declaration)> {
        let variables = declared.declarations.iter().filter_map(|declarator| {
            let BindingPattern::BindingIdentifier(name) = &declarator.id else { return None };
            let mut found = self.declaration(SymbolKind::Variable, declarator.span, declarator.span.end, anchor);
            found.signature = format!("{} {}", declared.kind.as_str(), found.signature);
            Some((name.name.to_string(), found))
        });
        variables.collect()
    }

    /// A namespace that nothing else goes by the name of.
    pub(super) fn namespace(&self, name: &str, span: Span, anchor: u32) -> Declaration {
        let mut found = self.declaration(SymbolKind::Namespace, span, span.start, anchor);
        found.signature = format!("namespace {name}");
        found
    }
}

/// Why a class or interface may have members that are not listed.
const EXTENDS: &str = "what it extends is not followed";
const MORE: &str = "it has more names than are listed";

/// A declaration without the words that only matter in declaration files.
fn strip_modifiers(text: &str) -> String {
    let squeezed = squeeze(text);
    let mut rest = squeezed.as_str();
    for word in ["export ", "default ", "declare "] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    clip(rest.trim_end_matches([';', ',', ' ', '{']), SIGNATURE)
}
