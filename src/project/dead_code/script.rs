//! Definitions and mentions of a script.

use std::collections::BTreeSet;

use oxc_ast::ast::{
    BindingPattern, Class, Declaration, ExportDeclaration, ExportDefaultDeclaration, ExportFromDeclaration, Expression,
    Function, IdentifierName, IdentifierReference, ImportDeclaration, ImportDeclarationSpecifier, JSXIdentifier,
    Statement, StringLiteral, VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan as _, Span};

use super::outline::{DefinitionKind, Outline, OutlineDefinition};
use crate::parse;
use tapps_base::source::Source;

/// Reads a file, or gives `None` when it cannot be parsed.
pub(super) fn read_script_outline(source: &Source) -> Option<Outline> {
    parse::read_script(source.path(), source.text()?, |program| {
        let mut read = ScriptOutlineReader { source, outline: Outline::default(), exported: BTreeSet::new() };
        for statement in &program.body {
            read.read_top_statement(statement);
        }
        for definition in &mut read.outline.definitions {
            if read.exported.contains(&definition.name) {
                (definition.exported, definition.private) = (true, false);
            }
        }
        read.outline
    })
}

struct ScriptOutlineReader<'s> {
    source: &'s Source,
    outline: Outline,
    /// Names that `export { … }` offers.
    exported: BTreeSet<String>,
}

impl ScriptOutlineReader<'_> {
    /// A statement at the top level; whatever is deeper is used or not by what is around it.
    fn read_top_statement<'a>(&mut self, statement: &Statement<'a>) {
        match statement {
            Statement::FunctionDeclaration(function) => self.function(function, false),
            Statement::ClassDeclaration(class) => self.class(class, false),
            Statement::VariableDeclaration(variables) => {
                variables.declarations.iter().for_each(|one| self.variable(one, false))
            }
            Statement::ExportDeclaration(export) => self.export(export),
            _ => self.visit_statement(statement),
        }
    }

    fn export<'a>(&mut self, export: &ExportDeclaration<'a>) {
        match &export.declaration {
            Declaration::FunctionDeclaration(function) => self.function(function, true),
            Declaration::ClassDeclaration(class) => self.class(class, true),
            Declaration::VariableDeclaration(variables) => {
                variables.declarations.iter().for_each(|one| self.variable(one, true))
            }
            other => self.visit_declaration(other),
        }
    }

    fn function<'a>(&mut self, function: &Function<'a>, exported: bool) {
        let name = function.id.as_ref().map(|id| id.name.to_string());
        self.record_definition(name, function.span, DefinitionKind::Function, exported, |read| {
            walk::walk_function(read, function, oxc_syntax::scope::ScopeFlags::empty());
        });
    }

    fn class<'a>(&mut self, class: &Class<'a>, exported: bool) {
        let name = class.id.as_ref().map(|id| id.name.to_string());
        self.record_definition(name, class.span, DefinitionKind::Class, exported, |read| walk::walk_class(read, class));
    }

    fn variable<'a>(&mut self, one: &VariableDeclarator<'a>, exported: bool) {
        let name = match &one.id {
            BindingPattern::BindingIdentifier(id) => Some(id.name.to_string()),
            _ => None,
        };
        let function =
            matches!(one.init, Some(Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_)));
        let kind = if function { DefinitionKind::Function } else { DefinitionKind::Variable };
        self.record_definition(name, one.span, kind, exported, |read| walk::walk_variable_declarator(read, one));
    }

    fn record_definition(
        &mut self,
        name: Option<String>,
        span: Span,
        kind: DefinitionKind,
        exported: bool,
        visit: impl FnOnce(&mut Self),
    ) {
        let Some(name) = name else { return visit(self) };
        let before = self.outline.count(&name);
        visit(self);
        let own_uses = self.outline.count(&name) - before;
        let (line, end_line) = (self.source.position(span.start as usize).0, self.source.position(span.end as usize).0);
        let kept = name.starts_with('_');
        self.outline.definitions.push(OutlineDefinition {
            name,
            kind,
            line,
            end_line,
            own_uses,
            private: !exported,
            exported,
            kept,
        });
    }
}

impl<'a> Visit<'a> for ScriptOutlineReader<'_> {
    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.outline.mention(&it.name);
    }

    fn visit_identifier_name(&mut self, it: &IdentifierName<'a>) {
        self.outline.mention(&it.name);
    }

    fn visit_jsx_identifier(&mut self, it: &JSXIdentifier<'a>) {
        self.outline.mention(&it.name);
    }

    fn visit_string_literal(&mut self, it: &StringLiteral<'a>) {
        if it.value.len() <= 100 && !it.value.contains(char::is_whitespace) {
            self.outline.mention(&it.value);
        }
    }

    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        for specifier in it.specifiers.iter().flatten() {
            if let ImportDeclarationSpecifier::ImportSpecifier(named) = specifier {
                self.outline.mention(named.imported.name().as_str());
            }
        }
    }

    fn visit_export_from_declaration(&mut self, it: &ExportFromDeclaration<'a>) {
        it.specifiers.iter().for_each(|specifier| self.outline.mention(specifier.local.name().as_str()));
    }

    fn visit_export_specifier(&mut self, it: &oxc_ast::ast::ExportSpecifier<'a>) {
        self.exported.insert(it.local.name().to_string());
        // Under another name it cannot be followed.
        if it.local.name() != it.exported.name() {
            self.outline.mention(it.local.name().as_str());
        }
    }

    fn visit_export_default_declaration(&mut self, it: &ExportDefaultDeclaration<'a>) {
        let _ = it.span();
        walk::walk_export_default_declaration(self, it);
    }
}
