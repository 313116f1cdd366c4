//! ruff: asked once per batch, isolated from every configuration file, with the explicit selection.

use std::collections::BTreeMap;

use futures::future::BoxFuture;
use serde::Deserialize;

use super::report::{FileReport, ReportDetails};
use super::{Analyzer, Dependence, Profile};
use crate::ask::Asker;
use crate::isolate::{Answers, Question, answers_of_all, require_expected_end};
use crate::result::RuffIssue;
use crate::{rule_set, rules};
use tapps_base::finding::{Finding, Fix};
use tapps_base::language::Analyzers;
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};
use tapps_toolchain::Program;

pub(crate) struct Ruff;

pub(crate) const ANALYZER: Ruff = Ruff;

static PROFILE: Profile = Profile {
    depends_on: &[Dependence::PythonVersion],
    speaks_of_broken_files: true,
    ..Profile::linter("ruff", Analyzers::Python)
};

impl Analyzer for Ruff {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn prepare<'a>(&self, asker: Asker<'a>) -> BoxFuture<'a, Result<Box<dyn Question + 'a>>> {
        Box::pin(async move {
            let arguments = match &asker.rules.ruff {
                Some(own) => project_check_arguments(&asker.stage.write_configuration("project-ruff.toml", own)?),
                None => check_arguments(&format!("py3{}", asker.version.minor())),
            };
            let companion = asker.empty_companion_file()?;
            Ok(Box::new(RuffQuestion { asker, arguments, companion }) as Box<dyn Question>)
        })
    }
}

struct RuffQuestion<'a> {
    asker: Asker<'a>,
    arguments: Vec<String>,
    companion: String,
}

impl Question for RuffQuestion<'_> {
    fn ask<'q>(&'q self, sources: &'q [&'q Source]) -> BoxFuture<'q, Result<Answers>> {
        Box::pin(async move {
            let mut arguments = self.arguments.clone();
            arguments.push("--".to_owned());
            arguments.extend(sources.iter().map(|source| source.path().to_owned()));
            arguments.push(self.companion.clone());
            let finished = self.asker.run_on_stage(Program::Ruff, arguments).await?;
            require_expected_end("ruff", sources, &finished, &[0])?;
            Ok(answers_of_all(sources, parse_ruff_output(&finished.stdout, &self.asker.stage.tree())?))
        })
    }
}

/// ruff's answer for one file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RuffFileReport {
    /// Every issue, as ruff says it.
    pub issues: Vec<RuffIssue>,
    /// The scored ones.
    pub findings: Vec<Finding>,
    /// Places ruff could not parse: message, line, column.
    pub syntax_errors: Vec<(String, u32, u32)>,
}

impl From<RuffFileReport> for FileReport {
    fn from(RuffFileReport { issues, findings, syntax_errors }: RuffFileReport) -> Self {
        Self { findings, syntax_errors, details: ReportDetails::RuffIssues(issues) }
    }
}

#[derive(Deserialize)]
struct RuffDiagnostic {
    code: Option<String>,
    message: String,
    filename: String,
    location: RuffLocation,
    end_location: RuffLocation,
    fix: Option<IssueFix>,
}

#[derive(Deserialize)]
struct RuffLocation {
    row: u32,
    column: u32,
}

#[derive(Deserialize)]
struct IssueFix {
    applicability: String,
    message: Option<String>,
}

/// The arguments of a check with the built-in rules; `target` is for example `py313`.
#[must_use]
pub fn check_arguments(target: &str) -> Vec<String> {
    let mut arguments =
        to_owned_words(&["check", "--isolated", "--no-cache", "--no-respect-gitignore", "--quiet", "--exit-zero"]);
    arguments.extend(to_owned_words(&["--output-format", "json", "--target-version", target, "--select"]));
    arguments.push(rule_set::ruff_selection());
    arguments
}

/// The arguments of a check with a configuration file of this program; naming one keeps ruff from looking for others.
#[must_use]
pub fn project_check_arguments(configuration: &str) -> Vec<String> {
    let mut arguments = to_owned_words(&["check", "--no-cache", "--no-respect-gitignore", "--quiet", "--exit-zero"]);
    arguments.extend(to_owned_words(&["--output-format", "json", "--config", configuration]));
    arguments
}

/// The arguments that fix what can be fixed without changing behaviour, from standard input to standard output: by this
/// program's rules, or by those of `configuration`, a file of this program.
#[must_use]
pub fn fix_arguments(target: &str, configuration: Option<&str>, path: &str) -> Vec<String> {
    let mut arguments = to_owned_words(&["check", "--no-cache", "--exit-zero", "--fix-only", "--show-fixes"]);
    match configuration {
        Some(configuration) => arguments.extend(to_owned_words(&["--config", configuration])),
        None => {
            arguments.extend(to_owned_words(&["--isolated", "--target-version", target, "--select"]));
            arguments.push(rule_set::ruff_selection());
        }
    }
    arguments.extend(to_owned_words(&["--stdin-filename", path, "-"]));
    arguments
}

fn to_owned_words(list: &[&str]) -> Vec<String> {
    list.iter().map(|&word| word.to_owned()).collect()
}

/// How many findings ruff says it mended, from what it prints beside the mended text.
///
/// # Errors
/// `degraded_result` when it does not say.
pub fn parse_fixed_count(stderr: &str) -> Result<u32> {
    let count = stderr.lines().find_map(|line| line.strip_prefix("Fixed ")?.split(' ').next()?.parse().ok());
    count.ok_or_else(|| {
        Error::new(ErrorCode::DegradedResult, "ruff changed the text without saying how many fixes it made")
            .tool("ruff")
    })
}

