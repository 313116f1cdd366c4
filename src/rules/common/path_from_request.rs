//! Files that the request names.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

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
    examples: &[
        Example {
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
        },
        Example {
            path: "example.rs",
            bad: r#"use axum::extract::Path;

pub async fn download(Path(name): Path<String>) -> std::io::Result<Vec<u8>> {
    tokio::fs::read(format!("uploads/{name}")).await
}
"#,
            good: "use axum::extract::Path;

pub async fn download(Path(id): Path<Uuid>, store: Store) -> std::io::Result<Vec<u8>> {
    tokio::fs::read(store.path_of(id)?).await
}
",
        },
    ],
    cwe: Some("CWE-22"),
    since: "0.1.0",
};
