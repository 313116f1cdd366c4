//! Where a name of a method comes from, as far as the text of the file tells.

use tapps_syntax::nodes::Node;

use super::context::JavaContext;
use crate::tree::nodes::{children_of_kind, field, named_children, operator_of, without_parentheses};
use crate::tree::values::values_behind;

/// How often a value is followed from name to name.
const HOPS: u8 = 3;

/// What declares a name: the nearest declaration before it in the methods around it, else a field of the file.
pub(crate) fn declaration_of<'c>(context: &JavaContext<'c>, name: Node<'_>) -> Option<Node<'c>> {
    let wanted = context.text(name);
    local_declaration(context, name, wanted).or_else(|| context.field_declarator(wanted))
}

/// The declaration in the methods around a place; none for a field.
pub(crate) fn local_declaration<'c>(context: &JavaContext<'c>, at: Node<'_>, wanted: &str) -> Option<Node<'c>> {
    let outermost = context.outermost_function(at)?;
    let before = context.tree().subtree_of(outermost).take_while(|node| node.start_byte() < at.start_byte());
    before
        .filter(|node| {
            let scope = match node.kind() {
                "variable_declarator" => {
                    let holder = context.tree().parent_of(*node);
                    holder
                        .filter(|of| of.kind() == "local_variable_declaration")
                        .and_then(|of| context.tree().parent_of(of))
                }
                "formal_parameter" | "catch_formal_parameter" | "resource" => {
                    context.tree().parent_of(*node).and_then(|of| context.tree().parent_of(of))
                }
                "enhanced_for_statement" => Some(*node),
                "instanceof_expression" => Some(outermost),
                _ => None,
            };
            let declares = field(*node, "name").is_some_and(|name| context.text(name) == wanted);
            // A parameter of a lambda stands in a list, that of a handler in the clause itself.
            declares && scope.is_some_and(|scope| scope.end_byte() >= at.end_byte())
        })
        .last()
}

/// The type that a name is declared with, as it is written.
pub(crate) fn declared_type<'c>(context: &JavaContext<'c>, name: Node<'_>) -> Option<&'c str> {
    let declaration = declaration_of(context, name)?;
    let of = match declaration.kind() {
        "variable_declarator" => context.tree().parent_of(declaration).and_then(|holder| field(holder, "type")),
        "catch_formal_parameter" => children_of_kind(declaration, "catch_type").next(),
        "instanceof_expression" => field(declaration, "right"),
        _ => field(declaration, "type"),
    };
    of.map(|of| context.text(of))
}

/// The expression that a name was given before a place, by the nearest declaration or assignment.
pub(crate) fn assigned_value<'c>(context: &JavaContext<'c>, name: Node<'_>) -> Option<Node<'c>> {
    let wanted = context.text(name);
    let local = context.outermost_function(name).and_then(|outermost| {
        let before = context.tree().subtree_of(outermost).take_while(|at| at.start_byte() < name.start_byte());
        let given = before.filter(|at| at.end_byte() <= name.start_byte()).filter_map(|at| match at.kind() {
            "variable_declarator" => field(at, "name").filter(|it| context.text(*it) == wanted).and(field(at, "value")),
            "assignment_expression" if operator_of(at) == Some("=") => {
                field(at, "left").filter(|it| context.text(*it) == wanted).and(field(at, "right"))
            }
            _ => None,
        });
        given.last()
    });
    local.or_else(|| {
        let is_hidden = local_declaration(context, name, wanted).is_some();
        context.field_declarator(wanted).filter(|_| !is_hidden).and_then(|declarator| field(declarator, "value"))
    })
}

/// True for a value that no caller and no input can change: literals, constants by their name, sums of those, and names that
/// were given such a value.
pub(crate) fn is_constant(context: &JavaContext<'_>, node: Node<'_>) -> bool {
    is_constant_within(context, node, HOPS)
}

fn is_constant_within(context: &JavaContext<'_>, node: Node<'_>, hops: u8) -> bool {
    let node = without_parentheses(node);
    let all = |parts: &[&str]| {
        parts.iter().filter_map(|part| field(node, part)).all(|part| is_constant_within(context, part, hops))
    };
    match node.kind() {
        "binary_expression" => all(&["left", "right"]),
        "ternary_expression" => all(&["consequence", "alternative"]),
        "field_access" => field(node, "field").is_some_and(|name| is_constant_name(context.text(name))),
        "identifier" if is_constant_name(context.text(node)) => true,
        "identifier" if hops > 0 => {
            assigned_value(context, node).is_some_and(|value| is_constant_within(context, value, hops - 1))
        }
        kind => kind.ends_with("_literal") || matches!(kind, "true" | "false"),
    }
}

