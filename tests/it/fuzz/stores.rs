//! What the program keeps in a project, spoilt by somebody: every command names it and goes on, and writes nowhere else.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::json;

use super::{Cases, Rng, mutated};
use crate::mcp_process::Process;
use crate::toolchain_support::{PROGRAM, copy_tree, inherit, program, settings, stderr};

/// Far longer than any of the commands takes: one that waits for something that never comes is ended then.
const PATIENCE: Duration = Duration::from_secs(180);

const COMMANDS: &[&[&str]] = &[
    &["notes", "list"],
    &["notes", "save", "other", "value"],
    &["notes", "search", "value"],
    &["tdd", "status"],
    &["tdd", "history"],
    &["tdd", "guard", "src/a.py"],
    &["stats"],
    &["feedback", "wrong", "--rule", "ruff:F401"],
    &["checklist"],
    &["tags", "list"],
    &["tags", "resume"],
    &["workflow", "list"],
    &["workflow", "status"],
    &["workflow", "show", "own"],
    &["knowledge", "validate"],
    &["experts", "ask", "How is the frobnicator reset?"],
    &["profile"],
    &["config", "show"],
    &["coderef", "scan"],
    &["coderef", "drift"],
    &["coderef", "query", "run"],
    &["coderef", "impact", "run"],
];

const KNOWLEDGE: &str = "---\ntitle: The frobnicator\ndomain: devops\ntags: [frobnicator]\nquestions:\n  - How is the frobnicator reset?\nreviewed: 2026-01-01\n\
    applies_to: [any]\nsources:\n  - https://example.org/a\n---\n# The frobnicator\n## When it applies\nAlways.\n\n## Decision\nReset the frobnicator twice.\n";

const TEMPLATE: &str = "---\nname: own\ndescription: Own.\nsteps:\n  - name: one\n    agent: implementer\n    files: ['../../**', /etc/passwd]\n---\n# Own\n";

/// A project with something of everything that is kept, beside a file that nobody may touch.
struct Kept {
    folder: tempfile::TempDir,
    /// The files that are kept, relative to the project.
    files: Vec<String>,
}

impl Kept {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("whole");
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        fs::create_dir_all(root.join(".git")).unwrap();
        write("src/a.py", "import os\n\n\ndef run(command: str) -> int:\n    return os.system(command)\n");
        write("note.md", "---\ntags: [one]\n---\n# Note\n#two\n");
        write(".tapps-mcp/knowledge/devops/frobnicator.md", KNOWLEDGE);
        write(".tapps-mcp/workflows/own.md", TEMPLATE);
        write("tapps-mcp.toml", "preset = \"standard\"\n");
        let mut command = program(&settings());
        command.current_dir(&root).env_remove("TAPPS_MCP_PROJECT_ROOT").env("TAPPS_MCP_OFFLINE", "1");
        command.args(["serve", "--toolsets", "all", "--workers", "off"]);
        let mut server = Process::start(command);
        server.handshake();
        let path = root.to_str().unwrap();
        for (tool, arguments) in [
            ("tapps_session_notes", json!({"action": "save", "key": "k", "value": "value"})),
            (
                "tdd_start_session",
                json!({"goal": "g", "test_files": ["t.py"], "implementation_files": ["src/a.py"], "run_tests": ["true"]}),
            ),
            ("coderef_scan", json!({"project_path": path})),
            ("coderef_drift", json!({"project_path": path, "save": true})),
            ("tapps_feedback", json!({"outcome": "wrong", "rule": "ruff:F401", "file_path": "src/a.py"})),
        ] {
            let answer = server.call(tool, arguments);
            assert_eq!(answer["isError"], false, "{tool}: {answer}");
        }
        assert!(server.end().1.success());
        fs::write(folder.path().join("canary"), "untouched").unwrap();
        let mut files = Vec::new();
        for kept in [".tapps-mcp", ".coderef", ".tdd-mcp"] {
            let walk = ignore::WalkBuilder::new(root.join(kept)).standard_filters(false).build().map(Result::unwrap);
            let found = walk.filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
            files.extend(found.map(|entry| entry.path().strip_prefix(&root).unwrap().to_str().unwrap().to_owned()));
        }
        files.push("tapps-mcp.toml".to_owned());
        files.sort();
        assert!(files.len() >= 10, "{files:?}");
        Self { folder, files }
    }

    /// A copy to spoil.
    fn copy(&self) -> PathBuf {
        let root = self.folder.path().join("spoilt");
        if root.exists() {
            fs::remove_dir_all(&root).unwrap();
        }
        copy_tree(&self.folder.path().join("whole"), &root);
        root
    }

    fn untouched(&self) {
        let canary = self.folder.path().join("canary");
        assert_eq!(fs::read_to_string(&canary).unwrap(), "untouched");
        let mut names: Vec<_> =
            fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["canary", "spoilt", "whole"], "nothing is written beside the project");
    }
}

