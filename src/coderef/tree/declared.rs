//! Which nodes of each grammar declare something.

use tree_sitter::Node;

use crate::model::{ElementKind, Language};

/// A declaration.
#[derive(Debug, Clone, Copy)]
pub(super) struct TreeSitterDeclaration<'t> {
    pub(super) kind: ElementKind,
    pub(super) name: Node<'t>,
}

/// What a node declares. `in_type` says that it stands in the body of a type.
pub(super) fn find_declaration<'t>(
    language: Language,
    node: Node<'t>,
    in_type: bool,
) -> Option<TreeSitterDeclaration<'t>> {
    match language {
        Language::Rust => rust_declaration(node, in_type),
        Language::Go => go_declaration(node),
        Language::Java => java_declaration(node),
        Language::C | Language::Cpp => c_declaration(node, in_type),
        Language::Shell => shell_declaration(node),
        Language::TypeScript
        | Language::Tsx
        | Language::JavaScript
        | Language::Jsx
        | Language::Python
        | Language::Vue
        | Language::Svelte => None,
    }
}

fn named<'t>(node: Node<'t>, kind: ElementKind) -> Option<TreeSitterDeclaration<'t>> {
    Some(TreeSitterDeclaration { kind, name: node.child_by_field_name("name")? })
}

fn rust_declaration(node: Node<'_>, in_type: bool) -> Option<TreeSitterDeclaration<'_>> {
    let kind = match node.kind() {
        "function_item" | "function_signature_item" if in_type => ElementKind::Method,
        "function_item" | "function_signature_item" | "macro_definition" => ElementKind::Function,
        "struct_item" | "union_item" => ElementKind::Class,
        "enum_item" => ElementKind::Enum,
        "trait_item" => ElementKind::Interface,
        "type_item" | "associated_type" => ElementKind::Type,
        "const_item" | "static_item" => ElementKind::Constant,
        "field_declaration" => ElementKind::Property,
        "mod_item" if node.child_by_field_name("body").is_some() => ElementKind::Namespace,
        _ => return None,
    };
    named(node, kind)
}

fn go_declaration(node: Node<'_>) -> Option<TreeSitterDeclaration<'_>> {
    let at_top = || {
        let mut holders = std::iter::successors(node.parent(), Node::parent);
        !holders.any(|holder| holder.kind() == "block")
    };
    let kind = match node.kind() {
        "function_declaration" => ElementKind::Function,
        "method_declaration" | "method_elem" => ElementKind::Method,
        "type_spec" => match node.child_by_field_name("type").map(|of| of.kind()) {
            Some("struct_type") => ElementKind::Class,
            Some("interface_type") => ElementKind::Interface,
            _ => ElementKind::Type,
        },
        "type_alias" => ElementKind::Type,
        "const_spec" | "var_spec" if at_top() => ElementKind::Constant,
        "field_declaration" => ElementKind::Property,
        _ => return None,
    };
    named(node, kind)
}

fn java_declaration(node: Node<'_>) -> Option<TreeSitterDeclaration<'_>> {
    let kind = match node.kind() {
        "class_declaration" | "record_declaration" => ElementKind::Class,
        "interface_declaration" | "annotation_type_declaration" => ElementKind::Interface,
        "enum_declaration" => ElementKind::Enum,
        "method_declaration" => ElementKind::Method,
        "constructor_declaration" | "compact_constructor_declaration" => ElementKind::Constructor,
        "enum_constant" => ElementKind::Property,
        "field_declaration" | "constant_declaration" => {
            return named(node.child_by_field_name("declarator")?, ElementKind::Property);
        }
        _ => return None,
    };
    named(node, kind)
}

fn c_declaration(node: Node<'_>, in_type: bool) -> Option<TreeSitterDeclaration<'_>> {
    let has_body = || node.child_by_field_name("body").is_some();
    match node.kind() {
        "function_definition" => c_function(node, in_type),
        "declaration" | "field_declaration" => {
            let declarator = innermost(node.child_by_field_name("declarator")?);
            let is_function = holds_function(node.child_by_field_name("declarator")?);
            match (is_function, in_type, node.kind()) {
                (true, ..) => c_function(node, in_type),
                (_, true, _) => Some(TreeSitterDeclaration { kind: ElementKind::Property, name: declarator }),
                (_, _, "declaration") if is_outside_functions(node) => {
                    Some(TreeSitterDeclaration { kind: ElementKind::Constant, name: declarator })
                }
                _ => None,
            }
        }
        "struct_specifier" | "class_specifier" | "union_specifier" if has_body() => named(node, ElementKind::Class),
        "enum_specifier" if has_body() => named(node, ElementKind::Enum),
        "namespace_definition" => named(node, ElementKind::Namespace),
        "alias_declaration" => named(node, ElementKind::Type),
        "type_definition" => Some(TreeSitterDeclaration {
            kind: ElementKind::Type,
            name: innermost(node.child_by_field_name("declarator")?),
        }),
        "preproc_def" if node.child_by_field_name("value").is_some() => named(node, ElementKind::Constant),
        "preproc_function_def" => named(node, ElementKind::Function),
        _ => None,
    }
}

fn shell_declaration(node: Node<'_>) -> Option<TreeSitterDeclaration<'_>> {
    (node.kind() == "function_definition").then(|| named(node, ElementKind::Function))?
}

fn is_outside_functions(node: Node<'_>) -> bool {
    !std::iter::successors(node.parent(), Node::parent).any(|holder| holder.kind() == "compound_statement")
}

fn c_function(node: Node<'_>, in_type: bool) -> Option<TreeSitterDeclaration<'_>> {
    if node.kind() == "declaration" && !is_outside_functions(node) {
        return None;
    }
    let name = innermost(node.child_by_field_name("declarator")?);
    let method = in_type || name.kind() == "qualified_identifier";
    // A constructor has no type before its name.
    let constructor =
        method && node.child_by_field_name("type").is_none() && last_name_part(name).kind() != "destructor_name";
    let kind = match (method, constructor && last_name_part(name).kind() != "operator_name") {
        (true, true) => ElementKind::Constructor,
        (true, false) => ElementKind::Method,
        _ => ElementKind::Function,
    };
    Some(TreeSitterDeclaration { kind, name })
}

fn holds_function(declarator: Node<'_>) -> bool {
    let mut at = Some(declarator);
    while let Some(node) = at {
        if node.kind() == "function_declarator" {
            // A pointer to a function is a variable.
            return node.child_by_field_name("declarator").is_some_and(|of| of.kind() != "parenthesized_declarator");
        }
        at = node.child_by_field_name("declarator");
    }
    false
}

/// The name inside pointers, arrays and parameter lists.
fn innermost(declarator: Node<'_>) -> Node<'_> {
    let mut at = declarator;
    loop {
        let next = at.child_by_field_name("declarator").or_else(|| {
            matches!(at.kind(), "parenthesized_declarator" | "reference_declarator")
                .then(|| at.named_child(0))
                .flatten()
        });
        match next {
            Some(inner) => at = inner,
            None => return at,
        }
    }
}

/// The last part of a qualified name.
pub(super) fn last_name_part(name: Node<'_>) -> Node<'_> {
    let mut at = name;
    while at.kind() == "qualified_identifier" {
        match at.child_by_field_name("name") {
            Some(inner) => at = inner,
            None => break,
        }
    }
    at
}

/// True for nodes whose declarations are members.
pub(super) fn is_type_body(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "impl_item"
            | "trait_item"
            | "struct_item"
            | "union_item"
            | "enum_item"
            | "class_declaration"
            | "class_specifier"
            | "struct_specifier"
            | "union_specifier"
            | "interface_declaration"
            | "record_declaration"
            | "enum_declaration"
            | "type_spec"
    )
}
