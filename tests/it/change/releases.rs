//! Consecutive releases of real packages as changes, with the verdicts that were read by hand (`docs/change.md`).

use std::fmt::Write as _;
use std::path::Path;

use crate::corpus;
use crate::scoring::support::Project;
use crate::systems;
use crate::toolchain_git_support::{commit_all, git};
use crate::toolchain_support::{copy_tree, folder, unlock};
use tapps_quality::change::report::{ChangeReport, FindingState};
use tapps_quality::change::{ChangeBase, ChangeHead, ChangeRequest};

/// Package, two releases, verdict, and the numbers of new, worsened and mended findings.
const RELEASES: &str = include_str!("releases.txt");

#[test]
fn releases_are_judged_as_they_were_read() {
    if !systems::tier() {
        return systems::left_out("judging releases of packages takes minutes");
    }
    let mut wrong = String::new();
    for line in systems::sample(RELEASES.lines(), 10) {
        let words: Vec<&str> = line.split(' ').collect();
        let [package, before, after, expected @ ..] = words.as_slice() else { panic!("{line}") };
        let report = judge_release(package, before, after);
        super::support::assert_adds_up(&report);
        let counts = [report.counts.new, report.counts.worsened, report.counts.mended].map(|count| count.to_string());
        let found = format!("{} {}", report.verdict.as_str(), counts.join(" "));
        if found != expected.join(" ") {
            let of = |state| super::support::told(&report, state).join("\n    ");
            let [new, worsened, mended] = [FindingState::New, FindingState::Worsened, FindingState::Mended].map(of);
            let _ = writeln!(
                wrong,
                "{package} {before} {after}: {found}, and was {}\n  {}\n  new\n    {new}\n  worsened\n    {worsened}\n  mended\n    {mended}",
                expected.join(" "),
                report.reasons.join("\n  ")
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The verdict on one release as a change of another.
pub(super) fn judge_release(package: &str, before: &str, after: &str) -> ChangeReport {
    let folder = folder();
    let root = folder.path();
    git(root, &["init", "--quiet"]);
    for version in [before, after] {
        clear(root);
        fill(root, &corpus::dir(&format!("{package}@{version}")));
        commit_all(root, version);
    }
    let request = ChangeRequest {
        base: ChangeBase::Exactly("HEAD~1".to_owned()),
        head: ChangeHead::Commit("HEAD".to_owned()),
        ..ChangeRequest::default()
    };
    Project::at(root).judge(&request).unwrap()
}

/// Copies the modules of a wheel, without what describes the release.
fn fill(root: &Path, wheel: &Path) {
    for entry in std::fs::read_dir(wheel).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() && !name.ends_with(".dist-info") {
            copy_tree(&entry.path(), &root.join(&name));
        } else if entry.path().is_file() {
            std::fs::copy(entry.path(), root.join(&name)).unwrap();
        }
    }
    unlock(root);
}

/// Takes out everything but the repository.
fn clear(root: &Path) {
    for entry in std::fs::read_dir(root).unwrap().map(Result::unwrap) {
        if entry.file_name() != ".git" {
            let path = entry.path();
            if path.is_dir() { std::fs::remove_dir_all(path).unwrap() } else { std::fs::remove_file(path).unwrap() }
        }
    }
}
