//! The walk over the tree of a file, in the order in which CPython's tree has its nodes: what is imported further down
//! in a function counts for its decorators.

use ruff_python_ast::visitor::source_order::{
    SourceOrderVisitor, TraversalSignal, walk_except_handler, walk_expr, walk_stmt,
};
use ruff_python_ast::{
    AnyNodeRef, ExceptHandler, Expr, ExprCall, InterpolatedElement, ModModule, Stmt, StmtClassDef, StmtFunctionDef,
};
use ruff_python_parser::Parsed;
use ruff_text_size::{Ranged as _, TextRange, TextSize};
use tapps_syntax::python::lines::SourceLines;

use super::blacklist::judge_listed_import;
use super::call::CallView;
use super::checks::{
    CALL_TESTS, OperatorChain, assertion_verdict, judge_direction, judge_handler, judge_password_default,
    judge_password_text, judge_statement, judge_temporary_path, judge_tls_default, judge_written_address,
};
use super::imports::Imports;
use super::nosec::Suppressions;
use super::place::{is_no_node, lines_of_node, start_of_function};
use super::text::{Piece, TextNode, join_texts, pieces_of_elements, pieces_of_fstring, pieces_of_template};
use super::verdict::{Place, Verdict};
use crate::bandit::report::ReportedIssue;

/// Everything that the tests find in a file.
pub(super) fn find_issues(text: &str, parsed: &Parsed<ModModule>) -> Vec<ReportedIssue> {
    let lines = SourceLines::new(text);
    let mut walk = Walk {
        lines: &lines,
        ancestors: vec![AnyNodeRef::ModModule(parsed.syntax())],
        imports: Imports::default(),
        suppressions: Suppressions::read_comments(&lines, parsed.tokens()),
        chain: None,
        found: Vec::new(),
    };
    walk.visit_body(parsed.suite());
    if let Some((verdict, place)) = judge_direction(text) {
        // It is about the file, whose lines are said to be nought and one.
        walk.report_unless_suppressed(verdict, place, (0, 1));
    }
    walk.found
}

struct Walk<'a> {
    lines: &'a SourceLines<'a>,
    /// The nodes around the one that is looked at, outermost first.
    ancestors: Vec<AnyNodeRef<'a>>,
    imports: Imports,
    suppressions: Suppressions,
    /// The chain of operators that was read last.
    chain: Option<OperatorChain>,
    found: Vec<ReportedIssue>,
}

impl<'a> Walk<'a> {
    fn report_unless_suppressed(&mut self, verdict: Verdict, place: Place, around: (u32, u32)) {
        if self.suppressions.cover(verdict.test, around, verdict.line) {
            return;
        }
        self.found.push(ReportedIssue {
            test: verdict.test.to_owned(),
            severity: verdict.severity,
            confidence: verdict.confidence,
            text: verdict.text.into_owned(),
            cwe: Some(verdict.cwe),
            line: verdict.line.unwrap_or(place.line),
            column: place.column,
            lines: place.lines,
        });
    }

    fn report(&mut self, verdict: Option<Verdict>, place: impl FnOnce(&Self) -> Place) {
        if let Some(verdict) = verdict {
            let place = place(self);
            self.report_unless_suppressed(verdict, place, place.lines);
        }
    }

    fn place_of_range(&self, range: TextRange) -> Place {
        Place {
            line: self.lines.line(range.start()),
            column: self.lines.byte_column(range.start()),
            lines: (self.lines.line(range.start()), self.lines.last_line(range)),
        }
    }

    fn check_call(&mut self, call: &'a ExprCall) {
        let view = CallView::new(call, &self.imports, self.lines, &self.ancestors);
        let verdicts: Vec<Verdict> = CALL_TESTS.iter().filter_map(|test| test(&view).ok().flatten()).collect();
        for verdict in verdicts {
            self.report(Some(verdict), |walk| walk.place_of_range(call.range()));
        }
    }

    /// Looks at a text; one that stands as a statement is documentation.
    fn check_text(&mut self, node: &TextNode<'_>) {
        let Some((&parent, above)) = self.ancestors.split_last() else { return };
        if matches!(parent, AnyNodeRef::StmtExpr(_)) {
            return;
        }
        let verdicts = [
            judge_written_address(node.value),
            judge_password_text(node, &self.ancestors),
            judge_temporary_path(node.value),
            judge_statement(node, &self.ancestors, &mut self.chain).unwrap_or_default(),
        ];
        if verdicts.iter().all(Option::is_none) {
            return;
        }
        let place = Place {
            line: self.lines.line(node.start),
            column: self.lines.byte_column(node.start),
            lines: lines_of_node(self.lines, parent, above),
        };
        for verdict in verdicts {
            self.report(verdict, |_| place);
        }
    }

