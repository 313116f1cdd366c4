//! From measurements to the result: prices, settles, and adds up.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyzer::outcome::AnalyzerOutcome;
use crate::baseline::Baseline;
use crate::blocking;
use crate::blocking::is_blocking;
use crate::category::{complexity, density, diminishing, maintainability};
use crate::measured::FileMeasurements;
use crate::merge::merge_findings;
use crate::own::{OwnAnswer, suppressions_with_own, text};
use crate::result::{
    AnalysisMode, CategoryScore, FileScore, Meta, NotMeasured, ProjectConfiguration, ResultStamp, SecretFinding,
};
use crate::settle::{account_deductions, settle_category, to_category_points};
use crate::suggest::suggest_fixes;
use crate::weights::{CategoryWeights, round6};
use tapps_base::finding::{Category, Finding, Tool};
use tapps_base::source::Source;
use tapps_rules::suppression;

/// What is the same for every file of a request.
#[derive(Debug, Clone)]
pub struct Frame {
    pub weights: CategoryWeights,
    /// With the interpreter that there is, whether or not a file's result depends on it.
    pub stamp: ResultStamp,
    pub tool_versions: BTreeMap<String, String>,
    pub config_digest: String,
    /// What was taken of the project's own configuration of the linters; none when it is not followed.
    pub configuration: Option<ProjectConfiguration>,
}

impl Frame {
    /// The stamp of a result that depends on the interpreter and on types of libraries, or does not.
    fn stamp_of(&self, interpreted: bool, typed: bool) -> ResultStamp {
        let interpreter = self.stamp.interpreter.clone().filter(|_| interpreted);
        let types = self.stamp.types.clone().filter(|_| typed);
        ResultStamp { interpreter, types, ..self.stamp.clone() }
    }
}

/// Makes the result of one file. With a baseline, findings that it knows cost nothing and block nothing.
#[must_use]
pub fn assemble_file_score(measured: &FileMeasurements, frame: &Frame, baseline: Option<&mut Baseline>) -> FileScore {
    let unreadable = measured.syntax_errors();
    let (mut findings, complexity) = gather_findings(measured, &unreadable);
    assign_finding_costs(&mut findings, measured);
    if let Some(baseline) = baseline {
        baseline.forgive(&mut findings);
    }
    let gaps: Vec<NotMeasured> = Category::ALL.into_iter().flat_map(|category| measured.gaps(category)).collect();
    let missing: BTreeSet<Category> = gaps.iter().map(|gap| gap.category).collect();
    let scored: Vec<Category> = Category::ALL.into_iter().filter(|category| !missing.contains(category)).collect();

    let mut categories = BTreeMap::new();
    let mut lost = 0.0;
    for category in Category::ALL {
        let share = frame.weights.share(category, &scored);
        let score = if scored.contains(&category) {
            let account = settle_category(category, &findings);
            for entry in &account.entries {
                // One thousandth of a category point is a ten-thousandth of the category, and the whole is 100.
                // What is shown is what is subtracted, so that the shown points add up.
                let points = round6(share * f64::from(entry.cost) / 100.0);
                findings[entry.finding].points = points;
                lost += points;
            }
            CategoryScore {
                score: Some(to_category_points(account.score)),
                weight: round6(share),
                measured: true,
                details: details(category, measured, &findings, &complexity),
                deductions: account_deductions(&account, &findings),
            }
        } else {
            let reasons: Vec<&str> =
                gaps.iter().filter(|gap| gap.category == category).map(|gap| gap.reason.as_str()).collect();
            CategoryScore {
                score: None,
                weight: 0.0,
                measured: false,
                details: reasons.join("; "),
                deductions: Vec::new(),
            }
        };
        categories.insert(category, score);
    }
    let overall = (unreadable.is_empty() && !scored.is_empty()).then(|| round6(100.0 - lost));
    let language = Some(measured.language);
    FileScore {
        file: measured.source.path().to_owned(),
        sha256: measured.source.sha256(),
        language,
        mode: measured.mode,
        overall,
        categories,
        ruff_issues: measured.reports().flat_map(|(_, report)| report.ruff_issues()).cloned().collect(),
        mypy_errors: measured.reports().flat_map(|(_, report)| report.mypy_errors()).cloned().collect(),
        bandit_findings: measured.reports().flat_map(|(_, report)| report.bandit_findings()).cloned().collect(),
        secret_findings: secrets(&findings),
        blocking: blocking::blocking_findings(&findings),
        suppressions: suppressions_with_own(measured.shape.suppressions.clone(), &measured.own),
        suggestions: suggest_fixes(&findings, &is_blocking),
        findings,
        coverage: measured.test_coverage.measured().and_then(|assessed| assessed.coverage.clone()),
        duplication: measured.duplication.measured().map(|duplication| duplication.percent),
        names: measured.names.stamp.clone(),
        types: measured.reports().find_map(|(_, report)| report.types_stamp()).cloned(),
        degraded: gaps.iter().any(|gap| gap.failed),
        not_measured: gaps,
        missing_tools: missing_tools(measured),
        tool_versions: frame.tool_versions.clone(),
        toolchain: frame.stamp_of(measured.interpreted, measured.reads_library_types()),
        config_digest: frame.config_digest.clone(),
        meta: Meta::default(),
    }
}

