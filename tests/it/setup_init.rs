//! `tapps-mcp init` as a user runs it: every client, every scope, and back again byte for byte.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::toolchain_support::{PROGRAM, folder, inherit, program, script, settings, stderr, stdout, toolchain};

/// A project and a home of its own, so that nothing of this machine's user is looked at or touched.
struct Place {
    project: TempDir,
    home: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { project: folder(), home: folder() }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut settings = settings();
        settings.data_dir = self.home.path().join("data");
        let mut command = program(&settings);
        for name in ["XDG_CONFIG_HOME", "CODEX_HOME", "APPDATA", "TAPPS_MCP_PROJECT_ROOT", "TAPPS_MCP_CONFIG"] {
            command.env_remove(name);
        }
        command.env("HOME", self.home.path()).current_dir(self.project.path()).args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs the command, which has to succeed, and gives what it says.
    fn say(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}{}", stdout(&output), stderr(&output));
        stdout(&output)
    }

    /// Every file of both folders with its bytes, but for the program's own.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        for root in [self.project.path(), self.home.path()] {
            collect(root, &mut found);
        }
        found
    }
}

fn collect(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with(".tapps-mcp") && !path.ends_with("data") {
                found.insert(path.clone(), Vec::new());
                collect(&path, found);
            }
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
}

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn own_path() -> String {
    Path::new(PROGRAM).canonicalize().unwrap().to_str().unwrap().to_owned()
}

const PROJECT_FILES: [(&str, &str); 7] = [
    ("claude-code", ".mcp.json"),
    ("codex", ".codex/config.toml"),
    ("cursor", ".cursor/mcp.json"),
    ("droid", ".factory/mcp.json"),
    ("gemini", ".gemini/settings.json"),
    ("vscode", ".vscode/mcp.json"),
    ("zed", ".zed/settings.json"),
];

#[test]
fn every_client_of_a_project_is_set_up_once_and_put_back() {
    let place = Place::new();
    let before = place.files();
    let names = PROJECT_FILES.map(|(name, _)| name);
    let arguments = [&["init", "--client"][..], &names[..]].concat();
    let said = place.say(&arguments);
    assert!(said.contains("--- /dev/null\n+++ b/.mcp.json\n"), "{said}");
    assert!(
        said.contains("wrote 8 files for Claude Code, Codex CLI, Cursor, Droid, Gemini CLI, VS Code, Zed"),
        "{said}"
    );
    for (name, file) in PROJECT_FILES {
        let text = fs::read_to_string(place.project.path().join(file)).unwrap();
        let tree: Value = match file.ends_with(".toml") {
            true => serde_json::to_value(toml::from_str::<toml::Table>(&text).unwrap()).unwrap(),
            false => serde_json::from_str(&text).unwrap(),
        };
        let entry = tree.as_object().unwrap().values().next().unwrap();
        assert_eq!(entry["tapps"]["command"], own_path(), "{name}");
        assert_eq!(entry["tapps"]["args"], serde_json::json!(["serve"]), "{name}");
    }
    assert!(fs::read_to_string(place.project.path().join("AGENTS.md")).unwrap().contains("`tapps_quality_gate`"));
    let set_up = place.files();
    assert!(place.say(&arguments).starts_with("nothing to do"), "the second time");
    assert_eq!(place.files(), set_up);
    assert!(place.say(&["init"]).starts_with("nothing to do"), "what was set up is in use");
    let said = place.say(&["init", "--undo"]);
    assert_eq!(said.matches("removed ").count(), 8, "{said}");
    assert_eq!(place.files(), before);
}

