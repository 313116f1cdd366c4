//! JSON Schemas of arguments and results, in the dialect that model interfaces accept.

use std::sync::Arc;

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use super::output::Shape;
use tapps_base::error::ErrorBody;

/// The input schema of `A`: one closed object without references or null types.
///
/// An argument that is not given is absent, never null, and several model interfaces reject `$ref` and type lists.
#[must_use]
pub fn input_of<A: JsonSchema>() -> Map<String, Value> {
    let mut settings = SchemaSettings::draft2020_12().for_deserialize();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let schema = SchemaGenerator::new(settings).into_root_schema_for::<A>();
    let mut value = schema.to_value();
    simplify(&mut value);
    let mut object = match value {
        Value::Object(object) => object,
        _ => Map::new(),
    };
    object.remove("title");
    object.remove("description");
    object.insert("type".into(), "object".into());
    object.entry("properties").or_insert_with(|| json!({}));
    object.insert("additionalProperties".into(), false.into());
    object
}

/// The output schema of a tool whose result is one of `shapes`, or an error.
///
/// The error schema belongs to it because some clients check the structured content of failed calls too.
#[must_use]
pub(super) fn output_of(shapes: &[Shape]) -> Arc<Map<String, Value>> {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.meta_schema = None;
    let mut generator = SchemaGenerator::new(settings);
    let mut any: Vec<Value> = shapes.iter().map(|shape| shape(&mut generator).to_value()).collect();
    any.push(generator.subschema_for::<ErrorBody>().to_value());
    let mut definitions = Value::Object(generator.take_definitions(true));
    strip_prose(&mut definitions);
    make_portable(&mut definitions);
    let mut object = Map::new();
    object.insert("type".into(), "object".into());
    object.insert("anyOf".into(), Value::Array(any));
    object.insert("$defs".into(), definitions);
    Arc::new(object)
}

/// Removes what costs tokens and says nothing to a caller: titles, number formats, null alternatives and defaults.
fn simplify(value: &mut Value) {
    match value {
        Value::Object(object) => {
            collapse_nullable(object);
            collapse_words(object);
            for keyword in ["format", "$schema"] {
                // An argument may well be called so.
                if object.get(keyword).is_some_and(Value::is_string) {
                    object.remove(keyword);
                }
            }
            if object.get("default").is_some_and(Value::is_null) {
                object.remove("default");
            }
            if object.get("title").is_some_and(Value::is_string) && !object.contains_key("properties") {
                object.remove("title");
            }
            object.values_mut().for_each(simplify);
        }
        Value::Array(items) => items.iter_mut().for_each(simplify),
        _ => {}
    }
}

/// `T or null` becomes `T`.
fn collapse_nullable(object: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    let Some(Value::Array(any)) = object.get("anyOf") else { return };
    let real: Vec<&Value> = any.iter().filter(|schema| schema.get("type") != Some(&json!("null"))).collect();
    if let [Value::Object(only)] = real.as_slice()
        && any.len() == 2
    {
        let only = only.clone();
        object.remove("anyOf");
        for (keyword, value) in only {
            object.entry(keyword).or_insert(value);
        }
    }
}

/// A choice among words, each explained for itself, becomes a list of words: the argument says what they are for.
fn collapse_words(object: &mut Map<String, Value>) {
    let Some(Value::Array(choices)) = object.get("oneOf") else { return };
    let words: Option<Vec<Value>> = choices
        .iter()
        .map(|choice| match (choice.get("const"), choice.get("enum")) {
            (Some(word @ Value::String(_)), _) => Some(vec![word.clone()]),
            (None, Some(Value::Array(words))) => Some(words.clone()),
            _ => None,
        })
        .collect::<Option<Vec<_>>>()
        .map(|words| words.concat());
    if let Some(words) = words {
        object.remove("oneOf");
        object.insert("type".into(), "string".into());
        object.insert("enum".into(), Value::Array(words));
    }
}

/// Descriptions of results stay in the documentation: clients load every schema, models rarely read these.
fn strip_prose(value: &mut Value) {
    match value {
        Value::Object(object) => {
            for keyword in ["description", "format", "title"] {
                if object.get(keyword).is_some_and(Value::is_string) {
                    object.remove(keyword);
                }
            }
            object.values_mut().for_each(strip_prose);
        }
        Value::Array(items) => items.iter_mut().for_each(strip_prose),
        _ => {}
    }
}

