//! Whether statements let control go on to what follows them.

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, Statement};

use super::expressions::{identifier_of, member_name, member_parts, without_casts};
use crate::words::split_identifier_words;

/// The statements that a node runs one after the other.
pub(crate) fn statement_list<'a>(kind: AstKind<'a>) -> Option<&'a [Statement<'a>]> {
    Some(match kind {
        AstKind::Program(program) => &program.body,
        AstKind::BlockStatement(block) => &block.body,
        AstKind::FunctionBody(body) => &body.statements,
        AstKind::StaticBlock(block) => &block.body,
        AstKind::SwitchCase(case) => &case.consequent,
        _ => return None,
    })
}

/// True when control never comes to the statement after this one.
///
/// Loops and `switch` are taken to end, except a loop without a condition and without a `break`.
pub(crate) fn never_falls_through(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::ReturnStatement(_)
        | Statement::ThrowStatement(_)
        | Statement::BreakStatement(_)
        | Statement::ContinueStatement(_) => true,
        Statement::BlockStatement(block) => block.body.iter().any(never_falls_through),
        Statement::IfStatement(branch) => {
            never_falls_through(&branch.consequent) && branch.alternate.as_ref().is_some_and(never_falls_through)
        }
        Statement::TryStatement(attempt) => {
            let finally = attempt.finalizer.as_ref().is_some_and(|block| block.body.iter().any(never_falls_through));
            let body = attempt.block.body.iter().any(never_falls_through);
            let handler =
                attempt.handler.as_ref().is_none_or(|handler| handler.body.body.iter().any(never_falls_through));
            finally || (body && handler)
        }
        _ => false,
    }
}

/// True when control surely can come to the end of the statements.
pub(crate) fn can_complete(statements: &[Statement<'_>]) -> bool {
    !statements.iter().any(|statement| never_falls_through(statement) || may_stay(statement) || is_exit_call(statement))
}

/// A loop without a condition, or a `switch` with a `default`, last in a block: whether they are left at their end
/// depends on every `break` inside, and nobody writes them there without thinking of that.
fn may_stay(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::SwitchStatement(switch) => switch.cases.iter().any(|case| case.test.is_none()),
        Statement::BlockStatement(block) => block.body.last().is_some_and(may_stay),
        other => is_endless(other),
    }
}

fn is_endless(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::ForStatement(repeat) => repeat.test.is_none(),
        Statement::WhileStatement(repeat) => {
            matches!(without_casts(&repeat.test), Expression::BooleanLiteral(test) if test.value)
        }
        _ => false,
    }
}

/// Calls that do not come back: `process.exit()`, and functions whose names say that they throw.
fn is_exit_call(statement: &Statement<'_>) -> bool {
    let statement = match statement {
        Statement::BlockStatement(block) => return block.body.iter().any(is_exit_call),
        Statement::ExpressionStatement(statement) => statement,
        _ => return false,
    };
    let Expression::CallExpression(call) = &statement.expression else { return false };
    let throws = member_name(&call.callee).and_then(|name| split_identifier_words(name).into_iter().next());
    if throws.is_some_and(|word| {
        matches!(word.as_str(), "die" | "fail" | "throw" | "panic" | "unreachable" | "raise" | "abort")
    }) {
        return true;
    }
    member_parts(&call.callee).is_some_and(|(object, name)| {
        matches!(name, "exit" | "abort") && identifier_of(object).is_some_and(|object| object.name == "process")
    })
}
