//! What a file is, from its imports and its syntax: asked by rules that hold only for some files.

use oxc_ast::AstKind;
use oxc_ast::ast::{Program, Statement};
use oxc_semantic::Semantic;

/// Facts about one file.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ScriptFileFacts {
    /// It has `import` or `export`.
    pub(crate) is_module: bool,
    /// It imports React or Preact, or has JSX and imports no other library that uses JSX.
    pub(crate) is_react: bool,
    /// It uses syntax of 2015 or later that replaced `var`.
    pub(crate) is_modern: bool,
}

const REACT: &[&str] = &["react", "preact", "next", "react-dom", "react-native", "gatsby"];
const OTHER_JSX: &[&str] = &["solid-js", "vue", "@builder.io/qwik", "hono", "@stencil/core", "inferno", "@kitajs/html"];

impl ScriptFileFacts {
    pub(crate) fn from_semantic(semantic: &Semantic<'_>) -> Self {
        let program = semantic.nodes().program();
        let modules: Vec<&str> = import_sources(program).collect();
        let is_one_of = |names: &[&str]| modules.iter().any(|module| is_part_of(module, names));
        let has = |wanted: fn(AstKind<'_>) -> bool| semantic.nodes().iter().any(|node| wanted(node.kind()));
        let has_jsx = || has(|kind| matches!(kind, AstKind::JSXElement(_) | AstKind::JSXFragment(_)));
        Self {
            is_module: program.body.iter().any(Statement::is_module_declaration),
            is_react: is_one_of(REACT) || (!is_one_of(OTHER_JSX) && has_jsx()),
            is_modern: has(|kind| match kind {
                AstKind::VariableDeclaration(declaration) => !declaration.kind.is_var(),
                AstKind::ArrowFunctionExpression(_) | AstKind::Class(_) => true,
                _ => false,
            }),
        }
    }
}

fn is_part_of(module: &str, names: &[&str]) -> bool {
    names.iter().any(|name| module == *name || module.strip_prefix(name).is_some_and(|rest| rest.starts_with('/')))
}

fn import_sources<'p>(program: &'p Program<'_>) -> impl Iterator<Item = &'p str> {
    program.body.iter().filter_map(|statement| match statement {
        Statement::ImportDeclaration(import) => Some(import.source.value.as_str()),
        _ => None,
    })
}
