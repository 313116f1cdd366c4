//! The manifest names dependencies, and no lock file fixes their versions.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "no-lock-file",
    aliases: &[],
    category: Category::Devex,
    severity: Severity::Low,
    cost: 750,
    blocking: false,
    summary: "Dependencies are not locked, so two machines may run different versions.",
    help: "lock the dependencies and keep the lock file with the code",
    explanation: "A manifest says which versions may be used, a lock file which are. Without it the machine of a \
        developer, the pipeline and production each resolve anew, and a fault appears on one of them only. Commit the \
        lock file of the package manager.",
    examples: &[Example {
        path: "project",
        bad: "package.json
src/cart.ts
",
        good: "package-lock.json
package.json
src/cart.ts
",
    }],
    cwe: None,
    since: "0.1.0",
};
