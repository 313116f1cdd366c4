//! Findings in the words of editors: lines and columns from 0, columns in units of UTF-16.

use std::fmt::Write as _;

use lsp_types::{Diagnostic, DiagnosticSeverity, NumberOrString, Position, Range};

use tapps_base::finding::{Category, Confidence, Finding, Severity};
use tapps_base::program;
use tapps_quality::result::FileScore;
use tapps_quality::rules;

/// The lines of a file, to count its columns.
pub(super) struct TextLines<'t>(Vec<&'t str>);

impl<'t> TextLines<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self(text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect())
    }

    fn line(&self, index: u32) -> &'t str {
        self.0.get(index as usize).copied().unwrap_or_default()
    }

    /// How many units the first `characters` of a line have.
    fn units(&self, line: u32, characters: usize) -> u32 {
        let units: usize = self.line(line).chars().take(characters).map(char::len_utf16).sum();
        u32::try_from(units).unwrap_or(u32::MAX)
    }

    /// From where a finding is to the end of its last line; one about the whole file has its first line.
    pub(super) fn range_of(&self, finding: &Finding) -> Range {
        let first = finding.line.saturating_sub(1);
        let last = finding.end_line.saturating_sub(1).max(first);
        let start = self.units(first, finding.column.saturating_sub(1) as usize);
        Range::new(Position::new(first, start), Position::new(last, self.units(last, usize::MAX)))
    }

    /// All of the text.
    pub(super) fn whole(&self) -> Range {
        let last = u32::try_from(self.0.len().saturating_sub(1)).unwrap_or(u32::MAX);
        Range::new(Position::new(0, 0), Position::new(last, self.units(last, usize::MAX)))
    }
}

/// A finding as a diagnostic.
pub(super) fn diagnostic_of(finding: &Finding, blocks: bool, lines: &TextLines<'_>) -> Diagnostic {
    let severity = match finding.severity {
        _ if blocks => DiagnosticSeverity::ERROR,
        Severity::Critical | Severity::High => DiagnosticSeverity::ERROR,
        Severity::Medium => DiagnosticSeverity::WARNING,
        Severity::Low => DiagnosticSeverity::INFORMATION,
        Severity::Info => DiagnosticSeverity::HINT,
    };
    Diagnostic {
        range: lines.range_of(finding),
        severity: Some(severity),
        code: Some(NumberOrString::String(finding.rule.clone())),
        source: Some(program::NAME.to_owned()),
        message: finding.message.clone(),
        ..Diagnostic::default()
    }
}

/// What a person is told of a finding: the rule, what it costs here, why it matters, how to mend it.
pub(super) fn describe_finding(finding: &Finding) -> String {
    let severity = format!("{:?}", finding.severity).to_lowercase();
    let doubt = if finding.confidence == Confidence::Low { ", low confidence" } else { "" };
    let mut text = format!("**{}** {severity}{doubt}\n\n{}", finding.rule, finding.message);
    // Writing to a String cannot fail.
    let _ = write!(text, "\n\nIt costs {:.2} of 100 points, in {}.", finding.points, finding.category.as_str());
    let rule = rules::of_finding(finding);
    if let Some(explanation) = rule.map(|rule| rule.explanation).filter(|text| !text.is_empty()) {
        let _ = write!(text, "\n\n{explanation}");
    }
    let help = finding.help.as_deref().or_else(|| rule.map(|rule| rule.help)).filter(|help| !help.is_empty());
    if let Some(help) = help {
        let _ = write!(text, "\n\n{help}");
    }
    text
}

/// The score in one line.
pub(super) fn describe_score(score: &FileScore) -> String {
    let overall = match score.overall {
        Some(overall) => format!("{overall:.1} of 100"),
        None => "cannot be scored".to_owned(),
    };
    let security = score.categories.get(&Category::Security).and_then(|category| category.score);
    let security = security.map(|security| format!(" · security {security:.1}")).unwrap_or_default();
    let blocking = match score.blocking.len() {
        0 => String::new(),
        count => format!(" · {count} blocking"),
    };
    format!("{}: {overall}{security} · {} findings{blocking}", program::NAME, score.findings.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_as_editors_do() {
        let lines = TextLines::new("a = '😀'; b\r\nc\n");
        let range = |line, column| Range::new(Position::new(0, line), Position::new(0, column));
        assert_eq!((lines.units(0, 0), lines.units(0, 6), lines.units(0, usize::MAX)), (0, 7, 11));
        assert_eq!(lines.whole(), Range::new(Position::new(0, 0), Position::new(2, 0)));
        assert_eq!(TextLines::new("ab").whole(), range(0, 2));
        assert_eq!(lines.units(9, 3), 0);
    }
}
