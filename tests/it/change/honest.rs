//! Honest changes: consecutive releases of real packages from their sources, tests and settings included. What looks for
//! weakened tests and code out of sight must let them pass.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use crate::corpus;
use crate::systems;

/// Package and two releases.
const RELEASES: &str = include_str!("honest.txt");

/// One of so many is judged each time.
const STEP: usize = 20;

/// Of a hundred changed functions, those that such a finding may be about.
const MOST_FUNCTIONS: f64 = 1.0;

/// The releases that are blocked all the same. The archive of the second has no tests.
const BLOCKED: &[&str] = &["cachetools 7.3.2 8.0.0", "more-itertools 11.1.0 11.2.0"];

fn share(part: usize, whole: usize) -> f64 {
    100.0 * f64::from(u32::try_from(part).unwrap()) / f64::from(u32::try_from(whole).unwrap())
}

fn changed_functions(before: &Path, after: &Path) -> usize {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/gate_tricks/changed_functions.py");
    let output = Command::new("python3").arg(script).arg(before).arg(after).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().parse().unwrap()
}

#[test]
fn honest_releases_are_not_taken_for_tricks() {
    if !systems::tier() {
        return systems::left_out("judging releases of packages takes minutes");
    }
    let (mut releases, mut blocked, mut functions, mut told) = (0, Vec::new(), 0, 0);
    let (mut suppressions, mut refused, mut with_refused) = (0, 0, 0);
    let mut list = String::new();
    let judged = systems::sample(RELEASES.lines(), STEP);
    for line in judged.iter().copied() {
        let [package, before, after] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let sides = [before, after].map(|version| corpus::dir(&format!("{package}@{version}")));
        let report = super::releases::judge_release(package, before, after);
        releases += 1;
        functions += changed_functions(&sides[0], &sides[1]);
        let evasions: Vec<_> =
            report.files.iter().flat_map(|file| file.evasions.iter().map(move |one| (file, one))).collect();
        told += evasions.len();
        blocked.extend(evasions.iter().any(|(_, one)| one.blocks).then_some(line));
        for (file, one) in evasions {
            let blocks = if one.blocks { "blocks" } else { "told" };
            let _ = writeln!(list, "{line} {}:{} {blocks}: {}", file.file, one.line, one.message);
        }
        let new = report.files.iter().flat_map(|file| &file.suppressions);
        let new: Vec<_> = new.filter(|one| one.state == tapps_quality::change::report::SuppressionState::New).collect();
        let not_forgiven = new.iter().filter(|one| one.refused.is_some()).count();
        suppressions += new.len();
        refused += not_forgiven;
        with_refused += usize::from(not_forgiven > 0);
    }
    println!("{list}{releases} releases, {} blocked; {functions} changed functions, {told} told of", blocked.len());
    println!("{suppressions} new suppressions, {refused} not forgiven, in {with_refused} releases");
    assert!(releases >= RELEASES.lines().count() / STEP && functions > 100, "{releases} {functions}");
    assert!(share(told, functions) <= MOST_FUNCTIONS, "{told} of {functions}:\n{list}");
    let known: Vec<&str> = BLOCKED.iter().copied().filter(|known| judged.contains(known)).collect();
    assert_eq!(blocked, known, "{list}");
}
