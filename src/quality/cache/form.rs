//! How answers are written down. The written form of a finding holds also what results leave out.

use std::ops::Range;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::analyzer::report::{FileReport, ReportDetails};
use tapps_base::finding::{Category, Confidence, Finding, Fix, Owasp, Severity, Tool};
use tapps_rules::shape::{BlockMetrics, FileShape};
use tapps_rules::suppression::Suppression;
use tapps_security::bandit;

/// What the native analyzers say about one file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Native {
    pub(crate) shape: FileShape,
    pub(crate) secrets: Vec<Finding>,
    /// What bandit's tests say, for Python that parses; none when the locked bandit is asked instead.
    pub(crate) bandit: Option<bandit::BanditFileReport>,
}

/// An answer that can be kept.
pub(crate) trait CacheableAnswer: Sized {
    /// Whether other machines are asked for it: they are where asking is faster than finding out.
    const SHARED: bool = true;
    /// The written form.
    type Written: Serialize + DeserializeOwned;

    fn to_written(&self) -> Self::Written;

    fn from_written(written: Self::Written) -> Self;
}

/// The bytes of an answer.
pub(super) fn to_bytes<T: CacheableAnswer>(answer: &T) -> Option<Vec<u8>> {
    postcard::to_allocvec(&answer.to_written()).ok()
}

