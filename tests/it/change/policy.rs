//! A change is judged by the settings of its base.

use tapps_base::ErrorCode;
use tapps_quality::baseline::Baseline;
use tapps_quality::change::ChangeRequest;
use tapps_quality::change::report::PolicyOrigin;

use super::support::{Changed, file};
use crate::toolchain_git_support::commit_all;

const GOOD: &str = "\"\"\"Adds.\"\"\"\n\n\ndef add(left: int, right: int) -> int:\n    \"\"\"Adds two numbers.\"\"\"\n    return left + right\n";
const BAD: &str = "\n\ndef run(command: str) -> object:\n    return eval(command)\n";

#[test]
fn a_change_is_not_judged_by_the_settings_that_it_brings() {
    let changed = Changed::of(&[("good.py", GOOD), ("tapps-mcp.toml", "preset = \"strict\"\n")]);
    changed.write("good.py", &format!("{GOOD}{BAD}"));
    for settings in [
        "preset = \"standard\"\n",
        "exclude = [\"good.py\"]\n",
        "preset = \"strict\"\nchange.allow = [\"bandit:B307 *\"]\n",
    ] {
        changed.write("tapps-mcp.toml", settings);
        let report = changed.verdict();
        assert!(!report.passed, "{settings}");
        assert_eq!((report.policy.origin, report.preset.as_str()), (PolicyOrigin::Base, "strict"), "{settings}");
        assert_eq!(report.policy.changes[0].file, "tapps-mcp.toml");
        assert!(!file(&report, "good.py").passed);
    }
}

#[test]
fn settings_that_come_first_do_not_count_yet() {
    let changed = Changed::of(&[("good.py", GOOD)]);
    changed.write("good.py", &format!("{GOOD}{BAD}"));
    changed.write("tapps-mcp.toml", "exclude = [\"*.py\"]\n");
    let report = changed.verdict();
    assert!(!report.passed);
    assert_eq!(report.policy.origin, PolicyOrigin::Defaults);
    assert_eq!(report.policy.changes[0].what, ["exclude: unset → [\"*.py\"]"]);
}

#[test]
fn a_dependency_in_pyproject_is_no_policy_change() {
    let project = "[project]\nname = \"p\"\nversion = \"1\"\ndependencies = []\n\n[tool.ruff]\nline-length = 100\n";
    let changed = Changed::of(&[("good.py", GOOD), ("pyproject.toml", project)]);
    changed.write("pyproject.toml", &project.replace("[]", "[\"click\"]"));
    let report = changed.verdict();
    assert!(report.passed, "{:?}", report.reasons);
    assert_eq!(report.policy.changes, []);
    changed.write("pyproject.toml", &project.replace("100", "200"));
    assert_eq!(changed.verdict().policy.changes[0].what, ["tool.ruff.line-length: 100 → 200"]);
}

#[test]
fn settings_of_the_base_that_cannot_be_read_are_the_defaults_and_that_is_said() {
    let changed = Changed::of(&[("good.py", GOOD), ("tapps-mcp.toml", "preset = \n")]);
    changed.write("tapps-mcp.toml", "preset = \"standard\"\n");
    let report = changed.verdict();
    assert!(report.passed, "{:?}", report.reasons);
    assert!(report.policy.note.as_ref().unwrap().contains("the defaults count"), "{:?}", report.policy);
}

/// One branch in one function: far above the minimum of `standard`, and below that of the member.
const MIDDLING: &str = "import subprocess\n\n\ndef run(command: list[str]) -> int:\n    \"\"\"Runs a command.\"\"\"\n    \
                        return subprocess.run(command).returncode\n";

