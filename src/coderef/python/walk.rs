//! One walk over a Python file: its elements, its scopes and what they bind, its imports and calls.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Comprehension, ExceptHandler, Expr, Pattern, Stmt, StmtIf, StmtTry};
use ruff_text_size::{Ranged as _, TextSize};

use super::attributes::Assigned;
use super::facts::{
    Binding, BlockPosition, Bound, NameBindings, PythonCall, PythonFacts, PythonScope, ScopeId, ScopeKind, Value,
};
use super::head::TokenizedCode;
use super::values::{annotation, value_of_expr};
use super::word::PythonName;
use crate::model::{Element, ElementKind};
use tapps_syntax::python::complexity::{Complexity, ComplexityNode};
use tapps_syntax::python::lines::SourceLines;
use tapps_syntax::python::names::dotted_name;

/// Complexity of one function.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PythonFunctionComplexity {
    pub(super) own: u32,
    pub(super) total: u32,
    pub(super) nesting: u32,
}

pub(super) struct PythonFileWalker<'a> {
    pub(super) code: TokenizedCode<'a>,
    pub(super) lines: &'a SourceLines<'a>,
    /// Bytes of a byte order mark before the text.
    pub(super) shift: u32,
    /// By the offset of `def`.
    pub(super) metrics: BTreeMap<TextSize, PythonFunctionComplexity>,
    pub(super) elements: Vec<Element>,
    pub(super) facts: PythonFacts,
    pub(super) scope: ScopeId,
    pub(super) block: u32,
    /// What the code at hand is written in.
    pub(super) element: Option<u32>,
    pub(super) taken: HashMap<(ElementKind, String), u32>,
    /// Whether something holds an element of a name; the last of them that is a function.
    pub(super) known: HashMap<(Option<u32>, PythonName), Option<u32>>,
    /// Assignments to attributes of names.
    pub(super) assigned: Vec<Assigned>,
    pub(super) type_only: bool,
    /// Where the names of the assignment at hand begin to mean something.
    pub(super) bound_at: Option<TextSize>,
}

/// The complexity of every function of a module.
pub(super) fn complexity_by_offset(found: &Complexity) -> BTreeMap<TextSize, PythonFunctionComplexity> {
    fn total(node: &ComplexityNode) -> u32 {
        node.complexity
            + node.functions.iter().chain(&node.classes).map(|inner| total(inner).saturating_sub(1)).sum::<u32>()
    }
    fn collect_complexities(into: &mut BTreeMap<TextSize, PythonFunctionComplexity>, nodes: &[ComplexityNode]) {
        for node in nodes {
            into.insert(
                node.start,
                PythonFunctionComplexity { own: node.complexity, total: total(node), nesting: node.nesting },
            );
            collect_complexities(into, &node.functions);
            collect_complexities(into, &node.classes);
        }
    }
    let mut by_start = BTreeMap::new();
    collect_complexities(&mut by_start, &found.functions);
    collect_complexities(&mut by_start, &found.classes);
    by_start
}

impl<'a> PythonFileWalker<'a> {
    pub(super) fn new(
        code: TokenizedCode<'a>,
        lines: &'a SourceLines<'a>,
        shift: u32,
        metrics: BTreeMap<TextSize, PythonFunctionComplexity>,
    ) -> Self {
        let mut walk = PythonFileWalker {
            code,
            lines,
            shift,
            metrics,
            elements: Vec::new(),
            facts: PythonFacts::default(),
            scope: 0,
            block: 0,
            element: None,
            taken: HashMap::new(),
            known: HashMap::new(),
            assigned: Vec::new(),
            type_only: false,
            bound_at: None,
        };
        walk.open_scope(ScopeKind::Module, None, "");
        walk
    }

    pub(super) fn position_at(&self, at: TextSize) -> BlockPosition {
        BlockPosition { at: u32::from(at), block: self.block, line: self.lines.line(at), column: self.lines.column(at) }
    }

