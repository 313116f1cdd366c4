//! Which programs start while commands look at a repository that would like to start its own.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tapps_toolchain::{ToolchainSettings, TreeKind};
use tempfile::TempDir;

use crate::systems::{self, System};
use crate::toolchain_git_support::git;
use crate::toolchain_support::{PROGRAM, folder, inherit, program, script, settings, stderr, toolchain};

const CODEREF: &str = env!("CARGO_BIN_EXE_coderef");

/// Commands that read a project, and nothing that runs what the user has set up to be run.
const COMMANDS: &[&[&str]] = &[
    &[PROGRAM, "score", "a.py", "web/app.ts"],
    &[PROGRAM, "check", "a.py"],
    &[PROGRAM, "gate", "."],
    &[PROGRAM, "gate", "--changed", "HEAD"],
    &[PROGRAM, "report", "--format", "json"],
    &[PROGRAM, "validate"],
    &[PROGRAM, "deps", "graph"],
    &[PROGRAM, "deps", "unused"],
    &[PROGRAM, "deps", "scan"],
    &[PROGRAM, "profile"],
    &[PROGRAM, "impact", "a.py"],
    &[CODEREF, "scan"],
];

/// A repository in which everything that some tool is known to run tries to leave a mark.
fn repository(root: &Path, mark: &Path) {
    let shell = format!("#!/bin/sh\n: > '{}'\n", mark.display());
    let python = format!("open({:?}, 'w')\n", mark);
    let node = format!("require('fs').writeFileSync({:?}, '');\n", mark);
    for place in ["bin", "web", "node_modules/.bin", ".venv/bin", ".githooks"] {
        fs::create_dir_all(root.join(place)).unwrap();
        for name in
            ["ruff", "mypy", "bandit", "coverage", "python", "python3", "git", "node", "tsc", "eslint", "npm", "pip"]
        {
            script(&root.join(place), name, &shell);
        }
        for name in ["post-index-change", "fsmonitor-watchman", "reference-transaction"] {
            script(&root.join(place), name, &shell);
        }
    }
    for name in ["conftest", "setup", "sitecustomize", "usercustomize", "mypy", "bandit", "radon", "ast", "evil"] {
        fs::write(root.join(format!("{name}.py")), &python).unwrap();
    }
    for name in [".eslintrc.js", "eslint.config.js", "babel.config.js", "web/app.config.js"] {
        fs::write(root.join(name), &node).unwrap();
    }
    let run = format!("touch {}", mark.display());
    let files = [
        ("a.py", "import os\nimport evil\n\nprint(os, evil)\n".to_owned()),
        ("test_a.py", "import a\n\n\ndef test_a():\n    assert a\n".to_owned()),
        ("web/app.ts", "export const one: number = 1;\n".to_owned()),
        (
            "tapps-mcp.toml",
            "rules = \"project\"\nsecurity.engine = \"bandit\"\ncoverage.files = [\".coverage\"]\n".to_owned(),
        ),
        ("mypy.ini", "[DEFAULT]\nplugins = ./evil.py\npython_executable = ./bin/python\n[mypy]\n".to_owned()),
        ("ruff.toml", "extend = './evil.toml'\n".to_owned()),
        ("pyproject.toml", "[build-system]\nrequires = []\nbuild-backend = 'evil'\nbackend-path = ['.']\n".to_owned()),
        ("setup.cfg", "[tool:pytest]\naddopts = -p evil\n".to_owned()),
        ("tox.ini", format!("[testenv]\ncommands = {run}\n")),
        (".coveragerc", "[run]\nplugins = evil\nsource = /\n".to_owned()),
        (".bandit", "[bandit]\ntargets = /\nplugins = evil\n".to_owned()),
        ("bandit.yaml", "plugin_name_pattern: '*'\n".to_owned()),
        (".pre-commit-config.yaml", format!("repos:\n- repo: local\n  hooks:\n  - id: x\n    entry: {run}\n")),
        (
            "package.json",
            format!("{{\"name\": \"x\", \"scripts\": {{\"preinstall\": \"{run}\", \"prepare\": \"{run}\"}}}}\n"),
        ),
        ("tsconfig.json", "{\"compilerOptions\": {\"plugins\": [{\"name\": \"./evil.js\"}]}}\n".to_owned()),
        (".npmrc", "script-shell=./bin/python\n".to_owned()),
        ("Makefile", format!("all:\n\t{run}\n")),
        ("Dockerfile", format!("FROM scratch\nRUN {run}\n")),
        (".gitattributes", "*.py diff=evil filter=evil\n".to_owned()),
    ];
    for (name, text) in files {
        fs::write(root.join(name), text).unwrap();
    }
    git(root, &["init", "--quiet"]);
    git(root, &["add", "a.py", "ruff.toml", ".gitattributes"]);
    git(root, &["commit", "--quiet", "-m", "one"]);
    fs::write(root.join("a.py"), "import os\n\nprint(os, 1)\n").unwrap();
    for (key, value) in [
        ("core.fsmonitor", run.as_str()),
        ("core.hooksPath", ".githooks"),
        ("core.pager", &run),
        ("diff.external", &run),
        ("diff.evil.textconv", &run),
        ("diff.evil.command", &run),
        ("filter.evil.clean", &run),
        ("filter.evil.smudge", &run),
        ("filter.evil.process", &run),
        ("filter.evil.required", "true"),
    ] {
        git(root, &["config", key, value]);
    }
}

