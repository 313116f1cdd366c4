//! Lint density: what a lint costs depends on how much code it stands in.

use tapps_base::finding::{Category, Finding, Severity, Tool};

/// Cost of one unit in a file of a hundred logical lines, in thousandths of a category point.
const UNIT: u32 = 250;
/// Files shorter than this many logical lines count as this long, so that one lint in a tiny file is not a disaster.
const SHORTEST: u32 = 60;
/// No lint costs less, or mending it would give nothing back.
const LEAST: u32 = 20;

/// Units of a lint by severity.
const fn units(severity: Severity) -> u32 {
    match severity {
        Severity::Info => 0,
        Severity::Low => 1,
        Severity::Medium => 3,
        Severity::High | Severity::Critical => 8,
    }
}

/// The tools whose findings are priced as lints.
pub const LINTERS: [Tool; 5] = [Tool::Ruff, Tool::Mypy, Tool::Oxlint, Tool::Tsc, Tool::Shellcheck];

/// Prices the maintainability findings of linters: `units(severity) × 250 × 100 / max(60, logical lines)`
/// thousandths each, at least 20.
pub fn price_findings(findings: &mut [Finding], logical_lines: u32) {
    for finding in findings {
        if finding.category == Category::Maintainability && LINTERS.contains(&finding.tool) {
            finding.cost = cost(finding.severity, logical_lines);
        }
    }
}

/// Cost of a lint in a file of so many logical lines.
#[must_use]
pub const fn cost(severity: Severity, logical_lines: u32) -> u32 {
    let lines = if logical_lines < SHORTEST { SHORTEST } else { logical_lines };
    let cost = units(severity) * UNIT * 100 / lines;
    if units(severity) > 0 && cost < LEAST { LEAST } else { cost }
}

/// Cost of a linter's finding in another category, by severity alone.
#[must_use]
pub const fn flat_lint_cost(severity: Severity) -> u32 {
    match severity {
        Severity::Info => 0,
        Severity::Low => 250,
        Severity::Medium => 800,
        Severity::High | Severity::Critical => 2_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_base::rule::Rule;

    fn lint(severity: Severity) -> Finding {
        Rule { severity, ..crate::rules::ruff::OTHER }.finding("")
    }

    #[test]
    fn the_same_lint_costs_less_in_more_code() {
        for (lines, low, medium, high) in [
            (10, 416, 1250, 3333),
            (60, 416, 1250, 3333),
            (100, 250, 750, 2000),
            (1_000, 25, 75, 200),
            (90_000, 20, 20, 20),
        ] {
            let mut findings =
                [lint(Severity::Low), lint(Severity::Medium), lint(Severity::High), lint(Severity::Info)];
            price_findings(&mut findings, lines);
            assert_eq!(findings.map(|finding| finding.cost), [low, medium, high, 0], "{lines} lines");
        }
    }
}
