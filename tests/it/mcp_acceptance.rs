//! Published clients and the protocol's conformance suite against the server.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use rstest::rstest;
use serde_json::{Value, json};

use crate::acceptance_toolbox::{TOOLBOX, run};
use crate::mcp_process::example;
use crate::mcp_product;
use crate::systems::{self, System};

/// What a client does with the fixtures.
fn plan() -> Value {
    json!({
        "call": {"name": "test_echo", "arguments": {"text": "hi", "times": 2}},
        "bad": {"name": "test_echo", "arguments": {"txt": "hi"}},
        "cancel": {"name": "test_wait", "arguments": {"seconds": 50}},
        "after_cancel": {"name": "test_stopped", "arguments": {}},
        "panic": {"name": "test_panic", "arguments": {}},
        "progress": {"name": "test_tool_with_progress", "arguments": {}},
        "resource": "test://template/7/data",
        "prompt": {"name": "test_prompt_with_arguments", "arguments": {"arg1": "a", "arg2": "b"}}
    })
}

#[rstest]
#[case::python_auto("python", "auto", "2026-07-28")]
#[case::python_legacy("python", "legacy", "2025-11-25")]
#[case::python_pinned("python", "2026-07-28", "2026-07-28")]
#[case::script_v1("v1", "legacy", "2025-11-25")]
#[case::script_v2_auto("v2", "auto", "2026-07-28")]
#[case::script_v2_legacy("v2", "legacy", "2025-11-25")]
#[case::script_v2_pinned("v2", "2026-07-28", "2026-07-28")]
fn a_published_client_is_served(#[case] client: &str, #[case] mode: &str, #[case] version: &str) {
    if systems::require(System::PublishedClients).is_none() {
        return;
    }
    let mut command = if client == "python" {
        let mut command = Command::new(TOOLBOX.python());
        command.arg(TOOLBOX.file("python_client.py"));
        command
    } else {
        let mut command = TOOLBOX.node();
        command.arg(TOOLBOX.file("script_client.mjs")).arg(client);
        command
    };
    let output = run(command.arg(mode).arg(plan().to_string()).arg(example("conformance")).arg("--stdio"));
    let seen: Value = serde_json::from_slice(&output.stdout).unwrap();

    assert_eq!(seen["version"], version);
    assert!(seen["tools"].as_array().unwrap().contains(&json!("test_echo")));
    for call in ["call", "after_panic"] {
        assert_eq!(seen[call]["isError"], false);
        assert_eq!(seen[call]["structured"]["items"], json!(["hi", "hi"]));
        let text: Value = serde_json::from_str(seen[call]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, seen[call]["structured"]);
    }
    assert_eq!(seen["bad"]["isError"], true);
    assert_eq!(seen["bad"]["structured"]["error_code"], "invalid_argument");
    assert_eq!(seen["bad"]["structured"]["hint"], "did you mean text?");
    assert_eq!(seen["unknown"]["code"], -32602);
    assert_eq!(seen["cancelled"], true);
    assert_eq!(seen["after_cancel"]["structured"]["stopped"], 1);
    assert_eq!(seen["panic"]["isError"], true);
    assert_eq!(seen["panic"]["structured"]["error_code"], "internal");
    let notes: Vec<_> = seen["progress"].as_array().unwrap().iter().map(|note| (note[0].as_f64(), &note[2])).collect();
    let work = json!("work");
    assert_eq!(notes, [25.0, 50.0, 75.0].map(|progress| (Some(progress), &work)));
    assert_eq!(seen["resource"]["mimeType"], "application/json");
    assert!(seen["resource"]["text"].as_str().unwrap().contains("Data for ID: 7"));
    // The second generation of the TypeScript client shows the newer code for both eras.
    let newer = version == "2026-07-28" || client == "v2";
    assert_eq!(seen["missing"]["code"], if newer { -32602 } else { -32002 });
    assert_eq!(seen["prompt"], "Prompt with arguments: arg1='a', arg2='b'");
}

