//! What blocks a change and what does not.

use tapps_quality::change::report::{ChangeReport, ChangeVerdict, FileStatus, FindingState};

use super::support::{Changed, assert_adds_up, file, told};

/// Far below every preset, for reasons that nobody touches here.
const OLD: &str = "import os\nimport subprocess\n\n\ndef run(command):\n    os.system(command)\n    return subprocess.call(command, shell=True)\n\n\ndef show(value):\n    eval(value)\n    exec(value)\n    return value\n";
const GOOD: &str = "\"\"\"Adds.\"\"\"\n\n\ndef add(left: int, right: int) -> int:\n    \"\"\"Adds two numbers.\"\"\"\n    return left + right\n";
/// A function with this many branches.
fn branches(count: usize) -> String {
    let arms: String = (0..count).map(|arm| format!("    if value == {arm}:\n        return {}\n", arm * 3)).collect();
    format!(
        "\"\"\"Chooses.\"\"\"\n\n\ndef choose(value: int) -> int:\n    \"\"\"Chooses.\"\"\"\n{arms}    return value\n"
    )
}

#[test]
fn a_harmless_line_in_a_file_with_old_debt_passes_and_debt_on_top_does_not() {
    let changed = Changed::of(&[("old.py", OLD), ("good.py", GOOD)]);
    assert!(!changed.project.gate(&["old.py"]).passed, "it is below the preset as a whole");
    changed.write("old.py", &format!("{OLD}\n\nLIMIT = 3\n"));
    let report = changed.verdict();
    assert_adds_up(&report);
    assert!(report.passed, "{:?}", report.reasons);
    assert_eq!(told(&report, FindingState::New), Vec::<String>::new());

    changed.write("old.py", &format!("{OLD}\n\ndef more(value):\n    return eval(value)\n"));
    let report = changed.verdict();
    assert_eq!(report.verdict, ChangeVerdict::Blocked);
    assert_eq!(told(&report, FindingState::New), ["old.py:17 bandit:B307"]);
    assert_eq!(report.next[0].rule, "bandit:B307");
}

#[test]
fn a_costly_addition_to_a_good_file_is_seen() {
    let changed = Changed::of(&[("good.py", GOOD)]);
    let nested = "\n\ndef triple(rows: list[list[list[int]]]) -> int:\n    total = 0\n    for row in rows:\n        for other in rows:\n            for third in rows:\n                total += len(row) + len(other) + len(third)\n    return total\n";
    changed.write("good.py", &format!("{GOOD}{nested}"));
    let report = changed.verdict();
    assert_eq!(report.verdict, ChangeVerdict::Worse);
    assert!(report.points.new > 0.3, "{:?}", report.points);
    assert!(report.passed);
}

#[test]
fn a_measure_that_rises_is_worsened_and_one_that_falls_is_mended_in_part() {
    let changed = Changed::of(&[("a.py", &branches(20))]);
    changed.write("a.py", &branches(21));
    let report = changed.verdict();
    assert_adds_up(&report);
    let one = file(&report, "a.py").findings_in(FindingState::Worsened).next().unwrap();
    assert_eq!(
        (one.finding.rule.as_str(), one.measured_before, one.finding.measure),
        ("tapps:complex-block", Some(21), Some(22))
    );
    assert!(report.points.worsened > 0.0 && report.points.new == 0.0, "{:?}", report.points);
    let risen = &file(&report, "a.py").risen;
    assert_eq!((risen.len(), risen[0].name.as_str(), risen[0].before, risen[0].after), (1, "choose", 21, 22));

    changed.write("a.py", &branches(14));
    let report = changed.verdict();
    assert_eq!(report.verdict, ChangeVerdict::Improved);
    assert!(report.points.mended > 0.0, "{:?}", report.points);
}

