//! On a change only the copies count that it wrote.

use tapps_config::{Config, GateSpec};
use tapps_quality::change::report::{ChangeReport, FindingState};

use super::support::{Changed, assert_adds_up, told};

const RULE: &str = "tapps:duplicate-block";

fn function(name: &str, start: u32) -> String {
    format!(
        "def {name}(orders: list[int], limit: int) -> int:\n    \"\"\"Adds up.\"\"\"\n    total = {start}\n    for order in orders:\n        if order > limit:\n            total += limit\n        else:\n            total += order * 2\n    if total > limit * 10:\n        total = limit * 10 + 1\n    return total\n"
    )
}

fn other(name: &str) -> String {
    format!("def {name}(value: int) -> int:\n    \"\"\"Negates.\"\"\"\n    return -value\n")
}

fn new_copies(report: &ChangeReport) -> Vec<String> {
    assert_adds_up(report);
    let mut found: Vec<String> =
        told(report, FindingState::New).into_iter().filter(|one| one.ends_with(RULE)).collect();
    found.sort();
    found
}

#[test]
fn the_copy_is_new_and_what_it_was_made_from_is_not() {
    let changed = Changed::of(&[("a.py", &function("add", 1)), ("b.py", &other("negate"))]);
    changed.write("b.py", &format!("{}\n\n{}", other("negate"), function("sum_up", 1)));
    assert_eq!(new_copies(&changed.verdict()), [format!("b.py:7 {RULE}")]);
    // Touched as well, it is still the one that was there before.
    changed.write("a.py", &format!("{}\n\n{}", function("add", 1), other("turn")));
    assert_eq!(new_copies(&changed.verdict()), [format!("b.py:7 {RULE}")]);
    changed.write("a.py", &format!("{}\n\n{}", function("add", 1), function("again", 1)));
    assert_eq!(new_copies(&changed.verdict()), [format!("a.py:15 {RULE}"), format!("b.py:7 {RULE}")]);
}

#[test]
fn moving_and_splitting_make_no_copies() {
    let both = format!("{}\n\n{}", function("add", 1), function("sum_up", 1));
    let changed = Changed::of(&[("a.py", &both), ("b.py", &function("elsewhere", 1)), ("c.py", &other("negate"))]);
    changed.write("a.py", &function("add", 1));
    changed.write("d.py", &function("sum_up", 1));
    assert_eq!(new_copies(&changed.verdict()), Vec::<String>::new(), "a file is split");
    changed.reset();
    changed.write("a.py", &format!("{}\n\n# Twice.\n{}", other("first"), both));
    assert_eq!(new_copies(&changed.verdict()), Vec::<String>::new(), "lines move");
    changed.reset();
    std::fs::remove_file(changed.root().join("b.py")).unwrap();
    changed.write("c.py", &format!("{}\n\n{}", other("negate"), function("elsewhere", 1)));
    assert_eq!(new_copies(&changed.verdict()), Vec::<String>::new(), "code moves");
}

#[test]
fn a_preset_may_limit_copies() {
    let mut config = Config::default();
    config.gates.insert("standard".to_owned(), GateSpec { duplication: Some(30.0), ..GateSpec::default() });
    let changed = Changed::of(&[("a.py", &function("add", 1)), ("b.py", &other("negate"))]).with(config);
    changed.write("b.py", &format!("{}\n\n{}", other("negate"), function("sum_up", 1)));
    let report = changed.verdict();
    assert!(!report.passed);
    assert!(report.reasons.iter().any(|reason| reason.starts_with("b.py: duplication: ")), "{:?}", report.reasons);
    let gate = changed.project.gate(&["a.py"]);
    assert!(
        gate.files[0].failures.iter().any(|failure| failure.starts_with("duplication: ")),
        "{:?}",
        gate.files[0].failures
    );
    changed.write("b.py", &format!("{}\n\n{}", other("negate"), function("sum_up", 1).replace("order", "item")));
    assert!(changed.verdict().passed, "other names are no exact copy");
}
