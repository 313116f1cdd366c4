//! Calls, `new`, and what is asked of other modules.

use oxc_ast::ast::{Argument, CallExpression, Expression, NewExpression};
use oxc_span::{GetSpan, Span};

use super::exprs::strip_expression_wrappers;
use super::reader::ScriptFactsReader;
use crate::script::facts::{CallSite, Expr, ExprId, ImportKind, ScriptImport, Type};

/// Most characters of a callee's text.
const MAX_TEXT: usize = 80;

impl<'a> ScriptFactsReader<'a, '_> {
    pub(super) fn read_call(&mut self, call: &CallExpression<'a>) -> ExprId {
        if let Some(&id) = self.seen_exprs.get(&call.span) {
            return id;
        }
        if let Some(module) = self.read_require_call(call) {
            self.seen_exprs.insert(call.span, module);
            return module;
        }
        // The callee of `f()()` is a call whose own span begins at the same place but ends earlier.
        let callee = self.read_expr(&call.callee);
        let types = self.arguments_of(call.type_arguments.as_deref());
        let id = self.push_expr(Expr::Call { callee, arguments: Vec::new(), types });
        self.seen_exprs.insert(call.span, id);
        let arguments = self.read_arguments(id, &call.arguments);
        if let Some(Expr::Call { arguments: place, .. }) = self.facts.exprs.get_mut(id as usize) {
            *place = arguments;
        }
        id
    }

    pub(super) fn new_call(&mut self, new: &NewExpression<'a>) -> ExprId {
        if let Some(&id) = self.seen_exprs.get(&new.span) {
            return id;
        }
        let callee = self.read_expr(&new.callee);
        let types = self.arguments_of(new.type_arguments.as_deref());
        let id = self.push_expr(Expr::New { callee, arguments: Vec::new(), types });
        self.seen_exprs.insert(new.span, id);
        let arguments = self.read_arguments(id, &new.arguments);
        if let Some(Expr::New { arguments: place, .. }) = self.facts.exprs.get_mut(id as usize) {
            *place = arguments;
        }
        id
    }

    fn read_arguments(&mut self, call: ExprId, nodes: &[Argument<'a>]) -> Vec<ExprId> {
        let mut found = Vec::with_capacity(nodes.len());
        for (index, node) in (0..).zip(nodes) {
            found.push(self.read_argument(node));
            if let Some(expression) = node.as_expression()
                && wants_context(expression)
            {
                let context = self.push_type(Type::Argument(call, index));
                self.give_context(expression, context);
            }
        }
        found
    }

    /// The module of `require("…")`.
    fn read_require_call(&mut self, call: &CallExpression<'a>) -> Option<ExprId> {
        if !self.is_global(&call.callee, "require") {
            return None;
        }
        let [Argument::StringLiteral(name)] = call.arguments.as_slice() else { return None };
        let import = self.add_module_request(Some(name.value.to_string()), ImportKind::Require, call.span);
        Some(self.push_expr(Expr::Module(import)))
    }

    /// Notes that the file asks for a module.
    pub(super) fn add_module_request(&mut self, specifier: Option<String>, kind: ImportKind, span: Span) -> u32 {
        let at = self.at(self.docs.current_offset().unwrap_or(span.start));
        let from = self.holder();
        self.facts.imports.push(ScriptImport { specifier, kind, type_only: false, names: Vec::new(), at, from });
        u32::try_from(self.facts.imports.len() - 1).unwrap_or(u32::MAX)
    }

    /// Notes a call where it stands.
    pub(super) fn call_site(&mut self, expr: ExprId, callee: &Expression<'a>) {
        if matches!(self.facts.exprs.get(expr as usize), None | Some(Expr::Module(_))) {
            return;
        }
        let callee = strip_expression_wrappers(callee);
        let name = match callee {
            Expression::StaticMemberExpression(it) => it.property.span,
            Expression::PrivateFieldExpression(it) => it.field.span,
            Expression::ComputedMemberExpression(it) => it.expression.span(),
            other => other.span(),
        };
        let text = self.text.text_in_span(callee.span());
        let text = if text.len() > MAX_TEXT || text.contains('\n') { self.text.text_in_span(name) } else { text };
        let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_TEXT).collect();
        // The second call of `f()()` begins where the first one does; it is told by where the first one ends.
        let start = if matches!(callee, Expression::CallExpression(_)) { name.end } else { name.start };
        let at = self.at(start);
        let from = self.holder();
        self.facts.calls.push(CallSite { from, expr, at, text });
    }
}

/// Function and object literals take types from the place they stand in.
fn wants_context(expression: &Expression<'_>) -> bool {
    matches!(
        strip_expression_wrappers(expression),
        Expression::ArrowFunctionExpression(_)
            | Expression::FunctionExpression(_)
            | Expression::ObjectExpression(_)
            | Expression::ConditionalExpression(_)
            | Expression::LogicalExpression(_)
    )
}
