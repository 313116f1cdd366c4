//! Which lines of a Python file count as executable, worked out from its text.
//!
//! coverage.py takes them from the byte code of the interpreter that runs it: a logical line is a statement when the
//! compiler left an instruction on it, named by its first physical line. The same set follows from the syntax tree:
//! every simple statement and every header counts, except declarations without code (`global`, `nonlocal`, bare
//! annotations of a function's locals), docstrings, and statements the compiler drops because nothing can reach them.

use std::collections::BTreeSet;

use regex::Regex;
use ruff_python_ast::{ExceptHandler, Expr, ModModule, Stmt, StmtTry};
use ruff_python_parser::Parsed;
use ruff_text_size::{Ranged as _, TextSize};

use super::exclude;
use super::logical::LogicalLines;
use crate::parse;
use tapps_base::Result;

/// The lines of one Python file as coverage.py would class them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassifiedLines {
    /// First lines of the statements that can run.
    pub executable: BTreeSet<u32>,
    /// First lines of excluded statements and all lines of excluded functions and classes.
    pub excluded: BTreeSet<u32>,
    /// First lines of all statements with code, excluded ones and docstrings too.
    pub code: BTreeSet<u32>,
    /// Functions and classes that exist as soon as their surroundings ran: the line of the header, and the line of the
    /// class around it (`None` for the module).
    pub definitions: Vec<(u32, Option<u32>)>,
    /// Bare annotations in class and module bodies with the next statement of the same body: executable up to
    /// Python 3.13, without code of their own from 3.14 on.
    pub annotations: Vec<(u32, Option<u32>)>,
    /// First physical line of the logical line that each line belongs to (index 0 is unused).
    pub first: Vec<u32>,
}

impl ClassifiedLines {
    /// The first line of the statement that `line` is part of.
    #[must_use]
    pub fn first_of(&self, line: u32) -> u32 {
        self.first.get(line as usize).copied().unwrap_or(line)
    }
}

/// Classes the lines of a Python text, leaving out what coverage.py leaves out by default; `None` when it cannot be parsed.
///
/// # Errors
/// `internal` when the system gives no threads to parse on.
pub fn classify_python_lines(text: &str) -> Result<Option<ClassifiedLines>> {
    let excluding = exclude::compile_exclusion_patterns(&exclude::DEFAULT)?;
    Ok(of_python(text, excluding.as_ref()))
}

/// Classes the lines of a Python text, or `None` when it cannot be parsed.
pub(crate) fn of_python(text: &str, excluding: Option<&Regex>) -> Option<ClassifiedLines> {
    let text = normalize_line_ends(text);
    parse::read_python(&text, |parsed| lines_of_tree(&text, parsed, excluding))
}

fn lines_of_tree(text: &str, parsed: &Parsed<ModModule>, excluding: Option<&Regex>) -> ClassifiedLines {
    let logical = LogicalLines::from_tokens(text, parsed.tokens());
    let mut walk = ExecutableLineWalker::new(&logical);
    walk.docstring(parsed.suite());
    walk.definitions(parsed.suite(), None);
    walk.walk_body(parsed.suite(), BodyScope::Open, &mut false);
    let ExecutableLineWalker { mut code, docstrings, annotations, definitions, .. } = walk;
    let excluded = exclude::lines(text, parsed.tokens(), parsed.suite(), &logical, &code, excluding);
    let executable = code
        .iter()
        .filter(|line| !excluded.contains(line) && !docstrings.contains(line))
        .map(|&line| logical.first(line))
        .filter(|line| !excluded.contains(line) && !docstrings.contains(line))
        .collect();
    code.extend(docstrings);
    ClassifiedLines { executable, excluded, code, definitions, annotations, first: logical.into_first() }
}

/// Line ends as `\n`, without a byte-order mark, so that offsets and line numbers agree everywhere below.
fn normalize_line_ends(text: &str) -> std::borrow::Cow<'_, str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n").into() } else { text.into() }
}

/// What surrounds a body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BodyScope {
    /// Module or class: annotations are stored at run time.
    Open,
    Function,
}

struct ExecutableLineWalker<'a> {
    logical: &'a LogicalLines,
    code: BTreeSet<u32>,
    docstrings: BTreeSet<u32>,
    annotations: Vec<(u32, Option<u32>)>,
    definitions: Vec<(u32, Option<u32>)>,
}

impl<'a> ExecutableLineWalker<'a> {
    fn new(logical: &'a LogicalLines) -> Self {
        Self {
            logical,
            code: BTreeSet::new(),
            docstrings: BTreeSet::new(),
            annotations: Vec::new(),
            definitions: Vec::new(),
        }
    }

    /// Notes the functions and classes directly in a module or class body.
    fn definitions(&mut self, body: &[Stmt], around: Option<u32>) {
        for stmt in body {
            match stmt {
                Stmt::FunctionDef(def) => self.definitions.push((self.header(def.name.start()), around)),
                Stmt::ClassDef(def) => {
                    let header = self.header(def.name.start());
                    self.definitions.push((header, around));
                    self.definitions(&def.body, Some(header));
                }
                Stmt::Return(_) | Stmt::Raise(_) => return,
                _ => {}
            }
        }
    }

    fn header(&self, name: TextSize) -> u32 {
        self.logical.first(self.logical.line_of(name))
    }

    fn mark(&mut self, at: TextSize) {
        let line = self.logical.line_of(at);
        self.code.insert(self.logical.first(line));
    }

    fn docstring(&mut self, body: &[Stmt]) {
        if let Some(Stmt::Expr(first)) = body.first()
            && first.value.is_string_literal_expr()
        {
            let (start, end) = (self.logical.line_of(first.start()), self.logical.line_of(first.end()));
            self.docstrings.extend(start..=end);
        }
    }

