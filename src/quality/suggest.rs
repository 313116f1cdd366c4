//! What to change first: findings grouped by rule, ordered by what they give back for the work.

use std::collections::BTreeMap;

use crate::result::Suggestion;
use crate::weights::round6;
use tapps_base::finding::{Category, Finding, Severity};

/// How many suggestions a result carries.
pub const MOST: usize = 5;

/// The best suggestions for a file's settled findings; `blocking` tells which findings fail any gate.
#[must_use]
pub fn suggest_fixes(findings: &[Finding], blocking: &dyn Fn(&Finding) -> bool) -> Vec<Suggestion> {
    let mut groups: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        if finding.points > 0.0 || finding.severity >= Severity::Medium || blocking(finding) {
            groups.entry(&finding.rule).or_default().push(finding);
        }
    }
    let mut ranked: Vec<(bool, f64, Severity, Suggestion)> = groups
        .into_iter()
        .filter_map(|(rule, group)| {
            let first =
                group.iter().copied().reduce(|best, next| if next.points > best.points { next } else { best })?;
            let points: f64 = group.iter().map(|finding| finding.points).sum();
            let severity = group.iter().map(|finding| finding.severity).max()?;
            let suggestion = Suggestion {
                rule: rule.to_owned(),
                line: first.line,
                count: u32::try_from(group.len()).unwrap_or(u32::MAX),
                action: action(first, group.len()),
                points: round6(points),
                effort: effort(first),
            };
            let gain = points / f64::from(effort(first));
            Some((group.iter().any(|finding| blocking(finding)), gain, severity, suggestion))
        })
        .collect();
    ranked.sort_by(|a, b| (b.0.cmp(&a.0)).then(b.1.total_cmp(&a.1)).then(b.2.cmp(&a.2)).then(a.3.rule.cmp(&b.3.rule)));
    ranked.into_iter().take(MOST).map(|(_, _, _, suggestion)| suggestion).collect()
}

/// Rules whose findings are mended where the function is called as well.
const OF_CALLERS: [&str; 2] = ["tapps:too-many-parameters", "ruff:PLR0913"];

/// Rough effort of mending a finding: a line 1, a block 4, a file or all callers 8, tests or project files 12. It orders
/// suggestions so that cheap gains come first; it never changes a score.
fn effort(finding: &Finding) -> u32 {
    match finding.category {
        Category::TestCoverage | Category::Structure | Category::Devex => 12,
        _ if finding.line == 0 || OF_CALLERS.contains(&finding.rule.as_str()) => 8,
        _ if finding.end_line > finding.line + 4 => 4,
        _ => 1,
    }
}

fn action(finding: &Finding, count: usize) -> String {
    let what = match (&finding.fix, &finding.help) {
        (Some(fix), _) => fix.message.clone(),
        (None, Some(help)) => format!("{}: {help}", finding.message),
        (None, None) => finding.message.clone(),
    };
    if count > 1 { format!("{what} (and {} more like it)", count - 1) } else { what }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_base::finding::Tool;
    use tapps_base::rule::Rule;

    fn finding(code: &str, category: Category, points: f64, lines: (u32, u32)) -> Finding {
        let rule = Rule { tool: Tool::Tapps, category, severity: Severity::Low, ..crate::rules::ruff::OTHER };
        let mut finding = rule.finding(code).at(lines.0, 1, lines.1);
        finding.rule = format!("tapps:{code}");
        finding.points = points;
        finding
    }

    #[test]
    fn a_signature_is_dearer_than_its_line() {
        let findings = [
            finding("too-many-parameters", Category::Complexity, 2.0, (1, 1)),
            finding("line", Category::Maintainability, 1.0, (9, 9)),
        ];
        let suggestions = suggest_fixes(&findings, &|_| false);
        let told: Vec<_> = suggestions.iter().map(|s| (s.rule.as_str(), s.effort)).collect();
        assert_eq!(told, [("tapps:line", 1), ("tapps:too-many-parameters", 8)]);
    }

    #[test]
    fn blocking_first_then_gain_for_the_work() {
        let findings = [
            finding("untested", Category::TestCoverage, 13.0, (0, 0)),
            finding("line", Category::Maintainability, 2.0, (3, 3)),
            finding("line", Category::Maintainability, 1.0, (9, 9)),
            finding("block", Category::Complexity, 6.0, (1, 60)),
            finding("undefined", Category::Maintainability, 0.1, (5, 5)),
            finding("nothing", Category::Performance, 0.0, (5, 5)),
        ];
        let suggestions = suggest_fixes(&findings, &|finding| finding.rule == "tapps:undefined");
        let rules: Vec<_> = suggestions.iter().map(|s| s.rule.as_str()).collect();
        assert_eq!(rules, ["tapps:undefined", "tapps:line", "tapps:block", "tapps:untested"]);
        let efforts: Vec<_> = suggestions.iter().map(|s| s.effort).collect();
        assert_eq!(efforts, [1, 1, 4, 12]);
        assert_eq!((suggestions[1].count, suggestions[1].line, suggestions[1].points), (2, 3, 3.0));
    }
}
