//! An import that a contract of the project forbids.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "forbidden-import",
    aliases: &[],
    category: Category::Structure,
    severity: Severity::High,
    cost: 2500,
    blocking: true,
    summary: "A module reaches what a contract of the project forbids it to import, directly or through others.",
    help: "take the import away, or move the code to a module that may import it",
    explanation: "The project has set down that these modules do not import those, or not these packages. The finding \
        shows the shortest chain of imports that leads there. Turn the dependency round, pass in what is needed, \
        or move the code. If it has to be so, add an exception with its reason to the contract.",
    examples: &[Example {
        path: "project",
        bad: "tapps-mcp.toml: architecture.contracts.pure = { kind = 'forbidden', from = ['shop.domain'], to = ['shop.web'] }
shop/domain/cart.py: from shop.web import views
shop/web/views.py
",
        good: "tapps-mcp.toml: architecture.contracts.pure = { kind = 'forbidden', from = ['shop.domain'], to = ['shop.web'] }
shop/domain/cart.py
shop/web/views.py: from shop.domain import cart
",
    }],
    cwe: None,
    since: "0.1.0",
};
