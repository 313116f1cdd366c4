//! Why an error may be let go: what the text of the file shows of it.

use tapps_syntax::nodes::Node;

use super::calls::{arguments_of, called_member, composed_parts, package_member, string_literal};
use super::comments::{comments_of_paragraph, is_mere_order};
use super::context::GoContext;
use super::language::receiver_type;
use super::requests::stems_from_request;
use super::scopes::{
    assigned_value, comment_beside, declared_type, function_name, is_constant_text, local_declaration,
};
use crate::tree::nodes::{field, named_children};
use crate::words::{names_in, split_identifier_words};

/// Statements behind in which a failure shows.
const NEXT: usize = 3;

/// True for a folder that is made for what the next statements do in it, and for bytes that they decode: where there are none, or too
/// few, that fails, and is looked at.
pub(super) fn shows_next<'c>(context: &GoContext<'c>, statement: Node<'c>, call: Node<'c>) -> bool {
    let name = |names: Vec<Node<'c>>| -> Vec<&'c str> {
        let parts = names.into_iter().flat_map(|at| context.tree().subtree_of(at));
        parts
            .filter(|at| at.kind() == "identifier" && context.imported_path(*at).is_none())
            .map(|at| context.text(at))
            .collect()
    };
    let wanted = match called_member(context, call) {
        Some(("os", "Mkdir" | "MkdirAll")) => name(arguments_of(call).into_iter().take(1).collect()),
        Some(("io" | "io/ioutil" | "os", "ReadAll" | "ReadFile")) => {
            let kept = field(statement, "left").and_then(|left| named_children(left).next());
            name(kept.into_iter().collect())
        }
        _ => return false,
    };
    // A label may stand before it.
    let line = context.tree().parent_of(statement).filter(|at| at.kind() == "labeled_statement").unwrap_or(statement);
    let list = context.tree().parent_of(line);
    let behind = list.into_iter().flat_map(named_children).filter(|next| next.start_byte() > statement.start_byte());
    let makes_file = |text: &str| {
        context.text(call).starts_with("os.Mkdir")
            && ["os.Create(", "os.OpenFile(", "os.WriteFile("].iter().any(|maker| text.contains(maker))
    };
    let is_looked_at = |next: Node<'c>| {
        let text = context.text(next).split('{').next().unwrap_or_default();
        let has = |is_meant: &dyn Fn(&str) -> bool| names_in(text).any(is_meant);
        (makes_file(text) || has(&|word| wanted.contains(&word)))
            && has(&|word| word.to_ascii_lowercase().ends_with("err"))
    };
    behind.take(NEXT).any(is_looked_at)
}

/// True for a text whose form is known: what an address wrote of itself, digits that an expression or a scanner found.
pub(super) fn reads_own_text<'c>(context: &GoContext<'c>, call: Node<'c>) -> bool {
    let arguments = arguments_of(call);
    let is_address = |node: Node<'c>| {
        context.text(node).ends_with(".String()") || is_constant_text(context, node) || begins_with_host(context, node)
    };
    let is_own_address = |at: usize| {
        let argument = arguments.get(at).copied();
        argument.is_some_and(|it| is_address(it) || assigned_value(context, it).is_some_and(is_address))
    };
    let is_written = |node: &Node<'c>| is_constant_text(context, *node) || package_member(context, *node).is_some();
    let known_part = || arguments.first().is_some_and(|it| is_known_part(context, *it));
    match called_member(context, call) {
        Some(("net/url", "Parse")) => is_own_address(0),
        // What `URL.Query` does.
        Some(("net/url", "ParseQuery")) => {
            arguments.first().is_some_and(|text| context.text(*text).ends_with(".RawQuery"))
        }
        Some(("regexp", _)) => {
            arguments.first().is_some_and(|it| is_constant_text(context, *it) || is_of_package(context, *it))
        }
        Some(("os", "ReadFile")) => arguments.first().is_some_and(|path| asks_system(context, *path)),
        // So much of an answer as is worth reading.
        Some(("io" | "io/ioutil", "ReadAll")) => {
            arguments.first().is_some_and(|reader| called_member(context, *reader) == Some(("io", "LimitReader")))
        }
        Some(("net/http", "NewRequest")) => is_own_address(1),
        Some(("net/http", "NewRequestWithContext")) => is_own_address(2),
        Some(("encoding/hex" | "strconv" | "time", _)) if arguments.iter().all(is_written) => true,
        Some(("encoding/hex", _)) => known_part() && arguments.first().is_none_or(|it| it.kind() != "identifier"),
        // What is neither yes nor no is no.
        Some(("strconv", "ParseBool")) => true,
        // `fmt.Sprintf("%dms", limit)`
        Some(("time", "ParseDuration")) => {
            arguments.first().is_some_and(|text| composed_parts(context, *text).is_some())
        }
        Some(("strconv", _)) => {
            known_part()
                || is_in_lexer(context, call)
                || arguments.first().is_some_and(|text| composed_parts(context, *text).is_some())
        }
        _ => false,
    }
}

/// True for a name that only the package has, in this file or another: a constant.
fn is_of_package(context: &GoContext<'_>, name: Node<'_>) -> bool {
    name.kind() == "identifier" && local_declaration(context, name).is_none()
}

/// True for a file of the system, which is there on some machines and not on others: what is not said there is empty.
fn asks_system<'c>(context: &GoContext<'c>, path: Node<'c>) -> bool {
    let first = composed_parts(context, path).and_then(|parts| parts.first().copied()).unwrap_or(path);
    let text = string_literal(context, first).unwrap_or_default();
    ["/dev/", "/etc/", "/proc/", "/sys/"].iter().any(|folder| text.starts_with(folder))
}

