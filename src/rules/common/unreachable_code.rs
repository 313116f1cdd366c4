//! Statements that control never gets to.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unreachable-code",
    aliases: &["pylint:unreachable", "eslint:no-unreachable", "typescript:TS7027"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 1500,
    blocking: false,
    summary: "Code follows a statement that never lets control past it.",
    help: "Remove the code, or the statement that leaves before it.",
    explanation: "What stands after a `return`, `raise` (`throw`), `break` or `continue` of the same block is never \
        run. Either it is left over and misleads its readers, or the statement before it was not meant to leave there. \
        Remove one of the two.",
    examples: &[
        Example {
            path: "example.py",
            bad: r#"def total(prices):
    return sum(prices)
    log("total computed")
"#,
            good: r#"def total(prices):
    log("computing the total")
    return sum(prices)
"#,
        },
        Example {
            path: "example.ts",
            bad: r#"export function total(prices: number[]): number {
  return prices.length;
  console.log("total computed");
}
"#,
            good: r#"export function total(prices: number[]): number {
  console.log("computing the total");
  return prices.length;
}
"#,
        },
        Example {
            path: "example.go",
            bad: r#"package shop

func Total(prices []int) int {
	return len(prices)
	log.Print("total computed")
}
"#,
            good: r#"package shop

func Total(prices []int) int {
	log.Print("computing the total")
	return len(prices)
}
"#,
        },
        Example {
            path: "example.rs",
            bad: r#"pub fn total(prices: &[u32]) -> u32 {
    return prices.iter().sum();
    log("total computed");
}
"#,
            good: r#"pub fn total(prices: &[u32]) -> u32 {
    log("computing the total");
    prices.iter().sum()
}
"#,
        },
        Example {
            path: "example.c",
            bad: "int total(int a, int b) {
    return a + b;
    log_total(a + b);
}
",
            good: "int total(int a, int b) {
    log_total(a + b);
    return a + b;
}
",
        },
    ],
    cwe: None,
    since: "0.1.0",
};
