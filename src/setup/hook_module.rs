//! Hooks of an agent that loads a module instead of reading entries: the module with the entries in it, as one file that
//! is this program's alone.

use serde_json::{Map, Value};

use tapps_base::{Error, ErrorCode, Result};

/// The module of OpenCode, without its entries.
const OPENCODE: &str = include_str!("modules/opencode.js");

/// By this beginning a module is known as one of this program's.
const MODULE_MARK: &str = "// generator: tapps-mcp, version ";

/// What the entries are assigned to.
const ENTRIES: &str = "const HOOKS = ";

/// The text of the module with these entries.
///
/// # Errors
/// `conflict` when `text`, which stands there already, is somebody else's; `internal` for entries that are no objects.
pub(super) fn write_hook_module(text: &str, file: &str, entries: &[Value]) -> Result<String> {
    if !text.is_empty() && !text.starts_with(MODULE_MARK) {
        let message = format!("{file} is none of this program's; nothing was written");
        return Err(Error::new(ErrorCode::Conflict, message).hint("rename that file and try again"));
    }
    let mut all = Map::new();
    for entry in entries {
        let entry = entry.as_object().ok_or_else(|| Error::internal("only objects can be entries of a module"))?;
        all.extend(entry.clone());
    }
    let (version, all) = (env!("CARGO_PKG_VERSION"), Value::Object(all));
    Ok(format!("{MODULE_MARK}{version}\n{ENTRIES}{all:#}\n\n{OPENCODE}"))
}

/// Nothing, where this program's module stands: the file is to be removed. Another one stays.
#[must_use]
pub(super) fn remove_hook_module(text: &str) -> String {
    if text.starts_with(MODULE_MARK) { String::new() } else { text.to_owned() }
}

/// The entries of a module of this program's; none for any other text.
#[must_use]
pub(super) fn read_hook_module(text: &str) -> Option<Value> {
    let own = text.strip_prefix(MODULE_MARK)?;
    let (_, entries) = own.split_once(ENTRIES)?;
    serde_json::Deserializer::from_str(entries).into_iter().next()?.ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_written_is_known_again_and_another_file_stays() {
        let entries = [json!({ "a.b": [{ "command": "x \"y\"" }] }), json!({ "c": [] })];
        let text = write_hook_module("", "m.js", &entries).unwrap();
        assert!(text.contains("\nimport { spawn } from \"node:child_process\"\n"), "{text}");
        assert_eq!(read_hook_module(&text), Some(json!({ "a.b": [{ "command": "x \"y\"" }], "c": [] })));
        assert_eq!(write_hook_module(&text, "m.js", &entries).unwrap(), text);
        assert_eq!(remove_hook_module(&text), "");
        let theirs = "export const Mine = async () => ({})\n";
        assert_eq!(read_hook_module(theirs), None);
        assert_eq!(remove_hook_module(theirs), theirs);
        let refused = write_hook_module(theirs, "m.js", &entries).unwrap_err();
        assert_eq!(refused.message(), "m.js is none of this program's; nothing was written");
    }
}
