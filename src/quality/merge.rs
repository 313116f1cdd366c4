//! One list out of many tools: duplicates dropped, order fixed, fingerprints sealed.

use std::collections::{BTreeMap, BTreeSet};

use crate::rule_set;
use tapps_base::finding::{Finding, Tool};
use tapps_base::source::Source;
use tapps_syntax::python::type_comment::ignores_types;

/// Merges the findings about one file.
#[must_use]
pub fn merge_findings(source: &Source, mut findings: Vec<Finding>) -> Vec<Finding> {
    for finding in &mut findings {
        source.path().clone_into(&mut finding.file);
        // A finding about the file as a whole has no line to be known by.
        if finding.line == 0 && finding.anchor.is_empty() {
            source.path().clone_into(&mut finding.anchor);
        }
        finding.seal_in(source);
    }
    // Asked once for each line, however many names on it are undefined.
    let mut admitted = BTreeMap::new();
    findings.retain(|finding| {
        finding.rule != "ruff:F821"
            || !*admitted.entry(finding.line).or_insert_with(|| admits_undefined(&source.line(finding.line)))
    });
    drop_doubles(&mut findings);
    findings.sort_by(Finding::order);
    findings.dedup_by(|a, b| a.rule == b.rule && (a.line, a.column, &a.message) == (b.line, b.column, &b.message));
    findings
}

/// True when the author has told the type checker about the undefined name on a line: `# type: ignore[name-defined]`.
fn admits_undefined(line: &str) -> bool {
    ignores_types(line, &["name-defined"])
}

fn drop_doubles(findings: &mut Vec<Finding>) {
    let said: BTreeSet<(String, u32)> = findings.iter().map(|f| (f.rule.clone(), f.line)).collect();
    let secret_lines: BTreeSet<u32> = findings.iter().filter(|f| f.tool == Tool::Secrets).map(|f| f.line).collect();
    findings.retain(|finding| {
        let doubled = rule_set::SAME_THING
            .iter()
            .any(|(kept, dropped)| finding.rule == *dropped && said.contains(&((*kept).to_owned(), finding.line)));
        // bandit's own password heuristics say less than the secret rules do about the same line.
        let heuristic = matches!(finding.rule.as_str(), "bandit:B105" | "bandit:B106" | "bandit:B107");
        !(doubled || heuristic && secret_lines.contains(&finding.line))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(name: &str, line: u32) -> Finding {
        crate::rules::find_rule(name).unwrap().finding(name).at(line, 1, line)
    }

    /// A generated file may be one line of a megabyte: what is done for each finding must not look at all of it.
    #[test]
    fn many_findings_on_one_long_line_are_merged() {
        let source = Source::new("a.py", "x = y; ".repeat(150_000).into_bytes());
        let undefined = |column: u32| Finding { column, ..finding("ruff:F821", 1) };
        let merged = merge_findings(&source, (1..=10_000).map(undefined).collect());
        assert_eq!(merged.len(), 10_000);
        assert!(merged.iter().all(|found| found.fingerprint == merged[0].fingerprint));
    }

    #[test]
    fn the_same_thing_is_said_once() {
        let source =
            Source::new("a.py", &b"x = undefined\ny = get_ipython()  # type: ignore[name-defined]\nz = 1\n"[..]);
        let merged = merge_findings(
            &source,
            vec![
                finding("bandit:B105", 3),
                finding("secrets:hard-coded-token", 3),
                finding("mypy:name-defined", 1),
                finding("ruff:F821", 1),
                finding("ruff:F821", 2),
                finding("mypy:name-defined", 3),
            ],
        );
        let rules: Vec<_> = merged.iter().map(|f| (f.rule.as_str(), f.line)).collect();
        assert_eq!(rules, [("ruff:F821", 1), ("mypy:name-defined", 3), ("secrets:hard-coded-token", 3)]);
        assert!(merged.iter().all(|f| f.file == "a.py" && f.fingerprint.len() == 16));
    }
}
