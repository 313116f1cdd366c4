//! Which comment hides which finding.

use tapps_base::finding::{Finding, Tool};
use tapps_rules::suppression::{Suppression, SuppressionKind, SuppressionScope};

/// What each of the suppressions hides, in their order. All findings are hidden by one of them; the checker's own way of
/// finding the comment is not asked for again, so the nearest one that can be meant is taken.
pub(super) fn hidden_by_each(suppressions: &[&Suppression], hidden: Vec<Finding>) -> Vec<Vec<Finding>> {
    let mut each: Vec<Vec<Finding>> = suppressions.iter().map(|_| Vec::new()).collect();
    for finding in hidden {
        let best = suppressions
            .iter()
            .enumerate()
            .filter(|(_, one)| speaks_to(one, &finding))
            .min_by_key(|(at, one)| (!names(one, &finding), distance(one, &finding), *at));
        if let Some((at, _)) = best {
            each[at].push(finding);
        }
    }
    each
}

fn speaks_to(one: &Suppression, finding: &Finding) -> bool {
    match one.kind {
        SuppressionKind::Noqa | SuppressionKind::Ruff => finding.tool == Tool::Ruff,
        SuppressionKind::Nosec => finding.tool == Tool::Bandit,
        SuppressionKind::AllowSecret => finding.tool == Tool::Secrets,
        // An undefined name is one for mypy as well, and an excuse there is one here.
        SuppressionKind::TypeIgnore | SuppressionKind::Mypy => {
            finding.tool == Tool::Mypy || finding.rule == "ruff:F821"
        }
        SuppressionKind::Eslint | SuppressionKind::Oxlint => matches!(finding.tool, Tool::Tapps | Tool::Oxlint),
        SuppressionKind::Shellcheck => finding.tool == Tool::Shellcheck,
        SuppressionKind::TsIgnore | SuppressionKind::TsExpectError => finding.tool == Tool::Tsc,
        SuppressionKind::Own => {
            let tool = finding.rule.split_once(':').map(|(tool, _)| tool);
            finding.tool == Tool::Own && tool == one.tool.as_deref()
        }
        SuppressionKind::AstGrep => finding.tool == Tool::Project,
        _ => finding.tool == Tool::Tapps,
    }
}

fn names(one: &Suppression, finding: &Finding) -> bool {
    let code = finding.rule.split_once(':').map_or(finding.rule.as_str(), |(_, code)| code);
    one.rules.is_empty() || one.rules.iter().any(|rule| rule == code)
}

/// How far a comment is from what it may hide: on its lines, above it, elsewhere, anywhere in the file.
fn distance(one: &Suppression, finding: &Finding) -> (u8, u32) {
    match one.scope {
        SuppressionScope::File => (3, 0),
        SuppressionScope::Range if one.line <= finding.line => (1, finding.line - one.line),
        _ if (finding.line..=finding.end_line).contains(&one.line) => (0, one.line - finding.line),
        _ => (2, one.line.abs_diff(finding.line)),
    }
}