/// `fmt.Sprintf("https://example.com/%d", number)`
fn begins_with_host<'c>(context: &GoContext<'c>, address: Node<'c>) -> bool {
    let first = composed_parts(context, address).and_then(|parts| string_literal(context, *parts.first()?));
    first
        .and_then(|text| text.split_once("://"))
        .is_some_and(|(_, host)| host.starts_with(|c: char| c.is_alphanumeric()))
}

/// True for a number, a time or bytes that a function makes of a text with nobody to tell: what cannot be read is nought, as the function
/// has no error to return and answers no request.
pub(super) fn takes_nought<'c>(context: &GoContext<'c>, call: Node<'c>) -> bool {
    let is_value = matches!(called_member(context, call), Some(("encoding/hex" | "strconv" | "time", _)));
    let function = context.function_around(call);
    let result = function.and_then(|function| field(function, "result")).map_or("", |result| context.text(result));
    let tells = result.split(|c: char| !c.is_alphanumeric()).any(|word| word == "error");
    let answers = function.is_some_and(|function| {
        let parameters = field(function, "parameters");
        let mut types = parameters.into_iter().flat_map(named_children).filter_map(|it| field(it, "type"));
        types.any(|of| context.text(of) == "http.ResponseWriter")
    });
    is_value && !tells && !answers && !arguments_of(call).into_iter().any(|text| stems_from_request(context, text))
}

/// True where the name had a value, which a condition around asks for: what the text says only replaces it.
pub(super) fn replaces_default(context: &GoContext<'_>, statement: Node<'_>, kept: &str) -> bool {
    let within = context.tree().ancestors_of(statement).take_while(|at| !context.tree().is_function(*at));
    let mut conditions = within.filter(|at| at.kind() == "if_statement").filter_map(|at| field(at, "condition"));
    statement.kind() == "assignment_statement"
        && conditions.any(|condition| names_in(context.text(condition)).any(|word| word == kept))
}

/// True for a call that is handed a list into which it puts what went wrong.
pub(super) fn collects_errors(context: &GoContext<'_>, call: Node<'_>) -> bool {
    arguments_of(call).into_iter().any(|argument| {
        let name = context.text(argument).trim_start_matches('&').rsplit('.').next().unwrap_or_default();
        matches!(name, "diags" | "errors" | "errs" | "warnings")
            && (argument.kind() != "identifier"
                || declared_type(context, argument).is_none_or(|of| of.starts_with('*')))
    })
}

/// True for a reader that is handed over by its address, which is one of bytes in memory: their number was looked at before.
pub(super) fn reads_memory(context: &GoContext<'_>, call: Node<'_>) -> bool {
    matches!(called_member(context, call), Some(("encoding/binary", "Read") | ("io", "ReadFull")))
        && arguments_of(call).first().is_some_and(|reader| {
            // Nor does the source of chance fail, or nothing else goes on.
            reader.kind() == "unary_expression" || context.text(*reader).ends_with("rand.Reader")
        })
}

/// A part of a text was mostly looked at before, and so was what the function itself made.
fn is_known_part(context: &GoContext<'_>, argument: Node<'_>) -> bool {
    match argument.kind() {
        "identifier" => local_declaration(context, argument).is_none_or(|at| at.kind() != "parameter_declaration"),
        "call_expression" => {
            let text = context.text(argument);
            let mut parts = context.tree().subtree_of(argument);
            text.ends_with(".TokenText()")
                || text.starts_with("string(")
                || parts.any(|part| part.kind() == "slice_expression")
        }
        kind => kind != "selector_expression",
    }
}

/// True in a function or a type that takes a text apart: it looked at each letter before.
fn is_in_lexer(context: &GoContext<'_>, call: Node<'_>) -> bool {
    let function = context.outermost_function(call);
    let holder = function.and_then(|function| receiver_type(context.tree(), function)).unwrap_or_default();
    let words = [function_name(context, call), holder].into_iter().flat_map(split_identifier_words);
    words.into_iter().any(|word| ["lex", "scan", "token"].iter().any(|known| word.starts_with(known)))
}

/// Words of a function that says of itself that it lets errors go.
const LETTING_GO: &[&str] = &["discard", "drop", "ignor", "omit", "silent", "suppress", "swallow", "without error"];

/// What comments say that speak of errors, or of why there are none.
const EXPLAINING: &[&str] =
    &["already", "best effort", "best-effort", "can't", "cannot fail", "error", "fails", "ignore", "never", "silently"];

/// True where a comment stands on the line of a statement, behind it, or one above speaks of the error. Orders to other
/// checkers explain nothing, unless they give a reason.
pub(super) fn explains_drop(context: &GoContext<'_>, statement: Node<'_>) -> bool {
    // `Escape is like EscapeText but omits the error.`
    let function = context.outermost_function(statement);
    let promised = function.map(|function| context.comment_above(function).to_ascii_lowercase()).unwrap_or_default();
    if promised.contains("error") && LETTING_GO.iter().any(|word| promised.contains(word)) {
        return true;
    }
    let above = comments_of_paragraph(context, statement).to_ascii_lowercase();
    let gives_reason = above.contains("nolint") && !is_mere_order(&above);
    EXPLAINING.iter().any(|word| above.contains(word))
        || gives_reason
        || comment_beside(statement).is_some_and(|comment| !is_mere_order(context.text(comment)))
}
