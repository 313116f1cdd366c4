//! Lists of MCP servers in JSON.

use jsonc_parser::cst::{CstInputValue, CstObject};
use serde_json::Value;

use super::json::{edit, input, object_in, parse};
use super::{ServerEntry, WantedServerEntry, name_taken_error, split_mark};
use crate::setup::launch::own_arguments;
use tapps_base::Result;

/// The document with the entry in it. One that starts this program already, under whatever name, is brought up to date
/// and keeps everything the user has said in it.
///
/// # Errors
/// `config_error` with line and column for a broken document, or when something else stands where a list should;
/// `conflict` when an entry of that name starts something else.
pub fn set_server(text: &str, file: &str, wanted: &WantedServerEntry<'_>) -> Result<String> {
    edit(text, file, |root| {
        let servers = object_in(root, file, wanted.servers)?;
        match find_own_json_entry(&servers, wanted.name) {
            Some((entry, own)) => update(&entry, wanted, &own),
            None if servers.get(wanted.name).is_some() => return Err(name_taken_error(file, wanted.name)),
            None => {
                servers.append(wanted.name, new_json_entry(wanted));
            }
        }
        Ok(())
    })
}

/// The entries of a list of servers.
///
/// # Errors
/// `config_error` with line and column for a broken document.
pub fn list_json_servers(text: &str, file: &str, key: &str) -> Result<Vec<ServerEntry>> {
    let root = parse(split_mark(text).1, file)?;
    let Some(servers) = root.object_value().and_then(|root| root.object_value(key)) else { return Ok(Vec::new()) };
    Ok(entries(&servers).into_iter().map(|(entry, _)| entry).collect())
}

/// Every entry with its object.
fn entries(servers: &CstObject) -> Vec<(ServerEntry, CstObject)> {
    let entry = |name: String, object: CstObject| {
        let said = object.to_serde_value().unwrap_or_default();
        let texts = |key: &str| {
            let words = said.get(key).and_then(Value::as_array);
            words.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<String>>()
        };
        let (command, arguments) = match said.get("command").and_then(Value::as_str) {
            Some(command) => (Some(command.to_owned()), texts("args")),
            None => {
                let mut words = texts("command").into_iter();
                (words.next(), words.collect())
            }
        };
        (ServerEntry { name, command, arguments }, object)
    };
    servers
        .properties()
        .into_iter()
        .filter_map(|property| Some(entry(property.decoded_name()?, property.object_value()?)))
        .collect()
}

/// The entry that starts this program, with the arguments that are the program's own.
fn find_own_json_entry(servers: &CstObject, name: &str) -> Option<(CstObject, Vec<String>)> {
    let mut found: Vec<(bool, CstObject, Vec<String>)> = entries(servers)
        .into_iter()
        .filter_map(|(entry, object)| {
            let named = entry.name == name;
            let own = own_arguments(entry.command.as_deref()?, &entry.arguments, named)?;
            Some((named, object, own))
        })
        .collect();
    found.sort_by_key(|(named, ..)| !*named);
    found.into_iter().next().map(|(_, object, own)| (object, own))
}

fn update(entry: &CstObject, wanted: &WantedServerEntry<'_>, own: &[String]) {
    for (key, value) in wanted.started_by(wanted.launch.arguments_keeping(own)) {
        set(entry, key, &value);
    }
}

fn set(object: &CstObject, key: &str, wanted: &Value) {
    match object.get(key) {
        Some(property) if property.to_serde_value().as_ref() == Some(wanted) => {}
        Some(property) => property.set_value(input(wanted)),
        None => {
            object.append(key, input(wanted));
        }
    }
}

