//! Hooks of git, written by `init` and run by git.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::Value;

use super::{BROKEN, Place, WHOLE};
use crate::toolchain_git_support::{git, plain_git};
use crate::toolchain_support::{inherit, stderr, stdout};

fn init(place: &Place, arguments: &[&str]) -> String {
    let quiet: &[&str] = if arguments.contains(&"--undo") { &[] } else { &["--no-agents-file"] };
    let mut command = place.command(&[&["init"], quiet, arguments].concat());
    command.env("HOME", place.root().join("../nobody"));
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

/// What git says as a user runs it, with the environment of the tests for what its hooks start.
fn with_hooks(place: &Place, arguments: &[&str]) -> (bool, String) {
    let mut command = plain_git(place.root());
    inherit(&mut command, &place.command(&[]));
    let output = command.args(arguments).output().unwrap();
    (output.status.success(), stderr(&output))
}

fn files_of(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let folders = [
        ".agents",
        ".claude",
        ".codex",
        ".factory",
        ".gemini",
        ".cursor",
        ".opencode",
        ".qwen",
        ".git/hooks",
        ".clinerules",
        ".continue",
        ".junie",
        ".kiro",
        ".windsurf",
    ];
    for folder in folders {
        collect_files(root, &root.join(folder), &mut found);
    }
    found
}

fn collect_files(root: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect_files(root, &path, found);
        } else {
            found.insert(path.strip_prefix(root).unwrap().display().to_string(), fs::read(&path).unwrap());
        }
    }
}

#[test]
fn git_stops_what_is_blocked_and_nothing_else() {
    let place = Place::new();
    let before = files_of(place.root());
    let said = init(&place, &["--client", "zed", "--hooks"]);
    assert!(said.contains("Zed cannot be sent on by a hook: git's hooks judge its changes"), "{said}");
    let hook = place.root().join(".git/hooks/pre-commit");
    assert_eq!(fs::metadata(&hook).unwrap().permissions().mode() & 0o111, 0o111);

    place.write("calc.py", BROKEN);
    git(place.root(), &["add", "-A"]);
    let (committed, said) = with_hooks(&place, &["commit", "--quiet", "-m", "broken"]);
    assert!(!committed && said.contains("calc.py:3: Undefined name `undefined_thing`"), "{said}");
    // What is not staged is not judged.
    git(place.root(), &["restore", "--staged", "calc.py"]);
    place.write("other.py", WHOLE);
    git(place.root(), &["add", "other.py"]);
    let (committed, said) = with_hooks(&place, &["commit", "--quiet", "-m", "whole"]);
    assert!(committed && said.is_empty(), "{said}");

    let elsewhere = tempfile::tempdir().unwrap();
    git(elsewhere.path(), &["init", "--quiet", "--bare"]);
    git(place.root(), &["remote", "add", "origin", elsewhere.path().to_str().unwrap()]);
    let (pushed, said) = with_hooks(&place, &["push", "--quiet", "origin", "HEAD:main"]);
    assert!(pushed, "{said}");
    git(place.root(), &["add", "-A"]);
    git(place.root(), &["commit", "--quiet", "--no-verify", "-m", "past the hook"]);
    let (pushed, said) = with_hooks(&place, &["push", "--quiet", "origin", "HEAD:main"]);
    assert!(!pushed && said.contains("undefined_thing"), "{said}");
    place.write("tapps-mcp.toml", "presett = 1\n");
    let (pushed, said) = with_hooks(&place, &["push", "--quiet", "origin", "HEAD:main"]);
    assert!(pushed && said.contains("unknown key `presett`"), "a fault stops nobody: {said}");
    fs::remove_file(place.root().join("tapps-mcp.toml")).unwrap();
    init(&place, &["--undo"]);
    assert_eq!(files_of(place.root()), before);
}

#[test]
fn every_mode_is_written_changed_taken_out_and_undone() {
    let place = Place::new();
    let mine = "{\n  // mine\n  \"hooks\": { \"Stop\": [{ \"hooks\": [{ \"type\": \"command\", \"command\": \"say done\" }] }] }\n}\n";
    place.write(".claude/settings.json", mine);
    let clients = ["--client", "claude-code", "codex", "gemini", "cursor", "droid", "opencode"];
    let module = ".opencode/plugin/tapps-mcp.js";
    let before = files_of(place.root());
    let with = |mode: &str| init(&place, &[&clients[..], &[mode]].concat());
    let commands = |file: &str| {
        let text = fs::read_to_string(place.root().join(file)).unwrap();
        text.matches(" hook end --client ").count()
    };
    with("--hooks=enforce");
    let enforced = files_of(place.root());
    assert_eq!(
        [
            ".claude/settings.json",
            ".codex/hooks.json",
            ".gemini/settings.json",
            ".cursor/hooks.json",
            ".factory/hooks.json",
            module
        ]
        .map(commands),
        [3, 2, 1, 2, 2, 1]
    );
    assert!(with("--hooks").starts_with("nothing to do"), "enforce is what is meant without a word");
    with("--hooks=advise");
    let text = fs::read_to_string(place.root().join(".claude/settings.json")).unwrap();
    assert_eq!(text.matches(" --advise").count(), 3, "{text}");
    init(&place, &["--undo"]);
    assert_eq!(files_of(place.root()), enforced);
    with("--hooks=off");
    let text = fs::read_to_string(place.root().join(".claude/settings.json")).unwrap();
    let read: Value = serde_json::from_str(&text.replace("// mine", "")).unwrap();
    assert_eq!(read["hooks"]["Stop"][0]["hooks"][0]["command"], "say done");
    assert_eq!(read["hooks"].as_object().unwrap().len(), 1, "{text}");
    assert!(!place.root().join(module).exists(), "it was this program's alone");
    init(&place, &["--undo"]);
    init(&place, &["--undo"]);
    assert_eq!(files_of(place.root()), before);
}

