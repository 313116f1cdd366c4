//! From the text of a module to its surface.

use std::sync::Arc;

use ruff_python_ast::{Alias, ExceptHandler, Expr, Stmt, StmtAnnAssign, StmtClassDef, StmtFunctionDef, StmtImportFrom};
use tapps_project::parse;
use tapps_syntax::python::names::{absolute_module, dotted_name, import_binding, pattern_names};

use super::class::read_class;
use super::function::read_function;
use super::getattr::OwnLibrary;
use super::model::{BoundName, ModuleSurface, Openness};
use super::table::writes_table;
use super::written::written_exports;
use tapps_syntax::python::dynamic::{Dynamic, find_dynamic};

/// The function that answers for the names which a module does not have.
pub(super) const GETATTR: &str = "__getattr__";

/// Where a module stands, which relative imports need.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ModulePlace<'m> {
    /// Dotted and absolute.
    pub(crate) name: &'m str,
    /// It is the `__init__` of a package.
    pub(crate) package: bool,
}

impl ModulePlace<'_> {
    /// The absolute name of the module that an import names.
    pub(crate) fn absolute(&self, level: u32, module: Option<&str>) -> Option<String> {
        absolute_module(self.name, self.package, level, module)
    }
}

/// Reads the surface of a module.
pub(crate) fn read_surface(place: ModulePlace<'_>, text: &str) -> ModuleSurface {
    parse::read_python(text, |parsed| {
        let mut reader = ModuleReader { place, surface: ModuleSurface::default() };
        let mut made = Made { names: writes_table(parsed.suite()), objects: false };
        bind_statements(parsed.suite(), &mut reader, &mut made);
        let mut surface = reader.surface;
        surface.exported = written_exports(text, parsed.suite());
        if made.objects || made.names {
            surface.open_classes();
        }
        if surface.names.contains_key(GETATTR) {
            let around = OwnLibrary::new(place.name, &surface, parsed.suite());
            let forwards = parsed.suite().iter().any(|stmt| answers_elsewhere(stmt, &around));
            surface.open = Some(if forwards { Openness::Getattr } else { Openness::GetattrOfOwn });
        }
        if made.names {
            surface.open = Some(Openness::Dynamic);
        }
        surface
    })
    .unwrap_or_else(|| ModuleSurface::opaque(Openness::Unread))
}

impl ModuleSurface {
    /// Something in it makes attributes by computing their names, and which object gets them is not known.
    fn open_classes(&mut self) {
        for bound in self.names.values_mut().flatten() {
            if let BoundName::Class(class) = bound {
                Arc::make_mut(class).open = Some(Openness::Dynamic);
            }
        }
    }
}

struct ModuleReader<'m> {
    place: ModulePlace<'m>,
    surface: ModuleSurface,
}

/// What code makes by computing names.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Made {
    /// Names of the module.
    names: bool,
    /// Attributes of some object.
    objects: bool,
}

impl Made {
    pub(super) fn add(&mut self, dynamic: &Dynamic) {
        self.join(Self { names: dynamic.names, objects: dynamic.objects });
    }

    pub(super) fn join(&mut self, other: Self) {
        self.names |= other.names;
        self.objects |= other.objects;
    }
}

/// Whether a statement is a `__getattr__` that may answer for names which the library does not write down.
pub(super) fn answers_elsewhere<'a>(stmt: &'a Stmt, around: &OwnLibrary<'_, 'a>) -> bool {
    match stmt {
        Stmt::FunctionDef(function) => function.name.as_str() == GETATTR && around.answers(function),
        Stmt::If(branch) => {
            let clauses = branch.elif_else_clauses.iter().flat_map(|clause| &clause.body);
            branch.body.iter().chain(clauses).any(|stmt| answers_elsewhere(stmt, around))
        }
        Stmt::Try(tried) => {
            let handled = tried.handlers.iter().flat_map(|ExceptHandler::ExceptHandler(handler)| &handler.body);
            let each = tried.body.iter().chain(handled).chain(&tried.orelse).chain(&tried.finalbody);
            each.into_iter().any(|stmt| answers_elsewhere(stmt, around))
        }
        Stmt::Assign(assign) if assign.targets.iter().any(is_getattr) => around.bound_answers(GETATTR),
        Stmt::ImportFrom(import) => {
            let binds = |alias: &Alias| alias.asname.as_ref().unwrap_or(&alias.name).as_str() == GETATTR;
            import.names.iter().any(binds) && around.bound_answers(GETATTR)
        }
        _ => around.may_bind(stmt, GETATTR),
    }
}

