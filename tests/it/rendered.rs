//! What people read, as it looks. `cargo insta review`, or `INSTA_UPDATE=always`, takes a changed text over.

use std::fs;

use crate::mcp_tools::program_in;
use crate::toolchain_support::{self, folder, inherit, program, settings};

/// A shop with one of most kinds of finding.
const FILES: &[(&str, &str)] = &[
    (
        "pyproject.toml",
        "[project]\nname = \"shop\"\nversion = \"1.0\"\nrequires-python = \">=3.11\"\ndependencies = [\"pyyaml==6.0.3\"]\n",
    ),
    ("README.md", "# Shop\n\nPrices and orders. #shop/orders\n"),
    ("shop/__init__.py", "\"\"\"Shop.\"\"\"\n"),
    (
        "shop/orders.py",
        "import os\nimport yaml\n\nfrom shop import prices\n\n\ndef place(command, items=[]):\n    unused = 1\n    for item in items:\n        \
         for other in items:\n            print(item, other)\n    return os.system(command + str(prices.total(items)))\n",
    ),
    (
        "shop/prices.py",
        "\"\"\"Prices.\"\"\"\n\n\ndef total(prices: list[int]) -> int:\n    \"\"\"The sum of all prices.\"\"\"\n    return sum(prices)\n",
    ),
    (
        "tests/test_prices.py",
        "from shop.prices import total\n\n\ndef test_total() -> None:\n    assert total([1, 2]) == 3\n",
    ),
    (
        "web/cart.ts",
        "export async function fill(ids: string[]): Promise<void> {\n  for (const id of ids) {\n    await fetch(`/cart/${id}`);\n  }\n}\n",
    ),
    ("Dockerfile", "FROM python:latest\nENV API_TOKEN=abcdef0123456789\nRUN cd /srv && make\n"),
];

/// What the program writes to standard output for a person, without times, versions of tools and digests.
fn rendered(arguments: &[&str]) -> String {
    toolchain_support::toolchain();
    let folder = folder();
    for (path, text) in FILES {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let mut command = program_in(folder.path(), arguments);
    inherit(&mut command, &program(&settings()));
    let output = command.env("NO_COLOR", "1").env("COLUMNS", "100").output().unwrap();
    assert!(output.stderr.iter().filter(|byte| **byte == b'\n').count() < 40, "{}", toolchain_support::stderr(&output));
    let root = folder.path().to_str().unwrap().to_owned();
    let text = toolchain_support::stdout(&output).replace(&root, "ROOT");
    format!("exit code {}\n{text}", output.status.code().unwrap())
}

/// Holds each command's text to its snapshot.
fn hold(commands: &[(&str, &[&str])]) {
    let mut filters = insta::Settings::clone_current();
    filters.add_filter(r"\b\d+(\.\d+)? m?s\b", "TIME");
    filters.add_filter(r"(?i)(toolchain) `?[0-9a-f]{12}`? verified \([^)]*\)", "$1 DIGEST verified (TOOLS)");
    filters.add_filter(r"\b[0-9a-f]{16,64}\b", "DIGEST");
    filters.add_filter(r"\d{4}-\d\d-\d\dT[0-9:.]+Z", "INSTANT");
    filters.set_omit_expression(true);
    filters.set_prepend_module_to_snapshot(false);
    filters.bind(|| commands.iter().for_each(|(name, arguments)| insta::assert_snapshot!(*name, rendered(arguments))));
}

#[test]
fn scores_and_gates_look_like_this() {
    hold(&[
        ("score", &["score", "shop/orders.py", "web/cart.ts"]),
        ("score_quick", &["score", "shop/prices.py", "--quick"]),
        ("check", &["check", "shop/orders.py"]),
        ("gate", &["gate", "."]),
    ]);
}

#[test]
fn reports_look_like_this() {
    hold(&[
        ("report_markdown", &["report", ".", "--format", "markdown"]),
        ("report_github", &["report", ".", "--format", "github"]),
    ]);
}

#[test]
fn project_tools_look_like_this() {
    hold(&[
        ("validate", &["validate"]),
        ("impact", &["impact", "shop/prices.py"]),
        ("profile", &["profile"]),
        ("tags_list", &["tags", "list"]),
        ("workflow_list", &["workflow", "list"]),
    ]);
}