#[test]
fn a_member_may_ask_for_more_than_the_root_and_never_for_less() {
    let changed = Changed::of(&[
        ("tapps-mcp.toml", "gates.standard.overall = 60.0\n"),
        ("packages/hard/tapps-mcp.toml", "gates.standard.overall = 99.9\n"),
        ("packages/lax/tapps-mcp.toml", "gates.standard.overall = 1.0\ngates.standard.security = 0.0\n"),
        ("packages/hard/good.py", GOOD),
        ("packages/lax/good.py", GOOD),
        ("packages/broken/tapps-mcp.toml", "gates = \n"),
        ("packages/broken/good.py", GOOD),
        ("good.py", GOOD),
    ]);
    for folder in ["", "packages/hard/", "packages/lax/", "packages/broken/"] {
        changed.write(&format!("{folder}new.py"), MIDDLING);
    }
    // Not even the change that brings the code may ease the member's settings.
    changed.write("packages/hard/tapps-mcp.toml", "gates.standard.overall = 1.0\n");
    let report = changed.verdict_from_settings();
    let blocked = |path: &str| file(&report, path).blocked.clone();
    assert_eq!(blocked("new.py"), [""; 0]);
    assert_eq!(blocked("packages/lax/new.py"), [""; 0]);
    assert_eq!(blocked("packages/broken/new.py"), [""; 0]);
    let hard = blocked("packages/hard/new.py");
    assert!(hard.len() == 1 && hard[0].contains("< 99.9 minimum"), "{hard:?}");
    assert!(report.notes.iter().any(|note| note.contains("packages/broken")), "{:?}", report.notes);
    assert_eq!(report.policy.changes[0].file, "packages/hard/tapps-mcp.toml");
    changed.write("packages/lax/new.py", &format!("{MIDDLING}{BAD}"));
    let report = changed.verdict_from_settings();
    assert!(!file(&report, "packages/lax/new.py").passed);
}

/// What the base's baseline forgives counts, whatever the change makes of the file.
#[test]
fn a_baseline_that_the_change_brings_or_edits_is_told_and_never_helps() {
    let old = format!("{GOOD}{BAD}");
    let changed = Changed::of(&[("old.py", &old), ("good.py", GOOD)]);
    let request = || ChangeRequest { baseline: Some("known.json".to_owned()), ..ChangeRequest::default() };
    let write_all = |paths: &[&str]| {
        let known = Baseline::from_gate_report(&changed.project.gate(paths)).to_text().unwrap();
        changed.write("known.json", &known);
        known
    };
    let error = changed.judge(&request()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ConfigError, "{error:?}");
    assert!(error.message().contains("neither side"), "{error:?}");

    // What comes first does not count yet.
    changed.write("good.py", &format!("{GOOD}\n\ndef more(text: str) -> None:\n    exec(text)\n"));
    write_all(&["good.py"]);
    let report = changed.judge(&request()).unwrap();
    assert!(!report.passed);
    assert_eq!(report.notes, ["the base has no known.json, so nothing is forgiven by it yet"]);
    assert_eq!(report.policy.changes[0].file, "known.json");
    changed.reset();

    let known = write_all(&["old.py"]);
    commit_all(changed.root(), "baseline");
    changed.write("good.py", &format!("{GOOD}\n\ndef more(text: str) -> None:\n    exec(text)\n"));
    let without = changed.judge(&request()).unwrap();
    assert!(!without.passed && without.policy.changes.is_empty());
    write_all(&["old.py", "good.py"]);
    let report = changed.judge(&request()).unwrap();
    assert_eq!((report.passed, &report.reasons), (false, &without.reasons));
    let what = &report.policy.changes[0].what;
    assert!(what.len() == 1 && what[0].ends_with("forgiven that the base does not forgive"), "{what:?}");

    // As it is written makes no difference; what it forgives no longer does.
    changed.reset();
    let folded: serde_json::Value = serde_json::from_str(&known).unwrap();
    changed.write("known.json", &folded.to_string());
    assert_eq!(changed.judge(&request()).unwrap().policy.changes, []);
    changed.write("known.json", "{\"format\": 1, \"findings\": {}}\n");
    let report = changed.judge(&request()).unwrap();
    assert!(report.passed, "{:?}", report.reasons);
    assert!(report.policy.changes[0].what[0].ends_with("no longer forgiven"), "{:?}", report.policy.changes);
}