#[test]
fn an_added_file_is_judged_by_what_is_new_in_it() {
    let changed = Changed::of(&[("good.py", GOOD), ("old.py", OLD)]);
    changed.write("fresh.py", OLD);
    let report = changed.verdict();
    assert_eq!(report.verdict, ChangeVerdict::Blocked);
    assert_eq!(file(&report, "fresh.py").status, FileStatus::Added);
    assert!(
        report.reasons.iter().any(|reason| reason.starts_with("fresh.py: overall: what is new in it leaves")),
        "{:?}",
        report.reasons
    );
    // The same code, moved there.
    std::fs::remove_file(changed.project.path("old.py")).unwrap();
    let report = changed.verdict();
    assert!(report.passed, "{:?}", report.reasons);
}

#[test]
fn a_copy_names_its_origin_and_what_it_brings_is_new() {
    let changed = Changed::of(&[("old.py", OLD), ("good.py", GOOD)]);
    changed.write("old.py", &format!("{OLD}\n\nLIMIT = 3\n"));
    changed.write("copy.py", &format!("{OLD}\n\nOTHER = 3\n"));
    let report = changed.verdict();
    let copy = file(&report, "copy.py");
    assert_eq!((copy.status, copy.old_file.as_deref()), (FileStatus::Copied, Some("old.py")));
    assert_eq!((copy.before, copy.points), (None, None), "the base has no such file");
    // What a file says of itself; that the project has no tests was true before.
    let new_in = |report: &ChangeReport, path: &str| {
        file(report, path).findings_in(FindingState::New).filter(|one| one.finding.line > 0).count()
    };
    assert_eq!((new_in(&report, "copy.py"), new_in(&report, "old.py")), (5, 0), "{:?}", report.counts);
    assert!(copy.blocked.iter().any(|reason| reason.starts_with("bandit:B605 at line 6")), "{:?}", copy.blocked);
    assert_eq!(report.verdict, ChangeVerdict::Blocked, "a copy of debt is more debt");

    // Two files out of one that is gone: what moved is not new, and what is there twice is new once.
    std::fs::remove_file(changed.project.path("old.py")).unwrap();
    let moved = changed.verdict();
    assert!(moved.passed, "{:?}", moved.reasons);
    assert_eq!(file(&moved, "copy.py").status, FileStatus::Renamed);
    changed.write("second.py", &format!("{OLD}\n\nSECOND = 3\n"));
    let report = changed.verdict();
    let statuses = ["copy.py", "second.py"].map(|path| file(&report, path).status);
    assert_eq!(statuses, [FileStatus::Copied, FileStatus::Renamed]);
    assert!(["copy.py", "second.py"].iter().all(|path| file(&report, path).old_file.as_deref() == Some("old.py")));
    assert_eq!((new_in(&report, "copy.py"), new_in(&report, "second.py")), (5, 0));
}

#[test]
fn what_does_not_parse_blocks_and_mends_nothing() {
    let changed = Changed::of(&[("old.py", OLD)]);
    changed.write("old.py", "def broken(:\n");
    let report = changed.verdict();
    assert_eq!(report.verdict, ChangeVerdict::Blocked);
    assert_eq!(file(&report, "old.py").points, None);
    assert_eq!(told(&report, FindingState::Mended), Vec::<String>::new());
    changed.git(&["add", "-A"]);
    changed.git(&["commit", "-qm", "broken"]);
    changed.write("old.py", GOOD);
    let report = changed.verdict();
    assert!(report.passed, "{:?}", report.reasons);
}

