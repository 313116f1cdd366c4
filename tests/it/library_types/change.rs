//! Both sides of a change have the types of their own locks.

use super::decisions::CLIENT;
use crate::names::support::install;
use crate::scoring::support::Project;
use crate::toolchain_git_support::{commit_all, git};
use tapps_quality::change::ChangeRequest;
use tapps_quality::change::report::FindingState;

fn repository(lock: &str) -> Project {
    let project = Project::of(&[
        ("client.py", CLIENT.as_bytes()),
        ("requirements.txt", lock.as_bytes()),
        (".gitignore", b".venv/\n"),
    ]);
    git(project.root(), &["init", "--quiet"]);
    commit_all(project.root(), "first");
    install(project.root(), &["httpx"]);
    project
}

/// Rule and state of what mypy found in the client.
fn states(project: &Project) -> (Vec<(String, FindingState)>, Vec<String>) {
    let report = project.judge(&ChangeRequest::default()).unwrap();
    let findings = report.files.iter().filter(|file| file.file == "client.py").flat_map(|file| &file.findings);
    let mypy = findings.filter(|one| one.finding.rule.starts_with("mypy:"));
    (mypy.map(|one| (one.finding.rule.clone(), one.state)).collect(), report.notes)
}

#[test]
fn what_was_wrong_before_is_no_fault_of_the_change() {
    let project = repository("httpx==0.28.1\n");
    let more =
        "\n\ndef size(url: str) -> str:\n    \"\"\"How much there is.\"\"\"\n    return len(httpx.get(url).content)\n";
    project.write("client.py", format!("{CLIENT}{more}").as_bytes());
    let (mut found, notes) = states(&project);
    found.sort_by_key(|(_, state)| *state != FindingState::Existing);
    let rule = || "mypy:return-value".to_owned();
    assert_eq!(found, [(rule(), FindingState::Existing), (rule(), FindingState::New)]);
    assert!(notes.iter().all(|note| !note.contains("types of libraries")), "{notes:?}");
}

#[test]
fn a_base_that_locks_another_version_is_judged_without_its_types_and_that_is_told() {
    let project = repository("httpx==0.27.0\n");
    project.write("requirements.txt", b"httpx==0.28.1\n");
    project.write("client.py", format!("{CLIENT}\n\nLIMIT = 5\n").as_bytes());
    let (found, notes) = states(&project);
    assert_eq!(found, [("mypy:return-value".to_owned(), FindingState::New)]);
    let told: Vec<&String> = notes.iter().filter(|note| note.contains("types of libraries")).collect();
    let [digests, left_out] = told.as_slice() else { panic!("{notes:?}") };
    assert!(digests.contains("for the base") && digests.contains("for the head"), "{digests}");
    assert_eq!(
        left_out.as_str(),
        "left out of the types of libraries of the base: httpx: 0.28.1 is installed, requirements.txt has 0.27.0"
    );
}
