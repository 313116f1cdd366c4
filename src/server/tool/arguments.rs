//! Arguments are checked against the listed schema before a tool sees them, so that every refusal names the argument.

use serde_json::{Map, Value};

use tapps_base::{Error, Result, nearest};

/// Checks `arguments` against an input schema and drops nulls given for arguments that may be absent.
///
/// Understands the keywords that [`super::input_of`] produces (`properties`, `required`, `additionalProperties`, `type`,
/// `enum`, `items`, `minimum`, `maximum`, `minItems`, `maxItems`, `minLength`, `maxLength`); others are left to the tool.
///
/// # Errors
/// `invalid_argument` naming the argument, what is wrong with it, and the nearest known name or value.
pub(super) fn check_against_schema(
    tool: &str,
    schema: &Map<String, Value>,
    mut arguments: Map<String, Value>,
) -> Result<Map<String, Value>> {
    let empty = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    arguments.retain(|name, value| !value.is_null() || required.contains(&name.as_str()));
    let missing = required.iter().find(|name| !arguments.contains_key(**name));
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    if closed && let Some(unknown) = arguments.keys().find(|name| !properties.contains_key(*name)) {
        let hint = if properties.is_empty() {
            format!("{tool} takes no arguments")
        } else {
            nearest::hint(unknown, properties.keys().map(String::as_str).collect::<Vec<_>>())
        };
        return Err(Error::invalid(format!("{tool} has no argument `{unknown}`")).hint(hint));
    }
    if let Some(name) = missing {
        let about = properties.get(*name).and_then(|property| property.get("description")).and_then(Value::as_str);
        return Err(Error::invalid(format!("{tool} needs the argument `{name}`"))
            .hint(about.map_or_else(|| format!("pass `{name}`"), |about| format!("`{name}`: {about}"))));
    }
    for (name, value) in &arguments {
        if let Some(Value::Object(property)) = properties.get(name) {
            check_value(name, property, value)?;
        }
    }
    Ok(arguments)
}

fn check_value(name: &str, schema: &Map<String, Value>, value: &Value) -> Result<()> {
    if let Some(wanted) = schema.get("type").and_then(Value::as_str)
        && !has_type(value, wanted)
    {
        return Err(Error::invalid(format!(
            "argument `{name}` must be {}, not {}",
            with_article(wanted),
            json_type_name(value)
        ))
        .hint(format!("pass `{name}` as {}", with_article(wanted))));
    }
    if let Some(Value::Array(allowed)) = schema.get("enum")
        && !allowed.contains(value)
    {
        let word = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        return Err(Error::invalid(format!("argument `{name}` cannot be `{word}`"))
            .hint(nearest::hint(&word, allowed.iter().filter_map(Value::as_str).collect::<Vec<_>>())));
    }
    check_bounds(name, schema, value)?;
    if let (Value::Array(items), Some(Value::Object(item_schema))) = (value, schema.get("items")) {
        for (index, item) in items.iter().enumerate() {
            check_value(&format!("{name}[{index}]"), item_schema, item)?;
        }
    }
    Ok(())
}

fn check_bounds(name: &str, schema: &Map<String, Value>, value: &Value) -> Result<()> {
    let (size, low, high, what) = match value {
        Value::Number(number) => (number.as_f64(), "minimum", "maximum", "value"),
        Value::String(text) => (Some(length_as_f64(text.chars().count())), "minLength", "maxLength", "length"),
        Value::Array(items) => (Some(length_as_f64(items.len())), "minItems", "maxItems", "number of items"),
        _ => return Ok(()),
    };
    let Some(size) = size else { return Ok(()) };
    let limit = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    if let Some(least) = limit(low).filter(|least| size < *least) {
        return Err(Error::invalid(format!("the {what} of argument `{name}` is {size}, less than {least}"))
            .hint(format!("give `{name}` a {what} of at least {least}")));
    }
    if let Some(most) = limit(high).filter(|most| size > *most) {
        return Err(Error::invalid(format!("the {what} of argument `{name}` is {size}, more than {most}"))
            .hint(format!("give `{name}` a {what} of at most {most}")));
    }
    Ok(())
}

fn length_as_f64(length: usize) -> f64 {
    u32::try_from(length).map_or(f64::MAX, f64::from)
}

fn has_type(value: &Value, wanted: &str) -> bool {
    match wanted {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    }
}

fn json_type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn with_article(kind: &str) -> String {
    if kind.starts_with(['a', 'i', 'o']) { format!("an {kind}") } else { format!("a {kind}") }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn schema() -> Map<String, Value> {
        let value = json!({
            "type": "object", "additionalProperties": false, "required": ["file_path"],
            "properties": {
                "file_path": {"type": "string", "minLength": 1, "description": "Path to the file"},
                "preset": {"type": "string", "enum": ["standard", "strict", "framework"]},
                "quick": {"type": "boolean"},
                "count": {"type": "integer", "minimum": 1, "maximum": 9},
                "categories": {"type": "array", "maxItems": 2, "items": {"type": "string", "enum": ["security"]}}
            }
        });
        value.as_object().unwrap().clone()
    }

    #[rstest]
    #[case(json!({"file_pat": "a.py"}), "t has no argument `file_pat`", "did you mean file_path?")]
    #[case(json!({}), "t needs the argument `file_path`", "`file_path`: Path to the file")]
    #[case(json!({"file_path": null}), "argument `file_path` must be a string, not null", "pass `file_path` as a string")]
    #[case(json!({"file_path": 3}), "argument `file_path` must be a string, not a number", "pass `file_path` as a string")]
    #[case(json!({"file_path": ""}), "the length of argument `file_path` is 0, less than 1", "give `file_path` a length of at least 1")]
    #[case(json!({"file_path": "a", "preset": "strickt"}), "argument `preset` cannot be `strickt`", "did you mean strict?")]
    #[case(json!({"file_path": "a", "quick": "true"}), "argument `quick` must be a boolean, not a string", "pass `quick` as a boolean")]
    #[case(json!({"file_path": "a", "count": 1.5}), "argument `count` must be an integer, not a number", "pass `count` as an integer")]
    #[case(json!({"file_path": "a", "count": 10}), "the value of argument `count` is 10, more than 9", "give `count` a value of at most 9")]
    #[case(json!({"file_path": "a", "categories": ["securty"]}), "argument `categories[0]` cannot be `securty`", "did you mean security?")]
    fn refusals_name_the_argument(#[case] given: Value, #[case] message: &str, #[case] hint: &str) {
        let error = check_against_schema("t", &schema(), given.as_object().unwrap().clone()).unwrap_err();
        assert_eq!(error.code(), tapps_base::ErrorCode::InvalidArgument);
        assert_eq!(error.message(), message);
        assert_eq!(error.body().hint.as_deref(), Some(hint));
    }

    #[test]
    fn nulls_for_optional_arguments_are_absent() {
        let given = json!({"file_path": "a", "preset": null, "count": 2});
        let checked = check_against_schema("t", &schema(), given.as_object().unwrap().clone()).unwrap();
        assert_eq!(Value::Object(checked), json!({"file_path": "a", "count": 2}));
    }
}
