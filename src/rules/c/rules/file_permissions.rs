//! Files that everybody may change.

use super::prelude::*;
use crate::c::calls::number_of;
use crate::words::names_in;

pub use crate::common::file_permissions::RULE;

pub(super) const RUN: CRunner = CRunner::Kinds(&["call_expression"], check_file_permissions);

fn check_file_permissions<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let (at, is_mask) = match () {
        () if is_library_call(context, node, &["chmod", "fchmod", "mkdir", "creat", "mkfifo"]) => (1, false),
        () if is_library_call(context, node, &["open", "openat", "mkdirat", "fchmodat"]) => (2, false),
        () if is_library_call(context, node, &["umask"]) => (0, true),
        () => return,
    };
    let arguments = arguments_of(node);
    let Some(mode) = arguments.get(at) else { return };
    let everybody = number_of(context, *mode).map(|bits| bits & 0o002 != 0);
    let is_open = if is_mask {
        everybody == Some(false)
    } else {
        everybody == Some(true)
            || names_in(context.text(*mode)).any(|word| matches!(word, "S_IWOTH" | "S_IRWXO"))
    };
    if is_open && !context.is_test_file() && !is_restored(context, node) {
        out.push(context.report(&RULE, node, "everybody may change what this makes"));
    }
}

/// `old = umask(0)` asks for the mask, which can only be done by setting it.
fn is_restored(context: &CContext<'_>, node: Node<'_>) -> bool {
    let kept = context
        .tree()
        .parent_of(node)
        .is_some_and(|parent| matches!(parent.kind(), "assignment_expression" | "init_declarator"));
    kept && is_library_call(context, node, &["umask"])
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found_in(
            &RULE,
            "a.c",
            &[
                "void f(const char *a) { chmod(a, 0777); }",
                "void f(void) { umask(0); }",
                "int f(const char *a) { return open(a, O_CREAT, S_IRUSR | S_IWOTH); }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "a.c",
            &[
                "void f(const char *a) { chmod(a, 0755); }",
                "void f(void) { umask(022); }",
                "void f(void) { int m = umask(0); umask(m); }",
                "int f(const char *a) { return open(a, O_RDONLY); }",
            ],
        );
    }
}
