//! Where a name comes from: which export of which module.

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPattern, CallExpression, Expression, IdentifierReference};
use oxc_span::GetSpan;

use super::context::ScriptContext;
use super::expressions::{identifier_of, member_parts, string_of, without_casts};
use super::names::key_name;

/// A module and the name of its export; `*` for the module itself, `default` for its default export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ImportOrigin {
    /// Without a leading `node:`.
    pub(crate) module: String,
    pub(crate) export: String,
}

/// The origin of a called or named expression: `exec`, `cp.exec`, `require('child_process').exec`.
pub(crate) fn import_origin(context: &ScriptContext<'_, '_>, expression: &Expression<'_>) -> Option<ImportOrigin> {
    if let Some(identifier) = identifier_of(expression) {
        return of_name(context, identifier);
    }
    if let Some(module) = required_module(context, expression) {
        return Some(ImportOrigin { module, export: "*".to_owned() });
    }
    let (object, name) = member_parts(expression)?;
    let object = import_origin(context, object)?;
    let is_module = object.export == "*" || object.export == "default";
    is_module.then(|| ImportOrigin { module: object.module, export: name.to_owned() })
}

fn of_name(context: &ScriptContext<'_, '_>, identifier: &IdentifierReference<'_>) -> Option<ImportOrigin> {
    let symbol = context.symbol(identifier)?;
    let node = context.declaration(symbol);
    let (export, declaration) = match node.kind() {
        AstKind::ImportSpecifier(specifier) => {
            (specifier.imported.name().to_string(), context.parent(node.id()).kind())
        }
        AstKind::ImportDefaultSpecifier(_) => ("default".to_owned(), context.parent(node.id()).kind()),
        AstKind::ImportNamespaceSpecifier(_) => ("*".to_owned(), context.parent(node.id()).kind()),
        AstKind::VariableDeclarator(declarator) => {
            let module = required_module(context, declarator.init.as_ref()?);
            let origin = match module {
                Some(module) => ImportOrigin { module, export: "*".to_owned() },
                None => {
                    let (object, name) = member_parts(declarator.init.as_ref()?)?;
                    ImportOrigin { module: required_module(context, object)?, export: name.to_owned() }
                }
            };
            return match &declarator.id {
                BindingPattern::BindingIdentifier(_) => Some(origin),
                BindingPattern::ObjectPattern(pattern) if origin.export == "*" => {
                    let span = context.scoping().symbol_span(symbol);
                    let property = pattern
                        .properties
                        .iter()
                        .find(|property| ScriptContext::is_within(span, property.value.span()))?;
                    Some(ImportOrigin { export: key_name(&property.key)?.into_owned(), ..origin })
                }
                _ => None,
            };
        }
        _ => return None,
    };
    let AstKind::ImportDeclaration(import) = declaration else { return None };
    Some(ImportOrigin { module: strip_node_prefix(import.source.value.as_str()), export })
}

/// The module that a `require` call or a dynamic import loads.
fn required_module(context: &ScriptContext<'_, '_>, expression: &Expression<'_>) -> Option<String> {
    match without_casts(expression) {
        Expression::CallExpression(call) if is_require(context, call) => {
            call.arguments.first()?.as_expression().and_then(string_of).map(strip_node_prefix)
        }
        Expression::AwaitExpression(wait) => match without_casts(&wait.argument) {
            Expression::ImportExpression(import) => string_of(&import.source).map(strip_node_prefix),
            _ => None,
        },
        _ => None,
    }
}

fn is_require(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>) -> bool {
    identifier_of(&call.callee).is_some_and(|name| name.name == "require" && context.is_global(name))
}

fn strip_node_prefix(module: &str) -> String {
    module.strip_prefix("node:").unwrap_or(module).to_owned()
}