/// What users have, in the spelling of their hands.
const THEIRS: [(&str, &str); 8] = [
    (
        ".claude.json",
        "{\n  \"numStartups\": 12,\n  \"mcpServers\": {},\n  \"projects\": { \"/p\": { \"allowedTools\": [] } }\n}",
    ),
    (
        ".codex/config.toml",
        "# my models\nmodel = \"o\" # fast\n\n[mcp_servers.docs]\ncommand = \"npx\"\nargs = [ \"-y\", \"docs\" ]\n\n[profiles.x]\nmodel = \"y\"\n",
    ),
    (".cursor/mcp.json", "{\"mcpServers\":{\"a\":{\"command\":\"a\",\"env\":{\"K\":\"${env:K}\"}}}}"),
    (
        ".gemini/settings.json",
        "{\r\n\t\"theme\": \"x\", // dark\r\n\t\"mcpServers\": {\r\n\t\t\"a\": { \"httpUrl\": \"http://localhost\" },\r\n\t},\r\n}\r\n",
    ),
    (
        ".config/Code/User/mcp.json",
        "{\n    // servers\n    \"inputs\": [],\n    \"servers\": {\n        /* none yet */\n    }\n}\n",
    ),
    (
        ".codeium/windsurf/mcp_config.json",
        "\u{feff}{\n  \"mcpServers\": {\n    \"a\": { \"serverUrl\": \"http://localhost\" }\n  }\n}\n",
    ),
    (
        ".config/goose/config.yaml",
        "# my goose\nGOOSE_MODEL: \"m\"   # fast\nextensions:\n  developer:   # builtin\n    enabled: true\n    type: builtin\n  # more\n\nGOOSE_MODE: auto",
    ),
    (".config/zed/settings.json", "// Zed\n//\n{\n  \"theme\": { \"mode\": \"system\", },\n  \"vim_mode\": true,\n}\n"),
];

#[test]
fn files_of_the_user_keep_all_that_was_in_them_and_come_back_byte_for_byte() {
    let place = Place::new();
    for (name, text) in THEIRS {
        write(place.home.path(), name, text);
    }
    let before = place.files();
    let said = place.say(&["init", "--scope", "user"]);
    assert!(said.contains("wrote 8 files"), "{said}");
    for (name, text) in THEIRS {
        let now = fs::read_to_string(place.home.path().join(name)).unwrap();
        assert!(now.contains(&own_path()), "{name}: {now}");
        // Every word is there still, in its order; only brackets and commas may stand elsewhere.
        let mut rest = now.as_str();
        let border = |c: char| c.is_whitespace() || "{}[],".contains(c);
        for word in text.split(border).filter(|word| !word.is_empty()) {
            let at = rest.find(word).unwrap_or_else(|| panic!("{name} has lost `{word}`:\n{now}"));
            rest = &rest[at + word.len()..];
        }
    }
    assert!(!place.project.path().join("AGENTS.md").exists(), "the project is no concern of this scope");
    assert!(place.say(&["init", "--scope", "user"]).starts_with("nothing to do"));
    let said = place.say(&["init", "--scope", "user", "--undo"]);
    assert_eq!(said.matches("restored ").count(), 8, "{said}");
    assert_eq!(place.files(), before);
    let again = place.run(&["init", "--scope", "user", "--undo"]);
    assert_eq!(again.status.code(), Some(3), "{}", stderr(&again));
}

#[test]
fn a_dry_run_shows_and_writes_nothing() {
    let place = Place::new();
    write(place.project.path(), ".vscode/mcp.json", "{ \"servers\": {} }\n");
    let before = place.files();
    let said = place.say(&["init", "--dry-run"]);
    assert!(said.contains("--- a/.vscode/mcp.json\n+++ b/.vscode/mcp.json\n@@ -1 +1,"), "{said}");
    assert!(said.ends_with("would write 2 files for VS Code\n"), "{said}");
    assert_eq!(place.files(), before);
    assert!(!place.project.path().join(".tapps-mcp").exists());
    let json: Value = serde_json::from_str(&place.say(&["init", "--dry-run", "--format", "json"])).unwrap();
    assert_eq!(json["clients"], serde_json::json!(["vscode"]));
    assert_eq!(json["files"][0]["change"], "changed");
    assert_eq!(json["files"][1]["change"], "created");
}

