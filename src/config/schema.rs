//! The JSON Schema of the configuration files: the shapes of the model with the bounds of the table of keys.

use serde_json::{Map, Value, json};

use super::keys::{ConfigValueKind, KEYS, LIST_MOST, NAME_MOST, NAMED_TABLES, PATH_MOST, PRESETS_MOST};
use super::model::Config;
use tapps_base::{Error, Result};

/// The schema, indented, with a final line end.
///
/// # Errors
/// `internal` when the schema has no JSON form, or lacks a key of the table.
pub(crate) fn configuration_schema_text() -> Result<String> {
    let mut schema = schemars::schema_for!(Config).to_value();
    for key in KEYS {
        let path: Vec<&str> = key.path.split('.').collect();
        let node = node_at(&mut schema, &path)
            .ok_or_else(|| Error::internal(format!("the configuration schema has no key `{}`", key.path)))?;
        insert_bounds(node, key.kind);
    }
    for (section, _) in NAMED_TABLES {
        let path: Vec<&str> = section.split('.').collect();
        if let Some(tables) = node_at(&mut schema, &path) {
            tables.insert("maxProperties".into(), PRESETS_MOST.into());
            tables.insert("propertyNames".into(), json!({ "pattern": format!("^[A-Za-z0-9_-]{{1,{NAME_MOST}}}$") }));
        }
    }
    if let Some(root) = schema.as_object_mut() {
        root.insert("title".into(), "tapps-mcp configuration".into());
    }
    let no_json = |e: serde_json::Error| Error::internal(format!("the configuration schema has no JSON form: {e}"));
    // As a schema it is written in the usual order of keywords.
    let schema = schemars::Schema::try_from(schema).map_err(no_json)?;
    let text = serde_json::to_string_pretty(&schema).map_err(no_json)?;
    Ok(text + "\n")
}

/// The schema of the value at a path of property names; `*` goes into tables that the project names itself.
fn node_at<'s>(root: &'s mut Value, path: &[&str]) -> Option<&'s mut Map<String, Value>> {
    let mut pointer = String::new();
    for name in path {
        let node = root.pointer(&pointer)?;
        if let Some(reference) = node.get("$ref").and_then(Value::as_str) {
            pointer = reference.strip_prefix('#')?.to_owned();
        }
        pointer += &if *name == "*" { "/additionalProperties".to_owned() } else { format!("/properties/{name}") };
    }
    root.pointer_mut(&pointer)?.as_object_mut()
}

fn insert_bounds(node: &mut Map<String, Value>, kind: ConfigValueKind) {
    let mut set = |keyword: &str, value: Value| {
        node.insert(keyword.to_owned(), value);
    };
    match kind {
        ConfigValueKind::Boolean | ConfigValueKind::Word(_) => {}
        ConfigValueKind::Whole(least, most) => {
            set("minimum", least.into());
            set("maximum", most.into());
        }
        ConfigValueKind::Number(most) => {
            set("minimum", 0.into());
            set("maximum", most.into());
        }
        ConfigValueKind::Text(most) => set("maxLength", most.into()),
        ConfigValueKind::Path | ConfigValueKind::Program => {
            set("minLength", 1.into());
            set("maxLength", PATH_MOST.into());
        }
        ConfigValueKind::List(most) => {
            set("maxItems", LIST_MOST.into());
            set("items", json!({ "type": "string", "maxLength": most }));
        }
        ConfigValueKind::Paths => {
            set("maxItems", LIST_MOST.into());
            set("items", json!({ "type": "string", "minLength": 1, "maxLength": PATH_MOST }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_of_the_table_stand_in_the_schema() {
        let mut schema: Value = serde_json::from_str(&configuration_schema_text().unwrap()).unwrap();
        let keywords = |schema: &mut Value, path: &[&str], names: &[&str]| -> Vec<Value> {
            let node = node_at(schema, path).unwrap();
            names.iter().map(|name| node[*name].clone()).collect()
        };
        let deadline = keywords(&mut schema, &["limits", "deadline_seconds"], &["minimum", "maximum", "type"]);
        assert_eq!(deadline, [json!(1), json!(86_400), json!("integer")]);
        let overall = keywords(&mut schema, &["gates", "*", "overall"], &["minimum", "maximum"]);
        assert_eq!(overall, [json!(0), json!(100)]);
        assert_eq!(keywords(&mut schema, &["exclude"], &["maxItems", "items"])[0], json!(LIST_MOST));
        assert_eq!(keywords(&mut schema, &["gates"], &["maxProperties"]), [json!(PRESETS_MOST)]);
    }
}
