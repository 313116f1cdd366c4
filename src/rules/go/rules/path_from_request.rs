//! Files that the request names.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_member};
use crate::go::requests::stems_from_request;
use crate::go::scopes::assigned_value;

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
    let is_checked_in = |text: &str| CHECKS.iter().any(|check| text.contains(check));
    if !stems_from_request(context, path) || is_checked_in(context.text_around(node)) {
        return;
    }
    let maker = made_by(context, path);
    let functions = context.tree().all_nodes().filter(|at| matches!(at.kind(), "function_declaration" | "method_declaration"));
    let mut makers = functions.filter(|at| field(*at, "name").map(|name| context.text(name)) == maker).peekable();
    // What makes it may keep it inside of a folder, and stand in another file.
    let is_unseen = maker.is_some() && makers.peek().is_none();
    if makers.all(|maker| !is_checked_in(context.text(maker))) {
        let finding = context.report(&RULE, node, "the request says which file");
        out.push(finding.doubted_if(is_unseen));
    }
}

/// The function of the program that gave back a path, which may have looked at it.
fn made_by<'c>(context: &GoContext<'c>, path: Node<'c>) -> Option<&'c str> {
    let made = assigned_value(context, path).unwrap_or(path);
    let callee = field(made, "function").filter(|_| called_member(context, made).is_none())?;
    context.text(callee).rsplit('.').next().filter(|name| *name != "string")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_confidence, assert_found};
    use super::*;
    use tapps_base::finding::Confidence;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &[
                "import \"os\"\nfunc f(c *gin.Context) { p := filepath.Join(dir, c.Param(\"p\")); os.Remove(p) }",
                "import \"os\"\nfunc f(r *http.Request) { p, err := inside(r.URL.Path); g(err); os.Open(p) }\nfunc inside(p string) (string, error) { return dir + p, nil }",
            ],
        );
    }

    #[test]
    fn what_another_file_makes_of_it_is_doubted() {
        let text = "import \"os\"\nfunc f(r *http.Request) { p, err := s.inside(r.URL.Path); g(err); os.Open(p) }";
        assert_confidence(&RULE, "a.go", text, Confidence::Low);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"os\"\nfunc f(r *http.Request) { os.Open(filepath.Base(r.URL.Path)) }",
                "import \"os\"\nfunc f(r *http.Request) { name := r.URL.Path; file, ok := files[name]; g(ok); os.Open(file) }",
                "import \"os\"\nfunc f(name string) { os.Open(name) }",
                "import \"os\"\nfunc f(r *http.Request) { p, err := s.inside(r.URL.Path); g(err); os.Open(p) }\nfunc (s *S) inside(p string) (string, error) { if p == \"..\" { return \"\", errUp }; return dir + p, nil }",
                "import \"os\"\nfunc f(r *Row) { os.Open(r.Path) }",
            ],
        );
    }
}
