//! Maps of MCP servers in YAML.

use serde_json::Value;

use super::yaml::{YamlContent, YamlPart, ensure_unmarked, parse_yaml};
use super::{
    ServerEntry, WantedServerEntry, broken_document_error, in_the_way, kept, name_taken_error, newline, split_mark,
};
use crate::setup::launch::own_arguments;
use tapps_base::{Error, Result};

/// How an entry says what is started.
const COMMAND: &str = "cmd";
const ARGUMENTS: &str = "args";

/// How much deeper a block stands than what holds it.
const STEP: usize = 2;

/// Bytes that are exchanged for a text.
type YamlEdit = (std::ops::Range<usize>, String);

/// As for JSON; see [`super::json_servers::set_server`].
///
/// # Errors
/// `config_error` with line and column for a broken document or several, and when something else stands where a map should;
/// `conflict` when an entry of that name starts something else.
pub fn set_server(text: &str, file: &str, wanted: &WantedServerEntry<'_>) -> Result<String> {
    let (mark, body) = split_mark(text);
    let root = parse_yaml(body, file)?;
    let edits = match &root {
        None => vec![append(body, file, &block_of(wanted, 0, true))?],
        Some(root) => edits_of(body, file, root, wanted)?,
    };
    let mut after = body.to_owned();
    for (bytes, new) in edits.into_iter().rev() {
        after.replace_range(bytes, &new);
    }
    let read = parse_yaml(&after, file)?;
    let values = |part: &Option<YamlPart>| {
        part.as_ref().map_or_else(|| Value::Object(serde_json::Map::new()), YamlPart::comparable_value)
    };
    kept::check_nothing_lost(file, &values(&root), &values(&read), &[COMMAND, ARGUMENTS])?;
    let is_there = |entry: &ServerEntry| {
        entry.command.as_deref() == Some(wanted.launch.command.as_str()) && !entry.arguments.is_empty()
    };
    if !entries(read.as_ref(), wanted.servers).iter().any(is_there) {
        return Err(Error::internal(format!("the edit of {file} makes no entry; nothing was written"))
            .hint("write the entry by hand, and please report it"));
    }
    Ok(format!("{mark}{after}"))
}

/// The entries of a map of servers.
///
/// # Errors
/// `config_error` with line and column for a broken document.
pub fn list_yaml_servers(text: &str, file: &str, key: &str) -> Result<Vec<ServerEntry>> {
    Ok(entries(parse_yaml(split_mark(text).1, file)?.as_ref(), key))
}

fn entries(root: Option<&YamlPart>, key: &str) -> Vec<ServerEntry> {
    let servers = root.and_then(|root| root.entry(key)).map(|(_, servers)| servers.entries()).unwrap_or_default();
    let entry = |(name, said): &(YamlPart, YamlPart)| {
        let text = |key: &str| said.entry(key).and_then(|(_, value)| value.text()).map(str::to_owned);
        let words = said.entry(ARGUMENTS).map(|(_, value)| value.items()).unwrap_or_default();
        let arguments = words.iter().filter_map(YamlPart::text).map(str::to_owned).collect();
        Some(ServerEntry { name: name.text()?.to_owned(), command: text(COMMAND), arguments })
    };
    servers.iter().filter_map(entry).collect()
}

fn edits_of(text: &str, file: &str, root: &YamlPart, wanted: &WantedServerEntry<'_>) -> Result<Vec<YamlEdit>> {
    let YamlContent::Map { is_flow, .. } = root.content else { return Err(in_the_way(file, "the whole", "a map")) };
    ensure_unmarked(root, file, "the whole")?;
    let Some((key, servers)) = root.entry(wanted.servers) else {
        let new = match is_flow {
            true => return Ok(vec![insert_flow(root, &format!("{}: {{{}}}", wanted.servers, flow_of(wanted)))]),
            false => block_of(wanted, column(text, root.from), true),
        };
        return Ok(vec![append(text, file, &new)?]);
    };
    ensure_unmarked(servers, file, wanted.servers)?;
    let own = entries(Some(root), wanted.servers).into_iter().filter_map(|entry| {
        let own = own_arguments(entry.command.as_deref()?, &entry.arguments, entry.name == wanted.name)?;
        Some((entry.name, own))
    });
    // The last one of several would be taken.
    if let Some((name, own)) = own.rev().max_by_key(|(name, _)| name == wanted.name) {
        let (_, entry) = servers.entry(&name).ok_or_else(|| in_the_way(file, &name, "a map"))?;
        let edits = update(text, file, entry, wanted, &own)?;
        if !edits.is_empty() {
            ensure_unmarked(entry, file, &name)?;
        }
        return Ok(edits);
    }
    if servers.entry(wanted.name).is_some() {
        return Err(name_taken_error(file, wanted.name));
    }
    match &servers.content {
        YamlContent::Map { is_flow: true, .. } => Ok(vec![insert_flow(servers, &flow_of(wanted))]),
        YamlContent::Map { .. } => {
            Ok(vec![insert_block(text, servers.to, &block_of(wanted, column(text, servers.from), false))])
        }
        _ if servers.is_null() && servers.from == servers.to => {
            let deeper = column(text, key.from) + STEP;
            Ok(vec![insert_block(text, key.to, &block_of(wanted, deeper, false))])
        }
        _ if servers.is_null() => Ok(vec![(servers.from..servers.to, format!("{{{}}}", flow_of(wanted)))]),
        _ => Err(in_the_way(file, wanted.servers, "a map")),
    }
}