/// Where the system keeps `git`, and the programs that git itself starts.
fn own_programs(interpreter: &Path) -> BTreeSet<PathBuf> {
    let git = systems::git();
    let output = Command::new(&git).arg("--exec-path").output().unwrap();
    let folder = PathBuf::from(String::from_utf8(output.stdout).unwrap().trim());
    let own = [PathBuf::from(PROGRAM), PathBuf::from(CODEREF), interpreter.to_owned(), git, folder.join("git")];
    own.iter().flat_map(|path| [path.clone(), path.canonicalize().unwrap()]).collect()
}

/// The programs that a log of `execve` calls says were started; what was looked for in vain is not among them.
fn started(log: &str) -> BTreeSet<PathBuf> {
    let calls =
        log.lines().filter(|line| line.ends_with("= 0") || line.contains("= 0 ") || line.contains("unfinished"));
    calls.filter_map(|line| line.split_once("execve(\"")?.1.split_once('"')).map(|(path, _)| path.into()).collect()
}

#[test]
fn nothing_but_the_locked_tools_python_and_git_starts() {
    let Some(strace) = systems::require(System::Strace) else { return };
    let folder: TempDir = folder();
    let (root, mark, log) = (folder.path().join("project"), folder.path().join("ran"), folder.path().join("log"));
    fs::create_dir(&root).unwrap();
    repository(&root, &mark);
    let toolchain = toolchain();
    // Named, so that no other interpreter of this machine is tried out.
    let interpreter = toolchain.interpreter().unwrap().executable.clone();
    let settings = ToolchainSettings { python: Some(interpreter.clone()), ..settings() };
    let own = own_programs(&interpreter);
    // What is fetched when it is first needed has folders of its own.
    let apart: Vec<&Path> = TreeKind::WHEN_NEEDED.into_iter().filter_map(|kind| toolchain.root_apart(kind)).collect();
    let mut seen = BTreeSet::new();
    for command in COMMANDS {
        let prepared = program(&settings);
        let mut traced = Command::new(&strace);
        traced.args(["-f", "-qq", "-e", "trace=execve", "-o"]).arg(&log).args(*command).current_dir(&root);
        inherit(&mut traced, &prepared);
        let output = traced.env("TAPPS_MCP_OFFLINE", "1").env_remove("TAPPS_MCP_PROJECT_ROOT").output().unwrap();
        assert!(output.status.code().is_some_and(|code| code < 5), "{command:?}: {}", stderr(&output));
        let programs = started(&fs::read_to_string(&log).unwrap());
        assert!(programs.contains(Path::new(command[0])), "{command:?}: {programs:?}");
        let locked =
            |path: &Path| path.starts_with(toolchain.root()) || apart.iter().any(|root| path.starts_with(root));
        let foreign: Vec<&PathBuf> = programs.iter().filter(|path| !own.contains(*path) && !locked(path)).collect();
        assert!(foreign.is_empty(), "{command:?} started {foreign:?}");
        assert!(!mark.exists(), "{command:?} ran something of the repository");
        seen.extend(programs);
    }
    // The log would have shown it: all that may start did.
    assert!(seen.contains(&toolchain.root().join("bin/ruff")), "{seen:?}");
    let started = |root: &&&Path| seen.iter().any(|path| path.starts_with(root));
    assert_eq!(apart.iter().filter(started).count(), apart.len(), "{seen:?}");
    assert!(seen.contains(&interpreter) && seen.iter().any(|path| path.ends_with("git")), "{seen:?}");
}
