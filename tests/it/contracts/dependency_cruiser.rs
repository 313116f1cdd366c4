//! The same contracts as dependency-cruiser judges, on real packages of TypeScript.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tapps_config::{ContractKind, ContractSpec};

use super::support::{Asked, assert_same, broken, list, spec};
use crate::corpus;
use crate::systems::{self, System};

/// Packages that do not import themselves by their own name: such an import is followed to the sources here, and to nothing there.
const PACKAGES: [&str; 5] = ["npm-anthropic-ai-sdk", "npm-openai", "query-core", "react-query", "rxjs"];

/// The newest dependency-cruiser that Node 20 runs, and the compiler that it reads TypeScript by.
const TOOLS: [&str; 2] = ["dependency-cruiser@17.4.3", "typescript@5.9.3"];

/// Installs the tools once.
fn install() -> PathBuf {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("target").join("dependency-cruiser");
    let (done, wanted) = (home.join(".installed"), TOOLS.join("\n"));
    if std::fs::read_to_string(&done).is_ok_and(|installed| installed == wanted) {
        return home;
    }
    std::fs::create_dir_all(&home).unwrap();
    std::fs::write(home.join("package.json"), r#"{"private":true}"#).unwrap();
    systems::npm(&home, &[&["install", "--no-save"], &TOOLS[..]].concat());
    std::fs::write(done, wanted).unwrap();
    home
}

/// At most eight (four, unless lists are taken in full) files and folders directly in `src`, spread over the alphabet.
fn children(root: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(root.join("src"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir() || path.extension().is_some_and(|ending| ending == "ts"))
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .filter(|name| name != "index.ts" && !name.contains("test"))
        .collect();
    names.sort();
    let most = if systems::whole() { 8 } else { 4 };
    let step = (names.len() / most).max(1);
    names.into_iter().step_by(step).take(most).collect()
}

/// What dependency-cruiser calls a file or folder.
fn expression(child: &str) -> String {
    let end = if child.ends_with(".ts") { "$" } else { "/" };
    format!("^src/{}{end}", regex::escape(child))
}

fn contracts(root: &Path) -> BTreeMap<String, Asked> {
    let children = children(root);
    let path = |child: &String| format!("src/{child}");
    let mut all: Vec<Asked> = Vec::new();
    let mut add = |spec: ContractSpec, from: Value, to: Value| {
        all.push(Asked { spec, other: json!({ "severity": "error", "from": from, "to": to }).to_string() });
    };
    for a in &children {
        for b in children.iter().filter(|b| *b != a) {
            let forbidden = ContractSpec { from: vec![path(a)], to: vec![path(b)], ..spec(ContractKind::Forbidden) };
            let reached = json!({ "path": expression(b), "reachable": true });
            add(forbidden.clone(), json!({ "path": expression(a) }), reached);
            let direct = ContractSpec { indirect: Some(false), ..forbidden };
            add(direct, json!({ "path": expression(a) }), json!({ "path": expression(b) }));
        }
        let others: Vec<String> = children.iter().filter(|other| *other != a).cloned().collect();
        if let [first, ..] = others.as_slice() {
            let protected =
                ContractSpec { modules: vec![path(a)], importers: vec![path(first)], ..spec(ContractKind::Protected) };
            add(protected, json!({ "pathNot": [expression(a), expression(first)] }), json!({ "path": expression(a) }));
        }
        let index = format!("{}/index.ts", path(a));
        if root.join(&index).is_file() {
            let public = ContractSpec { modules: vec![path(a)], interface: vec![index], ..spec(ContractKind::Public) };
            let inside = json!({ "path": expression(a), "pathNot": format!("{}index\\.ts$", expression(a)) });
            add(public, json!({ "pathNot": expression(a) }), inside);
        }
    }
    let circles = ContractSpec { modules: list(&["src/"]), ..spec(ContractKind::Acyclic) };
    add(circles, json!({ "path": "^src/" }), json!({ "circular": true }));
    all.into_iter().enumerate().map(|(number, asked)| (format!("c{number:04}"), asked)).collect()
}

/// The names of the rules that dependency-cruiser says are broken.
fn ask_dependency_cruiser(
    (node, home): (&Path, &Path),
    root: &Path,
    asked: &BTreeMap<String, Asked>,
    type_imports: bool,
) -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    let rule = |(name, one): (&String, &Asked)| {
        let mut rule: Value = serde_json::from_str(&one.other).unwrap();
        rule["name"] = name.as_str().into();
        rule
    };
    let config = json!({
        "forbidden": asked.iter().map(rule).collect::<Vec<_>>(),
        "options": {
            "tsPreCompilationDeps": type_imports,
            "doNotFollow": { "path": "node_modules" },
            "enhancedResolveOptions": { "extensions": [".ts", ".tsx", ".d.ts", ".js"] },
        },
    });
    let file = folder.path().join("rules.json");
    std::fs::write(&file, config.to_string()).unwrap();
    let program = home.join("node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
    let output = Command::new(node)
        .arg(program)
        .args(["--output-type", "json", "--config"])
        .arg(&file)
        .arg("src")
        .current_dir(root)
        .output()
        .unwrap();
    let told: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    assert!(told["summary"]["totalCruised"].as_u64().unwrap() > 20);
    let violations = told["summary"]["violations"].as_array().unwrap();
    violations.iter().map(|one| one["rule"]["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn verdicts_are_those_of_dependency_cruiser() {
    let Some(node) = systems::require(System::Node) else { return };
    let home = install();
    for package in PACKAGES {
        let root = corpus::dir(package);
        let asked = contracts(&root);
        let theirs = ask_dependency_cruiser((&node, &home), &root, &asked, true);
        assert_same(package, &asked, &broken(&root, &asked, true), &theirs);
    }
}
