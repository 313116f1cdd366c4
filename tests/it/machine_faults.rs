//! What a machine does to a verdict: nothing, or an error that names it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tapps_toolchain::ToolchainSettings;

use super::scoring::support::strip_meta;
use super::toolchain_support::inherit;
use super::toolchain_support::{
    PROGRAM, copy_tree, folder, make_program, program, script, settings, stderr, stdout, toolchain, unlock,
};

/// An ordinary file whose one defect blocks every gate.
const ORDINARY: &str = "def total(prices: list[int]) -> int:\n    return undefined_name\n";
const CLEAN: &str = "def total(prices: list[int]) -> int:\n    return sum(prices)\n";

/// Expressions that nest too deeply for the stack that a tool is given by itself, in every shape that one can have.
fn deep_files() -> Vec<(&'static str, String)> {
    let links = 5_000;
    vec![
        ("deep_plus.py", format!("X = {}\"a\"\n", "\"a\" + ".repeat(links))),
        ("deep_names.py", format!("import os\n\nX = os{}\n", ".b".repeat(links))),
        ("deep_calls.py", format!("import os\n\nX = os{}\n", ".b(1)".repeat(links))),
        ("deep_items.py", format!("import os\n\nX = os{}\n", "[0]".repeat(links))),
        ("deep_nots.py", format!("import os\n\nX = {}os\n", "not ".repeat(links))),
        ("deep_choices.py", format!("import os\n\nX = {}2\n", "1 if os else ".repeat(links))),
    ]
}

struct Project(tempfile::TempDir);

impl Project {
    fn of<'t>(files: impl IntoIterator<Item = (&'t str, &'t str)>) -> Self {
        toolchain();
        let folder = folder();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Self(folder)
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    /// The program, by a shell that runs `before` first.
    fn command(&self, settings: &ToolchainSettings, before: &str, arguments: &[&str]) -> Command {
        let plain = program(settings);
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(format!("{before}; exec \"$0\" \"$@\"")).arg(PROGRAM).args(arguments);
        inherit(&mut command, &plain);
        command.env_remove("TAPPS_MCP_PROJECT_ROOT").current_dir(self.root());
        command
    }

    fn run(&self, settings: &ToolchainSettings, before: &str, arguments: &[&str]) -> Output {
        self.command(settings, before, arguments).output().unwrap()
    }

    /// The scores of some files and the exit code, without a cache.
    fn scores(&self, settings: &ToolchainSettings, before: &str, arguments: &[&str]) -> (Value, i32) {
        let output = self.run(settings, before, &[&["score", "--no-cache", "--format", "json"], arguments].concat());
        let mut report: Value = serde_json::from_str(&stdout(&output)).unwrap_or_else(|e| {
            panic!("{e}: {}{}", stdout(&output), stderr(&output));
        });
        strip_meta(&mut report);
        (report, output.status.code().unwrap())
    }
}

fn file<'r>(report: &'r Value, name: &str) -> &'r Value {
    report["files"].as_array().unwrap().iter().find(|file| file["file"] == name).unwrap()
}

fn rules(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|one| one["rule"].as_str().unwrap()).collect()
}

#[test]
fn a_deep_neighbour_and_the_limit_of_stacks_change_no_result() {
    let deep = deep_files();
    let files = deep.iter().map(|(name, text)| (*name, text.as_str())).chain([("ordinary.py", ORDINARY)]);
    let project = Project::of(files);
    let settings = settings();
    let (together, code) = project.scores(&settings, ":", &["."]);
    assert_eq!(code, 1, "the undefined name blocks");
    assert_eq!(rules(&file(&together, "ordinary.py")["blocking"]), ["ruff:F821"]);
    let (again, _) = project.scores(&settings, ":", &["."]);
    assert_eq!(again, together, "twice the same bytes");
    let (small_stack, _) = project.scores(&settings, "ulimit -s 1024", &["."]);
    assert_eq!(small_stack, together, "`ulimit -s` decides nothing");
    let (alone, code) = project.scores(&settings, "ulimit -s 1024", &["ordinary.py"]);
    assert_eq!((file(&alone, "ordinary.py"), code), (file(&together, "ordinary.py"), 1));
    for name in ["deep_plus.py", "deep_nots.py"] {
        let (alone, _) = project.scores(&settings, ":", &[name]);
        assert_eq!(file(&alone, name), file(&together, name), "{name}");
    }
    let plus = file(&together, "deep_plus.py");
    assert_eq!(plus["degraded"], false, "everything reads it: {}", plus["not_measured"]);
    for word in ["thread", "overflowed", "0x"] {
        assert!(!together.to_string().contains(word), "{word}");
    }
}

