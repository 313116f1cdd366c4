//! Ways to pass without mending, each in a repository of its own with its outcome, and the same wish fulfilled properly.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use tapps_quality::change::report::ChangeReport;

use super::support::Changed;
use crate::systems;
use crate::toolchain_support::{copy_tree, folder};

/// Of so many cases one is looked at, unless all are asked for.
const STEP: usize = 3;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    title: String,
    base: String,
    kind: String,
    outcome: Outcome,
    /// Edits of the base project, before the change.
    #[serde(default)]
    before: Vec<Edit>,
    trick: Vec<Edit>,
    honest: Vec<Edit>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    Blocked,
    /// Told, and not blocked: an honest change does the same.
    Listed,
    /// Neither told nor blocked.
    Missed,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit {
    path: String,
    text: Option<String>,
    append: Option<String>,
    old: Option<String>,
    new: Option<String>,
    rename_to: Option<String>,
    symlink: Option<String>,
    #[serde(default)]
    delete: bool,
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/gate_tricks")
}

impl Edit {
    fn apply(&self, root: &Path) {
        let path = root.join(&self.path);
        let read = || std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", self.path));
        if let Some(to) = &self.rename_to {
            std::fs::create_dir_all(root.join(to).parent().unwrap()).unwrap();
            std::fs::rename(&path, root.join(to)).unwrap();
        } else if let Some(target) = &self.symlink {
            let _ = std::fs::remove_file(&path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(target, &path).unwrap();
        } else if self.delete {
            std::fs::remove_file(&path).unwrap();
        } else if let (Some(old), Some(new)) = (&self.old, &self.new) {
            let text = read();
            assert_eq!(text.matches(old.as_str()).count(), 1, "{}: {old}", self.path);
            std::fs::write(&path, text.replace(old.as_str(), new)).unwrap();
        } else if let Some(more) = &self.append {
            std::fs::write(&path, format!("{}{more}", read())).unwrap();
        } else if let Some(text) = &self.text {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
        }
    }
}

/// The verdicts on the trick and on the honest change.
fn verdicts(case: &Case, answers: &Path) -> (ChangeReport, ChangeReport) {
    let changed = Changed::of_folder(&fixtures().join("base").join(&case.base), |root| {
        case.before.iter().for_each(|edit| edit.apply(root));
    })
    .caching(answers);
    let judge = |edits: &[Edit]| {
        edits.iter().for_each(|edit| edit.apply(changed.root()));
        let report = changed.verdict_from_settings();
        changed.reset();
        report
    };
    let trick = judge(&case.trick);
    (trick, judge(&case.honest))
}

/// What is wrong with one case; none when everything is as it was fixed.
fn fault(case: &Case, answers: &Path) -> Option<String> {
    let (trick, honest) = verdicts(case, answers);
    let told = || {
        let listed = trick.files.iter().any(|file| file.forgiven_suppressions().next().is_some());
        let weakened = trick.files.iter().any(|file| !file.evasions.is_empty());
        listed || weakened || !trick.policy.changes.is_empty()
    };
    let outcome = match (trick.passed, told()) {
        (false, _) => Outcome::Blocked,
        (true, true) => Outcome::Listed,
        (true, false) => Outcome::Missed,
    };
    if outcome != case.outcome {
        return Some(format!("{} ({}, {}): {outcome:?} {:?}", case.name, case.kind, case.title, trick.reasons));
    }
    (!honest.passed).then(|| format!("{}: the honest change is blocked: {:?}", case.name, honest.reasons))
}

fn read_cases(file: &str) -> Vec<Case> {
    let text = std::fs::read_to_string(fixtures().join(file)).unwrap();
    toml::from_str::<Cases>(&text).unwrap().case
}

/// Whether cases end as they were fixed, or why not. Most begin with one of two projects; what is known of these is asked
/// for once.
fn faults(cases: &[Case]) -> Vec<String> {
    let answers = folder();
    cases.iter().filter_map(|case| fault(case, answers.path())).collect()
}

/// Written by other hands, from what is promised alone, before any of them was run; those that end otherwise are held as
/// what they are.
#[test]
fn the_sealed_tricks_end_as_they_were_fixed_but_for_those_that_are_known() {
    let all = read_cases("sealed.toml");
    assert_eq!(all.len(), 54);
    let cases = systems::sample(all, STEP);
    let told = faults(&cases);
    let known = std::fs::read_to_string(fixtures().join("sealed_misses.txt")).unwrap();
    // Name and outcome, which stands behind the brackets.
    let short = |fault: &String| {
        let name = fault.split(' ').next().unwrap_or_default();
        let outcome = fault.rsplit_once("): ").and_then(|(_, rest)| rest.split(' ').next()).unwrap_or_default();
        format!("{name} {}", outcome.to_lowercase())
    };
    let names: Vec<String> = told.iter().map(short).collect();
    // Those among the cases that are looked at.
    let looked_at = |line: &&str| cases.iter().any(|case| line.split(' ').next() == Some(case.name.as_str()));
    let known: Vec<String> = known.lines().filter(looked_at).map(str::to_owned).collect();
    println!("{} of {} end otherwise:\n{}", told.len(), cases.len(), told.join("\n"));
    assert_eq!(names, known, "{}", told.join("\n"));
}

#[test]
fn every_trick_has_the_outcome_that_was_fixed() {
    let cases = read_cases("cases.toml");
    let blocked = cases.iter().filter(|case| case.outcome == Outcome::Blocked).count();
    assert!(cases.len() >= 60 && blocked >= 45, "{} tricks, {blocked} blocked", cases.len());
    let looked_at = systems::sample(cases, STEP);
    let faults = faults(&looked_at);
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), looked_at.len(), faults.join("\n"));
}

#[test]
fn the_projects_pass_as_they_are() {
    for base in ["python", "typescript"] {
        let folder = folder();
        let root = folder.path().join(base);
        copy_tree(&fixtures().join("base").join(base), &root);
        let project = crate::scoring::support::Project::at(&root);
        let report = project.gate(&["."]);
        let failed: Vec<_> =
            report.files.iter().filter(|file| !file.passed).map(|file| (&file.file, &file.failures)).collect();
        assert!(report.passed, "{base}: {failed:?}");
    }
}
