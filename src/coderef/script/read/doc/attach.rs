//! Which declaration a doc comment belongs to: the one that begins with the next token.

use std::collections::HashMap;

use oxc_ast::ast::{
    ArrowFunctionExpression, AssignmentExpression, Class, ExportDeclaration, ExportDefaultDeclaration, Expression,
    FormalParameter, FormalParameterRest, Function, MethodDefinition, ObjectProperty, Program, PropertyDefinition,
    VariableDeclaration,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;

use super::DocId;

/// Where tokens begin behind comments.
pub(super) struct Tokens<'p> {
    program: &'p Program<'p>,
    /// The token after each comment; found from the last to the first, since many comments may follow on each other.
    after: Vec<u32>,
}

impl<'p> Tokens<'p> {
    pub(super) fn from_program(program: &'p Program<'p>) -> Self {
        let mut tokens = Self { program, after: vec![0; program.comments.len()] };
        for (index, comment) in program.comments.iter().enumerate().rev() {
            let next = tokens.next_token_start(comment.span.end);
            if let Some(after) = tokens.after.get_mut(index) {
                *after = next;
            }
        }
        tokens
    }

    /// Where the next token begins, past white space and comments.
    pub(super) fn next_token_start(&self, from: u32) -> u32 {
        let rest = self.program.source_text.get(from as usize..).unwrap_or_default();
        let at = from + u32::try_from(rest.len() - rest.trim_start().len()).unwrap_or_default();
        let comments = &self.program.comments;
        let index = comments.partition_point(|comment| comment.span.start < at);
        match comments.get(index).filter(|comment| comment.span.start == at) {
            Some(_) => self.after.get(index).copied().unwrap_or(at),
            None => at,
        }
    }
}

/// The comments of declarations, functions, classes and parameters; `following` holds each by the token after it.
pub(super) fn attach_doc_comments(program: &Program<'_>, following: &HashMap<u32, DocId>) -> HashMap<Span, DocId> {
    let mut attach = Attach { following, of: HashMap::new(), outer: None };
    attach.visit_program(program);
    attach.of
}

struct Attach<'f> {
    following: &'f HashMap<u32, DocId>,
    of: HashMap<Span, DocId>,
    /// The comment of the `export` around the declaration that comes next.
    outer: Option<DocId>,
}

impl Attach<'_> {
    fn doc_before(&self, start: u32) -> Option<DocId> {
        self.following.get(&start).copied()
    }

    /// What a declaration declares has its comment, and so has the function or class that it is.
    fn attach_to_declaration(&mut self, span: Span, value: Option<&Expression<'_>>, doc: Option<DocId>) {
        let Some(doc) = doc else { return };
        self.of.insert(span, doc);
        let mut value = value;
        while let Some(Expression::AssignmentExpression(inner)) = value {
            value = Some(&inner.right);
        }
        if let Some(value) = value
            && (value.is_function() || matches!(value, Expression::ClassExpression(_)))
        {
            self.of.insert(value.span(), doc);
        }
    }

    /// A comment of its own says more than that of a declaration around it.
    fn attach_own_doc(&mut self, span: Span) {
        if let Some(doc) = self.doc_before(span.start).or_else(|| self.outer.take()) {
            self.of.insert(span, doc);
        }
    }
}

impl<'a> Visit<'a> for Attach<'_> {
    fn visit_export_declaration(&mut self, it: &ExportDeclaration<'a>) {
        self.outer = self.doc_before(it.span.start);
        walk::walk_export_declaration(self, it);
        self.outer = None;
    }

    fn visit_export_default_declaration(&mut self, it: &ExportDefaultDeclaration<'a>) {
        let is_declared = it.declaration.as_expression().is_none_or(Expression::is_function);
        self.outer = self.doc_before(it.span.start).filter(|_| is_declared);
        walk::walk_export_default_declaration(self, it);
        self.outer = None;
    }

    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        let mut doc = self.outer.take().or_else(|| self.doc_before(it.span.start));
        for declarator in &it.declarations {
            let own = self.doc_before(declarator.span.start).or_else(|| doc.take());
            self.attach_to_declaration(declarator.span, declarator.init.as_ref(), own);
        }
        walk::walk_variable_declaration(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        let doc = self.doc_before(it.span.start);
        self.attach_to_declaration(it.span, Some(&it.right), doc);
        walk::walk_assignment_expression(self, it);
    }

    fn visit_object_property(&mut self, it: &ObjectProperty<'a>) {
        let doc = self.doc_before(it.span.start);
        self.attach_to_declaration(it.span, Some(&it.value), doc);
        walk::walk_object_property(self, it);
    }

    fn visit_property_definition(&mut self, it: &PropertyDefinition<'a>) {
        let doc = self.doc_before(it.span.start);
        self.attach_to_declaration(it.span, it.value.as_ref(), doc);
        walk::walk_property_definition(self, it);
    }

    fn visit_method_definition(&mut self, it: &MethodDefinition<'a>) {
        if let Some(doc) = self.doc_before(it.span.start) {
            self.of.insert(it.value.span, doc);
        }
        walk::walk_method_definition(self, it);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        self.attach_own_doc(it.span);
        walk::walk_function(self, it, flags);
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.attach_own_doc(it.span);
        walk::walk_arrow_function_expression(self, it);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        self.attach_own_doc(it.span);
        walk::walk_class(self, it);
    }

    fn visit_formal_parameter(&mut self, it: &FormalParameter<'a>) {
        if let Some(doc) = self.doc_before(it.span.start) {
            self.of.insert(it.span, doc);
        }
        walk::walk_formal_parameter(self, it);
    }

    fn visit_formal_parameter_rest(&mut self, it: &FormalParameterRest<'a>) {
        if let Some(doc) = self.doc_before(it.span.start) {
            self.of.insert(it.span, doc);
        }
        walk::walk_formal_parameter_rest(self, it);
    }
}