    /// A scope inside the one at hand.
    pub(super) fn open_scope(&mut self, kind: ScopeKind, element: Option<u32>, name: &str) -> ScopeId {
        let block = u32::try_from(self.facts.blocks.len()).unwrap_or(u32::MAX);
        // A function runs later; the inside of a class or a comprehension runs where it stands.
        let inline = matches!(kind, ScopeKind::Class | ScopeKind::Expression);
        self.facts.blocks.push(if inline { self.block } else { block });
        let id = u32::try_from(self.facts.scopes.len()).unwrap_or(u32::MAX);
        self.facts.scopes.push(PythonScope {
            kind,
            parent: self.scope,
            element,
            name: name.to_owned(),
            block,
            names: NameBindings::default(),
            globals: BTreeSet::new(),
            class: None,
            function: None,
        });
        id
    }

    /// Walks the inside of a scope.
    pub(super) fn walk_inside_scope(&mut self, scope: ScopeId, work: impl FnOnce(&mut Self)) {
        let block = self.facts.scopes.get(scope as usize).map_or(0, |scope| scope.block);
        let outer = (self.scope, self.block);
        (self.scope, self.block) = (scope, block);
        work(self);
        (self.scope, self.block) = outer;
    }

    /// Walks what runs only sometimes.
    fn walk_conditional(&mut self, work: impl FnOnce(&mut Self)) {
        let outer = self.block;
        self.block = self.fresh_block();
        work(self);
        self.block = outer;
    }

    /// Walks what may run several times.
    fn walk_loop_body(&mut self, work: impl FnOnce(&mut Self)) {
        self.walk_conditional(|walk| {
            walk.facts.loops.push(walk.block);
            work(walk);
        });
    }

    fn fresh_block(&mut self) -> u32 {
        self.facts.blocks.push(self.block);
        u32::try_from(self.facts.blocks.len() - 1).unwrap_or(u32::MAX)
    }

    pub(super) fn current(&self) -> Option<&PythonScope> {
        self.facts.scopes.get(self.scope as usize)
    }

    pub(super) fn in_class(&self) -> bool {
        self.current().is_some_and(|scope| scope.kind == ScopeKind::Class)
    }

    pub(super) fn holds_variables(&self) -> bool {
        self.current().is_some_and(|scope| matches!(scope.kind, ScopeKind::Module | ScopeKind::Class))
    }

    /// Binds a name in the scope at hand, or where `global` and `nonlocal` say.
    pub(super) fn bind_name(&mut self, name: &str, at: TextSize, to: Bound) {
        let mut place = self.position_at(at);
        if let Some(end) = self.bound_at {
            place.at = u32::from(end);
        }
        let mut scope = self.scope;
        if self
            .current()
            .is_some_and(|scope| !scope.globals.is_empty() && scope.globals.contains(&PythonName::from(name)))
        {
            scope = 0;
            place.block = self.fresh_block();
        }
        if let Some(scope) = self.facts.scopes.get_mut(scope as usize) {
            scope.names.bind(name, Binding { place, to });
        }
    }

    /// Binds whatever a target names; tuples are taken apart when the value is one.
    pub(super) fn bind(&mut self, target: &Expr, to: &Bound, source: Option<&Expr>) {
        match target {
            Expr::Name(name) => self.bind_name(name.id.as_str(), name.start(), to.clone()),
            Expr::Attribute(node) => {
                if let Expr::Name(on) = &*node.value {
                    let mut place = self.position_at(node.attr.start());
                    place.at = u32::from(self.bound_at.unwrap_or(node.end()));
                    self.assigned.push(Assigned {
                        scope: self.scope,
                        on: (&on.id).into(),
                        attribute: (&node.attr.id).into(),
                        binding: Binding { place, to: to.clone() },
                    });
                }
            }
            Expr::Tuple(_) | Expr::List(_) => self.unpack(sequence_elements(target), source),
            Expr::Starred(node) => {
                self.bind(&node.value, &Bound::Value(self.scope, Value::Builtin("list".into())), None)
            }
            _ => {}
        }
    }

