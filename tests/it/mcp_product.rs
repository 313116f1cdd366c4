//! The product's own server: what it lists, what it answers, and that every face says the same.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::mcp_process::{Process, ends_within_a_second};
use crate::mcp_tools::{canonical, output_schemas, structured, tools};
use crate::toolchain_support::{program, settings, stderr, toolchain};

/// Clean, and with something to say about.
const FINE: &str = "\"\"\"Adds.\"\"\"\n\n\ndef add(left: int, right: int) -> int:\n    \"\"\"Adds two numbers.\"\"\"\n    return left + right\n";
/// Blocks: the name does not exist. Also an unused import that can be removed safely.
const BROKEN: &str = "import os\n\n\ndef f():\n    return undefined_thing\n";
/// A severe weakness that bandit reports.
const SHELL: &str = "import subprocess\n\n\ndef run(command):\n    return subprocess.call(command, shell=True)\n";

/// A project with a few files, and the real tools.
struct Project(TempDir);

impl Project {
    fn new() -> Self {
        toolchain();
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("fine.py", FINE), ("broken.py", BROKEN), ("shell.py", SHELL)] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Self(folder)
    }

    fn program(&self, arguments: &[&str]) -> Command {
        let mut command = program(&settings());
        command.env_remove("TAPPS_MCP_PROJECT_ROOT").env_remove("TAPPS_MCP_HTTP_TOKEN");
        command.current_dir(self.0.path()).args(arguments);
        command
    }

    fn serve(&self, arguments: &[&str]) -> Process {
        let mut all = vec!["serve"];
        all.extend(arguments);
        let mut server = Process::start(self.program(&all));
        server.handshake();
        server
    }

    /// The JSON of a command.
    fn cli(&self, arguments: &[&str]) -> Value {
        let output = self.program(arguments).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)))
    }
}

#[test]
fn the_list_keeps_its_budgets_and_says_everything() {
    let project = Project::new();
    let mut server = Process::start(project.program(&["serve"]));
    let greeting = server.handshake();
    let instructions = greeting["result"]["instructions"].as_str().unwrap();
    assert!(instructions.len() <= 2_048, "{}", instructions.len());
    let listed = server.request("tools/list", json!({}));
    assert!(listed["result"].to_string().len() <= 120 * 1024);
    let mut context = 0;
    for tool in listed["result"]["tools"].as_array().unwrap() {
        let (name, about) = (tool["name"].as_str().unwrap(), tool["description"].as_str().unwrap());
        assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'), "{name}");
        assert!((40..600).contains(&about.chars().count()), "{name}: {}", about.chars().count());
        assert!(tool["title"].is_string() && tool["outputSchema"]["anyOf"].is_array(), "{name}");
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(tool["annotations"][hint].is_boolean(), "{name}: {hint}");
        }
        context += name.len() + about.len() + tool["inputSchema"].to_string().len();
    }
    assert!(context / 4 <= 5_000, "{} tokens", context / 4);
    let order: Vec<_> = listed["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(
        order,
        [
            "tapps_quality_gate",
            "tapps_quick_check",
            "tapps_score_file",
            "tapps_security_scan",
            "tapps_validate_changed",
            "tapps_consult_expert",
            "tapps_list_experts",
            "tapps_lookup_docs",
            "tapps_checklist",
            "tapps_dead_code",
            "tapps_dependency_graph",
            "tapps_dependency_scan",
            "tapps_feedback",
            "tapps_impact_analysis",
            "tapps_project_profile",
            "tapps_report",
            "tapps_server_info",
            "tapps_session_notes",
            "tapps_stats",
            "tapps_validate_config",
        ]
    );
}

