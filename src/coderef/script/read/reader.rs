//! What the visitor of a script remembers.

use std::collections::{HashMap, HashSet};

use oxc_ast::ast::{BindingIdentifier, IdentifierReference, Program};
use oxc_ast_visit::Visit as _;
use oxc_semantic::Scoping;
use oxc_span::Span;

use super::doc::JsDocComments;
use super::metrics::Measure;
use super::text::ProgramText;
use crate::model::{Element, ElementKind, ExportKind as Exporting};
use crate::script::facts::{
    At, Declaration, Expr, ExprId, Function, FunctionId, ObjectShape, ScriptFacts, ShapeId, Symbol, SymbolId, Type,
    TypeId,
};
use tapps_syntax::script::positions::Positions;

/// What `this` is.
#[derive(Debug, Clone, Copy)]
pub(super) enum This {
    Nothing,
    Shape(ShapeId, bool),
    Function(FunctionId),
}

/// The element whose code is being read.
#[derive(Debug, Clone)]
pub(super) struct Holder {
    pub(super) element: Option<u32>,
    /// Path of what is declared here, without the last part.
    pub(super) path: String,
}

/// How a declaration is exported, with the first byte of the statement.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outer {
    pub(super) export: Exporting,
    pub(super) start: u32,
}

pub(super) struct ScriptFactsReader<'a, 's> {
    pub(super) program: &'a Program<'a>,
    pub(super) scoping: &'s Scoping,
    pub(super) positions: &'s Positions<'s>,
    pub(super) text: ProgramText<'a>,
    pub(super) facts: ScriptFacts,
    pub(super) elements: Vec<Element>,
    pub(super) measure: Measure<'a>,
    pub(super) holders: Vec<Holder>,
    pub(super) this: Vec<This>,
    /// Functions around the visitor, innermost last.
    pub(super) functions: Vec<FunctionId>,
    /// Expressions, shapes and functions that have been noted, by their place.
    pub(super) seen_exprs: HashMap<Span, ExprId>,
    pub(super) seen_shapes: HashMap<Span, ShapeId>,
    pub(super) seen_functions: HashMap<Span, FunctionId>,
    /// Elements that begin with a function or class expression.
    pub(super) entering: HashMap<Span, u32>,
    /// Functions whose `this` is the object or class they are a member of.
    pub(super) receivers: HashMap<Span, This>,
    /// Classes and object literals around the visitor, innermost last.
    pub(super) classes: Vec<ShapeId>,
    pub(super) objects: Vec<ShapeId>,
    /// First byte of the `const`, `let` or `var` whose first variable comes next.
    pub(super) statement_start: Option<u32>,
    /// Functions to be measured: element, span of the function, parameters.
    pub(super) measured: Vec<(u32, Span, u32)>,
    pub(super) names: HashMap<(ElementKind, String), u32>,
    /// Constructors and signatures by what holds them: overloads share one element.
    pub(super) overloaded: HashMap<(Option<u32>, ElementKind, String), u32>,
    pub(super) exported: HashMap<SymbolId, Exporting>,
    /// Shapes of what is added to names after they were declared, and to what they make.
    pub(super) additions: HashMap<(SymbolId, bool), ShapeId>,
    pub(super) outer: Option<Outer>,
    /// Namespaces around the visitor.
    pub(super) spaces: Vec<ShapeId>,
    pub(super) test: bool,
    /// Elements that give JSX back.
    pub(super) markup: HashSet<u32>,
    /// Doc comments that stand for annotations.
    pub(super) docs: JsDocComments<'a>,
}

