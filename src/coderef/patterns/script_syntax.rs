//! What the syntax of a TypeScript or JavaScript file shows.

use oxc_ast::ast::{
    ArrowFunctionExpression, AwaitExpression, CallExpression, CatchClause, DoWhileStatement, Expression,
    ForInStatement, ForOfStatement, ForStatement, Function, WhileStatement,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::Span;
use oxc_syntax::scope::ScopeFlags;

use super::syntax::{Fact, FactKind};
use crate::model::FileId;
use tapps_syntax::script::dialect;
use tapps_syntax::script::parse::{Brackets, parse_script};
use tapps_syntax::script::positions::Positions;

const METHODS: [&str; 8] = ["all", "delete", "get", "head", "options", "patch", "post", "put"];

pub(super) fn script_syntax_facts(file: FileId, path: &str, text: &str) -> Vec<Fact> {
    let positions = Positions::new(text);
    let read = parse_script(text, &dialect::candidate_source_types(path), Brackets::AsNodes, |tree| {
        if tree.parsed.panicked || !tree.parsed.diagnostics.is_empty() {
            return Err(());
        }
        let mut look = ScriptPatternVisitor { file, positions: &positions, loops: 0, facts: Vec::new() };
        look.visit_program(&tree.parsed.program);
        Ok(look.facts)
    });
    read.unwrap_or_default()
}

struct ScriptPatternVisitor<'p, 't> {
    file: FileId,
    positions: &'p Positions<'t>,
    loops: u32,
    facts: Vec<Fact>,
}

impl ScriptPatternVisitor<'_, '_> {
    fn add(&mut self, kind: FactKind, span: Span, detail: Option<String>) {
        let (line, end_line) = (self.positions.line_and_column(span.start).0, self.positions.last_line(span.end));
        self.facts.push(Fact { file: self.file, kind, line, end_line, detail });
    }

    fn visit_in_loop(&mut self, work: impl FnOnce(&mut Self)) {
        self.loops += 1;
        work(self);
        self.loops -= 1;
    }

    fn visit_outside_loops(&mut self, work: impl FnOnce(&mut Self)) {
        let outer = std::mem::take(&mut self.loops);
        work(self);
        self.loops = outer;
    }
}

impl<'a> Visit<'a> for ScriptPatternVisitor<'_, '_> {
    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        self.visit_outside_loops(|look| walk::walk_function(look, it, flags));
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.visit_outside_loops(|look| walk::walk_arrow_function_expression(look, it));
    }

    fn visit_for_statement(&mut self, it: &ForStatement<'a>) {
        self.visit_in_loop(|look| walk::walk_for_statement(look, it));
    }

    fn visit_for_in_statement(&mut self, it: &ForInStatement<'a>) {
        self.visit_in_loop(|look| walk::walk_for_in_statement(look, it));
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        // `for await` is the way to wait for one after the other.
        if it.r#await {
            walk::walk_for_of_statement(self, it)
        } else {
            self.visit_in_loop(|look| walk::walk_for_of_statement(look, it))
        }
    }

    fn visit_while_statement(&mut self, it: &WhileStatement<'a>) {
        self.visit_in_loop(|look| walk::walk_while_statement(look, it));
    }

    fn visit_do_while_statement(&mut self, it: &DoWhileStatement<'a>) {
        self.visit_in_loop(|look| walk::walk_do_while_statement(look, it));
    }

    fn visit_await_expression(&mut self, it: &AwaitExpression<'a>) {
        if self.loops > 0 {
            self.add(FactKind::AwaitInLoop, it.span, None);
        }
        walk::walk_await_expression(self, it);
    }

    fn visit_catch_clause(&mut self, it: &CatchClause<'a>) {
        if it.body.body.is_empty() {
            self.add(FactKind::SwallowedError, it.span, None);
        }
        walk::walk_catch_clause(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if let Expression::StaticMemberExpression(callee) = &it.callee {
            let name = callee.property.name.as_str();
            let first = it.arguments.first().and_then(|argument| argument.as_expression());
            match first {
                Some(Expression::StringLiteral(path))
                    if METHODS.contains(&name) && path.value.starts_with('/') && it.arguments.len() > 1 =>
                {
                    self.add(FactKind::Route, it.span, Some(format!("{} {}", name.to_uppercase(), path.value)));
                }
                Some(_) if name == "use" => {
                    if let Expression::Identifier(on) = &callee.object
                        && ["app", "router", "server", "api"].contains(&on.name.as_str())
                    {
                        self.add(FactKind::Middleware, it.span, Some(format!("{}.use", on.name)));
                    }
                }
                _ => {}
            }
        }
        walk::walk_call_expression(self, it);
    }
}
