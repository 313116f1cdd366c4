//! The walk over the tree.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ArrowFunctionExpression, AssignmentExpression, AssignmentTarget, CallExpression, Class, ExportAllDeclaration,
    ExportDeclaration, ExportDefaultDeclaration, ExportFromDeclaration, ExportNamedDeclaration, Expression,
    ForOfStatement, ForStatementLeft, Function, ImportDeclaration, ImportExpression, JSXElement, JSXElementName,
    JSXFragment, MethodDefinition, NewExpression, ObjectExpression, ObjectProperty, PropertyDefinition,
    ReturnStatement, StaticBlock, TSEnumDeclaration, TSExportAssignment, TSExternalModuleDeclaration,
    TSGlobalDeclaration, TSImportEqualsDeclaration, TSInterfaceDeclaration, TSNamespaceDeclaration,
    TSTypeAliasDeclaration, VariableDeclaration, VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;
use oxc_syntax::scope::ScopeFlags;

use super::reader::{ScriptFactsReader, This};
use crate::script::facts::{CallSite, Declaration, Expr, ObjectShape, Type};

impl<'a> Visit<'a> for ScriptFactsReader<'a, '_> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        self.measure.enter(kind);
    }

    fn leave_node(&mut self, _kind: AstKind<'a>) {
        self.measure.leave();
    }

    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        self.read_import(it);
    }

    fn visit_export_from_declaration(&mut self, it: &ExportFromDeclaration<'a>) {
        self.export_from(it);
    }

    fn visit_export_all_declaration(&mut self, it: &ExportAllDeclaration<'a>) {
        self.export_all(it);
    }

    fn visit_export_named_declaration(&mut self, it: &ExportNamedDeclaration<'a>) {
        if self.spaces.is_empty() {
            self.export_named(it);
        }
    }

    fn visit_export_declaration(&mut self, it: &ExportDeclaration<'a>) {
        self.exported_declaration(it);
        walk::walk_export_declaration(self, it);
        self.outer = None;
    }

    fn visit_export_default_declaration(&mut self, it: &ExportDefaultDeclaration<'a>) {
        self.exported_default(it);
        walk::walk_export_default_declaration(self, it);
        self.outer = None;
        if self.holders.len() > 1 && self.functions.is_empty() && self.spaces.is_empty() {
            self.holders.truncate(1);
        }
    }

    fn visit_ts_export_assignment(&mut self, it: &TSExportAssignment<'a>) {
        self.facts.module = true;
        let value = self.read_expr(&it.expression);
        self.export_expr("=", value, it.span.start);
        walk::walk_ts_export_assignment(self, it);
    }

    fn visit_ts_import_equals_declaration(&mut self, it: &TSImportEqualsDeclaration<'a>) {
        self.import_equals(it);
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        // Noted when nobody else has come to it.
        if !self.seen_exprs.contains_key(&it.span) {
            let id = self.dynamic_import(it);
            self.seen_exprs.insert(it.span, id);
        }
        walk::walk_import_expression(self, it);
    }

    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        self.statement_start = Some(it.span.start);
        walk::walk_variable_declaration(self, it);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        match self.read_variable(it) {
            Some(element) => self.read_inside_element(element, |this| walk::walk_variable_declarator(this, it)),
            None => walk::walk_variable_declarator(self, it),
        }
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        if let ForStatementLeft::VariableDeclaration(declaration) = &it.left {
            let all = self.read_expr(&it.right);
            for declarator in &declaration.declarations {
                self.declare_pattern(&declarator.id, Declaration::Each(all));
            }
        }
        walk::walk_for_of_statement(self, it);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        let id = self.read_function(it);
        let element = match self.entering.remove(&it.span) {
            Some(element) => Some(element),
            None => self.declared_function(it, id),
        };
        let this = self.receivers.get(&it.span).copied().unwrap_or(This::Function(id));
        self.this.push(this);
        self.functions.push(id);
        match element {
            Some(element) => self.read_inside_element(element, |this| walk::walk_function(this, it, flags)),
            None => walk::walk_function(self, it, flags),
        }
        self.functions.pop();
        self.this.pop();
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        let id = self.read_arrow_function(it);
        self.functions.push(id);
        match self.entering.remove(&it.span) {
            Some(element) => {
                self.read_inside_element(element, |this| walk::walk_arrow_function_expression(this, it));
            }
            None => walk::walk_arrow_function_expression(self, it),
        }
        self.functions.pop();
    }

    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        if let Some((argument, &function)) = it.argument.as_ref().zip(self.functions.last()) {
            let value = self.read_expr(argument);
            let context = self.push_type(Type::ResultOf(function));
            self.give_context(argument, context);
            if let Some(function) = self.function_mut(function) {
                function.returns.push(value);
            }
        }
        walk::walk_return_statement(self, it);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        let id = self.class_shape(it);
        let element = match self.entering.remove(&it.span) {
            Some(element) => Some(element),
            None => self.declared_class(it),
        };
        if let Some(symbol) = it.id.as_ref().and_then(|id| self.declared_symbol(id)) {
            self.declare(symbol, Declaration::Class(id));
        }
        if let Some(shape) = self.shape_mut(id) {
            shape.element = element;
        }
        self.classes.push(id);
        match element {
            Some(element) => self.read_inside_element(element, |this| walk::walk_class(this, it)),
            None => walk::walk_class(self, it),
        }
        self.classes.pop();
    }

    fn visit_method_definition(&mut self, it: &MethodDefinition<'a>) {
        if let Some(&class) = self.classes.last() {
            self.method_element(class, it);
            self.parameter_fields(class, it);
        }
        walk::walk_method_definition(self, it);
    }

    fn visit_property_definition(&mut self, it: &PropertyDefinition<'a>) {
        let Some(&class) = self.classes.last() else { return };
        let element = self.field_element(class, it);
        self.this.push(This::Shape(class, it.r#static));
        match element {
            Some(element) => self.read_inside_element(element, |this| walk::walk_property_definition(this, it)),
            None => walk::walk_property_definition(self, it),
        }
        self.this.pop();
    }

    fn visit_static_block(&mut self, it: &StaticBlock<'a>) {
        let this = self.classes.last().map_or(This::Nothing, |&class| This::Shape(class, true));
        self.this.push(this);
        walk::walk_static_block(self, it);
        self.this.pop();
    }

    fn visit_object_expression(&mut self, it: &ObjectExpression<'a>) {
        let id = self.read_object_literal(it);
        self.objects.push(id);
        walk::walk_object_expression(self, it);
        self.objects.pop();
    }

    fn visit_object_property(&mut self, it: &ObjectProperty<'a>) {
        self.object_member(it);
        walk::walk_object_property(self, it);
    }

    fn visit_ts_interface_declaration(&mut self, it: &TSInterfaceDeclaration<'a>) {
        self.read_interface(it);
        self.measure.enter(AstKind::TSInterfaceDeclaration(self.alloc(it)));
        self.measure.leave();
    }

    fn visit_ts_type_alias_declaration(&mut self, it: &TSTypeAliasDeclaration<'a>) {
        self.read_type_alias(it);
    }

    fn visit_ts_enum_declaration(&mut self, it: &TSEnumDeclaration<'a>) {
        self.read_enum(it);
    }

    fn visit_ts_namespace_declaration(&mut self, it: &TSNamespaceDeclaration<'a>) {
        let (element, shape) = self.read_namespace(it);
        self.spaces.push(shape);
        self.read_inside_element(element, |this| walk::walk_ts_namespace_declaration(this, it));
        self.spaces.pop();
    }

    fn visit_ts_external_module_declaration(&mut self, it: &TSExternalModuleDeclaration<'a>) {
        let shape = self.push_shape(ObjectShape::default());
        self.spaces.push(shape);
        walk::walk_ts_external_module_declaration(self, it);
        self.spaces.pop();
    }

    fn visit_ts_global_declaration(&mut self, it: &TSGlobalDeclaration<'a>) {
        let shape = self.push_shape(ObjectShape::default());
        self.spaces.push(shape);
        walk::walk_ts_global_declaration(self, it);
        self.spaces.pop();
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        self.read_assignment(it);
        if let Some(target) = it.left.as_member_expression() {
            let value = self.read_expr(&it.right);
            let place = match target {
                oxc_ast::ast::MemberExpression::StaticMemberExpression(member) => {
                    let object = self.read_expr(&member.object);
                    self.push_expr(Expr::Member(object, member.property.name.to_string()))
                }
                oxc_ast::ast::MemberExpression::PrivateFieldExpression(member) => {
                    let object = self.read_expr(&member.object);
                    self.push_expr(Expr::Member(object, format!("#{}", member.field.name)))
                }
                oxc_ast::ast::MemberExpression::ComputedMemberExpression(_) => 0,
            };
            if place != 0 {
                let declared = self.documented_type(it.span);
                let context = if declared == 0 { self.push_type(Type::Of(place)) } else { declared };
                self.give_context(&it.right, context);
                self.assigned_field(place, declared, value);
            }
        } else if let AssignmentTarget::AssignmentTargetIdentifier(target) = &it.left
            && let Some(symbol) = self.referenced_symbol(target)
        {
            let value = self.read_expr(&it.right);
            let place = self.push_expr(Expr::Symbol(symbol));
            let context = self.push_type(Type::Of(place));
            self.give_context(&it.right, context);
            self.assigned_variable(symbol, value);
        }
        walk::walk_assignment_expression(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let id = self.read_call(it);
        self.is_test_call(it);
        self.call_site(id, &it.callee);
        walk::walk_call_expression(self, it);
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        let id = self.new_call(it);
        self.call_site(id, &it.callee);
        walk::walk_new_expression(self, it);
    }

    fn visit_jsx_element(&mut self, it: &JSXElement<'a>) {
        self.markup.extend(self.holder());
        let symbol = match &it.opening_element.name {
            JSXElementName::IdentifierReference(id) => self.referenced_symbol(id).map(|symbol| (symbol, id)),
            _ => None,
        };
        if let Some((symbol, id)) = symbol {
            let callee = self.push_expr(Expr::Symbol(symbol));
            let expr = self.push_expr(Expr::Call { callee, arguments: Vec::new(), types: Vec::new() });
            let (from, at) = (self.holder(), self.at(id.span.start));
            self.facts.calls.push(CallSite { from, expr, at, text: id.name.to_string() });
        }
        walk::walk_jsx_element(self, it);
    }

    fn visit_jsx_fragment(&mut self, it: &JSXFragment<'a>) {
        self.markup.extend(self.holder());
        walk::walk_jsx_fragment(self, it);
    }
}

impl<'a> ScriptFactsReader<'a, '_> {
    /// `describe("…", () => …)` and its kin, when the names are not the file's own.
    fn is_test_call(&mut self, it: &CallExpression<'a>) {
        let Expression::Identifier(name) = &it.callee else { return };
        if !matches!(name.name.as_str(), "describe" | "it" | "test" | "suite" | "specify") {
            return;
        }
        let [first, second, ..] = it.arguments.as_slice() else { return };
        let texts = first.as_expression().is_some_and(|first| Self::string_of(first).is_some());
        let runs = second.as_expression().is_some_and(Expression::is_function);
        self.test |= texts && runs && self.referenced_symbol(name).is_none();
    }

    /// `this.x = value` in a class without a declaration of `x` declares it; so does JavaScript everywhere.
    fn assigned_field(&mut self, place: u32, ty: u32, value: u32) {
        use crate::script::facts::{Member, MemberValue};
        let Some(Expr::Member(object, name)) = self.facts.exprs.get(place as usize).cloned() else { return };
        let Some(&Expr::This(shape, is_static)) = self.facts.exprs.get(object as usize) else { return };
        let Some(shape) = self.shape_mut(shape) else { return };
        let members = if is_static { &mut shape.statics } else { &mut shape.members };
        match members.first_named(&name, |_| true) {
            None => members.push(Member { name, element: None, value: MemberValue::Property(ty, value) }),
            Some(Member { value: MemberValue::Property(known @ 0, old), .. }) => {
                *known = ty;
                *old = if *old == 0 { value } else { *old };
            }
            Some(_) => {}
        }
    }

    /// The first value of a variable that is declared without one.
    fn assigned_variable(&mut self, symbol: u32, value: u32) {
        let Some(symbol) = self.facts.symbols.get_mut(symbol as usize) else { return };
        if let [Declaration::Variable { ty: 0, value: old @ 0 }] = symbol.declarations.as_mut_slice() {
            *old = value;
        }
    }

    /// The end of the head of a declaration with this value: its body, or the value itself.
    pub(super) fn head_end(&self, value: &Expression<'a>) -> u32 {
        match super::exprs::value_of(value) {
            Expression::FunctionExpression(it) => it.body.as_ref().map_or(it.span.end, |body| body.span.start),
            Expression::ArrowFunctionExpression(it) => it.body.span().start,
            Expression::ClassExpression(it) => it.body.span.start,
            _ => value.span().start,
        }
    }
}
