//! Disks that are full or may not be written to, and files from another time: each has an answer, and nothing that was
//! acknowledged is lost.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::mcp_process::Process;
use crate::systems::{self, System};
use crate::toolchain_support::{PROGRAM, folder, program, settings, stderr, stdout, toolchain};

const SESSION: &str = "3f6f0f0e-0000-4000-8000-000000000001";

/// The output of a script that has a small disk of its own, mounted at `disk` in its folder; none where that cannot be had.
fn on_a_disk(around: &Path, script: &str) -> Option<Output> {
    let unshare = systems::require(System::MountNamespace)?;
    let mut command = Command::new(unshare);
    for (key, value) in program(&settings()).get_envs() {
        match value {
            Some(value) => command.env(key, value),
            None => command.env_remove(key),
        };
    }
    let prepare = "mkdir disk; mount -t tmpfs -o size=1m none disk; cd disk; printf 'import os\\n' > a.py; mkdir .git\n\
                   try() { code=0; \"$PROGRAM\" \"$@\" > ../out 2> ../err || code=$?\n\
                   echo \"$1 ended with $code\"; cat ../err >&2; }\n";
    let script = format!("{prepare}{script}");
    command.args(["--map-root-user", "--mount", "sh", "-euc", &script]).env("PROGRAM", PROGRAM).env("SESSION", SESSION);
    command.env("TAPPS_MCP_OFFLINE", "1").env_remove("TAPPS_MCP_PROJECT_ROOT").current_dir(around);
    Some(command.output().unwrap())
}

const KEPT: &str = "try notes save early value --session $SESSION\n";
const ASKED: &str = "try notes save late value --session $SESSION\ntry feedback wrong --rule ruff:F401\n\
                     try report --format json\ntry score a.py --format json\ntry gate a.py --write-baseline base.json\n";
const AFTER: &str = "\"$PROGRAM\" notes list --session $SESSION\n";

fn is_named(output: &Output, ends: &[(&str, &[i32])]) {
    let (said, errors) = (stdout(output), stderr(output));
    assert!(output.status.success(), "{said}{errors}");
    assert!(!errors.contains("panicked") && !errors.contains("a fault of the program"), "{said}{errors}");
    let mut found = said.lines().filter_map(|line| line.split_once(" ended with "));
    for (command, codes) in ends {
        let (name, code) = found.next().unwrap_or_else(|| panic!("{command}: {said}{errors}"));
        assert_eq!(name, *command, "{said}{errors}");
        assert!(codes.contains(&code.parse().unwrap()), "{command} ended with {code}: {said}{errors}");
    }
    assert!(said.contains("early"), "what was acknowledged is there: {said}{errors}");
}

#[test]
fn a_full_disk_is_named_and_loses_nothing_acknowledged() {
    toolchain();
    let around = folder();
    let fill = "cat /dev/zero > fill 2> /dev/null || true\n";
    let Some(output) = on_a_disk(around.path(), &format!("{KEPT}{fill}{ASKED}rm fill\n{AFTER}")) else { return };
    let ends: &[(&str, &[i32])] = &[
        ("notes", &[0]),
        ("notes", &[6]),
        ("feedback", &[0, 6]),
        ("report", &[0, 1, 6]),
        ("score", &[0]),
        ("gate", &[6]),
    ];
    is_named(&output, ends);
    assert!(stderr(&output).contains("free some"), "{}", stderr(&output));
    assert!(!stdout(&output).contains("late"), "what was refused is not there: {}", stdout(&output));
}

