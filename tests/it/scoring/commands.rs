//! Baselines, changed files, fixing: what teams and agents do with scores.

use std::process::Command;

use tapps_base::ErrorCode;
use tapps_config::{Config, Rules};
use tapps_quality::baseline::Baseline;
use tapps_quality::change::ChangeBase;
use tapps_quality::requests::GateRequest;

use super::support::{CLEAN, Project, block_on, call};

const OLD: &str = "import os\n\n\ndef run(command: str) -> None:\n    os.system(command)\n    os.system(command + \"x\")\n    eval(command)\n";

fn gate(project: &Project, baseline: bool) -> tapps_quality::result::GateReport {
    let baseline = baseline.then(|| "baseline.json".to_owned());
    project.gate_by(GateRequest { paths: vec!["shop".into()], baseline, ..GateRequest::default() }).unwrap()
}

#[test]
fn only_findings_outside_the_baseline_count() {
    let project = Project::of(CLEAN);
    project.write("shop/old.py", OLD.as_bytes());
    let before = gate(&project, false);
    assert!(!before.passed);
    project.write("baseline.json", Baseline::from_gate_report(&before).to_text().unwrap().as_bytes());
    assert!(gate(&project, true).passed);

    // Moving the old code keeps its forgiveness.
    project.write("shop/old.py", format!("\"\"\"Moved.\"\"\"\n\nLIMIT = 3\n\n{OLD}").as_bytes());
    assert!(gate(&project, true).passed);

    // A second copy of an old defect is new.
    project.write(
        "shop/old.py",
        format!("{OLD}    eval(command)\n    eval(command)\n    eval(command)\n    os.system(command)\n").as_bytes(),
    );
    let after = gate(&project, true);
    let old = after.files.iter().find(|file| file.file == "shop/old.py").unwrap();
    assert!(!old.passed, "{:?}", old.score);
    assert!(old.new_findings >= 4);
}

#[test]
fn only_changed_files_are_judged() {
    let project = Project::of(CLEAN);
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).current_dir(project.root()).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qm", "one"]);
    let changed = |paths: &[&str]| {
        let paths = paths.iter().map(|&p| p.to_owned()).collect();
        project.gate_by(GateRequest {
            paths,
            changed: Some(ChangeBase::MergeBase("HEAD".into())),
            ..GateRequest::default()
        })
    };
    let nothing = changed(&[]).unwrap();
    assert!(nothing.passed && nothing.files.is_empty());

    project.write("shop/prices.py", b"def total(prices):\n    return undefined\n");
    project.write("shop/new.py", b"X = 1\n");
    let report = changed(&[]).unwrap();
    let files: Vec<(&str, bool)> = report.files.iter().map(|f| (f.file.as_str(), f.passed)).collect();
    assert_eq!(files, [("shop/new.py", true), ("shop/prices.py", false)]);
    assert_eq!(changed(&["shop/new.py"]).unwrap().files.len(), 1);

    let request = GateRequest { changed: Some(ChangeBase::MergeBase("HAED".into())), ..GateRequest::default() };
    assert_eq!(project.gate_by(request).unwrap_err().code(), ErrorCode::InvalidArgument);
}

#[test]
fn fixing_reports_the_true_number_and_writes_only_safe_fixes() {
    let text = "import os\nimport sys\n\n\ndef f(a: int | None) -> str:\n    unused = 3\n    if a == None:\n        return \"\"\n    return f\"x\"\n";
    let project = Project::of(&[("a.py", text.as_bytes())]);
    let report = block_on(project.engine().fix("a.py", &call())).unwrap();
    assert_eq!(report.fixes_applied, 3);
    assert_ne!(report.before_sha256, report.after_sha256);
    let fixed = std::fs::read_to_string(project.path("a.py")).unwrap();
    assert_eq!(
        fixed,
        "\n\ndef f(a: int | None) -> str:\n    unused = 3\n    if a == None:\n        return \"\"\n    return \"x\"\n"
    );
    assert_eq!(report.score.sha256, report.after_sha256);

    let again = block_on(project.engine().fix("a.py", &call())).unwrap();
    assert_eq!((again.fixes_applied, again.after_sha256.as_str()), (0, report.after_sha256.as_str()));

    project.write("broken.py", b"import os\ndef f(:\n");
    let error = block_on(project.engine().fix("broken.py", &call())).unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidArgument);
    assert_eq!(std::fs::read(project.path("broken.py")).unwrap(), b"import os\ndef f(:\n");
    project.write("a.go", b"package a\n");
    assert_eq!(block_on(project.engine().fix("a.go", &call())).unwrap_err().code(), ErrorCode::UnsupportedLanguage);
}

#[test]
fn scripts_are_fixed_as_far_as_their_behaviour_stays() {
    let text = "label: for (const q of [1]) {\r\n  console.log(/\\_/.test(String(q)), q === NaN);\n}\nexport const s = { a: 1 as Number, n: 1!!, b: !(q) in s };\n";
    let project = Project::of(&[("a.ts", text.as_bytes())]);
    let report = block_on(project.engine().fix("a.ts", &call())).unwrap();
    assert_eq!(report.fixes_applied, 3);
    let fixed = std::fs::read_to_string(project.path("a.ts")).unwrap();
    let expected = "for (const q of [1]) {\r\n  console.log(/_/.test(String(q)), q === NaN);\n}\nexport const s = { a: 1 as Number, n: 1!, b: !(q) in s };\n";
    assert_eq!(fixed, expected);
    assert_eq!(report.score.sha256, report.after_sha256);
    let again = block_on(project.engine().fix("a.ts", &call())).unwrap();
    assert_eq!((again.fixes_applied, again.after_sha256.as_str()), (0, report.after_sha256.as_str()));
    project.write("broken.ts", b"const = ;\n");
    let error = block_on(project.engine().fix("broken.ts", &call())).unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidArgument);
}

#[test]
fn fixing_follows_the_rules_that_a_check_follows() {
    let text = "import os\nx = dict()\nprint(f\"x\")\n";
    let project = Project::of(&[
        ("a.py", text.as_bytes()),
        ("ruff.toml", b"extend = \"/etc/passwd\"\n[lint]\nselect = [\"F541\", \"F401\"]\n[lint.per-file-ignores]\n\"a.py\" = [\"F401\"]\n"),
    ])
    .with(Config { rules: Rules::Project, ..Config::default() });
    let report = block_on(project.engine().fix("a.py", &call())).unwrap();
    assert_eq!(report.fixes_applied, 1);
    let fixed = std::fs::read_to_string(project.path("a.py")).unwrap();
    assert_eq!(fixed, "import os\nx = dict()\nprint(\"x\")\n", "F401 is left out for this file");
}

#[test]
fn an_unreadable_baseline_and_an_unknown_preset_are_named() {
    let project = Project::of(CLEAN);
    project.write("baseline.json", b"{}");
    let request =
        GateRequest { paths: vec!["shop".into()], baseline: Some("baseline.json".into()), ..GateRequest::default() };
    assert_eq!(project.gate_by(request).unwrap_err().code(), ErrorCode::ConfigError);
    let request = GateRequest { paths: vec!["shop".into()], preset: Some("standrad".into()), ..GateRequest::default() };
    let error = project.gate_by(request).unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidArgument);
    assert_eq!(error.body().hint.as_deref(), Some("did you mean standard?"));
}