#[test]
fn damage_in_a_file_that_nobody_touched_belongs_to_the_change() {
    let user = "\"\"\"Uses.\"\"\"\n\nfrom shop.prices import add\n\n\ndef use() -> int:\n    \"\"\"Uses it.\"\"\"\n    return add(1, 2)\n";
    let files = [("shop/__init__.py", ""), ("shop/prices.py", GOOD), ("shop/user.py", user), ("shop/other.py", GOOD)];
    let changed = Changed::of(&files);
    changed.write("shop/prices.py", &GOOD.replace("def add(", "def plus("));
    let report = changed.verdict();
    let reached = file(&report, "shop/user.py");
    assert_eq!((reached.status, reached.because.as_deref()), (FileStatus::Untouched, Some("shop/prices.py")));
    assert_eq!(told(&report, FindingState::New), ["shop/user.py:3 mypy:attr-defined"]);
    assert_eq!(report.verdict, ChangeVerdict::Worse);
    assert_eq!(report.files.len(), 2, "the other file uses nothing of it");
    // An argument more is another way to break who calls it.
    changed.write("shop/prices.py", &GOOD.replace("right: int)", "right: int, third: int)"));
    let report = changed.verdict();
    assert_eq!(told(&report, FindingState::New), ["shop/user.py:8 mypy:call-arg"]);
}

#[test]
fn scripts_and_go_are_judged_by_what_is_new_as_well() {
    let script = "/** Shows. */\nexport function show(text: string): void {\n  eval(text);\n}\n\n/** Adds. */\nexport function add(left: number, right: number): number {\n  return left + right;\n}\n";
    let go = "// Package shop sells.\npackage shop\n\nimport \"os/exec\"\n\n// Run runs a command.\nfunc Run(text string) error {\n\treturn exec.Command(\"sh\", \"-c\", text).Run()\n}\n";
    let changed = Changed::of(&[
        ("web/show.ts", script),
        ("shop/run.go", go),
        ("go.mod", "module example.com/shop\n\ngo 1.22\n"),
    ]);
    let (first, second) = script.split_at(script.find("\n\n").unwrap() + 2);
    let reordered = format!("{second}\n{}\n", first.trim_end().replace("  eval", "    // As it is.\n    eval"));
    changed.write("web/show.ts", &reordered);
    changed.write(
        "shop/run.go",
        &go.replace("Run(text string)", "Start(text string)").replace("// Run runs", "// Start runs"),
    );
    let report = changed.verdict();
    assert_eq!((report.verdict, told(&report, FindingState::New)), (ChangeVerdict::Neutral, vec![]));
    assert!(report.counts.existing >= 2, "{:?}", report.counts);

    changed.write(
        "web/show.ts",
        &format!(
            "{reordered}\n/** Shows again. */\nexport function again(text: string): void {{\n  eval(text + text);\n}}\n"
        ),
    );
    changed.write("shop/run.go", &format!("{go}\n// Again runs a command.\nfunc Again(text string) error {{\n\treturn exec.Command(\"sh\", \"-c\", text+text).Run()\n}}\n"));
    let report = changed.verdict();
    let new = told(&report, FindingState::New);
    let lines =
        [format!("web/show.ts:{} ", reordered.lines().count() + 4), format!("shop/run.go:{} ", go.lines().count() + 4)];
    assert!(lines.iter().all(|line| new.iter().any(|one| one.starts_with(line.as_str()))), "{new:?}");
    assert_eq!(report.verdict, ChangeVerdict::Blocked);
}

#[test]
fn secrets_in_text_are_new_once() {
    let key = format!("AKIA{}", "Q3ZR7NXW2JKD5MTB");
    let changed = Changed::of(&[("notes.txt", "nothing\n"), ("old.env", &format!("KEY={key}\n"))]);
    changed.write("notes.txt", &format!("nothing\nkey = {key}\n"));
    changed.write("old.env", &format!("KEY={key}\nMORE=1\n"));
    let report = changed.verdict();
    assert_eq!(told(&report, FindingState::New).len(), 1);
    assert_eq!(report.verdict, ChangeVerdict::Blocked);
    assert_eq!(file(&report, "notes.txt").findings.len(), 1);
}

