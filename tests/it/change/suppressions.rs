//! Comments that hide findings: which are forgiven, which block, and what is told of them.

use tapps_config::{ChangeConfig, Config};
use tapps_quality::change::report::{SuppressionChange, SuppressionState};

use super::support::{Changed, file};

const GOOD: &str = "\"\"\"Adds.\"\"\"\n\nimport subprocess\n\n\ndef add(left: int, right: int) -> int:\n    \"\"\"Adds two numbers.\"\"\"\n    return left + right\n\n\ndef listing() -> bytes:\n    \"\"\"Lists.\"\"\"\n    return subprocess.check_output([\"ls\"])\n";

/// What is told of the new entries of a file after a change of it.
fn told(changed: &Changed, path: &str) -> (bool, Vec<String>, Vec<String>) {
    let report = changed.verdict();
    let entries = &file(&report, path).suppressions;
    let new = entries.iter().filter(|one| one.state == SuppressionState::New);
    (report.passed, new.map(SuppressionChange::describe).collect(), report.reasons)
}

/// The verdict on one more function in a good file.
fn with(addition: &str) -> (bool, Vec<String>, Vec<String>) {
    let changed = Changed::of(&[("good.py", GOOD)]);
    changed.write("good.py", &format!("{GOOD}{addition}"));
    told(&changed, "good.py")
}

#[test]
fn one_that_names_its_rule_and_gives_a_reason_is_forgiven_and_listed() {
    for (line, expected) in [
        (
            "import os  # noqa: F401 - callers take it from here",
            "line 14: noqa F401 hides ruff:F401: callers take it from here",
        ),
        (
            "VALUE: int = \"x\"  # type: ignore[assignment]  # the stub is wrong here",
            "line 14: type-ignore assignment hides mypy:assignment: the stub is wrong here",
        ),
        (
            "assert add(1, 2) == 3  # nosec B101 - a check at import time",
            "line 14: nosec B101 hides bandit:B101: a check at import time",
        ),
    ] {
        let (passed, entries, reasons) = with(&format!("{line}\n"));
        assert!(passed, "{line}: {reasons:?}");
        assert_eq!(entries, [expected]);
    }
}

#[test]
fn one_without_a_rule_or_a_reason_blocks() {
    for (line, expected) in [
        ("import os  # noqa", "hides ruff:E402 and 1 more and names no rule"),
        ("import os  # noqa: F401", "hides ruff:F401 and gives no reason"),
        ("VALUE: int = \"x\"  # type: ignore", "hides mypy:assignment and names no rule"),
        ("VALUE: int = \"x\"  # type: ignore[assignment]", "hides mypy:assignment and gives no reason"),
        ("# ruff: noqa", "hides everything in the file, whatever comes"),
        ("# mypy: ignore-errors", "hides everything in the file, whatever comes"),
        ("if add(1, 2) == 4:  # pragma: no cover\n    add(2, 2)", "hides what no-cover would say and gives no reason"),
    ] {
        let (passed, _, reasons) = with(&format!("{line}\n"));
        assert!(!passed, "{line}");
        assert!(reasons.iter().any(|reason| reason.ends_with(expected)), "{line}: {reasons:?}");
    }
}

#[test]
fn what_blocks_by_itself_can_only_be_admitted_by_the_base() {
    let line = "subprocess.call(listing(), shell=True)  # nosec B602 - the text is a constant\n";
    let (passed, _, reasons) = with(line);
    assert!(!passed);
    assert_eq!(
        reasons,
        ["good.py: suppression at line 14: hides bandit:B602, which only `change.allow` in the base can admit"]
    );
    let allow = vec!["bandit:B602 *.py".to_owned()];
    let config = Config { change: ChangeConfig { allow, ..ChangeConfig::default() }, ..Config::default() };
    let changed = Changed::of(&[("good.py", GOOD)]).with(config);
    changed.write("good.py", &format!("{GOOD}{line}"));
    let (passed, entries, reasons) = told(&changed, "good.py");
    assert!(passed, "{reasons:?}");
    assert_eq!(entries, ["line 14: nosec B602 hides bandit:B602: the text is a constant"]);
}

#[test]
fn an_undefined_name_is_not_excused_by_a_type_comment() {
    let (passed, _, reasons) = with("VALUE = undefined_name  # type: ignore[name-defined]  # comes from the shell\n");
    assert!(!passed);
    assert!(reasons[0].contains("hides ruff:F821") || reasons[0].contains("hides mypy:name-defined"), "{reasons:?}");
}

#[test]
fn one_that_stood_in_the_base_is_left_alone_wherever_it_moves() {
    let old =
        format!("{GOOD}\n\ndef run(command: str) -> int:\n    return subprocess.call(command, shell=True)  # nosec\n");
    let changed = Changed::of(&[("good.py", &old), ("other.py", "\"\"\"Other.\"\"\"\n")]);
    let (head, tail) = old.split_at(GOOD.len());
    changed.write("good.py", &format!("\"\"\"Adds, and more.\"\"\"\n\n{}", &old["\"\"\"Adds.\"\"\"\n\n".len()..]));
    assert_eq!(told(&changed, "good.py"), (true, vec![], vec![]));
    changed.write("good.py", head);
    changed.write("other.py", &format!("\"\"\"Other.\"\"\"\n\nimport subprocess\n{tail}"));
    assert_eq!(told(&changed, "other.py"), (true, vec![], vec![]));
}

