//! The table of dependencies in ARCHITECTURE.md is what the comments in Cargo.toml say.

use std::fs;
use std::path::Path;

const OPEN: &str = "<!-- dependencies -->\n";
const CLOSE: &str = "<!-- /dependencies -->\n";

/// The outside dependencies of the workspace, each with the comment above it.
fn dependencies_with_reasons(manifest: &str) -> Vec<(String, String)> {
    let section = manifest.split("[workspace.dependencies]\n").nth(1).unwrap();
    let section = section.split("\n[").next().unwrap();
    let mut rows = Vec::new();
    let mut comment = String::new();
    for line in section.lines() {
        if let Some(text) = line.strip_prefix("# ") {
            text.clone_into(&mut comment);
        } else if let Some((name, _)) = line.split_once(" = ").filter(|(name, _)| !name.starts_with("tapps-")) {
            rows.push((name.to_owned(), std::mem::take(&mut comment)));
        }
    }
    rows
}

#[test]
fn every_dependency_says_why_it_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rows = dependencies_with_reasons(&fs::read_to_string(root.join("Cargo.toml")).unwrap());
    assert!(rows.len() > 50, "the dependencies were found");
    for (name, reason) in &rows {
        assert!(!reason.is_empty(), "the comment above `{name}` in Cargo.toml is missing");
    }
    assert!(rows.is_sorted(), "the dependencies are sorted by name");
    let table: String = rows.iter().map(|(name, reason)| format!("| {name} | {reason} |\n")).collect();
    let table = format!("| crate | why |\n| --- | --- |\n{table}");

    let path = root.join("ARCHITECTURE.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(OPEN).unwrap();
    let (written, after) = rest.split_once(CLOSE).unwrap();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, [before, OPEN, &table, CLOSE, after].concat()).unwrap();
        return;
    }
    assert_eq!(written, table, "run the tests once with UPDATE_DOCS=1");
}
