//! What a function or class is called, from its own name or from where it is put.

use std::borrow::Cow;
use std::collections::HashMap;

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, BindingPattern, Expression, PropertyKey};
use oxc_semantic::{NodeId, Semantic};
use oxc_span::GetSpan;

use super::expressions::member_name;

/// Names of blocks, remembered because inner blocks repeat the names of outer ones.
pub(crate) struct BlockNames<'s, 'a> {
    semantic: &'s Semantic<'a>,
    known: HashMap<NodeId, String>,
}

/// A qualified name is cut to this many characters, so that deep nesting of long names stays linear.
const MAX_NAME: usize = 200;

impl<'s, 'a> BlockNames<'s, 'a> {
    pub(crate) fn new(semantic: &'s Semantic<'a>) -> Self {
        Self { semantic, known: HashMap::new() }
    }

    /// `outer.inner` of a function, class, field or static block. Ask for outer ones first.
    pub(crate) fn qualified(&mut self, id: NodeId) -> String {
        let own = own_name(self.semantic, id);
        let outer = self.semantic.nodes().ancestor_ids(id).find_map(|ancestor| self.known.get(&ancestor));
        let mut name = match (outer, object_name(self.semantic, id)) {
            (Some(outer), Some(object)) => format!("{outer}.{object}.{own}"),
            (Some(outer), None) => format!("{outer}.{own}"),
            (None, Some(object)) => format!("{object}.{own}"),
            (None, None) => own,
        };
        if name.chars().count() > MAX_NAME {
            name = name.chars().take(MAX_NAME).chain("…".chars()).collect();
        }
        // A field's initializer does not name what is inside it twice.
        if !matches!(self.semantic.nodes().kind(id), AstKind::PropertyDefinition(_)) {
            self.known.insert(id, name.clone());
        }
        name
    }
}

/// The name of a function or class itself; `None` when nothing names it.
pub(crate) fn given_name(semantic: &Semantic<'_>, id: NodeId) -> Option<String> {
    let nodes = semantic.nodes();
    let own = match nodes.kind(id) {
        AstKind::Function(function) => function.id.as_ref(),
        AstKind::Class(class) => class.id.as_ref(),
        AstKind::StaticBlock(_) => return Some("static".to_owned()),
        AstKind::PropertyDefinition(field) => return key_name(&field.key).map(Cow::into_owned),
        _ => None,
    };
    if let Some(own) = own {
        return Some(own.name.to_string());
    }
    let span = nodes.kind(id).span();
    let mut parent = nodes.parent_id(id);
    while matches!(
        nodes.kind(parent),
        AstKind::TSAsExpression(_) | AstKind::TSSatisfiesExpression(_) | AstKind::TSTypeAssertion(_)
    ) {
        parent = nodes.parent_id(parent);
    }
    match nodes.kind(parent) {
        AstKind::VariableDeclarator(declarator) => binding_name(&declarator.id),
        AstKind::AssignmentPattern(pattern) => binding_name(&pattern.left),
        AstKind::FormalParameter(parameter) => binding_name(&parameter.pattern),
        AstKind::MethodDefinition(method) => key_name(&method.key).map(Cow::into_owned),
        AstKind::PropertyDefinition(field) => key_name(&field.key).map(Cow::into_owned),
        AstKind::AccessorProperty(field) => key_name(&field.key).map(Cow::into_owned),
        AstKind::ObjectProperty(property) => key_name(&property.key).map(Cow::into_owned),
        AstKind::AssignmentExpression(assignment) if assignment.right.span().end == span.end => {
            target_name(&assignment.left)
        }
        AstKind::ExportDefaultDeclaration(_) => Some("default".to_owned()),
        // `const Button = forwardRef((props, ref) => …)`: the wrapper hands the name on.
        AstKind::CallExpression(call) if is_wrapper(&call.callee) => given_name(semantic, parent),
        _ => None,
    }
}

fn own_name(semantic: &Semantic<'_>, id: NodeId) -> String {
    if let Some(name) = given_name(semantic, id) {
        return name;
    }
    let callee = match semantic.nodes().parent_kind(id) {
        AstKind::CallExpression(call) => member_name(&call.callee),
        AstKind::NewExpression(new) => member_name(&new.callee),
        _ => None,
    };
    callee.map_or_else(|| "<anonymous>".to_owned(), |callee| format!("<{callee} callback>"))
}

/// `o` for a function in `const o = { f() {} }`.
fn object_name(semantic: &Semantic<'_>, id: NodeId) -> Option<String> {
    let nodes = semantic.nodes();
    let AstKind::ObjectProperty(_) = nodes.parent_kind(id) else { return None };
    let object = nodes.parent_id(nodes.parent_id(id));
    match nodes.parent_kind(object) {
        AstKind::VariableDeclarator(declarator) => binding_name(&declarator.id),
        AstKind::ObjectProperty(property) => key_name(&property.key).map(Cow::into_owned),
        _ => None,
    }
}

fn is_wrapper(callee: &Expression<'_>) -> bool {
    member_name(callee).is_some_and(|name| {
        matches!(name, "forwardRef" | "memo" | "observer" | "useCallback" | "useMemo" | "defineComponent")
    })
}

fn binding_name(pattern: &BindingPattern<'_>) -> Option<String> {
    pattern.get_identifier_name().map(|name| name.to_string())
}

fn target_name(target: &AssignmentTarget<'_>) -> Option<String> {
    match target {
        AssignmentTarget::AssignmentTargetIdentifier(identifier) => Some(identifier.name.to_string()),
        AssignmentTarget::StaticMemberExpression(member) => Some(member.property.name.to_string()),
        AssignmentTarget::PrivateFieldExpression(member) => Some(format!("#{}", member.field.name)),
        _ => None,
    }
}

/// The name of a property, method or field; private names keep their `#`.
pub(crate) fn key_name<'k>(key: &'k PropertyKey<'_>) -> Option<Cow<'k, str>> {
    match key {
        PropertyKey::PrivateIdentifier(private) => Some(Cow::Owned(format!("#{}", private.name))),
        _ => key.static_name(),
    }
}
