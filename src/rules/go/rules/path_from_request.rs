//! Files that the request names.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_member};
use crate::go::requests::stems_from_request;

pub use crate::common::path_from_request::RULE;

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_path_from_request);

const OPENING: &[&str] =
    &["Create", "Mkdir", "MkdirAll", "Open", "OpenFile", "ReadDir", "ReadFile", "Remove", "RemoveAll", "WriteFile"];
/// Words of a function that keeps a name inside of a folder.
const CHECKS: &[&str] =
    &["filepath.Base(", "path.Base(", "IsLocal(", "HasPrefix(", "SecureJoin(", "OpenRoot(", "ValidPath(", "\"..\""];

fn check_path_from_request<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(("os" | "io/ioutil", name)) = called_member(context, node) else { return };
    let Some(path) = arguments_of(node).first().copied().filter(|_| OPENING.contains(&name)) else { return };
    let around = context.text_around(node);
    if stems_from_request(context, path) && !CHECKS.iter().any(|check| around.contains(check)) {
        out.push(context.report(&RULE, node, "the request says which file"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &["import \"os\"\nfunc f(c *gin.Context) { p := filepath.Join(dir, c.Param(\"p\")); os.Remove(p) }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"os\"\nfunc f(r *http.Request) { os.Open(filepath.Base(r.URL.Path)) }",
                "import \"os\"\nfunc f(r *http.Request) { name := r.URL.Path; file, ok := files[name]; g(ok); os.Open(file) }",
                "import \"os\"\nfunc f(name string) { os.Open(name) }",
                "import \"os\"\nfunc f(r *Row) { os.Open(r.Path) }",
            ],
        );
    }
}
