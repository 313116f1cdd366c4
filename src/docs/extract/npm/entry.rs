//! Where the declarations of a package begin: its exports map, `types`, or the file beside its main one.

use std::collections::BTreeMap;

use serde_json::Value;

/// Conditions in the order in which a TypeScript project that imports would meet them.
const CONDITIONS: [&str; 6] = ["types", "import", "node", "module", "default", "require"];

/// Files to look at, by the part of the specifier behind the package's name (empty for the package itself).
pub(super) fn entry_points_of(manifest: &Value) -> BTreeMap<String, Vec<String>> {
    let mut entries = BTreeMap::new();
    match manifest.get("exports") {
        Some(Value::Object(map)) if map.keys().any(|key| key.starts_with('.')) => {
            for (key, value) in map.iter().filter(|(key, _)| !key.contains('*') && !key.ends_with(".json")) {
                let below = key.trim_start_matches('.').to_owned();
                add_entry(&mut entries, below, condition_targets(value));
            }
        }
        Some(value) => add_entry(&mut entries, String::new(), condition_targets(value)),
        None => {}
    }
    let fields = ["types", "typings", "main"].into_iter().filter_map(|field| manifest.get(field)?.as_str());
    let mut fallback: Vec<String> = fields.flat_map(declaration_files_of).collect();
    fallback.push("index.d.ts".to_owned());
    entries.entry(String::new()).or_default().extend(fallback);
    entries
}

fn add_entry(entries: &mut BTreeMap<String, Vec<String>>, key: String, targets: Vec<String>) {
    let files: Vec<String> = targets.iter().flat_map(|target| declaration_files_of(target)).collect();
    if !files.is_empty() {
        entries.insert(key, files);
    }
}

/// The files that an entry of the exports map leads to, likeliest first.
fn condition_targets(value: &Value) -> Vec<String> {
    match value {
        Value::String(target) => vec![target.clone()],
        Value::Array(list) => list.iter().flat_map(condition_targets).collect(),
        Value::Object(map) => {
            CONDITIONS.iter().filter_map(|condition| map.get(*condition)).flat_map(condition_targets).collect()
        }
        _ => Vec::new(),
    }
}

/// The declaration files that belong to a file.
pub(super) fn declaration_files_of(target: &str) -> Vec<String> {
    let path = target.trim_start_matches("./").trim_end_matches('/');
    if [".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| path.ends_with(ending)) {
        return vec![path.to_owned()];
    }
    for (ending, declared) in [(".mjs", ".d.mts"), (".cjs", ".d.cts"), (".jsx", ".d.ts"), (".js", ".d.ts")] {
        if let Some(stem) = path.strip_suffix(ending) {
            return vec![format!("{stem}{declared}"), format!("{stem}.d.ts")];
        }
    }
    if path.is_empty() || path == "." {
        return vec!["index.d.ts".to_owned()];
    }
    vec![format!("{path}.d.ts"), format!("{path}/index.d.ts"), format!("{path}.d.mts"), format!("{path}.d.cts")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exports_map_leads_to_declarations() {
        let manifest = serde_json::json!({
            "exports": {".": {"import": {"types": "./i.d.mts", "default": "./i.mjs"}, "require": "./i.cjs"},
                        "./sub": {"types": "./sub.d.ts"}, "./*": "./*.js", "./package.json": "./package.json"},
            "types": "./old.d.ts"
        });
        let entries = entry_points_of(&manifest);
        assert_eq!(entries.keys().collect::<Vec<_>>(), ["", "/sub"]);
        assert_eq!(entries[""][0], "i.d.mts");
        assert_eq!(entries["/sub"], ["sub.d.ts"]);
        let plain = super::entry_points_of(&serde_json::json!({"main": "lib/main.js"}));
        assert_eq!(plain[""], ["lib/main.d.ts", "lib/main.d.ts", "index.d.ts"]);
        assert_eq!(declaration_files_of("./a/b"), ["a/b.d.ts", "a/b/index.d.ts", "a/b.d.mts", "a/b.d.cts"]);
    }
}
