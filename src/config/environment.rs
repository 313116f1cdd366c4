//! Keys set through environment variables: `TAPPS_MCP_` and the key in upper case with `_` for `.`.
//!
//! What concerns the tools has a shorter name as well: `TAPPS_MCP_OFFLINE` is `TAPPS_MCP_TOOLCHAIN_OFFLINE`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::keys::{self, ConfigKey, ConfigValueKind, KEYS};
use tapps_base::{Result, nearest};

const PREFIX: &str = "TAPPS_MCP_";

/// Variables with the prefix that are not keys of the configuration.
const OTHERS: [&str; 9] = [
    "TAPPS_MCP_BUNDLES",
    "TAPPS_MCP_CACHE_PASSWORD",
    "TAPPS_MCP_CACHE_SECRET",
    "TAPPS_MCP_CACHE_USER",
    "TAPPS_MCP_CONFIG",
    "TAPPS_MCP_HTTP_TOKEN",
    "TAPPS_MCP_LOG",
    "TAPPS_MCP_PROJECT_ROOT",
    "TAPPS_MCP_REVISION",
];

/// Short names and the keys they set; the full name wins when both are there.
const SHORT: [(&str, &str); 6] = [
    ("TAPPS_MCP_ALLOW_UNVERIFIED", "toolchain.allow_unverified"),
    ("TAPPS_MCP_CACHE_DIR", "toolchain.cache_dir"),
    ("TAPPS_MCP_DATA_DIR", "toolchain.data_dir"),
    ("TAPPS_MCP_INTERPRETER", "toolchain.interpreter"),
    ("TAPPS_MCP_OFFLINE", "toolchain.offline"),
    ("TAPPS_MCP_PYTHON", "toolchain.python"),
];

/// One key that the environment sets.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    pub name: String,
    pub key: &'static ConfigKey,
    pub value: Value,
}

/// The variable that sets a key; presets have none, because their names are the project's.
#[must_use]
pub fn variable_for_key(key: &ConfigKey) -> Option<String> {
    (!key.path.contains('*')).then(|| format!("{PREFIX}{}", key.path.replace('.', "_").to_uppercase()))
}

/// Reads every variable that sets a key, and a warning for each that looks as if it should and does not.
///
/// A list is written with commas; an empty variable sets nothing.
///
/// # Errors
/// `config_error` naming the variable for a value of the wrong kind.
pub fn read_environment(environment: &BTreeMap<String, String>) -> Result<(Vec<Variable>, Vec<String>)> {
    let known = known_variables();
    let mut found = Vec::new();
    let mut warnings = Vec::new();
    // In the order of names, so that `TAPPS_MCP_TOOLCHAIN_…` comes after, and wins over, every short name.
    for (name, text) in environment.iter().filter(|(name, _)| name.starts_with(PREFIX)) {
        if let Some(key) = known.get(name) {
            if !text.is_empty() {
                let value = parse_variable_value(key.kind, text);
                keys::check_key_value(key, key.path, &value, name)?;
                found.push(Variable { name: name.clone(), key, value });
            }
        } else if !OTHERS.contains(&name.as_str()) {
            let names = known.keys().map(String::as_str).chain(OTHERS);
            let near = nearest::names(name, names).first().map(|near| format!("; did you mean {near}?"));
            warnings.push(format!("the variable {name} sets nothing{}", near.unwrap_or_default()));
        }
    }
    Ok((found, warnings))
}

fn known_variables() -> BTreeMap<String, &'static ConfigKey> {
    let full = KEYS.iter().filter_map(|key| variable_for_key(key).map(|name| (name, key)));
    let short = SHORT
        .iter()
        .filter_map(|(name, path)| KEYS.iter().find(|key| key.path == *path).map(|key| ((*name).to_owned(), key)));
    full.chain(short).collect()
}

fn parse_variable_value(kind: ConfigValueKind, text: &str) -> Value {
    let trimmed = text.trim();
    match kind {
        ConfigValueKind::Boolean => match trimmed.to_ascii_lowercase().as_str() {
            "1" | "true" | "yes" | "on" => Value::from(true),
            "0" | "false" | "no" | "off" => Value::from(false),
            _ => Value::from(text),
        },
        ConfigValueKind::Whole(..) => trimmed.parse::<u64>().map_or_else(|_| Value::from(text), Value::from),
        ConfigValueKind::Number(_) => trimmed.parse::<f64>().map_or_else(|_| Value::from(text), Value::from),
        ConfigValueKind::List(_) | ConfigValueKind::Paths => {
            trimmed.split(',').map(str::trim).filter(|item| !item.is_empty()).collect()
        }
        ConfigValueKind::Text(_) | ConfigValueKind::Word(_) | ConfigValueKind::Path | ConfigValueKind::Program => {
            Value::from(text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_base::ErrorCode;

    fn environment(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn every_key_has_its_own_variable() {
        let mut names: Vec<String> = KEYS.iter().filter_map(variable_for_key).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(names.contains(&"TAPPS_MCP_TOOLCHAIN_ALLOW_UNVERIFIED".to_owned()));
    }

    #[test]
    fn values_of_every_kind() {
        let (found, warnings) = read_environment(&environment(&[
            ("TAPPS_MCP_ADAPTIVE", "yes"),
            ("TAPPS_MCP_EXCLUDE", "a/**, b"),
            ("TAPPS_MCP_LIMITS_DEADLINE_SECONDS", "5"),
            ("TAPPS_MCP_PRESET", ""),
            ("TAPPS_MCP_PROJECT_ROOT", "/x"),
            ("TAPPS_MCP_RULES", "project"),
            ("TAPPS_MCP_TOOLCHAIN_OFLINE", "1"),
            ("TAPPS_MCP_WEIGHTS_DEVEX", "0.05"),
            ("UNRELATED", "1"),
        ]))
        .unwrap();
        let values: Vec<(&str, &Value)> = found.iter().map(|v| (v.key.path, &v.value)).collect();
        assert_eq!(
            values,
            [
                ("adaptive", &Value::from(true)),
                ("exclude", &serde_json::json!(["a/**", "b"])),
                ("limits.deadline_seconds", &Value::from(5)),
                ("rules", &Value::from("project")),
                ("weights.devex", &Value::from(0.05)),
            ]
        );
        let warning = "the variable TAPPS_MCP_TOOLCHAIN_OFLINE sets nothing; did you mean TAPPS_MCP_TOOLCHAIN_OFFLINE?";
        assert_eq!(warnings, [warning]);
    }

    #[test]
    fn every_short_name_sets_its_key_and_gives_way_to_the_full_name() {
        for (name, path) in SHORT {
            let key = known_variables()[name];
            assert_eq!(key.path, path);
            assert!(*name < *variable_for_key(key).unwrap());
        }
    }

    #[test]
    fn a_wrong_value_names_the_variable() {
        let error = read_environment(&environment(&[("TAPPS_MCP_TOOLCHAIN_OFFLINE", "perhaps")])).unwrap_err();
        assert_eq!(error.code(), ErrorCode::ConfigError);
        assert_eq!(
            error.message(),
            "TAPPS_MCP_TOOLCHAIN_OFFLINE: `toolchain.offline` must be true or false, found \"perhaps\""
        );
    }
}
