//! SQL put together from values instead of parameters.

use super::prelude::*;
use crate::rust::calls::{arguments_of, composed_text, is_call_of, is_method_of};
use crate::rust::macros::FormattedText;

pub use crate::common::sql_format::RULE;

/// What differs in Rust.
const IN_RUST: Rule = Rule { help: "Pass the value as a parameter (`?`, `$1`) and bind it.", ..RULE };

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_sql_format);

const FUNCTIONS: &[&str] = &[
    "sqlx::query",
    "sqlx::query_as",
    "sqlx::query_scalar",
    "sqlx::raw_sql",
    "diesel::sql_query",
    "query_as",
    "sql_query",
];
const METHODS: &[&str] = &[
    "batch_execute",
    "execute",
    "execute_batch",
    "fetch_all",
    "fetch_one",
    "prepare",
    "prepare_cached",
    "query",
    "query_drop",
    "query_map",
    "query_one",
    "query_opt",
    "query_raw",
    "query_row",
    "raw_sql",
    "simple_query",
    "execute_unprepared",
];
const VERBS: &[&str] = &[
    "select ",
    "insert ",
    "update ",
    "delete ",
    "replace ",
    "drop ",
    "alter ",
    "create ",
    "merge ",
    "truncate ",
    "with ",
];
/// After these stands a name, or a list of places for parameters, which no driver takes as a parameter.
const BEFORE_NAMES: &[&str] = &[
    "as", "by", "column", "database", "distinct", "exists", "from", "in", "index", "into", "join", "limit", "offset",
    "on", "order", "pragma", "role", "schema", "select", "set", "table", "update", "user", "values", "view", "where",
    "and", "or", "asc", "desc",
];
const NUMBERS: &[&str] =
    &["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "usize", "isize", "f32", "f64", "bool", "Uuid"];

fn check_sql_format<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if context.is_test_code(node) || !(is_call_of(context, node, FUNCTIONS) || is_method_of(context, node, METHODS)) {
        return;
    }
    let is_open =
        |argument: &Node<'c>| composed_text(context, *argument).is_some_and(|text| is_open_query(context, node, &text));
    if arguments_of(node).iter().take(2).any(is_open) {
        out.push(context.report(&IN_RUST, node, "a value is written into the text of this query"));
    }
}

fn is_open_query(context: &RustContext<'_>, call: Node<'_>, text: &FormattedText<'_>) -> bool {
    let Some(first) = text.pieces.first().map(|piece| piece.to_ascii_lowercase()) else { return false };
    let opening = format!("{} ", first.split_whitespace().collect::<Vec<_>>().join(" "));
    if !VERBS.iter().any(|verb| opening.starts_with(verb)) {
        return false;
    }
    let mut places = text.pieces.iter().zip(&text.values);
    places.any(|(before, value)| !is_name_place(&before.to_ascii_lowercase()) && may_be_text(context, call, value))
}

/// True where a name or a list follows, or where another value has put words that are not known.
fn is_name_place(before: &str) -> bool {
    let trimmed = before.trim_end_matches(['"', '`', '[', '(', ' ', '\n', '\t', '.', '\\']);
    let word = trimmed.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    before.trim().is_empty() || before.trim_end().ends_with(['.', ',', ')']) || BEFORE_NAMES.contains(&word)
}

/// False for numbers, and for constants, whose names are written in capitals.
fn may_be_text(context: &RustContext<'_>, call: Node<'_>, value: &str) -> bool {
    let is_constant = !value.chars().any(char::is_lowercase)
        || value.rsplit("::").next().is_some_and(|last| !last.chars().any(char::is_lowercase));
    let around = context.outermost_function(call).map_or("", |function| context.text(function));
    let is_declared = |of: &str| around.contains(&format!("{value}: {of}"));
    let declared_number = NUMBERS.iter().any(|number| is_declared(number));
    let is_text = is_declared("&str") || is_declared("String") || is_declared("impl AsRef<str>");
    let last = value.rsplit('.').next().unwrap_or(value);
    let sounds_like_number =
        matches!(last, "len()" | "id" | "count()") || value.ends_with("_id") || value.contains(" as ");
    let is_number = declared_number || sounds_like_number && !is_text;
    let is_made_of_places =
        ["placeholder", "column", "table", "field", "clause", "condition", "order", "limit", "params", "where"]
            .iter()
            .any(|word| value.to_ascii_lowercase().contains(word));
    !(is_constant || is_number || is_made_of_places)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &[
                r#"fn f(db: &Connection, id: &str) -> R { let q = format!("DELETE FROM a WHERE id = '{}'", id); db.execute(&q, []) }"#,
                r#"fn f(db: &Connection, a: &str) -> R { db.query_row(&("select * from x where a = '".to_string() + a + "'"), [], g) }"#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"fn f(db: &Connection, id: &str) -> R { db.execute("DELETE FROM a WHERE id = ?1", [id]) }"#,
                r#"fn f(db: &Connection, table: &str) -> R { db.execute(&format!("SELECT * FROM {table} WHERE id = ?1"), [1]) }"#,
                r#"fn f(db: &Connection, n: u32) -> R { db.execute(&format!("SELECT a FROM b WHERE n = {n}"), []) }"#,
                r#"fn f(log: &Log, a: &str) -> R { log.execute(&format!("hello {a}")) }"#,
                r#"#[test]
fn f() { db.execute(&format!("DELETE FROM a WHERE id = '{}'", id), []); }"#,
            ],
        );
    }
}
