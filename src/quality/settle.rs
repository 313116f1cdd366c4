//! From costs to scores: how findings become deductions that add up.
//!
//! All arithmetic on category scores is in whole thousandths of a category point, so that ten minus the deductions is
//! the score exactly, on every machine.

use crate::result::Deduction;
use tapps_base::finding::{Category, Finding};

/// A full category: ten points in thousandths.
pub const FULL: u32 = 10_000;

/// The settled account of one category.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    /// What is left of [`FULL`].
    pub score: u32,
    /// One entry per finding that lost something, in the order of the findings.
    pub entries: Vec<AccountEntry>,
}

/// What one finding finally cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountEntry {
    /// Index into the slice of findings that was settled.
    pub finding: usize,
    /// Thousandths of a category point.
    pub cost: u32,
}

/// Settles the findings of one category: each loses what it asks for, unless that adds up to more than the category
/// has; then every cost is scaled down in proportion and the sum is exactly [`FULL`].
#[must_use]
pub fn settle_category(category: Category, findings: &[Finding]) -> Account {
    let asked: Vec<AccountEntry> = findings
        .iter()
        .enumerate()
        .filter(|(_, finding)| finding.category == category && finding.cost > 0)
        .map(|(index, finding)| AccountEntry { finding: index, cost: finding.cost })
        .collect();
    let total: u64 = asked.iter().map(|entry| u64::from(entry.cost)).sum();
    let entries = if total > u64::from(FULL) { scale_to_full(asked, total) } else { asked };
    let lost: u32 = entries.iter().map(|entry| entry.cost).sum();
    Account { score: FULL - lost, entries }
}

/// Scales costs so that they sum to [`FULL`], by the method of largest remainders (earlier findings win ties).
fn scale_to_full(mut entries: Vec<AccountEntry>, total: u64) -> Vec<AccountEntry> {
    let full = u64::from(FULL);
    let mut remainders: Vec<(u64, usize)> = Vec::with_capacity(entries.len());
    let mut given = 0;
    for (at, entry) in entries.iter_mut().enumerate() {
        let product = u64::from(entry.cost) * full;
        entry.cost = u32::try_from(product / total).unwrap_or(FULL);
        given += u64::from(entry.cost);
        remainders.push((product % total, at));
    }
    remainders.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let missing = usize::try_from(full - given).unwrap_or(0);
    for &(_, at) in remainders.iter().take(missing) {
        entries[at].cost += 1;
    }
    entries.retain(|entry| entry.cost > 0);
    entries
}

/// The entries of an account as the deductions of a result.
#[must_use]
pub fn account_deductions(account: &Account, findings: &[Finding]) -> Vec<Deduction> {
    account
        .entries
        .iter()
        .map(|entry| {
            let finding = &findings[entry.finding];
            Deduction {
                rule: finding.rule.clone(),
                line: finding.line,
                finding: finding.fingerprint.clone(),
                points: to_category_points(entry.cost),
            }
        })
        .collect()
}

/// Thousandths of a category point as category points.
#[must_use]
pub fn to_category_points(thousandths: u32) -> f64 {
    f64::from(thousandths) / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tapps_base::finding::Tool;
    use tapps_base::rule::Rule;

    fn finding(category: Category, cost: u32) -> Finding {
        Rule { tool: Tool::Tapps, code: "x", category, cost, ..crate::rules::ruff::OTHER }.finding("x")
    }

    #[test]
    fn small_costs_are_taken_as_asked() {
        let findings =
            [finding(Category::Security, 3000), finding(Category::Devex, 10), finding(Category::Security, 0)];
        let account = settle_category(Category::Security, &findings);
        assert_eq!(account.score, 7000);
        assert_eq!(account.entries, [AccountEntry { finding: 0, cost: 3000 }]);
    }

    proptest! {
        #[test]
        fn ten_minus_the_deductions_is_the_score(costs in prop::collection::vec(0_u32..20_000, 0..200)) {
            let findings: Vec<Finding> = costs.iter().map(|&cost| finding(Category::Performance, cost)).collect();
            let account = settle_category(Category::Performance, &findings);
            let lost: u32 = account.entries.iter().map(|entry| entry.cost).sum();
            prop_assert_eq!(FULL - lost, account.score);
            let asked: u64 = costs.iter().map(|&cost| u64::from(cost)).sum();
            prop_assert_eq!(u64::from(account.score), 10_000 - asked.min(10_000));
            for entry in &account.entries {
                prop_assert!(entry.cost <= costs[entry.finding]);
            }
        }

        #[test]
        fn another_finding_never_raises_the_score(costs in prop::collection::vec(0_u32..5_000, 0..50), extra in 1_u32..5_000) {
            let mut findings: Vec<Finding> = costs.iter().map(|&cost| finding(Category::Performance, cost)).collect();
            let before = settle_category(Category::Performance, &findings).score;
            findings.push(finding(Category::Performance, extra));
            prop_assert!(settle_category(Category::Performance, &findings).score <= before);
        }
    }
}
