//! Where a name of a function comes from, as far as the text before it tells.

use tapps_syntax::tree::Node;

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
    let before = context.tree().subtree_of(outermost).take_while(|at| at.start_byte() < name.start_byte());
    let declares = |at: &Node<'c>| match at.kind() {
        "short_var_declaration" | "range_clause" => names_on_left(context, *at).any(|left| left == wanted),
        "var_spec" | "const_spec" => children_of_kind(*at, "identifier").any(|it| context.text(it) == wanted),
        "parameter_declaration" | "variadic_parameter_declaration" => {
            let of_function = context.tree().ancestors_of(*at).find(|above| context.tree().is_function(*above));
            let around = of_function.is_some_and(|of| of.end_byte() >= name.end_byte());
            around && children_of_kind(*at, "identifier").any(|it| context.text(it) == wanted)
        }
        _ => false,
    };
    before.filter(declares).filter(|at| at.end_byte() <= name.start_byte()).last()
}

/// The names on the left of a declaration or assignment.
pub(crate) fn names_on_left<'c>(context: &GoContext<'c>, statement: Node<'c>) -> impl Iterator<Item = &'c str> {
    let left = field(statement, "left");
    left.into_iter().flat_map(named_children).map(|name| context.text(name))
}

/// The expression that a name was given before a place, by the nearest declaration or assignment of one value to it.
pub(crate) fn assigned_value<'c>(context: &GoContext<'c>, name: Node<'_>) -> Option<Node<'c>> {
    let wanted = context.text(name);
    let tree = context.tree();
    let local = context.outermost_function(name).and_then(|outermost| {
        let before = tree.subtree_of(outermost).take_while(|at| at.start_byte() < name.start_byte());
        before.filter(|at| at.end_byte() <= name.start_byte()).filter_map(|at| value_given(context, at, wanted)).last()
    });
    local.or_else(|| {
        let is_top =
            |at: &Node<'c>| matches!(at.kind(), "var_spec" | "const_spec") && context.function_around(*at).is_none();
        tree.all_nodes().filter(is_top).find_map(|at| value_given(context, at, wanted))
    })
}

/// What a statement gives to a name. Of a call with several results it is the call.
fn value_given<'c>(context: &GoContext<'c>, statement: Node<'c>, wanted: &str) -> Option<Node<'c>> {
    let (names, values): (Vec<Node<'c>>, Node<'c>) = match statement.kind() {
        "short_var_declaration" | "assignment_statement" => {
            (named_children(field(statement, "left")?).collect(), field(statement, "right")?)
        }
        "var_spec" | "const_spec" => (children_of_kind(statement, "identifier").collect(), field(statement, "value")?),
        _ => return None,
    };
    let at = names.iter().position(|name| context.text(*name) == wanted)?;
    let values: Vec<Node<'c>> = named_children(values).collect();
    if values.len() == names.len() { values.get(at).copied() } else { values.first().copied() }
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

/// True for a value that the function gives away as a whole: returned, handed to a call, sent, or kept in something else.
pub(crate) fn is_handed_on(context: &GoContext<'_>, function: Node<'_>, name: &str) -> bool {
    let mut mentions =
        context.tree().subtree_of(function).filter(|at| at.kind() == "identifier" && context.text(*at) == name);
    mentions.any(|at| {
        let Some(parent) = context.tree().parent_of(at) else { return false };
        let is_right = context.tree().parent_of(parent).and_then(|of| field(of, "right")).map(|it| it.id());
        match parent.kind() {
            "argument_list" | "literal_element" | "send_statement" => true,
            "expression_list" => {
                let statement = context.tree().parent_of(parent).map(|of| of.kind());
                statement == Some("return_statement") || is_right == Some(parent.id())
            }
            _ => false,
        }
    })
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

/// What there is to say of a call whose result the function neither closes nor hands on. Tests end with what they opened.
pub(crate) fn report_left_open(context: &GoContext<'_>, rule: &Rule, call: Node<'_>, close: &str) -> Option<Finding> {
    let is_told = !context.is_test_file() && is_left_open(context, call, close);
    is_told.then(|| context.report(rule, call, "what this returns is not closed in the function"))
}

/// True for a call whose first result is kept under a name that the function neither closes nor hands on. `close` is what
/// closes it.
fn is_left_open(context: &GoContext<'_>, call: Node<'_>, close: &str) -> bool {
    let list = context.tree().parent_of(call).filter(|parent| parent.kind() == "expression_list");
    let statement = list.and_then(|list| context.tree().parent_of(list));
    let name = statement.and_then(|statement| names_on_left(context, statement).next()).unwrap_or("_");
    let Some(function) = context.outermost_function(call).filter(|_| name != "_" && !name.contains('.')) else {
        return false;
    };
    // `keep.body = answer.Body` hands on what is to be closed.
    let part = close.split('.').next().unwrap_or_default();
    let text = context.text(function);
    let is_kept = [" = ", ": "].iter().any(|before| text.contains(&format!("{before}{name}.{part}\n")))
        || [format!(": {name}.{part},"), format!("lose({name}.{part},")].iter().any(|it| text.contains(it));
    !text.contains(&format!("{name}.{close}")) && !is_kept && !is_handed_on(context, function, name)
}
