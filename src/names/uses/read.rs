//! From the text of a file to what it uses: first what its names mean, then where they are used.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor};
use ruff_python_ast::{
    Comprehension, ExceptHandler, Expr, ExprCall, ExprContext, ModModule, Parameters, Stmt, StmtImport, StmtImportFrom,
};
use ruff_text_size::{Ranged, TextRange};

use tapps_syntax::python::names::{import_binding, is_identifier, last_name, pattern_names};

use super::guard::{Flags, expects_exception, is_left_out_at_times, takes_absence_in};
use super::scope::{Meaning, Scopes};
use super::{LibraryUses, Origin, Use, UsePlace, What};
use crate::surface::CallArguments;

/// Functions whose first argument may be more than it was bound to.
const ASKS_TYPE: [&str; 8] = ["callable", "cast", "getattr", "hasattr", "isinstance", "issubclass", "setattr", "type"];

/// Longest text that may name something.
const LONGEST_NAME: usize = 200;

/// Reads what a module uses.
pub(crate) fn read_uses(module: &ModModule) -> LibraryUses {
    let mut scopes = Scopes::default();
    let root = scopes.open(None, false);
    let flags = Flags::of(&module.body);
    let mut binder = Walk {
        on: Binder { scopes, made: BTreeSet::new() },
        flags: &flags,
        scope: root,
        next: 1,
        guarded: 0,
        type_only: 0,
    };
    binder.visit_body(&module.body);
    let Binder { scopes, made } = binder.on;
    let mut user = Walk {
        on: User { scopes: &scopes, uses: Vec::new(), last: TextRange::default() },
        flags: &flags,
        scope: root,
        next: 1,
        guarded: 0,
        type_only: 0,
    };
    user.visit_body(&module.body);
    LibraryUses { uses: user.on.uses, made }
}

/// What is done on a walk over a file.
trait Visit<'a> {
    /// A scope begins; on every walk they begin in the same order.
    fn open_scope(&mut self, _parent: usize, _is_class: bool) {}
    fn bind(&mut self, _scope: usize, _name: &'a str, _meaning: Meaning<'a>) {}
    fn elsewhere(&mut self, _scope: usize, _name: &'a str) {}
    fn import(&mut self, _scope: usize, _import: &'a StmtImport, _place: UsePlace) {}
    fn import_from(&mut self, _scope: usize, _import: &'a StmtImportFrom, _place: UsePlace) {}
    fn expr(&mut self, _scope: usize, _expr: &'a Expr, _place: UsePlace) {}
}

/// A walk that knows in which scope it is.
struct Walk<'f, H> {
    on: H,
    flags: &'f Flags<'f>,
    scope: usize,
    next: usize,
    guarded: u32,
    type_only: u32,
}

impl<'a, H: Visit<'a>> Walk<'_, H> {
    fn inside(&mut self, is_class: bool, work: impl FnOnce(&mut Self)) {
        let outside = self.scope;
        self.on.open_scope(outside, is_class);
        self.scope = self.next;
        self.next += 1;
        work(self);
        self.scope = outside;
    }

    const fn place(&self) -> UsePlace {
        UsePlace { guarded: self.guarded > 0, type_only: self.type_only > 0 }
    }

    fn guarded_if(&mut self, guard: bool, work: impl FnOnce(&mut Self)) {
        self.guarded += u32::from(guard);
        work(self);
        self.guarded -= u32::from(guard);
    }

    fn bind_target(&mut self, target: &'a Expr, meaning: Meaning<'a>) {
        match target {
            Expr::Name(name) => self.on.bind(self.scope, name.id.as_str(), meaning),
            Expr::Tuple(each) => each.elts.iter().for_each(|target| self.bind_target(target, Meaning::Other)),
            Expr::List(each) => each.elts.iter().for_each(|target| self.bind_target(target, Meaning::Other)),
            Expr::Starred(starred) => self.bind_target(&starred.value, Meaning::Other),
            _ => {}
        }
    }

    fn bind_parameters(&mut self, parameters: &'a Parameters) {
        for one in parameters.iter() {
            let meaning = match one.annotation() {
                Some(annotation) if !one.is_variadic() => Meaning::Annotated(annotation),
                _ => Meaning::Other,
            };
            self.on.bind(self.scope, one.name().as_str(), meaning);
        }
    }

    fn defaults(&mut self, parameters: &'a Parameters) {
        parameters.iter_non_variadic_params().filter_map(|one| one.default()).for_each(|value| self.visit_expr(value));
    }

    fn comprehension(&mut self, generators: &'a [Comprehension], elements: &[&'a Expr]) {
        if let Some(first) = generators.first() {
            self.visit_expr(&first.iter);
        }
        self.inside(false, |walk| {
            for (at, generator) in generators.iter().enumerate() {
                if at > 0 {
                    walk.visit_expr(&generator.iter);
                }
                walk.bind_target(&generator.target, Meaning::Other);
                generator.ifs.iter().for_each(|test| walk.visit_expr(test));
            }
            elements.iter().for_each(|element| walk.visit_expr(element));
        });
    }
}

