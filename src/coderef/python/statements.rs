//! Definitions, assignments and imports: the statements that bind names.

use ruff_python_ast::visitor::Visitor;
use ruff_python_ast::{Expr, ExprCall, Stmt, StmtClassDef, StmtFunctionDef, StmtImport, StmtImportFrom};
use ruff_text_size::{Ranged as _, TextSize};

use super::facts::{
    Base, Bound, Function, Imported, PythonClass, PythonImport, PythonImportForm, Receiver, ScopeKind, Value,
};
use super::generator::yields;
use super::values::{annotation, value_of_expr};
use super::walk::PythonFileWalker;
use tapps_syntax::python::names::{dotted_name, last_name};

/// Decorators after which a call gives what the function gives.
const TRANSPARENT: [&str; 14] = [
    "abstractmethod",
    "cache",
    "cached_property",
    "classmethod",
    "deprecated",
    "final",
    "getter",
    "lru_cache",
    "overload",
    "override",
    "property",
    "setter",
    "staticmethod",
    "wraps",
];

impl<'a> PythonFileWalker<'a> {
    pub(super) fn walk_function(&mut self, def: &'a StmtFunctionDef) {
        for decorator in &def.decorator_list {
            if !matches!(decorator.expression, Expr::Call(_)) {
                self.add_call(&decorator.expression);
            }
            self.visit_expr(&decorator.expression);
        }
        for parameter in def.parameters.iter_non_variadic_params() {
            if let Some(default) = &parameter.default {
                self.visit_expr(default);
            }
        }
        let generator = yields(&def.body);
        let element = self.add_function(def, generator);
        let scope = self.open_scope(ScopeKind::Function, Some(element), def.name.as_str());
        let receiver = self.receiver(def);
        let decorated = |names: &[&str]| {
            def.decorator_list.iter().any(|d| last_name(&d.expression).is_some_and(|name| names.contains(&name)))
        };
        let function = Function {
            returns: def.returns.as_ref().map(|returns| annotation(returns, self.block)),
            results: Vec::new(),
            receiver,
            generator,
            property: decorated(&["property", "cached_property", "abstractproperty"]),
            stands_in: decorated(&["wraps"]),
            wrapped: def
                .decorator_list
                .iter()
                .any(|d| last_name(&d.expression).is_none_or(|name| TRANSPARENT.binary_search(&name).is_err())),
        };
        if let Some(scope) = self.facts.scopes.get_mut(scope as usize) {
            scope.function = Some(Box::new(function));
        }
        self.bind_name(def.name.as_str(), def.name.start(), Bound::Def(scope));
        let (outer_scope, outer_element) = (self.scope, self.element.replace(element));
        self.walk_inside_scope(scope, |walk| {
            walk.parameters(def, outer_scope, receiver);
            walk.visit_body(&def.body);
        });
        self.element = outer_element;
    }

    fn receiver(&self, def: &StmtFunctionDef) -> Receiver {
        let decorated = |name: &str| def.decorator_list.iter().any(|d| last_name(&d.expression) == Some(name));
        match def.name.as_str() {
            _ if !self.in_class() || decorated("staticmethod") => Receiver::None,
            "__new__" | "__init_subclass__" | "__class_getitem__" => Receiver::Class,
            _ if decorated("classmethod") => Receiver::Class,
            _ => Receiver::Instance,
        }
    }

    fn parameters(&mut self, def: &StmtFunctionDef, outer: u32, receiver: Receiver) {
        let parameters = &def.parameters;
        let mut first = receiver != Receiver::None;
        for each in parameters.posonlyargs.iter().chain(&parameters.args).chain(&parameters.kwonlyargs) {
            let name = &each.parameter.name;
            let declared = each.parameter.annotation.as_ref();
            let to = match declared {
                _ if std::mem::take(&mut first) => Bound::Receiver(outer, receiver),
                Some(declared) => Bound::Typed(outer, annotation(declared, self.block)),
                None => Bound::Unknown,
            };
            self.bind_name(name.as_str(), name.start(), to);
        }
        for (each, kind) in [(&parameters.vararg, "tuple"), (&parameters.kwarg, "dict")] {
            if let Some(each) = each {
                let to = Bound::Value(outer, Value::Builtin(kind.to_owned()));
                self.bind_name(each.name.as_str(), each.name.start(), to);
            }
        }
    }

    pub(super) fn walk_class(&mut self, def: &'a StmtClassDef) {
        for decorator in &def.decorator_list {
            if !matches!(decorator.expression, Expr::Call(_)) {
                self.add_call(&decorator.expression);
            }
            self.visit_expr(&decorator.expression);
        }
        let mut class = PythonClass::default();
        if let Some(arguments) = &def.arguments {
            self.visit_arguments(arguments);
            for base in &arguments.args {
                let base = if let Expr::Subscript(node) = base { &*node.value } else { base };
                class
                    .bases
                    .push(Base { value: value_of_expr(base, self.block), place: self.position_at(base.start()) });
            }
            class.metaclass =
                arguments.find_keyword("metaclass").map(|keyword| value_of_expr(&keyword.value, self.block));
        }
        let element = self.add_class(def);
        let scope = self.open_scope(ScopeKind::Class, Some(element), def.name.as_str());
        if let Some(scope) = self.facts.scopes.get_mut(scope as usize) {
            scope.class = Some(Box::new(class));
        }
        self.bind_name(def.name.as_str(), def.name.start(), Bound::Def(scope));
        let outer = self.element.replace(element);
        self.walk_inside_scope(scope, |walk| walk.visit_body(&def.body));
        self.element = outer;
    }

