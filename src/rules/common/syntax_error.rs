//! Text that is not code of its language, or not of the target version.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "syntax-error",
    aliases: &["ruff:invalid-syntax", "mypy:syntax", "pylint:syntax-error", "flake8:E999"],
    category: Category::Maintainability,
    severity: Severity::Critical,
    cost: 10_000,
    blocking: true,
    summary: "The file does not parse, so nothing else can be said about it.",
    help: "Correct the syntax; the file is scored once it parses.",
    explanation: "A file that its language's parser refuses cannot be measured at all: it gets no score, and any gate \
        fails. The finding names the place where the parser gave up; the mistake often stands a little before it. \
        Syntax that is newer than the project's Python says which version it needs.",
    examples: &[
        Example {
            path: "example.py",
            bad: "def total(prices):
    return sum(prices
",
            good: "def total(prices):
    return sum(prices)
",
        },
        Example {
            path: "example.ts",
            bad: "export const total = (prices: number[] => prices.length;
",
            good: "export const total = (prices: number[]) => prices.length;
",
        },
        Example {
            path: "example.go",
            bad: r#"package shop

func Total(prices []int int {
	return len(prices)
}
"#,
            good: r#"package shop

func Total(prices []int) int {
	return len(prices)
}
"#,
        },
        Example {
            path: "example.rs",
            bad: "pub fn total(prices: &[u32) -> usize {
    prices.len()
}
",
            good: "pub fn total(prices: &[u32]) -> usize {
    prices.len()
}
",
        },
        Example {
            path: "example.java",
            bad: r#"class Shop {
    int total(int[] prices {
        return prices.length;
    }
}
"#,
            good: r#"class Shop {
    int total(int[] prices) {
        return prices.length;
    }
}
"#,
        },
        Example {
            path: "example.c",
            bad: "int total(int a, int b {
    return a + b;
}
",
            good: "int total(int a, int b) {
    return a + b;
}
",
        },
    ],
    cwe: None,
    since: "0.1.0",
};