#[rstest]
#[case("legacy")]
#[case("modern")]
fn the_inspector_finds_nothing_to_complain_about(#[case] era: &str) {
    if systems::require(System::PublishedClients).is_none() {
        return;
    }
    let inspect = |arguments: &[&str]| {
        let mut command = TOOLBOX.package("@modelcontextprotocol/inspector/clients/launcher/build/index.js");
        command.args(["--cli", "--format", "json", "-q", "--protocol-era", era]).args(arguments);
        command.arg("--").arg(example("conformance")).arg("--stdio").stdin(Stdio::null()).output().unwrap()
    };
    let listed = inspect(&["--method", "tools/list", "--strict"]);
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    assert!(!String::from_utf8_lossy(&listed.stdout).contains("\"issue\""));
    let called =
        inspect(&["--method", "tools/call", "--tool-name", "test_echo", "--tool-args-json", r#"{"text":"hi"}"#]);
    let called: Value = serde_json::from_slice(&called.stdout).unwrap();
    assert_eq!(called["result"]["structuredContent"]["items"], json!(["hi"]));
    for (tool, code) in [("test_panic", 5), ("no_such_tool", 5)] {
        let refused = inspect(&["--method", "tools/call", "--tool-name", tool, "--tool-args-json", "{}"]);
        assert_eq!(refused.status.code(), Some(code), "{tool}");
    }
    let read = inspect(&["--method", "resources/read", "--uri", "test://template/7/data"]);
    let read: Value = serde_json::from_slice(&read.stdout).unwrap();
    assert_eq!(read["result"]["contents"][0]["mimeType"], "application/json");
    let prompt = inspect(&["--method", "prompts/get", "--prompt-name", "test_simple_prompt"]);
    let prompt: Value = serde_json::from_slice(&prompt.stdout).unwrap();
    assert_eq!(prompt["result"]["messages"][0]["content"]["text"], "This is a simple prompt for testing.");
}

#[rstest]
#[case("2025-11-25", 83)]
#[case("2026-07-28", 195)]
fn every_required_scenario_of_the_suite_passes(#[case] revision: &str, #[case] checks: u32) {
    if systems::require(System::PublishedClients).is_none() {
        return;
    }
    let mut server = Command::new(example("conformance"));
    let mut server =
        server.args(["--http", "127.0.0.1:0"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut url = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let mut suite = TOOLBOX.package("@modelcontextprotocol/conformance/dist/index.js");
    let output = suite.args(["server", "--url", url.trim(), "--requirements", revision]).output().unwrap();
    drop(server.stdin.take());
    server.wait().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let summary: String = text.lines().skip_while(|line| !line.contains("SUMMARY")).collect::<Vec<_>>().join("\n");
    assert!(output.status.success(), "{summary}");
    assert!(summary.contains(&format!("Total: {checks} passed, 0 failed")), "{summary}");
}

/// Scenarios that ask for no fixture: the product itself has to pass them.
const WITHOUT_FIXTURES: [(&str, &[&str]); 2] = [
    (
        "2025-11-25",
        &[
            "server-initialize",
            "server-session-lifecycle",
            "ping",
            "completion-complete",
            "tools-list",
            "resources-list",
            "prompts-list",
            "dns-rebinding-protection",
            "server-sse-multiple-streams",
            "server-sse-polling",
        ],
    ),
    (
        "2026-07-28",
        &[
            "completion-complete",
            "tools-list",
            "resources-list",
            "prompts-list",
            "dns-rebinding-protection",
            "server-sse-multiple-streams",
            "caching",
            "sep-2164-resource-not-found",
            "http-header-validation",
            "input-required-result-missing-input-response",
            "input-required-result-unsupported-methods",
            "input-required-result-ignore-extra-params",
            "input-required-result-validate-input",
        ],
    ),
];

#[test]
fn the_product_passes_every_scenario_that_needs_no_fixture() {
    if systems::require(System::PublishedClients).is_none() {
        return;
    }
    let (_project, http) = mcp_product::over_http();
    for (revision, scenarios) in WITHOUT_FIXTURES {
        let mut suite = TOOLBOX.package("@modelcontextprotocol/conformance/dist/index.js");
        // One run over all scenarios; those that need a fixture fail, the others must not.
        let output = suite.args(["server", "--url", &http.url, "--requirements", revision]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        for scenario in scenarios {
            let passed = text.lines().any(|line| line.starts_with(&format!("✓ {scenario}: ")));
            let line = text.lines().find(|line| line.contains(&format!(" {scenario}: ")));
            assert!(passed, "{revision} {scenario}: {line:?}");
        }
    }
}

#[rstest]
#[case("legacy")]
#[case("modern")]
fn the_schemas_of_the_product_are_portable(#[case] era: &str) {
    if systems::require(System::PublishedClients).is_none() {
        return;
    }
    let (_project, mut server) = mcp_product::over_streams();
    server.extend(["--toolsets", "all"].map(Into::into));
    let mut command = TOOLBOX.package("@modelcontextprotocol/inspector/clients/launcher/build/index.js");
    command.args(["--cli", "--format", "json", "--protocol-era", era, "--method", "tools/list", "--strict", "--"]);
    let output = command.args(server).stdin(Stdio::null()).output().unwrap();
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaints}");
    assert!(!complaints.contains("Issue:"), "{complaints}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("tapps_quality_gate"));
}

#[rstest]
#[case("python", "auto")]
#[case("python", "legacy")]
#[case("v1", "legacy")]
#[case("v2", "2026-07-28")]
fn a_published_client_uses_the_product(#[case] client: &str, #[case] mode: &str) {
    if systems::require(System::PublishedClients).is_none() {
        return;
    }
    let (_project, server) = mcp_product::over_streams();
    let mut command = if client == "python" {
        let mut command = Command::new(TOOLBOX.python());
        command.arg(TOOLBOX.file("python_client.py"));
        command
    } else {
        let mut command = TOOLBOX.node();
        command.arg(TOOLBOX.file("script_client.mjs")).arg(client);
        command
    };
    let plan = json!({
        "call": {"name": "tapps_quality_gate", "arguments": {"file_path": "broken.py"}},
        "bad": {"name": "tapps_quality_gate", "arguments": {"file_path": "broken.py", "preset": "strickt"}},
        "resource": "tapps://rules/ruff:F401",
        "prompt": {"name": "tapps_workflow", "arguments": {"task_type": "feature"}}
    });
    let output = run(command.arg(mode).arg(plan.to_string()).args(server));
    let seen: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(seen["call"]["isError"], false);
    assert_eq!(seen["call"]["structured"]["passed"], false);
    assert_eq!(seen["bad"]["structured"]["hint"], "did you mean strict?");
    assert_eq!(seen["unknown"]["code"], -32602);
    assert_eq!(seen["resource"]["mimeType"], "application/json");
    assert!(seen["prompt"].as_str().unwrap().contains("This task: a feature"));
}
