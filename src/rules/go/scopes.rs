//! Where a name of a function comes from, as far as the text before it tells.

use tapps_syntax::nodes::Node;

use super::context::GoContext;
use crate::tree::nodes::{children_of_kind, field, named_children, without_parentheses};
use crate::tree::values::values_behind;
use tapps_base::finding::Finding;
use tapps_base::rule::Rule;

/// How often a value is followed from name to name.
const HOPS: u8 = 3;

/// What declares a name in the functions around a place: the nearest declaration before it, or the parameter.
pub(crate) fn local_declaration<'c>(context: &GoContext<'c>, name: Node<'_>) -> Option<Node<'c>> {
    let wanted = context.text(name);
    let outermost = context.outermost_function(name)?;
    let all = context.mentions().declarations.get(wanted)?;
    let before = all.get(..all.partition_point(|at| at.start_byte() < name.start_byte()))?;
    let mut inside = before.iter().rev().copied().take_while(|at| at.start_byte() >= outermost.start_byte());
    // A parameter is one for its function alone.
    let is_in_reach = |at: Node<'c>| {
        !matches!(at.kind(), "parameter_declaration" | "variadic_parameter_declaration")
            || context.function_around(at).is_some_and(|of| of.end_byte() >= name.end_byte())
    };
    inside.find(|at| at.end_byte() <= name.start_byte() && is_in_reach(*at))
}

/// The names on the left of a declaration or assignment.
pub(crate) fn names_on_left<'c>(context: &GoContext<'c>, statement: Node<'c>) -> impl Iterator<Item = &'c str> {
    let left = field(statement, "left");
    left.into_iter().flat_map(named_children).map(|name| context.text(name))
}

/// The expression that a name was given before a place, by the nearest declaration or assignment of one value to it.
pub(crate) fn assigned_value<'c>(context: &GoContext<'c>, name: Node<'_>) -> Option<Node<'c>> {
    let wanted = context.text(name);
    let mentions = context.mentions();
    let local = context.outermost_function(name).and_then(|outermost| {
        let all = mentions.values.get(wanted)?;
        let before = all.get(..all.partition_point(|(at, _)| at.start_byte() < name.start_byte()))?;
        let inside = before.iter().rev().take_while(|(at, _)| at.start_byte() >= outermost.start_byte());
        let mut behind = inside.filter(|(at, _)| at.end_byte() <= name.start_byte());
        behind.find_map(|(at, number)| value_given(*at, *number))
    });
    local.or_else(|| mentions.top_values.get(wanted).and_then(|(at, number)| value_given(*at, *number)))
}

/// What a statement gives to the name of a number. Of a call with several results it is the call.
fn value_given<'c>(statement: Node<'c>, number: usize) -> Option<Node<'c>> {
    let values: Vec<Node<'c>> =
        named_children(field(statement, "right").or_else(|| field(statement, "value"))?).collect();
    let names = match field(statement, "left") {
        Some(left) => named_children(left).count(),
        None => children_of_kind(statement, "identifier").count(),
    };
    if values.len() == names { values.get(number).copied() } else { values.first().copied() }
}

/// True for text that no caller and no input can change: literals, constants of the file, sums of those, and names that
/// were given such a text.
pub(crate) fn is_constant_text(context: &GoContext<'_>, node: Node<'_>) -> bool {
    is_constant_within(context, node, HOPS)
}

fn is_constant_within(context: &GoContext<'_>, node: Node<'_>, hops: u8) -> bool {
    let node = without_parentheses(node);
    match node.kind() {
        "interpreted_string_literal" | "raw_string_literal" | "int_literal" | "rune_literal" => true,
        "binary_expression" => {
            let sides = ["left", "right"].into_iter().filter_map(|side| field(node, side));
            sides.into_iter().all(|side| is_constant_within(context, side, hops))
        }
        "identifier" if hops > 0 => {
            assigned_value(context, node).is_some_and(|value| is_constant_within(context, value, hops - 1))
        }
        _ => false,
    }
}

/// An expression and, of names, what they were given: what a value is made from.
pub(crate) fn sources_of<'c>(context: &GoContext<'c>, node: Node<'c>) -> Vec<Node<'c>> {
    values_behind(context, node, |context, name| assigned_value(context, name))
}