/// Waits until the shell of the server has done something to the disk.
fn done(around: &Path, what: &str, done: &str) {
    fs::write(around.join(what), "").unwrap();
    while !around.join(done).exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_server_on_a_full_disk_says_so_and_goes_on_when_there_is_room() {
    let Some(unshare) = systems::require(System::MountNamespace) else { return };
    let around = folder();
    let mut command = Command::new(unshare);
    for (key, value) in program(&settings()).get_envs() {
        match value {
            Some(value) => command.env(key, value),
            None => command.env_remove(key),
        };
    }
    let script = "mkdir disk; mount -t tmpfs -o size=1m none disk; cd disk; mkdir .git; echo x > a.py\n\
                  { until [ -e ../fill ]; do sleep 0.01; done; cat /dev/zero > fill 2> /dev/null || true; : > ../filled\n\
                  until [ -e ../free ]; do sleep 0.01; done; rm fill; : > ../freed; } < /dev/null > /dev/null &\n\
                  exec \"$PROGRAM\" serve --toolsets all --workers off";
    command.args(["--map-root-user", "--mount", "sh", "-euc", script]).env("PROGRAM", PROGRAM);
    command.env("TAPPS_MCP_OFFLINE", "1").env_remove("TAPPS_MCP_PROJECT_ROOT").current_dir(around.path());
    let mut server = Process::start(command);
    server.handshake();
    let mut code = |tool: &str, arguments: Value| {
        let reply = server.call(tool, arguments);
        (reply["structuredContent"]["error_code"].clone(), reply.to_string())
    };
    let note = |key: &str| json!({"action": "save", "key": key, "value": "x".repeat(2_000)});
    let session = json!({"goal": "g", "test_files": ["t.py"], "implementation_files": ["a.py"], "run_tests": ["true"]});
    let workflow = json!({"template_name": "bug-fix"});
    let begin = |code: &mut dyn FnMut(&str, Value) -> (Value, String), key: &str| {
        [
            ("tapps_session_notes", note(key)),
            ("tdd_start_session", session.clone()),
            ("workflow_next_step", workflow.clone()),
        ]
        .map(|(tool, arguments)| (tool, code(tool, arguments)))
    };
    let early = code("tapps_session_notes", note("early"));
    assert!(early.0.is_null(), "{}", early.1);
    done(around.path(), "fill", "filled");
    for (tool, (code, reply)) in begin(&mut code, "late") {
        assert_eq!(code, "resource_exhausted", "{tool}: {reply}");
    }
    done(around.path(), "free", "freed");
    for (tool, (code, reply)) in begin(&mut code, "after") {
        assert!(code.is_null(), "{tool}: {reply}");
    }
    let kept = code("tapps_session_notes", json!({"action": "list"})).1;
    assert!(kept.contains("early") && kept.contains("after") && !kept.contains("late"), "{kept}");
    server.end();
}

#[test]
fn a_disk_that_may_only_be_read_is_named_and_stops_no_answer() {
    toolchain();
    let around = folder();
    let script = format!("{KEPT}mount -o remount,ro \"$PWD\"\n{ASKED}{AFTER}");
    let Some(output) = on_a_disk(around.path(), &script) else { return };
    let ends: &[(&str, &[i32])] = &[
        ("notes", &[0]),
        ("notes", &[2]),
        ("feedback", &[0, 2]),
        ("report", &[0, 1, 2]),
        ("score", &[0]),
        ("gate", &[2]),
    ];
    is_named(&output, ends);
}

/// A clock that was set back leaves files and entries from the future behind.
#[test]
fn files_from_the_future_are_read_like_others() {
    toolchain();
    let project = folder();
    let root = project.path();
    fs::write(root.join("a.py"), "import os\n").unwrap();
    let run = |arguments: &[&str]| {
        let mut command = program(&settings());
        command.args(arguments).current_dir(root).env("TAPPS_MCP_OFFLINE", "1").env_remove("TAPPS_MCP_PROJECT_ROOT");
        command.env("TAPPS_MCP_CACHE_DIR", root.join("cache"));
        let output = command.output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}: {}", stderr(&output));
        stdout(&output)
    };
    let scored = |text: &str| {
        let mut report: Value = serde_json::from_str(text).unwrap();
        report["files"][0].take()
    };
    let score = ["score", "a.py", "--format", "json"];
    run(&["notes", "save", "k", "v", "--session", SESSION]);
    run(&["feedback", "wrong", "--rule", "ruff:F401"]);
    let first = scored(&run(&score));
    for time in [SystemTime::now() + Duration::from_secs(40 * 365 * 86_400), SystemTime::UNIX_EPOCH] {
        let walk = ignore::WalkBuilder::new(root).standard_filters(false).build().map(Result::unwrap);
        for entry in walk.filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file())) {
            fs::File::options().append(true).open(entry.path()).unwrap().set_modified(time).unwrap();
        }
        assert_eq!(scored(&run(&score))["findings"], first["findings"]);
        assert!(run(&["notes", "list", "--session", SESSION]).contains('k'));
        run(&["stats"]);
        // A change is seen although its time stays.
        fs::write(root.join("a.py"), "import re\n").unwrap();
        fs::File::options().append(true).open(root.join("a.py")).unwrap().set_modified(time).unwrap();
        assert!(scored(&run(&score))["findings"].to_string().contains("`re`"));
        fs::write(root.join("a.py"), "import os\n").unwrap();
    }
}

/// On a disk that tells names apart by case, names that differ by case alone are different files; the names of the
/// program's own folders are exact.
#[test]
fn names_that_differ_by_case_are_different_files() {
    toolchain();
    let project = folder();
    let root = project.path();
    for (name, text) in [("module.py", "import os\n"), ("Module.py", "x = 1\n"), (".Tapps-mcp/x.py", "y = 1\n")] {
        fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        fs::write(root.join(name), text).unwrap();
    }
    if fs::read_to_string(root.join("module.py")).unwrap() != "import os\n" {
        return;
    }
    fs::create_dir(root.join(".GIT")).unwrap();
    fs::write(root.join(".GIT/config"), "[core]\n\tfsmonitor = touch ran\n").unwrap();
    let run = |arguments: &[&str]| {
        let mut command = program(&settings());
        command.args(arguments).current_dir(root).env("TAPPS_MCP_OFFLINE", "1").env_remove("TAPPS_MCP_PROJECT_ROOT");
        command.output().unwrap()
    };
    let output = run(&["score", "module.py", "Module.py", "--no-cache", "--format", "json"]);
    let report: serde_json::Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    let files = report["files"].as_array().unwrap();
    let unused: Vec<bool> = files.iter().map(|file| file["findings"].to_string().contains("F401")).collect();
    let names: Vec<&str> =
        files.iter().map(|file| file["file"].as_str().or(file["file_path"].as_str()).unwrap_or("")).collect();
    assert!(unused.contains(&true) && unused.contains(&false), "{names:?} {unused:?}");
    assert!(run(&["notes", "save", "k", "v", "--session", SESSION]).status.success());
    assert!(!root.join("ran").exists() && root.join(".tapps-mcp").is_dir());
}
