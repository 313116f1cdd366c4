//! Places at which a file reckons with the absence of what it names.

use std::collections::BTreeSet;

use ruff_python_ast::helpers::any_over_expr;
use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor};
use ruff_python_ast::{Decorator, ExceptHandler, Expr, Stmt, StmtTry, StmtWith};
use tapps_syntax::python::names::{dotted_name, last_name};

/// Parts of names in tests that ask what is there.
const ASKING: [&str; 14] = [
    "android",
    "available",
    "compat",
    "find_spec",
    "getattr",
    "has_",
    "hasattr",
    "installed",
    "os.name",
    "platform",
    "py2",
    "py3",
    "version",
    "windows",
];

/// Exceptions that absent names raise, and those that take them in.
const RAISED: [&str; 7] =
    ["AttributeError", "BaseException", "Exception", "ImportError", "ModuleNotFoundError", "NameError", "TypeError"];

/// Context managers that reckon with an exception.
const EXPECTING: [&str; 6] =
    ["assertRaises", "assertRaisesRegex", "importorskip", "raises", "raises_regex", "suppress"];

/// Whether a `try` takes in what an absent name raises. What does not can still be caught: by its base.
pub(super) fn takes_absence_in(tried: &StmtTry) -> bool {
    tried.handlers.iter().any(|ExceptHandler::ExceptHandler(handler)| match handler.type_.as_deref() {
        None => true,
        Some(Expr::Tuple(each)) => each.elts.iter().any(is_raised),
        Some(one) => is_raised(one),
    })
}

fn is_raised(exception: &Expr) -> bool {
    // What is made elsewhere may hold any of them.
    last_name(exception)
        .is_none_or(|name| RAISED.contains(&name) || !name.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// Whether a `with` reckons with an exception.
pub(super) fn expects_exception(with: &StmtWith) -> bool {
    with.items.iter().any(|item| last_name(&item.context_expr).is_some_and(|name| EXPECTING.contains(&name)))
}

/// What a file calls the answer to such a question: `IS_OLD = library.VERSION < (2,)`.
#[derive(Default)]
pub(super) struct Flags<'a>(BTreeSet<&'a str>);

impl<'a> Flags<'a> {
    /// Those of a module, in whatever branch they are bound.
    pub(super) fn of(body: &'a [Stmt]) -> Self {
        let mut flags = Self::default();
        flags.visit_body(body);
        flags
    }

    /// Whether a test asks for a version, a platform, or whether something is there.
    pub(super) fn ask(&self, test: &Expr) -> bool {
        any_over_expr(test, |part| {
            let name = match part {
                Expr::Name(name) => Some(name.id.to_string()),
                Expr::Attribute(_) => dotted_name(part),
                _ => None,
            };
            name.is_some_and(|name| {
                let lower = name.to_ascii_lowercase();
                ASKING.iter().any(|word| lower.contains(word))
                    || lower.split(['_', '.']).any(is_version)
                    || self.0.contains(name.as_str())
            })
        })
    }
}

/// Whether a decorator leaves out what it decorates under some circumstances.
pub(super) fn is_left_out_at_times(decorator: &Decorator) -> bool {
    let named = decorator.expression.as_call_expr().map_or(&decorator.expression, |call| &call.func);
    dotted_name(named).is_some_and(|name| {
        let lower = name.to_ascii_lowercase();
        let last = lower.rsplit('.').next().unwrap_or(&lower);
        lower.contains("skip")
            || lower.contains("xfail")
            || ["needs_", "requires_"].iter().any(|word| last.starts_with(word))
    })
}

impl<'a> SourceOrderVisitor<'a> for Flags<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Assign(assign) if self.ask(&assign.value) => {
                let targets = assign.targets.iter().filter_map(Expr::as_name_expr);
                self.0.extend(targets.map(|name| name.id.as_str()));
            }
            Stmt::AnnAssign(assign) if assign.value.as_deref().is_some_and(|value| self.ask(value)) => {
                self.0.extend(assign.target.as_name_expr().map(|name| name.id.as_str()));
            }
            // Of a function most such values are what something has, not whether it is there.
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            _ => source_order::walk_stmt(self, stmt),
        }
    }

    // What a statement binds stands in no expression.
    fn visit_expr(&mut self, _: &'a Expr) {}
}

/// Whether a part of a name is that of a version, as in `PYDANTIC_V2` and `NUMPY_LT_2`.
fn is_version(part: &str) -> bool {
    if matches!(part, "ge" | "gt" | "gte" | "le" | "lt" | "lte") {
        return true;
    }
    part.strip_prefix('v').is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}