/// The type that a name is declared with, as it is written.
pub(crate) fn declared_type<'c>(context: &GoContext<'c>, name: Node<'_>) -> Option<&'c str> {
    let declaration = local_declaration(context, name)?;
    field(declaration, "type").map(|of| context.text(of))
}

/// The name of the function around a place: of the declared one.
pub(crate) fn function_name<'c>(context: &GoContext<'c>, node: Node<'_>) -> &'c str {
    let name = context.outermost_function(node).and_then(|function| field(function, "name"));
    name.map_or("", |name| context.text(name))
}

/// The names that a value gets: those it is assigned to, the field it fills, the function it is made in.
pub(crate) fn names_around<'c>(context: &GoContext<'c>, node: Node<'_>) -> Vec<&'c str> {
    let mut names = vec![function_name(context, node)];
    for at in context.tree().ancestors_of(node).take_while(|at| !context.tree().is_function(*at)) {
        match at.kind() {
            "short_var_declaration" | "assignment_statement" => names.extend(names_on_left(context, at)),
            "var_spec" | "const_spec" => names.extend(children_of_kind(at, "identifier").map(|it| context.text(it))),
            "keyed_element" => names.extend(field(at, "key").map(|key| context.text(key))),
            _ => {}
        }
    }
    names
}

/// The statement of a list in which a node stands.
pub(crate) fn statement_around<'c>(context: &GoContext<'c>, node: Node<'_>) -> Option<Node<'c>> {
    let mut above = context.tree().ancestors_of(node);
    above.find(|at| context.tree().parent_of(*at).is_some_and(|list| list.kind() == "statement_list"))
}

/// The comment behind a statement, on the line of its end.
pub(crate) fn comment_beside(statement: Node<'_>) -> Option<Node<'_>> {
    statement.next_sibling().filter(|next| next.kind() == "comment" && next.start_row() == statement.end_row())
}

/// What there is to say of a call whose result the function neither closes nor hands on. Tests end with what they opened.
pub(crate) fn report_left_open(
    context: &GoContext<'_>,
    rule: &Rule,
    call: Node<'_>,
    closing: &[&str],
) -> Option<Finding> {
    // What `main` itself opens is closed with the program, which may go on for long.
    let is_of_main = || {
        let function = context.function_around(call).filter(|_| context.is_main_package());
        let name = function.and_then(|function| field(function, "name"));
        name.is_some_and(|name| context.text(name) == "main") && context.loop_around(call).is_none()
    };
    let is_told = !context.holds_tests() && is_left_open(context, call, closing);
    is_told
        .then(|| context.report(rule, call, "what this returns is not closed in the function").doubted_if(is_of_main()))
}

/// True for a call whose first result is kept under a name that the function neither closes nor hands on. `closing` is what
/// closes it.
fn is_left_open(context: &GoContext<'_>, call: Node<'_>, closing: &[&str]) -> bool {
    let list = context.tree().parent_of(call).filter(|parent| parent.kind() == "expression_list");
    let statement = list.and_then(|list| context.tree().parent_of(list));
    let name = statement.and_then(|statement| names_on_left(context, statement).next()).unwrap_or("_");
    let Some(function) = context.outermost_function(call).filter(|_| name != "_" && !name.contains('.')) else {
        return false;
    };
    // `keep.body = answer.Body` hands on what is to be closed.
    let part = closing.first().and_then(|close| close.split('.').next()).unwrap_or_default();
    let mentions = context.mentions();
    !is_named_result(context, call, name)
        && !closing.iter().any(|close| mentions.is_closed_in(&format!("{name}.{close}"), function))
        && !mentions.is_part_handed_on_in(&format!("{name}.{part}"), function)
        && !mentions.is_handed_on_in(name, function)
}

/// True for a name among the results of the function around: a `return` alone hands it on.
fn is_named_result(context: &GoContext<'_>, call: Node<'_>, name: &str) -> bool {
    let result = context.function_around(call).and_then(|function| field(function, "result"));
    let mut names = result.into_iter().flat_map(named_children).flat_map(|one| children_of_kind(one, "identifier"));
    names.any(|it| context.text(it) == name)
}
