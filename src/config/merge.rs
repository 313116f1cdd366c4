//! Layers of values laid over each other until one value and one origin per key is left.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::keys::{self, ConfigKeyPlace, ConfigValueKind};
use super::model::Config;
use super::origin::{ConfigOrigin, Origins};
use tapps_base::{Error, ErrorCode, Result};

/// The values so far; a later layer wins over an earlier one, key by key.
#[derive(Debug, Default)]
pub struct Merged {
    values: Map<String, Value>,
    origins: Origins,
}

impl Merged {
    /// Sets one key. `base` is what a relative path is relative to.
    pub fn set(&mut self, path: &str, value: Value, origin: ConfigOrigin, base: &Path) {
        let value = match keys::look_up_key(path) {
            ConfigKeyPlace::Key(key) => make_path_absolute(key.kind, value, base),
            _ => value,
        };
        self.values.insert(path.to_owned(), value);
        self.origins.set(path, origin);
    }

    /// True when some layer set the key.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.values.contains_key(path)
    }

    /// The configuration that the layers give, checked as a whole.
    ///
    /// # Errors
    /// `config_error` or `invalid_argument` naming the key and the place that set it.
    pub fn finish(self) -> Result<(Config, Origins)> {
        if let Some(version) = self.values.get("python.version").and_then(Value::as_str) {
            let parsed: Result<super::PythonVersion> = version.parse();
            parsed.map_err(|error| {
                error.located_at(format!("{}: `python.version`", self.origins.origin_of("python.version")))
            })?;
        }
        let mut tree = Map::new();
        for (path, value) in self.values {
            insert_dotted(&mut tree, &path, value);
        }
        let config: Config = serde_json::from_value(Value::Object(tree))
            .map_err(|e| Error::new(ErrorCode::ConfigError, format!("the configuration cannot be used: {e}")))?;
        match config.find_inconsistency() {
            None => Ok((config, self.origins)),
            Some((key, error)) => Err(error.located_at(self.origins.of_section(&key))),
        }
    }
}

/// A path made absolute; a program named without a slash stays a name.
fn make_path_absolute(kind: ConfigValueKind, value: Value, base: &Path) -> Value {
    match (kind, value) {
        (ConfigValueKind::Program, Value::String(name)) if !name.contains('/') => Value::String(name),
        (ConfigValueKind::Program | ConfigValueKind::Path, Value::String(path)) => {
            let joined: PathBuf = base.join(path);
            Value::String(joined.to_string_lossy().into_owned())
        }
        (ConfigValueKind::Paths, Value::Array(paths)) => {
            paths.into_iter().map(|path| make_path_absolute(ConfigValueKind::Path, path, base)).collect()
        }
        (_, value) => value,
    }
}

fn insert_dotted(tree: &mut Map<String, Value>, path: &str, value: Value) {
    match path.split_once('.') {
        None => {
            tree.insert(path.to_owned(), value);
        }
        Some((head, rest)) => {
            let inner = tree.entry(head).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(inner) = inner {
                insert_dotted(inner, rest, value);
            }
        }
    }
}
