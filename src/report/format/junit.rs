//! JUnit XML: one case per file, which fails as the file does.

use std::fmt::Write as _;
use tapps_base::program;

use quick_junit::{NonSuccessKind, Report as Document, TestCase, TestCaseStatus, TestSuite};

use crate::document::{FileReport, QualityReport};
use super::escape::{single_line, strip_unprintable};
use super::{Form, Readers};
use tapps_base::{Error, Result};

/// The format.
pub(super) const FORM: Form =
    Form { ending: "xml", media_type: "application/xml", readers: Readers::Platforms, render: render_junit };

/// Renders the report.
fn render_junit(report: &QualityReport) -> Result<String> {
    let judged = report.preset.as_deref().map_or_else(|| "score".to_owned(), |preset| format!("gate {preset}"));
    let mut suite = TestSuite::new(judged);
    for file in &report.files {
        suite.add_test_case(case(file));
    }
    for skipped in &report.skipped {
        let mut status = TestCaseStatus::skipped();
        status.set_message(single_line(&skipped.reason));
        suite.add_test_case(new_test_case(&skipped.file, status));
    }
    let mut document = Document::new(program::NAME);
    document.add_test_suite(suite);
    let text = document.to_string().map_err(|e| Error::internal(format!("the report has no XML form: {e}")))?;
    // The schema of build servers knows no such attribute; in front of it stand only attributes, which hold no quotes.
    Ok(text.replacen(" disabled=\"0\"", "", 1))
}

fn case(file: &FileReport) -> TestCase {
    if !file.failed() {
        return new_test_case(&file.file, TestCaseStatus::success());
    }
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type("gate");
    if let Some(first) = file.failures.first() {
        status.set_message(single_line(first));
    }
    status.set_description(description(file));
    new_test_case(&file.file, status)
}

fn new_test_case(file: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(single_line(file), status);
    // What readers group by: the folder, written as a package.
    let folder = file.rsplit_once('/').map_or(".", |(folder, _)| folder);
    case.set_classname(single_line(folder));
    case
}

/// Every reason, then every finding that costs something or blocks.
fn description(file: &FileReport) -> String {
    let mut text = file.failures.join("\n");
    for finding in file.findings.iter().filter(|finding| finding.points > 0.0) {
        // Writing to a String cannot fail.
        let _ = write!(text, "\n{}:{}: {} {}", finding.file, finding.line, finding.rule, finding.message);
    }
    strip_unprintable(&text)
}
