//! `tapps-mcp architecture` and the question whether an import may be written.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::coderef_support::project;

const FILES: &[(&str, &str)] = &[
    (
        "tapps-mcp.toml",
        "[architecture.contracts.floors]\nkind = \"layers\"\nlayers = [\"shop.web\", \"shop.domain\"]\n\n\
         [architecture.contracts.pure]\nkind = \"forbidden\"\nfrom = [\"shop.domain\"]\npackages = [\"requests\"]\n",
    ),
    ("shop/__init__.py", ""),
    ("shop/web/__init__.py", ""),
    ("shop/web/views.py", "from shop.domain import cart\n"),
    ("shop/domain/__init__.py", ""),
    ("shop/domain/cart.py", "from shop import util\n"),
    ("shop/domain/old.py", "import shop.util\nfrom shop.web import views\n"),
    ("shop/util.py", "def half(n):\n    return n / 2\n"),
];

fn run(program: &str, root: &Path, arguments: &[&str]) -> Output {
    Command::new(program)
        .args(arguments)
        .current_dir(root)
        .env_remove("TAPPS_MCP_CONFIG")
        .env("HOME", root)
        .output()
        .unwrap()
}

fn tapps(root: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = run(env!("CARGO_BIN_EXE_tapps-mcp"), root, &[&["architecture"], arguments].concat());
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn layers_are_shown_and_contracts_said_in_words() {
    let (folder, _) = project(FILES);
    let (code, said, _) = tapps(folder.path(), &["show"]);
    assert_eq!(code, Some(0));
    assert_eq!(
        said,
        "shop 7 files\n  (domain/ ⇄ web/)\n  __init__.py  util.py\nfloors\n  `shop.domain` may not import `shop.web`, \
         not even through others\npure\n  `shop.domain` may not import `requests`, not even through others\n"
    );
    let (_, drawn, _) = tapps(folder.path(), &["show", "--format", "mermaid"]);
    assert!(drawn.starts_with("graph TD\n  subgraph g0[\"circle 1\"]\n"), "{drawn}");
    let (code, _, said) = tapps(folder.path(), &["show", "shop/dom"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("shop/domain"), "{said}");
}

#[test]
fn contracts_are_judged_and_a_baseline_forgives_what_is_known() {
    let (folder, _) = project(FILES);
    let (code, said, _) = tapps(folder.path(), &["check"]);
    assert_eq!(code, Some(1));
    assert_eq!(
        said,
        "broken floors layers\n  `shop.domain` may not import `shop.web`, not even through others\n  \
         shop/domain/old.py:2 `shop.domain` may not import `shop.web`, not even through others\n    \
         shop/domain/old.py:2 → shop/web/views.py\nkept pure forbidden\n  `shop.domain` may not import `requests`, not even \
         through others\n1 breach in 7 files with 4 imports\n"
    );
    assert_eq!(tapps(folder.path(), &["check", "--write-baseline", "known.json"]).0, Some(0));
    let (code, said, _) = tapps(folder.path(), &["check", "--baseline", "known.json"]);
    assert_eq!((code, said.lines().last()), (Some(0), Some("0 breaches, 1 known in 7 files with 4 imports")));
    std::fs::write(folder.path().join("shop/domain/cart.py"), "import requests\n").unwrap();
    let (code, said, _) = tapps(folder.path(), &["check", "--baseline", "known.json", "--format", "json"]);
    assert_eq!(code, Some(1));
    let report: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(report["forgiven"], 1);
    assert_eq!(report["breaches"][0]["contract"], "pure");
    assert_eq!(report["breaches"][0]["chain"][0]["imported"], "requests");
    std::fs::write(folder.path().join("tapps-mcp.toml"), "preset = \"strict\"\n").unwrap();
    let (code, _, said) = tapps(folder.path(), &["check"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("no contract about imports"), "{said}");
}

#[test]
fn contracts_that_cannot_be_used_are_errors_with_their_place() {
    let (folder, _) = project(FILES);
    for (text, message) in [
        ("kind = \"layrs\"", "tapps-mcp.toml:2: `architecture.contracts.floors.kind` must be \"layers\" or"),
        ("kind = \"layers\"\nlayer = []", "tapps-mcp.toml:3: unknown key `architecture.contracts.floors.layer`"),
        (
            "kind = \"public\"\nmodules = [\"a\"]",
            "tapps-mcp.toml:2: `architecture.contracts.floors`: a contract of the kind `public` needs `interface`",
        ),
        ("kind = \"layers\"\nlayers = [\"shop.wep\"]", "`architecture.contracts.floors`: `shop.wep` names no file"),
        ("kind = \"layers\"\nlayers = [\"shop\", \"shop.web\"]", "is in `shop` and in `shop.web`"),
    ] {
        std::fs::write(folder.path().join("tapps-mcp.toml"), format!("[architecture.contracts.floors]\n{text}\n"))
            .unwrap();
        let (code, _, said) = tapps(folder.path(), &["check"]);
        assert_eq!(code, Some(2), "{text}");
        assert!(said.contains(message), "{text}: {said}");
    }
}

#[test]
fn an_import_is_asked_about_before_it_is_written() {
    let (folder, _) = project(FILES);
    let ask = |importer: &str, imported: &str| -> Value {
        let arguments = ["--json", "query", imported, "-t", "may-import", "--source", importer];
        let output = run(env!("CARGO_BIN_EXE_coderef"), folder.path(), &arguments);
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let no = ask("shop/domain/cart.py", "shop.web.views");
    assert_eq!(no["allowed"], false);
    assert_eq!(no["contracts"], 2);
    assert_eq!(no["total"], 1);
    assert_eq!(no["results"][0]["contract"], "floors");
    assert_eq!(no["results"][0]["says"], "`shop.domain` may not import `shop.web`, not even through others");
    assert_eq!(no["results"][0]["chain"][0]["line"], 0);
    assert_eq!(ask("shop/domain/later.py", "requests")["results"][0]["contract"], "pure");
    let through = ask("shop.util", "shop.web.views");
    assert_eq!(through["results"][0]["chain"][0]["importer"], "shop/domain/cart.py");
    assert_eq!(ask("shop.web.views", "shop.domain.old")["allowed"], true);
}