/// Spoils one thing that is kept, and says which and how.
fn spoil(rng: &mut Rng, root: &Path, files: &[String]) -> String {
    let file = rng.pick(files);
    let path = root.join(file);
    let bytes = fs::read(&path).unwrap();
    let canary = root.with_file_name("canary");
    let replaced = |make: &dyn Fn()| {
        fs::remove_file(&path).unwrap();
        make();
    };
    let how = match rng.below(12) {
        0 => {
            replaced(&|| symlink(&canary, &path).unwrap());
            "a link to a file outside"
        }
        1 => {
            replaced(&|| symlink(root.with_file_name("nothing"), &path).unwrap());
            "a link to nothing outside"
        }
        2 => {
            replaced(&|| fs::hard_link(&canary, &path).unwrap());
            "another name of a file outside"
        }
        3 => {
            replaced(&|| fs::create_dir(&path).unwrap());
            "a folder"
        }
        4 => {
            replaced(&|| {
                rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0)
                    .unwrap();
            });
            "a pipe that nobody writes to"
        }
        5 => {
            replaced(&|| ());
            "gone"
        }
        6 => {
            fs::File::options().write(true).open(&path).unwrap().set_len(8 << 30).unwrap();
            "eight gigabytes of nothing"
        }
        7 => {
            let folder = path.parent().unwrap();
            fs::remove_dir_all(folder).unwrap();
            symlink(root.parent().unwrap(), folder).unwrap();
            "in a folder that is a link to one outside"
        }
        8 => {
            fs::copy(root.join(rng.pick(files)), &path).ok();
            "another file"
        }
        _ => {
            fs::write(&path, mutated(rng, &bytes, &[])).unwrap();
            "with other bytes"
        }
    };
    format!("{file} is {how}")
}

/// A command with so much time of the processor and so much memory, so that what would never end, ends.
fn bounded(root: &Path, command: &[&str]) -> Output {
    let (program_name, arguments) = match command {
        ["coderef", rest @ ..] => (env!("CARGO_BIN_EXE_coderef"), rest),
        _ => (PROGRAM, command),
    };
    let mut shell = Command::new("sh");
    inherit(&mut shell, &program(&settings()));
    shell.env_remove("TAPPS_MCP_PROJECT_ROOT").env("TAPPS_MCP_OFFLINE", "1").current_dir(root);
    shell.args(["-c", "ulimit -t 60; ulimit -v 4000000; exec \"$0\" \"$@\"", program_name]).args(arguments);
    let mut child = shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let (sender, ended) = std::sync::mpsc::channel();
    let mut said = child.stderr.take().unwrap();
    // The stream ends with the process.
    std::thread::spawn(move || {
        let mut text = Vec::new();
        std::io::Read::read_to_end(&mut said, &mut text).ok();
        sender.send(text)
    });
    let stderr = ended.recv_timeout(PATIENCE).unwrap_or_else(|_| {
        child.kill().ok();
        b"it waits for ever".to_vec()
    });
    Output { status: child.wait().unwrap(), stdout: Vec::new(), stderr }
}

