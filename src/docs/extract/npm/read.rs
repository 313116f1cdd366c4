//! From a declaration file to its scope.

use std::collections::BTreeMap;

use oxc_ast::ast::{
    Declaration as Declared, ExportDefaultDeclarationKind, Expression, ImportDeclaration, ImportDeclarationSpecifier,
    Program, Statement, TSModuleReference, TSNamespaceDeclaration, TSNamespaceDeclarationBody, TSTypeName,
};
use oxc_span::GetSpan as _;

use super::declaration::DeclarationFile;
use super::scope::{DeclarationScope, NameTarget};
use tapps_project::parse;

/// The scope of a file, or `None` when it cannot be parsed.
pub(super) fn read_declaration_file(path: &str, text: &str) -> Option<DeclarationScope> {
    parse::read_script(path, text, |program| {
        let docs = program.comments.iter().filter(|comment| comment.is_block() && comment.is_jsdoc());
        let docs = docs.map(|comment| (comment.attached_to, comment.content_span())).collect::<BTreeMap<_, _>>();
        let page = DeclarationFile::new(text, docs);
        let mut scope = DeclarationScope { explicit: is_explicit(program), ..DeclarationScope::default() };
        read_statements(&page, &program.body, &mut scope);
        scope
    })
}

/// Whether a file that is a module says itself what it gives out; then declarations without `export` stay inside.
fn is_explicit(program: &Program<'_>) -> bool {
    program.body.iter().any(is_module_statement)
}

fn is_module_statement(statement: &Statement<'_>) -> bool {
    matches!(
        statement,
        Statement::ExportNamedDeclaration(_)
            | Statement::TSExportAssignment(_)
            | Statement::ExportDefaultDeclaration(_)
    )
}

fn read_statements(page: &DeclarationFile<'_>, body: &[Statement<'_>], scope: &mut DeclarationScope) {
    for statement in body {
        read_statement(page, statement, scope);
    }
}

fn read_statement(page: &DeclarationFile<'_>, statement: &Statement<'_>, scope: &mut DeclarationScope) {
    match statement {
        Statement::ImportDeclaration(import) => read_imports(import, scope),
        Statement::ExportAllDeclaration(all) => {
            let module = all.source.value.to_string();
            match &all.exported {
                Some(name) => {
                    scope.exports.insert(name.name().to_string(), NameTarget::Module(module));
                }
                None => scope.stars.push(module),
            }
        }
        Statement::ExportFromDeclaration(from) => {
            for specifier in &from.specifiers {
                let target = NameTarget::From {
                    module: from.source.value.to_string(),
                    name: specifier.local.name().to_string(),
                };
                scope.exports.insert(specifier.exported.name().to_string(), target);
            }
        }
        Statement::ExportNamedDeclaration(named) => {
            for specifier in &named.specifiers {
                let target = NameTarget::Local(vec![specifier.local.name().to_string()]);
                scope.exports.insert(specifier.exported.name().to_string(), target);
            }
        }
        Statement::ExportDeclaration(export) => {
            read_declaration(page, &export.declaration, export.span.start, true, scope)
        }
        Statement::ExportDefaultDeclaration(export) => {
            let anchor = export.span.start;
            let found = match &export.declaration {
                ExportDefaultDeclarationKind::FunctionDeclaration(function) => Some(page.function(function, anchor)),
                ExportDefaultDeclarationKind::ClassDeclaration(class) => Some(page.class(class, anchor)),
                ExportDefaultDeclarationKind::TSInterfaceDeclaration(interface) => {
                    Some(page.interface(interface, anchor))
                }
                other => {
                    if let Some(path) = other.as_expression().and_then(dotted) {
                        scope.exports.insert("default".to_owned(), NameTarget::Local(path));
                    }
                    None
                }
            };
            if let Some(found) = found {
                scope.declare("default", found, true);
            }
        }
        Statement::TSExportAssignment(assignment) => scope.equals = dotted(&assignment.expression),
        other => {
            if let Some(declared) = other.as_declaration() {
                read_declaration(page, declared, other.span().start, false, scope);
            }
        }
    }
}

