//! Where the rules of one file put what they find.

use tapps_base::finding::Finding;
use tapps_base::rule::{Check, Rule};
use tapps_base::source::Source;

/// How a rule looks at a parsed file `D`.
pub(super) type ConfigRunner<D> = fn(&D, &mut FindingSink<'_>);

/// A place in a file: 1-based lines, 1-based column or 0 for whole lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct FileLocation {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) end_line: u32,
}

impl FileLocation {
    /// Whole lines.
    pub(super) const fn lines(line: u32, end_line: u32) -> Self {
        Self { line, column: 0, end_line }
    }

    /// One whole line.
    pub(super) const fn line(line: u32) -> Self {
        Self::lines(line, line)
    }

    /// The file as a whole.
    pub(super) const FILE: Self = Self::line(0);
}

/// Collects the findings of a file, one rule after the other.
pub(super) struct FindingSink<'s> {
    source: &'s Source,
    rule: &'s Rule,
    found: Vec<Finding>,
}

impl<'s> FindingSink<'s> {
    /// The findings of all `checks` in a parsed file, in no particular order.
    pub(super) fn run_checks<D>(source: &'s Source, parsed: &D, checks: &'s [Check<ConfigRunner<D>>]) -> Vec<Finding> {
        let Some(first) = checks.first() else { return Vec::new() };
        let mut sink = Self { source, rule: &first.rule, found: Vec::new() };
        for check in checks {
            sink.rule = &check.rule;
            (check.run)(parsed, &mut sink);
        }
        sink.found
    }

    /// Something the rule at work says about a place.
    pub(super) fn report_finding(&mut self, place: FileLocation, message: impl Into<String>) {
        self.found.push(new_config_finding(self.source, self.rule, place, message));
    }
}

/// A finding of a rule, with file and fingerprint.
pub(super) fn new_config_finding(
    source: &Source,
    rule: &Rule,
    place: FileLocation,
    message: impl Into<String>,
) -> Finding {
    let mut finding = rule.finding(message).at(place.line, place.column, place.end_line);
    source.path().clone_into(&mut finding.file);
    if place.line == 0 {
        finding.anchor = finding.message.clone();
    }
    finding.seal_in(source);
    finding
}

/// How the rules are tested: a text, and the lines where the rule has something to say.
#[cfg(test)]
pub(super) fn assert_rule_findings<D>(
    rule: &Rule,
    run: ConfigRunner<D>,
    parse: impl Fn(&Source) -> D,
    cases: &[(&str, &[u32])],
) {
    for (text, expected) in cases {
        let source = Source::new("file", text.as_bytes());
        let parsed = parse(&source);
        let mut sink = FindingSink { source: &source, rule, found: Vec::new() };
        run(&parsed, &mut sink);
        let mut lines: Vec<u32> = sink.found.iter().map(|finding| finding.line).collect();
        lines.sort_unstable();
        assert_eq!(lines, *expected, "{}: {text}", rule.code);
    }
}
