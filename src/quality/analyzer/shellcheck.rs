//! ShellCheck: asked about each shell script by itself, without configuration of the project. Of several files it would follow one
//! into another that it sources, so that what is said of a script would depend on its company.
//!
//! It also decides whether a script parses: the grammar of the native rules does not know all of bash.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use futures::future::BoxFuture;
use serde::Deserialize;

use super::report::FileReport;
use super::{Analyzer, Division, Profile};
use crate::ask::{Asker, FILE_CPU_SECONDS};
use crate::isolate::{Answers, Question, answers_of_all, require_expected_end};
use crate::rule_set;
use tapps_base::finding::Finding;
use tapps_base::language::Analyzers;
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};
use tapps_toolchain::{Invocation, ProcessLimits, Program, Toolchain};

pub(crate) struct Shellcheck;

pub(crate) const ANALYZER: Shellcheck = Shellcheck;

static PROFILE: Profile =
    Profile { division: Division::Shares(FEWEST_FILES), ..Profile::linter("shellcheck", Analyzers::Shell) };

/// Side by side from so few files on: each has a process of its own anyway.
const FEWEST_FILES: usize = 2;

/// A file that is no script of the project: what fails on it fails without any.
const COMPANION: &str = "companion.sh";

/// What is said last where a script does not parse, and what is said of where.
const STOPPED: u32 = 1072;
const UNPARSED: u32 = 1073;
/// The script is for a shell that ShellCheck does not know.
const OTHER_SHELL: u32 = 1071;

impl Analyzer for Shellcheck {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn prepare<'a>(&self, asker: Asker<'a>) -> BoxFuture<'a, Result<Box<dyn Question + 'a>>> {
        Box::pin(async move {
            let toolchain = asker.provider.ready_with(Program::Shellcheck, asker.call).await?;
            asker.stage.write_configuration(COMPANION, "#!/bin/sh\n:\n")?;
            Ok(Box::new(ShellcheckQuestion { asker, toolchain }) as Box<dyn Question>)
        })
    }
}

struct ShellcheckQuestion<'a> {
    asker: Asker<'a>,
    toolchain: Arc<Toolchain>,
}

impl Question for ShellcheckQuestion<'_> {
    fn ask<'q>(&'q self, sources: &'q [&'q Source]) -> BoxFuture<'q, Result<Answers>> {
        Box::pin(async move {
            let stage = self.asker.stage;
            if sources.is_empty() {
                let companion = Source::new(COMPANION, &b"#!/bin/sh\n:\n"[..]);
                return self.report_on(&companion, &[], stage.folder()).await.map(|_| Answers::new());
            }
            let mut reports = BTreeMap::new();
            for source in sources {
                reports.extend(self.report_on(source, sources, &stage.tree()).await?);
            }
            Ok(answers_of_all(sources, reports))
        })
    }
}

impl ShellcheckQuestion<'_> {
    /// What is said of one script; `asked` are those that an error is about.
    async fn report_on(
        &self,
        source: &Source,
        asked: &[&Source],
        place: &Path,
    ) -> Result<BTreeMap<String, FileReport>> {
        let arguments = check_arguments().into_iter().chain([source.path().to_owned()]);
        let limits = ProcessLimits::of_cpu(FILE_CPU_SECONDS);
        let invocation = Invocation::new(Program::Shellcheck).args(arguments).cwd(place).limits(limits);
        let finished = self.toolchain.run(invocation, self.asker.call).await?;
        require_expected_end(PROFILE.name, asked, &finished, &[0, 1])?;
        parse_shellcheck_output(&finished.stdout, &[source])
    }
}

/// The arguments of a check: no file of the project is obeyed, and none beside those that are named is read.
#[must_use]
pub fn check_arguments() -> Vec<String> {
    ["--norc", "--format=json1", "--severity=style", "--wiki-link-count=0", "--color=never", "--"]
        .map(str::to_owned)
        .to_vec()
}

#[derive(Deserialize)]
struct ShellcheckOutput {
    comments: Vec<ShellcheckComment>,
}

/// Columns are in characters, 1-based; a tab is one.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShellcheckComment {
    file: String,
    line: u32,
    end_line: u32,
    column: u32,
    code: u32,
    message: String,
}

