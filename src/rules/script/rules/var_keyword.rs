//! `var` in a file that knows `let` and `const`.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "var-keyword",
    aliases: &["eslint:no-var"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 100,
    blocking: false,
    summary: "A `var` is visible outside its block and before its line, which hides mistakes that `let` reports.",
    help: "use `const`, or `let` where the variable is assigned again",
    explanation: "A `var` belongs to the whole function and exists before its line, so a name that is used too early \
        or outside its block is no error, it is `undefined`. `const` and `let` report both. The habit costs a file a \
        bounded amount, however often it shows.",
    examples: &[Example {
        path: "example.ts",
        bad: "export function total(prices: number[]): number {
  var sum = 0;
  prices.forEach((price) => (sum += price));
  return sum;
}
",
        good: "export function total(prices: number[]): number {
  let sum = 0;
  prices.forEach((price) => (sum += price));
  return sum;
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::File(check_var_keyword);

/// The most that one file's habit costs.
const MAX_COST: u32 = 500;

fn check_var_keyword(context: &ScriptContext<'_, '_>, out: &mut Vec<Finding>) {
    if !context.facts.is_modern || context.is_declaration_file() {
        return;
    }
    let mut declarations = context.nodes().iter().filter_map(|node| match node.kind() {
        AstKind::VariableDeclaration(declaration) if declaration.kind.is_var() && !declaration.declare && !is_global_merge(context, node) => {
            Some(declaration.span)
        }
        _ => None,
    });
    let Some(first) = declarations.next() else { return };
    let count = u32::try_from(declarations.count() + 1).unwrap_or(u32::MAX);
    let message = format!("`var` is used {count} times beside `let` and `const`");
    let cost = count.saturating_mul(RULE.cost).min(MAX_COST);
    out.push(context.report(&RULE, first, message).costing(cost).measuring(count).anchored("var"));
}

/// In `declare global` only `var` makes a property of the global object.
fn is_global_merge(context: &ScriptContext<'_, '_>, node: &AstNode<'_>) -> bool {
    context.ancestors(node.id()).any(|ancestor| matches!(ancestor.kind(), AstKind::TSGlobalDeclaration(_)))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, findings};
    use super::*;

    #[test]
    fn mixed_files() {
        let told = findings(&RULE, "a.js", "const a = 1;\nvar b = 2;\nvar c = 3;\n");
        assert_eq!((told.len(), told[0].line, told[0].cost), (1, 2, 200));
        assert_eq!(findings(&RULE, "a.ts", &format!("let a;{}", "var b = 1;".repeat(9)))[0].cost, 500);
    }

    #[test]
    fn old_scripts_and_global_declarations() {
        assert_no_findings(&RULE, "a.js", &["var a = 1; function f() { var b = a }"]);
        assert_no_findings(&RULE, "a.ts", &["export const a = 1; declare global { var b: number }"]);
    }
}
