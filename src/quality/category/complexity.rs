//! Complexity: cyclomatic complexity per function, named where it is too high.

use super::rules::{complex_block, complex_on_average};
use tapps_base::finding::{Finding, Severity};
use tapps_rules::shape::{BlockKind, BlockMetrics};

/// The highest complexity that costs nothing: the end of radon's rank B.
pub const LIMIT: u32 = 10;

/// What one block asks for, in thousandths: 100 a path above 10, 150 above 20, 200 above 30, at most 6 000.
#[must_use]
pub fn block_cost(complexity: u32) -> u32 {
    let above = |limit: u32| complexity.saturating_sub(limit);
    let first = above(10).min(10) * 100;
    let second = above(20).min(10) * 150;
    let third = above(30).min(1_000) * 200;
    (first + second + third).min(6_000)
}

/// The findings of a file's blocks and one sentence about them.
#[must_use]
pub fn assess_complexity(blocks: &[BlockMetrics]) -> (Vec<Finding>, String) {
    let functions: Vec<&BlockMetrics> = blocks.iter().filter(|block| block.kind != BlockKind::Class).collect();
    let Some(worst) = functions.iter().max_by_key(|block| (block.complexity, std::cmp::Reverse(block.line))) else {
        return (Vec::new(), "no functions: nothing to be complex".to_owned());
    };
    let total: u32 = functions.iter().map(|block| block.complexity).sum();
    let count = u32::try_from(functions.len()).unwrap_or(u32::MAX);
    let mean = f64::from(total) / f64::from(count);
    let mut findings: Vec<Finding> =
        functions.iter().filter(|block| block.complexity > LIMIT).map(|block| complex_block_finding(block)).collect();
    // In hundredths and whole numbers, so that no rounding of the mean can differ between machines.
    let mean_hundredths = total.saturating_mul(100) / count.max(1);
    if mean_hundredths > 500 {
        let cost = (mean_hundredths - 500).saturating_mul(5).min(3_000);
        let message = format!("mean cyclomatic complexity of {count} functions is {mean:.1}, above 5");
        findings.push(complex_on_average::RULE.finding(message).costing(cost));
    }
    let details =
        format!("{count} functions, mean complexity {mean:.1}, highest {} in {}", worst.complexity, worst.name);
    (findings, details)
}

fn complex_block_finding(block: &BlockMetrics) -> Finding {
    let severity = match block.complexity {
        0..=20 => Severity::Low,
        21..=30 => Severity::Medium,
        _ => Severity::High,
    };
    let message = format!("{} has cyclomatic complexity {}, above {LIMIT}", block.name, block.complexity);
    let mut finding = complex_block::RULE
        .finding(message)
        .at(block.line, block.column, block.end_line)
        .costing(block_cost(block.complexity))
        .measuring(block.complexity)
        .anchored(&block.name);
    finding.severity = severity;
    finding
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(name: &str, complexity: u32) -> BlockMetrics {
        let kind = BlockKind::Function;
        BlockMetrics {
            name: name.to_owned(),
            kind,
            line: 1,
            column: 1,
            end_line: 9,
            complexity,
            nesting: 0,
            parameters: 0,
        }
    }

    #[test]
    fn cost_is_continuous_and_bounded() {
        for (complexity, cost) in
            [(1, 0), (10, 0), (11, 100), (20, 1000), (21, 1150), (30, 2500), (31, 2700), (48, 6000), (900, 6000)]
        {
            assert_eq!(block_cost(complexity), cost, "{complexity}");
        }
    }

    #[test]
    fn names_the_over_complex_block_and_no_other() {
        let (findings, details) = assess_complexity(&[block("easy", 2), block("hard", 25), block("fair", 10)]);
        assert_eq!(findings.iter().filter(|f| f.rule == "tapps:complex-block").count(), 1);
        assert!(findings[0].message.starts_with("hard has cyclomatic complexity 25"));
        assert_eq!(details, "3 functions, mean complexity 12.3, highest 25 in hard");
        assert_eq!(assess_complexity(&[]).0, []);
    }
}