/// A repository that is cloned may bring its own lock of a session: as a link, it is never written through.
#[test]
fn a_lock_or_a_folder_that_leads_out_of_the_project_is_refused() {
    let kept = Kept::new();
    let canary = kept.folder.path().join("canary");
    let lock = kept
        .files
        .iter()
        .find(|file| file.starts_with(".tdd-mcp/") && file.ends_with(".lock") && !file.contains("active"))
        .unwrap();
    let id = lock.rsplit('/').next().unwrap().trim_end_matches(".lock");
    let resumed = |spoil: &dyn Fn(&Path)| {
        let root = kept.copy();
        spoil(&root);
        let mut command = program(&settings());
        command.current_dir(&root).env_remove("TAPPS_MCP_PROJECT_ROOT").env("TAPPS_MCP_OFFLINE", "1");
        command.args(["serve", "--toolsets", "tdd", "--workers", "off"]);
        let mut server = Process::start(command);
        server.handshake();
        let reply = server.call("tdd_resume_session", json!({"session_id": id}));
        assert!(server.end().1.success());
        kept.untouched();
        reply["structuredContent"]["error_code"].clone()
    };
    assert_eq!(resumed(&|_| ()), serde_json::Value::Null);
    for file in [lock.clone(), lock.replace(".lock", ".jsonl")] {
        assert_eq!(
            resumed(&|root| {
                fs::remove_file(root.join(&file)).unwrap();
                symlink(&canary, root.join(&file)).unwrap();
            }),
            "path_denied"
        );
        assert_eq!(
            resumed(&|root| {
                fs::remove_file(root.join(&file)).unwrap();
                rustix::fs::mkfifoat(rustix::fs::CWD, root.join(&file), rustix::fs::Mode::RWXU).unwrap();
            }),
            "path_denied"
        );
    }
    let outside = kept.folder.path().join("whole/.tdd-mcp");
    assert_eq!(
        resumed(&|root| {
            fs::remove_dir_all(root.join(".tdd-mcp")).unwrap();
            symlink(&outside, root.join(".tdd-mcp")).unwrap();
        }),
        "path_denied"
    );
}

#[test]
fn a_lock_of_notes_that_is_no_file_is_refused() {
    let kept = Kept::new();
    let canary = kept.folder.path().join("canary");
    let lock = ".tapps-mcp/sessions/notes.lock";
    let saved = |make: &dyn Fn(&Path)| {
        let root = kept.copy();
        fs::remove_file(root.join(lock)).unwrap();
        make(&root.join(lock));
        let mut command = program(&settings());
        command.current_dir(&root).env_remove("TAPPS_MCP_PROJECT_ROOT").env("TAPPS_MCP_OFFLINE", "1");
        command.args(["serve", "--toolsets", "all", "--workers", "off"]);
        let mut server = Process::start(command);
        server.handshake();
        let reply = server.call("tapps_session_notes", json!({"action": "save", "key": "k", "value": "v"}));
        assert!(server.end().1.success());
        kept.untouched();
        reply["structuredContent"]["error_code"].clone()
    };
    assert_eq!(saved(&|_| ()), serde_json::Value::Null, "a lock that is lost is made again");
    assert_eq!(saved(&|lock| symlink(&canary, lock).unwrap()), "path_denied");
    assert_eq!(saved(&|lock| symlink("../../src/a.py", lock).unwrap()), "path_denied");
    assert_eq!(saved(&|lock| symlink("../../new", lock).unwrap()), "path_denied");
    let pipe = |lock: &Path| rustix::fs::mkfifoat(rustix::fs::CWD, lock, rustix::fs::Mode::RWXU).unwrap();
    assert_eq!(saved(&pipe), "path_denied");
    assert_eq!(saved(&|lock| fs::create_dir(lock).unwrap()), "path_denied");
}

#[test]
fn what_is_kept_may_be_spoilt_in_any_way() {
    let kept = Kept::new();
    let mut faults = Vec::new();
    for case in Cases::new(60) {
        let mut rng = Rng::new(case);
        let root = kept.copy();
        let how = spoil(&mut rng, &root, &kept.files);
        for _ in 0..2 {
            let command = *rng.pick(COMMANDS);
            let output = bounded(&root, command);
            let (code, said) = (output.status.code(), stderr(&output));
            if !matches!(code, Some(0..=6)) || said.contains("panicked at") || said.contains("a fault of the program") {
                faults.push(format!("case {case}: {how}: {command:?} ended with {:?}: {said}", output.status));
            }
        }
        kept.untouched();
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