fn is_getattr(target: &Expr) -> bool {
    matches!(target, Expr::Name(name) if name.id.as_str() == GETATTR)
}

/// What statements bind names in: a module or a class.
pub(super) trait Bindings {
    fn bind_name(&mut self, name: &str, bound: BoundName);
    fn bind_function(&mut self, function: &StmtFunctionDef, made: &mut Made);
    fn bind_class(&mut self, class: &StmtClassDef, made: &mut Made);
    fn bind_annotated(&mut self, assign: &StmtAnnAssign)
    where
        Self: Sized,
    {
        bind_target(&assign.target, self);
    }
    /// A statement that is none of these, or the head of one that holds others.
    fn other(&mut self, stmt: &Stmt, made: &mut Made);
    /// A name that is taken from a module; a class takes its imports for values.
    fn import_from(&mut self, import: &StmtImportFrom) {
        for alias in &import.names {
            self.bind_name(alias.asname.as_ref().unwrap_or(&alias.name), BoundName::Value);
        }
    }
}

impl Bindings for ModuleReader<'_> {
    fn bind_name(&mut self, name: &str, bound: BoundName) {
        self.surface.bind(name, bound);
    }

    fn bind_function(&mut self, function: &StmtFunctionDef, made: &mut Made) {
        // What `__getattr__` makes is what it answers with, which is looked at there.
        if function.name.as_str() != GETATTR {
            made.add(&find_dynamic(&function.body, None));
        }
        for global in globals_of(&function.body) {
            self.surface.bind(global, BoundName::Value);
        }
        self.surface.bind(&function.name, BoundName::Function(read_function(function, false)));
    }

    fn bind_class(&mut self, class: &StmtClassDef, made: &mut Made) {
        let (surface, more) = read_class(class);
        made.join(more);
        for function in class.body.iter().filter_map(Stmt::as_function_def_stmt) {
            for global in globals_of(&function.body) {
                self.surface.bind(global, BoundName::Value);
            }
        }
        self.surface.bind(&class.name, BoundName::Class(Arc::new(surface)));
    }

    fn other(&mut self, stmt: &Stmt, made: &mut Made) {
        made.add(&find_dynamic(std::slice::from_ref(stmt), None));
    }

    fn import_from(&mut self, import: &StmtImportFrom) {
        let from = self.place.absolute(import.level, import.module.as_deref());
        for alias in &import.names {
            let name = alias.name.as_str();
            match &from {
                Some(from) if name == "*" => {
                    self.surface.stars.insert(from.clone());
                }
                Some(from) => {
                    let bound = BoundName::Import { module: from.clone(), name: Some(name.to_owned()) };
                    self.surface.bind(alias.asname.as_ref().unwrap_or(&alias.name), bound);
                }
                // It leads above the package, which fails when it runs.
                None => self.surface.open = Some(Openness::Unread),
            }
        }
    }
}

/// Binds what statements bind, in whatever branch they stand.
pub(super) fn bind_statements(body: &[Stmt], to: &mut impl Bindings, made: &mut Made) {
    for stmt in body {
        bind_statement(stmt, to, made);
    }
}

