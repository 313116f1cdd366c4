//! The complexity of scripts is ESLint's: both are asked about the same published packages.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;
use tapps_base::source::Source;
use tapps_rules::script;
use tapps_rules::shape::BlockKind;

use crate::systems::{self, System};

/// ESLint, the parser it needs for types, and packages that ship the sources they were written in.
const PACKAGES: &[&str] = &[
    "eslint@9.39.5",
    "@typescript-eslint/parser@8.46.2",
    "typescript@5.9.3",
    "@tanstack/query-core@5.90.5",
    "@tanstack/react-query@5.90.5",
    "zod@4.1.12",
    "rxjs@7.8.2",
    "preact@10.27.2",
    "express@5.1.0",
    "lodash@4.17.21",
    "axios@1.13.0",
    "immer@10.2.0",
    "commander@14.0.1",
];

/// Folders below `node_modules` whose files are compared.
const FOLDERS: &[&str] = &[
    "@tanstack/query-core/src",
    "@tanstack/react-query/src",
    "zod/src",
    "rxjs/src",
    "preact",
    "express",
    "lodash",
    "axios/lib",
    "axios/dist",
    "immer/src",
    "commander",
    "eslint/lib",
];

#[derive(Deserialize)]
struct Told {
    file: PathBuf,
    #[serde(default)]
    blocks: Vec<(u32, u32, u32, u32)>,
    failure: Option<String>,
}

fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target").join("script-oracle")
}

/// Installs the packages once.
fn install() -> PathBuf {
    let home = home();
    let done = home.join(".installed");
    let wanted = PACKAGES.join("\n");
    if std::fs::read_to_string(&done).is_ok_and(|installed| installed == wanted) {
        return home;
    }
    std::fs::create_dir_all(&home).unwrap();
    std::fs::write(home.join("package.json"), r#"{"private":true}"#).unwrap();
    systems::npm(&home, &[&["install", "--no-save"], PACKAGES].concat());
    std::fs::write(done, wanted).unwrap();
    home
}

fn scripts_in(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() {
            if name != "node_modules" {
                scripts_in(&path, files);
            }
        } else if tapps_base::language::ScoredLanguage::of_path(name).is_some_and(|language| language.is_script()) {
            files.push(path);
        }
    }
}

fn ask_eslint(node: &Path, home: &Path, files: &[PathBuf]) -> Vec<Told> {
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/script/complexity.cjs");
    let mut child =
        Command::new(node).arg(driver).current_dir(home).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let list: String = files.iter().map(|file| format!("{}\n", file.display())).collect();
    child.stdin.take().unwrap().write_all(list.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn complexity_equals_that_of_eslint_on_published_packages() {
    let Some(node) = systems::require(System::Node) else { return };
    let home = install();
    let mut files = Vec::new();
    for folder in FOLDERS {
        scripts_in(&home.join("node_modules").join(folder), &mut files);
    }
    let mut compared = (0, 0);
    let mut differences = Vec::new();
    let mut failures = BTreeMap::new();
    for told in ask_eslint(&node, &home, &files) {
        let name = told.file.strip_prefix(&home).unwrap().to_string_lossy().replace('\\', "/");
        let shape = script::analyze_script(&Source::new(&name, std::fs::read(&told.file).unwrap()));
        if let Some(failure) = told.failure {
            failures.insert(name, failure);
            continue;
        }
        if let Some(error) = shape.syntax_errors.first() {
            differences.push(format!("{name}:{}: only ESLint reads it: {}", error.line, error.message));
            continue;
        }
        let blocks = shape.blocks.iter().filter(|block| block.kind != BlockKind::Class);
        let mut ours: Vec<_> =
            blocks.map(|block| (block.line, block.column, block.end_line, block.complexity)).collect();
        let mut theirs = told.blocks;
        ours.sort_unstable();
        theirs.sort_unstable();
        compared.0 += 1;
        compared.1 += theirs.len();
        for block in theirs.iter().filter(|block| !ours.contains(block)) {
            differences.push(format!("{name}: only ESLint has {block:?}"));
        }
        for block in ours.iter().filter(|block| !theirs.contains(block)) {
            differences.push(format!("{name}: only we have {block:?}"));
        }
    }
    eprintln!("compared {} blocks of {} files; ESLint could not read {}", compared.1, compared.0, failures.len());
    assert!(
        differences.is_empty(),
        "{} differences:\n{}",
        differences.len(),
        differences[..differences.len().min(40)].join("\n")
    );
    assert!(compared.0 > 900 && compared.1 > 8_000, "too little was compared: {compared:?}");
}
