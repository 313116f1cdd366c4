//! The table of a module's names: `globals()`, and `locals()` and `vars()` outside functions. Looking into it is harmless;
//! whatever else is done with it may make names.

use std::collections::{BTreeMap, BTreeSet};

use ruff_python_ast::visitor::source_order::{SourceOrderVisitor, TraversalSignal};
use ruff_python_ast::{AnyNodeRef, Expr, ExprCall, ExprContext, Stmt, StmtFunctionDef};

use super::read::GETATTR;
use super::written::written_tables;

/// Whether a module may make names by its table.
pub(super) fn writes_table(body: &[Stmt]) -> bool {
    let functions = body.iter().filter_map(Stmt::as_function_def_stmt);
    let functions: BTreeMap<&str, &StmtFunctionDef> =
        functions.map(|function| (function.name.as_str(), function)).collect();
    let around = TableUses { functions, written: written_tables(body), ..TableUses::default() };
    // Which names stand for the table has to be known before their uses are met.
    let mut uses = around.clone();
    uses.visit_body(body);
    let mut uses = TableUses { names: uses.names, ..around };
    uses.visit_body(body);
    uses.named > uses.looked_into
}

#[derive(Clone, Default)]
struct TableUses<'a> {
    /// The functions of the module.
    functions: BTreeMap<&'a str, &'a StmtFunctionDef>,
    /// Names of tables whose names are written out.
    written: BTreeSet<&'a str>,
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

    /// How many of the arguments of a call are the table, where only names that are written out are made of it, or where a
    /// function of the module gets it, whose parameter stands for it then.
    fn handed_over(&mut self, call: &'a ExprCall) -> u32 {
        let functions = self.functions.clone();
        match &*call.func {
            Expr::Attribute(of) if of.attr.as_str() == "update" && self.is_table(&of.value) => {
                let written = call.arguments.args.iter().all(|one| self.is_written(one));
                u32::from(written && call.arguments.keywords.is_empty())
            }
            Expr::Name(called) => {
                let Some(function) = functions.get(called.id.as_str()) else { return 0 };
                let taken = function.parameters.posonlyargs.iter().chain(&function.parameters.args);
                let given = taken.zip(&call.arguments.args).filter(|(_, given)| self.is_table(given));
                let names: Vec<&str> = given.map(|(taken, _)| taken.parameter.name.as_str()).collect();
                self.names.extend(&names);
                u32::try_from(names.len()).unwrap_or_default()
            }
            _ => 0,
        }
    }

    /// Whether the keys of what a table is filled with are written out.
    fn is_written(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Dict(each) => {
                each.items.iter().all(|item| item.key.as_ref().is_some_and(Expr::is_string_literal_expr))
            }
            Expr::DictComp(each) => match each.generators.as_slice() {
                [one] => {
                    let key = matches!((each.key.as_deref(), &one.target), (Some(Expr::Name(key)), Expr::Name(of)) if key.id == of.id);
                    key && match &one.iter {
                        Expr::Name(name) => self.written.contains(name.id.as_str()),
                        Expr::List(_) | Expr::Tuple(_) | Expr::Set(_) => true,
                        _ => false,
                    }
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// How many namings of the table a node makes harmless.
    fn harmless(&mut self, node: AnyNodeRef<'a>) -> u32 {
        match node {
            AnyNodeRef::ExprSubscript(item) => u32::from(item.ctx == ExprContext::Load && self.is_table(&item.value)),
            AnyNodeRef::ExprCall(call) => self.handed_over(call),
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
            // What it makes is what it answers with.
            AnyNodeRef::StmtFunctionDef(function) if self.depth == 0 && function.name.as_str() == GETATTR => {
                self.depth += 1;
                return TraversalSignal::Skip;
            }
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
    #[case("def f(t):\n    print(t['a'])\nf(locals())\n", false)]
    #[case("def f(t):\n    t['a'] = 1\nf(locals())\n", true)]
    #[case("NAMES = ['a', 'b']\nglobals().update({name: 1 for name in NAMES})\n", false)]
    #[case("NAMES = dir(os)\nglobals().update({name: 1 for name in NAMES})\n", true)]
    #[case("globals().update({'a': 1})\n", false)]
    #[case("globals().update({a: 1})\n", true)]
    #[case("globals().update(a=1)\n", true)]
    #[case("def __getattr__(name):\n    globals()[name] = made = make(name)\n    return made\n", false)]
    fn what_is_done_with_the_table_decides(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(parse::read_python(text, |parsed| writes_table(parsed.suite())), Some(expected), "{text}");
    }
}
