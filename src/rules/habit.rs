//! What a habit may cost: one small thing that a file does again and again.

use std::collections::HashMap;

use tapps_base::finding::Finding;

/// What findings of one small kind may cost together: a habit is one thing to say, however often it shows.
const MAX_PER_SMALL_RULE: u32 = 2_000;
/// Rules that ask for less than this are small.
const SMALL: u32 = 1_000;

/// Makes the findings of a small rule informational once their sum has reached its bound.
pub(crate) fn bound_small_costs(findings: &mut [Finding]) {
    let mut spent: HashMap<String, u32> = HashMap::new();
    for finding in findings.iter_mut().filter(|finding| finding.cost < SMALL) {
        let spent = spent.entry(finding.rule.clone()).or_default();
        finding.cost = finding.cost.min(MAX_PER_SMALL_RULE - *spent);
        *spent += finding.cost;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::{deep_nesting, nested_loop};

    #[test]
    fn small_findings_have_a_bound_together_and_large_ones_have_none() {
        let one = |cost| deep_nesting::RULE.finding("").costing(cost);
        let other = |cost| nested_loop::RULE.finding("").costing(cost);
        let mut findings = [one(900), other(1_500), one(900), one(900), other(1_500), other(300)];
        bound_small_costs(&mut findings);
        assert_eq!(findings.map(|finding| finding.cost), [900, 1_500, 900, 200, 1_500, 300]);
    }
}
