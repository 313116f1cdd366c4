//! Passing without mending: tests made weaker and code out of sight.

use super::support::{Changed, file};

const CODE: &str = "\"\"\"Rates.\"\"\"\n\n\ndef rate(weight: int) -> int:\n    \"\"\"The price of a weight.\"\"\"\n    return weight * 3\n\n\ndef label(weight: int) -> str:\n    \"\"\"The name of a weight.\"\"\"\n    return f\"{weight} kg\"\n";
const TESTS: &str = "from rates import label, rate\n\n\ndef test_rate():\n    assert rate(1) == 3\n    assert rate(0) == 0\n\n\ndef test_label():\n    assert label(2) == \"2 kg\"\n";

fn changed() -> Changed {
    Changed::of(&[("rates.py", CODE), ("tests/test_rates.py", TESTS)])
}

/// The kinds that are told of the tests after their text was changed.
fn kinds_after(change: &[(&str, &str)]) -> Vec<String> {
    let changed = changed();
    let text = change.iter().fold(TESTS.to_owned(), |text, (old, new)| {
        assert_eq!(text.matches(old).count(), 1, "{old}");
        text.replace(old, new)
    });
    changed.write("tests/test_rates.py", &text);
    let report = changed.verdict();
    let kinds: Vec<String> =
        file(&report, "tests/test_rates.py").evasions.iter().map(|one| one.kind.to_string()).collect();
    assert_eq!(report.passed, kinds.is_empty(), "{:?}", report.reasons);
    kinds
}

#[test]
fn each_way_to_weaken_a_test_is_told() {
    let deleted = "def test_label():\n    assert label(2) == \"2 kg\"\n";
    for (change, expected) in [
        ((deleted, ""), "deleted-test"),
        (("def test_label", "def check_label"), "deleted-test"),
        (("def test_label", "@pytest.mark.skip\ndef test_label"), "skipped-test"),
        (("    assert label(2)", "    return\n    assert label(2)"), "skipped-test"),
        (("    assert rate(0) == 0\n", ""), "fewer-assertions"),
        (("assert rate(0) == 0", "assert rate(0) == 0 or True"), "hollow-assertion"),
        (("assert rate(0) == 0", "assert True"), "hollow-assertion"),
        (
            (
                "    assert label(2) == \"2 kg\"",
                "    try:\n        assert label(2) == \"2 kg\"\n    except AssertionError:\n        pass",
            ),
            "swallowed-failure",
        ),
    ] {
        assert_eq!(kinds_after(&[change]), [expected], "{change:?}");
    }
}

#[test]
fn a_test_less_is_told_where_more_is_stated() {
    let changed = changed();
    let more = "\n\ndef test_heavy():\n    assert rate(100) == 300\n    assert rate(200) == 600\n";
    let deleted = TESTS.split("\n\ndef test_label").next().unwrap();
    changed.write("tests/test_rates.py", &format!("{deleted}{more}"));
    let report = changed.verdict();
    assert!(report.passed, "{:?}", report.reasons);
    let told: Vec<String> = file(&report, "tests/test_rates.py").told_evasions().map(|one| one.describe()).collect();
    assert_eq!(told, ["deleted-test: the test test_label is gone, and what it tested is still there"]);
}

#[test]
fn honest_changes_of_tests_are_not_told() {
    for change in [
        vec![("assert rate(0) == 0", "assert rate(0) == 0, \"nothing costs nothing\"")],
        vec![("def test_rate()", "def test_rates_of_weights()")],
        vec![("assert rate(1) == 3", "assert rate(1) == 1 + 2\n    assert rate(2) == 6")],
        vec![("def test_label():", "def test_label():\n    if rate(1) == 4:\n        return")],
        vec![
            ("def test_label():\n    assert label(2) == \"2 kg\"\n", ""),
            (
                "def test_rate():",
                "def test_labels():\n    for weight in (1, 2):\n        assert label(weight) == f\"{weight} kg\"\n\n\ndef test_rate():",
            ),
        ],
    ] {
        assert_eq!(kinds_after(&change), Vec::<String>::new(), "{change:?}");
    }
}

#[test]
fn a_test_goes_with_the_code_that_it_tested() {
    let changed = changed();
    let code = CODE.split("\n\ndef label").next().unwrap();
    changed.write("rates.py", code);
    let tests = TESTS.split("\n\ndef test_label").next().unwrap().replace("label, rate", "rate");
    changed.write("tests/test_rates.py", &tests);
    let report = changed.verdict();
    assert!(report.passed, "{:?}", report.reasons);
}

#[test]
fn tests_may_move_and_may_not_get_a_name_by_which_nobody_finds_them() {
    let changed = changed();
    changed.git(&["mv", "tests/test_rates.py", "tests/test_prices.py"]);
    assert!(changed.verdict().passed);
    changed.git(&["mv", "tests/test_prices.py", "tests/prices.py"]);
    let report = changed.verdict();
    assert_eq!(report.reasons.len(), 2, "{:?}", report.reasons);
    assert!(report.reasons.iter().all(|reason| reason.contains("deleted-test")), "{:?}", report.reasons);
}

#[test]
fn code_out_of_sight_is_told() {
    let changed = changed();
    changed.git(&["mv", "rates.py", "rates.py.txt"]);
    let report = changed.verdict();
    assert!(report.reasons.iter().any(|reason| reason.contains("left-scope")), "{:?}", report.reasons);
    // A second file that looks like it does not make a copy of the first.
    changed.write("zone.py", &CODE.replace("kg", "lb"));
    let report = changed.verdict();
    assert!(report.reasons.iter().any(|reason| reason.contains("left-scope")), "{:?}", report.reasons);
    std::fs::remove_file(changed.project.path("zone.py")).unwrap();
    changed.git(&["mv", "rates.py.txt", "rates.py"]);
    changed.write("rates.py", &CODE.replace("return weight * 3", "return weight * 3  # \u{202e}free"));
    let report = changed.verdict();
    assert!(report.reasons.iter().any(|reason| reason.contains("invisible-text at line 6")), "{:?}", report.reasons);
    changed.write("rates.py", &format!("# -*- coding: utf-7 -*-\n{CODE}"));
    let report = changed.verdict();
    assert!(report.reasons.iter().any(|reason| reason.contains("invisible-text")), "{:?}", report.reasons);
}
