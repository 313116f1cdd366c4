//! A configuration file as a flat list of keys, each with its line.

use std::borrow::Cow;
use std::ops::Range;
use tapps_base::toml_text;

use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{self, ConfigKeyPlace, NAME_MOST, NAMED_TABLES, PRESETS_MOST};
use tapps_base::{Error, ErrorCode, Result};

/// One key that a file sets.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfigFileEntry {
    /// Dotted, for example `gates.team.overall`.
    pub path: String,
    pub value: Value,
    /// 1-based.
    pub line: u32,
}

/// Reads the keys below the table at `inside` (empty: the whole document); `None` when there is no such table.
///
/// # Errors
/// `config_error` with file, line and a hint for text that is not TOML, an unknown key or a value of the wrong kind.
pub fn read_config_entries(text: &str, file: &str, inside: &[&str]) -> Result<Option<Vec<ConfigFileEntry>>> {
    let document = parse_config_toml(text, file)?;
    let mut table = document.get_ref();
    for name in inside {
        let Some((key, value)) = table.get_key_value(*name) else { return Ok(None) };
        let Some(inner) = value.get_ref().as_table() else {
            let place = format!("{file}:{}", line_of(text, &key.span()));
            return Err(Error::new(ErrorCode::ConfigError, format!("{place}: `{}` must be a table", inside.join("."))));
        };
        table = inner;
    }
    let mut reader = ConfigFileReader { text, file, found: Vec::new() };
    reader.walk(table, "")?;
    Ok(Some(reader.found))
}

/// A text at a path of a TOML document, with its 1-based line.
///
/// # Errors
/// `config_error` for text that is not TOML.
pub fn text_at(text: &str, file: &str, path: &[&str]) -> Result<Option<(String, u32)>> {
    let document = parse_config_toml(text, file)?;
    let Some((last, parents)) = path.split_last() else { return Ok(None) };
    let mut table = document.get_ref();
    for name in parents {
        match table.get(*name).and_then(|value| value.get_ref().as_table()) {
            Some(inner) => table = inner,
            None => return Ok(None),
        }
    }
    Ok(table
        .get_key_value(*last)
        .and_then(|(key, value)| value.get_ref().as_str().map(|found| (found.to_owned(), line_of(text, &key.span())))))
}

fn parse_config_toml<'t>(text: &'t str, file: &str) -> Result<Spanned<DeTable<'t>>> {
    let refused = |place: Range<usize>, fault: &str| {
        let (line, fault) = (line_of(text, &place), shorten_text(fault.trim(), 200));
        Error::new(ErrorCode::ConfigError, format!("{file}:{line}: not valid TOML: {fault}"))
            .hint("correct the syntax at that line")
    };
    if let Some(place) = toml_text::excess_nesting(text) {
        return Err(refused(place..place, toml_text::TOO_DEEP));
    }
    DeTable::parse(text).map_err(|error| refused(error.span().unwrap_or_default(), error.message()))
}

struct ConfigFileReader<'t> {
    text: &'t str,
    file: &'t str,
    found: Vec<ConfigFileEntry>,
}

impl ConfigFileReader<'_> {
    fn walk(&mut self, table: &DeTable<'_>, prefix: &str) -> Result<()> {
        for (name, value) in table {
            let line = line_of(self.text, &name.span());
            let place = format!("{}:{line}", self.file);
            let name: &str = name.get_ref();
            if !is_key_name(name) {
                let message = format!("{place}: the key {:?} cannot be used", shorten_text(name, NAME_MOST));
                return Err(Error::new(ErrorCode::ConfigError, message).hint(format!(
                    "keys and names of presets and contracts consist of letters, digits, `_` and `-`, at most {NAME_MOST} of them"
                )));
            }
            let path = if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") };
            match (keys::look_up_key(&path), value.get_ref()) {
                (ConfigKeyPlace::Unknown, _) => return Err(keys::unknown_key_error(&path, &place)),
                (ConfigKeyPlace::Section, DeValue::Table(inner)) => {
                    if let Some((_, what)) = NAMED_TABLES.iter().find(|(section, _)| path == *section)
                        && inner.len() > PRESETS_MOST
                    {
                        let message =
                            format!("{place}: `{path}` has {} {what}, at most {PRESETS_MOST} fit", inner.len());
                        return Err(Error::new(ErrorCode::ConfigError, message)
                            .hint(format!("remove {what} that nobody asks for")));
                    }
                    self.walk(inner, &path)?;
                }
                (ConfigKeyPlace::Section, other) => {
                    let found = keys::describe_value(&toml_to_json(other));
                    let message = format!("{place}: `{path}` must be a table, found {found}");
                    return Err(
                        Error::new(ErrorCode::ConfigError, message).hint(format!("write a section headed `[{path}]`"))
                    );
                }
                (ConfigKeyPlace::Key(key), value) => {
                    let value = toml_to_json(value);
                    keys::check_key_value(key, &path, &value, &place)?;
                    self.found.push(ConfigFileEntry { path, value, line });
                }
            }
        }
        Ok(())
    }
}

/// Whether a key can be the name of something.
fn is_key_name(key: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    !key.is_empty() && key.len() <= NAME_MOST && key.chars().all(fits)
}

