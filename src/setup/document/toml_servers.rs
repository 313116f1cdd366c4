//! Tables of MCP servers in TOML.

use serde_json::Value;
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, value};

use super::{ServerEntry, WantedServerEntry, broken_document_error, in_the_way, kept, name_taken_error};
use crate::setup::launch::{Launch, own_arguments};
use tapps_base::{Error, Result, toml_text};

/// What an edit may exchange: the program of an entry, and the arguments that come before the user's own.
const REPLACED: [&str; 2] = ["command", "args"];

/// Seconds that a client should wait for a server that may be fetched and built first.
const SLOW_START: i64 = 600;

/// As for JSON; see [`super::json_servers::set_server`].
///
/// # Errors
/// `config_error` with line and column for a broken document, or when something else stands where a table should;
/// `conflict` when an entry of that name starts something else.
pub fn set_server(text: &str, file: &str, wanted: &WantedServerEntry<'_>) -> Result<String> {
    let mut document = parse(text, file)?;
    let servers = document.entry(wanted.servers).or_insert_with(implicit);
    let inline = servers.is_inline_table();
    let dotted = servers.as_table().is_some_and(Table::is_dotted);
    let servers = servers.as_table_like_mut().ok_or_else(|| in_the_way(file, wanted.servers, "a table"))?;
    match find_own_toml_entry(servers, wanted.name) {
        Some((name, own)) => {
            let entry = servers.get_mut(&name).and_then(Item::as_table_like_mut);
            update(entry.ok_or_else(|| in_the_way(file, &name, "a table"))?, wanted.launch, &own);
        }
        None if servers.contains_key(wanted.name) => return Err(name_taken_error(file, wanted.name)),
        None => {
            let mut entry = new_toml_entry(wanted);
            entry.set_dotted(dotted);
            let item = if inline { value(entry.into_inline_table()) } else { Item::Table(entry) };
            servers.insert(wanted.name, item);
        }
    }
    let after = document.to_string();
    kept::check_nothing_lost(file, &toml_to_json_value(text, file)?, &toml_to_json_value(&after, file)?, &REPLACED)?;
    Ok(after)
}

/// The entries of a table of servers.
///
/// # Errors
/// `config_error` with line and column for a broken document.
pub fn list_toml_servers(text: &str, file: &str, key: &str) -> Result<Vec<ServerEntry>> {
    let document = parse(text, file)?;
    let servers = document.get(key).and_then(Item::as_table_like);
    Ok(servers.map(entries).unwrap_or_default())
}

fn parse(text: &str, file: &str) -> Result<DocumentMut> {
    let broken_at = |at: usize, message: &str| {
        let before = text.get(..at).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        broken_document_error(file, line, column, message)
    };
    if let Some(at) = toml_text::excess_nesting(text) {
        return Err(broken_at(at, toml_text::TOO_DEEP));
    }
    text.parse()
        .map_err(|error: toml_edit::TomlError| broken_at(error.span().map_or(0, |span| span.start), error.message()))
}

/// The values of a document.
fn toml_to_json_value(text: &str, file: &str) -> Result<Value> {
    let table: toml::Table =
        toml::from_str(text).map_err(|_| Error::internal(format!("the edit of {file} makes no TOML")))?;
    serde_json::to_value(table).map_err(|e| Error::internal(format!("{file} has no JSON form: {e}")))
}

/// A table whose head is not written, since only its tables have something to say.
fn implicit() -> Item {
    let mut table = Table::new();
    table.set_implicit(true);
    Item::Table(table)
}

fn entries(servers: &dyn TableLike) -> Vec<ServerEntry> {
    let entry = |(name, item): (&str, &Item)| {
        let said = item.as_table_like()?;
        let words = said.get("args").and_then(Item::as_array).into_iter().flat_map(Array::iter);
        let words = words.filter_map(toml_edit::Value::as_str).map(str::to_owned);
        let command = said.get("command").and_then(Item::as_str).map(str::to_owned);
        Some(ServerEntry { name: name.to_owned(), command, arguments: words.collect() })
    };
    servers.iter().filter_map(entry).collect()
}

/// The name of the entry that starts this program, with the arguments that are the program's own.
fn find_own_toml_entry(servers: &dyn TableLike, name: &str) -> Option<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = entries(servers)
        .into_iter()
        .filter_map(|entry| {
            let own = own_arguments(entry.command.as_deref()?, &entry.arguments, entry.name == name)?;
            Some((entry.name, own))
        })
        .collect();
    found.sort_by_key(|(known, _)| known != name);
    found.into_iter().next()
}

