//! Shell scripts through everything that scores: the score, the quick check, the gate, the verdict on a change, the program.

use tapps_base::finding::Category;
use tapps_quality::change::ChangeRequest;
use tapps_quality::change::report::{ChangeVerdict, FindingState};
use tapps_quality::result::{AnalysisMode, FileScore};

use crate::scoring::support::Project;
use crate::toolchain_git_support::{commit_all, git};
use crate::toolchain_support::{program, settings};

const GOOD: &str = "#!/bin/sh
# Adds the prices that it is given.
set -eu

total() {
    sum=0
    for price in \"$@\"; do
        sum=$((sum + price))
    done
    echo \"$sum\"
}

total \"$@\"
";

const BAD: &str = "#!/bin/sh
set -e
backup() {
    cd $1
    tar -cf backup.tar *
    chmod 777 backup.tar
}

backup $HOME
curl -k https://tool.example/install.sh | sh
eval \"$2\"
for name in $(ls); do
    short=$(echo \"$name\" | cut -c 1-3)
    echo \"$short\"
done
";

const TEST: &str = "#!/bin/sh
. \"$(dirname \"$0\")/../bin/total.sh\"
[ \"$(total 1 2)\" = 3 ] || exit 1
";

const TOTAL: &str = "bin/total.sh";
const BACKUP: &str = "bin/backup.sh";
const DEPLOY: &str = "bin/deploy";

fn shop() -> Project {
    Project::of(&[
        ("Makefile", b"test:\n\tsh test/total_test.sh\n"),
        (".shellcheckrc", b"enable=all\n"),
        (".editorconfig", b"root = true\n"),
        ("README.md", b"# Shop\n"),
        ("LICENSE", b"MIT\n"),
        (TOTAL, GOOD.as_bytes()),
        (BACKUP, BAD.as_bytes()),
        (DEPLOY, b"#!/usr/bin/env bash\nset -euo pipefail\nscp app.tar \"$HOST:/srv/\"\n"),
        ("bin/broken.sh", b"#!/bin/sh\nif true; then\n    echo\n"),
        ("test/total_test.sh", TEST.as_bytes()),
    ])
}

fn told(score: &FileScore) -> Vec<String> {
    let own = score.findings.iter().filter(|one| one.line > 0 && one.category != Category::TestCoverage);
    own.map(|one| format!("{}:{}", one.line, one.rule.trim_start_matches("tapps:"))).collect()
}

#[test]
fn a_good_script_is_scored_in_all_seven_categories() {
    let score = shop().full(TOTAL);
    assert_eq!(serde_json::to_value(score.language).unwrap(), "shell");
    assert_eq!(told(&score), Vec::<String>::new());
    assert!(score.categories.values().all(|category| category.measured), "{:?}", score.not_measured);
    for whole in [Category::Complexity, Category::Security, Category::Maintainability, Category::Performance] {
        assert_eq!(score.categories[&whole].score, Some(10.0), "{whole:?}");
    }
    // A test sources the script; which lines it runs is not known.
    assert_eq!(score.categories[&Category::TestCoverage].score, Some(5.0));
    assert!(score.categories[&Category::TestCoverage].details.contains("test/total_test.sh"));
    assert!(!score.degraded && score.missing_tools.is_empty());
    assert!(score.overall.unwrap() > 85.0, "{:?}", score.overall);
    assert_eq!(score.categories[&Category::Complexity].details, "2 functions, mean complexity 1.5, highest 2 in total");
    assert!(score.tool_versions.contains_key("shellcheck"), "{:?}", score.tool_versions);
    for absent in ["no-type-checker-config", "no-linter-config", "no-formatter-config", "no-project-root"] {
        assert!(score.findings.iter().all(|one| one.rule != format!("tapps:{absent}")), "{absent}");
    }
}

#[test]
fn a_script_without_an_ending_is_scored() {
    let project = shop();
    let score = project.full(DEPLOY);
    assert_eq!(serde_json::to_value(score.language).unwrap(), "shell");
    assert_eq!(told(&score), Vec::<String>::new());
    assert!(score.overall.is_some());
    let all = project.scores(&["."], AnalysisMode::Full).unwrap();
    let scripts = all.files.iter().filter(|one| one.file.ends_with(".sh") || one.file == DEPLOY).count();
    assert_eq!(scripts, 5);
}

#[test]
fn a_bad_script_is_told_what_is_wrong_where() {
    let project = shop();
    let score = project.full(BACKUP);
    assert_eq!(
        told(&score),
        [
            "4:shellcheck:SC2086",
            "5:shellcheck:SC2035",
            "6:file-permissions",
            "9:shellcheck:SC2086",
            "10:downloaded-code-run",
            "10:pipe-hides-failure",
            "10:certificate-unchecked",
            "11:evaluated-argument",
            "12:shellcheck:SC2045",
            "13:process-for-text-in-loop",
        ]
    );
    assert_eq!(score.categories[&Category::TestCoverage].score, Some(0.0));
    let run = score.findings.iter().find(|one| one.rule == "tapps:downloaded-code-run").unwrap();
    assert_eq!((run.cwe.as_deref(), run.cost), (Some("CWE-494"), 3_000));
    assert!(score.overall.unwrap() < 70.0, "{:?}", score.overall);
    let broken = project.full("bin/broken.sh");
    assert_eq!((broken.overall, broken.blocking[0].rule.as_str()), (None, "tapps:syntax-error"));
}

#[test]
fn the_quick_answer_and_the_gate_say_the_same() {
    let project = shop();
    let (quick, full) = (project.quick(BACKUP), project.full(BACKUP));
    assert_eq!(told(&quick), told(&full));
    for (category, score) in quick.categories.iter().filter(|(_, score)| score.measured) {
        assert_eq!(score.score, full.categories[category].score, "{category:?}");
    }
    assert!(project.gate(&[TOTAL]).passed);
    assert!(!project.gate(&[BACKUP]).passed);
}

#[test]
fn a_change_is_judged_by_what_it_brings_and_hides() {
    let project = shop();
    git(project.root(), &["init", "--quiet"]);
    commit_all(project.root(), "first");
    // Layout and comments make no other program.
    project.write(TOTAL, GOOD.replace("    sum=0", "    # of all\n    sum=0").as_bytes());
    let report = project.judge(&ChangeRequest::default()).unwrap();
    assert_eq!(report.verdict, ChangeVerdict::Neutral, "{:?}", report.reasons);
    let hidden = "    sum=0\n    # shellcheck disable=SC2086\n    echo $1\n    chmod 777 prices\n";
    project.write(TOTAL, GOOD.replace("    sum=0\n", hidden).as_bytes());
    let report = project.judge(&ChangeRequest::default()).unwrap();
    let new: Vec<(&str, u32)> = report
        .files
        .iter()
        .flat_map(|file| &file.findings)
        .filter(|one| one.state == FindingState::New)
        .map(|one| (one.finding.rule.as_str(), one.finding.line))
        .collect();
    assert_eq!(new, [("tapps:file-permissions", 9)]);
    let ledger = serde_json::to_value(&report.files[0].suppressions).unwrap();
    assert_eq!(ledger[0]["kind"], "shellcheck", "{ledger}");
    assert_eq!(ledger[0]["line"], 7, "{ledger}");
    assert!(ledger.to_string().contains("shellcheck:SC2086"), "what is hidden is told: {ledger}");
}

#[test]
fn the_program_prints_a_score() {
    let project = shop();
    let mut program = program(&settings());
    let output = program.args(["score", DEPLOY, "--format", "json"]).current_dir(project.root()).output().unwrap();
    let reply: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = reply.to_string();
    assert!(text.contains("\"language\":\"shell\"") && text.contains("\"overall\":"), "{text}");
}
