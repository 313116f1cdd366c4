//! A tree put into a JSON document, beside what stands there.

use jsonc_parser::cst::{CstNode, CstObject};
use serde_json::Value;

use super::in_the_way;
use super::json::{edit, input, object_in};
use tapps_base::{Error, Result};

/// The document with a tree merged into it: objects are gone down into, elements are added to arrays. An element that
/// holds a command with one of `marks` in it is known again, and only that command is brought up to date.
///
/// # Errors
/// As [`super::json_servers::set_server`].
pub fn merge(text: &str, file: &str, tree: &Value, marks: &[&str]) -> Result<String> {
    edit(text, file, |root| merge_into(root, file, tree, marks))
}

fn merge_into(object: &CstObject, file: &str, tree: &Value, marks: &[&str]) -> Result<()> {
    let entries = tree.as_object().ok_or_else(|| Error::internal("only objects can be merged"))?;
    for (key, wanted) in entries {
        match wanted {
            Value::Object(_) => merge_into(&object_in(object, file, key)?, file, wanted, marks)?,
            Value::Array(elements) => {
                let array = object.array_value_or_create(key).ok_or_else(|| in_the_way(file, key, "a list"))?;
                for element in elements {
                    let known = marks.iter().filter(|mark| command_with(element, mark).is_some()).find_map(|mark| {
                        Some((array.elements().iter().find_map(|node| string_with(node, mark))?, *mark))
                    });
                    match known {
                        Some((node, mark)) => exchange(&node, command_with(element, mark).unwrap_or_default()),
                        None => {
                            array.append(input(element));
                        }
                    }
                }
            }
            _ if object.get(key).is_none() => {
                object.append(key, input(wanted));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The text with a mark in it, anywhere below.
fn command_with<'v>(value: &'v Value, mark: &str) -> Option<&'v str> {
    match value {
        Value::String(text) => text.contains(mark).then_some(text),
        Value::Array(items) => items.iter().find_map(|item| command_with(item, mark)),
        Value::Object(entries) => entries.values().find_map(|value| command_with(value, mark)),
        _ => None,
    }
}

/// As [`command_with`], of a node.
fn string_with(node: &CstNode, mark: &str) -> Option<CstNode> {
    if let Some(text) = node.as_string_lit() {
        return text.decoded_value().is_ok_and(|text| text.contains(mark)).then(|| node.clone());
    }
    // The name of a property is no command.
    if let Some(property) = node.as_object_prop() {
        return string_with(&property.value()?, mark);
    }
    node.children().iter().find_map(|child| string_with(child, mark))
}

fn exchange(node: &CstNode, command: &str) {
    let Some(text) = node.as_string_lit() else { return };
    if text.decoded_value().is_ok_and(|old| old == command) {
        return;
    }
    text.set_raw_value(Value::from(command).to_string());
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tree(command: &str) -> Value {
        json!({ "version": 1, "hooks": { "PreToolUse": [
            { "matcher": "Edit", "hooks": [{ "type": "command", "command": command }] }
        ] } })
    }

    #[test]
    fn elements_are_added_once_and_their_command_is_kept_up_to_date() {
        let text = "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      // mine\n      { \"matcher\": \"Bash\", \"hooks\": [] }\n    ]\n  },\n  \"version\": 2\n}\n";
        let once = merge(text, "s.json", &tree("/a/tapps-mcp tdd guard"), &["tdd guard"]).unwrap();
        assert!(once.contains("// mine\n      { \"matcher\": \"Bash\", \"hooks\": [] },\n      {\n"), "{once}");
        assert!(once.contains("\"version\": 2"), "{once}");
        assert_eq!(merge(&once, "s.json", &tree("/a/tapps-mcp tdd guard"), &["tdd guard"]).unwrap(), once);
        let moved = merge(&once, "s.json", &tree("'/b c/tapps-mcp' tdd guard"), &["tdd guard"]).unwrap();
        assert_eq!(moved, once.replace("/a/tapps-mcp", "'/b c/tapps-mcp'"));
    }

    #[test]
    fn a_value_of_another_kind_is_left_alone() {
        let error = merge(r#"{"hooks": {"PreToolUse": {}}}"#, "s.json", &tree("x"), &[]).unwrap_err();
        assert_eq!(error.message(), "`PreToolUse` in s.json is not a list");
    }
}