#[test]
fn every_reply_fits_its_schema_and_the_budget() {
    let project = Project::new();
    let mut server = project.serve(&[]);
    let schemas = output_schemas(&mut server);
    let calls = [
        ("tapps_server_info", json!({})),
        ("tapps_score_file", json!({"file_path": "shell.py"})),
        ("tapps_score_file", json!({"file_path": "shell.py", "detail": "full"})),
        ("tapps_score_file", json!({"file_path": "broken.py", "quick": true, "categories": ["complexity"]})),
        ("tapps_score_file", json!({"file_path": "missing.py"})),
        ("tapps_quick_check", json!({"file_paths": ["broken.py", "fine.py"]})),
        ("tapps_quick_check", json!({"file_paths": ["broken.py", "fine.py"], "full": true})),
        ("tapps_quality_gate", json!({"file_path": "fine.py", "preset": "strict"})),
        ("tapps_quality_gate", json!({"file_path": "fine.py", "detail": "full"})),
        ("tapps_quality_gate", json!({"file_path": "../fine.py"})),
        ("tapps_validate_changed", json!({"file_paths": ["."]})),
        ("tapps_validate_changed", json!({"file_paths": ["."], "detail": "full"})),
        ("tapps_security_scan", json!({"file_path": "shell.py"})),
        ("tapps_security_scan", json!({"file_path": "shell.py", "detail": "full"})),
        ("tapps_checklist", json!({"task_type": "feature"})),
        ("tapps_dead_code", json!({})),
        ("tapps_dead_code", json!({"file_path": "gone"})),
        ("tapps_dependency_graph", json!({"include_tests": true})),
        ("tapps_dependency_scan", json!({})),
        ("tapps_project_profile", json!({})),
        ("tapps_project_profile", json!({"detail": "full"})),
        ("tapps_validate_config", json!({})),
        ("tapps_report", json!({"file_path": "fine.py", "format": "markdown"})),
        ("tapps_report", json!({"format": "html"})),
        ("tapps_impact_analysis", json!({"file_path": "fine.py", "change_type": "removed"})),
        ("tapps_session_notes", json!({"action": "save", "key": "a", "value": "b"})),
        ("tapps_session_notes", json!({"action": "get", "key": "a"})),
        ("tapps_session_notes", json!({"action": "list"})),
        ("tapps_session_notes", json!({"action": "search", "query": "b"})),
        ("tapps_feedback", json!({"outcome": "wrong", "rule": "bandit:B602", "file_path": "shell.py", "line": 5})),
        ("tapps_stats", json!({})),
        ("tapps_stats", json!({"all": true})),
        ("tapps_lookup_docs", json!({"library": "nobody-knows-this"})),
    ];
    for (tool, arguments) in calls {
        let result = server.call(tool, arguments.clone());
        let reply = &result["structuredContent"];
        let validator = jsonschema::validator_for(&schemas[tool]).unwrap();
        let errors: Vec<String> = validator.iter_errors(reply).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{tool} {arguments}: {errors:?}\n{reply}");
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(&text, reply, "{tool}");
        if arguments["detail"] != "full" {
            assert!(reply.to_string().len() <= 6_000, "{tool}: {}", reply.to_string().len());
        }
        assert_eq!(reply["meta"]["elapsed_ms"].is_u64(), result["isError"] == false, "{tool}");
    }
    let info = server.call("tapps_server_info", json!({}));
    assert!(info["structuredContent"].to_string().len() <= 3_200);
}

#[test]
fn command_line_streams_and_http_give_the_same_result() {
    let project = Project::new();
    let mut server = project.serve(&[]);
    let http = Http::start(&project);
    for (tool, arguments, command) in [
        ("tapps_score_file", json!({"file_path": "shell.py", "detail": "full"}), vec!["score", "shell.py"]),
        (
            "tapps_score_file",
            json!({"file_path": "broken.py", "detail": "full", "quick": true}),
            vec!["score", "broken.py", "--quick"],
        ),
        ("tapps_quality_gate", json!({"file_path": "fine.py", "detail": "full"}), vec!["gate", "fine.py"]),
        (
            "tapps_quality_gate",
            json!({"file_path": "broken.py", "preset": "strict", "detail": "full"}),
            vec!["gate", "broken.py", "--preset", "strict"],
        ),
        ("tapps_validate_changed", json!({"file_paths": ["."], "detail": "full"}), vec!["gate", "."]),
    ] {
        let by_command = project.cli(&[command.as_slice(), &["--format", "json"]].concat());
        let by_streams = server.call(tool, arguments.clone());
        let by_http = http.call(tool, &arguments);
        assert_eq!(canonical(structured(&by_streams)), canonical(&by_command), "{tool} {arguments}");
        assert_eq!(canonical(structured(&by_http)), canonical(&by_command), "{tool} {arguments}");
    }
}

