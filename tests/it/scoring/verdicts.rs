//! What certain files must be told, in every mode and order.

use tapps_base::finding::Category;
use tapps_quality::requests::GateRequest;
use tapps_quality::result::AnalysisMode;

use super::support::{CLEAN, Project, block_on, blocking, call, canonical};

fn project(file: &str, text: &str) -> Project {
    let project = Project::of(CLEAN);
    project.write(file, text.as_bytes());
    project
}

/// A key of the right form that was never issued.
fn access_key() -> String {
    format!("AKIA{}", "Q3ZR7NXW2JKD5MTB")
}

#[test]
fn a_clean_file_passes_every_preset_but_for_its_missing_coverage_data() {
    let project = Project::of(CLEAN);
    let score = project.full("shop/prices.py");
    assert_eq!(score.findings.iter().filter(|f| f.line > 0).count(), 0, "{:?}", score.findings);
    assert!(!score.degraded, "{:?}", score.not_measured);
    assert_eq!(score.categories[&Category::TestCoverage].score, Some(5.0));
    for preset in ["standard", "framework", "strict"] {
        let request =
            GateRequest { paths: vec!["shop/prices.py".into()], preset: Some(preset.into()), ..GateRequest::default() };
        let report = project.gate_by(request).unwrap();
        assert!(report.passed, "{preset}: {:?}", report.files[0].failures);
        assert!(report.files[0].warnings.iter().any(|w| w.contains("no coverage data")));
    }
    let demanding =
        GateRequest { paths: vec!["shop/prices.py".into()], require_coverage: true, ..GateRequest::default() };
    assert!(!project.gate_by(demanding).unwrap().passed);
}

#[test]
fn a_syntax_error_blocks_and_is_not_scored_in_any_mode() {
    let project = project("shop/broken.py", "def f(:\n    return 1\n");
    for mode in [AnalysisMode::Quick, AnalysisMode::Full] {
        let score = project.try_score("shop/broken.py", mode).unwrap();
        assert_eq!(score.overall, None);
        assert_eq!(blocking(&score)[0], "tapps:syntax-error");
        assert!(score.categories.values().all(|category| !category.measured));
    }
    let report = project.gate(&["shop/broken.py"]);
    assert!(!report.passed);
    assert!(report.files[0].failures[0].starts_with("tapps:syntax-error at line 1"), "{:?}", report.files[0].failures);
}

#[test]
fn undefined_names_block_whatever_the_score() {
    let text = "def area(width: int) -> int:\n    return width * heigth\n\n\ndef show() -> None:\n    print(widht, heigth, colour)\n";
    let project = project("shop/names.py", text);
    for mode in [AnalysisMode::Quick, AnalysisMode::Full] {
        let score = project.try_score("shop/names.py", mode).unwrap();
        assert_eq!(blocking(&score), ["ruff:F821"; 4], "{mode:?}");
        // mypy says the same about the same lines, once is enough.
        assert!(score.findings.iter().all(|f| f.rule != "mypy:name-defined"));
    }
    let report = project.gate(&["shop/names.py"]);
    assert!(!report.passed);
    assert!(report.files[0].recommendation.contains("Undefined name"), "{}", report.files[0].recommendation);
}

#[test]
fn naming_a_dangerous_call_in_a_docstring_changes_nothing() {
    let plain = "\"\"\"Runs formulas.\"\"\"\n\n\ndef run(formula: str) -> str:\n    \"\"\"Hands a formula on.\"\"\"\n    return formula\n";
    let named = "\"\"\"Runs formulas; never calls eval(x), exec(y) or os.system(z).\"\"\"\n\n\ndef run(formula: str) -> str:\n    \"\"\"Hands a formula on; pickle.loads( is never used.\"\"\"\n    return formula\n";
    let project = project("shop/plain.py", plain);
    project.write("shop/named.py", named.as_bytes());
    let (plain, named) = (project.full("shop/plain.py"), project.full("shop/named.py"));
    assert_eq!(named.categories[&Category::Security].score, Some(10.0));
    assert_eq!(plain.overall, named.overall);
}

