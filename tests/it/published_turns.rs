//! Whole turns of clients as they are published, with the hooks and the server that `init` has set up, and a scripted model.

use std::process::Command;

use serde_json::{Value, json};

use crate::mcp_process::Process;
use crate::mcp_tools::{names, program_in, tools};
use crate::published_clients::{CLAUDE, CODEX, COPILOT, DROID, GEMINI, OPENCODE, Place, QWEN};
use crate::scripted_model::{ScriptedModel, Step, Wire, offered_tools};
use crate::systems::{self, System};
use crate::tdd_support::request;
use crate::toolchain_support::{PROGRAM, stderr, stdout};

const BROKEN: &str = "def f() -> int:\n    \"\"\"Give.\"\"\"\n    return undefined_thing\n";
const WHOLE: &str = "def f() -> int:\n    \"\"\"Give.\"\"\"\n    return 2\n";

/// With this a hook sends an agent on.
const BLOCKED: &str = "What this session changed is blocked";

/// Has a client write a file that blocks, and mend it once it hears of that; returns all that its model was asked.
async fn turn(
    place: &Place,
    wire: Wire,
    [first, second]: [Step; 2],
    command: impl FnOnce(&str) -> Command,
) -> Vec<Value> {
    let model = ScriptedModel::start(wire, first, (BLOCKED, second)).await;
    let mut command = command(&model.address);
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let asked = model.asked();
    let heard: String = asked.iter().map(Value::to_string).collect();
    let said = stdout(&output) + &stderr(&output);
    assert!(output.status.success(), "{said}\n{heard}");
    let written = std::fs::read_to_string(place.root().join("new.py")).unwrap_or_else(|_| panic!("{said}\n{heard}"));
    assert_eq!(written, WHOLE, "{said}\n{heard}");
    for part in ["a change passes when it adds nothing that blocks", "round 1 of 3", "new.py:3: Undefined name"] {
        assert!(heard.contains(part), "{part}: {heard}");
    }
    assert!(!heard.contains("round 2 of 3"), "what was mended is not spoken of");
    asked
}

/// The check after the edit was heard besides the result of the edit, or in its place.
fn assert_checked(asked: &[Value]) {
    let before_the_end =
        asked.iter().map(Value::to_string).find(|text| !text.contains(BLOCKED) && text.contains("The edit was made"));
    assert!(before_the_end.is_some_and(|text| text.contains("new.py:3: Undefined name")), "{asked:?}");
}

/// Steps of a tool that writes a whole file.
fn writes(place: &Place, tool: &'static str, file: &str, content: &str) -> [Step; 2] {
    let path = format!("{}/new.py", place.trusted());
    [BROKEN, WHOLE].map(|text| Step { tool, arguments: json!({ file: path, content: text }) })
}

fn prepared(client: &str) -> Option<Place> {
    systems::require(System::Node)?;
    let place = Place::new();
    place.init(&["--client", client, "--hooks"]);
    Some(place)
}

fn trust_folder(place: &Place, home: &str, settings: &Value) {
    place.write_home(&format!("{home}/trustedFolders.json"), &json!({ place.trusted(): "TRUST_FOLDER" }).to_string());
    place.write_home(&format!("{home}/settings.json"), &settings.to_string());
}

fn claude(place: &Place, address: &str) -> Command {
    let mut command = place.client(CLAUDE);
    command.env("ANTHROPIC_BASE_URL", address).env("ANTHROPIC_API_KEY", "none");
    command.env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
    command.args(["-p", "write new.py", "--permission-mode", "acceptEdits", "--model", "claude-sonnet-4-5"]);
    command
}

fn codex(place: &Place, address: &str, model: &str) -> Command {
    let settings = format!(
        "model_provider = \"s\"\n[model_providers.s]\nname = \"s\"\nbase_url = \"{address}/v1\"\nwire_api = \"responses\"\n\
         env_key = \"SCRIPTED_KEY\"\n[projects.{:?}]\ntrust_level = \"trusted\"\n",
        place.trusted()
    );
    place.write_home(".codex/config.toml", &settings);
    let mut command = place.client(CODEX);
    command.env("SCRIPTED_KEY", "none").args(["exec", "--dangerously-bypass-approvals-and-sandbox"]);
    command.args(["--dangerously-bypass-hook-trust", "-m", model, "write new.py"]);
    command
}