/// Reads ruff's JSON; `root` is the folder it ran in, so that absolute file names become the relative ones given.
///
/// # Errors
/// `degraded_result` when the output is not what this ruff prints.
pub fn parse_ruff_output(stdout: &[u8], root: &std::path::Path) -> Result<BTreeMap<String, RuffFileReport>> {
    let issues: Vec<RuffDiagnostic> = serde_json::from_slice(stdout).map_err(|e| {
        Error::new(ErrorCode::DegradedResult, format!("ruff printed something that is not its JSON: {e}")).tool("ruff")
    })?;
    let mut answers: BTreeMap<String, RuffFileReport> = BTreeMap::new();
    for issue in issues {
        let path = std::path::Path::new(&issue.filename);
        let file = path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/");
        let answer = answers.entry(file.clone()).or_default();
        add_ruff_diagnostic(answer, &file, issue);
    }
    for answer in answers.values_mut() {
        answer.issues.sort_by(|a, b| (a.line, a.column, &a.code).cmp(&(b.line, b.column, &b.code)));
        answer.findings.sort_by(Finding::order);
    }
    Ok(answers)
}

fn add_ruff_diagnostic(answer: &mut RuffFileReport, file: &str, issue: RuffDiagnostic) {
    let (line, column) = (issue.location.row, issue.location.column);
    let code = issue.code.unwrap_or_else(|| "invalid-syntax".to_owned());
    if code == "invalid-syntax" || code == "E999" {
        answer.syntax_errors.push((issue.message, line, column));
        return;
    }
    let safe = issue.fix.as_ref().is_some_and(|fix| fix.applicability == "safe");
    answer.issues.push(RuffIssue { code: code.clone(), message: issue.message.clone(), line, column, fixable: safe });
    if rule_set::is_excused_by_role(&code, file) {
        return;
    }
    // With the project's own selection a rule may be unknown here.
    let mut finding = rule_set::ruff_rule_by_code(&code).unwrap_or(&rules::ruff::OTHER).finding(issue.message).at(
        line,
        column,
        issue.end_location.row,
    );
    finding.rule = format!("ruff:{code}");
    finding.file = file.to_owned();
    finding.fix =
        issue.fix.map(|fix| Fix { message: fix.message.unwrap_or_else(|| "apply ruff's fix".to_owned()), safe });
    answer.findings.push(finding);
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_base::finding::{Category, Severity};

    const OUTPUT: &str = r#"[
      {"cell":null,"code":"F841","filename":"/s/a.py","message":"Local variable `x` is assigned to but never used","name":"unused-variable",
       "location":{"row":5,"column":3},"end_location":{"row":5,"column":4},"noqa_row":5,"url":"",
       "fix":{"applicability":"unsafe","edits":[],"message":"Remove assignment to unused variable `x`"}},
      {"cell":null,"code":"F401","filename":"/s/pkg/__init__.py","message":"`os` imported but unused","name":"unused-import",
       "location":{"row":1,"column":8},"end_location":{"row":1,"column":10},"noqa_row":1,"url":"",
       "fix":{"applicability":"safe","edits":[],"message":"Remove unused import: `os`"}},
      {"cell":null,"code":"invalid-syntax","filename":"/s/b.py","message":"Expected an identifier","name":"invalid-syntax",
       "location":{"row":2,"column":1},"end_location":{"row":2,"column":2},"noqa_row":null,"url":null,"fix":null}]"#;

    #[test]
    fn issues_become_findings_with_relative_paths() {
        let answers = parse_ruff_output(OUTPUT.as_bytes(), std::path::Path::new("/s")).unwrap();
        let a = &answers["a.py"];
        assert_eq!(a.findings.len(), 1);
        let finding = &a.findings[0];
        assert_eq!((finding.rule.as_str(), finding.line, finding.column), ("ruff:F841", 5, 3));
        assert_eq!((finding.category, finding.severity), (Category::Maintainability, Severity::Medium));
        assert_eq!(finding.fix.as_ref().map(|fix| fix.safe), Some(false));
        assert!(!a.issues[0].fixable);
    }

    #[test]
    fn the_number_of_fixes_is_ruffs_own() {
        let said = "Fixed 3 errors:\n- fx.py:\n    2 × F401 (unused-import)\n    1 × F541\n\nFixed 3 errors (2 additional fixes available).\n";
        assert_eq!(parse_fixed_count(said).unwrap(), 3);
        assert_eq!(parse_fixed_count("Fixed 1 error:\n").unwrap(), 1);
        assert!(parse_fixed_count("All checks passed!").is_err());
    }

    #[test]
    fn a_re_export_is_listed_but_is_no_finding() {
        let answers = parse_ruff_output(OUTPUT.as_bytes(), std::path::Path::new("/s")).unwrap();
        assert_eq!(answers["pkg/__init__.py"].issues.len(), 1);
        assert_eq!(answers["pkg/__init__.py"].findings, []);
    }

    #[test]
    fn syntax_errors_are_kept_apart_and_garbage_is_an_error() {
        let answers = parse_ruff_output(OUTPUT.as_bytes(), std::path::Path::new("/s")).unwrap();
        assert_eq!(answers["b.py"].syntax_errors, [("Expected an identifier".to_owned(), 2, 1)]);
        for garbage in ["", "ruff failed", "{}", "[{]"] {
            let error = parse_ruff_output(garbage.as_bytes(), std::path::Path::new("/s")).unwrap_err();
            assert_eq!(error.code(), ErrorCode::DegradedResult, "{garbage}");
        }
    }
}
