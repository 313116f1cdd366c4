//! The table of a module's names: `globals()`, and `locals()` and `vars()` outside functions. Looking into it is harmless;
//! whatever else is done with it may make names.

use ruff_python_ast::visitor::source_order::{SourceOrderVisitor, TraversalSignal};
use ruff_python_ast::{AnyNodeRef, Expr, ExprCall, ExprContext, Stmt};

/// Whether a module may make names by its table.
pub(super) fn writes_table(body: &[Stmt]) -> bool {
    // Which names stand for the table has to be known before their uses are met.
    let mut uses = TableUses::default();
    uses.visit_body(body);
    let mut uses = TableUses { names: uses.names, ..TableUses::default() };
    uses.visit_body(body);
    uses.named > uses.looked_into
}

#[derive(Default)]
struct TableUses<'a> {
    /// Names that stand for the table.
    names: Vec<&'a str>,
    /// Functions around.
    depth: u32,
    named: u32,
    looked_into: u32,
}

impl<'a> TableUses<'a> {
    fn is_table(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Name(name) => self.names.contains(&name.id.as_str()),
            Expr::Call(call) => self.is_call(call),
            _ => false,
        }
    }

    fn is_call(&self, call: &ExprCall) -> bool {
        let Expr::Name(name) = &*call.func else { return false };
        call.arguments.is_empty()
            && match name.id.as_str() {
                "globals" => true,
                "locals" | "vars" => self.depth == 0,
                _ => false,
            }
    }

    /// How many namings of the table a node makes harmless.
    fn harmless(&mut self, node: AnyNodeRef<'a>) -> u32 {
        match node {
            AnyNodeRef::ExprSubscript(item) => u32::from(item.ctx == ExprContext::Load && self.is_table(&item.value)),
            AnyNodeRef::ExprAttribute(of) => {
                let looks = matches!(of.attr.as_str(), "copy" | "get" | "items" | "keys" | "values");
                u32::from(looks && self.is_table(&of.value))
            }
            AnyNodeRef::ExprCompare(compare) => {
                u32::try_from(compare.comparators.iter().filter(|one| self.is_table(one)).count()).unwrap_or_default()
            }
            // The name on the left, and the table on the right.
            AnyNodeRef::StmtAssign(assign) => match (assign.targets.as_slice(), self.is_table(&assign.value)) {
                ([Expr::Name(name)], true) => {
                    self.names.push(name.id.as_str());
                    2
                }
                _ => 0,
            },
            _ => 0,
        }
    }
}

impl<'a> SourceOrderVisitor<'a> for TableUses<'a> {
    fn enter_node(&mut self, node: AnyNodeRef<'a>) -> TraversalSignal {
        self.looked_into += self.harmless(node);
        match node {
            AnyNodeRef::ExprCall(call) => self.named += u32::from(self.is_call(call)),
            AnyNodeRef::ExprName(name) => self.named += u32::from(self.names.contains(&name.id.as_str())),
            AnyNodeRef::StmtFunctionDef(_) | AnyNodeRef::ExprLambda(_) => self.depth += 1,
            _ => {}
        }
        TraversalSignal::Traverse
    }

    fn leave_node(&mut self, node: AnyNodeRef<'a>) {
        if matches!(node, AnyNodeRef::StmtFunctionDef(_) | AnyNodeRef::ExprLambda(_)) {
            self.depth -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_project::parse;

    #[rstest::rstest]
    #[case("x = globals()['y']\n", false)]
    #[case("globals()['y'] = 1\n", true)]
    #[case("globals().update(x)\n", true)]
    #[case("exec(code, globals())\n", true)]
    #[case("t = locals()\nfor n in t:\n    print(t[n])\n", true)]
    #[case("t = locals()\nprint(t['a'])\n", false)]
    #[case("t = globals()\nt['a'] = 1\n", true)]
    #[case("def f():\n    return locals()\n", false)]
    #[case("def f():\n    globals()['a'] = 1\n", true)]
    #[case("def f():\n    return 'a' in globals()\n", false)]
    fn what_is_done_with_the_table_decides(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(parse::read_python(text, |parsed| writes_table(parsed.suite())), Some(expected), "{text}");
    }
}