fn copilot(place: &Place, address: &str) -> Command {
    place.write_home(".copilot/config.json", &json!({"trustedFolders": [place.trusted()]}).to_string());
    let mut command = place.client(COPILOT);
    command.env("COPILOT_PROVIDER_BASE_URL", format!("{address}/v1")).env("COPILOT_PROVIDER_TYPE", "openai");
    command.env("COPILOT_PROVIDER_API_KEY", "none").env("COPILOT_MODEL", "m").env("COPILOT_OFFLINE", "true");
    command.args(["-p", "write new.py", "--allow-all-tools", "--allow-all-paths"]);
    command
}

fn droid(place: &Place, address: &str) -> Command {
    let model = json!({
        "model": "m", "id": "custom:m-0", "index": 0, "displayName": "m", "baseUrl": format!("{address}/v1"),
        "apiKey": "none", "provider": "generic-chat-completion-api", "maxOutputTokens": 1000
    });
    place.write_home(".factory/settings.json", &json!({"customModels": [model]}).to_string());
    let mut command = place.client(DROID);
    command.args(["exec", "-m", "custom:m-0", "--skip-permissions-unsafe", "write new.py"]);
    command
}

fn gemini(place: &Place, address: &str) -> Command {
    trust_folder(place, ".gemini", &json!({"security": {"auth": {"selectedType": "gemini-api-key"}}}));
    let mut command = place.client(GEMINI);
    command.env("GOOGLE_GEMINI_BASE_URL", address).env("GEMINI_API_KEY", "none");
    command.args(["-p", "write new.py", "--approval-mode", "yolo", "-m", "gemini-2.5-flash"]);
    command
}

fn opencode(place: &Place, address: &str) -> Command {
    opencode_with(place, address, "m")
}

fn opencode_with(place: &Place, address: &str, model: &str) -> Command {
    let provider = json!({
        "npm": "@ai-sdk/openai-compatible", "models": {model: {"name": model}},
        "options": {"baseURL": format!("{address}/v1"), "apiKey": "none"}
    });
    let settings = json!({
        "provider": {"s": provider}, "model": format!("s/{model}"), "small_model": format!("s/{model}"), "autoupdate": false, "permission": "allow",
        // A busy machine takes longer than it waits by default.
        "experimental": {"mcp_timeout": 120_000}
    });
    place.write_home(".config/opencode/opencode.json", &settings.to_string());
    let mut command = place.client(OPENCODE);
    command.args(["run", "write new.py"]);
    command
}

