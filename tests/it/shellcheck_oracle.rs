//! What is taken from ShellCheck, against the locked program run by hand.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tapps_quality::analyzer::shellcheck::check_arguments;
use tapps_quality::result::AnalysisMode;
use tapps_quality::rules::shellcheck::RULES;
use tapps_toolchain::{Invocation, Program};

use crate::corpus;
use crate::locked_crate::unpack_locked_crate;
use crate::scoring::support::{Project, block_on};
use crate::systems::{self, System};
use crate::toolchain_support::{call, folder, toolchain};

/// File, rule, line and column in characters.
type Place = (String, String, u32, u32);

/// Packages with published scripts; the last is a crate.
const SUBJECTS: [&str; 5] = ["bats", "bats-assert", "nave", "shml", "tikv-jemalloc-sys"];

pub(crate) fn package_root(name: &str) -> PathBuf {
    if name == "tikv-jemalloc-sys" { unpack_locked_crate(name) } else { corpus::dir(name) }
}

/// What the program says when it is run by hand in the folder, of the rules that are scored.
fn said_by_hand(root: &Path, file: &str) -> BTreeSet<Place> {
    let mut arguments = check_arguments();
    arguments.push(file.to_owned());
    let invocation = Invocation::new(Program::Shellcheck).args(arguments).cwd(root);
    let finished = block_on(toolchain().run(invocation, &call())).unwrap();
    let said: Value = serde_json::from_slice(&finished.stdout).unwrap();
    let number = |comment: &Value, key: &str| u32::try_from(comment[key].as_u64().unwrap()).unwrap();
    let place = |comment: &Value| {
        let code = format!("SC{}", comment["code"]);
        let known = RULES.iter().any(|rule| rule.code == code);
        let file = comment["file"].as_str().unwrap().to_owned();
        known.then(|| (file, format!("shellcheck:{code}"), number(comment, "line"), number(comment, "column")))
    };
    said["comments"].as_array().unwrap().iter().filter_map(place).collect()
}

#[test]
fn findings_are_those_of_the_program_run_by_hand() {
    if systems::require(System::Node).is_none() {
        return;
    }
    let (mut compared, mut rules) = (0, BTreeSet::new());
    for package in SUBJECTS {
        let root = package_root(package);
        let mut files: Vec<String> = ["sh", "bash"].iter().flat_map(|ending| corpus::files(&root, ending)).collect();
        files.sort();
        let paths: Vec<&str> = files.iter().map(String::as_str).collect();
        let scored = Project::at(&root).scores(&paths, AnalysisMode::Quick).unwrap();
        let broken: BTreeSet<&str> =
            scored.files.iter().filter(|file| file.overall.is_none()).map(|file| file.file.as_str()).collect();
        let mut by_hand: BTreeSet<Place> = files.iter().flat_map(|file| said_by_hand(&root, file)).collect();
        // A file that does not parse has that to say and nothing else.
        by_hand.retain(|(file, ..)| !broken.contains(file.as_str()));
        let ours =
            scored.files.iter().flat_map(|file| &file.findings).filter(|one| one.rule.starts_with("shellcheck:"));
        let ours: BTreeSet<Place> =
            ours.map(|one| (one.file.clone(), one.rule.clone(), one.line, one.column)).collect();
        eprintln!("{package}: {} files, {} broken, {} findings", files.len(), broken.len(), ours.len());
        assert_eq!(ours, by_hand, "{package}");
        compared += ours.len();
        rules.extend(ours.into_iter().map(|place| place.1));
    }
    assert!(compared >= 200 && rules.len() >= 25, "{compared} of {} rules", rules.len());
}

