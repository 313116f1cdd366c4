//! What is taken from the linter of scripts, against the locked program run by hand.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use tapps_quality::analyzer::oxlint;
use tapps_quality::result::AnalysisMode;
use tapps_quality::rules::oxlint::{RULES, SAFELY_FIXED};
use tapps_quality::rules::tsgolint;
use tapps_toolchain::{Invocation, Program};

use crate::corpus;
use crate::scoring::support::{Project, block_on};
use crate::systems::{self, System};
use crate::toolchain_support::{call, folder, toolchain};

fn run(arguments: Vec<String>, cwd: &Path) -> Value {
    let invocation = Invocation::new(Program::Oxlint).args(arguments).cwd(cwd);
    let finished = block_on(toolchain().run(invocation, &call())).unwrap();
    let said = String::from_utf8_lossy(&finished.stdout);
    serde_json::from_str(&said).unwrap_or_else(|e| panic!("{e}: {said}"))
}

/// A code as the program's list has it: ESLint's own without a plugin.
fn listed_code(rule: &Value) -> String {
    let scope = rule["scope"].as_str().unwrap().replace('_', "-").replace("nextjs", "next");
    let name = rule["value"].as_str().unwrap();
    if scope == "eslint" { name.to_owned() } else { format!("{scope}/{name}") }
}

#[test]
fn every_selected_rule_is_one_of_the_locked_program() {
    let folder = folder();
    // It lists nothing where it finds nothing to look at.
    std::fs::write(folder.path().join("a.js"), "").unwrap();
    let arguments = ["--no-ignore", "--rules", "--format", "json", "a.js"].map(str::to_owned).to_vec();
    let listed = run(arguments, folder.path());
    let of = |code: &str| {
        let found = listed.as_array().unwrap().iter().find(|rule| listed_code(rule) == code);
        found.unwrap_or_else(|| panic!("{code} is no rule of the locked program"))
    };
    let plain = RULES.iter().map(|rule| (rule, false));
    for (rule, typed) in plain.chain(tsgolint::RULES.iter().map(|rule| (rule, true))) {
        let listed = of(rule.code);
        assert_eq!(listed["type_aware"], typed, "{} by types", rule.code);
        assert_ne!(listed["category"], "nursery", "{} is not finished", rule.code);
        assert_eq!(rule.address().unwrap(), listed["docs_url"].as_str().unwrap(), "{}", rule.code);
    }
    for (code, always) in SAFELY_FIXED {
        assert!(RULES.iter().any(|rule| rule.code == *code), "{code} is not selected");
        assert_eq!(of(code)["fix"] == "fixable_fix", *always, "{code}");
    }
}

/// File, rule, line and column in characters.
type Place = (String, String, u32, u32);

/// What the program says when it is run by hand in the folder.
fn said_by_hand(root: &Path, files: &[String]) -> BTreeSet<Place> {
    let work = folder();
    let configuration = work.path().join("oxlint.json");
    std::fs::write(&configuration, oxlint::configuration_text()).unwrap();
    let mut arguments = oxlint::check_arguments(&configuration.to_string_lossy());
    arguments.push("--".to_owned());
    arguments.extend(files.iter().cloned());
    let said = run(arguments, root);
    assert_eq!(said["number_of_files"], files.len());
    let place = |diagnostic: &Value| {
        let file = diagnostic["filename"].as_str().unwrap().to_owned();
        let (plugin, rule) = diagnostic["code"].as_str().unwrap().trim_end_matches(')').split_once('(').unwrap();
        let code = if plugin == "eslint" { rule.to_owned() } else { format!("{plugin}/{rule}") };
        let text = std::fs::read_to_string(root.join(&file)).unwrap();
        let offset = usize::try_from(diagnostic["labels"][0]["span"]["offset"].as_u64().unwrap()).unwrap();
        let before = &text[..offset];
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let line = before.matches('\n').count() + 1;
        (file, format!("oxlint:{code}"), u32::try_from(line).unwrap(), u32::try_from(column).unwrap())
    };
    said["diagnostics"].as_array().unwrap().iter().map(place).collect()
}

/// Published sources: package and the folder of its scripts.
const SUBJECTS: [(&str, &str); 5] =
    [("query-core", "src"), ("npm-zod", "src"), ("npm-axios", "lib"), ("npm-fastify", "lib"), ("npm-undici", "lib")];

#[test]
fn findings_are_those_of_the_program_run_by_hand() {
    if systems::require(System::Node).is_none() {
        return;
    }
    let mut compared = 0;
    for (package, below) in SUBJECTS {
        let root = corpus::dir(package).join(below);
        let mut files: Vec<String> =
            ["ts", "tsx", "js"].iter().flat_map(|ending| corpus::files(&root, ending)).collect();
        files.sort();
        let by_hand = said_by_hand(&root, &files);
        let paths: Vec<&str> = files.iter().map(String::as_str).collect();
        let scored = Project::at(&root).scores(&paths, AnalysisMode::Quick).unwrap();
        let ours = scored.files.iter().flat_map(|file| &file.findings).filter(|one| one.rule.starts_with("oxlint:"));
        let ours: BTreeSet<Place> =
            ours.map(|one| (one.file.clone(), one.rule.clone(), one.line, one.column)).collect();
        eprintln!("{package}: {} files, {} findings", files.len(), ours.len());
        assert_eq!(ours, by_hand, "{package}");
        compared += ours.len();
    }
    assert!(compared >= 40, "{compared}");
}

/// What a file says about itself must not reach its neighbours.
#[test]
fn one_file_that_cannot_be_read_silences_no_other() {
    let deep = format!("export const x = {}1{};\n", "[".repeat(20_000), "]".repeat(20_000));
    let project = Project::of(&[
        ("a.ts", b"export const a = { x: 1, x: 2 };\n"),
        ("broken.ts", b"const = ;\n"),
        ("deep.ts", deep.as_bytes()),
        ("latin.js", b"const a = '\xe9';\n"),
        ("built.min.js", b"if (a === NaN) {}\n"),
        ("pages/[id].tsx", b"export const a = (b: number) => b === NaN;\n"),
        ("-dash.js", b"export const a = (b) => b === NaN;\n"),
    ]);
    let names = ["-dash.js", "a.ts", "broken.ts", "built.min.js", "deep.ts", "latin.js", "pages/[id].tsx"];
    let scored = project.scores(&names, AnalysisMode::Quick).unwrap();
    let said = |file: &str| -> Vec<String> {
        let found = scored.files.iter().find(|one| one.file == file).unwrap_or_else(|| panic!("{file}"));
        found.findings.iter().filter(|one| one.rule.starts_with("oxlint:")).map(|one| one.rule.clone()).collect()
    };
    assert_eq!(said("a.ts"), ["oxlint:no-dupe-keys"]);
    assert_eq!(said("pages/[id].tsx"), ["oxlint:use-isnan"]);
    assert_eq!(said("-dash.js"), ["oxlint:use-isnan"]);
    for silent in ["broken.ts", "built.min.js", "latin.js"] {
        assert!(said(silent).is_empty(), "{silent}");
    }
}
