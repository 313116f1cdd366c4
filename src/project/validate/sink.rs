//! Where the rules of one file put what they find.

use tapps_base::finding::{Category, Finding, Severity, Tool};
use tapps_base::rule::Rule;
use tapps_base::source::Source;

/// One rule with the code that applies it to a parsed file `D`.
pub(super) struct Check<D: ?Sized + 'static> {
    pub(super) rule: Rule,
    /// The rules of hadolint that it stands for; empty outside container builds.
    pub(super) hadolint: &'static [&'static str],
    pub(super) run: fn(&D, &mut Sink<'_>),
}

/// The declaration of a rule about configuration; it costs a file's score nothing.
pub(super) const fn rule(
    code: &'static str,
    category: Category,
    severity: Severity,
    summary: &'static str,
    help: &'static str,
) -> Rule {
    Rule { tool: Tool::Tapps, code, category, severity, cost: 0, summary, help, cwe: None }
}

/// The same with a weakness of the CWE list.
pub(super) const fn weakness(rule: Rule, cwe: &'static str) -> Rule {
    Rule { cwe: Some(cwe), ..rule }
}

/// A place in a file: 1-based lines, 1-based column or 0 for whole lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Place {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) end_line: u32,
}

impl Place {
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
pub(super) struct Sink<'s> {
    source: &'s Source,
    rule: &'s Rule,
    found: Vec<Finding>,
}

impl<'s> Sink<'s> {
    /// The findings of all `checks` in a parsed file, in no particular order.
    pub(super) fn run<D: ?Sized>(source: &'s Source, parsed: &D, checks: &'s [Check<D>]) -> Vec<Finding> {
        let Some(first) = checks.first() else { return Vec::new() };
        let mut sink = Self { source, rule: &first.rule, found: Vec::new() };
        for check in checks {
            sink.rule = &check.rule;
            (check.run)(parsed, &mut sink);
        }
        sink.found
    }

    /// Something the rule at work says about a place.
    pub(super) fn say(&mut self, place: Place, message: impl Into<String>) {
        self.found.push(finding(self.source, self.rule, place, message));
    }
}

/// A finding of a rule, with file and fingerprint.
pub(super) fn finding(source: &Source, rule: &Rule, place: Place, message: impl Into<String>) -> Finding {
    let mut finding = rule.finding(message).at(place.line, place.column, place.end_line);
    source.path().clone_into(&mut finding.file);
    if place.line == 0 {
        finding.anchor = finding.message.clone();
    }
    finding.seal(&source.line(place.line));
    finding
}

/// How the rules are tested: a text, and the lines where the rule has something to say.
#[cfg(test)]
pub(super) fn holds<D>(check: &Check<D>, parse: impl Fn(&Source) -> D, cases: &[(&str, &[u32])]) {
    for (text, expected) in cases {
        let source = Source::new("file", text.as_bytes());
        let parsed = parse(&source);
        let mut sink = Sink { source: &source, rule: &check.rule, found: Vec::new() };
        (check.run)(&parsed, &mut sink);
        let mut lines: Vec<u32> = sink.found.iter().map(|finding| finding.line).collect();
        lines.sort_unstable();
        assert_eq!(lines, *expected, "{}: {text}", check.rule.code);
    }
}