#[test]
fn what_could_not_be_measured_has_an_exit_code_and_is_no_pass() {
    let deep = deep_files();
    // The locked bandit cannot read what nests so deeply.
    let engine = ("tapps-mcp.toml", "security.engine = \"bandit\"\n");
    let project = Project::of([("deep.py", deep[0].1.as_str()), ("clean.py", CLEAN), engine]);
    let settings = settings();
    let (report, code) = project.scores(&settings, ":", &["deep.py"]);
    let failed = |gap: &&Value| gap["failed"] == true;
    let gaps: Vec<&Value> =
        file(&report, "deep.py")["not_measured"].as_array().unwrap().iter().filter(failed).collect();
    assert!(gaps.iter().all(|gap| gap["tool"] == "bandit"), "ruff and mypy read it: {gaps:?}");
    assert_eq!((code, file(&report, "deep.py")["degraded"].as_bool()), (7, Some(true)));
    assert_eq!(project.scores(&settings, ":", &["clean.py"]).1, 0);
    let gate = project.run(&settings, ":", &["gate", "--no-cache", "--format", "json", "clean.py", "deep.py"]);
    let report: Value = serde_json::from_str(&stdout(&gate)).unwrap();
    assert_eq!((gate.status.code(), &report["passed"]), (Some(7), &false.into()), "{report}");
    assert_eq!(file(&report, "deep.py")["undecided"], true);
    fs::write(project.root().join("clean.py"), ORDINARY).unwrap();
    let gate = project.run(&settings, ":", &["gate", "--no-cache", "clean.py", "deep.py"]);
    assert_eq!(gate.status.code(), Some(1), "a finding that blocks decides first");
}

/// Settings whose ruff is a script around the real one: it dies of a file of the given name by the given signal.
fn with_fragile_ruff(folder: &Path, deadly: &str, signal: &str) -> ToolchainSettings {
    let shared = toolchain();
    let copy = folder.join("tree");
    copy_tree(shared.root(), &copy);
    unlock(&copy);
    let ruff = copy.join("bin/ruff");
    let real = folder.join("ruff");
    fs::copy(&ruff, &real).unwrap();
    make_program(&real);
    let text = format!(
        "#!/bin/sh\nfor given in \"$@\"; do case $given in *{deadly}) kill -{signal} $$;; esac; done\nexec '{}' \"$@\"\n",
        real.display()
    );
    fs::remove_file(&ruff).unwrap();
    script(&copy.join("bin"), "ruff", &text);
    let python = shared.interpreter().unwrap().executable.clone();
    ToolchainSettings { toolchain_dir: Some(copy), python: Some(python), ..settings() }
}

#[test]
fn a_tool_that_dies_of_one_file_is_asked_about_the_others_without_it() {
    let names: Vec<String> = (0..12).map(|n| format!("file{n}.py")).collect();
    let files =
        names.iter().map(|name| (name.as_str(), CLEAN)).chain([("deadly.py", CLEAN), ("ordinary.py", ORDINARY)]);
    let project = Project::of(files);
    let tools = folder();
    let settings = with_fragile_ruff(tools.path(), "deadly.py", "SEGV");
    let quick = |paths: &[&str]| project.scores(&settings, ":", &[&["--allow-unverified", "--quick"], paths].concat());
    let (report, code) = quick(&["."]);
    assert_eq!(code, 1);
    assert_eq!(rules(&file(&report, "ordinary.py")["blocking"]), ["ruff:F821"]);
    for name in &names {
        assert_eq!(file(&report, name)["degraded"], false, "{name}");
    }
    let deadly = file(&report, "deadly.py");
    let reasons: Vec<&Value> = deadly["not_measured"].as_array().unwrap().iter().collect();
    let told = reasons.iter().filter(|gap| gap["tool"] == "ruff");
    let told: Vec<&str> = told.map(|gap| gap["reason"].as_str().unwrap()).collect();
    assert_eq!(told, ["ruff ended by a signal on this file"; 2], "maintainability and performance");
    let (alone, code) = quick(&["deadly.py"]);
    assert_eq!((file(&alone, "deadly.py"), code), (deadly, 7));
}

#[test]
fn a_tool_that_somebody_kills_ends_the_call() {
    let project = Project::of([("victim.py", CLEAN), ("clean.py", CLEAN)]);
    let tools = folder();
    let settings = with_fragile_ruff(tools.path(), "victim.py", "KILL");
    let arguments = ["score", "--no-cache", "--allow-unverified", "--quick", "--format", "json", "."];
    let output = project.run(&settings, ":", &arguments);
    assert_eq!(output.status.code(), Some(6), "{}", stderr(&output));
    let error: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(error["error_code"], "resource_exhausted");
    assert_eq!(error["message"], "ruff was ended from outside, by signal 9");
}