#[test]
fn a_missing_readme_is_new_only_when_the_change_took_it_away() {
    let project = "[project]\nname = \"it\"\nversion = \"1\"\n";
    let changed = Changed::of(&[("a.py", GOOD), ("README.md", "# It\n"), ("pyproject.toml", project)]);
    changed.write("b.py", &GOOD.replace("add", "join"));
    let without_reason = told(&changed.verdict(), FindingState::New);
    assert!(
        !without_reason.iter().any(|one| one.contains("no-readme") || one.contains("no-license")),
        "{without_reason:?}"
    );
    std::fs::remove_file(changed.project.path("README.md")).unwrap();
    let taken = told(&changed.verdict(), FindingState::New);
    assert!(taken.iter().any(|one| one == "b.py:0 tapps:no-readme"), "{taken:?}");
}

#[test]
fn what_the_base_knew_as_a_baseline_does_not_count() {
    let changed = Changed::of(&[("old.py", OLD)]);
    let before = changed.project.gate(&["old.py"]);
    let baseline = tapps_quality::baseline::Baseline::from_gate_report(&before).to_text().unwrap();
    changed.write("baseline.json", &baseline);
    crate::toolchain_git_support::commit_all(changed.root(), "baseline");
    changed.write("copy.py", OLD);
    let request = tapps_quality::change::ChangeRequest {
        baseline: Some("baseline.json".to_owned()),
        ..tapps_quality::change::ChangeRequest::default()
    };
    let report = changed.judge(&request).unwrap();
    assert!(report.passed, "{:?}", report.reasons);
    assert_eq!(changed.verdict().verdict, ChangeVerdict::Blocked);
}

/// With another name, and a line of it edited, a function is what it was: its debt is no new one and none is mended.
#[test]
fn a_function_that_is_renamed_and_edited_a_little_keeps_its_findings() {
    let old = branches(20);
    let changed = Changed::of(&[("a.py", &old)]);
    let renamed = |text: &str| text.replace("def choose(value: int)", "def select(number: int, value: int)");
    changed.write("a.py", &renamed(&old).replace("return value", "return value + number"));
    let report = changed.verdict();
    assert_adds_up(&report);
    let of = |state| told(&report, state);
    assert_eq!((of(FindingState::New), of(FindingState::Mended)), (vec![], vec![]));
    assert!(of(FindingState::Existing).contains(&"a.py:4 tapps:complex-block".to_owned()), "{:?}", report.files);

    // What rises in it has risen, under the new name.
    changed.write("a.py", &renamed(&branches(23)));
    let report = changed.verdict();
    assert_eq!((report.counts.new, report.counts.worsened, report.counts.mended), (0, 1, 0));
    let risen = &file(&report, "a.py").risen;
    assert_eq!((risen.len(), risen[0].name.as_str(), risen[0].before, risen[0].after), (1, "select", 21, 24));

    // Another function in its place is another one.
    let other = "\"\"\"Chooses.\"\"\"\n\n\ndef total(rows: list[int]) -> int:\n    \"\"\"Adds.\"\"\"\n    result = 0\n    for row in rows:\n        result += row\n    return result\n";
    changed.write("a.py", other);
    assert!(changed.verdict().counts.mended > 0);
}

#[test]
fn small_losses_of_many_commits_add_up() {
    let text =
        |branch: usize| format!("{OLD}\n\n{}", branches(branch).trim_start_matches("\"\"\"Chooses.\"\"\"\n\n\n"));
    let changed = Changed::of(&[("old.py", &text(20))]);
    changed.git(&["branch", "-m", "main"]);
    changed.git(&["checkout", "--quiet", "-b", "change"]);
    let mut reasons = Vec::new();
    for branch in 21..40 {
        changed.write("old.py", &text(branch));
        changed.git(&["commit", "--quiet", "--all", "--message", "one more"]);
        let report = changed.between("HEAD~1", "HEAD");
        reasons = report.reasons;
        if !reasons.is_empty() {
            assert!(branch > 21, "one small loss passes: {reasons:?}");
            break;
        }
    }
    assert!(matches!(reasons.as_slice(), [one] if one.contains("since the default branch")), "{reasons:?}");
}
