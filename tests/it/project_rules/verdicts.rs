//! A project's own rules in scores, gates and verdicts on changes.

use tapps_base::ErrorCode;
use tapps_quality::change::ChangeRequest;
use tapps_quality::change::report::{FindingState, PolicyOrigin};
use tapps_quality::result::AnalysisMode;
use tapps_report::{QualityReport, ReportFormat};

use crate::change::support::{Changed, told};
use crate::scoring::support::Project;

const RULES: &str = ".tapps-mcp/rules/house.yml";

const GOOD: &str = "\"\"\"Adds.\"\"\"\n\n\ndef add(left: int, right: int) -> int:\n    \"\"\"Adds two numbers.\"\"\"\n    return left + right\n";

const BAD: &str = "\n\ndef show(text: str) -> None:\n    \"\"\"Shows a text.\"\"\"\n    legacy_log(text)\n";

fn rule(severity: &str, more: &str) -> String {
    format!(
        "id: no-legacy-log\nlanguage: python\nseverity: {severity}\nmessage: legacy_log is going away\n\
         rule: {{pattern: legacy_log($$$)}}\n{more}"
    )
}

fn project(rule: &str) -> Project {
    let code = format!("from log import legacy_log\n{GOOD}{BAD}");
    Project::of(&[("a.py", code.as_bytes()), ("good.py", GOOD.as_bytes()), (RULES, rule.as_bytes())])
}

#[test]
fn a_finding_costs_what_its_rule_says_in_quick_and_full() {
    let project = project(&rule("low", "cost: 2\ncategory: performance\n"));
    for mode in [AnalysisMode::Quick, AnalysisMode::Full] {
        let score = project.try_score("a.py", mode).unwrap();
        let [finding] = score.findings.iter().filter(|one| one.rule == "project:no-legacy-log").collect::<Vec<_>>()[..]
        else {
            panic!("{:?}", score.findings)
        };
        assert_eq!((finding.line, finding.column, finding.message.as_str()), (12, 5, "legacy_log is going away"));
        let deducted = &score.categories[&finding.category].deductions;
        assert!(deducted.iter().any(|one| one.rule == finding.rule && (one.points - 2.0).abs() < 1e-9), "{deducted:?}");
    }
}

#[test]
fn the_digest_of_the_configuration_has_the_rules_in_it() {
    let project = project(&rule("low", ""));
    let with = project.quick("a.py").config_digest;
    project.write(RULES, rule("high", "").as_bytes());
    let other = project.quick("a.py").config_digest;
    std::fs::remove_file(project.path(RULES)).unwrap();
    let without = project.quick("a.py").config_digest;
    assert!(with != other && other != without && with != without);
    assert_eq!(without, project.engine().config().score_digest().unwrap());
}

#[test]
fn a_gate_fails_by_what_the_project_calls_critical() {
    let project = project(&rule("critical", ""));
    let report = project.gate(&["a.py", "good.py"]);
    let failures: Vec<_> = report.files.iter().map(|file| (file.file.as_str(), file.passed)).collect();
    assert_eq!(failures, [("a.py", false), ("good.py", true)]);
    assert!(report.files[0].failures[0].starts_with("project:no-legacy-log at line 12: "), "{report:?}");
}

#[test]
fn reports_say_what_the_rule_says() {
    let report = project(&rule("high", "note: Write to the new log.\n")).gate(&["a.py"]);
    let text = ReportFormat::Sarif.render(&QualityReport::of_gate(&report)).unwrap();
    let sarif: serde_json::Value = serde_json::from_str(&text).unwrap();
    let run = &sarif["runs"][0];
    let named = |list: &serde_json::Value, key: &str| {
        list.as_array().unwrap().iter().find(|one| one[key] == "project:no-legacy-log").unwrap().clone()
    };
    let declared = named(&run["tool"]["driver"]["rules"], "id");
    assert_eq!(declared["help"]["text"], "Write to the new log.");
    let result = named(&run["results"], "ruleId");
    assert_eq!(result["message"]["text"], "legacy_log is going away");
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 12);
}