#[test]
fn a_hook_of_the_users_own_goes_on() {
    let place = Place::new();
    let hook = place.root().join(".git/hooks/pre-commit");
    place.write(".git/hooks/pre-commit", "#!/bin/sh\necho mine >&2\n");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    place.write(".git/hooks/pre-push", "#!/usr/bin/env python3\n");
    let said = init(&place, &["--client", "zed", "--hooks"]);
    assert!(said.contains(".git/hooks/pre-push is yours: let it run `"), "{said}");
    place.write("calc.py", BROKEN);
    git(place.root(), &["add", "calc.py"]);
    let (committed, said) = with_hooks(&place, &["commit", "--quiet", "-m", "broken"]);
    assert!(!committed && !said.contains("mine"), "{said}");
    place.write("calc.py", &WHOLE.replace("a + b", "b + a"));
    git(place.root(), &["add", "calc.py"]);
    let (committed, said) = with_hooks(&place, &["commit", "--quiet", "-m", "whole"]);
    assert!(committed && said == "mine\n", "{said}");
    init(&place, &["--client", "zed", "--hooks=off"]);
    assert_eq!(fs::read_to_string(&hook).unwrap(), "#!/bin/sh\necho mine >&2\n");
}

#[test]
fn what_was_set_up_is_renewed_and_nothing_is_added() {
    let place = Place::new();
    let before = files_of(place.root());
    init(&place, &["--client", "claude-code", "codex", "--hooks=advise", "--skills"]);
    let skill = ".claude/skills/tapps-change/SKILL.md";
    let text = fs::read_to_string(place.root().join(skill)).unwrap();
    let version = format!("\n  version: \"{}\"\n", env!("CARGO_PKG_VERSION"));
    assert!(text.contains(&version) && text.contains("tapps_validate_changed"), "{text}");
    let mine = "---\nname: mine\n---\n";
    place.write(".agents/skills/mine/SKILL.md", mine);
    let wanted = files_of(place.root());
    assert!(wanted.contains_key(".agents/skills/tapps-tdd/SKILL.md"), "{:?}", wanted.keys());
    // As an earlier version somewhere else had left it.
    let own = Path::new(crate::toolchain_support::PROGRAM).canonicalize().unwrap();
    for file in [".claude/settings.json", ".codex/hooks.json", ".codex/config.toml"] {
        let old = fs::read_to_string(place.root().join(file)).unwrap().replace(own.to_str().unwrap(), "/old/tapps-mcp");
        place.write(file, &old);
    }
    place.write(skill, &text.replace(&version, "\n  version: \"0.0.1\"\n"));
    fs::remove_file(place.root().join(".agents/skills/tapps-tdd/SKILL.md")).unwrap();
    assert!(init(&place, &["--upgrade", "--dry-run"]).contains("-  version: \"0.0.1\""));
    let said = init(&place, &["--upgrade"]);
    assert!(said.ends_with("renewed 4 files\n"), "{said}");
    let mut renewed = wanted.clone();
    renewed.remove(".agents/skills/tapps-tdd/SKILL.md");
    assert_eq!(files_of(place.root()), renewed);
    assert_eq!(init(&place, &["--upgrade"]), "nothing to do\n");
    place.write(".agents/skills/tapps-tdd/SKILL.md", mine);
    let mut command = place.command(&["init", "--no-agents-file", "--client", "codex", "--skills"]);
    let refused = command.output().unwrap();
    assert_ne!(refused.status.code(), Some(0), "a skill of the user's own stays");
    assert_eq!(fs::read_to_string(place.root().join(".agents/skills/tapps-tdd/SKILL.md")).unwrap(), mine);
    assert!(before.is_empty() || before.keys().all(|file| file.starts_with(".git/")));
}

