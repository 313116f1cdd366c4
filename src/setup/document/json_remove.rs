//! Commands taken out of a JSON document, with whatever was there for them alone.

use jsonc_parser::cst::{CstNode, CstObject};
use serde_json::Value;

use super::json::edit_with_check;
use tapps_base::{Error, Result};

/// The keys under which agents write the commands of hooks.
const COMMANDS: [&str; 2] = ["command", "bash"];

/// The key of a list of hooks; what holds it is nothing without it.
const HOOKS: &str = "hooks";

/// The document without the hooks whose command has one of `marks` in it. Lists and objects that this leaves empty go as
/// well; everything else stays as it stands.
///
/// # Errors
/// As [`super::json_merge::merge`].
pub fn remove_commands(text: &str, file: &str, marks: &[&str]) -> Result<String> {
    let remove = |root: &CstObject| {
        remove_from_object(root, marks);
        Ok(())
    };
    edit_with_check(text, file, remove, |before, after| {
        let mut wanted = before.clone();
        strip(&mut wanted, marks);
        if wanted == *after {
            return Ok(());
        }
        Err(Error::internal(format!("the edit of {file} would lose more than hooks; nothing was written"))
            .hint("remove them by hand, and please report it"))
    })
}

fn is_marked(command: &str, marks: &[&str]) -> bool {
    marks.iter().any(|mark| command.contains(mark))
}

/// True when nothing of use is left.
fn strip(value: &mut Value, marks: &[&str]) -> bool {
    match value {
        Value::Object(entries) => {
            let command = COMMANDS.iter().find_map(|key| entries.get(*key)).and_then(Value::as_str);
            if command.is_some_and(|command| is_marked(command, marks)) {
                return true;
            }
            let gone: Vec<String> =
                entries.iter_mut().filter_map(|(key, value)| strip(value, marks).then(|| key.clone())).collect();
            gone.iter().for_each(|key| drop(entries.remove(key)));
            gone.iter().any(|key| key == HOOKS) || (!gone.is_empty() && entries.is_empty())
        }
        Value::Array(items) => {
            let before = items.len();
            items.retain_mut(|item| !strip(item, marks));
            items.is_empty() && before > 0
        }
        _ => false,
    }
}

/// As [`strip`], of a node.
fn remove_from_node(node: &CstNode, marks: &[&str]) -> bool {
    if let Some(object) = node.as_object() {
        return remove_from_object(&object, marks);
    }
    let Some(array) = node.as_array() else { return false };
    let elements = array.elements();
    let gone: Vec<CstNode> = elements.iter().filter(|element| remove_from_node(element, marks)).cloned().collect();
    let left = elements.len() - gone.len();
    if left == 0 {
        // The whole list goes.
        return !gone.is_empty();
    }
    gone.into_iter().for_each(CstNode::remove);
    false
}

fn remove_from_object(object: &CstObject, marks: &[&str]) -> bool {
    let text = |key: &&str| object.get(key)?.value()?.as_string_lit()?.decoded_value().ok();
    if COMMANDS.iter().find_map(text).is_some_and(|command| is_marked(&command, marks)) {
        return true;
    }
    let properties = object.properties();
    let before = properties.len();
    let (mut left, mut hooks) = (before, false);
    for property in properties {
        let hollow = property.value().is_some_and(|value| remove_from_node(&value, marks));
        if hollow {
            left -= 1;
            hooks |= property.decoded_name().as_deref() == Some(HOOKS);
            property.remove();
        }
    }
    hooks || (left == 0 && before > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKS: [&str; 1] = [" hook end --client x"];

    #[test]
    fn only_what_is_marked_goes() {
        let text = "{\n  // mine\n  \"a\": [],\n  \"hooks\": {\n    \"Stop\": [\n      { \"hooks\": [{ \"command\": \"p hook end --client x\" }] },\n      { \"hooks\": [{ \"command\": \"mine\" }, { \"command\": \"p hook end --client x --advise\" }] }\n    ],\n    \"Other\": [{ \"bash\": \"p hook end --client x\" }]\n  }\n}\n";
        let once = remove_commands(text, "s.json", &MARKS).unwrap();
        let read: Value = serde_json::from_str(&once.replace("// mine", "")).unwrap();
        assert_eq!(read, serde_json::json!({"a": [], "hooks": {"Stop": [{"hooks": [{"command": "mine"}]}]}}), "{once}");
        assert!(once.contains("  // mine\n  \"a\": [],\n"), "{once}");
        assert_eq!(remove_commands(&once, "s.json", &MARKS).unwrap(), once);
    }

    #[test]
    fn what_is_empty_afterwards_goes_and_the_rest_stays() {
        let text = "{ \"version\": 1, \"hooks\": { \"stop\": [{ \"command\": \"p hook end --client x\" }] } }\n";
        let once = remove_commands(text, "s.json", &MARKS).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&once).unwrap(), serde_json::json!({"version": 1}));
        let other = "{ \"hooks\": { \"stop\": [{ \"command\": \"p hook end --client y\" }] } }\n";
        assert_eq!(remove_commands(other, "s.json", &MARKS).unwrap(), other);
    }
}