    /// Goes through the parts of an f-string, whose node is the last of the ancestors.
    fn walk_pieces(&mut self, pieces: &[Piece<'a>]) {
        let mut joined = Some(join_texts(pieces));
        for piece in pieces {
            match piece {
                Piece::Text(value, start) => {
                    self.check_text(&TextNode { value, start: *start, joined: joined.take() });
                }
                Piece::Field(field) => self.walk_field(field),
            }
        }
    }

    fn walk_field(&mut self, field: &'a InterpolatedElement) {
        self.ancestors.push(AnyNodeRef::InterpolatedElement(field));
        self.visit_expr(&field.expression);
        if let Some(format) = &field.format_spec {
            self.ancestors.push(AnyNodeRef::InterpolatedStringFormatSpec(format));
            self.walk_pieces(&pieces_of_elements(&format.elements));
            self.ancestors.pop();
        }
        self.ancestors.pop();
    }

    fn check_statement(&mut self, stmt: &'a Stmt) {
        let verdict = match stmt {
            Stmt::Import(import) => {
                self.imports.add_import(import);
                judge_listed_import(None, &import.names)
            }
            Stmt::ImportFrom(import) => {
                self.imports.add_import_from(import);
                judge_listed_import(import.module.as_ref().map(|module| module.as_str()), &import.names)
            }
            Stmt::Assert(_) => Some(assertion_verdict()),
            Stmt::FunctionDef(function) if !function.is_async => return self.check_function(function),
            _ => return,
        };
        self.report(verdict, |walk| walk.place_of_range(stmt.range()));
    }

    fn check_function(&mut self, function: &'a StmtFunctionDef) {
        let verdicts =
            [judge_password_default(&function.parameters), judge_tls_default(&function.parameters).unwrap_or_default()];
        for verdict in verdicts {
            self.report(verdict, |walk| {
                walk.place_of_range(TextRange::new(start_of_function(walk.lines, function), function.end()))
            });
        }
    }

    fn walk_function(&mut self, function: &'a StmtFunctionDef) {
        self.ancestors.push(AnyNodeRef::StmtFunctionDef(function));
        self.visit_parameters(&function.parameters);
        self.visit_body(&function.body);
        function.decorator_list.iter().for_each(|decorator| self.visit_decorator(decorator));
        if let Some(returns) = &function.returns {
            self.visit_annotation(returns);
        }
        if let Some(parameters) = &function.type_params {
            self.visit_type_params(parameters);
        }
        self.ancestors.pop();
    }

    fn walk_class(&mut self, class: &'a StmtClassDef) {
        self.ancestors.push(AnyNodeRef::StmtClassDef(class));
        if let Some(arguments) = &class.arguments {
            self.visit_arguments(arguments);
        }
        self.visit_body(&class.body);
        class.decorator_list.iter().for_each(|decorator| self.visit_decorator(decorator));
        if let Some(parameters) = &class.type_params {
            self.visit_type_params(parameters);
        }
        self.ancestors.pop();
    }
}

impl<'a> SourceOrderVisitor<'a> for Walk<'a> {
    fn enter_node(&mut self, node: AnyNodeRef<'a>) -> TraversalSignal {
        if !is_no_node(node) {
            self.ancestors.push(node);
        }
        TraversalSignal::Traverse
    }

    fn leave_node(&mut self, node: AnyNodeRef<'a>) {
        if !is_no_node(node) {
            self.ancestors.pop();
        }
    }

    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        self.check_statement(stmt);
        match stmt {
            Stmt::FunctionDef(function) => self.walk_function(function),
            Stmt::ClassDef(class) => self.walk_class(class),
            other => walk_stmt(self, other),
        }
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(inner) = handler;
        self.report(judge_handler(inner), |walk| walk.place_of_range(inner.range()));
        walk_except_handler(self, handler);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::StringLiteral(literal) => {
                let start: TextSize = literal.start();
                self.check_text(&TextNode { value: literal.value.to_str(), start, joined: None });
            }
            Expr::FString(fstring) => {
                self.ancestors.push(AnyNodeRef::ExprFString(fstring));
                self.walk_pieces(&pieces_of_fstring(&fstring.value));
                self.ancestors.pop();
            }
            Expr::TString(template) => {
                self.ancestors.push(AnyNodeRef::ExprTString(template));
                self.walk_pieces(&pieces_of_template(&template.value));
                self.ancestors.pop();
            }
            Expr::Call(call) => {
                self.check_call(call);
                walk_expr(self, expr);
            }
            other => walk_expr(self, other),
        }
    }
}
