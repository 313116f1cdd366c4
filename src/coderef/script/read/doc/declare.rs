//! What doc comments declare: types by `@typedef` and `@callback`, type parameters by `@template`.

use oxc_span::Span;

use super::comment::{Tag, TagKind};
use super::{Doc, DocId, JsDocTemplate};
use crate::script::facts::{
    Declaration, Function, ObjectShape, Parameter, ScriptExport, ScriptExportTarget, ShapeKind, Symbol, SymbolId, Type,
    TypeId,
};
use crate::script::read::reader::ScriptFactsReader;

/// A type that a comment declares, with the tags it is made of.
#[derive(Debug)]
struct JsDocTypedef {
    doc: DocId,
    tag: Tag,
    inner: Vec<Tag>,
    symbol: SymbolId,
    parameters: Vec<SymbolId>,
}

impl ScriptFactsReader<'_, '_> {
    /// Declares everything by name first, so that types can name each other, then says what the names stand for.
    pub(in crate::script::read) fn declare_docs(&mut self) {
        if self.docs.all.is_empty() {
            return;
        }
        let nodes: Vec<(Span, DocId)> = self.docs.of.iter().map(|(span, doc)| (*span, *doc)).collect();
        let mut declared: Vec<JsDocTypedef> = Vec::new();
        let mut templates: Vec<(DocId, Tag, SymbolId)> = Vec::new();
        for doc in 0..u32::try_from(self.docs.all.len()).unwrap_or(u32::MAX) {
            let Some(Doc { span, tags }) = self.docs.all.get(doc as usize) else { continue };
            let (span, tags) = (*span, tags.clone());
            let own = tags.iter().filter(|tag| tag.kind == TagKind::Template).map(|tag| tag.name.clone());
            // Type parameters are known in the comment and in what it stands before.
            let generic = tags.iter().any(|tag| tag.kind == TagKind::Template);
            let nodes = if generic { nodes.as_slice() } else { &[] };
            let known = nodes.iter().filter(|(_, of)| *of == doc).map(|(node, _)| node.end).max().unwrap_or(span.end);
            let mut parameters: Vec<SymbolId> = Vec::new();
            for (name, tag) in own.zip(tags.iter().filter(|tag| tag.kind == TagKind::Template)) {
                let symbol = self.hidden_named(&name);
                parameters.push(symbol);
                templates.push((doc, tag.clone(), symbol));
                self.docs.templates.push(JsDocTemplate { known: span.start..known.max(span.end), name, symbol });
            }
            for (index, tag) in tags.iter().enumerate() {
                if !matches!(tag.kind, TagKind::Typedef | TagKind::Callback) || tag.name.is_empty() {
                    continue;
                }
                let belongs = |other: &&Tag| {
                    matches!(
                        (tag.kind, other.kind),
                        (TagKind::Typedef, TagKind::Property) | (TagKind::Callback, TagKind::Param | TagKind::Returns)
                    )
                };
                let inner = tags.iter().skip(index + 1).take_while(belongs).cloned().collect();
                let symbol = self.hidden_named(&tag.name);
                self.docs.names.entry(tag.name.clone()).or_insert(symbol);
                declared.push(JsDocTypedef { doc, tag: tag.clone(), inner, symbol, parameters: parameters.clone() });
            }
        }
        for (doc, tag, symbol) in templates {
            let (constraint, default) = (self.doc_type(doc, tag.ty), self.doc_type(doc, tag.default));
            self.declare(symbol, Declaration::TypeParameter { constraint, default });
        }
        for one in declared {
            let ty = match one.tag.kind {
                TagKind::Callback => self.callback(one.doc, &one.inner),
                _ if one.inner.is_empty() => self.doc_type(one.doc, one.tag.ty),
                _ => self.properties(one.doc, &one.inner),
            };
            self.declare(one.symbol, Declaration::Alias { ty, parameters: one.parameters });
        }
    }

    fn hidden_named(&mut self, name: &str) -> SymbolId {
        let symbol = self.hidden_symbol();
        if let Some(place) = self.facts.symbols.get_mut(symbol as usize) {
            *place = Symbol { name: name.to_owned(), ..Symbol::default() };
        }
        symbol
    }

    /// Other files can take the types by name, unless the file exports something else under it.
    pub(in crate::script::read) fn export_docs(&mut self) {
        let known: std::collections::HashSet<String> =
            self.facts.exports.iter().map(|export| export.name.clone()).collect();
        let mut names: Vec<(String, SymbolId)> =
            self.docs.names.iter().map(|(name, symbol)| (name.clone(), *symbol)).collect();
        names.retain(|(name, _)| !known.contains(name));
        names.sort();
        for (name, symbol) in names {
            self.facts.exports.push(ScriptExport {
                name,
                what: ScriptExportTarget::Symbol(symbol),
                type_only: true,
                at: (1, 1),
            });
        }
    }

    fn callback(&mut self, doc: DocId, tags: &[Tag]) -> TypeId {
        let (mut parameters, mut result) = (Vec::new(), 0);
        for tag in tags {
            let ty = self.doc_type(doc, tag.ty);
            match tag.kind {
                TagKind::Returns => result = ty,
                _ if tag.name.contains('.') => {}
                _ => parameters.push(Parameter { ty, optional: tag.optional, rest: false }),
            }
        }
        let function = self.push_function(Function { parameters, result, signature: true, ..Function::default() });
        self.push_type(Type::Function(function))
    }

    /// `@property {T} name`, one after another.
    fn properties(&mut self, doc: DocId, tags: &[Tag]) -> TypeId {
        let members: Vec<(String, Option<u32>)> = tags.iter().map(|tag| (tag.name.clone(), tag.ty)).collect();
        self.literal(doc, &members)
    }

    /// A type with these members; what is written below a member is left out.
    pub(super) fn literal(&mut self, doc: DocId, members: &[(String, Option<u32>)]) -> TypeId {
        let shape = self.push_shape(ObjectShape { kind: ShapeKind::TypeLiteral, ..ObjectShape::default() });
        for (name, ty) in members.iter().filter(|(name, _)| !name.contains('.') && !name.is_empty()) {
            let ty = self.doc_type(doc, *ty);
            self.typed_member(shape, name, ty);
        }
        self.push_type(Type::Literal(shape))
    }
}