fn update(entry: &mut dyn TableLike, launch: &Launch, own: &[String]) {
    let wanted = launch.arguments_keeping(own);
    if entry.get("command").and_then(Item::as_str) != Some(&launch.command) {
        exchange(entry, "command", launch.command.as_str().into());
    }
    let said = entry.get("args").and_then(Item::as_array).into_iter().flat_map(Array::iter);
    if !said.map(toml_edit::Value::as_str).eq(wanted.iter().map(|word| Some(word.as_str()))) {
        exchange(entry, "args", toml_edit::Value::Array(wanted.iter().collect()));
    }
}

/// Puts another value in the place of one, with the comment that stands behind it.
fn exchange(entry: &mut dyn TableLike, key: &str, mut new: toml_edit::Value) {
    match entry.get_mut(key).and_then(Item::as_value_mut) {
        Some(old) => {
            *new.decor_mut() = old.decor().clone();
            *old = new;
        }
        None => {
            entry.insert(key, Item::Value(new));
        }
    }
}

fn new_toml_entry(wanted: &WantedServerEntry<'_>) -> Table {
    let mut entry = Table::new();
    for (key, text) in wanted.besides {
        entry.insert(key, value(*text));
    }
    entry.insert("command", value(&wanted.launch.command));
    entry.insert("args", value(wanted.launch.serve_arguments().iter().collect::<Array>()));
    if wanted.launch.is_slow_at_first() {
        entry.insert("startup_timeout_sec", value(SLOW_START));
    }
    entry
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use rstest::rstest;

    use super::*;
    use crate::setup::client::ServerEntryShape;

    fn put(text: &str) -> Result<String> {
        let launch = Launch::from_program(Path::new("/opt/tapps-mcp")).unwrap();
        set_server(
            text,
            "config.toml",
            &WantedServerEntry {
                servers: "mcp_servers",
                name: "tapps",
                launch: &launch,
                shape: ServerEntryShape::CommandAndArguments,
                besides: &[],
            },
        )
    }

    const ENTRY: &str = "[mcp_servers.tapps]\ncommand = \"/opt/tapps-mcp\"\nargs = [\"serve\"]\n";

    #[rstest]
    #[case("", ENTRY)]
    #[case(
        "# mine\nmodel = \"x\" # why\n",
        "# mine\nmodel = \"x\" # why\n\n[mcp_servers.tapps]\ncommand = \"/opt/tapps-mcp\"\nargs = [\"serve\"]\n"
    )]
    #[case(
        "[mcp_servers.other]\ncommand = \"a\"\n\n[profile]\nb = 1\n",
        "[mcp_servers.other]\ncommand = \"a\"\n\n[mcp_servers.tapps]\ncommand = \"/opt/tapps-mcp\"\nargs = [\"serve\"]\n\n[profile]\nb = 1\n"
    )]
    #[case(
        "mcp_servers = { other = { command = \"a\" } }\n",
        "mcp_servers = { other = { command = \"a\" } , tapps = { command = \"/opt/tapps-mcp\", args = [\"serve\"] } }\n"
    )]
    #[case(
        "[mcp_servers.mine] # here\ncommand = \"/old/tapps-mcp\" # moved\nargs = ['serve', '--read-only']\nenv = { K = \"v\" }\n",
        "[mcp_servers.mine] # here\ncommand = \"/opt/tapps-mcp\" # moved\nargs = ['serve', '--read-only']\nenv = { K = \"v\" }\n"
    )]
    fn everything_else_stays(#[case] before: &str, #[case] after: &str) {
        let once = put(before).unwrap();
        assert_eq!(once, after);
        assert_eq!(put(&once).unwrap(), once, "the second time there is nothing to do");
    }

    #[test]
    fn dotted_keys_stay_dotted() {
        let once = put("mcp_servers.other.command = \"a\"\n\n[x]\ny = 1\n").unwrap();
        assert_eq!(list_toml_servers(&once, "config.toml", "mcp_servers").unwrap().len(), 2, "{once}");
        assert_eq!(put(&once).unwrap(), once);
    }

    #[rstest]
    #[case("a = 1\nb = \n", "config.toml:2:5:")]
    #[case(&"a = { b < 1, c = [1 d]\n".repeat(20_000), "config.toml:100:18: more than 100 brackets")]
    #[case("mcp_servers = 3\n", "`mcp_servers` in config.toml is not a table")]
    #[case("[mcp_servers.tapps]\nurl = \"x\"\n", "the entry `tapps` in config.toml starts something else")]
    fn what_cannot_be_edited_is_left_alone(#[case] text: &str, #[case] message: &str) {
        let error = put(text).unwrap_err();
        assert!(error.message().starts_with(message), "{error}");
    }
}
