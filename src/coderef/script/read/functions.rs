//! Functions: noted when they are first met, filled in, read when the visitor comes to them.

use oxc_ast::ast::{
    ArrowFunctionExpression, BindingPattern, FormalParameters, Function as Node, TSTypeParameterDeclaration,
};
use oxc_span::Span;

use super::reader::{ScriptFactsReader, This};
use crate::script::facts::{Declaration, Expr, ExprId, Function, FunctionId, SymbolId, TypeId};

impl<'a> ScriptFactsReader<'a, '_> {
    /// The function of a node; noted and filled in once.
    pub(super) fn read_function(&mut self, node: &Node<'a>) -> FunctionId {
        if let Some(&id) = self.seen_functions.get(&node.span) {
            return id;
        }
        let id = self.new_function(node.span);
        // Its types may say `this`.
        let this = self.receivers.get(&node.span).copied().unwrap_or(This::Function(id));
        self.this.push(this);
        let declared = node.this_param.as_ref().and_then(|this| this.type_annotation.as_deref());
        let declared = self.read_annotation(declared);
        self.read_function_head(id, node.span, node.type_parameters.as_deref(), &node.params);
        let result = self.read_annotation(node.return_type.as_deref());
        let (documented, documented_this) = self.documented_result(node.span);
        let context = self.documented_type(node.span);
        let result = if result == 0 { documented } else { result };
        let declared = if declared == 0 { documented_this } else { declared };
        self.this.pop();
        if let Some(function) = self.function_mut(id) {
            function.result = result;
            function.this = declared;
            function.context = context;
            function.asynchronous = node.r#async;
            function.generator = node.generator;
            function.signature = node.body.is_none();
        }
        id
    }

    pub(super) fn read_arrow_function(&mut self, node: &ArrowFunctionExpression<'a>) -> FunctionId {
        if let Some(&id) = self.seen_functions.get(&node.span) {
            return id;
        }
        let id = self.new_function(node.span);
        self.read_function_head(id, node.span, node.type_parameters.as_deref(), &node.params);
        let result = self.read_annotation(node.return_type.as_deref());
        let result = if result == 0 { self.documented_result(node.span).0 } else { result };
        let context = self.documented_type(node.span);
        let value = self.arrow_value(&node.body);
        if let Some(function) = self.function_mut(id) {
            function.result = result;
            function.asynchronous = node.r#async;
            function.context = context;
            function.returns.extend(value);
        }
        id
    }

    fn new_function(&mut self, span: Span) -> FunctionId {
        let id = self.push_function(Function::default());
        self.seen_functions.insert(span, id);
        id
    }

    fn read_function_head(
        &mut self,
        id: FunctionId,
        span: Span,
        types: Option<&TSTypeParameterDeclaration<'a>>,
        nodes: &FormalParameters<'a>,
    ) {
        let mut type_parameters = self.type_parameters(types);
        type_parameters.extend(self.documented_templates(span));
        let mut parameters = self.parameter_types(nodes);
        self.documented_parameters(span, nodes, &mut parameters);
        let declared: Vec<TypeId> = parameters.iter().map(|parameter| parameter.ty).collect();
        if let Some(function) = self.function_mut(id) {
            function.type_parameters = type_parameters;
            function.parameters = parameters;
        }
        for (index, (node, ty)) in (0..).zip(nodes.items.iter().zip(&declared)) {
            let value = node.initializer.as_ref().map_or(0, |value| self.expr_in(value, *ty));
            let declaration = Declaration::Parameter { ty: *ty, value, function: id, index, rest: false };
            self.declare_pattern(&node.pattern, declaration);
        }
        if let Some(rest) = &nodes.rest {
            let index = u32::try_from(nodes.items.len()).unwrap_or(u32::MAX);
            let ty = declared.last().copied().unwrap_or(0);
            let declaration = Declaration::Parameter { ty, value: 0, function: id, index, rest: true };
            self.declare_pattern(&rest.rest.argument, declaration);
        }
    }

    /// Declares the names of a pattern.
    pub(super) fn declare_pattern(&mut self, pattern: &BindingPattern<'a>, declaration: Declaration) {
        match pattern {
            BindingPattern::BindingIdentifier(id) => {
                if let Some(symbol) = self.declared_symbol(id) {
                    self.declare(symbol, declaration);
                }
            }
            BindingPattern::AssignmentPattern(it) => self.declare_pattern(&it.left, declaration),
            BindingPattern::ObjectPattern(it) => {
                let whole = self.destructured_value(declaration);
                for property in &it.properties {
                    let value = match property.key.static_name() {
                        Some(name) => self.push_expr(Expr::Member(whole, name.into_owned())),
                        None => 0,
                    };
                    self.declare_pattern(&property.value, Declaration::Variable { ty: 0, value });
                }
                if let Some(rest) = &it.rest {
                    let value = self.push_expr(Expr::Rest(whole));
                    self.declare_pattern(&rest.argument, Declaration::Variable { ty: 0, value });
                }
            }
            BindingPattern::ArrayPattern(it) => {
                let whole = self.destructured_value(declaration);
                for (index, item) in (0..).zip(&it.elements) {
                    let Some(item) = item else { continue };
                    let value = self.push_expr(Expr::Index(whole, Some(index)));
                    self.declare_pattern(item, Declaration::Variable { ty: 0, value });
                }
                if let Some(rest) = &it.rest {
                    self.declare_pattern(&rest.argument, Declaration::Variable { ty: 0, value: whole });
                }
            }
        }
    }

    /// The value that a pattern takes apart.
    fn destructured_value(&mut self, declaration: Declaration) -> ExprId {
        match declaration {
            Declaration::Variable { ty: 0, value } => value,
            other => {
                let symbol: SymbolId = self.hidden(other);
                self.push_expr(Expr::Symbol(symbol))
            }
        }
    }
}
