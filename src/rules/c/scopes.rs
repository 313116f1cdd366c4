//! What the names of a function are declared as, and which statements leave it.

use tapps_syntax::nodes::Node;

use super::calls::is_library_call;
use super::context::CContext;
use crate::tree::nodes::{field, named_children};
use crate::tree::values::names_outside;

/// A name with what declares it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Declared<'c> {
    /// The declaration or parameter.
    pub(crate) holder: Node<'c>,
    /// What declares this one name in it.
    pub(crate) declarator: Node<'c>,
}

impl<'c> Declared<'c> {
    /// The type as it is written, without what belongs to the name alone.
    pub(crate) fn type_text(&self, context: &CContext<'c>) -> &'c str {
        field(self.holder, "type").map_or("", |of| context.text(of))
    }

    /// True for a pointer, and for what a function is handed as an array, which is one.
    pub(crate) fn is_pointer(&self) -> bool {
        let kinds = || declarator_kinds(self.declarator);
        let is_parameter = self.is_parameter();
        kinds()
            .find(|kind| *kind != "init_declarator")
            .is_some_and(|kind| kind == "pointer_declarator" || kind == "array_declarator" && is_parameter)
    }

    pub(crate) fn is_array(&self) -> bool {
        !self.is_parameter() && declarator_kinds(self.declarator).any(|kind| kind == "array_declarator")
    }

    pub(crate) fn is_parameter(&self) -> bool {
        matches!(self.holder.kind(), "parameter_declaration" | "optional_parameter_declaration")
    }

    /// What it is given where it is declared.
    pub(crate) fn value(&self) -> Option<Node<'c>> {
        field(self.declarator, "value")
    }

    /// True when a word stands before the type: `static`.
    pub(crate) fn has_word(&self, context: &CContext<'_>, word: &str) -> bool {
        named_children(self.holder).any(|child| context.text(child) == word)
    }
}

/// The kinds of what stands around a declared name, from the outside.
fn declarator_kinds<'c>(declarator: Node<'c>) -> impl Iterator<Item = &'static str> + use<'c> {
    declarator_chain(declarator).map(|at| at.kind())
}

fn declarator_chain(declarator: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(Some(declarator), |at| {
        field(*at, "declarator").or_else(|| match at.kind() {
            "parenthesized_declarator" | "reference_declarator" => named_children(*at).next(),
            _ => None,
        })
    })
}

/// The innermost part of a declarator: the name.
pub(crate) fn name_of_declarator(declarator: Node<'_>) -> Node<'_> {
    declarator_chain(declarator).last().unwrap_or(declarator)
}

/// The part of a declarator that holds the parameters of a function.
pub(crate) fn function_declarator(node: Node<'_>) -> Option<Node<'_>> {
    declarator_chain(field(node, "declarator")?).find(|at| at.kind() == "function_declarator")
}

/// The declarators of a declaration or parameter.
pub(crate) fn declarators_of(holder: Node<'_>) -> Vec<Node<'_>> {
    holder.children_in_field("declarator").collect()
}

/// What declares a name: the nearest declaration before a place, in the functions around it.
pub(crate) fn declared_in_function<'c>(context: &CContext<'c>, at: Node<'_>, wanted: &str) -> Option<Declared<'c>> {
    let outermost = context.outermost_function(at)?;
    let before = context.tree().subtree_of(outermost).take_while(|node| node.start_byte() < at.start_byte());
    let mut found = None;
    for holder in before {
        let scope = match holder.kind() {
            "declaration" => context.tree().parent_of(holder),
            "parameter_declaration" | "optional_parameter_declaration" => {
                context.tree().ancestors_of(holder).find(|above| context.tree().is_function(*above))
            }
            _ => continue,
        };
        if scope.is_none_or(|scope| scope.end_byte() < at.end_byte()) {
            continue;
        }
        for declarator in declarators_of(holder) {
            if context.text(name_of_declarator(declarator)) == wanted {
                found = Some(Declared { holder, declarator });
            }
        }
    }
    found
}

/// The names that a value gets: of the function it is made in, of what it is assigned to.
pub(crate) fn names_around_value<'c>(context: &CContext<'c>, node: Node<'_>) -> Vec<&'c str> {
    names_outside(context, node, |at| match at.kind() {
        "function_definition" | "init_declarator" => field(at, "declarator").map(name_of_declarator),
        "assignment_expression" => field(at, "left"),
        _ => None,
    })
}

/// Functions that never return.
const ENDING: &[&str] = &[
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "longjmp",
    "std::terminate",
    "terminate",
    "__builtin_unreachable",
    "__builtin_trap",
    "err",
    "errx",
    "panic",
    "unreachable",
];

/// True for a statement behind which nothing of its list runs.
pub(crate) fn leaves_list(context: &CContext<'_>, statement: Node<'_>) -> bool {
    let body = |name: &str| field(statement, name);
    match statement.kind() {
        "return_statement" | "throw_statement" | "break_statement" | "continue_statement" | "goto_statement" => true,
        "co_return_statement" => true,
        "compound_statement" | "else_clause" | "labeled_statement" => {
            named_children(statement).last().is_some_and(|last| leaves_list(context, last))
        }
        "if_statement" => {
            let sides = [body("consequence"), body("alternative")];
            sides.iter().all(|side| side.is_some_and(|side| leaves_list(context, side)))
        }
        "for_statement" => body("condition").is_none() && !has_break(context, statement),
        "while_statement" => {
            let is_endless = body("condition").is_some_and(|it| matches!(context.text(it), "(1)" | "(true)"));
            is_endless && !has_break(context, statement)
        }
        "expression_statement" => {
            named_children(statement).next().is_some_and(|call| is_library_call(context, call, ENDING))
        }
        _ => false,
    }
}

fn has_break(context: &CContext<'_>, node: Node<'_>) -> bool {
    context.tree().own_nodes_of(node).any(|at| at.kind() == "break_statement")
}

/// Types of the standard library whose copies need memory.
const HEAVY: &[&str] = &[
    "deque",
    "list",
    "map",
    "multimap",
    "multiset",
    "set",
    "string",
    "unordered_map",
    "unordered_set",
    "vector",
    "wstring",
];

/// True for a text or a container by its name, without `&` or `*`.
pub(crate) fn is_heavy_type(text: &str) -> bool {
    let plain = text.split('<').next().unwrap_or(text).trim();
    plain.strip_prefix("std::").is_some_and(|name| HEAVY.contains(&name))
}
