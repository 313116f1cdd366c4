//! Maintainability: radon's index by its ranks, lints and type errors by density, native rules as they ask.

use super::rules::low_maintainability_index;
use tapps_base::finding::Finding;

/// The finding for an index below rank A: B costs 500 thousandths, C costs 1 200. Rank A costs nothing, so that size
/// alone is never taxed.
#[must_use]
pub fn index_finding(index: f64) -> Option<Finding> {
    let (rank, cost) = match index {
        value if value > 19.0 => return None,
        value if value > 9.0 => ("B", 500),
        _ => ("C", 1_200),
    };
    Some(
        low_maintainability_index::RULE
            .finding(format!("maintainability index {index:.1} is rank {rank}"))
            .costing(cost),
    )
}

/// One sentence about the category.
#[must_use]
pub fn maintainability_details(
    index: Option<f64>,
    lints: usize,
    type_errors: Option<usize>,
    logical_lines: u32,
) -> String {
    let index = index.map_or_else(String::new, |value| format!("maintainability index {value:.1}, "));
    let types = type_errors.map_or_else(String::new, |count| format!(", {count} type errors"));
    format!("{index}{lints} lint findings{types} in {logical_lines} logical lines")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ranks_b_and_c_cost() {
        for (index, cost) in
            [(100.0, None), (19.1, None), (19.0, Some(500)), (9.1, Some(500)), (9.0, Some(1200)), (0.0, Some(1200))]
        {
            assert_eq!(index_finding(index).map(|finding| finding.cost), cost, "{index}");
        }
    }
}
