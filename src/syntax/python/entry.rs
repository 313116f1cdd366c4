//! Code that only runs when its file is the program.

use ruff_python_ast::{Expr, Stmt};

/// True for `if __name__ == "__main__":`, either way round.
#[must_use]
pub fn is_entry(stmt: &Stmt) -> bool {
    let Stmt::If(branch) = stmt else { return false };
    let Expr::Compare(compare) = &*branch.test else { return false };
    let sides = std::iter::once(&*compare.left).chain(&compare.comparators);
    let (name, main) = sides.fold((false, false), |(name, main), side| match side {
        Expr::Name(found) => (name || found.id.as_str() == "__name__", main),
        Expr::StringLiteral(found) => (name, main || found.value.to_str() == "__main__"),
        _ => (name, main),
    });
    name && main
}
