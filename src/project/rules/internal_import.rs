//! An import of a module that is not part of a package's interface.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "internal-import",
    aliases: &[],
    category: Category::Structure,
    severity: Severity::High,
    cost: 2500,
    blocking: true,
    summary: "A module outside a package imports what a contract of the project keeps inside it.",
    help: "import it from the interface of the package, and add it there if others may use it",
    explanation: "The project has set down which modules of the package others may import. What is behind them may change \
        at any time. Use the interface; if something is missing there, add it.",
    examples: &[Example {
        path: "project",
        bad: "tapps-mcp.toml: architecture.contracts.interface = { kind = 'public', modules = ['shop.domain'], interface = ['shop.domain.api'] }
shop/domain/api.py
shop/domain/cart.py
shop/web/views.py: from shop.domain import cart
",
        good: "tapps-mcp.toml: architecture.contracts.interface = { kind = 'public', modules = ['shop.domain'], interface = ['shop.domain.api'] }
shop/domain/api.py: from shop.domain import cart
shop/domain/cart.py
shop/web/views.py: from shop.domain import api
",
    }],
    cwe: None,
    since: "0.1.0",
};