impl<'a, H: Visit<'a>> SourceOrderVisitor<'a> for Walk<'_, H> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Import(import) => self.on.import(self.scope, import, self.place()),
            Stmt::ImportFrom(import) => self.on.import_from(self.scope, import, self.place()),
            Stmt::FunctionDef(function) => {
                let left_out = function.decorator_list.iter().any(is_left_out_at_times);
                function.decorator_list.iter().for_each(|decorator| self.visit_expr(&decorator.expression));
                self.defaults(&function.parameters);
                self.on.bind(self.scope, function.name.as_str(), Meaning::Other);
                self.guarded_if(left_out, |walk| {
                    walk.inside(false, |walk| {
                        walk.bind_parameters(&function.parameters);
                        walk.visit_body(&function.body);
                    });
                });
            }
            Stmt::ClassDef(class) => {
                let left_out = class.decorator_list.iter().any(is_left_out_at_times);
                class.decorator_list.iter().for_each(|decorator| self.visit_expr(&decorator.expression));
                if let Some(arguments) = &class.arguments {
                    arguments.args.iter().for_each(|base| self.visit_expr(base));
                    arguments.keywords.iter().for_each(|keyword| self.visit_expr(&keyword.value));
                }
                self.on.bind(self.scope, class.name.as_str(), Meaning::Other);
                self.guarded_if(left_out, |walk| walk.inside(true, |walk| walk.visit_body(&class.body)));
            }
            Stmt::Assign(assign) => {
                self.visit_expr(&assign.value);
                for target in &assign.targets {
                    self.bind_target(target, Meaning::Value(&assign.value));
                    self.visit_expr(target);
                }
            }
            Stmt::AnnAssign(assign) => {
                assign.value.iter().for_each(|value| self.visit_expr(value));
                self.bind_target(&assign.target, Meaning::Other);
                self.visit_expr(&assign.target);
            }
            Stmt::AugAssign(assign) => {
                self.visit_expr(&assign.value);
                self.bind_target(&assign.target, Meaning::Other);
                self.visit_expr(&assign.target);
            }
            Stmt::TypeAlias(alias) => self.bind_target(&alias.name, Meaning::Other),
            Stmt::Global(global) => global.names.iter().for_each(|name| self.on.elsewhere(self.scope, name.as_str())),
            Stmt::Nonlocal(outer) => outer.names.iter().for_each(|name| self.on.elsewhere(self.scope, name.as_str())),
            Stmt::Delete(delete) => {
                for target in &delete.targets {
                    self.bind_target(target, Meaning::Other);
                    self.visit_expr(target);
                }
            }
            Stmt::For(each) => {
                self.visit_expr(&each.iter);
                self.bind_target(&each.target, Meaning::Other);
                self.visit_body(&each.body);
                self.visit_body(&each.orelse);
            }
            Stmt::With(with) => {
                for item in &with.items {
                    self.visit_expr(&item.context_expr);
                    if let Some(target) = item.optional_vars.as_deref() {
                        self.bind_target(target, Meaning::Entered(&item.context_expr, with.is_async));
                    }
                }
                self.guarded_if(expects_exception(with), |walk| walk.visit_body(&with.body));
            }
            Stmt::If(branch) => {
                let tests = branch.elif_else_clauses.iter().filter_map(|clause| clause.test.as_ref());
                let asks = std::iter::once(&*branch.test).chain(tests).any(|test| self.flags.ask(test));
                self.guarded_if(asks, |walk| {
                    walk.visit_expr(&branch.test);
                    let type_only = u32::from(last_name(&branch.test) == Some("TYPE_CHECKING"));
                    walk.type_only += type_only;
                    walk.visit_body(&branch.body);
                    walk.type_only -= type_only;
                    for clause in &branch.elif_else_clauses {
                        clause.test.iter().for_each(|test| walk.visit_expr(test));
                        walk.visit_body(&clause.body);
                    }
                });
            }
            Stmt::Try(tried) => self.guarded_if(takes_absence_in(tried), |walk| {
                walk.visit_body(&tried.body);
                for ExceptHandler::ExceptHandler(handler) in &tried.handlers {
                    handler.type_.iter().for_each(|exception| walk.visit_expr(exception));
                    if let Some(name) = &handler.name {
                        walk.on.bind(walk.scope, name.as_str(), Meaning::Other);
                    }
                    walk.visit_body(&handler.body);
                }
                walk.visit_body(&tried.orelse);
                walk.visit_body(&tried.finalbody);
            }),
            Stmt::Match(choice) => {
                self.visit_expr(&choice.subject);
                for case in &choice.cases {
                    for name in pattern_names(&case.pattern) {
                        self.on.bind(self.scope, name, Meaning::Other);
                    }
                    source_order::walk_pattern(self, &case.pattern);
                    case.guard.iter().for_each(|test| self.visit_expr(test));
                    self.visit_body(&case.body);
                }
            }
            _ => source_order::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        self.on.expr(self.scope, expr, self.place());
        match expr {
            Expr::Lambda(lambda) => {
                lambda.parameters.iter().for_each(|parameters| self.defaults(parameters));
                self.inside(false, |walk| {
                    lambda.parameters.iter().for_each(|parameters| walk.bind_parameters(parameters));
                    walk.visit_expr(&lambda.body);
                });
            }
            Expr::ListComp(list) => self.comprehension(&list.generators, &[&list.elt]),
            Expr::SetComp(set) => self.comprehension(&set.generators, &[&set.elt]),
            Expr::Generator(generator) => self.comprehension(&generator.generators, &[&generator.elt]),
            Expr::DictComp(dict) => {
                let elements: Vec<&Expr> = dict.key.iter().map(|key| &**key).chain([&*dict.value]).collect();
                self.comprehension(&dict.generators, &elements);
            }
            Expr::Named(named) => {
                self.visit_expr(&named.value);
                self.bind_target(&named.target, Meaning::Other);
            }
            Expr::If(choice) => {
                let asks = self.flags.ask(&choice.test);
                self.guarded_if(asks, |walk| source_order::walk_expr(walk, expr));
            }
            Expr::BoolOp(operation) => {
                let asks = operation.values.iter().any(|value| self.flags.ask(value));
                self.guarded_if(asks, |walk| source_order::walk_expr(walk, expr));
            }
            _ => source_order::walk_expr(self, expr),
        }
    }

    fn visit_annotation(&mut self, _: &'a Expr) {}
}

