//! Whatever makes a finding: its rule stands in the one union, and says the same of it.

use std::collections::BTreeSet;
use std::path::Path;

use tapps_base::finding::{Finding, Tool};
use tapps_base::source::Source;
use tapps_project::validate::{self, ConfigKind};
use tapps_quality::result::AnalysisMode;
use tapps_quality::rules;

use crate::scoring::support::Project;

/// The rule of a finding; what a finding may decide for itself is left out.
fn check(finding: &Finding, seen: &mut BTreeSet<String>) {
    let rule = rules::find_rule(&finding.rule).unwrap_or_else(|| panic!("{} is not in the union", finding.rule));
    assert_eq!((rule.tool, rule.category), (finding.tool, finding.category), "{}", finding.rule);
    assert!(rule.cwe.is_none() || finding.cwe.is_some(), "{}", finding.rule);
    if matches!(finding.tool, Tool::Tapps | Tool::Secrets) {
        assert!(finding.help.is_some(), "{}", finding.rule);
    }
    seen.insert(finding.rule.clone());
}

fn copy_defects(to: &Path) {
    let defects = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/calibration/defects");
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(defects).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
}

#[test]
fn every_finding_of_a_score_has_its_rule_in_the_union() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let folder = crate::toolchain_support::folder();
    let root = folder.path().join("all");
    std::fs::create_dir(&root).unwrap();
    for part in ["shop", "script"] {
        crate::toolchain_support::copy_tree(&fixtures.join(part), &root.join(part));
    }
    copy_defects(&root.join("defects"));
    for (number, example) in rules::all_rules().flat_map(|rule| rule.examples).enumerate() {
        let extension = Path::new(example.path).extension().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
        if matches!(extension, "c" | "cpp" | "go" | "h" | "hpp" | "java" | "py" | "rs" | "ts" | "tsx") {
            std::fs::create_dir_all(root.join("examples")).unwrap();
            std::fs::write(root.join(format!("examples/e{number}.{extension}")), example.bad).unwrap();
        }
    }
    let report = Project::at(&root).scores(&["."], AnalysisMode::Full).unwrap();
    let mut seen = BTreeSet::new();
    for finding in report.files.iter().flat_map(|file| &file.findings) {
        check(finding, &mut seen);
    }
    for known in [
        "tapps:syntax-error",
        "tapps:no-ci",
        "tapps:untested-module",
        "ruff:F401",
        "bandit:B602",
        "tapps:eval",
        "tapps:sql-format",
    ] {
        assert!(seen.contains(known), "{known}: {seen:?}");
    }
    assert!(seen.iter().any(|name| name.starts_with("mypy:")), "{seen:?}");
    assert!(seen.len() > 80, "{}: {seen:?}", seen.len());
}

#[test]
fn every_finding_about_configuration_has_its_rule_in_the_union() {
    let mut seen = BTreeSet::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/config");
    for entry in std::fs::read_dir(fixtures).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let kind = if name.ends_with("Dockerfile") { ConfigKind::Dockerfile } else { ConfigKind::DockerCompose };
        for finding in validate::judge_config_file(&Source::new(name.as_str(), std::fs::read(&path).unwrap()), &[kind])
        {
            check(&finding, &mut seen);
        }
    }
    assert!(seen.len() > 30, "{}: {seen:?}", seen.len());
}