fn new_json_entry(wanted: &WantedServerEntry<'_>) -> CstInputValue {
    CstInputValue::Object(wanted.new_entry().iter().map(|(key, value)| ((*key).to_owned(), input(value))).collect())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use rstest::rstest;

    use super::*;
    use crate::setup::client::ServerEntryShape;
    use crate::setup::launch::Launch;

    fn put(text: &str, launch: &Launch) -> Result<String> {
        let wanted = WantedServerEntry {
            servers: "mcpServers",
            name: "tapps",
            launch,
            shape: ServerEntryShape::CommandAndArguments,
            besides: &[("type", "stdio")],
        };
        set_server(text, "mcp.json", &wanted)
    }

    fn program() -> Launch {
        Launch::from_program(Path::new("/opt/tapps-mcp")).unwrap()
    }

    const FRESH: &str = r#"{
  "mcpServers": {
    "tapps": {
      "type": "stdio",
      "command": "/opt/tapps-mcp",
      "args": ["serve"]
    }
  }
}
"#;

    #[test]
    fn a_new_document_is_made() {
        assert_eq!(put("", &program()).unwrap(), FRESH);
        assert_eq!(put(FRESH, &program()).unwrap(), FRESH, "the second time there is nothing to do");
    }

    #[test]
    fn comments_order_and_indentation_stay() {
        let before = "{\n\t// mine\n\t\"z\": 1, /* two */\n\t\"mcpServers\": {\n\t\t\"other\": { \"url\": \"http://x\" }, // last\n\t},\n\t\"a\": [1,2],\n}\n";
        let after = "{\n\t// mine\n\t\"z\": 1, /* two */\n\t\"mcpServers\": {\n\t\t\"other\": { \"url\": \"http://x\" }, // last\n\t\t\"tapps\": {\n\t\t\t\"type\": \"stdio\",\n\t\t\t\"command\": \"/opt/tapps-mcp\",\n\t\t\t\"args\": [\"serve\"],\n\t\t},\n\t},\n\t\"a\": [1,2],\n}\n";
        assert_eq!(put(before, &program()).unwrap(), after);
    }

    #[test]
    fn an_entry_of_ours_keeps_what_the_user_said_in_it() {
        let old = r#"{ "mcpServers": { "quality": { "command": "/old/tapps-mcp", "args": ["serve", "--toolsets", "all"], "env": { "K": "v" } } } }"#;
        let moved = put(old, &program()).unwrap();
        assert_eq!(moved, old.replace("/old", "/opt"));
        let nix = Launch::from_nix_flake(Path::new("/bin/nix"), "path:/flake").unwrap();
        let through_nix = put(&moved.replace("quality", "tapps"), &nix).unwrap();
        let entry = &list_json_servers(&through_nix, "mcp.json", "mcpServers").unwrap()[0];
        assert_eq!(entry.command.as_deref(), Some("/bin/nix"));
        assert_eq!(entry.arguments[2..], ["run", "path:/flake", "--", "serve", "--toolsets", "all"]);
        assert!(through_nix.contains(r#""env": { "K": "v" }"#), "{through_nix}");
        let back = put(&through_nix, &program()).unwrap();
        assert_eq!(
            list_json_servers(&back, "mcp.json", "mcpServers").unwrap()[0].arguments,
            ["serve", "--toolsets", "all"]
        );
    }

    #[rstest]
    #[case(
        r#"{"mcpServers": {"tapps": {"command": "npx", "args": ["other"]}}}"#,
        "the entry `tapps` in mcp.json starts something else; nothing was written"
    )]
    #[case(
        r#"{"mcpServers": {"tapps": {"url": "http://x"}}}"#,
        "the entry `tapps` in mcp.json starts something else; nothing was written"
    )]
    #[case(r#"{"mcpServers": ["x"]}"#, "`mcpServers` in mcp.json is not an object")]
    fn what_belongs_to_others_is_left_alone(#[case] text: &str, #[case] message: &str) {
        assert_eq!(put(text, &program()).unwrap_err().message(), message);
    }

    #[test]
    fn entries_are_read_with_what_they_start() {
        let text =
            r#"{ "servers": { "a": { "command": "x", "args": ["1", 2] }, "b": { "url": "y" }, "c": 3 } } // end"#;
        let entry = |name: &str, command: Option<&str>, arguments: &[&str]| ServerEntry {
            name: name.into(),
            command: command.map(str::to_owned),
            arguments: arguments.iter().map(|word| (*word).to_owned()).collect(),
        };
        let read = list_json_servers(text, "mcp.json", "servers").unwrap();
        assert_eq!(read, [entry("a", Some("x"), &["1"]), entry("b", None, &[])]);
        assert_eq!(list_json_servers("", "mcp.json", "servers").unwrap(), []);
    }
}