    pub(super) fn walk_assignment(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Assign(node) => {
                self.visit_expr(&node.value);
                for target in &node.targets {
                    self.visit_expr(target);
                    self.add_variable(target, stmt, None, Some(&node.value));
                    self.bind(
                        target,
                        &Bound::Value(self.scope, value_of_expr(&node.value, self.block)),
                        Some(&node.value),
                    );
                    self.read_all(target, &node.value);
                }
            }
            Stmt::AnnAssign(node) => {
                node.value.iter().for_each(|value| self.visit_expr(value));
                self.add_variable(&node.target, stmt, Some(&node.annotation), node.value.as_deref());
                let alias = last_name(&node.annotation) == Some("TypeAlias");
                let to = match &node.value {
                    Some(source) if alias => Bound::Value(self.scope, value_of_expr(source, self.block)),
                    _ => Bound::Typed(self.scope, annotation(&node.annotation, self.block)),
                };
                self.bind(&node.target, &to, None);
                if let Some(value) = &node.value {
                    self.read_all(&node.target, value);
                }
            }
            Stmt::AugAssign(node) => {
                self.visit_expr(&node.value);
                self.visit_expr(&node.target);
                self.read_all(&node.target, &node.value);
            }
            Stmt::TypeAlias(node) => {
                self.add_variable(&node.name, stmt, None, Some(&node.value));
                self.bind(&node.name, &Bound::Value(self.scope, annotation(&node.value, self.block)), None);
            }
            _ => {}
        }
    }

    /// Adds the texts of a list to `__all__`.
    fn read_all(&mut self, target: &Expr, source: &Expr) {
        if self.scope != 0 || !matches!(target, Expr::Name(name) if name.id.as_str() == "__all__") {
            return;
        }
        let mut left = vec![source];
        let all = self.facts.all.get_or_insert_default();
        while let Some(expr) = left.pop() {
            match expr {
                Expr::List(node) => left.extend(&node.elts),
                Expr::Tuple(node) => left.extend(&node.elts),
                Expr::BinOp(node) => left.extend([&*node.left, &*node.right]),
                Expr::StringLiteral(text) => all.push(text.value.to_str().to_owned()),
                _ => {}
            }
        }
    }

    pub(super) fn walk_import(&mut self, node: &StmtImport) {
        for alias in &node.names {
            let module = alias.name.to_string();
            let bound = match &alias.asname {
                Some(name) => name.to_string(),
                None => module.split('.').next().unwrap_or_default().to_owned(),
            };
            let place = self.position_at(alias.name.start());
            let name = Imported { name: String::new(), bound, renamed: alias.asname.is_some(), place };
            self.add_import(0, module, PythonImportForm::Plain, vec![name], alias.start());
        }
    }

    pub(super) fn import_from(&mut self, node: &StmtImportFrom) {
        let module = node.module.as_ref().map(ToString::to_string).unwrap_or_default();
        if node.names.iter().any(|alias| alias.name.as_str() == "*") {
            self.add_import(node.level, module, PythonImportForm::Star, Vec::new(), node.start());
            return;
        }
        let imported = |walk: &Self, alias: &ruff_python_ast::Alias| Imported {
            name: alias.name.to_string(),
            bound: alias.asname.as_ref().unwrap_or(&alias.name).to_string(),
            renamed: alias.asname.is_some(),
            place: walk.position_at(alias.name.start()),
        };
        let names = node.names.iter().map(|alias| imported(self, alias)).collect();
        self.add_import(node.level, module, PythonImportForm::From, names, node.start());
    }

    /// `importlib.import_module("a.b")` with a text that does not depend on where it stands.
    pub(super) fn import_by_call(&mut self, node: &ExprCall) {
        let name = dotted_name(&node.func);
        let imports = matches!(name.as_deref(), Some("importlib.import_module" | "import_module" | "__import__"));
        if let (true, Some(Expr::StringLiteral(text))) = (imports, node.arguments.args.first())
            && !text.value.to_str().starts_with('.')
        {
            self.add_import(0, text.value.to_str().to_owned(), PythonImportForm::Call, Vec::new(), node.start());
        }
    }

    fn add_import(&mut self, level: u32, module: String, form: PythonImportForm, names: Vec<Imported>, at: TextSize) {
        let id = u32::try_from(self.facts.imports.len()).unwrap_or(u32::MAX);
        for (position, name) in names.iter().enumerate() {
            let to = Bound::Import(id, u32::try_from(position).unwrap_or(u32::MAX));
            self.bind_name(&name.bound.clone(), at, to);
        }
        let (scope, place, type_only) = (self.scope, self.position_at(at), self.type_only);
        self.facts.imports.push(PythonImport { level, module, form, names, scope, place, type_only });
    }
}