/// A script that sources another is judged alike whether that one is judged with it or not.
#[test]
fn what_is_said_of_a_script_does_not_depend_on_its_company() {
    let project = Project::of(&[
        ("a.sh", b"#!/bin/sh\n. ./lib.sh\nhelp\nunused=1\n"),
        ("lib.sh", b"#!/bin/sh\nhelp() { echo \"$unused\"; }\n"),
    ]);
    let said = |names: &[&str]| -> Vec<(String, u32)> {
        let scored = project.scores(names, AnalysisMode::Quick).unwrap();
        let file = scored.files.into_iter().find(|one| one.file == "a.sh").unwrap();
        file.findings.into_iter().map(|one| (one.rule, one.line)).collect()
    };
    assert_eq!(said(&["a.sh"]), [("shellcheck:SC2034".to_owned(), 4)]);
    assert_eq!(said(&["a.sh", "lib.sh"]), said(&["a.sh"]));
}

/// Nothing that lies beside a script, or that the environment says, changes what is said of it.
#[test]
fn a_project_cannot_change_what_is_said() {
    let script = b"#!/bin/sh\n. ./lib.sh\necho $1\n";
    let project = Project::of(&[("a.sh", script)]);
    let told = |project: &Project| -> Vec<(String, u32)> {
        let found = project.quick("a.sh").findings;
        found.into_iter().filter(|one| one.rule.starts_with("shellcheck:")).map(|one| (one.rule, one.line)).collect()
    };
    let reference = told(&project);
    assert_eq!(reference, [("shellcheck:SC2086".to_owned(), 3)]);
    let elsewhere = folder();
    for (path, text) in [
        (".shellcheckrc", "disable=all\nshell=bash\nexternal-sources=true\n"),
        ("shellcheckrc", "disable=SC2086\n"),
        ("lib.sh", "#!/bin/sh\nset -- one\n"),
        (".editorconfig", "root = true\n"),
    ] {
        project.write(path, text.as_bytes());
        assert_eq!(told(&project), reference, "{path}");
    }
    let moved = Project::at(elsewhere.path());
    moved.write("a.sh", script);
    assert_eq!(told(&moved), reference, "in another folder");
}

/// What a script says about itself must not reach its neighbours.
#[test]
fn one_script_that_cannot_be_read_silences_no_other() {
    let deep = format!("#!/bin/sh\necho {}1{}\n", "$(echo ".repeat(12), ")".repeat(12));
    let project = Project::of(&[
        ("a.sh", b"#!/bin/sh\necho $1\n"),
        ("broken.sh", b"#!/bin/sh\nif true; then\n"),
        ("deep.sh", deep.as_bytes()),
        ("latin.sh", b"#!/bin/sh\necho '\xe9' $1\n"),
        ("dir name/b c.bash", b"echo $1\n"),
        ("-dash.sh", b"#!/bin/sh\necho $1\n"),
        ("run", b"#!/usr/bin/env bash\necho $1\n"),
        ("prompt.sh", b"#!/usr/bin/zsh\necho $1\n"),
    ]);
    let names = ["-dash.sh", "a.sh", "broken.sh", "deep.sh", "dir name/b c.bash", "latin.sh", "run"];
    let scored = project.scores(&names, AnalysisMode::Quick).unwrap();
    let of = |file: &str| scored.files.iter().find(|one| one.file == file).unwrap_or_else(|| panic!("{file}"));
    let said = |file: &str| -> Vec<String> {
        of(file).findings.iter().filter(|one| one.rule.starts_with("shellcheck:")).map(|one| one.rule.clone()).collect()
    };
    for file in ["a.sh", "-dash.sh", "run", "dir name/b c.bash"] {
        assert_eq!(said(file), ["shellcheck:SC2086"], "{file}");
    }
    assert_eq!(of("broken.sh").blocking[0].rule, "tapps:syntax-error");
    assert!(
        of("broken.sh").blocking[0].message.contains("Couldn't parse this then clause"),
        "{:?}",
        of("broken.sh").blocking
    );
    assert_eq!(of("broken.sh").overall, None);
    assert_eq!(of("latin.sh").blocking[0].rule, "tapps:not-utf8");
    assert!(project.scores(&["prompt.sh"], AnalysisMode::Quick).is_err(), "zsh is another language");
}
