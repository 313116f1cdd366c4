//! From the text of a module to what it binds.

use std::collections::{BTreeMap, BTreeSet};

use ruff_python_ast::{Expr, ExprStringLiteral, Stmt, StmtFunctionDef, StmtIf, StmtImport, StmtImportFrom};
use ruff_source_file::LineIndex;
use ruff_text_size::Ranged;

use super::class::{deprecation, is_public, join_overload, mark_deprecated};
use super::dunder_all::Lists;
use super::lazy::LazyImportTable;
use super::module::{All, Bound, BoundImport, DocumentedModule, PythonItem};
use super::runtime::spreads_module_names;
use super::signature::{annotation, function_signature, slice};
use crate::symbol::SymbolKind;
use crate::text::{Doc, clip, squeeze};
use tapps_project::parse;
use tapps_syntax::python::dynamic::find_dynamic;
use tapps_syntax::python::names::{absolute_module, dotted_name, import_binding, last_name};

/// Longest value of a variable that is shown, in characters.
const VALUE: usize = 120;

/// The Python whose branch is taken where a module asks for the version.
const VERSION: [i64; 2] = [3, 13];

/// Reads one module of a package, or gives `None` when it cannot be parsed.
pub(super) fn read_module_text(name: &str, file: &str, text: &str) -> Option<DocumentedModule> {
    parse::read_python(text, |parsed| module_of_suite(parsed.suite(), name, file, text))
}

fn module_of_suite(suite: &[Stmt], name: &str, file: &str, text: &str) -> DocumentedModule {
    let mut reader = PythonModuleReader {
        source: text,
        lines: LineIndex::from_source_text(text),
        name,
        package: is_package(file),
        lists: Lists::default(),
        tables: BTreeMap::new(),
        spreaders: BTreeSet::new(),
    };
    let mut module = DocumentedModule {
        file: file.to_owned(),
        package: reader.package,
        stub: file.ends_with(".pyi"),
        ..DocumentedModule::default()
    };
    module.doc = docstring(suite).map(|text| Doc::parse_doc(&text)).unwrap_or_default();
    let dynamic = find_dynamic(suite, None);
    module.makes_names = dynamic.names || text.contains("globals()");
    module.sets_attributes = dynamic.objects || dynamic.names;
    reader.read_block(suite, false, &mut module);
    module
}

fn is_package(file: &str) -> bool {
    file.ends_with("__init__.py") || file.ends_with("__init__.pyi")
}

/// The state while one module is read.
pub(super) struct PythonModuleReader<'s> {
    pub(super) source: &'s str,
    lines: LineIndex,
    pub(super) name: &'s str,
    package: bool,
    pub(super) lists: Lists,
    /// Dictionaries of the module that say where names come from.
    pub(super) tables: BTreeMap<String, LazyImportTable>,
    /// Functions of the module that add what other modules list to its `__all__`.
    pub(super) spreaders: BTreeSet<String>,
}

