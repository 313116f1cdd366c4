//! A change is judged by the settings of its base.

use tapps_quality::change::report::PolicyOrigin;

use super::support::{Changed, file};

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
