//! An import of a protected module by somebody who may not.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "protected-import",
    aliases: &[],
    category: Category::Structure,
    severity: Severity::High,
    cost: 2500,
    blocking: true,
    summary: "A module imports directly what a contract of the project protects from it.",
    help: "go through one of the modules that may import it",
    explanation: "The project has set down who may import these modules directly: a driver only by its adapter, a model \
        only by its repository. Ask one of those for what you need, or add the importer to the contract if it is \
        meant to be one.",
    examples: &[Example {
        path: "project",
        bad: "tapps-mcp.toml: architecture.contracts.tables = { kind = 'protected', modules = ['shop.tables'], importers = ['shop.domain'] }
shop/domain/cart.py: import shop.tables
shop/tables.py
shop/web/views.py: import shop.tables
",
        good: "tapps-mcp.toml: architecture.contracts.tables = { kind = 'protected', modules = ['shop.tables'], importers = ['shop.domain'] }
shop/domain/cart.py: import shop.tables
shop/tables.py
shop/web/views.py: import shop.domain.cart
",
    }],
    cwe: None,
    since: "0.1.0",
};