/// Notes what names mean.
struct Binder<'a> {
    scopes: Scopes<'a>,
    made: BTreeSet<String>,
}

impl<'a> Visit<'a> for Binder<'a> {
    fn open_scope(&mut self, parent: usize, is_class: bool) {
        self.scopes.open(Some(parent), is_class);
    }

    fn bind(&mut self, scope: usize, name: &'a str, meaning: Meaning<'a>) {
        self.scopes.bind(scope, name, meaning);
    }

    fn elsewhere(&mut self, scope: usize, name: &'a str) {
        self.scopes.declare_elsewhere(scope, name);
    }

    fn import(&mut self, scope: usize, import: &'a StmtImport, _: UsePlace) {
        for alias in &import.names {
            let (bound, module) = import_binding(alias);
            self.scopes.bind_import(scope, bound, Origin::Module(module.to_owned()));
        }
    }

    fn import_from(&mut self, scope: usize, import: &'a StmtImportFrom, _: UsePlace) {
        for alias in &import.names {
            let bound = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
            match import.module.as_deref().filter(|_| import.level == 0) {
                Some(module) => {
                    let origin = Origin::Name { module: module.to_owned(), name: alias.name.to_string() };
                    self.scopes.bind_import(scope, bound, origin);
                }
                None => self.scopes.bind(scope, bound, Meaning::Other),
            }
        }
    }

    fn expr(&mut self, _: usize, expr: &'a Expr, _: UsePlace) {
        match expr {
            Expr::Attribute(attribute) if attribute.ctx != ExprContext::Load => {
                self.made.insert(attribute.attr.to_string());
            }
            Expr::StringLiteral(text) => {
                let text = text.value.to_str();
                let name = text.rsplit(['.', ':']).next().unwrap_or(text);
                if text.len() <= LONGEST_NAME && is_identifier(name) {
                    self.made.insert(name.to_owned());
                }
            }
            Expr::Call(call) => {
                let (Expr::Name(called), Some(first)) = (&*call.func, call.arguments.args.first()) else { return };
                if ASKS_TYPE.contains(&called.id.as_str()) {
                    let asked = if called.id.as_str() == "cast" { call.arguments.args.get(1) } else { Some(first) };
                    if let Some(Expr::Name(name)) = asked {
                        self.scopes.narrowed.insert(name.id.as_str());
                    }
                }
            }
            _ => {}
        }
    }
}

