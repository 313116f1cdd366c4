//! A layer that reaches one above it.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "layer-breach",
    aliases: &[],
    category: Category::Structure,
    severity: Severity::High,
    cost: 2500,
    blocking: true,
    summary: "A module reaches a layer above its own, directly or through others.",
    help: "turn the dependency round, or move the code to the layer that it belongs to",
    explanation: "The project has set down its layers: each may import what is below it and nothing above. The finding \
        shows the shortest chain of imports that leads up. Move the code, pass in what is needed from above, or \
        let the upper layer register itself. If it has to be so, add an exception with its reason to the \
        contract.",
    examples: &[Example {
        path: "project",
        bad: "tapps-mcp.toml: architecture.contracts.layers = { kind = 'layers', layers = ['shop.web', 'shop.domain'] }
shop/domain/cart.py: from shop.web import views
shop/web/views.py
",
        good: "tapps-mcp.toml: architecture.contracts.layers = { kind = 'layers', layers = ['shop.web', 'shop.domain'] }
shop/domain/cart.py
shop/web/views.py: from shop.domain import cart
",
    }],
    cwe: None,
    since: "0.1.0",
};
