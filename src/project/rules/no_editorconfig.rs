//! No `.editorconfig`.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-editorconfig",
    aliases: &[],
    category: Category::Devex,
    severity: Severity::Info,
    cost: 250,
    blocking: false,
    summary: "Editors do not learn the project's indentation and line ends.",
    help: "add an .editorconfig file",
    explanation: "Two editors with two opinions about tabs and line ends produce changes in which the one line that \
        matters is lost. An `.editorconfig` tells all of them, without a plug-in in most.",
    examples: &[Example {
        path: "project",
        bad: "pyproject.toml
src/shop/cart.py
",
        good: ".editorconfig
pyproject.toml
src/shop/cart.py
",
    }],
    cwe: None,
    since: "0.1.0",
};
