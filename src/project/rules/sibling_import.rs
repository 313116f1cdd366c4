//! Modules that reach each other though they are to be independent.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "sibling-import",
    aliases: &[],
    category: Category::Structure,
    severity: Severity::High,
    cost: 2500,
    blocking: true,
    summary: "A module reaches one that a contract of the project keeps independent of it, directly or through others.",
    help: "move what both need below them, or join them from above",
    explanation: "The project has set down that these modules do not know each other, so that each can be changed, tested \
        or taken away alone. The finding shows the shortest chain of imports between them. Move what both need \
        into a module below, or let something above connect them.",
    examples: &[Example {
        path: "project",
        bad: "tapps-mcp.toml: architecture.contracts.plugins = { kind = 'independence', modules = ['shop.plugins.*'] }
shop/plugins/card.py: import shop.plugins.gift
shop/plugins/gift.py
",
        good: "tapps-mcp.toml: architecture.contracts.plugins = { kind = 'independence', modules = ['shop.plugins.*'] }
shop/plugins/card.py
shop/plugins/gift.py
",
    }],
    cwe: None,
    since: "0.1.0",
};
