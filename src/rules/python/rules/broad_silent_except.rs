//! Swallowing every exception without a word.

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{ExceptHandler, ExceptHandlerExceptHandler, Expr, Stmt};

use super::suites::every_stmt;
use super::{ModuleRunner, View};
use tapps_base::finding::{Category, Finding, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "broad-silent-except",
    aliases: &["ruff:BLE001", "ruff:S110", "bandit:B110", "pylint:broad-exception-caught"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "A handler catches every exception and drops it, so faults stay invisible.",
    help: "Catch the exceptions that are expected, or log what was caught.",
    explanation: "A handler for every exception that does nothing also swallows the mistakes nobody thought of: a \
        misspelt name, a full disk, a broken invariant. The program goes on with wrong data and leaves no trace to \
        search for. Catch the exceptions that are expected here, and let the rest reach somebody who can see them, or \
        log them at least.",
    examples: &[Example {
        path: "example.py",
        bad: "def read_port(text):
    try:
        return int(text)
    except Exception:
        pass
",
        good: "def read_port(text):
    try:
        return int(text)
    except ValueError:
        return None
",
    }],
    cwe: Some("CWE-390"),
    since: "0.1.0",
};

pub(super) const RUN: ModuleRunner = check_broad_silent_except;

/// Reports `except Exception` and `except BaseException` whose body does nothing. A comment in the handler counts as
/// the reason for it, and with an `else` the exception decides what runs next, which is a use of it. A bare `except`
/// is left to ruff.
fn check_broad_silent_except(view: &View, found: &mut Vec<Finding>) {
    every_stmt(view.body, &mut |stmt| {
        let Stmt::Try(node) = stmt else { return };
        if !node.orelse.is_empty() {
            return;
        }
        for ExceptHandler::ExceptHandler(handler) in &node.handlers {
            if is_broad(handler) && handler.body.iter().all(does_nothing) && !is_explained(view, handler) {
                found.push(view.finding(&RULE, handler.range, "every exception is caught and dropped"));
            }
        }
    });
}

fn is_broad(handler: &ExceptHandlerExceptHandler) -> bool {
    let is_broad_name =
        |expr: &Expr| matches!(expr, Expr::Name(name) if matches!(name.id.as_str(), "Exception" | "BaseException"));
    match handler.type_.as_deref() {
        Some(Expr::Tuple(types)) => types.elts.iter().any(is_broad_name),
        Some(one) => is_broad_name(one),
        None => false,
    }
}

fn does_nothing(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Pass(_) | Stmt::Continue(_) => true,
        Stmt::Expr(node) => node.value.is_ellipsis_literal_expr(),
        _ => false,
    }
}

/// True when a comment stands in the handler, also at the end of its last line.
fn is_explained(view: &View, handler: &ExceptHandlerExceptHandler) -> bool {
    let rest_of_line = view.tokens.after(handler.range.end()).first();
    view.tokens.in_range(handler.range).iter().chain(rest_of_line).any(|token| token.kind() == TokenKind::Comment)
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::lines_of;
    use super::*;

    #[rstest::rstest]
    #[case("try:\n    f()\nexcept Exception:\n    pass\n", &[3])]
    #[case("try:\n    f()\nexcept (A, BaseException) as e:\n    ...\n", &[3])]
    #[case("for x in y:\n    try:\n        f()\n    except Exception:\n        continue\n", &[4])]
    #[case("try:\n    f()\nexcept Exception:\n    pass  # the cache is optional\n", &[])]
    #[case("try:\n    f()\nexcept Exception:\n    # the cache is optional\n    pass\n", &[])]
    #[case("try:\n    f()\nexcept Exception:\n    pass\nelse:\n    g()\n", &[])]
    #[case("try:\n    f()\nexcept Exception:\n    log()\n", &[])]
    #[case("try:\n    f()\nexcept ValueError:\n    pass\n", &[])]
    #[case("try:\n    f()\nexcept:\n    pass\n", &[])]
    fn cases(#[case] text: &str, #[case] expected: &[u32]) {
        assert_eq!(lines_of(check_broad_silent_except, text), expected);
    }
}