#[test]
fn too_few_open_files_are_an_error_and_never_a_score() {
    let project = Project::of([("clean.py", CLEAN)]);
    for limit in [40, 32, 24, 16] {
        let before = format!("ulimit -n {limit}");
        for command in ["score", "gate", "check"] {
            let output = project.run(&settings(), &before, &[command, "--no-cache", "clean.py"]);
            assert_eq!(output.status.code(), Some(6), "{limit} {command}: {}", stderr(&output));
            assert_eq!(stdout(&output), "", "{limit} {command}");
            assert!(stderr(&output).contains("ulimit -n"), "{limit} {command}: {}", stderr(&output));
        }
    }
    // A soft limit is no limit: the program takes what it may have.
    let raised = project.run(&settings(), "ulimit -S -n 32", &["check", "--no-cache", "clean.py"]);
    assert_eq!(raised.status.code(), Some(0), "{}", stderr(&raised));
}

#[test]
fn a_file_that_may_not_grow_is_an_error_with_a_name() {
    let project = Project::of([("clean.py", CLEAN)]);
    for arguments in [&["score", "--no-cache", "clean.py"][..], &["gate", "--no-cache", "clean.py"]] {
        let output = project.run(&settings(), "ulimit -f 0", arguments);
        assert_eq!(output.status.code(), Some(6), "{}{}", stdout(&output), stderr(&output));
        assert!(stderr(&output).contains("ulimit -f"), "{}", stderr(&output));
    }
}

#[test]
fn a_python_that_is_too_old_for_the_project_is_refused() {
    let found = toolchain().interpreter().unwrap().clone();
    let project = Project::of([
        ("clean.py", CLEAN),
        ("pyproject.toml", "[project]\nname = \"x\"\nrequires-python = \">=3.14\"\n"),
    ]);
    if found.version.starts_with("3.14") {
        return;
    }
    let tools = folder();
    std::os::unix::fs::symlink(&found.launcher, tools.path().join("python3")).unwrap();
    let by_path = ToolchainSettings { search_path: tools.path().into(), ..settings() };
    let by_name = ToolchainSettings { python: Some(found.executable.clone()), ..settings() };
    let message = format!("this project is for Python 3.14, the tools run on {}", found.version);
    for settings in [&by_path, &by_name] {
        for command in ["score", "gate", "check"] {
            let output = project.run(settings, ":", &[command, "--no-cache", "clean.py"]);
            assert_eq!(output.status.code(), Some(4), "{command}: {}", stderr(&output));
            assert!(stderr(&output).contains(&message), "{command}: {}", stderr(&output));
            assert!(stderr(&output).contains("TAPPS_MCP_PYTHON"), "{command}: {}", stderr(&output));
        }
        let output = project.run(settings, ":", &["doctor", "--json"]);
        let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let checks = report["checks"].as_array().unwrap();
        let check = checks.iter().find(|check| check["id"] == "toolchain.interpreter").unwrap();
        assert_eq!((check["status"].as_str(), check["summary"].as_str()), (Some("fail"), Some(message.as_str())));
    }
    // A project that says nothing of its Python is for every one.
    fs::write(project.root().join("pyproject.toml"), "[project]\nname = \"x\"\n").unwrap();
    let output = project.run(&by_path, ":", &["check", "--no-cache", "clean.py"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn without_tools_no_check_is_clean() {
    let project = Project::of([("clean.py", CLEAN)]);
    let nowhere = folder();
    let (data_dir, cache_dir) = (nowhere.path().join("data"), nowhere.path().join("cache"));
    let bare = ToolchainSettings { data_dir, cache_dir, ..settings() };
    for command in ["score", "gate", "check"] {
        let output = project.run(&bare, ":", &[command, "--offline", "clean.py"]);
        assert_eq!(output.status.code(), Some(4), "{command}: {}{}", stdout(&output), stderr(&output));
    }
    let checked = project.run(&bare, ":", &["check", "--offline", "clean.py"]);
    assert!(stdout(&checked).starts_with("clean.py: not checked: "), "{}", stdout(&checked));
    let hook = |settings: &ToolchainSettings| {
        let mut command = project.command(settings, ":", &["--offline", "check", "--client", "claude-code"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let path = project.root().join("clean.py");
        let request = serde_json::json!({"hook_event_name": "PostToolUse", "tool_name": "Write", "cwd": project.root(),
            "tool_input": {"file_path": path}});
        serde_json::to_writer(child.stdin.take().unwrap(), &request).unwrap();
        child.wait_with_output().unwrap()
    };
    let told = hook(&bare);
    assert_eq!(told.status.code(), Some(1), "{}", stderr(&told));
    assert!(stderr(&told).starts_with("clean.py: not checked: "), "{}", stderr(&told));
    let healthy = hook(&settings());
    assert_eq!((healthy.status.code(), stderr(&healthy).as_str()), (Some(0), ""));
    let (report, code) = project.scores(&settings(), ":", &["--quick", "clean.py"]);
    assert_eq!(
        (&file(&report, "clean.py")["degraded"], code),
        (&false.into(), 0),
        "quick leaves out what it leaves out"
    );
}
