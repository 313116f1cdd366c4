//! The experts when vectors are asked for and there is no model: words answer, and everything says why.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::mcp_process::Process;
use crate::toolchain_support::{PROGRAM, folder, stderr, stdout};

pub(crate) const QUESTION: &str = "How large should a connection pool be?";

/// The program in a project, with folders of its own for everything else.
pub(crate) fn program(project: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).current_dir(project).stdin(Stdio::null());
    for name in ["TAPPS_MCP_PROJECT_ROOT", "TAPPS_MCP_EXPERTS_SEARCH", "TAPPS_MCP_EXPERTS_MODEL"] {
        command.env_remove(name);
    }
    command.env("TAPPS_MCP_OFFLINE", "1").env("XDG_CONFIG_HOME", project.join(".config"));
    command.env("TAPPS_MCP_CACHE_DIR", project.join(".cache"));
    command
}

pub(crate) fn json_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}{}", stdout(output), stderr(output)))
}

/// What `doctor` says of the experts.
pub(crate) fn check(report: &Value) -> Value {
    let checks = report["checks"].as_array().unwrap();
    checks.iter().find(|check| check["id"] == "project.experts").unwrap().clone()
}

/// The lexical answer, with the reason why it is one.
pub(crate) fn fell_back(answer: &Value, root: &Path) -> (String, String) {
    let mut lexical = json_of(&program(root, &["experts", "ask", QUESTION, "--format", "json"]).output().unwrap());
    assert_eq!(lexical.get("search"), None, "{lexical:#}");
    let search = answer["search"].clone();
    assert_eq!((&search["mode"], &search["wanted"]), (&"lexical".into(), &"hybrid".into()), "{search}");
    let (message, hint) =
        (search["fallback"]["message"].as_str().unwrap(), search["fallback"]["hint"].as_str().unwrap());
    lexical["notes"] = json!([format!("words alone were compared: {message}; {hint}")]);
    lexical["search"] = search.clone();
    assert_eq!(*answer, lexical);
    (search["fallback"]["reason"].as_str().unwrap().to_owned(), message.to_owned())
}

#[test]
fn without_a_model_words_answer_and_everything_says_so() {
    let project = folder();
    let root = project.path();
    // The project may ask for it; it may not say which folder of the machine is read.
    fs::write(root.join("tapps-mcp.toml"), "[experts]\nsearch = \"hybrid\"\n").unwrap();
    let plain = folder();
    let output = program(root, &["experts", "ask", QUESTION, "--format", "json"]).output().unwrap();
    let (reason, message) = fell_back(&json_of(&output), plain.path());
    let expected = if cfg!(feature = "vector") {
        ("no_model", "no model is configured")
    } else {
        ("not_built_in", "this program cannot read models")
    };
    assert_eq!((reason.as_str(), message.as_str()), expected);
    let listed = program(root, &["experts", "list"]).output().unwrap();
    assert!(stdout(&listed).contains(&format!("note: words alone are compared: {message}; ")), "{}", stdout(&listed));
    let searched = program(root, &["knowledge", "search", "connection pool", "--format", "json"]).output().unwrap();
    assert!(stderr(&searched).contains(&format!("words alone are compared: {message}")), "{}", stderr(&searched));
    let checked = check(&json_of(&program(root, &["doctor", "--json"]).output().unwrap()));
    assert_eq!(checked["status"], "warning", "{checked}");
    assert!(checked["summary"].as_str().unwrap().contains(&message), "{checked}");
    let mut server = Process::start(program(root, &["serve"]));
    server.handshake();
    let listed = server.request("tools/call", json!({"name": "tapps_list_experts", "arguments": {}}));
    assert_eq!(listed["result"]["structuredContent"]["search"]["fallback"]["reason"], reason, "{listed}");

    fs::write(root.join("tapps-mcp.toml"), "[experts]\nmodel = \"model\"\n").unwrap();
    let refused = program(root, &["experts", "ask", QUESTION]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        stderr(&refused).contains("tapps-mcp.toml:2: `experts.model` cannot be set by a project"),
        "{}",
        stderr(&refused)
    );
}

#[test]
fn nothing_that_reads_models_can_fetch_them() {
    let lock = include_str!("../../Cargo.lock");
    assert!(lock.contains("\nname = \"tokenizers\"\n"));
    for client in ["hf-hub", "ureq"] {
        assert!(!lock.contains(&format!("\nname = \"{client}\"\n")), "{client}");
    }
}