/// What the project's own tools found.
fn own_findings(own: &[OwnAnswer]) -> impl Iterator<Item = Finding> + '_ {
    own.iter().filter_map(|answer| answer.outcome.measured()).flat_map(|report| report.findings.iter().cloned())
}

/// The repeated finding of a tool of the project's own tells less than the first.
fn diminish_own_costs(findings: &mut [Finding]) {
    for category in Category::ALL {
        diminishing::per_rule(findings, category, &[Tool::Own]);
    }
}

/// Makes the result of a text file in no scored language: its secrets, and what the project's own tools say of it. Only
/// what those measure has a score.
#[must_use]
pub fn assemble_text(
    source: &Source,
    (secrets_found, own): (Vec<Finding>, &[OwnAnswer]),
    frame: &Frame,
    baseline: Option<&mut Baseline>,
) -> FileScore {
    let mut findings = merge_findings(source, secrets_found.into_iter().chain(own_findings(own)).collect());
    diminish_own_costs(&mut findings);
    if let Some(baseline) = baseline {
        baseline.forgive(&mut findings);
    }
    let gaps: Vec<NotMeasured> = own.iter().flat_map(OwnAnswer::gaps).collect();
    let (categories, overall) = text::score_categories(own, &gaps, &mut findings, frame);
    FileScore {
        file: source.path().to_owned(),
        sha256: source.sha256(),
        language: None,
        mode: AnalysisMode::Full,
        overall,
        categories,
        ruff_issues: Vec::new(),
        mypy_errors: Vec::new(),
        bandit_findings: Vec::new(),
        secret_findings: secrets(&findings),
        blocking: blocking::blocking_findings(&findings),
        suppressions: suppressions_with_own(source.text().map(suppression::read_text).unwrap_or_default(), own),
        suggestions: suggest_fixes(&findings, &is_blocking),
        findings,
        coverage: None,
        duplication: None,
        names: None,
        types: None,
        degraded: gaps.iter().any(|gap| gap.failed),
        not_measured: gaps,
        missing_tools: missing_own(own).collect(),
        tool_versions: frame.tool_versions.clone(),
        toolchain: frame.stamp_of(own.iter().any(|answer| answer.interpreted), false),
        config_digest: frame.config_digest.clone(),
        meta: Meta::default(),
    }
}

