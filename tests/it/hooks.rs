//! Hooks of agents as agents run them: a fault of this program stops nobody, a refusal stops the edit, and the command
//! lines find the project wherever it is.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tapps_tdd::hook::HookClient;
use tempfile::TempDir;

use crate::tdd_support::{Project, request};
use crate::toolchain_support::{PROGRAM, inherit, program, settings, stderr, stdout, toolchain};

/// Blocks: the name does not exist.
const BROKEN: &str = "def f():\n    return undefined_thing\n";

fn run(mut command: Command, input: &str) -> Output {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that does not read its input may be gone by now.
    child.stdin.take().unwrap().write_all(input.as_bytes()).ok();
    child.wait_with_output().unwrap()
}

/// What an agent sends when a file is about to be edited, or was.
fn edit(client: HookClient, file: &Path) -> String {
    match client {
        HookClient::Codex => {
            let patch = format!("*** Begin Patch\n*** Update File: {}\n+x\n*** End Patch", file.display());
            json!({"tool_name": "apply_patch", "tool_input": {"command": patch}})
        }
        HookClient::Copilot => json!({"toolName": "edit", "toolArgs": json!({"path": file}).to_string()}),
        HookClient::Windsurf => json!({"agent_action_name": "write_code", "tool_info": {"file_path": file}}),
        _ => json!({"tool_name": "Edit", "tool_input": {"file_path": file}}),
    }
    .to_string()
}

#[test]
fn a_fault_of_this_program_ends_a_hook_with_code_1() {
    for client in HookClient::ALL {
        let name = client.as_str();
        for hook in [&["tdd", "guard"][..], &["check"]] {
            let project = Project::new();
            project.write("a.py", "X = 1\n");
            let told = |arguments: &[&str], input: &str, what: &str| {
                let arguments = [hook, &["--client", name], arguments].concat();
                let output = run(project.program(&arguments), input);
                assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", stderr(&output));
                assert!(stderr(&output).contains(what), "{arguments:?}: {}", stderr(&output));
                assert_eq!(stdout(&output), "", "{arguments:?}");
            };
            let request = edit(client, &project.root().join("a.py"));
            told(&[], "no json", "is not JSON");
            told(&["--project-root", "/nonexistent"], &request, "/nonexistent");
            told(&["--not-an-option"], &request, "--not-an-option");
            for (text, what) in [
                ("presett = \"strict\"\n", "tapps-mcp.toml:1: unknown key `presett` (did you mean preset?"),
                ("preset = \n", "tapps-mcp.toml:1: not valid TOML"),
                ("[limits]\ndeadline_seconds = 9223372036854775807\n", "from 1 to 86400"),
            ] {
                project.write("tapps-mcp.toml", text);
                told(&[], &request, what);
                told(&[], &edit(client, &project.root().join("tapps-mcp.toml")), what);
            }
        }
    }
}

#[test]
fn a_broken_session_ends_the_hook_with_code_1_and_the_command_with_the_reason() {
    let project = Project::new();
    let sessions = project.sessions();
    let id = sessions.start(&request()).unwrap().session_id;
    std::fs::write(project.log_path(&id), "spoilt\n").unwrap();
    let input = edit(HookClient::ClaudeCode, &project.root().join("calc.py"));
    let output = run(project.program(&["tdd", "guard", "--client", "claude-code"]), &input);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("could not judge this edit"), "{}", stderr(&output));
}

#[test]
fn a_session_refuses_while_the_configuration_is_broken_all_but_its_mending() {
    let project = Project::new();
    let sessions = project.sessions();
    sessions.start(&request()).unwrap();
    let guard = |client: HookClient, file: &str| {
        let input = edit(client, &project.root().join(file));
        run(project.program(&["tdd", "guard", "--client", client.as_str()]), &input)
    };
    let mends = |client, file| guard(client, file).status.code();
    assert_eq!(mends(HookClient::ClaudeCode, "tapps-mcp.toml"), Some(2), "it is none of the session's files");
    project.write("tapps-mcp.toml", "presett = \"strict\"\n");
    for client in HookClient::ALL {
        assert_eq!(mends(client, "tapps-mcp.toml"), Some(1), "{}", client.as_str());
        assert_eq!(mends(client, "pyproject.toml"), Some(1), "{}", client.as_str());
        let refused = guard(client, "calc.py");
        if client == HookClient::Copilot {
            let answer: Value = serde_json::from_slice(&refused.stdout).unwrap();
            assert_eq!((refused.status.code(), &answer["permissionDecision"]), (Some(0), &json!("deny")));
        } else {
            assert_eq!(refused.status.code(), Some(2), "{}", client.as_str());
            assert!(stderr(&refused).contains("`calc.py` is not to be edited"), "{}", stderr(&refused));
        }
    }
    let by_hand = |file| project.program(&["tdd", "guard", file]).output().unwrap().status.code();
    assert_eq!(
        (by_hand("tests/test_calc.py"), by_hand("calc.py"), by_hand("tapps-mcp.toml")),
        (Some(0), Some(2), Some(0))
    );
}

