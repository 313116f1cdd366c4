//! Types that JavaScript declares in doc comments: `@param`, `@returns`, `@type`, `@typedef` and their kin say what an
//! annotation says in TypeScript.

mod apply;
mod attach;
mod comment;
mod declare;
mod parse;

use std::collections::HashMap;
use std::ops::Range;

use oxc_allocator::Allocator;
use oxc_ast::ast::{Program, TSType};
use oxc_span::Span;

use self::attach::Tokens;
use self::comment::{Tag, TagKind};
use crate::script::facts::{ExprId, SymbolId};

/// Position of a comment in [`JsDocComments::all`].
pub(super) type DocId = u32;

/// One comment that says something of types.
#[derive(Debug)]
struct Doc {
    span: Span,
    tags: Vec<Tag>,
}

/// A type parameter, with the stretch of the file in which it is known.
#[derive(Debug)]
struct JsDocTemplate {
    known: Range<u32>,
    name: String,
    symbol: SymbolId,
}

/// The doc comments of a file; none for TypeScript, where they say nothing of types.
#[derive(Debug, Default)]
pub(super) struct JsDocComments<'a> {
    all: Vec<Doc>,
    /// The types of all tags; those that cannot be read are missing.
    types: Vec<Option<&'a TSType<'a>>>,
    /// The comment of a declaration, function, class or parameter, by its place.
    of: HashMap<Span, DocId>,
    /// The comment before a parenthesis that casts, by the first byte inside of it.
    casts: HashMap<u32, DocId>,
    /// What `@typedef` and `@callback` declare.
    names: HashMap<String, SymbolId>,
    templates: Vec<JsDocTemplate>,
    /// The first byte of the comment whose types are being read.
    reading: Option<u32>,
    /// Casts that have been noted, by the place of what they cast.
    seen: HashMap<Span, ExprId>,
}

impl<'a> JsDocComments<'a> {
    /// Finds and reads the comments of a program.
    pub(super) fn from_program_comments(allocator: &'a Allocator, program: &'a Program<'a>) -> Self {
        let mut docs = Self::default();
        let mut texts: Vec<String> = Vec::new();
        let mut following: HashMap<u32, DocId> = HashMap::new();
        let tokens = Tokens::from_program(program);
        for comment in &program.comments {
            let span = comment.span;
            let text = program.source_text.get(span.start as usize..span.end as usize).unwrap_or_default();
            if !text.starts_with("/**") || !text.contains('@') {
                continue;
            }
            let tags = comment::parse_jsdoc_tags(text, &mut texts);
            if tags.is_empty() {
                continue;
            }
            let next = tokens.next_token_start(span.end);
            let id = u32::try_from(docs.all.len()).unwrap_or(u32::MAX);
            if tags.iter().any(|tag| tag.kind == TagKind::Type)
                && program.source_text.get(next as usize..).is_some_and(|rest| rest.starts_with('('))
            {
                docs.casts.insert(tokens.next_token_start(next + 1), id);
            }
            // What declares a type of its own says nothing of what happens to stand below.
            if !tags.iter().any(|tag| matches!(tag.kind, TagKind::Typedef | TagKind::Callback)) {
                following.insert(next, id);
            }
            docs.all.push(Doc { span, tags });
        }
        if !docs.all.is_empty() {
            docs.types = parse::parse_jsdoc_types(allocator, &texts);
            docs.of = attach::attach_doc_comments(program, &following);
        }
        docs
    }

    pub(super) fn doc_of_span(&self, span: Span) -> Option<DocId> {
        self.of.get(&span).copied()
    }

    /// Where what is being read stands in the file, when it stands in a comment.
    pub(super) fn current_offset(&self) -> Option<u32> {
        self.reading
    }

    fn tags(&self, doc: DocId) -> &[Tag] {
        self.all.get(doc as usize).map(|doc| doc.tags.as_slice()).unwrap_or_default()
    }
}
