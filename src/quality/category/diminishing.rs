//! Diminishing costs: the second occurrence of a rule tells less about a file than the first.

use std::collections::BTreeMap;

use tapps_base::finding::{Category, Finding, Tool};

/// Divides the cost of the k-th dearest finding of each rule by k, for the rules of `category` that `tools` admits.
///
/// The sum then grows like the harmonic series, so a long file with one habit is not worth nothing, while each further
/// finding still costs something. At least one thousandth always remains.
pub fn per_rule(findings: &mut [Finding], category: Category, tools: &[Tool]) {
    let mut by_rule: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, finding) in findings.iter().enumerate() {
        if finding.category == category && finding.cost > 0 && tools.contains(&finding.tool) {
            by_rule.entry(finding.rule.clone()).or_default().push(index);
        }
    }
    for indices in by_rule.values_mut() {
        // Equal costs keep their order of place, so the result does not depend on the sort.
        indices.sort_by(|&a, &b| findings[b].cost.cmp(&findings[a].cost));
        for (rank, &index) in indices.iter().enumerate() {
            let divisor = u32::try_from(rank + 1).unwrap_or(u32::MAX);
            findings[index].cost = (findings[index].cost / divisor).max(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_base::rule::Rule;

    #[test]
    fn the_dearest_keeps_its_cost_and_other_categories_are_untouched() {
        let make = |category, cost| Rule { tool: Tool::Tapps, category, cost, ..crate::rules::ruff::OTHER }.finding("");
        let mut findings = [
            make(Category::Performance, 300),
            make(Category::Performance, 900),
            make(Category::Security, 900),
            make(Category::Performance, 600),
        ];
        per_rule(&mut findings, Category::Performance, &[Tool::Tapps]);
        assert_eq!(findings.map(|finding| finding.cost), [100, 900, 900, 300]);
    }
}