    fn unpack(&mut self, targets: &[Expr], source: Option<&Expr>) {
        let sources = source.map(sequence_elements).filter(|sources| {
            sources.len() == targets.len() && !sources.iter().chain(targets).any(Expr::is_starred_expr)
        });
        for (at, target) in targets.iter().enumerate() {
            match sources.and_then(|sources| sources.get(at)) {
                Some(source) => {
                    self.bind(target, &Bound::Value(self.scope, value_of_expr(source, self.block)), Some(source))
                }
                None => self.bind(target, &Bound::Unknown, None),
            }
        }
    }

    /// Notes a call of what `callee` means.
    pub(super) fn add_call(&mut self, callee: &Expr) {
        let at = match callee {
            Expr::Attribute(node) => node.attr.start(),
            other => other.start(),
        };
        let call = PythonCall {
            scope: self.scope,
            element: self.element,
            callee: value_of_expr(callee, self.block),
            place: self.position_at(at),
        };
        self.facts.calls.push(call);
    }

    fn walk_if(&mut self, node: &'a StmtIf) {
        self.visit_expr(&node.test);
        let outer = self.type_only;
        let name = dotted_name(&node.test);
        self.type_only |= name.is_some_and(|name| name.rsplit('.').next() == Some("TYPE_CHECKING"));
        self.walk_conditional(|walk| {
            walk.narrow(&node.test);
            walk.visit_body(&node.body);
        });
        self.type_only = outer;
        for clause in &node.elif_else_clauses {
            if let Some(test) = &clause.test {
                self.visit_expr(test);
            }
            self.walk_conditional(|walk| {
                if let Some(test) = &clause.test {
                    walk.narrow(test);
                }
                walk.visit_body(&clause.body);
            });
        }
    }

    /// Binds the names that a true test shows to be instances of a class.
    fn narrow(&mut self, test: &Expr) {
        match test {
            Expr::BoolOp(node) if node.op.is_and() => node.values.iter().for_each(|each| self.narrow(each)),
            Expr::Call(node) if dotted_name(&node.func).as_deref() == Some("isinstance") => {
                if let [Expr::Name(name), class] = &*node.arguments.args {
                    let to = Bound::Typed(self.scope, annotation(class, self.block));
                    self.bind_name(name.id.as_str(), node.end(), to);
                }
            }
            _ => {}
        }
    }

    fn walk_try(&mut self, node: &'a StmtTry) {
        self.walk_conditional(|walk| walk.visit_body(&node.body));
        for ExceptHandler::ExceptHandler(handler) in &node.handlers {
            if let Some(kind) = &handler.type_ {
                self.visit_expr(kind);
            }
            self.walk_conditional(|walk| {
                if let Some(name) = &handler.name {
                    let kind = handler.type_.as_ref().map_or(Value::Unknown, |kind| annotation(kind, walk.block));
                    walk.bind_name(name.as_str(), name.start(), Bound::Typed(walk.scope, kind));
                }
                walk.visit_body(&handler.body);
            });
        }
        self.walk_conditional(|walk| walk.visit_body(&node.orelse));
        self.visit_body(&node.finalbody);
    }

    fn walk_comprehension(&mut self, generators: &'a [Comprehension], results: &[&'a Expr]) {
        let scope = self.open_scope(ScopeKind::Expression, None, "");
        self.walk_inside_scope(scope, |walk| {
            for generator in generators {
                walk.visit_expr(&generator.iter);
                walk.bind(&generator.target, &Bound::Unknown, None);
                generator.ifs.iter().for_each(|test| walk.visit_expr(test));
            }
            results.iter().for_each(|result| walk.visit_expr(result));
        });
    }
}

fn sequence_elements(expr: &Expr) -> &[Expr] {
    match expr {
        Expr::Tuple(node) => &node.elts,
        Expr::List(node) => &node.elts,
        _ => &[],
    }
}

