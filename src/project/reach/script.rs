//! Imports, tests and logic of a TypeScript or JavaScript file.

use std::collections::BTreeSet;

use oxc_ast::ast::{
    Argument, BindingPattern, CallExpression, Declaration, ExportAllDeclaration, ExportFromDeclaration, Expression,
    Function, ImportDeclaration, ImportDeclarationSpecifier, ImportExpression, Statement, VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::scope::ScopeFlags;

use super::module::{ModuleFacts, ModuleImport, Name};
use crate::parse;

/// Reads a file, or gives `None` when it cannot be parsed.
pub(super) fn read_script_module(path: &str, text: &str, is_test: bool) -> Option<ModuleFacts> {
    parse::read_script(path, text, |program| {
        let mut read = ScriptModuleVisitor::default();
        read.visit_program(program);
        let through = read.called.iter().any(|name| read.asserting.contains(name));
        let declares = path.ends_with(".d.ts") || path.ends_with(".d.mts") || path.ends_with(".d.cts");
        ModuleFacts {
            tests: is_test && (read.asserts || through),
            logic: !declares && (read.functions || program.body.iter().any(has_logic)),
            imports: read.imports,
            typed: read.typed,
            defines: BTreeSet::new(),
            opaque: false,
        }
    })
}

#[derive(Default)]
struct ScriptModuleVisitor {
    imports: Vec<ModuleImport>,
    typed: Vec<ModuleImport>,
    functions: bool,
    /// How many test callbacks surround the visitor.
    inside_tests: usize,
    /// Names of the functions around the visitor.
    around: Vec<String>,
    asserts: bool,
    /// Functions that assert.
    asserting: BTreeSet<String>,
    /// Functions called inside tests.
    called: BTreeSet<String>,
}

impl ScriptModuleVisitor {
    fn import(&mut self, module: &str, names: Vec<Name>, star: bool) {
        self.imports.push(ModuleImport { module: module.to_owned(), names, star, ..ModuleImport::default() });
    }

    fn add_typed_import(&mut self, module: &str) {
        self.typed.push(ModuleImport { module: module.to_owned(), ..ModuleImport::default() });
    }

    fn visit_in_scope(&mut self, name: Option<&str>, visit: impl FnOnce(&mut Self)) {
        self.around.extend(name.map(str::to_owned));
        visit(self);
        if name.is_some() {
            self.around.pop();
        }
    }
}

impl<'a> Visit<'a> for ScriptModuleVisitor {
    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        if it.import_kind.is_type() {
            self.add_typed_import(it.source.value.as_str());
            return;
        }
        let names = it.specifiers.iter().flatten().map(|specifier| match specifier {
            ImportDeclarationSpecifier::ImportSpecifier(s) => name(s.imported.name().as_str(), s.local.name.as_str()),
            ImportDeclarationSpecifier::ImportDefaultSpecifier(s) => name("default", s.local.name.as_str()),
            ImportDeclarationSpecifier::ImportNamespaceSpecifier(s) => name("", s.local.name.as_str()),
        });
        self.import(it.source.value.as_str(), names.collect(), false);
    }

    fn visit_export_from_declaration(&mut self, it: &ExportFromDeclaration<'a>) {
        if !it.export_kind.is_type() {
            let names = it.specifiers.iter().map(|s| name(s.local.name().as_str(), s.exported.name().as_str()));
            self.import(it.source.value.as_str(), names.collect(), false);
        } else {
            self.add_typed_import(it.source.value.as_str());
        }
    }

    fn visit_export_all_declaration(&mut self, it: &ExportAllDeclaration<'a>) {
        if !it.export_kind.is_type() {
            self.import(it.source.value.as_str(), Vec::new(), true);
        }
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        if let Expression::StringLiteral(source) = &it.source {
            self.import(source.value.as_str(), Vec::new(), false);
            self.imports.last_mut().into_iter().for_each(|import| import.deferred = true);
        }
        walk::walk_import_expression(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let root = root(&it.callee);
        if let (Some("require"), Some(Argument::StringLiteral(source))) = (root, it.arguments.first()) {
            self.import(source.value.as_str(), Vec::new(), false);
        }
        let is_test = matches!(root, Some("it" | "test" | "specify"));
        if is_assertion(&it.callee, root, self.inside_tests > 0) {
            self.asserts |= self.inside_tests > 0;
            self.asserting.extend(self.around.iter().cloned());
        }
        if self.inside_tests > 0
            && let Expression::Identifier(callee) = &it.callee
        {
            self.called.insert(callee.name.to_string());
        }
        self.inside_tests += usize::from(is_test);
        walk::walk_call_expression(self, it);
        self.inside_tests -= usize::from(is_test);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        let is_function =
            matches!(it.init, Some(Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_)));
        let bound = match &it.id {
            BindingPattern::BindingIdentifier(id) if is_function => Some(id.name.as_str()),
            _ => None,
        };
        self.visit_in_scope(bound, |read| walk::walk_variable_declarator(read, it));
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        self.functions |= it.body.as_ref().is_some_and(|body| !body.statements.is_empty());
        let bound = it.id.as_ref().map(|id| id.name.as_str());
        self.visit_in_scope(bound, |read| walk::walk_function(read, it, flags));
    }

    fn visit_arrow_function_expression(&mut self, it: &oxc_ast::ast::ArrowFunctionExpression<'a>) {
        self.functions = true;
        walk::walk_arrow_function_expression(self, it);
    }
}

