//! Doc comments in the place of annotations.

use oxc_ast::ast::{BindingPattern, Expression, FormalParameters, IdentifierReference, TSType};
use oxc_span::{GetSpan, Span};

use super::comment::{Tag, TagKind};
use super::{DocId, JsDocComments};
use crate::script::facts::{At, Expr, ExprId, Member, MemberValue, Parameter, ShapeId, SymbolId, Type, TypeId};
use crate::script::read::reader::ScriptFactsReader;

impl<'a> ScriptFactsReader<'a, '_> {
    /// The type of a tag.
    pub(super) fn doc_type(&mut self, doc: DocId, ty: Option<u32>) -> TypeId {
        let Some(ty) = ty.and_then(|ty| *self.docs.types.get(ty as usize)?) else { return 0 };
        let outer = self.docs.reading;
        self.docs.reading = self.docs.all.get(doc as usize).map(|doc| doc.span.start);
        let id = self.read_type(ty);
        self.docs.reading = outer;
        id
    }

    fn first_type(&mut self, doc: Option<DocId>, kind: TagKind) -> TypeId {
        let Some(doc) = doc else { return 0 };
        let ty = self.docs.tags(doc).iter().find(|tag| tag.kind == kind).and_then(|tag| tag.ty);
        self.doc_type(doc, ty)
    }

    /// What `@type` says of a declaration.
    pub(in crate::script::read) fn documented_type(&mut self, span: Span) -> TypeId {
        self.first_type(self.docs.doc_of_span(span), TagKind::Type)
    }

    /// What `@returns` and `@this` say of a function.
    pub(in crate::script::read) fn documented_result(&mut self, span: Span) -> (TypeId, TypeId) {
        let doc = self.docs.doc_of_span(span);
        (self.first_type(doc, TagKind::Returns), self.first_type(doc, TagKind::This))
    }

    /// The type parameters of a function or class.
    pub(in crate::script::read) fn documented_templates(&self, span: Span) -> Vec<SymbolId> {
        let Some(doc) = self.docs.doc_of_span(span).and_then(|doc| self.docs.all.get(doc as usize)) else {
            return Vec::new();
        };
        let own = self.docs.templates.iter().filter(|template| template.known.start == doc.span.start);
        own.map(|template| template.symbol).collect()
    }

    /// What `@extends` gives the superclass, and what `@implements` names.
    pub(in crate::script::read) fn documented_heritage(&mut self, span: Span) -> (Vec<TypeId>, Vec<(TypeId, At)>) {
        let Some(doc) = self.docs.doc_of_span(span) else { return (Vec::new(), Vec::new()) };
        let at = self.docs.all.get(doc as usize).map_or(0, |doc| doc.span.start);
        let at = self.at(at);
        let (mut above, mut promised) = (Vec::new(), Vec::new());
        for tag in self.docs.tags(doc).to_vec() {
            match tag.kind {
                TagKind::Extends => {
                    let ty = tag.ty.and_then(|ty| *self.docs.types.get(ty as usize)?);
                    if let Some(TSType::TSTypeReference(it)) = ty {
                        let arguments = it.type_arguments.as_deref();
                        above = self.in_doc(doc, |this| this.arguments_of(arguments));
                    }
                }
                TagKind::Implements => promised.push((self.doc_type(doc, tag.ty), at)),
                _ => {}
            }
        }
        (above, promised)
    }

    fn in_doc<T>(&mut self, doc: DocId, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.docs.reading;
        self.docs.reading = self.docs.all.get(doc as usize).map(|doc| doc.span.start);
        let found = read(self);
        self.docs.reading = outer;
        found
    }

    /// Fills in what `@param` says: by name, or by position for what is taken apart.
    pub(in crate::script::read) fn documented_parameters(
        &mut self,
        span: Span,
        nodes: &FormalParameters<'a>,
        found: &mut [Parameter],
    ) {
        if self.docs.all.is_empty() {
            return;
        }
        let doc = self.docs.doc_of_span(span);
        let tags: Vec<Tag> = doc.map_or_else(Vec::new, |doc| self.docs.tags(doc).to_vec());
        let tags: Vec<Tag> = tags.into_iter().filter(|tag| tag.kind == TagKind::Param).collect();
        let whole: Vec<&Tag> = tags.iter().filter(|tag| !tag.name.contains('.')).collect();
        let items = nodes.items.iter().map(|item| (&item.pattern, item.span));
        let rest = nodes.rest.iter().map(|rest| (&rest.rest.argument, rest.span));
        for ((index, (pattern, place)), parameter) in items.chain(rest).enumerate().zip(found) {
            if parameter.ty != 0 {
                continue;
            }
            parameter.ty = self.documented_type(place);
            let named = match pattern {
                BindingPattern::BindingIdentifier(id) => whole.iter().find(|tag| tag.name == id.name.as_str()),
                _ => whole.get(index),
            };
            let Some((tag, doc)) = named.zip(doc).filter(|_| parameter.ty == 0) else { continue };
            parameter.optional |= tag.optional;
            let below = format!("{}.", tag.name);
            let inside = |other: &Tag| Some((other.name.strip_prefix(&below)?.to_owned(), other.ty));
            let members: Vec<(String, Option<u32>)> = tags.iter().filter_map(inside).collect();
            parameter.ty = if members.is_empty() { self.doc_type(doc, tag.ty) } else { self.literal(doc, &members) };
        }
    }

    /// The symbol of a name that stands in a comment: a type parameter, what a comment declares, what the file declares.
    pub(in crate::script::read) fn doc_name(&self, id: &IdentifierReference<'_>) -> Option<SymbolId> {
        let at = self.docs.reading?;
        let name = id.name.as_str();
        let known = |template: &&super::JsDocTemplate| template.known.contains(&at) && template.name == name;
        let template = self.docs.templates.iter().rev().find(known).map(|template| template.symbol);
        template.or_else(|| self.docs.names.get(name).copied()).or_else(|| {
            let symbol = self.scoping.get_root_binding(name.into())?;
            u32::try_from(symbol.index()).ok()
        })
    }

    pub(super) fn typed_member(&mut self, shape: ShapeId, name: &str, ty: TypeId) {
        self.add_member(shape, Member { name: name.to_owned(), element: None, value: MemberValue::Property(ty, 0) });
    }

    /// `/** @type {T} */ (value)`.
    pub(in crate::script::read) fn documented_cast(&mut self, value: &Expression<'a>) -> Option<ExprId> {
        let span = value.span();
        let doc = *self.docs.casts.get(&span.start)?;
        let closes = self.text.after(span.end).trim_start().starts_with(')');
        if !closes {
            return None;
        }
        if let Some(&id) = self.docs.seen.get(&span) {
            return Some(id);
        }
        let ty = self.first_type(Some(doc), TagKind::Type);
        if ty == 0 || matches!(self.facts.types.get(ty as usize), Some(Type::Global(name, _)) if name == "const") {
            return None;
        }
        self.expr_without_cast(value);
        self.give_context(value, ty);
        let id = self.push_expr(Expr::Cast(ty));
        self.docs.seen.insert(span, id);
        Some(id)
    }
}

impl JsDocComments<'_> {
    /// True when no comment of the file casts anything.
    pub(in crate::script::read) fn is_plain(&self) -> bool {
        self.casts.is_empty()
    }
}
