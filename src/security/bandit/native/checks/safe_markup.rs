//! Whether markup is put together from constant texts alone, as far as bandit follows it: through the assignments before it
//! in the same function, or in the module.

use ruff_python_ast::{AnyNodeRef, ExceptHandler, Expr, ExprName, Operator, Parameters, Stmt, StmtAssign};
use ruff_text_size::Ranged as _;
use tapps_syntax::python::lines::SourceLines;

use crate::bandit::native::call::CallView;
use crate::bandit::native::place::{start_of_class, start_of_function};
use crate::bandit::native::verdict::Lost;

/// Steps after which bandit's own search would have ended in an exception.
const MOST_STEPS: u32 = 20_000;
/// Searches within searches, likewise.
const MOST_LEVELS: u32 = 150;

/// What is assigned to a variable by a statement.
enum Assigned<'a> {
    Nothing,
    Value(&'a Expr),
    /// By a `with` statement.
    Context,
    /// By statements inside this one; `None` stands for a context.
    Inside(Vec<Option<&'a Expr>>),
}

/// A call of `format` on a constant, or an operator `%` which comes to the same.
struct Formatting<'a> {
    arguments: &'a [Expr],
    /// The line it begins on.
    line: u32,
    /// Whether it is one that can be followed.
    followed: bool,
}

struct Search<'l, 'a> {
    lines: &'l SourceLines<'a>,
    parameters: Option<&'a Parameters>,
    body: &'a [Stmt],
    steps: u32,
    level: u32,
}

/// Whether all of the markup is constant.
///
/// # Errors
/// Where bandit's own search fails.
pub(super) fn is_safe_markup(view: &CallView<'_, '_>, markup: &Expr) -> Result<bool, Lost> {
    let around = view.ancestors.iter().rev().find_map(|node| match node {
        AnyNodeRef::StmtFunctionDef(function) if !function.is_async => {
            Some((Some(&*function.parameters), function.body.as_slice()))
        }
        AnyNodeRef::ModModule(module) => Some((None, module.body.as_slice())),
        _ => None,
    });
    let Some((parameters, body)) = around else { return Ok(false) };
    let mut search = Search { lines: view.lines, parameters, body, steps: 0, level: 0 };
    match markup {
        Expr::Name(name) => search.is_safe_variable(name, view.own_line().unwrap_or_default()),
        other => match search.formatting_of(other) {
            Some(formatting) => search.is_safe_formatting(&formatting),
            None => Ok(false),
        },
    }
}

