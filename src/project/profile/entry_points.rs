//! Where the program begins.

use serde_json::Value;

use super::ProfileEvidence;
use super::libraries::is_aside;
use super::surroundings::{json_at, toml_at};
use crate::files::ProjectFiles;

/// Most entry points that are told.
const MOST: usize = 50;

/// Programs, scripts and main modules, by name, each with the file that says so.
pub(super) fn find_entry_points(files: &ProjectFiles, paths: &[&str]) -> Vec<ProfileEvidence> {
    let mut found = Vec::new();
    for path in paths.iter().copied().filter(|path| !is_aside(path)) {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let last = folder.rsplit('/').next().unwrap_or(folder);
        match name {
            "pyproject.toml" => found.extend(of_pyproject(files, path)),
            "package.json" => found.extend(of_package(files, path)),
            "Cargo.toml" => found.extend(of_cargo(files, path, paths)),
            "manage.py" | "wsgi.py" | "asgi.py" => found.push(ProfileEvidence::new(name, path)),
            "__main__.py" => found.push(ProfileEvidence::new(format!("python -m {last}"), path)),
            "main.go" => found.push(ProfileEvidence::new(if last.is_empty() { "main" } else { last }, path)),
            _ if is_go_program(files, folder, name) => found.push(ProfileEvidence::new(last, path)),
            _ if name.ends_with("Application.java") => {
                found.push(ProfileEvidence::new(name.trim_end_matches(".java"), path))
            }
            _ => {}
        }
    }
    found.sort();
    found.dedup();
    found.truncate(MOST);
    found
}

/// A file below `cmd` that holds the `main` of a program.
fn is_go_program(files: &ProjectFiles, folder: &str, name: &str) -> bool {
    let below = folder.split('/').rev().skip(1).any(|part| part == "cmd");
    if !below || !name.ends_with(".go") || name.ends_with("_test.go") {
        return false;
    }
    let text = files.read(&format!("{folder}/{name}"), 1 << 20).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let has = |start: &str| text.lines().any(|line| line.starts_with(start));
    has("package main") && has("func main()")
}

fn of_pyproject(files: &ProjectFiles, path: &str) -> Vec<ProfileEvidence> {
    let Some(document) = toml_at(files, path) else { return Vec::new() };
    let whole = toml::Value::Table(document);
    let tables = [&["project", "scripts"][..], &["project", "gui-scripts"], &["tool", "poetry", "scripts"]];
    let table =
        |keys: &[&str]| keys.iter().try_fold(&whole, |value, key| value.get(key)).and_then(toml::Value::as_table);
    let scripts = tables.iter().filter_map(|keys| table(keys)).flatten();
    scripts
        .map(|(name, target)| ProfileEvidence::new(format!("{name} = {}", target.as_str().unwrap_or_default()), path))
        .collect()
}

fn of_package(files: &ProjectFiles, path: &str) -> Vec<ProfileEvidence> {
    let Some(document) = json_at(files, path) else { return Vec::new() };
    let own = document.get("name").and_then(Value::as_str).unwrap_or_default();
    let mut found = Vec::new();
    match document.get("bin") {
        Some(Value::String(target)) => found.push(ProfileEvidence::new(format!("{own} = {target}"), path)),
        Some(Value::Object(programs)) => {
            found.extend(programs.iter().map(|(name, target)| {
                ProfileEvidence::new(format!("{name} = {}", target.as_str().unwrap_or_default()), path)
            }));
        }
        _ => {}
    }
    for script in ["start", "dev", "serve"] {
        if let Some(command) = document.get("scripts").and_then(|scripts| scripts.get(script)).and_then(Value::as_str) {
            found.push(ProfileEvidence::new(format!("{script} = {command}"), path));
        }
    }
    found
}

fn of_cargo(files: &ProjectFiles, path: &str, paths: &[&str]) -> Vec<ProfileEvidence> {
    let Some(document) = toml_at(files, path) else { return Vec::new() };
    let Some(package) = document.get("package") else { return Vec::new() };
    let folder = path.trim_end_matches("Cargo.toml");
    let mut found = Vec::new();
    let name = package.get("name").and_then(toml::Value::as_str).unwrap_or_default();
    let main = format!("{folder}src/main.rs");
    if paths.contains(&main.as_str()) {
        found.push(ProfileEvidence::new(name, main));
    }
    let programs = format!("{folder}src/bin/");
    for program in paths
        .iter()
        .filter_map(|path| path.strip_prefix(&programs)?.strip_suffix(".rs"))
        .filter(|name| !name.contains('/'))
    {
        found.push(ProfileEvidence::new(program, format!("{programs}{program}.rs")));
    }
    found
}
