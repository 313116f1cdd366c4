//! What a package.json says of the files of its package.

use serde_json::Value;

use super::jsonc;
use super::resolver::join_within_project;
use tapps_sandbox::Boundary;

/// Largest package.json that is read, in bytes.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Conditions in the order they are followed; what names the source of a build comes before all.
const CONDITIONS: &[&str] =
    &["source", "development", "import", "module", "browser", "node", "default", "require", "types"];

#[derive(Debug)]
pub(super) struct PackageJson {
    pub(super) folder: String,
    pub(super) name: String,
    json: Value,
}

impl PackageJson {
    pub(super) fn from_folder(boundary: &Boundary, folder: &str) -> Option<Self> {
        let path = boundary
            .resolve(&join_within_project(folder, "package.json")?)
            .ok()
            .filter(|path| boundary.is_there(path))?;
        let bytes = boundary.read(&path, MAX_BYTES).ok()?;
        let json = jsonc::parse(std::str::from_utf8(&bytes).ok()?)?;
        let name = json.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        Some(Self { folder: folder.to_owned(), name, json })
    }

    /// The files that the package itself may mean, when it is asked for without a path.
    pub(super) fn mains(&self) -> Vec<String> {
        let fields = ["source", "module", "main", "types", "typings"];
        let named = fields.iter().filter_map(|field| self.json.get(field)).filter_map(Value::as_str);
        named.map(str::to_owned).chain(["./index.js".to_owned(), "./src/index.js".to_owned()]).collect()
    }

    /// The files that a path in the package may mean.
    pub(super) fn exports(&self, path: String) -> Vec<String> {
        match self.json.get("exports") {
            None if path == "." => self.mains(),
            None => vec![path.clone(), format!("./src/{}", path.trim_start_matches("./"))],
            Some(Value::Object(map)) if map.keys().any(|key| key.starts_with('.')) => targets_of_best_key(map, &path),
            Some(all) if path == "." => conditional_targets(all, ""),
            Some(_) => Vec::new(),
        }
    }

    /// The files that a name with `#` may mean.
    pub(super) fn imports(&self, name: &str) -> Vec<String> {
        self.json
            .get("imports")
            .and_then(Value::as_object)
            .map(|map| targets_of_best_key(map, name))
            .unwrap_or_default()
    }
}

/// The targets of the most exact key.
fn targets_of_best_key(map: &serde_json::Map<String, Value>, path: &str) -> Vec<String> {
    if let Some(value) = map.get(path) {
        return conditional_targets(value, "");
    }
    let patterns = map.iter().filter_map(|(key, value)| {
        let (before, after) = key.split_once('*')?;
        let middle = path.strip_prefix(before)?.strip_suffix(after)?;
        Some((before.len(), value, middle))
    });
    let best = patterns.max_by_key(|(length, ..)| *length);
    best.map(|(_, value, middle)| conditional_targets(value, middle)).unwrap_or_default()
}

/// All targets below a value in the order of their conditions.
fn conditional_targets(value: &Value, middle: &str) -> Vec<String> {
    match value {
        Value::String(target) => vec![target.replace('*', middle)],
        Value::Array(many) => many.iter().flat_map(|value| conditional_targets(value, middle)).collect(),
        Value::Object(map) => {
            let rank = |key: &str| {
                let known = CONDITIONS.iter().position(|condition| *condition == key);
                if key.contains("source") { 0 } else { known.unwrap_or(CONDITIONS.len()) }
            };
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort_by_key(|key| rank(key));
            keys.into_iter()
                .filter_map(|key| map.get(key))
                .flat_map(|value| conditional_targets(value, middle))
                .collect()
        }
        _ => Vec::new(),
    }
}
