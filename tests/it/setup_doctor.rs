//! `tapps-mcp doctor`: a healthy machine, and one broken thing at a time.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use rstest::rstest;
use serde_json::Value;
use tempfile::TempDir;

use crate::toolchain_support::{
    copy_tree, folder, program, script, set_mode, settings, stderr, stdout, toolchain, unlock,
};

struct Machine {
    project: TempDir,
    home: TempDir,
}

impl Machine {
    fn new() -> Self {
        toolchain();
        let machine = Self { project: folder(), home: folder() };
        fs::write(machine.project.path().join("a.py"), "X = 1\n").unwrap();
        machine
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program(&settings());
        for name in [
            "XDG_CONFIG_HOME",
            "CODEX_HOME",
            "TAPPS_MCP_PROJECT_ROOT",
            "TAPPS_MCP_CONFIG",
            "TAPPS_MCP_BUNDLES",
            "VIRTUAL_ENV",
        ] {
            command.env_remove(name);
        }
        command.env("HOME", self.home.path()).current_dir(self.project.path()).args(arguments);
        command
    }
}

fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}{}", stdout(output), stderr(output)))
}

/// The checks of a status, by identifier.
fn of_status(report: &Value, status: &str) -> Vec<String> {
    let checks = report["checks"].as_array().unwrap().iter().filter(|check| check["status"] == status);
    checks.map(|check| check["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_healthy_machine_is_told_so() {
    let machine = Machine::new();
    let set_up = machine.command(&["init", "--client", "codex", "vscode"]).output().unwrap();
    assert!(set_up.status.success(), "{}", stderr(&set_up));
    let output = machine.command(&["doctor", "--json"]).output().unwrap();
    let report = report(&output);
    assert_eq!(output.status.code(), Some(0), "{report:#}");
    assert_eq!((&report["schemaVersion"], &report["overallStatus"]), (&1.into(), &"ok".into()), "{report:#}");
    assert_eq!(
        of_status(&report, "ok"),
        [
            "program.version",
            "project.boundary",
            "project.configuration",
            "project.state",
            "project.environment",
            "project.experts",
            "project.context7",
            "storage.data",
            "storage.cache",
            "storage.bundles",
            "toolchain.files",
            "toolchain.interpreter",
            "clients.codex.project.tapps",
            "clients.vscode.project.tapps",
            "server.handshake.2025-11-25",
            "server.handshake.2026-07-28",
        ]
    );
    for check in report["checks"].as_array().unwrap() {
        let fields = ["id", "category", "status", "summary", "details", "remediation", "durationMs"];
        assert!(fields.iter().all(|field| check.get(field).is_some()), "{check}");
    }
    let human = machine.command(&["doctor"]).output().unwrap();
    assert!(stdout(&human).ends_with("\nall is well\n"), "{}", stdout(&human));
}

/// Breaks one thing; further arguments and variables for the command come back.
type Break = fn(&Machine, &mut Command);

fn changed_tool(machine: &Machine, command: &mut Command) {
    let copy = machine.home.path().join("tools");
    copy_tree(toolchain().root(), &copy);
    unlock(&copy);
    let file = copy.join("lib/radon/metrics.py");
    set_mode(&file, 0o644);
    fs::write(&file, "import os\n").unwrap();
    command.env("TAPPS_MCP_TOOLCHAIN_DIR", copy);
}

fn no_tools(machine: &Machine, command: &mut Command) {
    command.env("TAPPS_MCP_DATA_DIR", machine.home.path().join("empty"));
}

fn no_python(_: &Machine, command: &mut Command) {
    command.env("TAPPS_MCP_PYTHON", "/nowhere/python3");
}

fn no_cache(machine: &Machine, command: &mut Command) {
    let file = machine.home.path().join("file");
    fs::write(&file, "").unwrap();
    command.env("TAPPS_MCP_CACHE_DIR", file.join("cache"));
}

fn unknown_key(machine: &Machine, _: &mut Command) {
    fs::write(machine.project.path().join("tapps-mcp.toml"), "presett = \"strict\"\n").unwrap();
}

fn unknown_toolset(machine: &Machine, _: &mut Command) {
    fs::write(machine.project.path().join("tapps-mcp.toml"), "[server]\ntoolsets = [\"nothing\"]\n").unwrap();
}

fn no_project(machine: &Machine, command: &mut Command) {
    command.arg("--project-root").arg(machine.project.path().join("gone"));
}

fn spoiled_bundle(machine: &Machine, command: &mut Command) {
    let folder = machine.home.path().join("bundles");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("python+requests+2.0.docs.zip"), "no zip").unwrap();
    command.env("TAPPS_MCP_BUNDLES", folder);
}

fn entry(folder: &Path, command: &str) {
    fs::create_dir_all(folder).unwrap();
    let text = format!(r#"{{"mcpServers": {{"quality": {{"command": "{command}", "args": ["serve"]}}}}}}"#);
    fs::write(folder.join("mcp.json"), text).unwrap();
}

fn program_has_gone(machine: &Machine, _: &mut Command) {
    entry(&machine.project.path().join(".cursor"), "/nowhere/bin/tapps-mcp");
}

fn another_version(machine: &Machine, _: &mut Command) {
    let old = script(machine.home.path(), "tapps-mcp", "#!/bin/sh\necho 'tapps-mcp 0.0.9'\n");
    entry(&machine.home.path().join(".cursor"), old.to_str().unwrap());
}

fn hook_of_another_machine(machine: &Machine, _: &mut Command) {
    let folder = machine.project.path().join(".gemini");
    fs::create_dir_all(&folder).unwrap();
    let line = "'/some one/bin/tapps-mcp' check --client gemini";
    let text = format!(r#"{{"hooks": {{"AfterTool": [{{"hooks": [{{"type": "command", "command": "{line}"}}]}}]}}}}"#);
    fs::write(folder.join("settings.json"), text).unwrap();
}

fn module_of_another_machine(machine: &Machine, _: &mut Command) {
    let folder = machine.project.path().join(".opencode/plugin");
    fs::create_dir_all(&folder).unwrap();
    let text = "// generator: tapps-mcp, version 0.0.1\nconst HOOKS = {\n  \"session.idle\": [\n    { \"command\": \"/gone/tapps-mcp hook end --client opencode\" }\n  ]\n}\n\nexport const TappsMcp = async () => ({})\n";
    fs::write(folder.join("tapps-mcp.js"), text).unwrap();
}

fn broken_list(machine: &Machine, _: &mut Command) {
    fs::write(machine.project.path().join(".mcp.json"), "{\n  \"mcpServers\": {\n").unwrap();
}

#[rstest]
#[case(changed_tool, "toolchain.files", "not as locked", "TAPPS_MCP_TOOLCHAIN_DIR")]
#[case(no_tools, "toolchain.files", "not installed", "tapps-mcp toolchain install")]
#[case(no_python, "toolchain.interpreter", "/nowhere/python3", "TAPPS_MCP_PYTHON")]
#[case(no_cache, "storage.cache", "cannot be written", "TAPPS_MCP_CACHE_DIR")]
#[case(unknown_key, "project.configuration", "presett", "preset")]
#[case(
    unknown_toolset,
    "server.handshake.2025-11-25",
    "tapps-mcp.toml:2: `server.toolsets`: unknown toolset `nothing`",
    "quality"
)]
#[case(no_project, "project.boundary", "gone", "TAPPS_MCP_PROJECT_ROOT")]
#[case(spoiled_bundle, "storage.bundles", "1 of 1 bundles", "docs bundle build")]
#[case(
    program_has_gone,
    "clients.cursor.project.quality",
    "/nowhere/bin/tapps-mcp",
    "init --client cursor --scope project"
)]
#[case(another_version, "clients.cursor.user.quality", "version 0.0.9", "init --client cursor --scope user")]
#[case(hook_of_another_machine, "clients.gemini.hooks", "/some one/bin/tapps-mcp", "init --client gemini --hooks")]
#[case(module_of_another_machine, "clients.opencode.hooks", "/gone/tapps-mcp", "init --client opencode --hooks")]
#[case(broken_list, "clients.claude-code.project", ".mcp.json:", "mend the file")]
fn what_is_broken_is_named_by_its_check(
    #[case] break_it: Break,
    #[case] id: &str,
    #[case] summary: &str,
    #[case] remedy: &str,
) {
    let machine = Machine::new();
    let mut command = machine.command(&["doctor", "--json"]);
    break_it(&machine, &mut command);
    let output = command.output().unwrap();
    let report = report(&output);
    assert_eq!(output.status.code(), Some(1), "{report:#}");
    assert_eq!(report["overallStatus"], "fail");
    let failed = of_status(&report, "fail");
    assert_eq!(failed[0], id, "{report:#}");
    assert!(failed.iter().all(|one| one == id || one.starts_with("server.handshake")), "{failed:?}");
    let checks = report["checks"].as_array().unwrap();
    let check = checks.iter().find(|check| check["id"] == id).unwrap();
    assert!(check["summary"].as_str().unwrap().contains(summary), "{check:#}");
    assert!(check["remediation"].as_str().unwrap().contains(remedy), "{check:#}");
}
