//! Imports and exports.

use oxc_ast::ast::{
    ExportAllDeclaration, ExportFromDeclaration, ExportNamedDeclaration, ImportDeclaration, ImportDeclarationSpecifier,
    ModuleExportName, Statement, TSModuleReference,
};

use super::reader::ScriptFactsReader;
use crate::model::ExportKind as Exporting;
use crate::script::facts::{Declaration, Expr, ImportKind, ImportName, ScriptExport, ScriptExportTarget, SymbolId};

/// Modules whose import makes a file one of tests.
const TEST_MODULES: &[&str] =
    &["vitest", "@jest/globals", "node:test", "bun:test", "mocha", "@playwright/test", "ava", "tap", "uvu"];

impl<'a> ScriptFactsReader<'a, '_> {
    pub(super) fn read_import(&mut self, it: &ImportDeclaration<'a>) {
        let specifier = it.source.value.to_string();
        self.facts.module = true;
        self.test |= TEST_MODULES.contains(&specifier.as_str());
        let import = self.add_module_request(Some(specifier), ImportKind::Static, it.span);
        let whole = it.import_kind.is_type();
        let mut names = Vec::new();
        for specifier in it.specifiers.iter().flatten() {
            let (name, local, type_only, span) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(s) => {
                    (s.imported.name().to_string(), &s.local, s.import_kind.is_type(), s.span)
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(s) => {
                    ("default".to_owned(), &s.local, false, s.span)
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(s) => ("*".to_owned(), &s.local, false, s.span),
            };
            if let Some(symbol) = self.declared_symbol(local) {
                self.declare(symbol, Declaration::Import(import, name.clone()));
            }
            names.push(ImportName { name, type_only: type_only || whole, at: self.at(span.start) });
        }
        if let Some(import) = self.facts.imports.get_mut(import as usize) {
            import.type_only = whole || (!names.is_empty() && names.iter().all(|name| name.type_only));
            import.names = names;
        }
    }

    pub(super) fn export_from(&mut self, it: &ExportFromDeclaration<'a>) {
        self.facts.module = true;
        let import = self.add_module_request(Some(it.source.value.to_string()), ImportKind::Reexport, it.span);
        let whole = it.export_kind.is_type();
        let mut names = Vec::new();
        for specifier in &it.specifiers {
            let name = specifier.local.name().to_string();
            let type_only = whole || specifier.export_kind.is_type();
            let at = self.at(specifier.span.start);
            names.push(ImportName { name: name.clone(), type_only, at });
            let what = ScriptExportTarget::From(import, name);
            self.facts.exports.push(ScriptExport { name: specifier.exported.name().to_string(), what, type_only, at });
        }
        if let Some(import) = self.facts.imports.get_mut(import as usize) {
            import.type_only = whole;
            import.names = names;
        }
    }

    pub(super) fn export_all(&mut self, it: &ExportAllDeclaration<'a>) {
        self.facts.module = true;
        let import = self.add_module_request(Some(it.source.value.to_string()), ImportKind::Reexport, it.span);
        let type_only = it.export_kind.is_type();
        let at = self.at(it.span.start);
        if let Some(import) = self.facts.imports.get_mut(import as usize) {
            import.type_only = type_only;
        }
        let (name, what) = match &it.exported {
            Some(name) => (name.name().to_string(), ScriptExportTarget::From(import, "*".to_owned())),
            None => (String::new(), ScriptExportTarget::All(import)),
        };
        self.facts.exports.push(ScriptExport { name, what, type_only, at });
    }

    pub(super) fn export_named(&mut self, it: &ExportNamedDeclaration<'a>) {
        self.facts.module = true;
        for specifier in &it.specifiers {
            let ModuleExportName::IdentifierReference(local) = &specifier.local else { continue };
            let type_only = it.export_kind.is_type() || specifier.export_kind.is_type();
            let what = match self.referenced_symbol(local) {
                Some(symbol) => ScriptExportTarget::Symbol(symbol),
                None => ScriptExportTarget::Expr(self.push_expr(Expr::Global(local.name.to_string()))),
            };
            let at = self.at(specifier.span.start);
            self.facts.exports.push(ScriptExport { name: specifier.exported.name().to_string(), what, type_only, at });
        }
    }

    /// A declaration that is exported where it stands.
    pub(super) fn export_symbol(&mut self, name: &str, symbol: SymbolId, start: u32) {
        self.facts.module = true;
        let at = self.at(start);
        let what = ScriptExportTarget::Symbol(symbol);
        self.facts.exports.push(ScriptExport { name: name.to_owned(), what, type_only: false, at });
    }

    pub(super) fn export_expr(&mut self, name: &str, value: u32, start: u32) {
        let at = self.at(start);
        let what = ScriptExportTarget::Expr(value);
        self.facts.exports.push(ScriptExport { name: name.to_owned(), what, type_only: false, at });
    }

    pub(super) fn import_equals(&mut self, it: &oxc_ast::ast::TSImportEqualsDeclaration<'a>) {
        let Some(symbol) = self.declared_symbol(&it.id) else { return };
        let declaration = match &it.module_reference {
            TSModuleReference::ExternalModuleReference(module) => {
                self.facts.module = true;
                let specifier = Some(module.expression.value.to_string());
                Declaration::Import(self.add_module_request(specifier, ImportKind::Require, it.span), "=".to_owned())
            }
            TSModuleReference::IdentifierReference(id) => {
                let expr = match self.referenced_symbol(id) {
                    Some(symbol) => Expr::Symbol(symbol),
                    None => Expr::Global(id.name.to_string()),
                };
                Declaration::Same(self.push_expr(expr))
            }
            TSModuleReference::QualifiedName(name) => {
                let left = self.value_name(&name.left);
                Declaration::Same(self.push_expr(Expr::Member(left, name.right.name.to_string())))
            }
        };
        self.declare(symbol, declaration);
    }

    /// Names that `export { … }` gives away further down, so that their elements know it when they are made.
    pub(super) fn note_exported_names(&mut self) {
        for statement in &self.program.body {
            match statement {
                Statement::ExportNamedDeclaration(it) => {
                    for specifier in &it.specifiers {
                        let ModuleExportName::IdentifierReference(local) = &specifier.local else { continue };
                        let as_default = specifier.exported.name() == "default";
                        let export = if as_default { Exporting::Default } else { Exporting::Named };
                        if let Some(symbol) = self.referenced_symbol(local) {
                            self.exported.insert(symbol, export);
                        }
                    }
                }
                Statement::ExportDefaultDeclaration(it) => {
                    if let oxc_ast::ast::ExportDefaultDeclarationKind::Identifier(id) = &it.declaration
                        && let Some(symbol) = self.referenced_symbol(id)
                    {
                        self.exported.insert(symbol, Exporting::Default);
                    }
                }
                _ => {}
            }
        }
    }
}