fn name(name: &str, bound: &str) -> Name {
    Name { name: name.to_owned(), bound: bound.to_owned(), attributes: Vec::new() }
}

/// The identifier that a chain of calls and members starts from.
fn root<'e>(expression: &'e Expression<'_>) -> Option<&'e str> {
    match expression {
        Expression::Identifier(id) => Some(id.name.as_str()),
        Expression::CallExpression(call) => root(&call.callee),
        Expression::TaggedTemplateExpression(tagged) => root(&tagged.tag),
        _ => expression.as_member_expression().and_then(|member| root(member.object())),
    }
}

/// `expect(x).…()`, `assert…`, `….should.…()`, and in a test the checks of its context `t`.
fn is_assertion(callee: &Expression<'_>, root: Option<&str>, inside_test: bool) -> bool {
    let member = callee.as_member_expression();
    match root {
        Some("expect" | "cy") => member.is_some(),
        Some("t" | "tap") => inside_test && member.is_some(),
        Some(name) if name.starts_with("assert") => true,
        _ => member.is_some_and(|member| {
            member.static_property_name().is_some_and(|name| name.starts_with("assert") || name == "should")
                || matches!(member.object(), Expression::StaticMemberExpression(inner) if inner.property.name == "should")
        }),
    }
}

/// Whether a top-level statement does something, besides defining functions.
fn has_logic(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::ExpressionStatement(it) => {
            matches!(it.expression, Expression::CallExpression(_) | Expression::AwaitExpression(_))
                && !matches!(&it.expression, Expression::CallExpression(call) if root(&call.callee) == Some("require"))
        }
        Statement::IfStatement(_)
        | Statement::ForStatement(_)
        | Statement::ForInStatement(_)
        | Statement::ForOfStatement(_)
        | Statement::WhileStatement(_)
        | Statement::DoWhileStatement(_)
        | Statement::SwitchStatement(_)
        | Statement::TryStatement(_)
        | Statement::ThrowStatement(_) => true,
        Statement::ExportDeclaration(export) => matches!(export.declaration, Declaration::TSNamespaceDeclaration(_)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::empty("", false)]
    #[case::no_assertion("it('a', () => { run() })", false)]
    #[case::no_matcher("it('a', () => { expect(run()) })", false)]
    #[case::outside("expect(run()).toBe(1)", false)]
    #[case::plain("it('a', () => { expect(run()).toBe(1) })", true)]
    #[case::each("describe('d', () => { test.each([1])('a %i', (n) => { expect(run(n)).not.toBe(1) }) })", true)]
    #[case::node("import assert from 'node:assert'; test('a', () => { assert.equal(run(), 1) })", true)]
    #[case::ava("test('a', t => { t.is(run(), 1) })", true)]
    #[case::chai("it('a', function () { run().should.equal(1) })", true)]
    #[case::helper("const see = x => { expect(x).toBe(1) }; it('a', () => { see(run()) })", true)]
    #[case::unused_helper("const see = x => { expect(x).toBe(1) }; it('a', () => { run() })", false)]
    fn tests_with_assertions(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(read_script_module("a.test.js", text, true).unwrap().tests, expected);
    }

    #[rstest]
    #[case::types("export interface A { x: number }\nexport type B = A | null;\n", false)]
    #[case::constants("export const A = 1;\nexport const B = { c: [2] };\n", false)]
    #[case::barrel("export * from './a';\nexport { b } from './b';\n", false)]
    #[case::enumeration("export enum E { A, B }\n", false)]
    #[case::arrow("export const f = (x: number) => x + 1;\n", true)]
    #[case::method("export class A { f() { return 1 } }\n", true)]
    #[case::effect("run();\n", true)]
    fn logic(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(read_script_module("a.ts", text, false).unwrap().logic, expected);
    }

    #[test]
    fn imports_of_every_kind() {
        let text = "import a, { b as c } from './x'; import type T from './t'; export * from './y';\n\
                    export { d as e } from './z'; const f = require('./w'); const g = () => import('./v');\n";
        let found: Vec<(String, bool)> =
            read_script_module("a.ts", text, false).unwrap().imports.into_iter().map(|i| (i.module, i.star)).collect();
        let plain = |module: &str| (module.to_owned(), false);
        assert_eq!(found, [plain("./x"), ("./y".to_owned(), true), plain("./z"), plain("./w"), plain("./v")]);
    }
}
