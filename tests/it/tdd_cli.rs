//! The command line of sessions: the guard for hooks, looking at sessions, exchanging them.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::tdd_support::{Project, request};

fn run(mut command: Command, input: &str) -> Output {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that does not read its input may be gone by now.
    child.stdin.take().unwrap().write_all(input.as_bytes()).ok();
    child.wait_with_output().unwrap()
}

fn guard(project: &Project, arguments: &[&str], input: &str) -> (i32, String, String) {
    let output = run(project.program(&[&["tdd", "guard"], arguments].concat()), input);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn json_of(project: &Project, arguments: &[&str]) -> Value {
    let output = run(project.program(arguments), "");
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_guard_follows_the_session_from_phase_to_phase() {
    let project = Project::new();
    assert_eq!(guard(&project, &["calc.py"], ""), (0, String::new(), String::new()), "no session, no limits");
    let sessions = project.sessions();
    sessions.start(&request()).unwrap();
    assert_eq!(guard(&project, &["tests/test_calc.py"], "").0, 0);
    let (code, out, reason) = guard(&project, &["tests/test_calc.py", "calc.py"], "");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(reason.contains("`calc.py` is not to be edited in the phase write_test (cycle 1)"), "{reason}");
    assert!(reason.contains("tests/test_calc.py") && reason.lines().count() == 1, "{reason}");
    assert_eq!(guard(&project, &["README.md"], "").0, 2);
    assert_eq!(guard(&project, &["README.md", "--allow-unlisted"], "").0, 0);
    // The process that had the session is gone; its rules stay until the session is paused or ended.
    drop(sessions);
    assert_eq!(guard(&project, &["calc.py"], "").0, 2);
    let sessions = project.sessions();
    let id = sessions.current_id().unwrap().unwrap();
    sessions.resume(id.as_str()).unwrap();
    sessions.pause().unwrap();
    assert_eq!(guard(&project, &["calc.py"], "").0, 0);
}

#[test]
fn hooks_of_agents_are_understood() {
    let project = Project::new();
    let sessions = project.sessions();
    sessions.start(&request()).unwrap();
    let path = |file: &str| project.root().join(file).to_string_lossy().into_owned();
    let edit = |file: &str| json!({"tool_name": "Edit", "tool_input": {"file_path": path(file)}}).to_string();
    for client in ["claude-code", "cursor", "droid", "gemini"] {
        let arguments = ["--client", client];
        assert_eq!(guard(&project, &arguments, &edit("tests/test_calc.py")).0, 0, "{client}");
        let (code, _, reason) = guard(&project, &arguments, &edit("calc.py"));
        assert_eq!(code, 2, "{client}");
        assert!(reason.contains("calc.py"), "{reason}");
    }
    let patch = "*** Begin Patch\n*** Update File: calc.py\n+x\n*** End Patch";
    let patch = json!({"tool_name": "apply_patch", "tool_input": {"command": patch}}).to_string();
    assert_eq!(guard(&project, &["--client", "codex"], &patch).0, 2);
    let write = json!({"agent_action_name": "pre_write_code", "tool_info": {"file_path": path("calc.py")}}).to_string();
    assert_eq!(guard(&project, &["--client", "windsurf"], &write).0, 2);
    let create = json!({"toolName": "create", "toolArgs": json!({"path": path("calc.py")}).to_string()}).to_string();
    let (code, out, _) = guard(&project, &["--client", "copilot"], &create);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &answer["permissionDecision"]), (0, &json!("deny")));
    assert!(answer["permissionDecisionReason"].as_str().unwrap().contains("calc.py"));
    assert_eq!(guard(&project, &["--client", "claude-code"], "no json").0, 1);
    let look = json!({"tool_name": "Bash", "tool_input": {"description": "x"}}).to_string();
    assert_eq!(guard(&project, &["--client", "claude-code"], &look).0, 0);
}

#[test]
fn hook_entries_are_ready_to_use() {
    let project = Project::new();
    for (client, file) in [("claude-code", ".claude/settings.json"), ("copilot", ".github/hooks/tdd-guard.json")] {
        let (code, out, err) = guard(&project, &["--print-hook", client], "");
        let entry: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(code, 0);
        assert!(entry["hooks"].is_object() && err.contains(file), "{out} {err}");
    }
    assert_eq!(guard(&project, &["--print-hook", "notepad"], "").0, 2);
    let (code, _, err) = guard(&project, &["--print-hook", "opencode"], "");
    assert!(code == 2 && err.contains("`tapps-mcp init --client opencode --hooks`"), "{err}");
    assert_eq!(guard(&project, &[], "").0, 2);
}

#[test]
fn a_session_that_cannot_be_read_holds_edits_back_and_says_why() {
    let project = Project::new();
    let sessions = project.sessions();
    let id = sessions.start(&request()).unwrap().session_id;
    std::fs::write(project.log_path(&id), "spoilt\n").unwrap();
    let (code, _, reason) = guard(&project, &["tests/test_calc.py"], "");
    assert_eq!(code, 2);
    assert!(reason.contains("cannot be read") && reason.contains("move it away"), "{reason}");
    std::fs::rename(project.log_path(&id), project.root().join("away")).unwrap();
    assert_eq!(guard(&project, &["calc.py"], "").0, 0, "a session without a log restrains nobody");
}

#[test]
fn sessions_can_be_listed_read_and_exchanged() {
    let project = Project::new();
    let output = run(project.program(&["tdd", "status"]), "");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "no sessions\n");
    let sessions = project.sessions();
    let id = sessions.start(&request()).unwrap().session_id;
    sessions.log_note("line one\nline two").unwrap();
    let status = json_of(&project, &["tdd", "status", "--format", "json"]);
    assert_eq!(status["current"], id.as_str());
    assert_eq!(status["sessions"][0]["state"]["current_phase"], "write_test");
    assert!(status["sessions"][0]["locked_by"].as_str().unwrap().starts_with("tapps-mcp"));
    let output = run(project.program(&["tdd", "history"]), "");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().count() == 2 && text.contains(" - Log: line one line two\n"), "{text}");

    let document = json_of(&project, &["tdd", "export", &id]);
    assert_eq!(document["events"].as_array().unwrap().len(), 2);
    let other = Project::new();
    let output = run(other.program(&["tdd", "import", "-"]), &document.to_string());
    assert!(output.status.success(), "{output:?}");
    assert_eq!(json_of(&other, &["tdd", "export", &id]), document);
    let again = run(other.program(&["tdd", "import", "-"]), &document.to_string());
    assert_eq!(again.status.code(), Some(2));
    let unknown = run(other.program(&["tdd", "history", "../../x"]), "");
    assert_eq!(unknown.status.code(), Some(2));
}
