//! What ESLint's `complexity` rule counts, in its classic variant: `if`, loops, `case` with a test, `catch`, `?:`, `&&`,
//! `||`, `??`, logical assignment, optional chaining steps and default values.

use oxc_ast::AstKind;
use oxc_ast::ast::FunctionType;
use oxc_span::GetSpan;
use oxc_syntax::operator::AssignmentOperator;

/// True when `child` is evaluated in a function of its own that `parent` starts.
pub fn starts_function(parent: AstKind<'_>, child: AstKind<'_>) -> bool {
    match parent {
        AstKind::Function(function) => {
            matches!(function.r#type, FunctionType::FunctionDeclaration | FunctionType::FunctionExpression)
        }
        AstKind::ArrowFunctionExpression(_) | AstKind::StaticBlock(_) => true,
        AstKind::PropertyDefinition(field) => field.value.as_ref().is_some_and(|value| value.span() == child.span()),
        _ => false,
    }
}

/// What a node adds to the complexity of the function it is in.
pub fn count_branches(kind: AstKind<'_>) -> u32 {
    let branches = match kind {
        AstKind::CatchClause(_)
        | AstKind::ConditionalExpression(_)
        | AstKind::LogicalExpression(_)
        | AstKind::ForStatement(_)
        | AstKind::ForInStatement(_)
        | AstKind::ForOfStatement(_)
        | AstKind::IfStatement(_)
        | AstKind::WhileStatement(_)
        | AstKind::DoWhileStatement(_)
        | AstKind::AssignmentPattern(_)
        | AstKind::AssignmentTargetWithDefault(_) => true,
        AstKind::AssignmentTargetPropertyIdentifier(target) => target.init.is_some(),
        AstKind::FormalParameter(parameter) => parameter.initializer.is_some(),
        AstKind::SwitchCase(case) => case.test.is_some(),
        AstKind::AssignmentExpression(assignment) => matches!(
            assignment.operator,
            AssignmentOperator::LogicalAnd | AssignmentOperator::LogicalOr | AssignmentOperator::LogicalNullish
        ),
        AstKind::StaticMemberExpression(member) => member.optional,
        AstKind::ComputedMemberExpression(member) => member.optional,
        AstKind::PrivateFieldExpression(member) => member.optional,
        AstKind::CallExpression(call) => call.optional,
        _ => false,
    };
    u32::from(branches)
}

/// A statement whose parts are one level deeper.
pub fn is_control(kind: AstKind<'_>) -> bool {
    is_loop(kind) || matches!(kind, AstKind::IfStatement(_) | AstKind::SwitchStatement(_) | AstKind::TryStatement(_))
}

/// An `if` right after an `else` is no deeper than the first.
pub fn is_else_if(parent: AstKind<'_>, child: AstKind<'_>) -> bool {
    let (AstKind::IfStatement(outer), AstKind::IfStatement(inner)) = (parent, child) else { return false };
    outer.alternate.as_ref().is_some_and(|alternate| alternate.span() == inner.span)
}

/// Any of the five loops.
pub fn is_loop(kind: AstKind<'_>) -> bool {
    matches!(
        kind,
        AstKind::ForStatement(_)
            | AstKind::ForInStatement(_)
            | AstKind::ForOfStatement(_)
            | AstKind::WhileStatement(_)
            | AstKind::DoWhileStatement(_)
    )
}