fn qwen(place: &Place, address: &str) -> Command {
    trust_folder(place, ".qwen", &json!({"security": {"auth": {"selectedType": "openai"}}}));
    let mut command = place.client(QWEN);
    command.env("OPENAI_BASE_URL", format!("{address}/v1")).env("OPENAI_API_KEY", "none").env("OPENAI_MODEL", "m");
    command.args(["-p", "write new.py", "--approval-mode", "yolo"]);
    command
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_claude_code_goes_on_until_its_change_passes() {
    let Some(place) = prepared("claude-code") else { return };
    let steps = writes(&place, "Write", "file_path", "content");
    let asked = turn(&place, Wire::Anthropic, steps, |address| claude(&place, address)).await;
    assert_checked(&asked);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_codex_goes_on_until_its_change_passes() {
    let Some(place) = prepared("codex") else { return };
    let added: String = BROKEN.lines().map(|line| format!("+{line}\n")).collect();
    let steps = [
        format!("*** Begin Patch\n*** Add File: new.py\n{added}*** End Patch"),
        "*** Begin Patch\n*** Update File: new.py\n@@\n-    return undefined_thing\n+    return 2\n*** End Patch"
            .into(),
    ];
    let steps = steps.map(|patch| Step { tool: "apply_patch", arguments: patch.into() });
    // A model that is known to have that tool.
    let asked = turn(&place, Wire::Responses, steps, |address| codex(&place, address, "gpt-5.5")).await;
    assert_checked(&asked);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_copilot_goes_on_until_its_change_passes() {
    let Some(place) = prepared("copilot") else { return };
    let path = format!("{}/new.py", place.trusted());
    let steps = [
        Step { tool: "create", arguments: json!({"path": path, "file_text": BROKEN}) },
        Step { tool: "edit", arguments: json!({"path": path, "old_str": "undefined_thing", "new_str": "2"}) },
    ];
    turn(&place, Wire::Chat, steps, |address| copilot(&place, address)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_droid_goes_on_until_its_change_passes() {
    let Some(place) = prepared("droid") else { return };
    let path = format!("{}/new.py", place.trusted());
    let steps = [
        Step { tool: "Create", arguments: json!({"file_path": path, "content": BROKEN}) },
        Step { tool: "Edit", arguments: json!({"file_path": path, "old_str": "undefined_thing", "new_str": "2"}) },
    ];
    let asked = turn(&place, Wire::Chat, steps, |address| droid(&place, address)).await;
    assert_checked(&asked);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_gemini_goes_on_until_its_change_passes() {
    let Some(place) = prepared("gemini") else { return };
    let steps = writes(&place, "write_file", "file_path", "content");
    let asked = turn(&place, Wire::Gemini, steps, |address| gemini(&place, address)).await;
    assert_checked(&asked);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_qwen_code_goes_on_until_its_change_passes() {
    let Some(place) = prepared("qwen") else { return };
    let path = format!("{}/new.py", place.trusted());
    let steps = [
        Step { tool: "write_file", arguments: json!({"file_path": path, "content": BROKEN}) },
        Step {
            tool: "edit",
            arguments: json!({"file_path": path, "old_string": "undefined_thing", "new_string": "2"}),
        },
    ];
    let asked = turn(&place, Wire::Chat, steps, |address| qwen(&place, address)).await;
    assert_checked(&asked);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_opencode_goes_on_until_its_change_passes() {
    let Some(place) = prepared("opencode") else { return };
    let path = format!("{}/new.py", place.trusted());
    let steps = [
        Step { tool: "write", arguments: json!({"filePath": path, "content": BROKEN}) },
        Step { tool: "edit", arguments: json!({"filePath": path, "oldString": "undefined_thing", "newString": "2"}) },
    ];
    let asked = turn(&place, Wire::Chat, steps, |address| opencode(&place, address)).await;
    assert_checked(&asked);
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_is_let_go_after_three_rounds_from_a_folder_below_as_well() {
    let Some(place) = prepared("opencode") else { return };
    let added: String = BROKEN.lines().map(|line| format!("+{line}\n")).collect();
    let patch = format!("*** Begin Patch\n*** Add File: new.py\n{added}*** End Patch");
    let first = Step { tool: "apply_patch", arguments: json!({ "patchText": patch }) };
    let nothing = Step { tool: "glob", arguments: json!({ "pattern": "*.py" }) };
    let model = ScriptedModel::start(Wire::Chat, first, (BLOCKED, nothing)).await;
    let below = place.root().join("below");
    std::fs::create_dir(&below).unwrap();
    // A model that is known to patch.
    let mut command = opencode_with(&place, &model.address, "gpt-5");
    command.current_dir(&below).env("PWD", &below);
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let heard: String = model.asked().iter().map(Value::to_string).collect();
    assert!(output.status.success(), "{}{heard}", stderr(&output));
    assert_eq!(std::fs::read_to_string(below.join("new.py")).unwrap(), BROKEN);
    for part in ["The edit was made; this blocks:\\nbelow/new.py:3: ", "round 1 of 3", "round 3 of 3"] {
        assert!(heard.contains(part), "{part}: {heard}");
    }
    assert!(!heard.contains("round 4"), "{heard}");
    let told = stderr(&output);
    assert!(told.contains("tapps-mcp: after 3 rounds what this session changed is still blocked"), "{told}");
    assert!(!told.contains("tapps-mcp: tapps-mcp"), "{told}");
}

/// What OpenCode says on its error stream, and all that its model was asked, of a turn that writes one file.
async fn opencode_writes(place: &Place, file: &str) -> (String, String) {
    let path = format!("{}/{file}", place.trusted());
    let step = Step { tool: "write", arguments: json!({"filePath": path, "content": WHOLE}) };
    let model = ScriptedModel::start(Wire::Chat, step.clone(), (BLOCKED, step)).await;
    let mut command = opencode(place, &model.address);
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    assert!(output.status.success(), "{}{}", stdout(&output), stderr(&output));
    (stderr(&output), model.asked().iter().map(Value::to_string).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_hears_why_an_edit_is_refused_and_edits_when_the_program_is_gone() {
    let Some(place) = prepared("opencode") else { return };
    let boundary = std::sync::Arc::new(tapps_sandbox::Boundary::open(place.root()).unwrap());
    let repository = std::sync::Arc::new(tapps_tdd::FileRepository::new(place.root().join(".tdd-mcp/sessions")));
    tapps_tdd::Sessions::new(repository, boundary, None).start(&request()).unwrap();
    let calc = place.root().join("calc.py");
    let before = std::fs::read_to_string(&calc).unwrap();
    let (_, heard) = opencode_writes(&place, "calc.py").await;
    assert!(heard.contains("`calc.py` is not to be edited in the phase write_test"), "{heard}");
    assert_eq!(std::fs::read_to_string(&calc).unwrap(), before);

    let module = place.root().join(".opencode/plugin/tapps-mcp.js");
    let text = std::fs::read_to_string(&module).unwrap();
    let own = std::path::Path::new(PROGRAM).canonicalize().unwrap();
    std::fs::write(&module, text.replace(own.to_str().unwrap(), "/nowhere/tapps-mcp")).unwrap();
    let (said, _) = opencode_writes(&place, "calc.py").await;
    assert_eq!(std::fs::read_to_string(&calc).unwrap(), WHOLE, "{said}");
    assert!(said.contains("/nowhere/tapps-mcp") && said.contains("not found"), "{said}");
}

/// The names that a client gives the tools of a server end with the tool's own.
fn assert_all_offered(client: &str, wanted: &[&str], request: &Value) {
    let offered = offered_tools(request);
    let missing: Vec<&&str> = wanted.iter().filter(|tool| !offered.iter().any(|name| name.ends_with(**tool))).collect();
    assert!(missing.is_empty(), "{client} leaves out {missing:?} of {offered:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_hand_every_tool_of_the_server_to_their_model() {
    if systems::require(System::Node).is_none() {
        return;
    }
    let place = Place::new();
    std::fs::write(place.root().join("tapps-mcp.toml"), "server.toolsets = [\"all\"]\n").unwrap();
    place.init(&["--client", "claude-code", "codex", "copilot", "gemini", "opencode"]);
    let mut own = Process::start(program_in(place.root(), &["serve"]));
    own.handshake();
    let listed = tools(&mut own);
    let wanted = names(&listed);
    assert!(wanted.len() > 50, "{wanted:?}");
    type Started = fn(&Place, &str) -> Command;
    let all: [(&str, Wire, Started); 5] = [
        ("Claude Code", Wire::Anthropic, |place, address| {
            let mut command = claude(place, address);
            // Otherwise its model is told of many tools only when it looks for them.
            command.env("ENABLE_TOOL_SEARCH", "false").args(["--mcp-config", ".mcp.json"]);
            command
        }),
        // Models that it does not know are handed all tools at once.
        ("Codex CLI", Wire::Responses, |place, address| codex(place, address, "m")),
        ("Copilot CLI", Wire::Chat, copilot),
        ("Gemini CLI", Wire::Gemini, gemini),
        ("OpenCode", Wire::Chat, opencode),
    ];
    for (client, wire, command) in all {
        let nothing = Step { tool: "tapps_server_info", arguments: json!({}) };
        let model = ScriptedModel::start(wire, nothing.clone(), (BLOCKED, nothing)).await;
        let mut command = command(&place, &model.address);
        let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
        let asked = model.asked();
        let most = asked.iter().max_by_key(|request| offered_tools(request).len());
        let Some(request) = most else { panic!("{client}: {}{}", stdout(&output), stderr(&output)) };
        assert_all_offered(client, &wanted, request);
    }
}