/// The answer of some bytes; none when they are not the written form of one, whole and with nothing behind it.
pub(super) fn from_bytes<T: CacheableAnswer>(bytes: &[u8]) -> Option<T> {
    match postcard::take_from_bytes::<T::Written>(bytes) {
        Ok((written, [])) => Some(T::from_written(written)),
        _ => None,
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct WrittenFinding {
    rule: String,
    tool: Tool,
    category: Category,
    severity: Severity,
    confidence: Confidence,
    message: String,
    file: String,
    place: (u32, u32, u32),
    measure: Option<u32>,
    fix: Option<Fix>,
    help: Option<String>,
    cwe: Option<String>,
    owasp: Option<(Option<String>, Option<String>)>,
    points: f64,
    fingerprint: String,
    cost: u32,
    anchor: String,
}

impl From<&Finding> for WrittenFinding {
    fn from(finding: &Finding) -> Self {
        // Named one by one, so that a new field cannot be forgotten here.
        let Finding {
            rule,
            tool,
            category,
            severity,
            confidence,
            message,
            file,
            line,
            column,
            end_line,
            measure,
            fix,
            help,
            cwe,
            owasp,
            points,
            fingerprint,
            cost,
            anchor,
        } = finding.clone();
        let owasp = owasp.map(|owasp| (owasp.y2021, owasp.y2025));
        let place = (line, column, end_line);
        Self {
            rule,
            tool,
            category,
            severity,
            confidence,
            message,
            file,
            place,
            measure,
            fix,
            help,
            cwe,
            owasp,
            points,
            fingerprint,
            cost,
            anchor,
        }
    }
}

impl From<WrittenFinding> for Finding {
    fn from(written: WrittenFinding) -> Self {
        let (line, column, end_line) = written.place;
        Self {
            rule: written.rule,
            tool: written.tool,
            category: written.category,
            severity: written.severity,
            confidence: written.confidence,
            message: written.message,
            file: written.file,
            line,
            column,
            end_line,
            measure: written.measure,
            fix: written.fix,
            help: written.help,
            cwe: written.cwe,
            owasp: written.owasp.map(|(y2021, y2025)| Owasp { y2021, y2025 }),
            points: written.points,
            fingerprint: written.fingerprint,
            cost: written.cost,
            anchor: written.anchor,
        }
    }
}

fn to_written_findings(findings: &[Finding]) -> Vec<WrittenFinding> {
    findings.iter().map(WrittenFinding::from).collect()
}

fn from_written_findings(written: Vec<WrittenFinding>) -> Vec<Finding> {
    written.into_iter().map(Finding::from).collect()
}

type SerializedPositions = Vec<(String, u32, u32)>;

impl CacheableAnswer for FileReport {
    type Written = (Vec<WrittenFinding>, SerializedPositions, ReportDetails);

    fn to_written(&self) -> Self::Written {
        (to_written_findings(&self.findings), self.syntax_errors.clone(), self.details.clone())
    }

    fn from_written((found, syntax_errors, details): Self::Written) -> Self {
        Self { findings: from_written_findings(found), syntax_errors, details }
    }
}

/// What rules about libraries say of one file.
impl CacheableAnswer for Vec<Finding> {
    const SHARED: bool = false;
    type Written = Vec<WrittenFinding>;

    fn to_written(&self) -> Self::Written {
        to_written_findings(self)
    }

    fn from_written(written: Self::Written) -> Self {
        from_written_findings(written)
    }
}

/// Blocks, logical lines, maintainability index, findings, syntax errors; secrets; what bandit's tests say.
type WrittenNative = (WrittenShape, Vec<WrittenFinding>, Option<WrittenBandit>);

type WrittenBandit = (Vec<WrittenFinding>, Vec<bandit::BanditFinding>);

type WrittenShape =
    (Vec<BlockMetrics>, u32, Option<f64>, Vec<WrittenFinding>, Vec<(Suppression, Range<usize>)>, Vec<WrittenFinding>);

impl CacheableAnswer for Native {
    const SHARED: bool = false;
    type Written = WrittenNative;

    fn to_written(&self) -> Self::Written {
        let FileShape { blocks, logical_lines, maintainability_index, findings, suppressions, syntax_errors } =
            &self.shape;
        let shape = (
            blocks.clone(),
            *logical_lines,
            *maintainability_index,
            to_written_findings(findings),
            suppressions.iter().map(|one| (one.clone(), one.bytes.clone())).collect(),
            to_written_findings(syntax_errors),
        );
        let bandit = self.bandit.as_ref().map(|report| (to_written_findings(&report.findings), report.issues.clone()));
        (shape, to_written_findings(&self.secrets), bandit)
    }

    fn from_written((shape, secrets, bandit): Self::Written) -> Self {
        let (blocks, logical_lines, maintainability_index, found, suppressions, syntax_errors) = shape;
        let (found, syntax_errors) = (from_written_findings(found), from_written_findings(syntax_errors));
        let suppressions = suppressions.into_iter().map(|(one, bytes)| Suppression { bytes, ..one }).collect();
        let shape =
            FileShape { blocks, logical_lines, maintainability_index, findings: found, suppressions, syntax_errors };
        let bandit =
            bandit.map(|(found, issues)| bandit::BanditFileReport { findings: from_written_findings(found), issues });
        Self { shape, secrets: from_written_findings(secrets), bandit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyzer::radon::RadonMetrics;
    use crate::result::{MypyError, RuffIssue, TypesStamp};

    fn finding() -> Finding {
        let mut finding = crate::rules::find_rule("bandit:B602").unwrap().finding("é").at(3, 4, 5).costing(3000);
        finding.fix = Some(Fix { message: "mend it".to_owned(), safe: true });
        finding.owasp = Some(Owasp { y2021: None, y2025: Some("A05:2025 Injection".to_owned()) });
        finding.cwe = Some("CWE-78".to_owned());
        finding.points = 0.1;
        finding.file = "a/b.py".to_owned();
        finding.seal("x");
        finding.anchored("hidden")
    }

    fn returns<T: CacheableAnswer + PartialEq + std::fmt::Debug>(answer: &T) {
        let bytes = to_bytes(answer).unwrap();
        assert_eq!(from_bytes::<T>(&bytes).as_ref(), Some(answer));
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(from_bytes::<T>(&longer), None);
        assert_eq!(from_bytes::<T>(&bytes[..bytes.len() - 1]), None);
    }

    #[test]
    fn every_answer_returns_as_it_was() {
        returns(&vec![finding(), finding()]);
        let place = ("message".to_owned(), 1, 2);
        let issue = RuffIssue { code: "F401".to_owned(), message: "m".to_owned(), line: 1, column: 2, fixable: true };
        let error = MypyError { code: "misc".to_owned(), message: "m".to_owned(), line: 1, column: 2 };
        let reported = bandit::BanditFileReport {
            findings: vec![finding()],
            issues: vec![bandit::BanditFinding {
                code: "B602".to_owned(),
                severity: Severity::High,
                confidence: Severity::Low,
                message: "m".to_owned(),
                line: 7,
                cwe: None,
            }],
        };
        let metrics = RadonMetrics { complexity: [(1, 2)].into(), logical_lines: 3, maintainability_index: 99.5 };
        for details in [
            ReportDetails::None,
            ReportDetails::RuffIssues(vec![issue]),
            ReportDetails::MypyErrors(vec![error]),
            ReportDetails::BanditFindings(reported.issues.clone()),
            ReportDetails::Metrics(metrics),
            ReportDetails::Types(TypesStamp { digest: "d".to_owned(), complete: false, missing: vec!["m".to_owned()] }),
        ] {
            returns(&FileReport { findings: vec![finding(), finding()], syntax_errors: vec![place.clone()], details });
        }
        let source = tapps_base::source::Source::new("a.py", &b"def f(a):\n    if a:\n        eval(a)\n"[..]);
        let shape =
            tapps_rules::python::analyze_python(&source, tapps_rules::python::to_parser_version(Default::default()));
        assert_eq!(shape.blocks.len(), 1);
        returns(&Native { shape: shape.clone(), secrets: vec![finding()], bandit: None });
        returns(&Native { shape, secrets: Vec::new(), bandit: Some(reported) });
    }
}
