//! A server whose configuration cannot be used: it starts, says what is wrong through its tools, and works once it is mended.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::mcp_process::Process;
use crate::toolchain_support::{program, settings, stderr, toolchain};

struct Project(TempDir);

impl Project {
    fn new(configuration: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("fine.py"), "\"\"\"Fine.\"\"\"\n\nANSWER = 42\n").unwrap();
        let project = Self(folder);
        project.configure(configuration);
        project
    }

    fn configure(&self, text: &str) {
        fs::write(self.0.path().join("tapps-mcp.toml"), text).unwrap();
    }

    fn program(&self, arguments: &[&str]) -> Command {
        let mut command = program(&settings());
        for name in ["TAPPS_MCP_PROJECT_ROOT", "TAPPS_MCP_CONFIG", "TAPPS_MCP_HTTP_TOKEN"] {
            command.env_remove(name);
        }
        command.env("HOME", self.0.path()).current_dir(self.0.path()).args(arguments);
        command
    }

    fn serve(&self, arguments: &[&str]) -> Process {
        let mut server = Process::start(self.program(&[&["serve"], arguments].concat()));
        let greeting = server.handshake();
        assert_eq!(greeting["result"]["serverInfo"]["name"], "tapps-mcp", "{greeting}");
        server
    }
}

fn names(server: &mut Process) -> Vec<String> {
    let listed = server.request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

/// The error of a call, which must be one of the configuration.
fn fault(server: &mut Process, tool: &str, arguments: Value) -> Value {
    let answer = server.call(tool, arguments);
    assert_eq!(answer["isError"], true, "{tool}: {answer}");
    assert_eq!(answer["structuredContent"]["error_code"], "config_error", "{tool}: {answer}");
    answer["structuredContent"].clone()
}

#[test]
fn every_call_says_what_is_wrong_until_it_is_mended() {
    toolchain();
    let project = Project::new("# mine\npresett = \"strict\"\n");
    let mut server = project.serve(&[]);
    let tools = names(&mut server);
    assert_eq!(tools.len(), 20, "{tools:?}");
    for tool in &tools {
        let error = fault(&mut server, tool, json!({}));
        assert_eq!(error["message"], "tapps-mcp.toml:2: unknown key `presett`", "{tool}");
        let hint = error["hint"].as_str().unwrap();
        assert!(hint.starts_with("did you mean preset?") && hint.contains("call again"), "{tool}: {hint}");
    }
    let told = fault(&mut server, "tapps_server_info", json!({}));
    let known = &told["partial_results"];
    assert_eq!((&known["name"], known["tools_available"].as_array().map(Vec::len)), (&json!("tapps-mcp"), Some(20)));
    assert!(known["session_id"].is_string() && told["degraded"] == true, "{told}");
    assert!(known["degraded"][0].as_str().unwrap().contains("tapps-mcp.toml:2"), "{told}");
    let resource = server.request("resources/read", json!({"uri": "tapps://rules"}));
    assert!(resource["error"]["message"].as_str().unwrap().contains("tapps-mcp.toml:2"), "{resource}");

    // Another mistake: the error is that of the file as it is now.
    project.configure("[limits]\ndeadline_seconds = 0\n");
    let error = fault(&mut server, "tapps_quick_check", json!({"file_paths": ["fine.py"]}));
    assert!(error["message"].as_str().unwrap().starts_with("tapps-mcp.toml:2: `limits.deadline_seconds`"), "{error}");

    project.configure(
        "preset = \"strict\"\n[server]\ntools = [\"validate_tags\"]\ntoolsets = [\"quality\", \"project\"]\n",
    );
    let checked = server.call("tapps_quick_check", json!({"file_paths": ["fine.py"]}));
    assert_eq!(checked["structuredContent"]["verdict"], "clean_so_far", "{checked}");
    let info = server.call("tapps_server_info", json!({}))["structuredContent"].clone();
    assert_eq!(info["config"]["quality_preset"], "strict", "{info}");
    assert_eq!(info["session_id"], known["session_id"], "the session of the process stays the same");
    assert!(names(&mut server).contains(&"validate_tags".to_owned()));
    let resource = server.request("resources/read", json!({"uri": "tapps://rules"}));
    assert!(resource["result"]["contents"].is_array(), "{resource}");
}

#[test]
fn names_of_tools_in_the_configuration_are_told_with_their_place_and_those_of_the_command_line_at_once() {
    let project = Project::new("[server]\ntools = [\"tapps_scor_file\"]\n");
    let mut server = project.serve(&[]);
    let error = fault(&mut server, "tapps_stats", json!({}));
    assert_eq!(error["message"], "tapps-mcp.toml:2: `server.tools`: unknown tool `tapps_scor_file`");
    assert!(error["hint"].as_str().unwrap().contains("tapps_score_file"), "{error}");
    server.end();

    project.configure("presett = 1\n");
    let output = project.program(&["serve", "--tools", "tapps_scor_file"]).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("unknown tool `tapps_scor_file`"), "{}", stderr(&output));
}

#[test]
fn every_tool_takes_the_session_that_the_instructions_tell_of() {
    let project = Project::new("");
    let mut server = project.serve(&["--toolsets", "all"]);
    let listed = server.request("tools/list", json!({}));
    for tool in listed["result"]["tools"].as_array().unwrap() {
        let properties = &tool["inputSchema"]["properties"];
        assert_eq!(properties["session_id"]["type"], "string", "{}", tool["name"]);
        let described = |name: &str| properties[name]["description"].is_string();
        assert!(described("session_id") && (properties["cursor"].is_null() || described("cursor")), "{}", tool["name"]);
    }
    let info = server.call("tapps_server_info", json!({}))["structuredContent"].clone();
    let session = &info["session_id"];
    for (tool, arguments) in [
        ("tapps_consult_expert", json!({"question": "How large should a connection pool be?", "session_id": session})),
        ("tapps_list_experts", json!({"session_id": session})),
        ("tapps_server_info", json!({"session_id": session})),
        ("tdd_get_current_state", json!({"session_id": session})),
        ("tdd_quick_help", json!({"session_id": "00000000-0000-4000-8000-000000000000"})),
    ] {
        let answer = server.call(tool, arguments)["structuredContent"].clone();
        let code = answer["error_code"].as_str().unwrap_or_default();
        let message = answer["message"].as_str().unwrap_or_default();
        assert!(code != "invalid_argument" && !message.contains("session_id"), "{tool}: {answer}");
        // Without a session of test-driven development there is nothing to show.
        assert!(code.is_empty() || tool.starts_with("tdd_"), "{tool}: {answer}");
    }
    let known = server.call("tapps_server_info", json!({"session_id": session}))["structuredContent"].clone();
    assert_eq!(&known["session_id"], session);
}
