//! The way of one name through a function, branch by branch: of one that no text of the library writes down, or of the one that
//! is asked for.

use std::collections::{BTreeMap, BTreeSet};

use ruff_python_ast::{
    Arguments, BoolOp, CmpOp, ExceptHandler, Expr, ExprCall, ExprCompare, Stmt, StmtFunctionDef, StmtIf,
    StmtImportFrom, StmtMatch, StmtTry, UnaryOp,
};
use tapps_syntax::python::names::{dotted_name, import_binding};

use super::super::written::{is_written_table, single_assignment};
use super::OwnLibrary;
use super::held::{Held, KnownTexts, KnownValues};
use super::text::{Leftmost, collect_names, is_followed, is_literal, items_of, leftmost, mentions, stored_names};

/// Names that a function may bind to be followed with the name that is asked for.
const MOST_NAMES: usize = 64;

/// Whether a function gives something for such a name. `parameter` is where it takes the name, `calls` how many functions are
/// followed from there, and `given` what names from around it stand for.
pub(super) fn gives_something<'a>(
    around: &OwnLibrary<'_, 'a>,
    function: &'a StmtFunctionDef,
    parameter: &'a str,
    given: &KnownTexts<'_>,
    calls: usize,
) -> bool {
    let mut walk = NameWay { around, parameter, given, calls, known: Known::default(), answers: false };
    let falls = walk.block(&function.body) == Exit::Falls;
    // Without a `return` it gives `None`, whatever it is asked for.
    walk.answers || falls
}

/// How a block ends for such a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    Falls,
    Raises,
    Leaves,
}

impl Exit {
    /// Where any of several ways may have been taken.
    fn of_any(ways: &[Self]) -> Self {
        match ways {
            _ if ways.contains(&Self::Falls) => Self::Falls,
            _ if ways.contains(&Self::Leaves) => Self::Leaves,
            _ => Self::Raises,
        }
    }
}

/// What is known of the names inside a function.
#[derive(Debug, Clone, Default)]
struct Known<'a> {
    /// They hold nothing: what a table gives for a name that it does not have.
    absent: BTreeSet<&'a str>,
    tables: BTreeSet<&'a str>,
    /// They hold what something of the library itself has answered.
    own: BTreeSet<&'a str>,
    /// Imported inside; true for what is of another library.
    imports: BTreeMap<&'a str, bool>,
    /// What they were last bound to.
    values: KnownValues<'a>,
}

impl<'a> Known<'a> {
    /// What a name is bound to on both of two ways.
    fn value_of_both(&self, other: &Self, name: &str) -> Option<&'a Expr> {
        let (one, other) = (*self.values.get(name)?, *other.values.get(name)?);
        one.filter(|one| other.is_some_and(|other| std::ptr::eq(*one, other)))
    }

    /// A name is bound to something else.
    fn unbind(&mut self, name: &str) {
        for set in [&mut self.absent, &mut self.own, &mut self.tables] {
            set.remove(name);
        }
    }

    /// What holds whichever of two ways was taken.
    fn and(mut self, other: &Self) -> Self {
        let both = |one: BTreeSet<_>, two: &BTreeSet<_>| one.intersection(two).copied().collect();
        let mut imports = std::mem::take(&mut self.imports);
        other.imports.iter().for_each(|(name, foreign)| *imports.entry(name).or_default() |= *foreign);
        let bound = self.values.keys().chain(other.values.keys());
        let values = bound.map(|name| (*name, self.value_of_both(other, name))).collect();
        Self {
            absent: both(self.absent, &other.absent),
            tables: both(self.tables, &other.tables),
            own: both(self.own, &other.own),
            imports,
            values,
        }
    }
}

struct NameWay<'w, 'm, 'a> {
    around: &'w OwnLibrary<'m, 'a>,
    parameter: &'a str,
    given: &'w KnownTexts<'w>,
    calls: usize,
    known: Known<'a>,
    answers: bool,
}