#[test]
fn rules_that_cannot_be_used_are_an_error_and_no_green_verdict() {
    let project = project("id: a\nlanguage: python\nrule: {patern: x}\n");
    let request = tapps_quality::requests::GateRequest { paths: vec!["good.py".to_owned()], ..Default::default() };
    let errors = [
        project.gate_by(request).unwrap_err(),
        project.try_score("good.py", AnalysisMode::Quick).unwrap_err(),
        project.try_score("good.py", AnalysisMode::Full).unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.code(), ErrorCode::ConfigError);
        assert!(error.message().contains(RULES) && error.message().contains("`patern`"), "{error}");
        assert!(error.body().hint.is_some());
    }
}

#[test]
fn a_change_is_judged_by_the_rules_of_its_base() {
    let changed = Changed::of(&[("a.py", GOOD), (RULES, &rule("critical", ""))]);
    changed.write("a.py", &format!("from log import legacy_log\n{GOOD}{BAD}"));
    let report = changed.verdict();
    assert!(!report.passed);
    assert_eq!(report.policy.origin, PolicyOrigin::Unchanged);
    assert_eq!(told(&report, FindingState::New), ["a.py:12 project:no-legacy-log"]);
    // Neither without the rule nor with a milder one does the change pass.
    std::fs::remove_file(changed.root().join(RULES)).unwrap();
    let report = changed.verdict();
    assert_eq!((report.passed, report.policy.origin), (false, PolicyOrigin::Base));
    assert_eq!(
        (report.policy.changes[0].file.as_str(), report.policy.changes[0].what.as_slice()),
        (RULES, &["removed".to_owned()][..])
    );
    changed.write(RULES, &rule("low", ""));
    assert!(!changed.verdict().passed);
}

#[test]
fn rules_that_a_change_brings_do_not_count_yet() {
    let changed = Changed::of(&[("a.py", GOOD)]);
    changed.write("a.py", &format!("from log import legacy_log\n{GOOD}{BAD}"));
    changed.write(RULES, &rule("critical", ""));
    let report = changed.verdict();
    assert_eq!(told(&report, FindingState::New), Vec::<String>::new(), "{report:?}");
    assert_eq!(report.policy.origin, PolicyOrigin::Defaults);
}

#[test]
fn what_stood_before_is_not_held_against_a_change() {
    let code = format!("from log import legacy_log\n{GOOD}{BAD}");
    let changed = Changed::of(&[("a.py", &code), (RULES, &rule("critical", ""))]);
    changed.write("a.py", &code.replace("Shows a text", "Shows one text"));
    let report = changed.verdict();
    assert!(report.passed, "{:?}", report.reasons);
}

#[test]
fn a_change_may_mend_rules_of_its_base_that_cannot_be_used() {
    let changed = Changed::of(&[("a.py", GOOD), (RULES, "id: [\n")]);
    changed.write("a.py", &GOOD.replace("Adds two", "Adds both"));
    assert_eq!(changed.judge(&ChangeRequest::default()).unwrap_err().code(), ErrorCode::ConfigError);
    changed.write(RULES, &rule("low", ""));
    let report = changed.verdict();
    assert!(report.passed, "{:?}", report.reasons);
    assert!(report.policy.note.as_ref().unwrap().contains("none of them count"), "{:?}", report.policy);
}

#[test]
fn a_comment_that_hides_a_finding_is_in_the_ledger() {
    let changed = Changed::of(&[("a.py", GOOD), (RULES, &rule("high", ""))]);
    let hide = |comment: &str| {
        let code = format!("from log import legacy_log\n{GOOD}{BAD}");
        changed.write("a.py", &code.replace("legacy_log(text)", &format!("legacy_log(text)  # {comment}")));
        let report = changed.verdict();
        let file = crate::change::support::file(&report, "a.py");
        assert_eq!(file.suppressions.len(), 1, "{comment}: {report:?}");
        let hides: Vec<String> = file.suppressions[0].hides.iter().map(|one| one.rule.clone()).collect();
        (hides, report.passed)
    };
    let hidden = vec!["project:no-legacy-log".to_owned()];
    assert_eq!(hide("ast-grep-ignore: no-legacy-log"), (hidden.clone(), false), "it gives no reason");
    assert_eq!(hide("ast-grep-ignore"), (hidden.clone(), false), "it names no rule");
    assert_eq!(hide("ast-grep-ignore: no-legacy-log the old service reads it"), (hidden, true));
    assert_eq!(hide("ast-grep-ignore: other"), (Vec::new(), true), "it hides nothing");
}