impl PythonModuleReader<'_> {
    /// The line a node begins on, from 1.
    pub(super) fn line_of(&self, node: &impl Ranged) -> u32 {
        u32::try_from(self.lines.line_index(node.start()).get()).unwrap_or(u32::MAX)
    }

    fn read_block(&mut self, body: &[Stmt], typing: bool, module: &mut DocumentedModule) {
        for (at, stmt) in body.iter().enumerate() {
            self.read_stmt(stmt, body.get(at + 1..).unwrap_or_default(), typing, module);
        }
    }

    fn read_stmt(&mut self, stmt: &Stmt, rest: &[Stmt], typing: bool, module: &mut DocumentedModule) {
        match stmt {
            Stmt::Import(import) => self.import(import, typing, module),
            Stmt::ImportFrom(import) => self.import_from(import, typing, module),
            Stmt::FunctionDef(function) => self.function(function, typing, module),
            Stmt::ClassDef(class) => {
                let item = PythonItem { typing, ..self.class(class) };
                module.bind(&class.name, Bound::Here(item));
            }
            Stmt::Assign(assign) => {
                assign.targets.iter().for_each(|target| self.bound_in_globals(target, module));
                let named = assign.targets.iter().flat_map(names);
                let targets: Vec<&str> = named.map(|(name, _)| name).collect();
                for name in targets {
                    self.variable(name, None, Some(&assign.value), (rest, typing), module);
                }
            }
            Stmt::AnnAssign(assign) => {
                if let Some(name) = assign.target.as_name_expr() {
                    let value = assign.value.as_deref();
                    // A bare annotation binds nothing when the module runs; a stub has nothing else.
                    if value.is_some() || module.stub {
                        self.variable(&name.id, Some(&assign.annotation), value, (rest, typing), module);
                    }
                }
            }
            Stmt::AugAssign(assign) if is_dunder_all(&assign.target) => {
                self.extend_all(Some(&assign.value), module);
            }
            Stmt::TypeAlias(alias) => {
                if let Some(name) = alias.name.as_name_expr() {
                    let text = clip(&squeeze(slice(self.source, alias)), 300);
                    let mut item = PythonItem::new(SymbolKind::TypeAlias, text, self.line_of(alias));
                    item.typing = typing;
                    module.bind(&name.id, Bound::Here(item));
                }
            }
            Stmt::Expr(expr) => self.call_on_all(&expr.value, module),
            Stmt::If(branch) => self.read_branches(branch, typing, module),
            Stmt::Try(tried) => {
                self.read_block(&tried.body, typing, module);
                self.read_block(&tried.orelse, typing, module);
                for handler in &tried.handlers {
                    let ruff_python_ast::ExceptHandler::ExceptHandler(handler) = handler;
                    self.read_block(&handler.body, typing, module);
                }
                self.read_block(&tried.finalbody, typing, module);
            }
            Stmt::With(with) => self.read_block(&with.body, typing, module),
            Stmt::For(each) => {
                self.loop_over_names(each, module);
                self.read_block(&each.body, typing, module);
            }
            Stmt::While(each) => self.read_block(&each.body, typing, module),
            Stmt::Delete(delete) => {
                for (name, _) in delete.targets.iter().flat_map(names) {
                    module.names.remove(name);
                }
            }
            _ => {}
        }
    }

    fn read_branches(&mut self, branch: &StmtIf, typing: bool, module: &mut DocumentedModule) {
        let mut open = true;
        let first = (Some(&*branch.test), &branch.body);
        let others = branch.elif_else_clauses.iter().map(|clause| (clause.test.as_ref(), &clause.body));
        for (test, body) in std::iter::once(first).chain(others) {
            if !open {
                return;
            }
            match test.map(branch_condition) {
                Some(BranchCondition::Never) => {}
                Some(BranchCondition::Typing) => self.read_block(body, true, module),
                // What comes after it is never reached.
                Some(BranchCondition::Always) | None => {
                    self.read_block(body, typing, module);
                    open = false;
                }
                Some(BranchCondition::Unknown) => self.read_block(body, typing, module),
            }
        }
    }

    fn import(&mut self, import: &StmtImport, typing: bool, module: &mut DocumentedModule) {
        for alias in &import.names {
            let (bound, target) = import_binding(alias);
            self.lists.modules.insert(bound.to_owned(), target.to_owned());
            let explicit = alias.asname.as_ref().is_some_and(|asname| asname.as_str() == alias.name.as_str());
            module.bind(bound, Bound::Import(BoundImport { module: target.to_owned(), name: None, explicit, typing }));
        }
    }

    fn import_from(&mut self, import: &StmtImportFrom, typing: bool, module: &mut DocumentedModule) {
        let Some(from) = self.absolute(import.level, import.module.as_deref()) else { return };
        for alias in &import.names {
            let name = alias.name.as_str();
            if name == "*" {
                let stars = if typing { &mut module.typing_stars } else { &mut module.stars };
                stars.push(from.clone());
                continue;
            }
            let bound = alias.asname.as_ref().map_or(name, |asname| asname.as_str());
            if name == "__all__" {
                self.lists.lists.insert(bound.to_owned(), vec![All::Of(from.clone())]);
                if bound == "__all__" {
                    module.all = Some(vec![All::Of(from.clone())]);
                }
                continue;
            }
            // It may be a module: then its own `__all__` can be asked for by this name.
            self.lists.modules.insert(bound.to_owned(), format!("{from}.{name}"));
            let explicit = alias.asname.as_ref().is_some_and(|asname| asname.as_str() == name);
            let import = BoundImport { module: from.clone(), name: Some(name.to_owned()), explicit, typing };
            module.bind(bound, Bound::Import(import));
        }
    }

    /// The absolute name of the module an import names.
    pub(super) fn absolute(&self, level: u32, module: Option<&str>) -> Option<String> {
        absolute_module(self.name, self.package, level, module)
    }

    fn function(&mut self, def: &StmtFunctionDef, typing: bool, module: &mut DocumentedModule) {
        if def.name.as_str() == "__getattr__" && !typing {
            return self.read_module_getattr(def, module);
        }
        if spreads_module_names(def) {
            self.spreaders.insert(def.name.to_string());
        }
        let decorators: Vec<&Expr> = def.decorator_list.iter().map(|decorator| &decorator.expression).collect();
        let overload = decorators.iter().any(|decorator| last_name(decorator) == Some("overload"));
        let mut item =
            PythonItem::new(SymbolKind::Function, function_signature(self.source, def, false), self.line_of(&def.name));
        item.doc = docstring(&def.body).map(|text| Doc::parse_doc(&text)).unwrap_or_default();
        item.typing = typing;
        mark_deprecated(&mut item, deprecation(decorators.into_iter()));
        match module.names.get_mut(def.name.as_str()) {
            Some(Bound::Here(known)) if known.kind == SymbolKind::Function && known.typing == typing => {
                join_overload(known, item, overload);
            }
            _ => module.bind(&def.name, Bound::Here(item)),
        }
    }

    fn variable(
        &mut self,
        name: &str,
        annotated: Option<&Expr>,
        value: Option<&Expr>,
        (rest, typing): (&[Stmt], bool),
        module: &mut DocumentedModule,
    ) {
        if name == "__all__" {
            module.all = value.and_then(|value| self.lists.steps(value));
            self.remember_all(module);
            return;
        }
        if let Some(steps) = value.and_then(|value| self.lists.steps(value)) {
            self.lists.lists.insert(name.to_owned(), steps);
        }
        if let Some(table) = value.and_then(|value| self.lazy_import_table(value)) {
            self.tables.insert(name.to_owned(), table);
        }
        if !is_public(name) && !module.stub && value.is_none() {
            return;
        }
        let shown = value.map(|value| clip(&squeeze(slice(self.source, value)), VALUE));
        let (kind, signature) = match (annotated.map(|found| annotation(self.source, found)), shown) {
            (Some(typed), Some(value)) if typed.ends_with("TypeAlias") => {
                (SymbolKind::TypeAlias, format!("{name} = {value}"))
            }
            (Some(typed), Some(value)) => (SymbolKind::Variable, format!("{name}: {typed} = {value}")),
            (Some(typed), None) => (SymbolKind::Variable, format!("{name}: {typed}")),
            (None, Some(value)) if value.starts_with("Union[") || value.starts_with("Optional[") => {
                (SymbolKind::TypeAlias, format!("{name} = {value}"))
            }
            (None, Some(value)) => (SymbolKind::Variable, format!("{name} = {value}")),
            (None, None) => (SymbolKind::Variable, name.to_owned()),
        };
        let line = value.map_or(1, |value| self.line_of(value));
        let mut item = PythonItem::new(kind, signature, line);
        item.doc = docstring(rest).map(|text| Doc::parse_doc(&text)).unwrap_or_default();
        item.typing = typing;
        module.bind(name, Bound::Here(item));
    }

    /// Lets later lists build on `__all__`.
    fn remember_all(&mut self, module: &DocumentedModule) {
        if let Some(steps) = &module.all {
            self.lists.lists.insert("__all__".to_owned(), steps.clone());
        }
    }

    /// `__all__ += …`: what cannot be followed adds nothing.
    fn extend_all(&mut self, value: Option<&Expr>, module: &mut DocumentedModule) {
        if let (Some(all), Some(steps)) = (&mut module.all, value.and_then(|value| self.lists.steps(value))) {
            all.extend(steps);
        }
        self.remember_all(module);
    }

    /// `__all__.extend(…)`, `.append(…)`, `.remove(…)`.
    fn call_on_all(&mut self, expr: &Expr, module: &mut DocumentedModule) {
        let Expr::Call(call) = expr else { return };
        self.call_that_spreads(call, module);
        let Expr::Attribute(method) = &*call.func else { return };
        if !is_dunder_all(&method.value) {
            return;
        }
        let argument = call.arguments.args.first();
        let text = argument.and_then(Expr::as_string_literal_expr).map(|text| text.value.to_str().to_owned());
        match (method.attr.as_str(), text) {
            ("extend", _) => self.extend_all(argument, module),
            ("append", Some(name)) => module.all.iter_mut().for_each(|all| all.push(All::Names(vec![name.clone()]))),
            ("remove", Some(name)) => module.all.iter_mut().for_each(|all| all.push(All::Without(name.clone()))),
            _ => {}
        }
        self.remember_all(module);
    }
}

