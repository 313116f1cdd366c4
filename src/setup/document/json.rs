//! JSON with comments and trailing commas: what an edit does not touch stays byte for byte.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::Value;

use super::{broken_document_error, in_the_way, kept, split_mark};
use tapps_base::Result;

/// What an edit may exchange: the program of an entry, and the arguments that come before the user's own; some agents
/// write the command of a hook under another key.
const REPLACED: [&str; 3] = ["command", "args", "bash"];

/// Changes the object that the document is; an empty document is an empty object.
///
/// # Errors
/// `config_error` with line and column for a broken document; what `change` says.
pub(super) fn edit(text: &str, file: &str, change: impl FnOnce(&CstObject) -> Result<()>) -> Result<String> {
    edit_with_check(text, file, change, |before, after| kept::check_nothing_lost(file, before, after, &REPLACED))
}

/// As [`edit`], with another look at the values before and after the change.
///
/// # Errors
/// As [`edit`], and what `check` says.
pub(super) fn edit_with_check(
    text: &str,
    file: &str,
    change: impl FnOnce(&CstObject) -> Result<()>,
    check: impl FnOnce(&Value, &Value) -> Result<()>,
) -> Result<String> {
    let (mark, body) = split_mark(text);
    let fresh = body.trim().is_empty();
    let root = parse(if fresh { "{}\n" } else { body }, file)?;
    let before = value(&root);
    let object = root.object_value_or_create().ok_or_else(|| in_the_way(file, "the whole", "an object"))?;
    change(&object)?;
    let text = root.to_string();
    check(&before, &value(&parse(&text, file)?))?;
    Ok(format!("{mark}{text}"))
}

/// Reads a document.
///
/// # Errors
/// `config_error` with line and column.
pub(super) fn parse(text: &str, file: &str) -> Result<CstRootNode> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    CstRootNode::parse(text, &options).map_err(|error| {
        broken_document_error(file, error.line_display(), error.column_display(), &error.kind().to_string())
    })
}

/// The value of a document; null for an empty one.
///
/// # Errors
/// As [`parse`].
pub(in crate::setup) fn read_json_value(text: &str, file: &str) -> Result<Value> {
    Ok(value(&parse(split_mark(text).1, file)?))
}

fn value(root: &CstRootNode) -> Value {
    root.to_serde_value().unwrap_or_default()
}

/// The object under a key, made when there is none.
///
/// # Errors
/// `config_error` when something else stands there.
pub(super) fn object_in(object: &CstObject, file: &str, key: &str) -> Result<CstObject> {
    object.object_value_or_create(key).ok_or_else(|| in_the_way(file, key, "an object"))
}

/// A value as it is put in.
pub(super) fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(flag) => CstInputValue::Bool(*flag),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(entries) => {
            CstInputValue::Object(entries.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("{\n  \"a\": 1\n  \"b\": 2\n}", "a.json:2:9: expected comma")]
    #[case("{ \"a\": ", "a.json:1:8: expected value after colon in object property")]
    #[case("{ 'a': 1 }", "a.json:1:3: single-quoted strings are not allowed")]
    #[case("[]", "`the whole` in a.json is not an object")]
    fn a_broken_document_is_told_with_its_place(#[case] text: &str, #[case] message: &str) {
        let error = edit(text, "a.json", |_| Ok(())).unwrap_err();
        assert_eq!(error.code(), tapps_base::ErrorCode::ConfigError);
        assert_eq!(error.message(), message);
    }

    #[rstest]
    #[case("", "{}\n")]
    #[case("\u{feff}{ } // end", "\u{feff}{ } // end")]
    #[case("{\r\n\t\"a\": [1,], /* x */\r\n}\r\n", "{\r\n\t\"a\": [1,], /* x */\r\n}\r\n")]
    fn what_is_not_changed_stays(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(edit(text, "a.json", |_| Ok(())).unwrap(), expected);
    }
}