/// Says the same with words that every schema reader knows: no type lists, and no schema that admits anything.
fn make_portable(value: &mut Value) {
    match value {
        Value::Object(object) => {
            let required: Vec<String> = match object.get("required") {
                Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
                _ => Vec::new(),
            };
            // A closed object is a map with known keys, whose values may well be null.
            let is_map = object.get("additionalProperties") == Some(&Value::Bool(false));
            if let Some(Value::Object(properties)) = object.get_mut("properties") {
                for (name, property) in properties {
                    if let (false, Value::Object(property)) = (is_map || required.contains(name), &mut *property) {
                        // A field that may be absent is left out when there is nothing to say, and so never null.
                        collapse_nullable(property);
                    }
                    if admits_anything(property) {
                        *property = json!({"type": "object", "additionalProperties": true});
                    }
                }
            }
            if let Some(items) = object.get_mut("items").filter(|items| admits_anything(items)) {
                *items = any_value(LISTS_IN_LISTS);
            }
            if let Some(Value::Array(types)) = object.get("type") {
                let branches: Vec<Value> = types.iter().map(|name| json!({ "type": name })).collect();
                object.remove("type");
                object.insert("anyOf".into(), Value::Array(branches));
            }
            object.values_mut().for_each(make_portable);
        }
        Value::Array(items) => items.iter_mut().for_each(make_portable),
        _ => {}
    }
}

fn admits_anything(schema: &Value) -> bool {
    schema == &Value::Bool(true) || schema == &json!({})
}

/// How deep lists stand in lists that may hold anything.
const LISTS_IN_LISTS: usize = 2;

/// A schema of any value, since several readers take no schema that says nothing.
fn any_value(lists: usize) -> Value {
    let mut any = vec![json!({"type": "object", "additionalProperties": true})];
    any.extend(["string", "number", "boolean", "null"].map(|name| json!({ "type": name })));
    if lists > 0 {
        any.push(json!({"type": "array", "items": any_value(lists - 1)}));
    }
    json!({ "anyOf": any })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Colour {
        Red,
        Blue,
    }

    /// Not part of the schema.
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    struct Arguments {
        /// Where.
        path: String,
        /// How many.
        count: Option<u32>,
        colours: Option<Vec<Colour>>,
        /// Which.
        colour: Option<Colour>,
    }

    #[test]
    fn optional_arguments_have_plain_types() {
        let schema = Value::Object(input_of::<Arguments>());
        let expected = json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["path"],
            "properties": {
                "path": {"type": "string", "description": "Where."},
                "count": {"type": "integer", "minimum": 0, "description": "How many."},
                "colours": {"type": "array", "items": {"type": "string", "enum": ["red", "blue"]}},
                "colour": {"type": "string", "enum": ["red", "blue"], "description": "Which."}
            }
        });
        assert_eq!(schema, expected);
    }

    #[test]
    fn a_list_of_anything_says_so_in_words_of_every_reader() {
        let shape = |g: &mut SchemaGenerator| g.subschema_for::<tapps_coderef::external::ExternalReport>();
        let schema = Value::Object((*output_of(&[shape])).clone());
        let items = &schema["$defs"]["ExternalReport"]["properties"]["items"]["items"];
        assert!(items["anyOf"].is_array(), "{items}");
        let validator = jsonschema::validator_for(items).unwrap();
        for value in [json!({"a": [1]}), json!("a"), json!(1.5), json!(null), json!([["a"], {"b": 1}])] {
            assert!(validator.is_valid(&value), "{value}");
        }
    }

    #[test]
    fn an_output_schema_admits_the_error_schema() {
        let schema = Value::Object((*output_of(&[|g| g.subschema_for::<tapps_quality::result::FileScore>()])).clone());
        let validator = jsonschema::validator_for(&schema).unwrap();
        let error = tapps_base::Error::invalid("argument `x` is wrong").hint("do y");
        assert!(validator.is_valid(&serde_json::to_value(error.body()).unwrap()));
        assert!(!validator.is_valid(&json!({"file": "a.py"})));
        assert_eq!(schema["type"], "object");
    }
}