/// `MAX_SIZE`: so constants are called.
pub(crate) fn is_constant_name(name: &str) -> bool {
    name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// An expression and, of names, what they were given: what a value is made from.
pub(crate) fn sources_of<'c>(context: &JavaContext<'c>, node: Node<'c>) -> Vec<Node<'c>> {
    values_behind(context, node, |context, name| assigned_value(context, name))
}

/// The names that a value gets: of the method it is made in, of what it is assigned to.
pub(crate) fn names_around<'c>(context: &JavaContext<'c>, node: Node<'_>) -> Vec<&'c str> {
    let mut names = Vec::new();
    for at in context.tree().ancestors_of(node) {
        let part = match at.kind() {
            "method_declaration" | "variable_declarator" => field(at, "name"),
            "assignment_expression" => field(at, "left"),
            _ => None,
        };
        names.extend(part.map(|part| context.text(part)));
        if at.kind() == "method_declaration" {
            break;
        }
    }
    names
}

/// Calls that use what they are handed and do not keep it.
const ONLY_USING: &[&str] = &[
    "copy",
    "load",
    "loadFromXML",
    "parse",
    "print",
    "println",
    "read",
    "readFully",
    "store",
    "toByteArray",
    "toString",
    "transferTo",
    "write",
];

/// True for a value that a method gives away as a whole: returned, handed to a call that may keep it, or kept elsewhere.
pub(crate) fn is_handed_on(context: &JavaContext<'_>, function: Node<'_>, name: &str) -> bool {
    let mut mentions =
        context.tree().subtree_of(function).filter(|at| at.kind() == "identifier" && context.text(*at) == name);
    mentions.any(|at| {
        let Some(parent) = context.tree().parent_of(at) else { return false };
        let is = |part: &str| field(parent, part).is_some_and(|it| it.id() == at.id());
        match parent.kind() {
            "argument_list" => {
                let call = context.tree().parent_of(parent);
                let called =
                    call.filter(|call| call.kind() == "method_invocation").and_then(|call| field(call, "name"));
                !called.is_some_and(|called| ONLY_USING.contains(&context.text(called)))
            }
            "return_statement" | "array_initializer" | "resource" | "cast_expression" | "ternary_expression" => true,
            "assignment_expression" => is("right"),
            "variable_declarator" => is("value"),
            "lambda_expression" => is("body"),
            _ => false,
        }
    })
}

/// True for a statement behind which nothing of its list runs.
pub(crate) fn leaves(context: &JavaContext<'_>, statement: Node<'_>) -> bool {
    let last_leaves = |block: Node<'_>| named_children(block).last().is_some_and(|last| leaves(context, last));
    let body = |name: &str| field(statement, name);
    match statement.kind() {
        "return_statement" | "throw_statement" | "break_statement" | "continue_statement" | "yield_statement" => true,
        "block" => last_leaves(statement),
        "labeled_statement" => last_leaves(statement),
        "synchronized_statement" => body("body").is_some_and(last_leaves),
        "if_statement" => {
            let sides = [body("consequence"), body("alternative")];
            sides.iter().all(|side| side.is_some_and(|side| leaves(context, side)))
        }
        "while_statement" => body("condition").is_some_and(|it| context.text(it) == "(true)"),
        "for_statement" => body("condition").is_none(),
        "do_statement" => body("body").is_some_and(|body| leaves(context, body)),
        "try_statement" | "try_with_resources_statement" => {
            let block_of = |clause: Node<'_>| {
                named_children(clause).find(|child| child.kind() == "block").is_some_and(last_leaves)
            };
            let clauses = |kind| children_of_kind(statement, kind);
            clauses("finally_clause").any(block_of)
                || body("body").is_some_and(last_leaves) && clauses("catch_clause").all(block_of)
        }
        "switch_expression" => {
            let text = context.text(statement);
            let groups = body("body").into_iter().flat_map(named_children);
            text.contains("default") && !text.contains("break") && groups.last().is_some_and(last_leaves)
        }
        "expression_statement" => context.text(statement).starts_with("System.exit("),
        _ => false,
    }
}
