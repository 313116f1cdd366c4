//! Rules that every result obeys, held on real packages.

use tapps_base::finding::Category;
use tapps_quality::result::{AnalysisMode, FileScore};

use super::support::{Project, canonical};
use crate::corpus;

/// Ten minus the deductions is the score, a hundred minus the points is the overall, every deduction names a finding.
fn adds_up(score: &FileScore) {
    for (category, result) in &score.categories {
        let Some(value) = result.score else { continue };
        let lost: f64 = result.deductions.iter().map(|deduction| deduction.points).sum();
        assert!((10.0 - lost - value).abs() < 1e-9, "{} {category:?}: {value} and {lost} lost", score.file);
        for deduction in &result.deductions {
            let named = score
                .findings
                .iter()
                .any(|f| f.fingerprint == deduction.finding && f.rule == deduction.rule && f.line == deduction.line);
            assert!(named, "{}: {deduction:?}", score.file);
        }
    }
    if let Some(overall) = score.overall {
        let lost: f64 = score.findings.iter().map(|finding| finding.points).sum();
        assert!((100.0 - lost - overall).abs() < 1e-6, "{}: {overall} and {lost} lost", score.file);
    }
    assert!(score.findings.windows(2).all(|pair| pair[0].order(&pair[1]).is_le()), "{}", score.file);
}

#[test]
fn every_point_is_explained_and_a_batch_equals_its_files() {
    let root = corpus::dir("requests");
    let project = Project::at(&root);
    let batch = project.scores(&["src"], AnalysisMode::Full).unwrap();
    assert_eq!(batch.files.len(), 18);
    for score in &batch.files {
        adds_up(score);
        assert_eq!(score.not_measured, [], "{}", score.file);
        assert_eq!(canonical(&project.full(&score.file)), canonical(score), "{}", score.file);
        let quick = project.quick(&score.file);
        adds_up(&quick);
        for (category, result) in quick.categories.iter().filter(|(_, result)| result.measured) {
            assert_eq!(result.score, score.categories[category].score, "{} {category:?}", score.file);
        }
    }
}

#[test]
fn stricter_presets_imply_laxer_ones() {
    use tapps_quality::requests::GateRequest;
    let root = corpus::dir("requests");
    let project = Project::at(&root);
    let passed = |preset: &str| -> Vec<String> {
        let request = GateRequest { paths: vec!["src".into()], preset: Some(preset.into()), ..GateRequest::default() };
        let report = project.gate_by(request).unwrap();
        report.files.into_iter().filter(|file| file.passed).map(|file| file.file).collect()
    };
    let (standard, framework, strict) = (passed("standard"), passed("framework"), passed("strict"));
    assert!(!strict.is_empty() && strict.len() <= framework.len() && framework.len() <= standard.len());
    assert!(strict.iter().all(|file| framework.contains(file)));
    assert!(framework.iter().all(|file| standard.contains(file)));
}

#[test]
fn weights_are_what_the_configuration_says() {
    use tapps_config::Config;
    let mut config = Config::default();
    config.weights.security = 0.51;
    config.weights.maintainability = 0.0;
    let project = Project::of(&[(
        "a.py",
        b"import os\nimport subprocess\n\nsubprocess.run(\"ls\", shell=True)\nx = eval(\"1\")\n",
    )])
    .with(config);
    let score = project.full("a.py");
    adds_up(&score);
    assert!((score.categories[&Category::Security].weight - 0.51).abs() < 1e-9);
    assert!(score.findings.iter().filter(|f| f.category == Category::Maintainability).all(|f| f.points == 0.0));
}

#[test]
fn bandit_itself_gives_the_same_scores() {
    use tapps_config::{Config, SecurityEngine};
    let mut config = Config::default();
    config.security.engine = SecurityEngine::Bandit;
    let root = corpus::dir("bandit");
    let paths: Vec<String> =
        corpus::files(&root.join("examples"), "py").iter().step_by(3).map(|file| format!("examples/{file}")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let native = Project::at(&root).scores(&paths, AnalysisMode::Full).unwrap();
    let bandit = Project::at(&root).with(config).scores(&paths, AnalysisMode::Full).unwrap();
    assert!(native.files.iter().map(|file| file.bandit_findings.len()).sum::<usize>() > 100);
    // Before 3.12 an interpreter knows no places inside f-strings.
    let placeless = |score: &FileScore| {
        let mut findings = score.findings.clone();
        findings.iter_mut().for_each(|finding| finding.column = 0);
        findings
    };
    for (native, bandit) in native.files.iter().zip(&bandit.files) {
        assert_eq!((native.overall, placeless(native)), (bandit.overall, placeless(bandit)), "{}", native.file);
        assert_eq!(native.bandit_findings, bandit.bandit_findings, "{}", native.file);
        assert_eq!(native.categories, bandit.categories, "{}", native.file);
        assert_ne!(native.config_digest, bandit.config_digest);
    }
}

/// Security is part of a quick score, and the same as in a full one, whether there are tools or not.
#[test]
fn a_quick_score_has_the_security_of_the_full_one() {
    let project = Project::of(&[("a.py", b"import os\n\nos.system(input())\neval(input())  # nosec B307\n")]);
    let (quick, full) = (project.quick("a.py"), project.full("a.py"));
    assert_eq!(quick.categories[&Category::Security].score, Some(7.0));
    assert_eq!(quick.categories[&Category::Security].score, full.categories[&Category::Security].score);
    assert_eq!(quick.bandit_findings, full.bandit_findings);
    let codes: Vec<&str> = quick.bandit_findings.iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!(codes, ["B605"]);
}

#[test]
fn radon_itself_gives_the_same_scores() {
    use tapps_config::{Config, MetricsProvider};
    let root = corpus::dir("requests");
    // From Python 3.12 on, radon counts inside f-strings; files without any are the same everywhere.
    let plain: Vec<String> = corpus::files(&root.join("src"), "py")
        .into_iter()
        .map(|file| format!("src/{file}"))
        .filter(|file| !std::fs::read_to_string(root.join(file)).unwrap().contains("f\""))
        .collect();
    assert!(plain.len() >= 8, "{plain:?}");
    let paths: Vec<&str> = plain.iter().map(String::as_str).collect();
    let mut config = Config::default();
    config.toolchain.metrics = MetricsProvider::Radon;
    let native = Project::at(&root).scores(&paths, AnalysisMode::Full).unwrap();
    let radon = Project::at(&root).with(config).scores(&paths, AnalysisMode::Full).unwrap();
    for (native, radon) in native.files.iter().zip(&radon.files) {
        assert_eq!(native.overall, radon.overall, "{}", native.file);
        assert_eq!(native.categories, radon.categories, "{}", native.file);
        assert_ne!(native.config_digest, radon.config_digest);
    }
}