impl<'a> Search<'_, 'a> {
    fn is_safe_variable(&mut self, variable: &ExprName, until: u32) -> Result<bool, Lost> {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.level > MOST_LEVELS {
            return Err(Lost);
        }
        self.level += 1;
        let safe = self.follow_assignments(variable, until);
        self.level -= 1;
        safe
    }

    fn follow_assignments(&mut self, variable: &ExprName, until: u32) -> Result<bool, Lost> {
        let named = |parameters: &Parameters| parameters.args.iter().any(|p| p.parameter.name.as_str() == variable.id);
        if self.parameters.is_some_and(named) {
            return Ok(false);
        }
        let mut safe = false;
        for stmt in self.body {
            let line = self.line_of(stmt);
            if line >= until {
                break;
            }
            match assigned_by(stmt, variable)? {
                Assigned::Nothing => {}
                Assigned::Value(Expr::StringLiteral(_)) => safe = true,
                Assigned::Value(Expr::Name(other)) => {
                    let until = self.lines.line(other.start());
                    safe = self.is_safe_variable(other, until)?;
                }
                Assigned::Value(call @ Expr::Call(_)) => safe = self.is_safe_call(call)?,
                Assigned::Inside(values) => {
                    safe = self.are_all_safe(&values, line)?;
                    if !safe {
                        break;
                    }
                }
                Assigned::Value(_) | Assigned::Context => {
                    safe = false;
                    break;
                }
            }
        }
        Ok(safe)
    }

    fn are_all_safe(&mut self, values: &[Option<&'a Expr>], line: u32) -> Result<bool, Lost> {
        for value in values {
            let safe = match value {
                Some(Expr::StringLiteral(_)) => true,
                Some(Expr::Name(other)) => self.is_safe_variable(other, line)?,
                _ => false,
            };
            if !safe {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_safe_call(&mut self, call: &'a Expr) -> Result<bool, Lost> {
        match self.formatting_of(call) {
            Some(formatting) => self.is_safe_formatting(&formatting),
            None => Ok(false),
        }
    }

    /// A call or an operator as formatting; `None` for anything else.
    fn formatting_of<'e>(&self, expr: &'e Expr) -> Option<Formatting<'e>> {
        let line = self.lines.line(expr.start());
        match expr {
            Expr::Call(call) => {
                let followed = matches!(&*call.func, Expr::Attribute(called)
                    if called.attr.as_str() == "format" && crate::bandit::native::literal::is_constant(&called.value));
                let followed = followed && call.arguments.keywords.is_empty();
                Some(Formatting { arguments: &call.arguments.args, line, followed })
            }
            Expr::BinOp(operation) if operation.op == Operator::Mod && operation.left.is_string_literal_expr() => {
                let arguments = match &*operation.right {
                    Expr::Tuple(tuple) => tuple.elts.as_slice(),
                    other => std::slice::from_ref(other),
                };
                Some(Formatting { arguments, line, followed: true })
            }
            _ => None,
        }
    }

    fn is_safe_formatting(&mut self, formatting: &Formatting<'_>) -> Result<bool, Lost> {
        if !formatting.followed {
            return Ok(false);
        }
        let mut waiting: Vec<&Expr> = formatting.arguments.iter().collect();
        let mut next = 0;
        while let Some(&argument) = waiting.get(next) {
            next += 1;
            let safe = match argument {
                Expr::StringLiteral(_) => true,
                Expr::Name(name) => self.is_safe_variable(name, formatting.line)?,
                Expr::Call(_) => match self.formatting_of(argument) {
                    Some(inner) => self.is_safe_formatting(&inner)?,
                    None => false,
                },
                Expr::Starred(starred) => match &*starred.value {
                    Expr::List(list) => {
                        waiting.extend(&list.elts);
                        true
                    }
                    Expr::Tuple(tuple) => {
                        waiting.extend(&tuple.elts);
                        true
                    }
                    _ => false,
                },
                _ => false,
            };
            if !safe {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn line_of(&self, stmt: &Stmt) -> u32 {
        self.lines.line(match stmt {
            Stmt::FunctionDef(function) => start_of_function(self.lines, function),
            Stmt::ClassDef(class) => start_of_class(self.lines, class),
            other => other.start(),
        })
    }
}

/// What a statement assigns to a variable. Of what has statements in it, only some kinds are looked into.
fn assigned_by<'a>(stmt: &'a Stmt, variable: &ExprName) -> Result<Assigned<'a>, Lost> {
    let is_variable = |expr: &Expr| matches!(expr, Expr::Name(name) if name.id == variable.id);
    let inside = |bodies: &[&'a [Stmt]]| -> Result<Assigned<'a>, Lost> {
        let mut values = Vec::new();
        for stmt in bodies.iter().copied().flatten() {
            match assigned_by(stmt, variable)? {
                Assigned::Nothing => {}
                Assigned::Value(value) => values.push(Some(value)),
                Assigned::Context => values.push(None),
                Assigned::Inside(more) => values.extend(more),
            }
        }
        Ok(if values.is_empty() { Assigned::Nothing } else { Assigned::Inside(values) })
    };
    match stmt {
        Stmt::FunctionDef(function) if !function.is_async => inside(&[&function.body]),
        Stmt::With(with) if !with.is_async => {
            // The last item decides.
            match with.items.last().and_then(|item| item.optional_vars.as_deref()) {
                Some(target) if is_variable(target) => Ok(Assigned::Context),
                _ => inside(&[&with.body]),
            }
        }
        Stmt::Try(try_) if !try_.is_star => {
            let handlers = try_.handlers.iter().map(|ExceptHandler::ExceptHandler(handler)| handler.body.as_slice());
            let bodies: Vec<&[Stmt]> = std::iter::once(try_.body.as_slice())
                .chain(handlers)
                .chain([try_.orelse.as_slice(), try_.finalbody.as_slice()])
                .collect();
            inside(&bodies)
        }
        Stmt::If(branch) => {
            let clauses = branch.elif_else_clauses.iter().map(|clause| clause.body.as_slice());
            inside(&std::iter::once(branch.body.as_slice()).chain(clauses).collect::<Vec<_>>())
        }
        Stmt::For(repeat) if !repeat.is_async => inside(&[&repeat.body, &repeat.orelse]),
        Stmt::While(repeat) => inside(&[&repeat.body, &repeat.orelse]),
        Stmt::AugAssign(assign) if is_variable(&assign.target) => Ok(Assigned::Value(&assign.value)),
        Stmt::Assign(assign) => assigned_by_target(assign, variable),
        _ => Ok(Assigned::Nothing),
    }
}

/// Only the first target is looked at, and a tuple only beside a tuple.
fn assigned_by_target<'a>(assign: &'a StmtAssign, variable: &ExprName) -> Result<Assigned<'a>, Lost> {
    match (assign.targets.first(), &*assign.value) {
        (Some(Expr::Name(name)), value) if name.id == variable.id => Ok(Assigned::Value(value)),
        (Some(Expr::Tuple(targets)), Expr::Tuple(values)) => {
            for (index, target) in targets.elts.iter().enumerate() {
                let Expr::Name(name) = target else { return Err(Lost) };
                if name.id == variable.id {
                    return values.elts.get(index).map(Assigned::Value).ok_or(Lost);
                }
            }
            Ok(Assigned::Nothing)
        }
        _ => Ok(Assigned::Nothing),
    }
}
