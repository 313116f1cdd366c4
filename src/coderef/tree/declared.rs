//! Which nodes of each grammar declare something.

use tree_sitter::Node;

use crate::model::{Kind, Language};

/// A declaration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Declared<'t> {
    pub(super) kind: Kind,
    pub(super) name: Node<'t>,
}

/// What a node declares. `in_type` says that it stands in the body of a type.
pub(super) fn declared<'t>(language: Language, node: Node<'t>, in_type: bool) -> Option<Declared<'t>> {
    match language {
        Language::Rust => rust(node, in_type),
        Language::Go => go(node),
        Language::Java => java(node),
        Language::C | Language::Cpp => c(node, in_type),
        Language::TypeScript
        | Language::Tsx
        | Language::JavaScript
        | Language::Jsx
        | Language::Python
        | Language::Vue
        | Language::Svelte => None,
    }
}

fn named<'t>(node: Node<'t>, kind: Kind) -> Option<Declared<'t>> {
    Some(Declared { kind, name: node.child_by_field_name("name")? })
}

fn rust(node: Node<'_>, in_type: bool) -> Option<Declared<'_>> {
    let kind = match node.kind() {
        "function_item" | "function_signature_item" if in_type => Kind::Method,
        "function_item" | "function_signature_item" | "macro_definition" => Kind::Function,
        "struct_item" | "union_item" => Kind::Class,
        "enum_item" => Kind::Enum,
        "trait_item" => Kind::Interface,
        "type_item" | "associated_type" => Kind::Type,
        "const_item" | "static_item" => Kind::Constant,
        "field_declaration" => Kind::Property,
        "mod_item" if node.child_by_field_name("body").is_some() => Kind::Namespace,
        _ => return None,
    };
    named(node, kind)
}

fn go(node: Node<'_>) -> Option<Declared<'_>> {
    let at_top = || {
        let mut holders = std::iter::successors(node.parent(), Node::parent);
        !holders.any(|holder| holder.kind() == "block")
    };
    let kind = match node.kind() {
        "function_declaration" => Kind::Function,
        "method_declaration" | "method_elem" => Kind::Method,
        "type_spec" => match node.child_by_field_name("type").map(|of| of.kind()) {
            Some("struct_type") => Kind::Class,
            Some("interface_type") => Kind::Interface,
            _ => Kind::Type,
        },
        "type_alias" => Kind::Type,
        "const_spec" | "var_spec" if at_top() => Kind::Constant,
        "field_declaration" => Kind::Property,
        _ => return None,
    };
    named(node, kind)
}

fn java(node: Node<'_>) -> Option<Declared<'_>> {
    let kind = match node.kind() {
        "class_declaration" | "record_declaration" => Kind::Class,
        "interface_declaration" | "annotation_type_declaration" => Kind::Interface,
        "enum_declaration" => Kind::Enum,
        "method_declaration" => Kind::Method,
        "constructor_declaration" | "compact_constructor_declaration" => Kind::Constructor,
        "enum_constant" => Kind::Property,
        "field_declaration" | "constant_declaration" => {
            return named(node.child_by_field_name("declarator")?, Kind::Property);
        }
        _ => return None,
    };
    named(node, kind)
}

fn c(node: Node<'_>, in_type: bool) -> Option<Declared<'_>> {
    let has_body = || node.child_by_field_name("body").is_some();
    match node.kind() {
        "function_definition" => c_function(node, in_type),
        "declaration" | "field_declaration" => {
            let declarator = innermost(node.child_by_field_name("declarator")?);
            let is_function = holds_function(node.child_by_field_name("declarator")?);
            match (is_function, in_type, node.kind()) {
                (true, ..) => c_function(node, in_type),
                (_, true, _) => Some(Declared { kind: Kind::Property, name: declarator }),
                (_, _, "declaration") if is_outside_functions(node) => {
                    Some(Declared { kind: Kind::Constant, name: declarator })
                }
                _ => None,
            }
        }
        "struct_specifier" | "class_specifier" | "union_specifier" if has_body() => named(node, Kind::Class),
        "enum_specifier" if has_body() => named(node, Kind::Enum),
        "namespace_definition" => named(node, Kind::Namespace),
        "alias_declaration" => named(node, Kind::Type),
        "type_definition" => {
            Some(Declared { kind: Kind::Type, name: innermost(node.child_by_field_name("declarator")?) })
        }
        "preproc_def" if node.child_by_field_name("value").is_some() => named(node, Kind::Constant),
        "preproc_function_def" => named(node, Kind::Function),
        _ => None,
    }
}

fn is_outside_functions(node: Node<'_>) -> bool {
    !std::iter::successors(node.parent(), Node::parent).any(|holder| holder.kind() == "compound_statement")
}

fn c_function(node: Node<'_>, in_type: bool) -> Option<Declared<'_>> {
    if node.kind() == "declaration" && !is_outside_functions(node) {
        return None;
    }
    let name = innermost(node.child_by_field_name("declarator")?);
    let method = in_type || name.kind() == "qualified_identifier";
    // A constructor has no type before its name.
    let constructor = method && node.child_by_field_name("type").is_none() && last(name).kind() != "destructor_name";
    let kind = match (method, constructor && last(name).kind() != "operator_name") {
        (true, true) => Kind::Constructor,
        (true, false) => Kind::Method,
        _ => Kind::Function,
    };
    Some(Declared { kind, name })
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
pub(super) fn last(name: Node<'_>) -> Node<'_> {
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