impl<'m, 'a> NameWay<'_, 'm, 'a> {
    /// A name is bound to something else. Where a name is asked for it is known to what, and what was made of its old value is
    /// that no more.
    fn bind_value(&mut self, name: &'a str, value: Option<&'a Expr>) {
        self.known.unbind(name);
        if self.around.asked.is_some() {
            let holds = |value: &&'a Expr| !mentions(value, name);
            self.known.values.values_mut().for_each(|bound| *bound = bound.filter(holds));
            self.known.values.insert(name, value.filter(holds));
        }
    }

    /// What statements bind is not followed.
    fn forget(&mut self, body: &'a [Stmt]) {
        stored_names(body).into_iter().for_each(|name| self.bind_value(name, None));
    }

    fn block(&mut self, body: &'a [Stmt]) -> Exit {
        body.iter().map(|stmt| self.statement(stmt)).find(|exit| *exit != Exit::Falls).unwrap_or(Exit::Falls)
    }

    fn statement(&mut self, stmt: &'a Stmt) -> Exit {
        // What such a statement does with the name that is asked for is not told.
        if self.around.asked.is_some() && (!is_followed(stmt) || self.known.values.len() > MOST_NAMES) {
            self.answers = true;
            return Exit::Leaves;
        }
        match stmt {
            Stmt::Return(gives) => {
                let Some(value) = gives.value.as_deref() else {
                    self.answers = true;
                    return Exit::Leaves;
                };
                if self.raises(value) {
                    return Exit::Raises;
                }
                self.answers |= !self.is_answered_by_own(value);
                Exit::Leaves
            }
            Stmt::Raise(_) => Exit::Raises,
            Stmt::Assign(_) | Stmt::AnnAssign(_) => self.assignment(stmt),
            Stmt::Expr(expr) if self.raises(&expr.value) => Exit::Raises,
            Stmt::If(branch) => self.branches(branch),
            Stmt::Try(tried) => self.tried(tried),
            Stmt::With(with) => self.block(&with.body),
            Stmt::For(each) => {
                if self.is_table(items_of(&each.iter)) {
                    let mut bound = Vec::new();
                    collect_names(&each.target, &mut bound);
                    self.known.tables.extend(&bound);
                }
                self.perhaps(&each.body);
                self.block(&each.orelse)
            }
            Stmt::While(each) => {
                self.perhaps(&each.body);
                self.block(&each.orelse)
            }
            Stmt::Match(choice) => self.cases(choice),
            Stmt::Import(import) => {
                for alias in &import.names {
                    let (bound, module) = import_binding(alias);
                    self.known.imports.insert(bound, module.split('.').next() != Some(self.around.top));
                    self.bind_value(bound, None);
                }
                Exit::Falls
            }
            Stmt::ImportFrom(import) => self.import_from(import),
            Stmt::Break(_) | Stmt::Continue(_) => Exit::Leaves,
            _ => {
                self.forget(std::slice::from_ref(stmt));
                Exit::Falls
            }
        }
    }

    /// A block that may be passed over.
    fn perhaps(&mut self, body: &'a [Stmt]) {
        let before = self.known.clone();
        self.block(body);
        self.known = std::mem::take(&mut self.known).and(&before);
    }

    fn import_from(&mut self, import: &'a StmtImportFrom) -> Exit {
        let top = import.module.as_ref().and_then(|module| module.as_str().split('.').next());
        let foreign = import.level == 0 && top != Some(self.around.top);
        for alias in &import.names {
            let bound = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
            self.known.imports.insert(bound, foreign);
            self.bind_value(bound, None);
        }
        Exit::Falls
    }

    fn assignment(&mut self, stmt: &'a Stmt) -> Exit {
        let value = match stmt {
            Stmt::Assign(assign) => Some(&*assign.value),
            Stmt::AnnAssign(assign) => assign.value.as_deref(),
            _ => None,
        };
        if value.is_some_and(|value| self.raises(value)) {
            return Exit::Raises;
        }
        match single_assignment(stmt) {
            Some((name, value)) => self.bind(name, value),
            None => self.forget(std::slice::from_ref(stmt)),
        }
        Exit::Falls
    }

    fn bind(&mut self, name: &'a str, value: &'a Expr) {
        let (absent, own) = (self.gives_nothing(value), self.is_answered_by_own(value));
        let table = is_written_table(value, &self.known.tables);
        self.bind_value(name, Some(value));
        for (set, holds) in
            [(&mut self.known.absent, absent), (&mut self.known.own, own), (&mut self.known.tables, table)]
        {
            if holds {
                set.insert(name);
            } else {
                set.remove(name);
            }
        }
    }

    fn branches(&mut self, branch: &'a StmtIf) -> Exit {
        let clauses = branch.elif_else_clauses.iter().map(|clause| (clause.test.as_ref(), &clause.body));
        let mut exits = Vec::new();
        let mut after: Option<Known<'a>> = None;
        let mut whole = false;
        for (test, body) in std::iter::once((Some(&*branch.test), &branch.body)).chain(clauses) {
            let holds = test.map_or(Some(true), |test| self.holds(test));
            if holds == Some(false) {
                continue;
            }
            let before = self.known.clone();
            let exit = self.block(body);
            let known = std::mem::replace(&mut self.known, before);
            if exit == Exit::Falls {
                after = Some(after.map_or(known.clone(), |after| after.and(&known)));
            }
            exits.push(exit);
            if holds == Some(true) {
                whole = true;
                break;
            }
        }
        if !whole {
            exits.push(Exit::Falls);
            after = Some(after.map_or_else(|| self.known.clone(), |after| after.and(&self.known)));
        }
        self.known = after.unwrap_or_default();
        Exit::of_any(&exits)
    }

    fn tried(&mut self, tried: &'a StmtTry) -> Exit {
        let before = self.known.clone();
        let body = match self.block(&tried.body) {
            Exit::Falls => self.block(&tried.orelse),
            exit => exit,
        };
        let mut exits = if body == Exit::Raises && !tried.handlers.is_empty() { Vec::new() } else { vec![body] };
        let mut known = std::mem::take(&mut self.known).and(&before);
        let bound = stored_names(&tried.body);
        for ExceptHandler::ExceptHandler(handler) in &tried.handlers {
            self.known = before.clone();
            bound.iter().for_each(|name| self.bind_value(name, None));
            exits.push(self.block(&handler.body));
            known = known.and(&self.known);
        }
        self.known = known;
        match self.block(&tried.finalbody) {
            Exit::Falls => Exit::of_any(&exits),
            exit => exit,
        }
    }

    fn cases(&mut self, choice: &'a StmtMatch) -> Exit {
        let mut exits = vec![Exit::Falls];
        let of_parameter = self.is_parameter(&choice.subject);
        for case in choice.cases.iter().filter(|case| !(of_parameter && is_literal(&case.pattern))) {
            let before = self.known.clone();
            let exit = self.block(&case.body);
            self.known = std::mem::take(&mut self.known).and(&before);
            if case.pattern.is_irrefutable() && case.guard.is_none() {
                exits.remove(0);
                exits.push(exit);
                break;
            }
            exits.push(exit);
        }
        Exit::of_any(&exits)
    }

    /// Whether a test holds for such a name; none where that cannot be said.
    fn holds(&mut self, test: &'a Expr) -> Option<bool> {
        match test {
            Expr::Compare(compare) => self.comparison(compare),
            Expr::UnaryOp(not) if not.op == UnaryOp::Not => self.holds(&not.operand).map(|holds| !holds),
            Expr::BoolOp(operation) => {
                let all: Vec<Option<bool>> = operation.values.iter().map(|value| self.holds(value)).collect();
                let decides = operation.op == BoolOp::Or;
                if all.contains(&Some(decides)) {
                    return Some(decides);
                }
                all.iter().all(Option::is_some).then_some(!decides)
            }
            Expr::Named(named) => {
                let nothing = self.gives_nothing(&named.value);
                if let Expr::Name(name) = &*named.target {
                    self.bind(name.id.as_str(), &named.value);
                }
                nothing.then_some(false)
            }
            Expr::Name(name) if name.id.as_str() == "TYPE_CHECKING" => Some(false),
            _ => self.gives_nothing(test).then_some(false),
        }
    }

    fn comparison(&mut self, compare: &'a ExprCompare) -> Option<bool> {
        let ([operator], [right]) = (&*compare.ops, &*compare.comparators) else { return None };
        let left = &*compare.left;
        if let Expr::Named(named) = left
            && let Expr::Name(name) = &*named.target
        {
            self.bind(name.id.as_str(), &named.value);
        }
        match operator {
            CmpOp::Eq | CmpOp::NotEq => {
                let equal = if self.around.asked.is_some() {
                    self.text_of(left)? == self.text_of(right)?
                } else {
                    let with_text = self.is_parameter(left) && right.is_string_literal_expr()
                        || self.is_parameter(right) && left.is_string_literal_expr();
                    with_text.then_some(false)?
                };
                Some(equal == (*operator == CmpOp::Eq))
            }
            CmpOp::In | CmpOp::NotIn => {
                let lacks = self.lacks(right, left)?;
                Some(lacks == (*operator == CmpOp::NotIn))
            }
            CmpOp::Is | CmpOp::IsNot => {
                let nothing = right.is_none_literal_expr() && self.gives_nothing(left);
                nothing.then_some(*operator == CmpOp::Is)
            }
            _ => None,
        }
    }

    /// Whether a table lacks a name; none where that cannot be said.
    fn lacks(&self, table: &'a Expr, name: &'a Expr) -> Option<bool> {
        if self.around.asked.is_some() {
            let text = self.text_of(name)?;
            return Some(!self.held().contains(table, &text)?);
        }
        (self.is_parameter(name) && (self.is_table(table) || self.is_own_name(table))).then_some(true)
    }

    /// The text that an expression gives for the name that is asked for.
    fn text_of(&self, expr: &'a Expr) -> Option<String> {
        self.held().text_of(expr)
    }

    fn held(&self) -> Held<'_, 'm, 'a> {
        Held::of_function(self.around, self.parameter, self.given, &self.known.values)
    }

    fn is_parameter(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Name(name) if name.id.as_str() == self.parameter)
    }

    /// Whether an expression is a table of names that are written out, the module's own among them.
    fn is_table(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Name(name) => {
                let name = name.id.as_str();
                self.known.tables.contains(name) || self.around.tables.contains(name)
            }
            Expr::Call(call) => {
                call.arguments.is_empty() && matches!(&*call.func, Expr::Name(name) if name.id.as_str() == "globals")
            }
            _ => is_written_table(expr, &self.known.tables),
        }
    }

    /// Whether a name is taken from elsewhere in the library.
    fn is_own_name(&self, expr: &Expr) -> bool {
        let Expr::Name(name) = expr else { return false };
        let name = name.id.as_str();
        self.known.imports.get(name).map_or_else(|| self.around.is_imported_of_own(name), |foreign| !foreign)
    }

    /// Whether an expression gives nothing that counts as true: what a table has for a name that it does not have.
    fn gives_nothing(&self, expr: &'a Expr) -> bool {
        match expr {
            Expr::Name(name) => self.known.absent.contains(name.id.as_str()),
            Expr::Named(named) => self.gives_nothing(&named.value),
            Expr::Call(call) => match &*call.func {
                Expr::Attribute(of) if of.attr.as_str() == "get" => {
                    let second = call.arguments.args.get(1);
                    let first = call.arguments.args.first();
                    first.is_some_and(|first| self.lacks(&of.value, first) == Some(true))
                        && second.is_none_or(Expr::is_none_literal_expr)
                        && call.arguments.keywords.is_empty()
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether evaluating an expression raises for such a name, whatever else it does.
    fn raises(&self, expr: &'a Expr) -> bool {
        match expr {
            Expr::Subscript(item) => {
                let is_table = self.around.asked.is_some() || self.is_table(&item.value);
                is_table && self.lacks(&item.value, &item.slice) == Some(true)
                    || self.raises(&item.value)
                    || self.raises(&item.slice)
            }
            Expr::Attribute(attribute) => self.raises(&attribute.value),
            Expr::Call(call) => {
                self.imports_below(call)
                    || self.raises(&call.func)
                    || call.arguments.args.iter().any(|one| self.raises(one))
                    || call.arguments.keywords.iter().any(|one| self.raises(&one.value))
            }
            Expr::Tuple(each) => each.elts.iter().any(|one| self.raises(one)),
            Expr::Starred(starred) => self.raises(&starred.value),
            _ => false,
        }
    }

    /// Whether a call imports a module of such a name below the library, where there is none.
    fn imports_below(&self, call: &ExprCall) -> bool {
        let called = dotted_name(&call.func);
        let imports =
            called.is_some_and(|name| matches!(name.rsplit('.').next(), Some("import_module" | "__import__")));
        let Some(first) = call.arguments.args.first().filter(|_| imports && self.around.asked.is_none()) else {
            return false;
        };
        let begins_below = match leftmost(first) {
            Leftmost::Text(text) => text.starts_with('.') || text.split('.').next() == Some(self.around.top),
            Leftmost::Name(name) => matches!(name, "__name__" | "__package__"),
            Leftmost::Other => false,
        };
        begins_below && mentions(first, self.parameter)
    }

    /// Whether what an expression gives comes from the library itself, which writes its names down.
    fn is_answered_by_own(&self, expr: &'a Expr) -> bool {
        match expr {
            Expr::Name(name) => self.known.own.contains(name.id.as_str()),
            Expr::Call(call) => match &*call.func {
                Expr::Name(called) if called.id.as_str() == "getattr" => {
                    self.around.asked.is_none()
                        && call.arguments.args.len() == 2
                        && call.arguments.args.first().is_some_and(|of| self.is_own_name(of))
                }
                Expr::Name(called) => self.is_asked_of_own(called.id.as_str(), &call.arguments),
                Expr::Attribute(of) => self.around.asked.is_none() && of.attr.as_str() == "__getattribute__",
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a function of the library is asked for the name, and has no answer to it of its own making.
    fn is_asked_of_own(&self, called: &str, arguments: &'a Arguments) -> bool {
        let is_name = |one: &'a Expr| match self.around.asked {
            Some(asked) => self.text_of(one).as_deref() == Some(asked.name),
            None => self.is_parameter(one),
        };
        let Some(at) = arguments.args.iter().position(is_name) else { return false };
        let is_own = match self.known.imports.get(called) {
            Some(foreign) => !foreign,
            None => self.around.is_function_of_own(called),
        };
        let Some(left) = self.calls.checked_sub(1).filter(|_| is_own) else { return false };
        if self.around.asked.is_some() {
            let is_of_module = !self.known.values.contains_key(called) && !self.given.contains_key(called);
            let spread = arguments.args.iter().take(at).any(Expr::is_starred_expr);
            return is_of_module && !spread && !self.around.called_answers(called, at, left);
        }
        self.around.functions.get(called).is_none_or(|function| !self.around.answers_by(function, at, left))
    }
}