    /// Marks the statements of a body and says whether its end can be reached; `breaks` is set by a `break`.
    fn walk_body(&mut self, body: &[Stmt], scope: BodyScope, breaks: &mut bool) -> bool {
        for (index, stmt) in body.iter().enumerate() {
            if let Stmt::AnnAssign(bare) = stmt
                && bare.value.is_none()
                && scope == BodyScope::Open
            {
                let line = self.logical.first(self.logical.line_of(bare.start()));
                let next = body.get(index + 1).map(|next| self.logical.first(self.logical.line_of(next.start())));
                self.annotations.push((line, next));
            }
            if !self.walk_stmt(stmt, scope, breaks) {
                return false;
            }
        }
        true
    }

    fn walk_stmt(&mut self, stmt: &Stmt, scope: BodyScope, breaks: &mut bool) -> bool {
        match stmt {
            Stmt::Global(_) | Stmt::Nonlocal(_) => return true,
            Stmt::AnnAssign(bare) if bare.value.is_none() && scope == BodyScope::Function && bare.simple => {
                return true;
            }
            Stmt::FunctionDef(def) => {
                def.decorator_list.iter().for_each(|decorator| self.mark(decorator.start()));
                self.mark(def.name.start());
                self.docstring(&def.body);
                self.walk_body(&def.body, BodyScope::Function, &mut false);
                return true;
            }
            Stmt::ClassDef(def) => {
                def.decorator_list.iter().for_each(|decorator| self.mark(decorator.start()));
                self.mark(def.name.start());
                self.docstring(&def.body);
                self.walk_body(&def.body, BodyScope::Open, &mut false);
                return true;
            }
            _ => self.mark(stmt.start()),
        }
        match stmt {
            Stmt::Return(_) | Stmt::Raise(_) | Stmt::Continue(_) => false,
            Stmt::Break(_) => {
                *breaks = true;
                false
            }
            Stmt::Assert(assert) => constant_truth(&assert.test) != Some(false),
            Stmt::If(branch) => {
                let arms = std::iter::once((Some(&*branch.test), &branch.body[..], None)).chain(
                    branch.elif_else_clauses.iter().map(|arm| (arm.test.as_ref(), &arm.body[..], Some(arm.start()))),
                );
                self.arms(arms, scope, breaks)
            }
            Stmt::While(cycle) => {
                let test = constant_truth(&cycle.test);
                let mut leaves = false;
                if test != Some(false) {
                    self.walk_body(&cycle.body, scope, &mut leaves);
                }
                let through = test != Some(true) && self.walk_body(&cycle.orelse, scope, breaks);
                through || leaves
            }
            Stmt::For(cycle) => {
                let mut leaves = false;
                self.walk_body(&cycle.body, scope, &mut leaves);
                self.walk_body(&cycle.orelse, scope, breaks) || leaves
            }
            Stmt::With(with) => {
                // A context manager may swallow an exception, so the end can be reached in any case.
                self.walk_body(&with.body, scope, breaks);
                true
            }
            Stmt::Try(attempt) => self.walk_try(attempt, scope, breaks),
            Stmt::Match(choice) => {
                let mut through = false;
                let mut open = true;
                for case in &choice.cases {
                    self.mark(case.start());
                    through |= self.walk_body(&case.body, scope, breaks);
                    open &= !(case.guard.is_none() && case.pattern.is_irrefutable());
                }
                through || open
            }
            _ => true,
        }
    }

    /// The arms of an `if`; the test of the first was marked with its statement.
    fn arms<'b>(
        &mut self,
        arms: impl Iterator<Item = (Option<&'b Expr>, &'b [Stmt], Option<TextSize>)>,
        scope: BodyScope,
        breaks: &mut bool,
    ) -> bool {
        let mut through = false;
        for (test, body, header) in arms {
            if let (Some(_), Some(header)) = (test, header) {
                self.mark(header);
            }
            let holds = test.map_or(Some(true), constant_truth);
            if holds != Some(false) {
                through |= self.walk_body(body, scope, breaks);
            }
            if holds == Some(true) {
                return through;
            }
        }
        true
    }

    fn walk_try(&mut self, attempt: &StmtTry, scope: BodyScope, breaks: &mut bool) -> bool {
        let mut through = self.walk_body(&attempt.body, scope, breaks);
        if through {
            through = self.walk_body(&attempt.orelse, scope, breaks);
        }
        for ExceptHandler::ExceptHandler(handler) in &attempt.handlers {
            self.mark(handler.start());
            through |= self.walk_body(&handler.body, scope, breaks);
        }
        self.walk_body(&attempt.finalbody, scope, breaks) && through
    }
}

/// The truth of a test that the compiler knows beforehand.
fn constant_truth(test: &Expr) -> Option<bool> {
    match test {
        Expr::BooleanLiteral(literal) => Some(literal.value),
        Expr::NoneLiteral(_) => Some(false),
        Expr::EllipsisLiteral(_) => Some(true),
        Expr::NumberLiteral(literal) => match &literal.value {
            ruff_python_ast::Number::Int(int) => Some(int.as_u64() != Some(0)),
            ruff_python_ast::Number::Float(float) => Some(*float != 0.0),
            ruff_python_ast::Number::Complex { real, imag } => Some(*real != 0.0 || *imag != 0.0),
        },
        Expr::StringLiteral(literal) => Some(!literal.value.is_empty()),
        Expr::BytesLiteral(literal) => Some(!literal.value.is_empty()),
        Expr::Name(name) if name.id.as_str() == "__debug__" => Some(true),
        Expr::UnaryOp(not) if not.op == ruff_python_ast::UnaryOp::Not => {
            constant_truth(&not.operand).map(|truth| !truth)
        }
        _ => None,
    }
}