/// A folder whose name a shell would take apart, with a file that blocks.
fn awkward() -> (TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap().join("it's \"my\" $HOME; project");
    std::fs::create_dir_all(root.join("tests")).unwrap();
    std::fs::write(root.join("broken.py"), BROKEN).unwrap();
    (folder, root)
}

/// Runs a command line of a settings file as its agent does.
fn as_agent(client: HookClient, line: &str, root: &Path, elsewhere: &Path, input: &str) -> Output {
    let quoted = format!("'{}'", root.to_str().unwrap().replace('\'', r"'\''"));
    let (variable, line, folder) = match client {
        // It puts the quoted path into the line before a shell sees it, and runs it in the project.
        HookClient::Gemini => ("GEMINI_PROJECT_DIR", line.replace("$GEMINI_PROJECT_DIR", &quoted), root),
        HookClient::ClaudeCode => ("CLAUDE_PROJECT_DIR", line.to_owned(), elsewhere),
        HookClient::Droid => ("FACTORY_PROJECT_DIR", line.to_owned(), elsewhere),
        _ => ("NO_PROJECT_DIR", line.to_owned(), root),
    };
    let mut shell = Command::new("sh");
    inherit(&mut shell, &program(&settings()));
    for name in ["TAPPS_MCP_PROJECT_ROOT", "TAPPS_MCP_CONFIG", "TDD_MCP_SESSION_DIR"] {
        shell.env_remove(name);
    }
    shell.env("HOME", elsewhere).env(variable, root).args(["-c", &line]).current_dir(folder);
    run(shell, input)
}

/// The texts of a settings file that call a command of this program.
fn lines<'v>(entry: &'v Value, command: &str, found: &mut Vec<&'v str>) {
    match entry {
        Value::String(text) if text.contains(command) => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| lines(item, command, found)),
        Value::Object(entries) => entries.values().for_each(|value| lines(value, command, found)),
        _ => {}
    }
}

/// The one command line of an entry.
fn line(entry: &Value, command: &str) -> String {
    let mut found = Vec::new();
    lines(entry, command, &mut found);
    assert_eq!(found.len(), 1, "{entry}");
    found[0].to_owned()
}

#[test]
fn the_lines_of_every_agent_find_a_project_with_an_awkward_name() {
    toolchain();
    let (folder, root) = awkward();
    let elsewhere = folder.path();
    let boundary = std::sync::Arc::new(tapps_sandbox::Boundary::open(&root).unwrap());
    let repository = std::sync::Arc::new(tapps_tdd::FileRepository::new(root.join(".tdd-mcp/sessions")));
    let sessions = tapps_tdd::Sessions::new(repository, boundary, None);
    sessions.start(&request()).unwrap();
    for client in HookClient::ALL {
        let name = client.as_str();
        let guard = line(&client.entry(PROGRAM), " tdd guard ");
        let allowed = as_agent(client, &guard, &root, elsewhere, &edit(client, &root.join("tests/test_calc.py")));
        assert_eq!((allowed.status.code(), stderr(&allowed)), (Some(0), String::new()), "{guard}");
        assert_eq!(stdout(&allowed), "", "{guard}");
        let refused = as_agent(client, &guard, &root, elsewhere, &edit(client, &root.join("calc.py")));
        let said = stdout(&refused) + &stderr(&refused);
        let code = if client == HookClient::Copilot { 0 } else { 2 };
        assert_eq!(refused.status.code(), Some(code), "{name}: {said}");
        assert!(said.contains("`calc.py` is not to be edited in the phase write_test"), "{name}: {said}");

        let Some(after) = client.entry_after(PROGRAM) else { continue };
        let checked =
            as_agent(client, &line(&after, " check "), &root, elsewhere, &edit(client, &root.join("broken.py")));
        let event = match client {
            HookClient::Gemini => Some("AfterTool"),
            HookClient::Qwen => Some("PostToolUse"),
            _ => None,
        };
        let said = if let Some(event) = event {
            assert_eq!((checked.status.code(), stderr(&checked)), (Some(0), String::new()));
            let answer: Value = serde_json::from_slice(&checked.stdout).unwrap();
            assert_eq!(answer["hookSpecificOutput"]["hookEventName"], event);
            answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned()
        } else {
            assert_eq!(
                (checked.status.code(), stdout(&checked)),
                (Some(2), String::new()),
                "{name}: {}",
                stderr(&checked)
            );
            stderr(&checked)
        };
        assert!(said.starts_with("The edit was made; this blocks:\nbroken.py:2: "), "{name}: {said}");
        assert!(said.contains("undefined_thing") && said.contains("Mend it before you go on."), "{name}: {said}");
    }
}