/// Whether the body of an `if` runs.
enum BranchCondition {
    Always,
    Never,
    Typing,
    Unknown,
}

fn branch_condition(test: &Expr) -> BranchCondition {
    match test {
        Expr::Name(_) | Expr::Attribute(_) if last_name(test) == Some("TYPE_CHECKING") => BranchCondition::Typing,
        Expr::UnaryOp(not) if matches!(not.op, ruff_python_ast::UnaryOp::Not) => match branch_condition(&not.operand) {
            BranchCondition::Always | BranchCondition::Typing if last_name(&not.operand) == Some("TYPE_CHECKING") => {
                BranchCondition::Always
            }
            BranchCondition::Always => BranchCondition::Never,
            BranchCondition::Never => BranchCondition::Always,
            _ => BranchCondition::Unknown,
        },
        Expr::BooleanLiteral(literal) => {
            if literal.value {
                BranchCondition::Always
            } else {
                BranchCondition::Never
            }
        }
        Expr::Compare(compare) if dotted_name(&compare.left).as_deref() == Some("sys.version_info") => {
            let asked = match &compare.comparators[..] {
                [Expr::Tuple(tuple)] => tuple.elts.iter().map(integer_literal).collect::<Option<Vec<i64>>>(),
                _ => None,
            };
            match (asked, &compare.ops[..]) {
                (Some(asked), [op]) => by_version(&asked, *op),
                _ => BranchCondition::Unknown,
            }
        }
        _ => BranchCondition::Unknown,
    }
}