#[test]
fn one_broken_file_stops_everything_and_is_told_with_its_place() {
    for (name, text, place_of_fault) in [
        (".cursor/mcp.json", "{\n  \"mcpServers\": {\n    \"a\": 1\n    \"b\": 2\n  }\n}\n", ".cursor/mcp.json:3:11: "),
        (".codex/config.toml", "a = 1\nb = [1,\n", ".codex/config.toml:2:"),
        (".factory/mcp.json", "{\n  \"mcpServers\": nothing\n}\n", ".factory/mcp.json:2:"),
        ("AGENTS.md", "# A\n<!-- tapps-mcp: begin -->\n", "AGENTS.md:2:1: "),
        (".mcp.json", "{\"mcpServers\": []}", "`mcpServers` in .mcp.json is not an object"),
    ] {
        let place = Place::new();
        write(place.project.path(), ".zed/settings.json", "{}\n");
        write(place.project.path(), name, text);
        let before = place.files();
        let output = place.run(&["init", "--client", "claude-code", "codex", "cursor", "droid", "zed"]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(stderr(&output).contains(place_of_fault), "{name}: {}", stderr(&output));
        assert!(stderr(&output).contains("nothing was written"), "{name}: {}", stderr(&output));
        assert_eq!(place.files(), before, "{name}");
    }
}

#[test]
fn a_broken_file_of_goose_is_told_with_its_place() {
    for (text, place_of_fault) in [
        ("extensions:\n  a: [1\nb: 2\n", "config.yaml:3:"),
        ("extensions: &all\n  a: {cmd: b}\nothers: *all\n", "`extensions` in"),
        ("a: 1\n---\nb: 2\n", "config.yaml:3:1: a second document begins"),
    ] {
        let place = Place::new();
        write(place.home.path(), ".config/goose/config.yaml", text);
        let before = place.files();
        let output = place.run(&["init", "--client", "goose", "--scope", "user"]);
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        assert!(stderr(&output).contains(place_of_fault), "{}", stderr(&output));
        assert!(stderr(&output).contains("nothing was written"), "{}", stderr(&output));
        assert_eq!(place.files(), before);
    }
}

#[test]
fn what_was_changed_since_is_not_put_back() {
    let place = Place::new();
    write(place.project.path(), ".mcp.json", "{ }");
    place.say(&["init", "--client", "claude-code"]);
    let file = place.project.path().join(".mcp.json");
    let mine = fs::read_to_string(&file).unwrap().replace("serve", "serve\", \"--read-only");
    fs::write(&file, &mine).unwrap();
    let before = place.files();
    let output = place.run(&["init", "--undo"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains(".mcp.json was changed since; nothing was put back"), "{}", stderr(&output));
    assert_eq!(place.files(), before);
    // The backup that the message names has the earlier bytes.
    let hint = stderr(&output);
    let backup = hint.split("earlier bytes are in ").nth(1).unwrap().trim();
    assert_eq!(fs::read_to_string(backup).unwrap(), "{ }");
    // What the user has said meanwhile is kept by the next run as well.
    assert!(place.say(&["init", "--client", "claude-code"]).starts_with("nothing to do"));
    assert_eq!(fs::read_to_string(&file).unwrap(), mine);
}

#[test]
fn nix_starts_the_program_where_that_is_wanted_and_back() {
    let place = Place::new();
    let nix = script(place.home.path(), "nix", "#!/bin/sh\n");
    let path = format!("{}:{}", place.home.path().display(), std::env::var("PATH").unwrap());
    let run = |arguments: &[&str]| {
        let output = place.command(arguments).env("PATH", &path).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let text = fs::read_to_string(place.project.path().join(".codex/config.toml")).unwrap();
        serde_json::to_value(toml::from_str::<toml::Table>(&text).unwrap()).unwrap()["mcp_servers"]["tapps"].clone()
    };
    let entry = run(&["init", "--client", "codex", "--nix=github:you/tapps-mcp"]);
    assert_eq!(entry["command"], nix.to_str().unwrap());
    let words: Vec<&str> = entry["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    assert_eq!(words[2..], ["run", "github:you/tapps-mcp", "--", "serve"]);
    assert_eq!(entry["startup_timeout_sec"], 600);
    let entry = run(&["init", "--client", "codex"]);
    assert_eq!(entry["command"], own_path());
    assert_eq!(entry["args"], serde_json::json!(["serve"]));
}

/// Runs the command that a hook entry holds, as an agent would.
fn hook(place: &Place, command: &str, request: &Value) -> (Option<i32>, String) {
    let mut shell = Command::new("sh");
    inherit(&mut shell, &place.command(&[]));
    let shared = settings();
    shell.env("TAPPS_MCP_DATA_DIR", shared.data_dir).env("CLAUDE_PROJECT_DIR", place.project.path());
    shell.args(["-c", command]).current_dir(place.home.path());
    let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(request.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), stderr(&output))
}

#[test]
fn the_hooks_that_are_written_work() {
    toolchain();
    let place = Place::new();
    write(place.project.path(), ".claude/settings.json", "{\n  // mine\n  \"permissions\": { \"allow\": [] }\n}\n");
    place.say(&["init", "--client", "claude-code", "--hooks"]);
    let text = fs::read_to_string(place.project.path().join(".claude/settings.json")).unwrap();
    assert!(text.contains("// mine"), "{text}");
    let json: Value = serde_json::from_str(&text.replace("// mine", "")).unwrap();
    let command = |event: &str| json["hooks"][event][0]["hooks"][0]["command"].as_str().unwrap().to_owned();
    let (before, after) = (command("PreToolUse"), command("PostToolUse"));

    let edit = |name: &str| {
        let path = place.project.path().join(name);
        serde_json::json!({ "tool_name": "Edit", "tool_input": { "file_path": path } })
    };
    write(place.project.path(), "fine.py", "\"\"\"Fine.\"\"\"\n\nANSWER = 42\n");
    write(place.project.path(), "broken.py", "def f():\n    return undefined_thing\n");
    write(place.project.path(), "notes.md", "# Notes\n");
    assert_eq!(hook(&place, &before, &edit("fine.py")), (Some(0), String::new()), "no session restrains anybody");
    assert_eq!(hook(&place, &after, &edit("fine.py")), (Some(0), String::new()));
    assert_eq!(hook(&place, &after, &edit("notes.md")), (Some(0), String::new()));
    assert_eq!(hook(&place, &after, &edit("gone.py")), (Some(0), String::new()));
    let (code, said) = hook(&place, &after, &edit("broken.py"));
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.starts_with("The edit was made; this blocks:\nbroken.py:2: ") && said.contains("undefined_thing"),
        "{said}"
    );
    // What cannot be checked stops nobody.
    let (code, said) = hook(&place, &after, &Value::Null);
    assert_eq!((code, said.as_str()), (Some(0), ""));
    let missing = after.replace("tapps-mcp ", "tapps-mcp --python /nowhere/python --workers off ");
    let (code, _) = hook(&place, &missing, &edit("fine.py"));
    assert_eq!(code, Some(1));

    assert!(place.say(&["init", "--client", "claude-code", "--hooks"]).starts_with("nothing to do"));
    let refused = place.run(&["init", "--client", "claude-code", "--hooks", "--scope", "user"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn the_check_is_for_people_as_well() {
    toolchain();
    let place = Place::new();
    write(place.project.path(), "broken.py", "def f():\n    return undefined_thing\n");
    let mut command = place.command(&["check", "broken.py"]);
    let output = command.env("TAPPS_MCP_DATA_DIR", settings().data_dir).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("broken.py:2: "), "{}", stdout(&output));
}

#[test]
fn names_that_are_taken_or_unknown_are_refused() {
    let place = Place::new();
    write(
        place.project.path(),
        ".mcp.json",
        "{\"mcpServers\": {\"tapps\": {\"command\": \"npx\", \"args\": [\"tapps\"]}}}",
    );
    let before = place.files();
    let output = place.run(&["init", "--client", "claude-code"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--name"), "{}", stderr(&output));
    assert_eq!(place.files(), before);
    place.say(&["init", "--client", "claude-code", "--name", "tapps-mcp"]);
    let text = fs::read_to_string(place.project.path().join(".mcp.json")).unwrap();
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["mcpServers"].as_object().unwrap().len(), 2);
    let output = place.run(&["init", "--client", "clod"]);
    assert_eq!(output.status.code(), Some(2));
    let nobody = Place::new().run(&["init"]);
    assert_eq!(nobody.status.code(), Some(2));
    assert!(stderr(&nobody).contains("name one with --client"), "{}", stderr(&nobody));
}

#[test]
fn a_plugin_is_renewed_where_it_stands_and_takes_no_other_folder() {
    let place = Place::new();
    let own = "{\"mcpServers\": {\"mine\": {\"command\": \"mine\"}}}\n";
    fs::write(place.project.path().join(".mcp.json"), own).unwrap();
    let refused = place.run(&["init", "--client", "claude-code", "--plugin", "."]);
    assert_eq!(refused.status.code(), Some(2), "{}", stdout(&refused));
    assert!(stderr(&refused).contains("has other files in it"), "{}", stderr(&refused));
    assert_eq!(place.files().into_values().collect::<Vec<_>>(), [own.as_bytes()]);

    let write = ["init", "--client", "claude-code", "--plugin", "plugin"];
    place.say(&write);
    let written = place.files();
    let manifest = place.project.path().join("plugin/.claude-plugin/plugin.json");
    assert!(written.contains_key(&manifest), "{:?}", written.keys());
    fs::write(place.project.path().join("plugin/.mcp.json"), "{}").unwrap();
    place.say(&write);
    assert_eq!(place.files(), written);
}
