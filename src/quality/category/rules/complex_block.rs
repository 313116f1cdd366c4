//! Functions and methods above the limit of radon's rank B.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "complex-block",
    aliases: &["mccabe:C901", "ruff:C901", "eslint:complexity", "radon:cc"],
    category: Category::Complexity,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "A function has more independent paths than a reader can hold: cyclomatic complexity above 10.",
    help: "split the function along its branches, or replace branching by a table or early returns",
    explanation: "Cyclomatic complexity counts the independent paths through a function. Above ten nobody holds them \
        all in mind and hardly any test runs them all. Split the function along its branches, replace a chain of \
        conditions by a table, return early. Each path above 10 costs 100, above 20 it is 150, above 30 it is 200, at \
        most 6000; the severity rises along.",
    examples: &[Example {
        path: "example.py",
        bad: r#"def shipping(country, weight, express):
    if country == "DE":
        cost = 4
    elif country == "FR":
        cost = 6
    elif country == "IT":
        cost = 7
    elif country == "ES":
        cost = 8
    elif country == "PL":
        cost = 5
    elif country == "SE":
        cost = 9
    elif country == "US":
        cost = 20
    else:
        cost = 30
    if weight > 20:
        cost *= 3
    elif weight > 10:
        cost *= 2
    if express:
        cost += 10
    return cost
"#,
        good: r#"BASE_COST = {"DE": 4, "FR": 6, "IT": 7, "ES": 8, "PL": 5, "SE": 9, "US": 20}


def shipping(country, weight, express):
    return BASE_COST.get(country, 30) * weight_factor(weight) + (10 if express else 0)


def weight_factor(weight):
    if weight > 20:
        return 3
    return 2 if weight > 10 else 1
"#,
    }],
    cwe: Some("CWE-1121"),
    since: "0.1.0",
};
