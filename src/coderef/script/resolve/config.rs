//! `paths` and `baseUrl` of the nearest tsconfig.json or jsconfig.json, with what they extend and refer to.

use serde_json::Value;

use super::jsonc;
use super::resolver::{join_within_project, parent};
use crate::model::IndexProblem;
use tapps_base::log_text;
use tapps_sandbox::Boundary;

/// Largest configuration that is read, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;
/// Configurations that extend one another further than this go round in a circle.
const MAX_EXTENDS: usize = 16;

/// How names are mapped below one folder.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Config {
    /// The files that it was put together from.
    pub(super) files: Vec<String>,
    /// What of them could not be used.
    pub(super) problems: Vec<IndexProblem>,
    base: Option<String>,
    /// Patterns with at most one `*`, and the paths they stand for.
    paths: Vec<(String, Vec<String>)>,
}

/// The configuration that stands in a folder.
pub(super) fn load_folder_config(boundary: &Boundary, folder: &str) -> Option<Config> {
    ["tsconfig.json", "jsconfig.json"].iter().find_map(|name| {
        let path = join_within_project(folder, name)?;
        load(boundary, &path, MAX_EXTENDS).or_else(|| unreadable(boundary, &path))
    })
}

/// A configuration that is there and says nothing.
fn unreadable(boundary: &Boundary, path: &str) -> Option<Config> {
    boundary.resolve(path).ok().filter(|path| boundary.is_there(path))?;
    let mut config = Config { files: vec![path.to_owned()], ..Config::default() };
    config.add_problem(path, "cannot be read, so no path mapping of it is known".to_owned());
    Some(config)
}

fn read_jsonc_file(boundary: &Boundary, path: &str) -> Option<Value> {
    let path = boundary.resolve(path).ok().filter(|path| boundary.is_there(path))?;
    let bytes = boundary.read(&path, MAX_BYTES).ok()?;
    jsonc::parse(std::str::from_utf8(&bytes).ok()?)
}

fn load(boundary: &Boundary, path: &str, left: usize) -> Option<Config> {
    let left = left.checked_sub(1)?;
    let json = read_jsonc_file(boundary, path)?;
    let folder = parent(path);
    let mut config = Config::default();
    for base in string_or_list(json.get("extends")) {
        let found = extended(boundary, folder, &base);
        match found.as_deref().and_then(|base| load(boundary, base, left)) {
            Some(base) => config.overlay(base),
            None if base.starts_with('.') => {
                let why = if found.is_some() { "leads round in a circle" } else { "cannot be read" };
                config
                    .add_problem(path, format!("extends {}, which {why}; its settings are left out", log_text(&base)));
                // It counts from the moment it is there.
                config.files.extend(candidates(folder, &base));
            }
            // A preset of a package sets rules for the compiler, not paths of this project.
            None => {}
        }
    }
    config.overlay(config_without_extends(&json, folder));
    config.files.push(path.to_owned());
    if config.paths.is_empty() {
        for reference in json.get("references").and_then(Value::as_array).into_iter().flatten() {
            let Some(target) = reference.get("path").and_then(Value::as_str) else { continue };
            if let Some(found) = extended(boundary, folder, target).and_then(|path| load(boundary, &path, left))
                && !target.trim_start_matches("./").contains('/')
            {
                config.paths.extend(found.paths);
                config.files.extend(found.files);
                config.problems.extend(found.problems);
            }
        }
    }
    Some(config)
}

fn string_or_list(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// The file that `extends` or a reference names.
fn extended(boundary: &Boundary, folder: &str, name: &str) -> Option<String> {
    candidates(folder, name).into_iter().find(|path| read_jsonc_file(boundary, path).is_some())
}

/// The files that a relative name may mean, likeliest first.
fn candidates(folder: &str, name: &str) -> Vec<String> {
    let path = if name.starts_with('.') { join_within_project(folder, name) } else { None };
    path.map(|path| vec![path.clone(), format!("{path}.json"), format!("{path}/tsconfig.json")]).unwrap_or_default()
}

fn config_without_extends(json: &Value, folder: &str) -> Config {
    let options = json.get("compilerOptions");
    let base = options.and_then(|options| options.get("baseUrl")).and_then(Value::as_str);
    let base = base.and_then(|base| join_within_project(folder, base));
    let from = base.clone().unwrap_or_else(|| folder.to_owned());
    let mut paths: Vec<(String, Vec<String>)> = Vec::new();
    for (pattern, targets) in
        options.and_then(|options| options.get("paths")).and_then(Value::as_object).into_iter().flatten()
    {
        let targets =
            string_or_list(Some(targets)).iter().filter_map(|target| join_within_project(&from, target)).collect();
        paths.push((pattern.clone(), targets));
    }
    Config { base, paths, ..Config::default() }
}

impl Config {
    fn add_problem(&mut self, file: &str, message: String) {
        self.problems.push(IndexProblem { file: file.to_owned(), message });
    }

    /// What is set later replaces what is set earlier.
    fn overlay(&mut self, other: Self) {
        self.files.extend(other.files);
        self.problems.extend(other.problems);
        if other.base.is_some() {
            self.base = other.base;
        }
        if !other.paths.is_empty() {
            self.paths = other.paths;
        }
    }

    /// The paths that a name may stand for, likeliest first.
    pub(super) fn path_mapping_candidates(&self, specifier: &str) -> Vec<String> {
        let mut matching: Vec<(usize, &Vec<String>, &str)> = self
            .paths
            .iter()
            .filter_map(|(pattern, targets)| {
                let (before, after) = match pattern.split_once('*') {
                    Some(parts) => parts,
                    None => return (pattern == specifier).then_some((usize::MAX, targets, "")),
                };
                let middle = specifier.strip_prefix(before)?.strip_suffix(after)?;
                Some((before.len(), targets, middle))
            })
            .collect();
        matching.sort_by_key(|(length, ..)| std::cmp::Reverse(*length));
        let mapped = matching
            .into_iter()
            .take(1)
            .flat_map(|(_, targets, middle)| targets.iter().map(move |target| target.replacen('*', middle, 1)));
        mapped.chain(self.base.as_deref().and_then(|base| join_within_project(base, specifier))).collect()
    }
}