fn by_version(asked: &[i64], op: ruff_python_ast::CmpOp) -> BranchCondition {
    use ruff_python_ast::CmpOp;
    let holds = match op {
        CmpOp::GtE => &VERSION[..] >= asked,
        CmpOp::Gt => &VERSION[..] > asked,
        CmpOp::Lt => &VERSION[..] < asked,
        CmpOp::LtE => &VERSION[..] <= asked,
        _ => return BranchCondition::Unknown,
    };
    if holds { BranchCondition::Always } else { BranchCondition::Never }
}

fn integer_literal(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::NumberLiteral(number) => match &number.value {
            ruff_python_ast::Number::Int(value) => value.as_i64(),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn is_dunder_all(expr: &Expr) -> bool {
    matches!(expr, Expr::Name(name) if name.id.as_str() == "__all__")
}

/// The names an assignment binds.
fn names(target: &Expr) -> Vec<(&str, &Expr)> {
    match target {
        Expr::Name(name) => vec![(name.id.as_str(), target)],
        Expr::Tuple(tuple) => tuple.elts.iter().flat_map(names).collect(),
        Expr::List(list) => list.elts.iter().flat_map(names).collect(),
        _ => Vec::new(),
    }
}

/// The text a body begins with, when it begins with one.
pub(super) fn docstring(body: &[Stmt]) -> Option<String> {
    let Some(Stmt::Expr(first)) = body.first() else { return None };
    let text: &ExprStringLiteral = first.value.as_string_literal_expr()?;
    Some(text.value.to_str().to_owned())
}
