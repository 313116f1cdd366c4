//! An import that lies on a circle which a contract of the project excludes.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "import-circle",
    aliases: &[],
    category: Category::Structure,
    severity: Severity::Medium,
    cost: 1500,
    blocking: true,
    summary: "An import closes a circle where a contract of the project allows none.",
    help: "take one import out of the circle: move what both need into a module of its own",
    explanation: "Modules in a circle cannot be understood, tested or moved alone, and may fail depending on which is \
        loaded first. The finding shows the shortest way back to the importing module. Move what both sides need \
        into a module that imports neither.",
    examples: &[Example {
        path: "project",
        bad: "tapps-mcp.toml: architecture.contracts.no-circles = { kind = 'acyclic', modules = ['shop'] }
shop/cart.py: import shop.price
shop/price.py: import shop.cart
",
        good: "tapps-mcp.toml: architecture.contracts.no-circles = { kind = 'acyclic', modules = ['shop'] }
shop/cart.py: import shop.price
shop/price.py
",
    }],
    cwe: None,
    since: "0.1.0",
};
