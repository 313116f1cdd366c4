//! The rules of a project match where ast-grep's own program says they match.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tapps_base::source::Source;
use tapps_patterns::PatternRules;
use tapps_sandbox::Boundary;

use crate::corpus;
use crate::locked_crate::unpack_locked_crate;
use crate::systems::{self, System};
use crate::toolchain_support::{folder, make_program};

const FIXTURES: &str = "tests/fixtures/project_rules";

/// Packages with the endings of the files that are taken of each.
const PACKAGES: [(&str, &[&str]); 9] = [
    ("click", &["py"]),
    ("flask", &["py"]),
    ("httpx", &["py"]),
    ("express", &["js"]),
    ("npm-axios", &["js", "ts"]),
    ("zod", &["ts"]),
    ("query-core", &["ts", "tsx"]),
    ("react-query", &["ts", "tsx"]),
    ("cordova-android", &["java"]),
];

const CRATES: [(&str, &str); 3] = [("url", "rs"), ("toml_edit", "rs"), ("rustls-platform-verifier", "go")];

/// A place: file, rule, first line and column, last line and column, what would be written there.
type Place = (String, String, u64, u64, u64, u64, Option<String>);

fn copy_sources(from: &Path, ending: &str, to: &Path) {
    for file in corpus::files(from, ending) {
        let target = to.join(&file);
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        std::fs::copy(from.join(&file), target).unwrap();
    }
}

/// A project of all packages, with the rules where both programs look for them.
fn project(root: &Path) {
    for (package, endings) in PACKAGES {
        endings.iter().for_each(|ending| copy_sources(&corpus::dir(package), ending, &root.join(package)));
    }
    for (package, ending) in CRATES {
        copy_sources(&unpack_locked_crate(package), ending, &root.join(package));
    }
    let rules = root.join(".tapps-mcp/rules");
    std::fs::create_dir_all(&rules).unwrap();
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(FIXTURES)).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, rules.join(path.file_name().unwrap())).unwrap();
    }
    std::fs::write(root.join("sgconfig.yml"), "ruleDirs: [.tapps-mcp/rules]\n").unwrap();
}

fn program(folder: &Path) -> PathBuf {
    let locked = corpus::dir("ast-grep-cli").join("ast_grep_cli-0.51.1.data/scripts/ast-grep");
    let program = folder.join("ast-grep");
    std::fs::copy(locked, &program).unwrap();
    make_program(&program);
    program
}

fn ask_ast_grep(program: &Path, root: &Path) -> BTreeSet<Place> {
    let output = Command::new(program)
        .args(["scan", "--json=stream", "--no-ignore", "hidden", "--no-ignore", "vcs", "."])
        .current_dir(root)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code().is_some_and(|code| code < 2), "{errors}");
    let place = |line: &str| {
        let told: Value = serde_json::from_str(line).unwrap();
        let at = |end: &str, part: &str| told["range"][end][part].as_u64().unwrap() + 1;
        let replacement = told["replacement"].as_str().map(|text| text.chars().take(400).collect());
        (
            told["file"].as_str().unwrap().trim_start_matches("./").to_owned(),
            told["ruleId"].as_str().unwrap().to_owned(),
            at("start", "line"),
            at("start", "column"),
            at("end", "line"),
            at("end", "column"),
            replacement,
        )
    };
    String::from_utf8(output.stdout).unwrap().lines().map(place).collect()
}

fn ask_here(root: &Path) -> BTreeSet<Place> {
    let rules = PatternRules::read(&Boundary::open(root).unwrap()).unwrap();
    let mut places = BTreeSet::new();
    for ending in ["py", "js", "ts", "tsx", "java", "rs", "go"] {
        for file in corpus::files(root, ending) {
            let source = Source::new(&file, std::fs::read(root.join(&file)).unwrap());
            places.extend(rules.matches(&source).unwrap().into_iter().map(|one| {
                let at = [one.line, one.column, one.end_line, one.end_column].map(u64::from);
                (file.clone(), one.rule, at[0], at[1], at[2], at[3], one.replacement)
            }));
        }
    }
    places
}

#[test]
fn rules_match_where_ast_grep_says_they_match() {
    if systems::require(System::AstGrep).is_none() {
        return;
    }
    let folder = folder();
    let root = folder.path().join("project");
    project(&root);
    let (told, found) = (ask_ast_grep(&program(folder.path()), &root), ask_here(&root));
    let missing: Vec<_> = told.difference(&found).take(10).collect();
    let beyond: Vec<_> = found.difference(&told).take(10).collect();
    assert!(missing.is_empty() && beyond.is_empty(), "not found: {missing:#?}\nnot told: {beyond:#?}");
    let mut by_rule: BTreeMap<&str, usize> = BTreeMap::new();
    found.iter().for_each(|place| *by_rule.entry(&place.1).or_default() += 1);
    // Rules without a match would agree about nothing.
    assert!(by_rule.len() >= 30, "{by_rule:?}");
    assert!(found.len() > 3_000, "{}", found.len());
}
