//! Statements: assertions, and handlers that let an exception vanish.

use ruff_python_ast::{ExceptHandlerExceptHandler, Expr, Stmt};
use tapps_base::finding::Severity::{High, Low};

use crate::bandit::native::verdict::Verdict;

/// Improper check of exceptional conditions.
const UNCHECKED: u32 = 703;

pub(in crate::bandit::native) const fn assertion_verdict() -> Verdict {
    let text = "Use of assert detected. The enclosed code will be removed when compiling to optimised byte code.";
    Verdict::new("B101", (Low, High), UNCHECKED, text)
}

/// A handler of all exceptions that does nothing else than going on.
pub(in crate::bandit::native) fn judge_handler(handler: &ExceptHandlerExceptHandler) -> Option<Verdict> {
    let all = match handler.type_.as_deref() {
        None => true,
        Some(Expr::Name(name)) => name.id == "Exception",
        Some(_) => false,
    };
    match handler.body.as_slice() {
        [Stmt::Pass(_)] if all => Some(Verdict::new("B110", (Low, High), UNCHECKED, "Try, Except, Pass detected.")),
        [Stmt::Continue(_)] if all => {
            Some(Verdict::new("B112", (Low, High), UNCHECKED, "Try, Except, Continue detected."))
        }
        _ => None,
    }
}