fn bind_statement(stmt: &Stmt, to: &mut impl Bindings, made: &mut Made) {
    match stmt {
        Stmt::FunctionDef(function) => to.bind_function(function, made),
        Stmt::ClassDef(class) => to.bind_class(class, made),
        Stmt::Import(import) => {
            for alias in &import.names {
                let (bound, module) = import_binding(alias);
                to.bind_name(bound, BoundName::Import { module: module.to_owned(), name: None });
            }
        }
        Stmt::ImportFrom(import) => to.import_from(import),
        Stmt::Assign(assign) => {
            to.other(stmt, made);
            let alias = dotted_name(&assign.value);
            for target in &assign.targets {
                match (target, &alias) {
                    (Expr::Name(name), Some(alias)) => to.bind_name(&name.id, BoundName::Alias(alias.clone())),
                    _ => bind_target(target, to),
                }
            }
        }
        Stmt::AnnAssign(assign) => {
            to.other(stmt, made);
            to.bind_annotated(assign);
        }
        Stmt::AugAssign(assign) => {
            to.other(stmt, made);
            bind_target(&assign.target, to);
        }
        Stmt::TypeAlias(alias) => bind_target(&alias.name, to),
        Stmt::If(branch) => {
            bind_walruses(&branch.test, to);
            bind_statements(&branch.body, to, made);
            for clause in &branch.elif_else_clauses {
                bind_statements(&clause.body, to, made);
            }
        }
        Stmt::Try(tried) => {
            bind_statements(&tried.body, to, made);
            for ExceptHandler::ExceptHandler(handler) in &tried.handlers {
                if let Some(name) = &handler.name {
                    to.bind_name(name, BoundName::Value);
                }
                bind_statements(&handler.body, to, made);
            }
            bind_statements(&tried.orelse, to, made);
            bind_statements(&tried.finalbody, to, made);
        }
        Stmt::With(with) => {
            for target in with.items.iter().filter_map(|item| item.optional_vars.as_deref()) {
                bind_target(target, to);
            }
            bind_statements(&with.body, to, made);
        }
        Stmt::For(each) => {
            bind_target(&each.target, to);
            bind_statements(&each.body, to, made);
            bind_statements(&each.orelse, to, made);
        }
        Stmt::While(each) => {
            bind_walruses(&each.test, to);
            bind_statements(&each.body, to, made);
            bind_statements(&each.orelse, to, made);
        }
        Stmt::Match(choice) => {
            for case in &choice.cases {
                pattern_names(&case.pattern).into_iter().for_each(|name| to.bind_name(name, BoundName::Value));
                bind_statements(&case.body, to, made);
            }
        }
        Stmt::Expr(expr) => {
            to.other(stmt, made);
            bind_walruses(&expr.value, to);
        }
        _ => to.other(stmt, made),
    }
}

pub(super) fn bind_target(target: &Expr, to: &mut impl Bindings) {
    match target {
        Expr::Name(name) => to.bind_name(&name.id, BoundName::Value),
        Expr::Tuple(each) => each.elts.iter().for_each(|target| bind_target(target, to)),
        Expr::List(each) => each.elts.iter().for_each(|target| bind_target(target, to)),
        Expr::Starred(starred) => bind_target(&starred.value, to),
        _ => {}
    }
}

/// Names bound inside an expression, which are rare: only the outermost is looked at.
fn bind_walruses(expr: &Expr, to: &mut impl Bindings) {
    match expr {
        Expr::Named(named) => bind_target(&named.target, to),
        Expr::Compare(compare) => bind_walruses(&compare.left, to),
        Expr::UnaryOp(operation) => bind_walruses(&operation.operand, to),
        Expr::BoolOp(operation) => operation.values.iter().for_each(|value| bind_walruses(value, to)),
        _ => {}
    }
}

/// Names that a function declares `global`.
fn globals_of(body: &[Stmt]) -> Vec<&str> {
    let mut found = Vec::new();
    for stmt in body {
        match stmt {
            Stmt::Global(global) => found.extend(global.names.iter().map(|name| name.as_str())),
            Stmt::If(branch) => {
                found.extend(globals_of(&branch.body));
                branch.elif_else_clauses.iter().for_each(|clause| found.extend(globals_of(&clause.body)));
            }
            Stmt::With(with) => found.extend(globals_of(&with.body)),
            Stmt::For(each) => found.extend(globals_of(&each.body)),
            Stmt::While(each) => found.extend(globals_of(&each.body)),
            Stmt::Try(tried) => {
                found.extend(globals_of(&tried.body));
                for ExceptHandler::ExceptHandler(handler) in &tried.handlers {
                    found.extend(globals_of(&handler.body));
                }
                found.extend(globals_of(&tried.finalbody));
            }
            Stmt::FunctionDef(inner) => found.extend(globals_of(&inner.body)),
            _ => {}
        }
    }
    found
}
