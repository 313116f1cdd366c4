//! Names that are not there, planted where published packages use their libraries.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde::Deserialize;
use tapps_base::source::Source;
use tapps_names::NameChecker;
use tapps_project::packages::environment::PythonEnvironment;
use tapps_sandbox::Boundary;

use super::corpus::{environment, judge, lock, unseen_projects};
use crate::systems;

#[derive(Deserialize)]
struct Mutant {
    kind: String,
    line: u32,
    text: String,
}

/// Files of a package that get mutants, and mutants of a file.
const FILES: usize = 2;
const MUTANTS: usize = 8;

/// Of a hundred planted names whose place could be followed, those that are found: in all packages, and in a sample of them.
const LEAST_FOUND: (f64, f64) = (95.0, 85.0);

/// And in packages whose misses nobody looked at.
const LEAST_FOUND_UNSEEN: f64 = 95.0;

#[derive(Default)]
struct Tally {
    found: u32,
    /// The place could be followed before, and nothing is said now.
    missed: u32,
    /// Nothing was known of the place before.
    unknown: u32,
}

fn plant(file: &Path, tops: &[String]) -> Vec<Mutant> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/names/plant.py");
    let mut child = Command::new("python3")
        .arg(script)
        .arg(file)
        .arg(MUTANTS.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    writeln!(child.stdin.take().unwrap(), "{}", serde_json::to_string(tops).unwrap()).unwrap();
    let output = child.wait_with_output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn planted_names_are_found() {
    if !systems::tier() {
        return systems::left_out("planting names in sixty packages");
    }
    let names: Vec<&str> = systems::sample(&lock().judged, 8).iter().map(|name| name.as_str()).collect();
    let (most, least) = if systems::whole() { (150, LEAST_FOUND.0) } else { (20, LEAST_FOUND.1) };
    assert_found(&names, most, least);
}

/// The misses of these were never looked at.
#[test]
fn planted_names_are_found_in_packages_that_nobody_looked_at() {
    if !systems::whole() {
        return systems::left_out("planting names in two hundred packages more");
    }
    assert_found(&unseen_projects(&environment()), 150, LEAST_FOUND_UNSEEN);
}

fn assert_found(names: &[&str], most: u32, least: f64) {
    let all = plant_in(names);
    let share = 100.0 * f64::from(all.found) / f64::from(all.found + all.missed);
    assert!(all.found > most && share >= least, "{} of {}: {share:.1} %", all.found, all.found + all.missed);
}

/// Plants names in packages, and counts those that are found.
fn plant_in(names: &[&str]) -> Tally {
    let root = environment();
    let checker = NameChecker::new(PythonEnvironment::of_project(Arc::new(Boundary::open(&root).unwrap())));
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for name in names {
        let project = root.join("projects").join(name);
        let tree = Boundary::open(&project).unwrap();
        let own: Vec<String> =
            std::fs::read_dir(&project).unwrap().map(|one| one.unwrap().file_name().into_string().unwrap()).collect();
        let tops: Vec<String> = std::fs::read_dir(root.join(".venv/lib/python3.11/site-packages"))
            .unwrap()
            .map(|one| one.unwrap().file_name().into_string().unwrap())
            .filter(|top| !own.contains(top) && !top.contains('-'))
            .map(|top| top.trim_end_matches(".py").to_owned())
            .collect();
        let using = judge(&checker, &root, name).into_iter().filter(|(_, checked)| checked.stamp.is_some());
        for (source, before) in using.take(FILES) {
            for mutant in plant(&project.join(source.path()), &tops) {
                let changed = Source::new(source.path(), mutant.text.as_bytes());
                let after = checker.check_each(&[changed], &tree).unwrap().remove(0);
                let found = after.findings.iter().any(|one| one.line == mutant.line && !before.findings.contains(one));
                let counts =
                    |checked: &tapps_names::CheckedNames| checked.stamp.as_ref().map_or(0, |stamp| stamp.unknown);
                let tally = tallies.entry(mutant.kind).or_default();
                match (found, counts(&after) > counts(&before)) {
                    (true, _) => tally.found += 1,
                    (false, true) => tally.missed += 1,
                    (false, false) => tally.unknown += 1,
                }
            }
        }
    }
    let mut all = Tally::default();
    for (kind, tally) in &tallies {
        println!("{kind}: {} found, {} missed, {} unknown before", tally.found, tally.missed, tally.unknown);
        all.found += tally.found;
        all.missed += tally.missed;
    }
    println!("{} found of {}", all.found, all.found + all.missed);
    all
}
