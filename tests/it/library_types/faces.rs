//! The command line and the server say the same of types of libraries.

use serde_json::{Value, json};

use super::decisions::{FOUND, project};
use crate::mcp_process::Process;
use crate::mcp_tools::structured;
use crate::scoring::support::Project;
use crate::toolchain_support::{program, settings, stderr, stdout, toolchain};

fn command(project: &Project, arguments: &[&str]) -> std::process::Command {
    toolchain();
    let mut command = program(&settings());
    command.env_remove("TAPPS_MCP_PROJECT_ROOT").current_dir(project.root()).args(arguments);
    command
}

fn cli(project: &Project, arguments: &[&str]) -> Value {
    let output = command(project, arguments).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)))
}

#[test]
fn every_face_finds_the_error_and_names_the_types() {
    let project = project("httpx==0.28.1\n", &["httpx"]);
    let score = cli(&project, &["score", "client.py", "--format", "json"]);
    let file = &score["files"][0];
    let message = file["mypy_errors"][0]["message"].as_str().unwrap();
    assert!(FOUND.ends_with(message), "{message}");
    let types = &file["toolchain"]["types"];
    assert_eq!((&types["as_installed"], &types["locked"], &types["without"]), (&json!(1), &json!(0), &json!(0)));
    let gate = cli(&project, &["gate", "client.py", "--format", "json"]);
    assert_eq!(&gate["toolchain"]["types"], types);
    let mut server = Process::start(command(&project, &["serve"]));
    server.handshake();
    let answer = server.call("tapps_score_file", json!({"file_path": "client.py", "detail": "full"}));
    assert_eq!(&structured(&answer)["files"][0]["toolchain"]["types"], types);
    assert_eq!(structured(&answer)["files"][0]["mypy_errors"], file["mypy_errors"]);
    // In the worker that stays, after an edit, and alone again.
    let path = project.path("client.py");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("-> str", "-> int")).unwrap();
    let clean = server.call("tapps_score_file", json!({"file_path": "client.py", "detail": "full"}));
    assert_eq!(structured(&clean)["files"][0]["mypy_errors"], json!([]));
    std::fs::write(&path, text).unwrap();
    let again = server.call("tapps_score_file", json!({"file_path": "client.py", "detail": "full"}));
    assert_eq!(structured(&again)["files"][0]["mypy_errors"], file["mypy_errors"]);
}

#[test]
fn people_are_told_what_was_left_out() {
    let project = project("httpx==0.27.0\n", &["httpx"]);
    let output = command(&project, &["score", "client.py", "--color", "never"]).output().unwrap();
    let text = stdout(&output);
    assert!(text.contains("(0 locked, 0 as installed, 1 without)"), "{text}{}", stderr(&output));
    assert!(text.contains("no types of httpx: 0.28.1 is installed, requirements.txt has 0.27.0"), "{text}");
    project.write("tapps-mcp.toml", b"types = \"none\"\n");
    let output = command(&project, &["score", "client.py"]).output().unwrap();
    assert!(!stdout(&output).contains("types of libraries"));
}
