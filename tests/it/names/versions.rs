//! Code for one major version of a library beside another: what that one has no more is found, and nothing else is said.
//!
//! What each version has is what the interpreter saw when it imported it: `tests/fixtures/versions`.

use std::collections::BTreeSet;
use std::io::Read as _;

use flate2::read::GzDecoder;
use serde::Deserialize;
use tapps_base::source::Source;
use tapps_names::NameChecker;
use tapps_project::packages::environment::PythonEnvironment;
use tapps_sandbox::Boundary;

use super::support::project;
use crate::systems::{self, System};

/// Names of modules, each as the module and the name, with a space between.
#[derive(Deserialize)]
struct OtherVersion {
    code_for: String,
    /// The version that is there, in `tests/corpus.lock.json`.
    installed: String,
    removed: Vec<String>,
    kept: Vec<String>,
}

/// How much of what is gone is found at least, of a hundred.
const LEAST_FOUND: [(&str, f64); 6] = [
    ("pydantic 1.10.24", 90.0),
    ("pydantic 2.12.4", 90.0),
    ("sqlalchemy 1.4.54", 90.0),
    ("sqlalchemy 2.0.44", 90.0),
    ("django 3.2.25", 90.0),
    ("django 5.2.7", 90.0),
];

/// Imports in one file.
const IMPORTS: usize = 100;

/// Imports each name in a file of many, and gives those of which a finding says that they are not there.
fn said_to_be_gone<'n>(installed: &str, names: &[&'n str]) -> BTreeSet<&'n str> {
    let project = project(&[], &[installed]);
    let boundary = std::sync::Arc::new(Boundary::open(project.root()).unwrap());
    let line = |(at, name): (usize, &&str)| {
        let (module, name) = name.split_once(' ').unwrap();
        format!("from {module} import {name} as name_{at}\n")
    };
    let texts = names.chunks(IMPORTS).map(|names| names.iter().enumerate().map(line).collect::<String>());
    let sources: Vec<Source> =
        texts.enumerate().map(|(at, text)| Source::new(&format!("uses_{at}.py"), text.as_bytes())).collect();
    let checker = NameChecker::new(PythonEnvironment::of_project(boundary.clone()));
    let checked = checker.check_each(&sources, &boundary).unwrap();
    let said = checked
        .iter()
        .zip(names.chunks(IMPORTS))
        .flat_map(|(checked, names)| checked.findings.iter().map(|finding| names[finding.line as usize - 1]));
    said.collect()
}

#[test]
fn what_another_major_version_has_no_more_is_found() {
    if systems::require(System::CompiledWheels).is_none() {
        return;
    }
    let mut text = String::new();
    let packed = include_bytes!("../../fixtures/versions/names.json.gz").as_slice();
    GzDecoder::new(packed).read_to_string(&mut text).unwrap();
    let versions: Vec<OtherVersion> = serde_json::from_str(&text).unwrap();
    assert_eq!(versions.len(), LEAST_FOUND.len());
    println!(
        "| code for | beside | names that are gone | found | share | names of both | said to be gone |\n| --- | --- | --- | --- | --- | --- | --- |"
    );
    for other in &versions {
        let some = |names: &[String], step: usize| systems::sample(0..names.len(), step);
        let removed: Vec<&str> = some(&other.removed, 8).into_iter().map(|at| other.removed[at].as_str()).collect();
        let kept: Vec<&str> = some(&other.kept, 8).into_iter().map(|at| other.kept[at].as_str()).collect();
        let found = said_to_be_gone(&other.installed, &removed).len();
        let wrong = said_to_be_gone(&other.installed, &kept);
        let share = found as f64 / removed.len() as f64;
        println!(
            "| {} | {} | {} | {found} | {share:.3} | {} | {} |",
            other.code_for,
            other.installed,
            removed.len(),
            kept.len(),
            wrong.len()
        );
        assert_eq!(wrong, BTreeSet::new(), "{}", other.code_for);
        let (_, least) = LEAST_FOUND.into_iter().find(|(code_for, _)| *code_for == other.code_for).unwrap();
        assert!(share * 100.0 >= least, "{}: {share:.3}", other.code_for);
    }
}