/// Reads ShellCheck's JSON about these files. What the selection does not have is left out.
///
/// # Errors
/// `degraded_result` when the output is not what this ShellCheck prints, or is about other files.
pub fn parse_shellcheck_output(stdout: &[u8], sources: &[&Source]) -> Result<BTreeMap<String, FileReport>> {
    let failed = |why: String| Error::new(ErrorCode::DegradedResult, why).tool(PROFILE.name);
    let output: ShellcheckOutput = serde_json::from_slice(stdout)
        .map_err(|e| failed(format!("shellcheck printed something that is not its JSON: {e}")))?;
    let by_path: BTreeMap<&str, &Source> = sources.iter().map(|source| (source.path(), *source)).collect();
    let mut by_file: BTreeMap<&str, Vec<ShellcheckComment>> = BTreeMap::new();
    for comment in output.comments {
        let Some(source) = by_path.get(comment.file.as_str()) else {
            return Err(failed(format!("shellcheck speaks of `{}`, which it was not asked about", comment.file)));
        };
        by_file.entry(source.path()).or_default().push(comment);
    }
    let reports = by_file.into_iter().map(|(path, comments)| (path.to_owned(), report_of(path, comments)));
    Ok(reports.collect())
}

fn report_of(path: &str, comments: Vec<ShellcheckComment>) -> FileReport {
    let mut report = FileReport::default();
    if let Some(stopped) = comments.iter().find(|one| matches!(one.code, STOPPED | OTHER_SHELL)) {
        let what = comments.iter().find(|one| one.code == UNPARSED).unwrap_or(stopped);
        let words = |one: &ShellcheckComment| {
            let first = one.message.split(". ").next().unwrap_or_default();
            first.trim().trim_end_matches('.').to_owned()
        };
        let message = match (words(what), words(stopped)) {
            (what, why) if what == why || why.is_empty() || why == "Fix any mentioned problems and try again" => what,
            (what, why) => format!("{what}: {why}"),
        };
        report.syntax_errors.push((message, stopped.line, stopped.column));
    }
    for comment in comments {
        let code = format!("SC{}", comment.code);
        let Some(rule) = rule_set::shellcheck_rule_by_code(&code) else { continue };
        let end_line = comment.end_line.max(comment.line);
        let mut finding = rule.finding(comment.message).at(comment.line, comment.column, end_line);
        path.clone_into(&mut finding.file);
        report.findings.push(finding);
    }
    report.findings.sort_by(Finding::order);
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_base::finding::{Category, Severity};

    fn comment(file: &str, code: u32, line: u32, message: &str) -> String {
        format!(
            r#"{{"file":"{file}","line":{line},"endLine":{line},"column":3,"endColumn":5,"level":"info","code":{code},"message":"{message}","fix":null}}"#
        )
    }

    fn output(comments: &[String]) -> String {
        format!(r#"{{"comments":[{}]}}"#, comments.join(","))
    }

    #[test]
    fn what_is_selected_becomes_findings() {
        let source = Source::new("a b.sh", &b"#!/bin/sh\n$x\n"[..]);
        let text = output(&[comment("a b.sh", 2086, 2, "Double quote"), comment("a b.sh", 1091, 1, "Not following")]);
        let reports = parse_shellcheck_output(text.as_bytes(), &[&source]).unwrap();
        let report = &reports["a b.sh"];
        let told: Vec<(&str, u32, u32)> =
            report.findings.iter().map(|one| (one.rule.as_str(), one.line, one.column)).collect();
        assert_eq!(told, [("shellcheck:SC2086", 2, 3)]);
        assert_eq!((report.findings[0].category, report.findings[0].severity), (Category::Maintainability, Severity::Low));
        assert_eq!(report.syntax_errors, []);
    }

    #[test]
    fn a_script_that_does_not_parse_says_where() {
        let source = Source::new("a.sh", &b"if\n"[..]);
        let text = output(&[
            comment("a.sh", 1073, 1, "Couldn't parse this if expression. Fix to allow more checks."),
            comment("a.sh", 1072, 2, "Expected 'then'. Fix any mentioned problems and try again."),
        ]);
        let reports = parse_shellcheck_output(text.as_bytes(), &[&source]).unwrap();
        let expected = "Couldn't parse this if expression: Expected 'then'".to_owned();
        assert_eq!(reports["a.sh"].syntax_errors, [(expected, 2, 3)]);
    }

    #[test]
    fn an_answer_about_other_files_is_none() {
        let source = Source::new("a.sh", &b"a\n"[..]);
        for (text, why) in [
            (output(&[comment("b.sh", 2086, 1, "x")]), "shellcheck speaks of `b.sh`, which it was not asked about"),
            ("[]".to_owned(), "shellcheck printed something that is not its JSON"),
            (String::new(), "shellcheck printed something that is not its JSON"),
        ] {
            let error = parse_shellcheck_output(text.as_bytes(), &[&source]).unwrap_err();
            assert!(error.code() == ErrorCode::DegradedResult && error.message().starts_with(why), "{error:?}");
        }
    }
}