/// Notes where they are used.
struct User<'s, 'a> {
    scopes: &'s Scopes<'a>,
    uses: Vec<Use>,
    /// The path that was noted last; its beginnings are no uses of their own.
    last: TextRange,
}

impl<'a> Visit<'a> for User<'_, 'a> {
    fn import(&mut self, _: usize, import: &'a StmtImport, place: UsePlace) {
        for alias in &import.names {
            self.uses.push(Use { what: What::Import(alias.name.to_string()), range: alias.name.range(), place });
        }
    }

    fn import_from(&mut self, _: usize, import: &'a StmtImportFrom, place: UsePlace) {
        let Some(module) = import.module.as_ref().filter(|_| import.level == 0) else { return };
        let what = What::Import(module.to_string());
        self.uses.push(Use { what, range: module.range(), place });
        for alias in import.names.iter().filter(|alias| alias.name.as_str() != "*") {
            let what = What::ImportName { module: module.to_string(), name: alias.name.to_string() };
            self.uses.push(Use { what, range: alias.name.range(), place });
        }
    }

    fn expr(&mut self, scope: usize, expr: &'a Expr, place: UsePlace) {
        let (called, call) = match expr {
            Expr::Call(call) => (&*call.func, Some(call)),
            Expr::Attribute(attribute) if attribute.ctx == ExprContext::Load => (expr, None),
            _ => return,
        };
        if call.is_none() && called.start() == self.last.start() && called.end() <= self.last.end() {
            return;
        }
        let Some(path) = self.scopes.path_of(scope, called) else { return };
        let mut ranges = Vec::new();
        let mut at = called;
        while let Expr::Attribute(attribute) = at {
            ranges.push(attribute.attr.range());
            at = &attribute.value;
        }
        ranges.reverse();
        self.last = called.range();
        let call = call.map(arguments_of);
        self.uses.push(Use { what: What::Path { path, ranges, call }, range: called.range(), place });
    }
}

/// What a call hands over, with the place of each keyword.
fn arguments_of(call: &ExprCall) -> (CallArguments, Vec<TextRange>) {
    let spread = call.arguments.args.iter().any(Expr::is_starred_expr);
    let mut arguments = CallArguments {
        positional: if spread { 0 } else { call.arguments.args.len() },
        spreads_positional: spread,
        ..CallArguments::default()
    };
    let mut ranges = Vec::new();
    for keyword in &call.arguments.keywords {
        match &keyword.arg {
            Some(name) => {
                arguments.keywords.push(name.to_string());
                ranges.push(name.range());
            }
            None => arguments.spreads_keywords = true,
        }
    }
    (arguments, ranges)
}