/// Foreign text for a message: its beginning, when it is long.
fn shorten_text(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or_default())),
        None => Cow::Borrowed(text),
    }
}

/// The value as JSON; what JSON cannot hold becomes something that no key accepts.
fn toml_to_json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::from(text.as_ref()),
        DeValue::Boolean(value) => Value::from(*value),
        DeValue::Integer(number) => {
            let text = number.as_str();
            i64::from_str_radix(text, number.radix())
                .map_or_else(|_| serde_json::json!({ keys::HUGE: true }), Value::from)
        }
        // Infinity and NaN become null.
        DeValue::Float(number) => number.as_str().parse::<f64>().map_or(Value::Null, Value::from),
        DeValue::Datetime(_) => serde_json::json!({ keys::DATE: true }),
        DeValue::Array(items) => items.iter().map(|item| toml_to_json(item.get_ref())).collect(),
        DeValue::Table(_) => Value::Object(serde_json::Map::new()),
    }
}

/// 1-based line of the start of a span.
fn line_of(text: &str, span: &Range<usize>) -> u32 {
    let before = text.as_bytes().get(..span.start.min(text.len())).unwrap_or_default();
    u32::try_from(before.iter().filter(|byte| **byte == b'\n').count() + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fails(text: &str) -> (String, String) {
        let error = read_config_entries(text, "f.toml", &[]).unwrap_err();
        assert_eq!(error.code(), ErrorCode::ConfigError);
        (error.message().to_owned(), error.body().hint.clone().unwrap_or_default())
    }

    #[test]
    fn keys_come_with_their_lines() {
        let text = "preset = \"strict\"\n\n[toolchain]\noffline = true\n[gates.team]\noverall = 71.5\nsecurity = 0x7\n";
        let found: Vec<(String, Value, u32)> = read_config_entries(text, "f.toml", &[])
            .unwrap()
            .unwrap()
            .into_iter()
            .map(|e| (e.path, e.value, e.line))
            .collect();
        assert_eq!(
            found,
            [
                ("gates.team.overall".to_owned(), Value::from(71.5), 6),
                ("gates.team.security".to_owned(), Value::from(7), 7),
                ("preset".to_owned(), Value::from("strict"), 1),
                ("toolchain.offline".to_owned(), Value::from(true), 4),
            ]
        );
    }

    #[test]
    fn only_the_named_table_is_read() {
        let text = "[tool.other]\nx = 1\n[tool.tapps-mcp]\npreset = \"framework\"\n";
        let found = read_config_entries(text, "pyproject.toml", &["tool", "tapps-mcp"]).unwrap().unwrap();
        assert_eq!(found, [ConfigFileEntry { path: "preset".into(), value: "framework".into(), line: 4 }]);
        assert_eq!(read_config_entries("[tool.other]\n", "pyproject.toml", &["tool", "tapps-mcp"]).unwrap(), None);
    }

    #[test]
    fn mistakes_name_file_line_key_and_what_was_found() {
        for (text, message, hint) in [
            ("\npresett = \"x\"", "f.toml:2: unknown key `presett`", "did you mean preset?"),
            ("adaptive = \"yes\"", "f.toml:1: `adaptive` must be true or false, found \"yes\"", "set `adaptive`"),
            ("rules = \"taps\"", "must be \"tapps\" or \"project\", found \"taps\"", "did you mean tapps?"),
            ("weights = 3", "f.toml:1: `weights` must be a table, found 3", "[weights]"),
            (
                "exclude = [\"a\", 1]",
                "`exclude` must be a list of texts: at most 256, each of at most 512 characters, found a list of 2",
                "set `exclude`",
            ),
            ("[limits]\nmax_file_bytes = 0", "f.toml:2: `limits.max_file_bytes` must be a whole number", "set"),
            ("[limits]\nmax_file_bytes = 1.5", "found 1.5", "set"),
            ("[gates.x]\noverall = 101", "must be a number from 0 to 100, found 101", "set"),
            ("[gates.x]\noverall = nan", "found nothing", "set"),
            ("[gates.\"a.b\"]\noverall = 1", "the key \"a.b\" cannot be used", "letters"),
            (
                "[limits]\ndeadline_seconds = 86401",
                "f.toml:2: `limits.deadline_seconds` must be a whole number from 1 to 86400, found 86401",
                "set",
            ),
            ("[limits]\ndeadline_seconds = 99999999999999999999", "found a number beyond all bounds", "set"),
            ("adaptive = 2020-01-01", "found a date", "set"),
            (&format!("[gates]\n{}.overall = 1", "a".repeat(65)), "f.toml:2: the key \"aaaa", "at most 64"),
            (
                &(0..65).map(|n| format!("[gates.p{n}]\n")).collect::<String>(),
                "`gates` has 65 presets, at most 64",
                "remove",
            ),
            ("preset = ", "f.toml:1: not valid TOML", "syntax"),
            ("a = 1\na = 2", "f.toml:2: not valid TOML", "syntax"),
        ] {
            let (found, found_hint) = fails(text);
            assert!(found.contains(message), "{text}: {found}");
            assert!(found_hint.contains(hint), "{text}: {found_hint}");
        }
    }
}
