//! How much of a file is typed `any`.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "any-density",
    aliases: &["typescript-eslint:no-explicit-any"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 60,
    blocking: false,
    summary: "Each `any` switches type checking off for everything it touches.",
    help: "name the type, or use `unknown` and narrow it",
    explanation: "`any` turns the type checker off for the value and for everything that is computed from it, and \
        nobody sees where that ends. A few of them in a large file cost nothing; it is the density that counts. Name \
        the type, or take `unknown` and narrow it where it is used.",
    examples: &[Example {
        path: "example.ts",
        bad: "export function first(rows: any): any {
  const row: any = rows[0];
  const copy: any = { ...row };
  return copy as any;
}
",
        good: "export function first<Row extends object>(rows: Row[]): Row {
  const row: Row = rows[0];
  const copy: Row = { ...row };
  return copy;
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::File(check_any_density);

/// Uses of `any` per hundred statements that cost nothing.
const FREE: u32 = 5;
/// Fewer than this say nothing about a file.
const MIN_USES: u32 = 3;
/// The most that the finding costs.
const MAX_COST: u32 = 1_500;

fn check_any_density(context: &ScriptContext<'_, '_>, out: &mut Vec<Finding>) {
    if context.is_declaration_file() || context.is_test_file() {
        return;
    }
    let mut uses = context.nodes().iter().filter(|node| matches!(node.kind(), AstKind::TSAnyKeyword(_)));
    let Some(first) = uses.next() else { return };
    let count = u32::try_from(uses.count() + 1).unwrap_or(u32::MAX);
    let statements = context.measures.statements.max(1);
    let density = count.saturating_mul(100) / statements;
    if count < MIN_USES || density <= FREE {
        return;
    }
    let message = format!("`any` is used {count} times in {statements} statements");
    let cost = ((density - FREE).saturating_mul(RULE.cost)).min(MAX_COST);
    out.push(context.report(&RULE, first.kind().span(), message).costing(cost).measuring(count).anchored("any"));
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, findings};
    use super::*;

    #[test]
    fn files_full_of_any() {
        let dense = findings(&RULE, "a.ts", "let a: any;\nlet b: any[];\nlet c: Map<string, any>;\nlet d = 1;\n");
        assert_eq!((dense.len(), dense[0].line, dense[0].cost), (1, 1, 1_500));
        let some = format!("let a: any, b: any, c: any, d: any;\n{}", "f();\n".repeat(49));
        assert_eq!(findings(&RULE, "a.ts", &some)[0].cost, (8 - 5) * 60);
    }

    #[test]
    fn few_uses_and_declarations() {
        assert_no_findings(&RULE, "a.ts", &["let a: any; let b: any;", &format!("let a: any, b: any, c: any;\n{}", "f();\n".repeat(100))]);
        assert_no_findings(&RULE, "a.d.ts", &["declare let a: any, b: any, c: any, d: any;"]);
    }
}