impl<'a, 's> ScriptFactsReader<'a, 's> {
    pub(super) fn new(
        program: &'a Program<'a>,
        scoping: &'s Scoping,
        positions: &'s Positions<'s>,
        docs: JsDocComments<'a>,
    ) -> Self {
        let mut facts =
            ScriptFacts { exprs: vec![Expr::Unknown], types: vec![Type::Unknown], ..ScriptFacts::default() };
        facts.symbols = scoping
            .symbol_ids()
            .map(|id| Symbol {
                name: scoping.symbol_name(id).to_owned(),
                mutated: scoping.symbol_is_mutated(id),
                ..Symbol::default()
            })
            .collect();
        Self {
            program,
            scoping,
            positions,
            text: ProgramText::new(program),
            facts,
            elements: Vec::new(),
            measure: Measure::default(),
            holders: vec![Holder { element: None, path: String::new() }],
            this: vec![This::Nothing],
            functions: Vec::new(),
            seen_exprs: HashMap::new(),
            seen_shapes: HashMap::new(),
            seen_functions: HashMap::new(),
            entering: HashMap::new(),
            receivers: HashMap::new(),
            classes: Vec::new(),
            objects: Vec::new(),
            statement_start: None,
            measured: Vec::new(),
            names: HashMap::new(),
            overloaded: HashMap::new(),
            exported: HashMap::new(),
            additions: HashMap::new(),
            outer: None,
            spaces: Vec::new(),
            test: false,
            markup: HashSet::new(),
            docs,
        }
    }

    /// Reads the program.
    pub(super) fn read_program(mut self) -> (Vec<Element>, ScriptFacts, bool) {
        self.note_exported_names();
        self.declare_docs();
        self.visit_program(self.program);
        self.export_docs();
        self.finish_elements();
        (self.elements, self.facts, self.test)
    }

    pub(super) fn at(&self, offset: u32) -> At {
        self.positions.line_and_column(offset)
    }

    pub(super) fn push_expr(&mut self, expr: Expr) -> ExprId {
        push(&mut self.facts.exprs, expr)
    }

    pub(super) fn push_type(&mut self, ty: Type) -> TypeId {
        push(&mut self.facts.types, ty)
    }

    pub(super) fn push_shape(&mut self, shape: ObjectShape) -> ShapeId {
        push(&mut self.facts.shapes, shape)
    }

    pub(super) fn push_function(&mut self, function: Function) -> FunctionId {
        push(&mut self.facts.functions, function)
    }

    pub(super) fn shape_mut(&mut self, id: ShapeId) -> Option<&mut ObjectShape> {
        self.facts.shapes.get_mut(id as usize)
    }

    pub(super) fn function_mut(&mut self, id: FunctionId) -> Option<&mut Function> {
        self.facts.functions.get_mut(id as usize)
    }

    /// The symbol of a declared name.
    pub(super) fn declared_symbol(&self, id: &BindingIdentifier<'_>) -> Option<SymbolId> {
        id.symbol_id.get().and_then(|id| u32::try_from(id.index()).ok())
    }

    /// The symbol that a name refers to; `None` for globals.
    pub(super) fn referenced_symbol(&self, id: &IdentifierReference<'_>) -> Option<SymbolId> {
        let Some(reference) = id.reference_id.get() else { return self.doc_name(id) };
        let symbol = self.scoping.get_reference(reference).symbol_id()?;
        u32::try_from(symbol.index()).ok()
    }

    pub(super) fn declare(&mut self, symbol: SymbolId, declaration: Declaration) {
        if let Some(symbol) = self.facts.symbols.get_mut(symbol as usize) {
            symbol.declarations.push(declaration);
        }
    }

    pub(super) fn holder(&self) -> Option<u32> {
        self.holders.last().and_then(|holder| holder.element)
    }

    /// A fresh symbol that nothing in the text names: a destructured parameter.
    pub(super) fn hidden(&mut self, declaration: Declaration) -> SymbolId {
        let symbol = self.hidden_symbol();
        self.declare(symbol, declaration);
        symbol
    }

    /// A fresh symbol without a declaration.
    pub(super) fn hidden_symbol(&mut self) -> SymbolId {
        push(&mut self.facts.symbols, Symbol::default())
    }
}

fn push<T>(into: &mut Vec<T>, value: T) -> u32 {
    into.push(value);
    u32::try_from(into.len() - 1).unwrap_or(u32::MAX)
}