#[test]
fn what_init_writes_is_what_works() {
    let (folder, root) = awkward();
    let mut command = program(&settings());
    command.env("HOME", folder.path()).env_remove("TAPPS_MCP_PROJECT_ROOT").current_dir(&root);
    command.args(["init", "--hooks", "--client", "claude-code", "codex", "cursor", "droid", "gemini", "qwen"]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let set_up = [
        HookClient::ClaudeCode,
        HookClient::Codex,
        HookClient::Cursor,
        HookClient::Droid,
        HookClient::Gemini,
        HookClient::Qwen,
    ];
    for client in set_up {
        let text = std::fs::read_to_string(root.join(client.settings_file())).unwrap();
        let written: Value = serde_json::from_str(&text).unwrap();
        assert!(text.contains(&format!("--client {}", client.as_str())) && !text.contains("failClosed"), "{text}");
        assert!(!text.contains("$GEMINI_PROJECT_DIR"), "{text}");
        let guard = line(&written, " tdd guard ");
        let output = as_agent(client, &guard, &root, folder.path(), &edit(client, &root.join("broken.py")));
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{guard}");
    }
}

/// Runs a program at a terminal and answers what it asks.
fn at_a_terminal(command: &Command, answer: &str) -> (i32, String) {
    const DRIVER: &str = "import os, pty, sys\npid, fd = pty.fork()\nif pid == 0:\n    os.execv(sys.argv[2], sys.argv[2:])\nos.write(fd, sys.argv[1].encode() + b'\\n')\nsaid = b''\nwhile True:\n    try:\n        part = os.read(fd, 4096)\n    except OSError:\n        break\n    if not part:\n        break\n    said += part\nsys.stdout.write(said.decode())\nsys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n";
    let mut python = Command::new("python3");
    inherit(&mut python, command);
    python.args(["-c", DRIVER, answer]).arg(command.get_program()).args(command.get_args());
    python.current_dir(command.get_current_dir().unwrap_or(Path::new(".")));
    let output = python.output().unwrap();
    (output.status.code().unwrap(), stdout(&output))
}

#[test]
fn an_agent_changes_settings_only_where_a_person_allowed_it() {
    let project = Project::new();
    project.write("tapps-mcp.toml", "preset = \"strict\"\n");
    project.write("pyproject.toml", "[project]\nname = \"p\"\ndependencies = []\n\n[tool.ruff]\nline-length = 100\n");
    let asked = |file: &str, old: &str, new: &str| {
        let request = json!({"tool_name": "Edit", "tool_input": {"file_path": project.root().join(file), "old_string": old, "new_string": new}});
        run(project.program(&["tdd", "guard", "--client", "claude-code"]), &request.to_string())
    };
    let refused = asked("tapps-mcp.toml", "strict", "standard");
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("preset: \"strict\" → \"standard\""), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("tapps-mcp policy allow tapps-mcp.toml"), "{}", stderr(&refused));
    assert_eq!(asked("pyproject.toml", "100", "200").status.code(), Some(2));
    assert_eq!(asked("pyproject.toml", "[]", "[\"click\"]").status.code(), Some(0), "a dependency is no setting");

    let alone = run(project.program(&["policy", "allow", "tapps-mcp.toml"]), "y\n");
    assert_eq!(alone.status.code(), Some(2), "nobody sits there: {}", stderr(&alone));
    assert_eq!(at_a_terminal(&project.program(&["policy", "allow", "tapps-mcp.toml"]), "n").0, 1);
    assert_eq!(asked("tapps-mcp.toml", "strict", "standard").status.code(), Some(2));
    let (code, said) = at_a_terminal(&project.program(&["policy", "allow", "tapps-mcp.toml"]), "y");
    assert_eq!(code, 0, "{said}");
    assert_eq!(asked("tapps-mcp.toml", "strict", "standard").status.code(), Some(0));
    project.write("tapps-mcp.toml", "preset = \"standard\"\n");
    assert_eq!(asked("tapps-mcp.toml", "standard", "framework").status.code(), Some(2), "the answer was for one text");
}