/// All findings of all tools in one list, and the sentence about complexity.
fn gather_findings(measured: &FileMeasurements, unreadable: &[Finding]) -> (Vec<Finding>, String) {
    let (complex, sentence) = complexity::assess_complexity(&measured.shape.blocks);
    let mut all = measured.secrets.clone();
    all.extend_from_slice(unreadable);
    if unreadable.is_empty() {
        all.extend(complex);
        all.extend(measured.shape.maintainability_index.and_then(maintainability::index_finding));
        all.extend_from_slice(&measured.shape.findings);
        all.extend_from_slice(&measured.names.findings);
        all.extend_from_slice(&measured.patterns);
        all.extend(own_findings(&measured.own));
        for part in [&measured.test_coverage, &measured.structure, &measured.devex] {
            all.extend(part.measured().iter().flat_map(|assessed| assessed.findings.clone()));
        }
        all.extend(measured.duplication.measured().iter().flat_map(|duplication| duplication.findings.clone()));
    }
    for (profile, report) in measured.reports() {
        if unreadable.is_empty() || profile.speaks_of_broken_files {
            all.extend_from_slice(&report.findings);
        }
    }
    (merge_findings(&measured.source, all), sentence)
}

fn assign_finding_costs(findings: &mut [Finding], measured: &FileMeasurements) {
    density::price_findings(findings, measured.shape.logical_lines);
    for finding in findings.iter_mut() {
        if density::LINTERS.contains(&finding.tool) && finding.category == Category::Performance {
            finding.cost = density::flat_lint_cost(finding.severity);
        }
    }
    let own = [Tool::Tapps, Tool::Project];
    diminishing::per_rule(findings, Category::Complexity, &own);
    diminishing::per_rule(findings, Category::Maintainability, &own);
    diminishing::per_rule(
        findings,
        Category::Performance,
        &[Tool::Tapps, Tool::Project, Tool::Ruff, Tool::Oxlint, Tool::Shellcheck],
    );
    diminish_own_costs(findings);
}

fn details(category: Category, measured: &FileMeasurements, findings: &[Finding], complexity: &str) -> String {
    let count = findings.iter().filter(|finding| finding.category == category).count();
    let part = |outcome: &AnalyzerOutcome<crate::measured::Assessed>| {
        outcome.measured().map_or_else(String::new, |assessed| assessed.details.clone())
    };
    match category {
        Category::Complexity => complexity.to_owned(),
        Category::Security => {
            let secrets = findings.iter().filter(|finding| finding.tool == Tool::Secrets).count();
            format!("{} security findings, {secrets} secrets", count - secrets)
        }
        Category::Maintainability => maintainability::maintainability_details(
            measured.shape.maintainability_index,
            findings.iter().filter(|f| f.category == category && f.tool != Tool::Mypy).count(),
            measured.reports().find(|(profile, _)| profile.name == "mypy").map(|(_, mypy)| mypy.mypy_errors().len()),
            measured.shape.logical_lines,
        ),
        Category::TestCoverage => part(&measured.test_coverage),
        Category::Performance => format!("{count} performance findings"),
        Category::Structure => part(&measured.structure),
        Category::Devex => part(&measured.devex),
    }
}

fn secrets(findings: &[Finding]) -> Vec<SecretFinding> {
    let of = |finding: &Finding| SecretFinding {
        rule: finding.rule.clone(),
        severity: finding.severity,
        message: finding.message.clone(),
        line: finding.line,
    };
    findings.iter().filter(|finding| finding.tool == Tool::Secrets).map(of).collect()
}

fn missing_tools(measured: &FileMeasurements) -> Vec<String> {
    let missing = measured.tools.iter().filter(|(_, outcome)| outcome.is_tool_missing());
    let mut names: Vec<String> = missing.map(|(profile, _)| profile.name.to_owned()).collect();
    names.extend(missing_own(&measured.own));
    names.sort_unstable();
    names
}

fn missing_own(own: &[OwnAnswer]) -> impl Iterator<Item = String> + '_ {
    let missing = own.iter().filter(|answer| answer.outcome.is_tool_missing());
    missing.filter_map(|answer| Some(answer.outcome.absence()?.0.to_owned()))
}