/// The status, the kind and the text at a path of a server over HTTP.
fn get(url: &str, path: &str) -> (u16, String, String) {
    use std::io::{Read as _, Write as _};
    let address = url.strip_prefix("http://").unwrap().split('/').next().unwrap();
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let kind = head.lines().find_map(|line| line.strip_prefix("content-type: ")).unwrap_or_default();
    (status, kind.to_owned(), body.to_owned())
}

#[test]
fn a_server_over_http_tells_whether_it_lives_and_its_numbers() {
    let project = Project::new();
    let http = Http::start(&project);
    assert_eq!(get(&http.url, "/health"), (200, "application/json".to_owned(), json!({"status": "ok"}).to_string()));
    http.call("tapps_quality_gate", &json!({"file_path": "fine.py"}));
    http.call("tapps_quality_gate", &json!({"file_path": "broken.py"}));
    http.call("tapps_lookup_docs", &json!({"library": "no-such-library-here"}));
    assert_eq!(get(&http.url, "/ready").0, 200, "the gate has waited for the tools");
    let stats = structured(&http.call("tapps_stats", &json!({"all": true}))).clone();
    let (status, kind, text) = get(&http.url, "/metrics");
    assert_eq!((status, kind.as_str()), (200, "application/openmetrics-text; version=1.0.0; charset=utf-8"));
    let number = |sample: &str| -> f64 {
        let line = text.lines().find_map(|line| line.strip_prefix(sample)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{sample}\n{text}")).parse().unwrap()
    };
    assert_eq!(number("tapps_mcp_gates{outcome=\"passed\"}"), 1.0);
    assert_eq!(number("tapps_mcp_gates{outcome=\"failed\"}"), 1.0);
    assert_eq!(number("tapps_mcp_lookups{outcome=\"miss\"}"), 1.0);
    for tool in stats["tools"].as_array().unwrap().iter().filter(|tool| tool["tool"] != "tapps_stats") {
        let name = tool["tool"].as_str().unwrap();
        for (family, field) in [("calls", "calls"), ("calls_failed", "failed"), ("reply_tokens", "reply_tokens")] {
            assert_eq!(Some(number(&format!("tapps_mcp_{family}{{tool=\"{name}\"}}"))), tool[field].as_f64(), "{name}");
        }
    }
}

#[test]
fn a_quick_check_never_contradicts_the_gate() {
    let project = Project::new();
    let mut server = project.serve(&[]);
    for (file, blocked) in [("broken.py", true), ("fine.py", false), ("shell.py", false)] {
        let check = server.call("tapps_quick_check", json!({"file_paths": [file]}));
        let check = structured(&check);
        assert_eq!(check["verdict"], if blocked { "blocked" } else { "clean_so_far" }, "{file}");
        assert_eq!((&check["degraded"], check["files"][0].get("not_measured")), (&json!(false), None), "{file}");
        let next = check.get("next").and_then(Value::as_str);
        assert_eq!(next, (!blocked).then_some("tapps_quality_gate"), "what blocks is mended first");
        assert_eq!(check.get("passed"), None, "only the gate passes");
        let gate = server.call("tapps_quality_gate", json!({"file_path": file}));
        let gate = structured(&gate);
        assert!(!(blocked && gate["passed"] == true), "{file}: {gate}");
        let listed = gate["findings"].as_array().unwrap().len();
        let counted: u64 = gate["counts"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
        assert_eq!((listed == 0, counted > 0), (gate["passed"] == true, true), "{file}: {gate}");
        let full = server.call("tapps_quick_check", json!({"file_paths": [file], "full": true}));
        let full = structured(&full);
        assert_eq!(full["gate"]["passed"], gate["passed"], "{file}");
        assert_eq!(full["verdict"], check["verdict"], "{file}");
    }
}

#[test]
fn a_finding_costs_the_same_in_a_quick_check_and_at_the_gate() {
    let project = Project::new();
    let calls: String = (0..7)
        .map(|n| format!("\n\ndef run_{n}(command):\n    return subprocess.call(command, shell=True)\n"))
        .collect();
    fs::write(project.0.path().join("many.py"), format!("import subprocess\n{calls}")).unwrap();
    let mut server = project.serve(&[]);
    let points = |findings: &Value| -> BTreeMap<(String, u64), String> {
        let of = |one: &Value| (one["rule"].as_str().unwrap().to_owned(), one["line"].as_u64().unwrap());
        findings.as_array().unwrap().iter().map(|one| (of(one), one["points"].to_string())).collect()
    };
    let check = server.call("tapps_quick_check", json!({"file_paths": ["many.py"]}));
    let check = structured(&check);
    let row = &check["files"][0];
    assert_eq!((row["findings"].as_array().unwrap().len(), &row["truncated"]), (5, &json!(true)), "{check}");
    assert_eq!(check["more"], "detail: \"full\"");
    let whole = server.call("tapps_quick_check", json!({"file_paths": ["many.py"], "detail": "full"}));
    let whole = &structured(&whole)["files"][0];
    assert_eq!(row["findings_total"], whole["findings"].as_array().unwrap().len());
    assert_eq!(whole.get("truncated"), None);
    let gate = server.call("tapps_quality_gate", json!({"file_path": "many.py"}));
    let score = server.call("tapps_score_file", json!({"file_path": "many.py"}));
    let at_gate = points(&structured(&gate)["findings"]);
    let checked = points(&whole["findings"]);
    assert!(checked.len() >= 7, "{checked:?}");
    for (place, cost) in &checked {
        assert_eq!(at_gate.get(place), Some(cost), "{place:?}");
    }
    assert_eq!(points(&structured(&score)["findings"]), at_gate);
    // Short replies name bytes and tools by the beginnings of their digests, full ones wholly.
    for reply in [&gate, &score] {
        let reply = structured(reply);
        assert_eq!(reply["sha256"].as_str().unwrap().len(), 12, "{reply}");
        assert_eq!(reply["toolchain"]["fingerprint"].as_str().unwrap().len(), 12);
        assert_eq!(reply.get("tool_versions"), None);
    }
    let full = server.call("tapps_score_file", json!({"file_path": "many.py", "detail": "full"}));
    let full = &structured(&full)["files"][0];
    assert_eq!(full["toolchain"]["fingerprint"].as_str().unwrap().len(), 64);
    assert!(full["tool_versions"]["bandit"].is_string());
    let gains: Vec<f64> = structured(&score)["suggestions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["points"].as_f64().unwrap() / one["effort"].as_f64().unwrap())
        .collect();
    assert!(gains.len() > 1 && gains.is_sorted_by(|a, b| a >= b), "{gains:?}");
}

#[test]
fn fixing_needs_quick_and_changes_the_file_and_a_read_only_server_refuses() {
    let project = Project::new();
    let file = project.0.path().join("broken.py");
    let fix = json!({"file_path": "broken.py", "quick": true, "fix": true});
    let mut guarded = project.serve(&["--read-only"]);
    let refused = guarded.call("tapps_score_file", fix.clone());
    assert_eq!(refused["structuredContent"]["error_code"], "invalid_argument");
    assert!(refused["structuredContent"]["message"].as_str().unwrap().contains("read-only"), "{refused}");
    let listed = tools(&mut guarded);
    let score = listed.iter().find(|tool| tool["name"] == "tapps_score_file").unwrap();
    assert_eq!(score["inputSchema"]["properties"].get("fix"), None);
    assert_eq!(score["annotations"]["readOnlyHint"], true);

    let mut server = project.serve(&[]);
    let slow = server.call("tapps_score_file", json!({"file_path": "broken.py", "fix": true}));
    assert_eq!(slow["structuredContent"]["message"], "`fix: true` requires `quick: true`");
    assert_eq!(fs::read_to_string(&file).unwrap(), BROKEN);
    let fixed = server.call("tapps_score_file", fix);
    assert_eq!(structured(&fixed)["fixes_applied"], 1);
    assert!(!fs::read_to_string(&file).unwrap().contains("import os"));
}

#[test]
fn the_checklist_knows_the_session_and_the_bytes() {
    let project = Project::new();
    let mut server = project.serve(&[]);
    let missing = |server: &mut Process| {
        let list = server.call("tapps_checklist", json!({"task_type": "feature"}));
        let names = structured(&list)["missing"].as_array().unwrap().clone();
        names.iter().map(|missing| missing["tool"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    server.call("tapps_quick_check", json!({"file_paths": ["fine.py"]}));
    assert!(missing(&mut server).contains(&"tapps_quality_gate".to_owned()));
    server.call("tapps_quality_gate", json!({"file_path": "fine.py"}));
    assert!(!missing(&mut server).contains(&"tapps_quality_gate".to_owned()));
    fs::write(project.0.path().join("fine.py"), format!("{FINE}\n\nMORE = 1\n")).unwrap();
    assert!(missing(&mut server).contains(&"tapps_quality_gate".to_owned()));
    let wrong = server.call("tapps_checklist", json!({"session_id": "no-such-session"}));
    assert_eq!(wrong["structuredContent"]["error_code"], "invalid_session");

    let http = Http::start(&project);
    // A connection that has a session of its own needs to name none.
    let own = http.call("tapps_checklist", &json!({}));
    assert!(structured(&own)["missing"].as_array().is_some_and(|missing| !missing.is_empty()), "{own}");
    let info = http.call("tapps_server_info", &json!({}));
    let session = structured(&info)["session_id"].clone();
    http.call("tapps_quick_check", &json!({"file_paths": ["fine.py"], "session_id": session}));
    let list = http.call("tapps_checklist", &json!({"session_id": session}));
    assert!(structured(&list)["called"].as_array().unwrap().contains(&json!("tapps_quick_check")), "{list}");
}

#[test]
fn resources_and_the_prompt_can_be_read_and_completed() {
    let project = Project::new();
    let mut server = project.serve(&[]);
    let listed = server.request("resources/list", json!({}));
    let uris: Vec<_> = listed["result"]["resources"].as_array().unwrap().iter().map(|one| one["uri"].clone()).collect();
    assert_eq!(
        uris,
        [
            "tapps://config/quality-presets",
            "tapps://config/scoring-weights",
            "tapps://rules",
            "tapps://toolchain",
            "ui://tapps-mcp/verdict"
        ]
    );
    let mut read = |uri: &str| {
        let answer = server.request("resources/read", json!({ "uri": uri }));
        let contents = &answer["result"]["contents"][0];
        assert_eq!(contents["mimeType"], "application/json", "{uri}");
        serde_json::from_str::<Value>(contents["text"].as_str().unwrap()).unwrap()
    };
    let presets = read("tapps://config/quality-presets");
    assert_eq!((&presets["default"], &presets["presets"]["strict"]["overall"]), (&json!("standard"), &json!(80.0)));
    assert_eq!(read("tapps://config/scoring-weights")["weights"]["security"], 0.27);
    assert!(read("tapps://rules?part=all").as_array().unwrap().len() > 100);
    assert_eq!(read("tapps://rules/ruff:F821")["blocking"], true);
    assert!(!read("tapps://toolchain?part=all")["lock"]["artifacts"].as_array().unwrap().is_empty());
    let missing = server.request("resources/read", json!({"uri": "tapps://rules/ruff:X999"}));
    assert_eq!(missing["error"]["code"], -32002);
    let prompt = server.request("prompts/get", json!({"name": "tapps_workflow", "arguments": {"task_type": "bugfix"}}));
    let text = prompt["result"]["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains("This task: a bug fix"), "{text}");
    let mut complete = |reference: Value, name: &str, typed: &str| {
        let params = json!({"ref": reference, "argument": {"name": name, "value": typed}});
        server.request("completion/complete", params)["result"]["completion"].clone()
    };
    let types = complete(json!({"type": "ref/prompt", "name": "tapps_workflow"}), "task_type", "re");
    assert_eq!(types["values"], json!(["refactor", "review", "release"]));
    let rules = complete(json!({"type": "ref/resource", "uri": "tapps://rules/{rule}"}), "rule", "ruff:F82");
    assert!(rules["values"].as_array().unwrap().contains(&json!("ruff:F821")), "{rules}");
}

#[test]
fn members_of_workflow_families_are_listed_and_can_be_read() {
    let project = Project::new();
    let mut server = project.serve(&["--toolsets", "all"]);
    let listed = server.request("resources/list", json!({}));
    let addresses: Vec<&str> =
        listed["result"]["resources"].as_array().unwrap().iter().filter_map(|one| one["uri"].as_str()).collect();
    for fixed in [
        "available-workflows://all",
        "current-step://current",
        "guardrails://active",
        "persona://default",
        "project-context://current",
        "workflow-artifacts://recent",
        "workflow-status://current",
    ] {
        assert!(addresses.contains(&fixed), "{fixed}: {addresses:?}");
        let read = server.request("resources/read", json!({"uri": fixed}));
        assert!(read["result"]["contents"][0]["text"].is_string(), "{fixed}: {read}");
    }
}

#[test]
fn a_member_of_the_project_has_a_profile_of_its_own_and_auto_means_by_name() {
    let project = Project::new();
    let member = project.0.path().join("web");
    fs::create_dir(&member).unwrap();
    fs::write(member.join("index.ts"), "export const one = 1;\n").unwrap();
    fs::write(project.0.path().join("Dockerfile"), "FROM python:3.13\n").unwrap();
    let mut server = project.serve(&["--toolsets", "all"]);
    let mut call = |name: &str, arguments: Value| structured(&server.call(name, arguments)).clone();
    let profile = call("tapps_project_profile", json!({"project_root": "web"}));
    assert_eq!(profile["languages"][0]["name"], "typescript", "{profile}");
    assert_eq!(profile["languages"].as_array().map(Vec::len), Some(1), "{profile}");
    let auto = call("tapps_validate_config", json!({"file_path": "Dockerfile", "config_type": "auto"}));
    let plain = call("tapps_validate_config", json!({"file_path": "Dockerfile"}));
    assert_eq!((canonical(&auto), &auto["files"][0]["kinds"]), (canonical(&plain), &json!(["dockerfile"])), "{auto}");
    let info = call("tapps_server_info", json!({}));
    assert_eq!(info["config"]["config_source"], json!(["TAPPS_MCP_CACHE_DIR", "TAPPS_MCP_DATA_DIR"]), "{info}");
    assert!(info["external_tools"]["ruff"]["install_hint"].is_null(), "{info}");
}

#[test]
fn unknown_names_stop_the_server_with_the_nearest() {
    let project = Project::new();
    for (arguments, near) in [
        (["serve", "--toolsets", "qualty"], "quality"),
        (["serve", "--tools", "tapps_scor_file"], "tapps_score_file"),
        (["serve", "--exclude-tools", "tapps_scor_file"], "tapps_score_file"),
    ] {
        let output = project.program(&arguments).stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(near), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
    let output = project.program(&["serve", "--http", "0.0.0.0:0"]).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("TAPPS_MCP_HTTP_TOKEN"), "{}", stderr(&output));
}

#[test]
fn a_cancelled_gate_and_a_departed_client_leave_nothing_running() {
    let project = Project::new();
    let mut server = project.serve(&[]);
    for index in 0..40 {
        fs::write(project.0.path().join(format!("file{index}.py")), SHELL).unwrap();
    }
    let id = server.begin("tools/call", json!({"name": "tapps_validate_changed", "arguments": {"file_paths": ["."]}}));
    std::thread::sleep(Duration::from_millis(400));
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    let check = server.call("tapps_quick_check", json!({"file_paths": ["fine.py"]}));
    assert_eq!(structured(&check)["verdict"], "clean_so_far");
    ends_within_a_second("a gate", || {
        let mut server = project.serve(&[]);
        server.begin("tools/call", json!({"name": "tapps_validate_changed", "arguments": {"file_paths": ["."]}}));
        std::thread::sleep(Duration::from_millis(400));
        server
    });
}

/// The product over HTTP.
pub(crate) struct Http {
    child: std::process::Child,
    pub(crate) url: String,
    runtime: tokio::runtime::Runtime,
    client: rmcp::service::RunningService<rmcp::RoleClient, ()>,
}

impl Http {
    fn start(project: &Project) -> Self {
        use std::io::BufRead as _;
        let mut command = project.program(&["serve", "--http", "127.0.0.1:0"]);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = std::io::BufReader::new(child.stderr.take().unwrap()).lines();
        let url = lines.find_map(|line| line.unwrap().strip_prefix("listening at ").map(str::to_owned)).unwrap();
        // The log has to be read on, or the server would block on a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let client = runtime.block_on(async {
            // The client is built without a provider of its own; another test may have installed this one already.
            rustls::crypto::ring::default_provider().install_default().ok();
            let transport = rmcp::transport::StreamableHttpClientTransport::from_uri(url.as_str());
            rmcp::ServiceExt::serve((), transport).await.unwrap()
        });
        Self { child, url, runtime, client }
    }

    fn call(&self, tool: &str, arguments: &Value) -> Value {
        let request = rmcp::model::CallToolRequestParams::new(tool.to_owned())
            .with_arguments(arguments.as_object().unwrap().clone());
        let result = self.runtime.block_on(self.client.call_tool(request)).unwrap();
        serde_json::to_value(&result).unwrap()
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// The product over HTTP in a project of its own, for programs that take an address.
pub(crate) fn over_http() -> (impl Sized, Http) {
    let project = Project::new();
    let http = Http::start(&project);
    (project, http)
}

/// How to start the product in a project of its own over standard streams.
pub(crate) fn over_streams() -> (TempDir, Vec<String>) {
    let Project(folder) = Project::new();
    let root = folder.path().display().to_string();
    let settings = settings();
    let words = [
        "env".to_owned(),
        format!("TAPPS_MCP_DATA_DIR={}", settings.data_dir.display()),
        format!("TAPPS_MCP_CACHE_DIR={}", settings.cache_dir.display()),
        crate::toolchain_support::PROGRAM.to_owned(),
        "serve".to_owned(),
        "--project-root".to_owned(),
        root,
    ];
    (folder, words.to_vec())
}

/// A day of an eager client: eight calls in flight, of everything that answers from memory, the disk and the cache.
#[test]
fn twenty_thousand_calls_eight_at_a_time_are_all_answered_in_flat_memory() {
    const CALLS: usize = 20_000;
    const IN_FLIGHT: usize = 8;
    let project = Project::new();
    let mut server = project.serve(&["--toolsets", "all"]);
    let call = |tool: &str, arguments: Value| ("tools/call", json!({"name": tool, "arguments": arguments}));
    let mixed = [
        call("tapps_server_info", json!({})),
        call("tapps_quick_check", json!({"file_paths": ["fine.py"]})),
        call("tapps_list_experts", json!({})),
        call("tapps_checklist", json!({})),
        ("resources/read", json!({"uri": "tapps://rules/ruff:F401"})),
        call("tapps_quality_gate", json!({"file_path": "broken.py"})),
        ("prompts/list", json!({})),
        call("tapps_feedback", json!({"tool": "tapps_quick_check", "outcome": "right"})),
    ];
    // What is computed once is computed before anything is counted.
    for (method, parameters) in &mixed {
        let answer = server.request(method, parameters.clone());
        assert!(answer["error"].is_null(), "{answer}");
        assert_ne!(answer["result"]["isError"], true, "{answer}");
    }
    let mut sent = 0;
    let mut send = |server: &mut Process| {
        let (method, parameters) = &mixed[sent % mixed.len()];
        sent += 1;
        server.begin(method, parameters.clone())
    };
    let mut waiting: std::collections::BTreeSet<u64> = (0..IN_FLIGHT).map(|_| send(&mut server)).collect();
    let mut early = None;
    for answered in 0..CALLS {
        let answer: Value = serde_json::from_str(&server.line()).unwrap();
        assert!(waiting.remove(&answer["id"].as_u64().unwrap()), "{answer}");
        assert!(answer["error"].is_null() && answer["result"]["isError"] != true, "{answer}");
        if answered == CALLS / 5 {
            early = server.usage();
        }
        if answered + IN_FLIGHT < CALLS {
            waiting.insert(send(&mut server));
        }
    }
    assert!(waiting.is_empty());
    if let (Some((early, _)), Some((late, _))) = (early, server.usage()) {
        assert!(late < early + 8_192, "{early} → {late} KiB");
    }
    let (_, status) = server.end();
    assert!(status.success());
}
