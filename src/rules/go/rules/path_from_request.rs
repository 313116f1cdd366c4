//! Files that the request names.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_member};
use crate::go::requests::stems_from_request;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "path-from-request",
    aliases: &["gosec:G304", "gosec:G703"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A request that names the file may name one that it was not meant to see.",
    help: "Test the name with `filepath.IsLocal`, or open files through `os.OpenRoot`.",
    explanation: "`../../etc/passwd` is a name like any other. A path that is made from what a request brings leads \
        wherever its sender likes, for reading and for writing. Work through `os.OpenRoot`, which does not \
        let go of its folder, or test the name with `filepath.IsLocal` first.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package files

import (
	"net/http"
	"os"
)

func show(w http.ResponseWriter, r *http.Request) {
	text, err := os.ReadFile("data/" + r.FormValue("name"))
	reply(w, text, err)
}
"#,
        good: r#"package files

import (
	"net/http"
	"os"
	"path/filepath"
)

func show(w http.ResponseWriter, r *http.Request) {
	name := r.FormValue("name")
	if !filepath.IsLocal(name) {
		http.NotFound(w, r)
		return
	}
	text, err := os.ReadFile("data/" + name)
	reply(w, text, err)
}
"#,
    }],
    cwe: Some("CWE-22"),
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_path_from_request);

const OPENING: &[&str] = &[
    "Create", "Mkdir", "MkdirAll", "Open", "OpenFile", "ReadDir", "ReadFile", "Remove", "RemoveAll", "WriteFile",
];
/// Words of a function that keeps a name inside of a folder.
const CHECKS: &[&str] = &["filepath.Base(", "path.Base(", "IsLocal(", "HasPrefix(", "SecureJoin(", "OpenRoot(", "ValidPath(", "\"..\""];

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
            &[
                "import \"os\"\nfunc f(c *gin.Context) { p := filepath.Join(dir, c.Param(\"p\")); os.Remove(p) }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"os\"\nfunc f(r *http.Request) { os.Open(filepath.Base(r.URL.Path)) }",
                "import \"os\"\nfunc f(name string) { os.Open(name) }",
                "import \"os\"\nfunc f(r *Row) { os.Open(r.Path) }",
            ],
        );
    }
}