#[test]
fn where_a_skill_is_no_command_there_is_a_command_as_well() {
    let place = Place::new();
    let before = files_of(place.root());
    let clients = [
        "--client", "cline", "continue", "cursor", "gemini", "junie", "kiro", "opencode", "qwen", "windsurf",
        "--skills",
    ];
    init(&place, &clients);
    let written = files_of(place.root());
    let text = |file: &str| String::from_utf8(written[file].clone()).unwrap();
    let command: toml::Table = text(".gemini/commands/tapps-change.toml").parse().unwrap();
    assert!(command["prompt"].as_str().unwrap().contains("tapps_validate_changed"), "{command}");
    assert!(text(".cursor/commands/tapps-change.md").starts_with("<!-- generator: tapps-mcp, version "));
    assert!(text(".continue/prompts/tapps-change.md").contains("\ninvokable: true\n"));
    for file in [
        ".clinerules/workflows/tapps-change.md",
        ".continue/prompts/tapps-change.md",
        ".cursor/commands/tapps-change.md",
        ".junie/skills/tapps-change/SKILL.md",
        ".kiro/skills/tapps-change/SKILL.md",
        ".windsurf/skills/tapps-change/SKILL.md",
        ".windsurf/workflows/tapps-change.md",
        ".opencode/commands/tapps-change.md",
        ".qwen/skills/tapps-change/SKILL.md",
        ".agents/skills/tapps-change/SKILL.md",
    ] {
        assert!(text(file).contains("tapps_validate_changed"), "{file}");
    }
    let again = init(&place, &clients);
    assert!(again.contains("nothing to do: ") && !again.contains("+++"), "{again}");
    place.write(".gemini/commands/tapps-tdd.toml", "prompt = \"mine\"\n");
    assert_eq!(init(&place, &["--upgrade"]), "nothing to do\n", "a command of the user's own stays");
    place.write(".gemini/commands/tapps-tdd.toml", &text(".gemini/commands/tapps-tdd.toml"));
    init(&place, &["--undo"]);
    assert_eq!(files_of(place.root()), before);
}

#[test]
fn a_module_of_the_users_own_stays_and_one_of_this_program_is_renewed() {
    let place = Place::new();
    let module = ".opencode/plugin/tapps-mcp.js";
    let mine = "export const Mine = async () => ({})\n";
    place.write(module, mine);
    let refused = place.command(&["init", "--no-agents-file", "--client", "opencode", "--hooks"]).output().unwrap();
    assert_ne!(refused.status.code(), Some(0));
    assert!(stderr(&refused).contains("is none of this program's"), "{}", stderr(&refused));
    assert!(!place.root().join("opencode.json").exists());
    init(&place, &["--client", "opencode", "--hooks=off"]);
    assert_eq!(fs::read_to_string(place.root().join(module)).unwrap(), mine);

    fs::remove_file(place.root().join(module)).unwrap();
    init(&place, &["--client", "opencode", "--hooks=advise"]);
    let written = fs::read_to_string(place.root().join(module)).unwrap();
    let version = format!("// generator: tapps-mcp, version {}\n", env!("CARGO_PKG_VERSION"));
    assert!(written.starts_with(&version) && written.contains("hook end --client opencode --advise"), "{written}");
    place.write(module, &written.replace(&version, "// generator: tapps-mcp, version 0.0.1\n"));
    assert_eq!(init(&place, &["--upgrade"]).matches("renewed 1 file").count(), 1);
    assert_eq!(fs::read_to_string(place.root().join(module)).unwrap(), written);
    // Taken over by the user, it is nobody else's.
    let taken_over = format!("// ours now\n{written}");
    place.write(module, &taken_over);
    assert!(init(&place, &["--upgrade"]).ends_with("nothing to do\n"));
    assert_eq!(fs::read_to_string(place.root().join(module)).unwrap(), taken_over);
}

#[test]
fn hooks_of_droid_that_would_be_passed_over_stop_the_run() {
    let place = Place::new();
    let theirs =
        "{ \"hooks\": { \"Stop\": [{ \"hooks\": [{ \"type\": \"command\", \"command\": \"say done\" }] }] } }\n";
    place.write(".factory/settings.json", theirs);
    let before = files_of(place.root());
    let refused = place.command(&["init", "--no-agents-file", "--client", "droid", "--hooks"]).output().unwrap();
    assert_ne!(refused.status.code(), Some(0));
    let said = stderr(&refused);
    assert!(said.contains("the hooks for Stop in .factory/settings.json would be passed over"), "{said}");
    assert_eq!(files_of(place.root()), before);
    place.write(".factory/settings.json", "{ \"hooks\": { \"Notification\": [] } }\n");
    init(&place, &["--client", "droid", "--hooks", "--skills"]);
    let text = fs::read_to_string(place.root().join(".factory/hooks.json")).unwrap();
    let read: Value = serde_json::from_str(&text).unwrap();
    let events: Vec<&str> = read.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(events.len(), 5, "{events:?}");
    assert!(
        read["PostToolUse"][0]["hooks"][0]["command"].as_str().unwrap().ends_with(" check --client droid"),
        "{text}"
    );
    assert!(place.root().join(".factory/skills/tapps-change/SKILL.md").exists());
}