#[test]
fn a_preset_limits_how_many_a_change_may_bring() {
    let lines: String = ["os", "sys", "json"]
        .map(|name| format!("import {name}  # noqa: F401, E402 - callers take it from here\n"))
        .concat();
    for (most, passes) in [(3, true), (2, false)] {
        let settings = format!("gates.standard.new_suppressions = {most}\n");
        let changed = Changed::of(&[("good.py", GOOD), ("tapps-mcp.toml", &settings)]);
        changed.write("good.py", &format!("{GOOD}{lines}TOTAL = add(1, 2)  # noqa: F841 - this one hides nothing\n"));
        // More may not come by the change itself.
        changed.write("tapps-mcp.toml", "gates.standard.new_suppressions = 9\n");
        let report = changed.verdict_from_settings();
        let reason = format!("suppressions: the change brings 3, and at most {most} may come");
        assert_eq!((report.passed, report.reasons), (passes, if passes { vec![] } else { vec![reason] }));
    }
    let member = "gates.standard.new_suppressions = 0\n";
    let changed = Changed::of(&[("good.py", GOOD), ("shop/good.py", GOOD), ("shop/tapps-mcp.toml", member)]);
    changed.write("good.py", &format!("{GOOD}{lines}"));
    assert!(changed.verdict_from_settings().passed);
    changed.write("shop/good.py", &format!("{GOOD}{lines}"));
    let reasons = changed.verdict_from_settings().reasons;
    assert_eq!(reasons, ["suppressions: the change brings 3 to shop, and at most 0 may come"]);
}

#[test]
fn scripts_have_their_own_words() {
    let text = "/** Adds. */\nexport function add(left: number, right: number): number {\n  return left + right;\n}\n";
    for (line, refused) in [
        ("// @ts-ignore\nexport const port: number = add(1, 2);\n", true),
        (
            "// @ts-expect-error the declaration lags behind the release\nexport const port: number = add(1, 2);\n",
            false,
        ),
        ("/* eslint-disable */\n", true),
        ("// @ts-nocheck\n", true),
        ("// eslint-disable-next-line no-console -- operators read this line\nadd(1, 2);\n", false),
    ] {
        let changed = Changed::of(&[("add.ts", text)]);
        changed.write("add.ts", &format!("{line}{text}"));
        let (passed, _, reasons) = told(&changed, "add.ts");
        assert_eq!(!passed, refused, "{line}: {reasons:?}");
    }
}

#[test]
fn one_that_hides_nothing_is_told_and_blocks_nothing() {
    let (passed, entries, reasons) = with("TOTAL = add(1, 2)  # noqa: F841 - left from an older version\n");
    assert!(passed, "{reasons:?}");
    assert_eq!(entries, ["line 14: noqa F841 hides nothing: left from an older version"]);
}

/// What an old comment hid may be gone, by the change or before it. It is told as what stood there, and blocks nothing; of a
/// rule that nobody asks about here it is not known.
#[test]
fn an_old_one_that_hides_nothing_any_more_is_told() {
    let text = "import os  # noqa: F401\nimport subprocess\n\nsubprocess.call(\"ls\", shell=True)  # nosec B602\n\nTOTAL = 1  # noqa: D102\n";
    let changed = Changed::of(&[("old.py", text)]);
    let idle = || -> Vec<String> {
        let report = changed.verdict();
        assert!(report.passed, "{:?}", report.reasons);
        file(&report, "old.py").idle_suppressions().map(SuppressionChange::describe).collect()
    };
    changed.write("old.py", &format!("{text}LIMIT = 3\n"));
    assert_eq!(idle(), [""; 0]);
    let hides = |line: u32| -> Vec<String> {
        let report = changed.verdict();
        let entries = file(&report, "old.py").suppressions.clone();
        let one = entries.into_iter().find(|one| one.suppression.line == line).unwrap();
        assert_eq!(one.state, SuppressionState::Existing);
        one.hides.into_iter().map(|hidden| hidden.rule).collect()
    };
    assert_eq!((hides(1), hides(4), hides(6)), (vec!["ruff:F401".to_owned()], vec!["bandit:B602".to_owned()], vec![]));
    changed.write("old.py", &format!("{text}HERE = os.curdir\n"));
    assert_eq!(idle(), ["line 1: noqa F401 hides nothing any more"]);
    changed.write("old.py", &text.replace("call(\"ls\", shell=True)", "list2cmdline([\"ls\"])"));
    assert_eq!(idle(), ["line 4: nosec B602 hides nothing any more"]);
}
