//! What comes from a request, and so from anybody.

use tapps_syntax::nodes::Node;

use super::calls::{called_member, called_method, composed_parts, string_literal};
use super::context::GoContext;
use super::scopes::{assigned_value, declared_type};
use crate::tree::nodes::{children_of_kind, field, named_children};
use crate::tree::values::values_behind;

/// Types of what a handler is handed, by how they are written.
const REQUESTS: &[&str] =
    &["*http.Request", "*gin.Context", "echo.Context", "*echo.Context", "*fiber.Ctx", "fiber.Ctx", "*iris.Context"];
/// Methods that give what the caller sent.
const INPUTS: &[&str] = &[
    "Cookies",
    "DefaultQuery",
    "FormValue",
    "Get",
    "GetHeader",
    "Param",
    "Params",
    "PathValue",
    "PostForm",
    "PostFormValue",
    "Query",
    "QueryParam",
    "UserAgent",
];
/// Fields that hold what the caller sent.
const FIELDS: &[&str] = &["Path", "RawPath", "RawQuery", "RequestURI", "Form", "PostForm", "Host", "Filename"];

/// True for an expression that is made from what a request brings.
pub(crate) fn stems_from_request<'c>(context: &GoContext<'c>, node: Node<'c>) -> bool {
    stems_from_input(context, node, |part| only_chooses(context, part))
}

/// The same of an argument, where what a request brings has gone through nothing but functions of texts, and functions of the file
/// that give it back: what any other makes of it need not hold it any more.
pub(crate) fn is_chosen_by_request<'c>(context: &GoContext<'c>, argument: Node<'c>) -> bool {
    let call = context.tree().ancestors_of(argument).find(|at| at.kind() == "call_expression");
    stems_from_input(context, argument, |part| only_chooses(context, part) || is_handed_on(context, part, call))
}

fn stems_from_input<'c>(context: &GoContext<'c>, node: Node<'c>, is_spent: impl Fn(Node<'c>) -> bool) -> bool {
    let value_of = |context: &GoContext<'c>, name: Node<'c>| assigned_value(context, name).filter(|_| !is_spent(name));
    let sources = values_behind(context, node, value_of);
    // What a function inside of it reads of its own request stays there.
    let mut parts =
        sources.iter().filter(|at| !context.tree().is_function(**at)).flat_map(|at| context.tree().own_nodes_of(*at));
    parts.any(|part| is_input(context, part) && !is_spent(part))
}

/// Packages whose functions give back what they are given in another form.
const FORMS: &[&str] = &["bytes", "fmt", "html", "net/url", "path", "path/filepath", "strings"];
/// Functions of the language that do.
const CONVERSIONS: &[&str] = &["append", "string"];

/// True inside the arguments of a call that may make anything of them; `outermost` is asked about itself.
fn is_handed_on(context: &GoContext<'_>, node: Node<'_>, outermost: Option<Node<'_>>) -> bool {
    let mut inner = node.id();
    let is_end = |at: &Node<'_>| at.kind() == "statement_list" || outermost.is_some_and(|call| call.id() == at.id());
    for at in context.tree().ancestors_of(node).take_while(|at| !is_end(at)) {
        let is_argument = field(at, "arguments").is_some_and(|arguments| arguments.id() == inner);
        let gives_form = || {
            called_member(context, at).is_some_and(|(path, _)| FORMS.contains(&path))
                || field(at, "function").is_some_and(|callee| {
                    let name = context.text(callee);
                    CONVERSIONS.contains(&name)
                        || context.mentions().functions.get(name).is_some_and(|it| gives_back(context, *it))
                })
        };
        if at.kind() == "call_expression" && is_argument && !gives_form() {
            return true;
        }
        inner = at.id();
    }
    false
}

/// True for a function that returns something made from what it is handed, and that does not begin with a constant.
fn gives_back<'c>(context: &GoContext<'c>, function: Node<'c>) -> bool {
    let list = field(function, "parameters");
    let declarations = list.into_iter().flat_map(named_children);
    let names: Vec<&str> =
        declarations.flat_map(|one| children_of_kind(one, "identifier")).map(|name| context.text(name)).collect();
    let returns = context.tree().own_nodes_of(function).filter(|at| at.kind() == "return_statement");
    let values = returns.filter_map(|at| named_children(named_children(at).next()?).next());
    values.into_iter().any(|value| {
        let begins = composed_parts(context, value).and_then(|parts| string_literal(context, *parts.first()?));
        begins.is_none_or(|begins| begins.starts_with('%'))
            && values_behind(context, value, |context, name| assigned_value(context, name))
                .into_iter()
                .flat_map(|source| context.tree().subtree_of(source))
                .any(|at| at.kind() == "identifier" && names.contains(&context.text(at)))
    })
}

/// True for an index: it chooses among what is there, and what is there decides.
fn only_chooses(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let mut inner = node.id();
    for at in context.tree().ancestors_of(node).take_while(|at| at.kind() != "statement_list") {
        if at.kind() == "index_expression" && field(at, "index").is_some_and(|index| index.id() == inner) {
            return true;
        }
        inner = at.id();
    }
    false
}

fn is_input<'c>(context: &GoContext<'c>, node: Node<'c>) -> bool {
    let (holder, is_named) = match node.kind() {
        "call_expression" => match called_method(context, node) {
            Some((_, "Vars")) => {
                return called_member(context, node).is_some_and(|(path, _)| path.ends_with("/mux"));
            }
            Some((receiver, name)) => (receiver, INPUTS.contains(&name)),
            None => return false,
        },
        "selector_expression" => match (field(node, "operand"), field(node, "field")) {
            (Some(operand), Some(name)) => (operand, FIELDS.contains(&context.text(name))),
            _ => return false,
        },
        _ => return false,
    };
    is_named && is_of_request(context, holder)
}

/// True for a request and for what hangs on it: `r`, `r.URL`, `r.URL.Query()`.
fn is_of_request(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let mut at = node;
    loop {
        let inner = match at.kind() {
            "identifier" => return declared_type(context, at).is_some_and(|of| REQUESTS.contains(&of)),
            "selector_expression" | "index_expression" => field(at, "operand"),
            "call_expression" => field(at, "function"),
            _ => None,
        };
        match inner {
            Some(inner) => at = inner,
            None => return false,
        }
    }
}
