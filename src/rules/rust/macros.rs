//! Calls of macros whose arguments are known: those of the standard library that format, assert or panic. What any other
//! macro does with its words is not guessed.

use tapps_syntax::nodes::Node;

use super::context::RustContext;
use crate::tree::nodes::{children_of_kind, field};

/// The last name of the macro that is called: `format`, also of `std::format!`.
pub(crate) fn macro_name<'c>(context: &RustContext<'c>, node: Node<'_>) -> Option<&'c str> {
    let called = (node.kind() == "macro_invocation").then(|| field(node, "macro")).flatten()?;
    context.text(called).rsplit("::").next()
}

/// The arguments of a macro's call as rows of tokens, split at the commas that stand outside of brackets.
pub(crate) fn macro_arguments<'c>(context: &RustContext<'c>, node: Node<'_>) -> Vec<Vec<Node<'c>>> {
    let Some(list) = children_of_kind(node, "token_tree").next() else { return Vec::new() };
    let mut tokens: Vec<Node<'c>> = context.tree().children_of(list).collect();
    tokens.pop();
    let mut rows: Vec<Vec<Node<'c>>> = Vec::new();
    let inside: Vec<Node<'c>> = tokens.into_iter().skip(1).collect();
    for row in inside.split(|token| token.kind() == ",") {
        rows.push(row.to_vec());
    }
    if rows.last().is_some_and(Vec::is_empty) {
        rows.pop();
    }
    rows
}

/// A text that is put together by `format!`: what stands between the values, and the values as they are written.
#[derive(Debug)]
pub(crate) struct FormattedText<'c> {
    /// One more than there are values.
    pub(crate) pieces: Vec<String>,
    /// A name or an expression for each place; empty where it cannot be told.
    pub(crate) values: Vec<&'c str>,
}

/// What `format!` and its like put together: of `write!` the arguments behind the first one.
pub(crate) fn formatted_text<'c>(context: &RustContext<'c>, node: Node<'_>) -> Option<FormattedText<'c>> {
    let skipped = match macro_name(context, node)? {
        "format" | "format_args" | "println" | "print" | "eprintln" | "panic" => 0,
        "write" | "writeln" => 1,
        _ => return None,
    };
    let mut rows = macro_arguments(context, node).into_iter().skip(skipped);
    let literal = match rows.next()?.as_slice() {
        [literal] => literal_content(context.text(*literal)),
        _ => None,
    }?;
    let arguments: Vec<&'c str> = rows.map(|row| text_of_row(context, &row)).collect();
    Some(split_format(literal, &arguments))
}

fn text_of_row<'c>(context: &RustContext<'c>, row: &[Node<'c>]) -> &'c str {
    let range = row.first().zip(row.last()).map(|(first, last)| first.start_byte()..last.end_byte());
    range.and_then(|range| context.tree().source_text().get(range)).unwrap_or_default()
}

/// What stands between the quotes of a literal: plain, raw, of bytes.
pub(crate) fn literal_content(text: &str) -> Option<&str> {
    let (before, rest) = text.split_once('"')?;
    let (inside, _) = rest.rsplit_once('"')?;
    before.chars().all(|sign| matches!(sign, 'b' | 'r' | 'c' | '#')).then_some(inside)
}

/// Reads the places `{}`, `{0}`, `{name}` and `{:?}` of a format.
fn split_format<'c>(literal: &'c str, arguments: &[&'c str]) -> FormattedText<'c> {
    let named = |name: &str| {
        let value = |argument: &&'c str| {
            argument.split_once('=').filter(|(of, _)| of.trim() == name).map(|(_, value)| value.trim())
        };
        arguments.iter().find_map(value)
    };
    let (mut pieces, mut values) = (vec![String::new()], Vec::new());
    let mut next = 0;
    let mut rest = literal;
    while let Some(at) = rest.find(['{', '}']) {
        let (plain, from) = rest.split_at(at);
        let piece = pieces.last_mut().into_iter();
        piece.for_each(|piece| piece.push_str(plain));
        let doubled = from.starts_with("{{") || from.starts_with("}}");
        if doubled || from.starts_with('}') {
            pieces.last_mut().into_iter().for_each(|piece| piece.push_str(from.get(..1).unwrap_or_default()));
            rest = from.get(if doubled { 2 } else { 1 }..).unwrap_or_default();
            continue;
        }
        let (place, behind) = from.split_once('}').unwrap_or((from, ""));
        let name = place.trim_start_matches('{').split(':').next().unwrap_or_default().trim();
        let value = match name.parse::<usize>() {
            Ok(number) => arguments.get(number).copied(),
            Err(_) if name.is_empty() => {
                next += 1;
                arguments.get(next - 1).copied()
            }
            Err(_) => named(name).or(Some(name)),
        };
        values.push(value.unwrap_or_default());
        pieces.push(String::new());
        rest = behind;
    }
    pieces.last_mut().into_iter().for_each(|piece| piece.push_str(rest));
    FormattedText { pieces, values }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_fall_into_pieces_and_values() {
        let told = split_format("a {} b {c} {{d}} {1:?} {e:>4}", &["x.y()", "z", "e = 1 + 2"]);
        assert_eq!(told.values, ["x.y()", "c", "z", "1 + 2"]);
        assert_eq!(told.pieces, ["a ", " b ", " {d} ", " ", ""]);
        assert_eq!(split_format("plain", &[]).pieces, ["plain"]);
    }

    #[test]
    fn literals_of_all_kinds() {
        for (text, inside) in [
            ("\"a\"", Some("a")),
            ("r#\"a\"b\"#", Some("a\"b")),
            ("b\"a\"", Some("a")),
            ("x", None),
            ("f(\"a\")", None),
        ] {
            assert_eq!(literal_content(text), inside, "{text}");
        }
    }
}
