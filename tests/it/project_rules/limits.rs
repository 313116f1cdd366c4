//! Limits of a preset on single metrics.

use tapps_config::{Config, GateSpec, MetricLimits, Sources, load_config};

use crate::change::support::Changed;
use crate::scoring::support::Project;

/// Flow that takes steps to follow.
const DEEP: &str = "def pick(rows: list[list[int]], limit: int, floor: int, extra: int) -> int:\n    \"\"\"Picks.\"\"\"\n    for row in rows:\n        for value in row:\n            if value > limit:\n                return value\n    return floor + extra\n";

const FLAT: &str = "def add(left: int, right: int) -> int:\n    \"\"\"Adds.\"\"\"\n    return left + right\n";

fn config(limits: MetricLimits) -> Config {
    let mut config = Config::default();
    config.gates.insert("standard".to_owned(), GateSpec { limits, ..GateSpec::default() });
    config
}

fn about_limits(said: &[String], word: &str) -> Vec<String> {
    said.iter().filter(|one| one.contains(word)).cloned().collect()
}

#[test]
fn every_metric_of_a_function_can_be_limited() {
    let limits = MetricLimits {
        cognitive_complexity: Some(5.0),
        cyclomatic_complexity: Some(3.0),
        function_length: Some(6.0),
        nesting: Some(2.0),
        parameters: Some(3.0),
        ..MetricLimits::default()
    };
    let project = Project::of(&[("a.py", DEEP.as_bytes()), ("b.py", FLAT.as_bytes())]).with(config(limits));
    let report = project.gate(&["a.py", "b.py"]);
    assert_eq!(
        about_limits(&report.files[0].failures, "`pick`"),
        [
            "cognitive_complexity: `pick` at line 1 has 6 > 5 maximum",
            "cyclomatic_complexity: `pick` at line 1 has 4 > 3 maximum",
            "function_length: `pick` at line 1 has 7 lines > 6 maximum",
            "nesting: `pick` at line 1 has 3 > 2 maximum",
            "parameters: `pick` at line 1 has 4 > 3 maximum",
        ]
    );
    assert!(report.files[1].passed, "{:?}", report.files[1].failures);
}

#[test]
fn findings_and_suppressions_can_be_limited() {
    let code = format!("import os  # noqa: F401\nimport sys\n\n\n{FLAT}");
    let at = |limits: MetricLimits| {
        let project = Project::of(&[("a.py", code.as_bytes())]).with(config(limits));
        project.gate(&["a.py"]).files[0].failures.clone()
    };
    let failures = at(MetricLimits { suppressions: Some(0.0), findings: Some(0.0), ..MetricLimits::default() });
    assert_eq!(about_limits(&failures, "suppressions: "), ["suppressions: 1 > 0 maximum"]);
    assert_eq!(about_limits(&failures, "findings: ").len(), 1, "{failures:?}");
    assert_eq!(
        about_limits(&at(MetricLimits { suppressions: Some(1.0), ..MetricLimits::default() }), "suppressions"),
        Vec::<String>::new()
    );
}

#[test]
fn a_change_is_told_of_what_it_makes_worse_alone() {
    let limits = MetricLimits { nesting: Some(2.0), ..MetricLimits::default() };
    let changed = Changed::of(&[("a.py", DEEP), ("b.py", FLAT)]).with(config(limits));
    let reasons = || about_limits(&changed.verdict().reasons, "nesting");
    changed.write("a.py", &DEEP.replace("Picks.", "Picks one."));
    assert_eq!(reasons(), Vec::<String>::new(), "it was as deep before");
    changed.write(
        "a.py",
        &DEEP.replace(
            "                return value",
            "                if value > floor:\n                    return value",
        ),
    );
    assert_eq!(reasons(), ["a.py: nesting: `pick` at line 1 has 4 > 2 maximum"]);
    changed.reset();
    changed.write("b.py", &format!("{FLAT}\n\n{}", DEEP.replace("pick", "choose")));
    assert_eq!(reasons(), ["b.py: nesting: `choose` at line 6 has 3 > 2 maximum"]);
    changed.reset();
    std::fs::remove_file(changed.root().join("a.py")).unwrap();
    changed.write("b.py", &format!("{FLAT}\n\n{DEEP}"));
    assert_eq!(reasons(), Vec::<String>::new(), "it moved");
}

#[test]
fn new_findings_of_a_change_can_be_limited() {
    let limits = MetricLimits { new_findings: Some(0.0), ..MetricLimits::default() };
    let changed = Changed::of(&[("b.py", FLAT)]).with(config(limits));
    changed.write("b.py", &format!("import os\n\n\n{FLAT}"));
    let report = changed.verdict();
    assert_eq!(
        about_limits(&report.reasons, "new_findings"),
        ["new_findings: the change brings 1, and at most 0 may come"]
    );
}

#[test]
fn an_unknown_metric_is_an_error_with_the_nearest_name() {
    let folder = tempfile::tempdir().unwrap();
    let load = |text: &str| {
        std::fs::write(folder.path().join("tapps-mcp.toml"), text).unwrap();
        load_config(&Sources { root: folder.path().to_owned(), ..Sources::default() })
    };
    let error = load("[gates.team.limits]\ncognitiv_complexity = 10\n").unwrap_err();
    assert!(
        error.message().contains("tapps-mcp.toml:2: unknown key `gates.team.limits.cognitiv_complexity`"),
        "{error}"
    );
    assert!(error.body().hint.as_ref().unwrap().starts_with("did you mean cognitive_complexity"), "{error:?}");
    let error = load("[gates.team.limits]\nduplication = 101\n").unwrap_err();
    assert!(error.message().contains("a number from 0 to 100"), "{error}");
    let config = load("[gates.team.limits]\nfunction_length = 40\ncoverage = 10\n").unwrap().config;
    let gate = config.gate(Some("team")).unwrap();
    assert_eq!((gate.limits.function_length, gate.coverage), (Some(40.0), 10.0));
}
