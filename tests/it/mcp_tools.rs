//! The tools of a server as its client sees them, and its replies.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Map, Value, json};
use tapps_base::digest::canonical_json;

use crate::mcp_process::Process;

/// The program in a folder, without a network and without what this user has set.
pub(crate) fn program_in(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tapps-mcp"));
    command.args(arguments).current_dir(folder).env_remove("TAPPS_MCP_PROJECT_ROOT").env_remove("CODEREF_CLI_PATH");
    command.env("TAPPS_MCP_OFFLINE", "1").env("XDG_CONFIG_HOME", folder.join(".config")).stdin(Stdio::null());
    command
}

/// A server with one toolset that is ready for calls.
pub(crate) fn serve_toolset(folder: &Path, toolset: &str, arguments: &[&str]) -> Process {
    let mut server = Process::start(program_in(folder, &[&["serve", "--toolsets", toolset], arguments].concat()));
    server.handshake();
    server
}

pub(crate) fn tools(server: &mut Process) -> Vec<Map<String, Value>> {
    let listed = server.request("tools/list", json!({}));
    listed["result"]["tools"].as_array().unwrap().iter().map(|tool| tool.as_object().unwrap().clone()).collect()
}

/// The schema of each tool's reply.
pub(crate) fn output_schemas(server: &mut Process) -> Map<String, Value> {
    let named = |tool: Map<String, Value>| (tool["name"].as_str().unwrap().to_owned(), tool["outputSchema"].clone());
    tools(server).into_iter().map(named).collect()
}

pub(crate) fn names(tools: &[Map<String, Value>]) -> Vec<&str> {
    tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

/// Tokens of what a client loads of tools before it calls any.
pub(crate) fn tokens(tools: &[Map<String, Value>]) -> usize {
    let size = |tool: &Map<String, Value>| {
        tool["name"].as_str().unwrap().len()
            + tool["description"].as_str().unwrap().len()
            + tool["inputSchema"].to_string().len()
    };
    tools.iter().map(size).sum::<usize>() / 4
}

/// The structured content of a reply that is no error.
pub(crate) fn structured(result: &Value) -> &Value {
    assert_eq!(result["isError"], false, "{result}");
    &result["structuredContent"]
}

/// The canonical form of a result without its one `meta`, which holds a clock.
pub(crate) fn canonical(value: &Value) -> String {
    let mut value = value.clone();
    value.as_object_mut().unwrap().remove("meta");
    canonical_json(&value).unwrap()
}