#[test]
fn a_real_dangerous_call_is_found() {
    let text =
        "import subprocess\n\n\ndef run(command: str) -> None:\n    subprocess.run(command, shell=True, check=True)\n";
    let project = project("shop/shell.py", text);
    let score = project.full("shop/shell.py");
    assert_eq!(score.categories[&Category::Security].score, Some(7.0));
    let finding = score.findings.iter().find(|f| f.rule == "bandit:B602").unwrap();
    assert_eq!((finding.line, finding.cwe.as_deref()), (5, Some("CWE-78")));
    assert_eq!(finding.owasp.as_ref().unwrap().y2021.as_deref().map(|o| &o[..8]), Some("A03:2021"));
}

#[test]
fn a_hundred_and_thirty_unused_locals_fail_the_gate() {
    let body: String = (0..130).map(|n| format!("    value_{n} = {n}\n")).collect();
    let project = project("shop/locals.py", &format!("def f() -> None:\n{body}"));
    let score = project.full("shop/locals.py");
    assert_eq!(score.ruff_issues.iter().filter(|issue| issue.code == "F841").count(), 130);
    assert_eq!(score.categories[&Category::Maintainability].score, Some(0.0));
    assert!(!project.gate(&["shop/locals.py"]).passed, "{:?}", score.overall);
}

#[test]
fn an_access_key_blocks_in_code_and_in_any_text_file() {
    let project = project("shop/keys.py", &format!("ACCESS = \"{}\"\n", access_key()));
    project.write("deploy.env", format!("AWS_ACCESS_KEY_ID={}\n", access_key()).as_bytes());
    for mode in [AnalysisMode::Quick, AnalysisMode::Full] {
        let score = project.try_score("shop/keys.py", mode).unwrap();
        assert_eq!(blocking(&score).len(), 1, "{:?}", score.findings);
        assert!(!canonical(&score).contains(&access_key()));
    }
    let report = project.gate(&["."]);
    let failed: Vec<&str> = report.files.iter().filter(|f| !f.passed).map(|f| f.file.as_str()).collect();
    assert_eq!(failed, ["deploy.env", "shop/keys.py"]);
    assert!(!canonical(&report).contains(&access_key()));
    let scan = block_on(project.engine().security("deploy.env", true, &call())).unwrap();
    assert!(!scan.passed);
    assert!(block_on(project.engine().security("deploy.env", false, &call())).unwrap().passed);
}

#[test]
fn files_without_logic_are_complete() {
    let project = project("shop/empty.py", "");
    project.write("shop/doc.py", b"\"\"\"Only a docstring.\"\"\"\n");
    project.write("shop/constants.py", b"LIMIT = 3\nNAMES = (\"a\", \"b\")\n");
    for file in ["shop/empty.py", "shop/doc.py", "shop/constants.py", "shop/__init__.py"] {
        let score = project.full(file);
        assert!(!score.degraded, "{file}: {:?}", score.not_measured);
        assert!(score.overall.unwrap() >= 95.0, "{file}: {:?}", score.overall);
    }
}

#[test]
fn the_order_of_calls_changes_nothing() {
    let text = "import os\n\n\ndef run(command: str) -> int:\n    unused = 1\n    return os.system(command)\n";
    let project = project("shop/order.py", text);
    let file = "shop/order.py";
    let first = canonical(&project.full(file));
    project.quick(file);
    block_on(project.engine().security(file, true, &call())).unwrap();
    let gate = project.gate(&[file]);
    project.gate(&["."]);
    assert_eq!(canonical(&gate.files[0].result), first);
    assert_eq!(canonical(&project.full(file)), first);
    let quick = project.quick(file);
    for (category, score) in quick.categories.iter().filter(|(_, score)| score.measured) {
        let full = project.full(file);
        assert_eq!(score.score, full.categories[category].score, "{category:?}");
    }
}

#[test]
fn scripts_are_scored_and_their_sinks_found() {
    let project = project(
        "web/view.ts",
        "export function show(el: HTMLElement, html: string): void {\n  el.innerHTML = html;\n}\n",
    );
    project.write("web/broken.ts", b"export function (\n");
    let score = project.full("web/view.ts");
    assert!(score.findings.iter().any(|f| f.rule == "tapps:inner-html" && f.line == 2), "{:?}", score.findings);
    assert!(score.categories[&Category::Security].score.unwrap() < 10.0);
    assert!(!score.degraded, "{:?}", score.not_measured);
    assert_eq!(project.full("web/broken.ts").overall, None);
}