fn read_declaration(
    page: &DeclarationFile<'_>,
    declared: &Declared<'_>,
    anchor: u32,
    exported: bool,
    scope: &mut DeclarationScope,
) {
    match declared {
        Declared::FunctionDeclaration(function) => {
            if let Some(id) = &function.id {
                scope.declare(&id.name, page.function(function, anchor), exported);
            }
        }
        Declared::ClassDeclaration(class) => {
            if let Some(id) = &class.id {
                scope.declare(&id.name, page.class(class, anchor), exported);
            }
        }
        Declared::TSInterfaceDeclaration(found) => {
            scope.declare(&found.id.name, page.interface(found, anchor), exported)
        }
        Declared::TSTypeAliasDeclaration(found) => scope.declare(&found.id.name, page.alias(found, anchor), exported),
        Declared::TSEnumDeclaration(found) => scope.declare(&found.id.name, page.enumeration(found, anchor), exported),
        Declared::VariableDeclaration(found) => {
            for (name, variable) in page.variables(found, anchor) {
                scope.declare(&name, variable, exported);
            }
        }
        Declared::TSNamespaceDeclaration(namespace) => {
            self::read_ts_namespace(page, namespace, anchor, exported, scope)
        }
        Declared::TSExternalModuleDeclaration(module) => {
            let mut inner = DeclarationScope::default();
            if let Some(body) = &module.body {
                inner.explicit = body.body.iter().any(is_module_statement);
                read_statements(page, &body.body, &mut inner);
            }
            scope.modules.entry(module.id.value.to_string()).or_default().absorb_module(inner);
        }
        Declared::TSImportEqualsDeclaration(import) => {
            let name = import.id.name.to_string();
            let target = match &import.module_reference {
                TSModuleReference::ExternalModuleReference(module) => {
                    NameTarget::Module(module.expression.value.to_string())
                }
                TSModuleReference::IdentifierReference(other) => NameTarget::Local(vec![other.name.to_string()]),
                TSModuleReference::QualifiedName(path) => {
                    let mut parts = type_path(&path.left);
                    parts.push(path.right.name.to_string());
                    NameTarget::Local(parts)
                }
            };
            if exported {
                scope.exports.insert(name.clone(), NameTarget::Local(vec![name.clone()]));
            }
            scope.imports.insert(name, target);
        }
        Declared::TSGlobalDeclaration(_) => {}
    }
}

fn read_ts_namespace(
    page: &DeclarationFile<'_>,
    found: &TSNamespaceDeclaration<'_>,
    anchor: u32,
    exported: bool,
    scope: &mut DeclarationScope,
) {
    let name = found.id.name.to_string();
    let mut inner = DeclarationScope::default();
    match &found.body {
        TSNamespaceDeclarationBody::TSModuleBlock(body) => {
            inner.explicit = body.body.iter().any(is_module_statement);
            read_statements(page, &body.body, &mut inner);
        }
        // `namespace a.b {}` declares and gives out b inside a.
        TSNamespaceDeclarationBody::TSNamespaceDeclaration(nested) => {
            self::read_ts_namespace(page, nested, nested.span.start, true, &mut inner);
        }
    }
    let alone = page.namespace(&name, found.span, anchor);
    let entry = scope.locals.entry(name).or_default();
    entry.exported |= exported;
    match &mut entry.namespace {
        Some(known) => known.merge_scope(inner),
        None => entry.namespace = Some(inner),
    }
    if let Some(known) = &mut entry.declaration {
        known.merge(alone);
    } else {
        entry.declaration = Some(alone);
    }
}

fn read_imports(import: &ImportDeclaration<'_>, scope: &mut DeclarationScope) {
    let module = import.source.value.to_string();
    for specifier in import.specifiers.iter().flatten() {
        let (local, target) = match specifier {
            ImportDeclarationSpecifier::ImportSpecifier(named) => {
                (&named.local, NameTarget::From { module: module.clone(), name: named.imported.name().to_string() })
            }
            ImportDeclarationSpecifier::ImportDefaultSpecifier(default) => {
                (&default.local, NameTarget::From { module: module.clone(), name: "default".to_owned() })
            }
            ImportDeclarationSpecifier::ImportNamespaceSpecifier(all) => {
                (&all.local, NameTarget::Module(module.clone()))
            }
        };
        scope.imports.insert(local.name.to_string(), target);
    }
}

/// `a.b` as its parts.
fn dotted(expression: &Expression<'_>) -> Option<Vec<String>> {
    match expression {
        Expression::Identifier(name) => Some(vec![name.name.to_string()]),
        Expression::StaticMemberExpression(member) => {
            let mut parts = dotted(&member.object)?;
            parts.push(member.property.name.to_string());
            Some(parts)
        }
        _ => None,
    }
}

fn type_path(name: &TSTypeName<'_>) -> Vec<String> {
    match name {
        TSTypeName::IdentifierReference(name) => vec![name.name.to_string()],
        TSTypeName::QualifiedName(path) => {
            let mut parts = type_path(&path.left);
            parts.push(path.right.name.to_string());
            parts
        }
        TSTypeName::ThisExpression(_) => Vec::new(),
    }
}

impl DeclarationScope {
    fn absorb_module(&mut self, other: Self) {
        let equals = other.equals.clone();
        self.merge_scope(other);
        self.equals = self.equals.take().or(equals);
    }
}