/// Brings the program of an entry up to date, and the arguments that come before the user's own.
fn update(
    text: &str,
    file: &str,
    entry: &YamlPart,
    wanted: &WantedServerEntry<'_>,
    own: &[String],
) -> Result<Vec<YamlEdit>> {
    let launch = wanted.launch;
    let arguments = launch.arguments_keeping(own);
    let in_flow = flow_value(&Value::from(arguments.clone()));
    let mut edits = Vec::new();
    let (_, command) = entry.entry(COMMAND).ok_or_else(|| in_the_way(file, COMMAND, "a text"))?;
    ensure_unmarked(command, file, COMMAND)?;
    if command.text() != Some(&launch.command) {
        edits.push((command.from..command.to, scalar(&launch.command)));
    }
    match entry.entry(ARGUMENTS) {
        Some((_, old))
            if old.items().iter().map(YamlPart::text).eq(arguments.iter().map(|word| Some(word.as_str()))) => {}
        Some((key, old)) => {
            ensure_unmarked(old, file, ARGUMENTS)?;
            let edit = match old.content {
                YamlContent::List { is_flow: false, .. } => {
                    let gap = format!("{}{}- ", newline(text), " ".repeat(column(text, old.from)));
                    let words: Vec<String> = arguments.iter().map(|word| scalar(word)).collect();
                    (old.from..old.to, format!("- {}", words.join(&gap)))
                }
                YamlContent::List { .. } => (old.from..old.to, in_flow),
                // Behind the colon.
                _ if old.is_null() && old.from == old.to => (key.to + 1..key.to + 1, format!(" {in_flow}")),
                _ => return Err(in_the_way(file, ARGUMENTS, "a list")),
            };
            edits.push(edit);
        }
        None => {
            let line = format!("{ARGUMENTS}: {in_flow}");
            match entry.content {
                YamlContent::Map { is_flow: true, .. } => edits.push(insert_flow(entry, &line)),
                _ => {
                    let line = format!("{}{line}\n", " ".repeat(column(text, entry.from)));
                    edits.push(insert_block(text, entry.to, &line));
                }
            }
        }
    }
    edits.sort_by_key(|(bytes, _)| bytes.start);
    Ok(edits)
}

/// A block at the end of a document.
fn append(text: &str, file: &str, block: &str) -> Result<YamlEdit> {
    let end = text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line))
    });
    if let Some((number, _)) = end.enumerate().find(|(_, (_, line))| line.trim_end() == "...") {
        return Err(broken_document_error(
            file,
            number + 1,
            1,
            "the document ends here, and nothing can be put behind it",
        ));
    }
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { newline(text) };
    Ok((text.len()..text.len(), format!("{gap}{}", block.replace('\n', newline(text)))))
}

/// A block below the line in which a node ends.
fn insert_block(text: &str, end: usize, block: &str) -> YamlEdit {
    let newline = newline(text);
    let block = block.replace('\n', newline);
    if text.get(..end).is_some_and(|before| before.ends_with('\n')) {
        return (end..end, block);
    }
    match text.get(end..).and_then(|rest| rest.find('\n')) {
        Some(length) => (end + length + 1..end + length + 1, block),
        None => (text.len()..text.len(), format!("{newline}{block}")),
    }
}

/// An entry behind the last one of a map in braces.
fn insert_flow(map: &YamlPart, entry: &str) -> YamlEdit {
    match map.entries().last() {
        Some((_, last)) => (last.to..last.to, format!(", {entry}")),
        None => (map.to - 1..map.to - 1, entry.to_owned()),
    }
}

/// The lines of a new entry, below the key of the servers where that is new as well.
fn block_of(wanted: &WantedServerEntry<'_>, indent: usize, with_key: bool) -> String {
    let mut lines = Vec::new();
    let mut depth = indent;
    if with_key {
        lines.push(format!("{}{}:", " ".repeat(depth), wanted.servers));
        depth += STEP;
    }
    lines.push(format!("{}{}:", " ".repeat(depth), scalar(wanted.name)));
    depth += STEP;
    for (key, value) in wanted.new_entry() {
        let indent = " ".repeat(depth);
        match value {
            Value::Array(words) => {
                lines.push(format!("{indent}{key}:"));
                lines.extend(words.iter().map(|word| format!("{indent}  - {}", flow_value(word))));
            }
            value => lines.push(format!("{indent}{key}: {}", flow_value(&value))),
        }
    }
    lines.join("\n") + "\n"
}

/// A new entry as it stands in braces.
fn flow_of(wanted: &WantedServerEntry<'_>) -> String {
    let said = wanted.new_entry().into_iter().map(|(key, value)| format!("{key}: {}", flow_value(&value)));
    format!("{}: {{{}}}", scalar(wanted.name), said.collect::<Vec<_>>().join(", "))
}

fn flow_value(value: &Value) -> String {
    match value {
        Value::String(text) => scalar(text),
        Value::Array(items) => format!("[{}]", items.iter().map(flow_value).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

/// A text as YAML reads it back; without quotation marks where it means nothing else.
fn scalar(text: &str) -> String {
    const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
    let is_plain = begins && text.chars().all(|c| c.is_ascii_alphanumeric() || "/_.-".contains(c));
    if is_plain && !WORDS.contains(&text.to_ascii_lowercase().as_str()) {
        return text.to_owned();
    }
    Value::from(text).to_string()
}

fn column(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    before.len() - before.rfind('\n').map_or(0, |newline| newline + 1)
}

#[cfg(test)]
#[path = "yaml_servers_tests.rs"]
mod tests;
