//! The calls of a script.

use oxc_ast::ast::{
    Argument as Given, AssignmentTarget, BindingPattern, CallExpression, Expression, IdentifierName,
    IdentifierReference, NewExpression, ObjectPropertyKind, PropertyKey, VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan as _, Span};

use super::super::sink::FileLocation;
use super::model::{Argument, FunctionCall, FileCalls};
use crate::parse;
use tapps_base::source::Source;

/// Reads a file, or gives `None` when it cannot be parsed.
pub(super) fn read_script_calls(source: &Source) -> Option<FileCalls> {
    parse::read_script(source.path(), source.text()?, |program| {
        let mut read = ScriptCallReader { source, code: FileCalls::default(), loops: 0 };
        read.visit_program(program);
        read.code
    })
}

struct ScriptCallReader<'s> {
    source: &'s Source,
    code: FileCalls,
    loops: u32,
}

impl ScriptCallReader<'_> {
    fn record_call(&mut self, callee: &Expression<'_>, given: &[Given<'_>], span: Span) {
        let (line, column) = self.source.position(span.start as usize);
        let (end_line, _) = self.source.position(span.end as usize);
        let mut call = FunctionCall {
            callee: dotted(callee).unwrap_or_default(),
            place: FileLocation { line, column, end_line },
            in_loop: self.loops > 0,
            ..FunctionCall::default()
        };
        for expression in given.iter().filter_map(Given::as_expression) {
            if let Expression::ObjectExpression(object) = expression {
                call.named.extend(object.properties.iter().filter_map(property));
            }
            call.arguments.push(argument(expression));
        }
        if let Some(Argument::Text(name)) = call.arguments.first() {
            self.code.names.insert(name.clone());
        }
        self.code.calls.push(call);
    }
}

impl<'a> Visit<'a> for ScriptCallReader<'_> {
    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        self.record_call(&it.callee, &it.arguments, it.span);
        // What is done for each element is done in a loop.
        let each =
            matches!(it.callee.as_member_expression().and_then(|m| m.static_property_name()), Some("forEach" | "map"));
        self.loops += u32::from(each);
        walk::walk_call_expression(self, it);
        self.loops -= u32::from(each);
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        self.record_call(&it.callee, &it.arguments, it.span);
        walk::walk_new_expression(self, it);
    }

    fn visit_for_statement(&mut self, it: &oxc_ast::ast::ForStatement<'a>) {
        self.loops += 1;
        walk::walk_for_statement(self, it);
        self.loops -= 1;
    }

    fn visit_for_of_statement(&mut self, it: &oxc_ast::ast::ForOfStatement<'a>) {
        self.loops += 1;
        walk::walk_for_of_statement(self, it);
        self.loops -= 1;
    }

    fn visit_while_statement(&mut self, it: &oxc_ast::ast::WhileStatement<'a>) {
        self.loops += 1;
        walk::walk_while_statement(self, it);
        self.loops -= 1;
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        if let (BindingPattern::BindingIdentifier(name), Some(callee)) = (&it.id, it.init.as_ref().and_then(script_callee)) {
            self.code.bound.insert(name.name.to_string(), callee);
        }
        walk::walk_variable_declarator(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &oxc_ast::ast::AssignmentExpression<'a>) {
        if let Some(callee) = script_callee(&it.right) {
            let name = match &it.left {
                AssignmentTarget::AssignmentTargetIdentifier(name) => Some(name.name.to_string()),
                target => target.as_member_expression().and_then(|member| {
                    Some(format!("{}.{}", dotted(member.object())?, member.static_property_name()?))
                }),
            };
            if let Some(name) = name {
                self.code.bound.insert(name, callee);
            }
        }
        walk::walk_assignment_expression(self, it);
    }

    fn visit_identifier_name(&mut self, it: &IdentifierName<'a>) {
        self.code.names.insert(it.name.to_string());
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.code.names.insert(it.name.to_string());
    }
}

fn script_callee(expression: &Expression<'_>) -> Option<String> {
    match expression {
        Expression::CallExpression(call) => dotted(&call.callee),
        Expression::NewExpression(call) => dotted(&call.callee),
        Expression::AwaitExpression(wait) => script_callee(&wait.argument),
        _ => None,
    }
}

fn dotted(expression: &Expression<'_>) -> Option<String> {
    match expression {
        Expression::Identifier(name) => Some(name.name.to_string()),
        Expression::ThisExpression(_) => Some("this".to_owned()),
        Expression::CallExpression(call) => dotted(&call.callee),
        _ => {
            let member = expression.as_member_expression()?;
            Some(format!("{}.{}", dotted(member.object())?, member.static_property_name()?))
        }
    }
}

fn property(property: &ObjectPropertyKind<'_>) -> Option<(String, Argument)> {
    let ObjectPropertyKind::ObjectProperty(property) = property else { return None };
    let name = match &property.key {
        PropertyKey::StaticIdentifier(name) => name.name.to_string(),
        PropertyKey::StringLiteral(name) => name.value.to_string(),
        _ => return None,
    };
    Some((name, argument(&property.value)))
}

fn argument(expression: &Expression<'_>) -> Argument {
    match expression {
        Expression::StringLiteral(literal) => Argument::Text(literal.value.to_string()),
        Expression::TemplateLiteral(_) | Expression::BinaryExpression(_) => {
            let (text, whole) = literals(expression);
            match (text.is_empty(), whole) {
                (_, true) => Argument::Text(text),
                (true, false) => Argument::Other,
                (false, false) => Argument::Built(text),
            }
        }
        Expression::NumericLiteral(number) => {
            #[expect(clippy::cast_possible_truncation, reason = "only small whole numbers are looked at")]
            let whole = number.value as i64;
            Argument::Number(whole)
        }
        Expression::BooleanLiteral(literal) => {
            if literal.value {
                Argument::True
            } else {
                Argument::False
            }
        }
        Expression::NullLiteral(_) => Argument::Nothing,
        _ => Argument::Other,
    }
}

/// The literal parts of an expression that makes a text, and whether that is all of it.
fn literals(expression: &Expression<'_>) -> (String, bool) {
    match expression {
        Expression::StringLiteral(literal) => (literal.value.to_string(), true),
        Expression::TemplateLiteral(template) => {
            (template.quasis.iter().map(|part| part.value.raw.as_str()).collect(), template.expressions.is_empty())
        }
        Expression::BinaryExpression(sum) if sum.operator.as_str() == "+" => {
            let ((left, first), (right, second)) = (literals(&sum.left), literals(&sum.right));
            (left + &right, first && second)
        }
        other => {
            let _ = other.span();
            (String::new(), false)
        }
    }
}