impl<'a> Visitor<'a> for PythonFileWalker<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(def) => self.walk_function(def),
            Stmt::ClassDef(def) => self.walk_class(def),
            Stmt::Import(node) => self.walk_import(node),
            Stmt::ImportFrom(node) => self.import_from(node),
            Stmt::Assign(_) | Stmt::AnnAssign(_) | Stmt::AugAssign(_) | Stmt::TypeAlias(_) => {
                self.bound_at = Some(stmt.end());
                self.walk_assignment(stmt);
                self.bound_at = None;
            }
            Stmt::If(node) => self.walk_if(node),
            Stmt::Try(node) => self.walk_try(node),
            Stmt::For(node) => {
                self.visit_expr(&node.iter);
                self.visit_expr(&node.target);
                self.walk_loop_body(|walk| {
                    walk.bind(&node.target, &Bound::Unknown, None);
                    walk.visit_body(&node.body);
                });
                self.walk_conditional(|walk| walk.visit_body(&node.orelse));
            }
            Stmt::While(node) => {
                self.visit_expr(&node.test);
                self.walk_loop_body(|walk| walk.visit_body(&node.body));
                self.walk_conditional(|walk| walk.visit_body(&node.orelse));
            }
            Stmt::With(node) => {
                for item in &node.items {
                    self.visit_expr(&item.context_expr);
                    if let Some(target) = &item.optional_vars {
                        self.bind(
                            target,
                            &Bound::Entered(self.scope, value_of_expr(&item.context_expr, self.block)),
                            None,
                        );
                    }
                }
                self.visit_body(&node.body);
            }
            Stmt::Match(node) => {
                self.visit_expr(&node.subject);
                for case in &node.cases {
                    self.walk_conditional(|walk| visitor::walk_match_case(walk, case));
                }
            }
            Stmt::Return(node) => {
                visitor::walk_stmt(self, stmt);
                let result = node
                    .value
                    .as_ref()
                    .map(|result| (value_of_expr(result, self.block), self.position_at(result.start())));
                let scope = self.facts.scopes.get_mut(self.scope as usize);
                if let Some((result, function)) = result.zip(scope.and_then(|scope| scope.function.as_mut())) {
                    function.results.push(result);
                }
            }
            Stmt::Assert(node) => {
                visitor::walk_stmt(self, stmt);
                self.narrow(&node.test);
            }
            Stmt::Global(node) => {
                if let Some(scope) = self.facts.scopes.get_mut(self.scope as usize) {
                    scope.globals.extend(node.names.iter().map(|name| PythonName::from(&name.id)));
                }
            }
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Call(node) => {
                self.add_call(&node.func);
                self.import_by_call(node);
                visitor::walk_expr(self, expr);
            }
            Expr::Lambda(node) => {
                let scope = self.open_scope(ScopeKind::Expression, None, "");
                self.walk_inside_scope(scope, |walk| {
                    for parameter in node.parameters.iter().flat_map(|parameters| parameters.iter()) {
                        walk.bind_name(parameter.name().as_str(), parameter.name().start(), Bound::Unknown);
                    }
                    walk.visit_expr(&node.body);
                });
            }
            Expr::ListComp(node) => self.walk_comprehension(&node.generators, &[&node.elt]),
            Expr::SetComp(node) => self.walk_comprehension(&node.generators, &[&node.elt]),
            Expr::Generator(node) => self.walk_comprehension(&node.generators, &[&node.elt]),
            Expr::DictComp(node) => {
                let parts: Vec<&Expr> = node.key.iter().map(|key| &**key).chain([&*node.value]).collect();
                self.walk_comprehension(&node.generators, &parts);
            }
            Expr::Named(node) => {
                self.visit_expr(&node.value);
                self.bind(&node.target, &Bound::Value(self.scope, value_of_expr(&node.value, self.block)), None);
            }
            _ => visitor::walk_expr(self, expr),
        }
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        let name = match pattern {
            Pattern::MatchAs(node) => node.name.as_ref(),
            Pattern::MatchStar(node) => node.name.as_ref(),
            Pattern::MatchMapping(node) => node.rest.as_ref(),
            _ => None,
        };
        if let Some(name) = name {
            self.bind_name(name.as_str(), name.start(), Bound::Unknown);
        }
        visitor::walk_pattern(self, pattern);
    }

    fn visit_annotation(&mut self, _: &'a Expr) {}
}
